"""A stream under several names: what the evidence under each of them says alone.

An alias leads from a name to the stream of another. Evidence and claims are all the survivor's; the row of a name that
has evidence stays, MERGED, with the signals of that evidence, so that it is a function of events and aliases, whichever
came first. A merge keeps the higher phase of its members: the survivor's is at least what each name reached alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from dreamd.lifecycle.checkpoint import Checkpoint
from dreamd.lifecycle.claims import PersonsWord
from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.growing import Case, Grown, grow, own_name
from dreamd.lifecycle.ids import stream_id
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event, Stream
from dreamd.lifecycle.words import Phase, Status

_NOTHING_SAID = PersonsWord(is_refused=lambda _verb, _claim: False, answers={})


def grow_with_members(case: Case, policy: Policy) -> Grown:
    """The rows of `case`'s stream and of those that are merged into it, before ageing."""
    grown = grow(case, policy)
    parts = _parts(case)
    if not parts:
        return grown
    members = {name: grow(_part(case, name, events), policy).stream for name, events in parts.items()}
    own = [event for event in case.events if not case.assignments[event.id].via]
    alone = [*members.values(), *([grow(_part(case, case.target, own), policy).stream] if own else [])]
    stream = _at_least(grown.stream, alone)
    return replace(
        grown,
        stream=stream,
        absorbed={row.id: _merged(row, case.id) for row in members.values()},
        checkpoint=_checkpoint(case, stream, grown.checkpoint),
    )


def _parts(case: Case) -> Mapping[str, list[Event]]:
    """The events by each name that led to the target, with those that led to that name."""
    parts: dict[str, list[Event]] = {}
    for event in case.events:
        for name in case.assignments[event.id].via:
            parts.setdefault(name, []).append(event)
    return dict(sorted(parts.items()))


def _part(case: Case, name: str, events: Iterable[Event]) -> Case:
    """What bears on `name` alone, as if no alias led from it."""
    events = tuple(events)
    known = {event.id for event in events}
    return Case(
        id=stream_id(case.space, name),
        space=case.space,
        target=name,
        before=None,
        events=events,
        links={},
        assignments={id_: _up_to(case, name, id_) for id_ in known},
        statements={id_: said for id_, said in case.statements.items() if id_ in known},
        known=case.known,
        closures=[closure for closure in case.closures if closure.by in known],
        word=_NOTHING_SAID,
        is_pinned=False,
        pinned_claims=frozenset(),
    )


def _up_to(case: Case, name: str, event: str) -> Assignment:
    found = case.assignments[event]
    if name not in found.via:
        return found
    return replace(found, target=name, via=found.via[: found.via.index(name)])


def _at_least(stream: Stream, members: Iterable[Stream]) -> Stream:
    rows = [stream, *members]
    emergent_at = _first(row.emergent_at for row in rows)
    canonical_at = _first(row.canonical_at for row in rows)
    phase = Phase.PATTERN if emergent_at is None else Phase.EMERGENT if canonical_at is None else Phase.CANONICAL
    return replace(stream, phase=phase, emergent_at=emergent_at, canonical_at=canonical_at)


def _first(instants: Iterable[datetime | None]) -> datetime | None:
    return min((instant for instant in instants if instant is not None), default=None)


def _merged(row: Stream, survivor: str) -> Stream:
    """The row of a name whose evidence and claims are another stream's: nobody is to find a statement through it."""
    return replace(
        row, status=Status.MERGED, merged_into=survivor, headline=None, is_protected=False, is_doubtful=False
    )


def _checkpoint(case: Case, stream: Stream, checkpoint: Checkpoint | None) -> Checkpoint | None:
    """Where later evidence can be added: not while a name could still reach a phase alone, or give the title."""
    is_named = any(own_name(assignment) == case.target for assignment in case.assignments.values())
    if checkpoint is None or not is_named or stream.phase is not Phase.CANONICAL:
        return None
    standing = replace(checkpoint.standing, emergent_at=stream.emergent_at, canonical_at=stream.canonical_at)
    return replace(checkpoint, standing=standing)
