"""What streams that are grown whole had stated before anything new: it is grouped as it was.

What was said before is never grouped anew by what comes later (`reflection.duplicates.groups`), and what ends what up
to an instant is a function of what was said up to it. So only what was said from the first new event on has to be
compared again.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from dreamd.lifecycle.checkpoint import Neighbour
from dreamd.lifecycle.further import first_links
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Claim, Event
from dreamd.lifecycle.words import ClaimKind

# They are in no group with what an event says in its own words.
IN_NO_GROUP = (ClaimKind.LESSON, ClaimKind.PROCEDURE)


def settled(snapshot: Snapshot, events: Mapping[str, Sequence[Event]]) -> Mapping[str, tuple[Neighbour, ...]]:
    """By stream of `snapshot.grouped` what it had stated before the first of `events` that it has no link to.

    A stream from which evidence was taken away is left out: it has to be read as if it were new.
    """
    linked: dict[str, set[str]] = defaultdict(set)
    for link in first_links(snapshot.links.values()):
        if link.stream in snapshot.grouped:
            linked[link.stream].add(link.event)
    claims: dict[str, list[Claim]] = defaultdict(list)
    for claim in snapshot.claims.values():
        if claim.stream in snapshot.grouped and claim.kind not in IN_NO_GROUP:
            claims[claim.stream].append(claim)
    found: dict[str, tuple[Neighbour, ...]] = {}
    for stream in snapshot.grouped & events.keys():
        known = linked[stream]
        if known <= {event.id for event in events[stream]}:
            first = min((event.at for event in events[stream] if event.id not in known), default=None)
            found[stream] = tuple(
                Neighbour(text=claim.text, at=claim.valid_from, group=claim.group, slot=claim.slot, value=claim.value)
                for claim in claims[stream]
                if first is None or claim.valid_from < first
            )
    return found
