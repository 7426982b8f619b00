"""Further links: an event may state several claims, and a claim may need several events.

The evidence of a stream is one link an event, its first, which carries the bearing and the first claim that the event
states. What it states besides, and what a claim cites of events that did not state it, is on further links. They bear
on nothing, so an event counts once however much it says.
"""

from collections.abc import Iterable

from dreamd.lifecycle import ids
from dreamd.lifecycle.values import Event, Hold, Link
from dreamd.lifecycle.words import Bearing

PART = "part"  # the event states the claim too
CITED = "cited"  # the claim needs the event, which belongs to this stream or to another one
FURTHER = (PART, CITED)


def further_link(event: Event, stream: str, claim: str, rule: str) -> Link:
    return Link(
        id=ids.further_link_id(event.id, stream, claim),
        space=event.space,
        event=event.id,
        stream=stream,
        claim=claim,
        bearing=Bearing.MENTIONS,
        rule=rule,
        score=1.0,
    )


def is_first(link: Link) -> bool:
    """Whether `link` says which way its event bears, not only what else it states or is cited for."""
    return link.rule not in FURTHER


def first_links(links: Iterable[Link]) -> list[Link]:
    return [link for link in links if is_first(link)]


def holds_evidence(hold: Hold) -> bool:
    """Whether `hold` keeps an event from a stream, not only one of its further links."""
    return hold.event is not None and hold.subject == ids.link_id(hold.event, hold.stream)
