"""The quarantine: what stands about an event whose text tells an agent what to do (design, section 10).

The word on such an event is a row of its own: a link to no stream whose rule is the word. It stands beside the link
that a released event gets later, so that no other run loses what a person said. While an event is kept back it bears
on nothing: no stream, no claim, no ending.
"""

from collections.abc import Iterable

from dreamd.lifecycle import ids
from dreamd.lifecycle.values import Link
from dreamd.lifecycle.words import Bearing

QUARANTINED = "quarantined"  # it waits for a person
RELEASED = "released"  # a person let it out; also the rule of the link that it gets then
REJECTED = "rejected"  # a person said no: it is never looked at again
KEPT_BACK = (QUARANTINED, REJECTED)


def quarantined(space: str, event: str, score: float) -> Link:
    """The row that keeps `event` back."""
    return Link(
        id=ids.quarantine_id(event),
        space=space,
        event=event,
        stream=None,
        claim=None,
        bearing=Bearing.MENTIONS,
        rule=QUARANTINED,
        score=score,
    )


def kept_back(links: Iterable[Link]) -> frozenset[str]:
    """The events that `links` keep back."""
    return frozenset(link.event for link in links if link.stream is None and link.rule in KEPT_BACK)


def released(links: Iterable[Link]) -> frozenset[str]:
    """The events that a person let out, as `links` say."""
    return frozenset(link.event for link in links if link.stream is None and link.rule == RELEASED)
