"""The two clocks of an answer: what was true at an instant, and what was believed at one.

*As of* is valid time: the evidence dated up to then makes the stream anew, and of the statements those count that held
then, by what is known. *Known at* is system time: the rows are walked back to the last run by then, so that what was
learned later, a correction too, is not known yet. Both together say what one then believed to have been true.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from dreamd.daemon.errors import Usage
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.targeting import Targets
from dreamd.daemon.times import rfc3339
from dreamd.lifecycle.casework import casework, events_by_stream
from dreamd.lifecycle.growing import grow
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import ClaimStatus, Phase, rank
from dreamd.reflection.read import read


def stream_as_of(store: SpaceStore, stream: Stream, known: Sequence[Event], as_of: datetime, policy: Policy) -> Stream:
    """The stream as those of the `known` events make it that are dated up to `as_of`. Raises Usage if none is."""
    dated = {event.id: event for event in known if event.at <= as_of}
    if not dated:
        raise Usage(
            f"{stream.target!r} has no evidence up to {rfc3339(as_of)}",
            f"its first is of {rfc3339(stream.first_seen)}; give a later --as-of",
        )
    snapshot = store.snapshot((), {stream.id}, as_of, policy)
    links = {link.id: link for link in snapshot.links.values() if link.event in dated}
    then = replace(snapshot, events=dated, links=links, streams={stream.id: stream})
    assignments = Targets(aliases=store.alias_targets(), suspects={}, released=frozenset()).of(then)
    findings = read(events_by_stream(then, assignments), assignments, predicates=policy.predicates)
    (case,) = casework(then, findings, [stream.id]).cases
    made = grow(case, policy).stream
    # A merge left a phase that the stream's own evidence does not reach, and today's status is no matter of then.
    return replace(made, phase=min(_reached(stream, as_of, made.phase), stream.phase, key=rank), status=stream.status)


def claims_as_of(claims: Iterable[Claim], as_of: datetime) -> list[Claim]:
    """Those of `claims` that were true at `as_of`, as current as they were then."""
    return [replace(claim, status=ClaimStatus.CURRENT) for claim in claims if _is_true(claim, as_of)]


def rows_as_known(
    store: SpaceStore, stream: Stream, claims: dict[str, Claim], instant: datetime
) -> tuple[Stream, dict[str, Claim]]:
    """The rows as the last run by `instant` left them. Raises Usage if the stream was not there yet."""
    numbers = [record.number for record in store.runs() if record.now <= instant]
    later = store.changes_since(max(numbers, default=0))
    known: Stream | None = stream
    standing = dict(claims)
    for change in _newest_first(later):
        if change.subject.id == stream.id:
            known = change.before if isinstance(change.before, Stream) else None
        elif isinstance(change.before, Claim) and change.before.stream == stream.id:
            standing[change.before.id] = change.before
        elif isinstance(change.after, Claim) and change.before is None:
            standing.pop(change.subject.id, None)
    if known is None:
        raise Usage(f"{stream.target!r} was not known at {rfc3339(instant)}", "give a later --known-at")
    return known, standing


def _reached(stream: Stream, as_of: datetime, made: Phase) -> Phase:
    if stream.canonical_at is not None and stream.canonical_at <= as_of:
        return Phase.CANONICAL
    if stream.emergent_at is not None and stream.emergent_at <= as_of:
        return max(made, Phase.EMERGENT, key=rank)
    return made


def _is_true(claim: Claim, instant: datetime) -> bool:
    if claim.status is ClaimStatus.RETRACTED:
        return False
    return claim.valid_from <= instant and (claim.valid_to is None or instant < claim.valid_to)


def _newest_first(later: Iterable[tuple[int, tuple[Change, ...]]]) -> Iterable[Change]:
    for _, changes in reversed(list(later)):
        yield from changes
