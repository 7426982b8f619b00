"""What a revert leaves behind, and how the dream honours it.

A dream is a pure function, so after a revert it would make the same plan again. A hold says: not this change from
this evidence (design, section 7). A held link keeps its event examined; a held crossing keeps a stream from ageing
past it; a held ending keeps a claim current until a person accepts it. The first event recorded later for a stream
lifts what is held on it, all but the endings.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from dreamd.lifecycle import ids
from dreamd.lifecycle.ageing import aged
from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.growing import expire
from dreamd.lifecycle.moves import moves
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim, Hold, Link, Row, Stream
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import Status, Vitality

AS_IT_IS = "policy"  # keeps the whole stream as it is: what a changed policy, or age under it, would make of it
MOVE = "move"  # keeps an event at the target that it has
EDITED = "edit"  # keeps a person's edit from counting
STICKY_KINDS = ("supersede", "retract", "merge", MOVE, EDITED)  # stay refused until a person accepts them
CROSSINGS = {
    "vitality:decaying": Vitality.DECAYING,
    "vitality:dormant": Vitality.DORMANT,
    "status:faded": Vitality.DORMANT,
}

_NOWHERE_ELSE: Mapping[str, str] = MappingProxyType({})
Crossing = tuple[str, datetime]


def is_sticky(hold: Hold) -> bool:
    """Whether only a person lifts `hold`, not new evidence."""
    return hold.kind in STICKY_KINDS


def age(
    stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy, holds: Iterable[Hold] = ()
) -> tuple[Stream, tuple[Crossing, ...]]:
    """`stream` as it is at `now`, and the crossings since its last evidence with their true instants.

    A crossing that is held from the same evidence is left out; later ones are not. What a person forgot, what was
    merged away and what is held as it is does not age.
    """
    held = {hold.kind for hold in holds if hold.subject == stream.id and hold.evidence_digest == stream.evidence_digest}
    if stream.status in (Status.FORGOTTEN, Status.MERGED) or AS_IT_IS in held:
        return stream, ()
    row = replace(stream, vitality=Vitality.ACTIVE, status=Status.ACTIVE, crossed_at=None)
    crossings = tuple(crossing for crossing in aged(row, now, waking, policy).crossings if crossing[0] not in held)
    for kind, instant in crossings:
        status = Status.FADED if kind == "status:faded" else row.status
        row = replace(row, vitality=CROSSINGS[kind], status=status, crossed_at=instant)
    return row, crossings


def expire_unless_held(claim: Claim, now: datetime, holds: Iterable[Hold]) -> Claim:
    """`claim`, expired at `now` unless that is held."""
    if any(hold.kind == "expire" and hold.subject == claim.id for hold in holds):
        return claim
    return expire(claim, now)


def holds_on(
    changes: Iterable[Change], run: str, named: Mapping[str, str] = _NOWHERE_ELSE, *, is_edit: bool = False
) -> dict[str, Hold]:
    """The holds that undoing `changes`, made by the dream `run`, leaves; by hold id.

    `named`: the streams of events that a merge had led to another; those lift the holds. `is_edit`: the changes are a
    person's edits, which new evidence does not bring back.
    """
    undone = [_by_name(change, named) for change in changes]
    moved, merged = {got.event for _, got in moves(undone)}, _merged_events(undone)
    linking = EDITED if is_edit else "create"
    holds = (hold for change in undone for hold in _holds_on_change(change, run, moved, linking))
    # What a merge had moved goes back to where it was; the merge is held, not its evidence.
    return {hold.id: hold for hold in holds if hold.event is None or hold.event not in merged}


def _by_name(change: Change, named: Mapping[str, str]) -> Change:
    """A new link as it would have been under the event's own name."""
    link = change.after
    if not isinstance(link, Link) or change.before is not None or link.event not in named or not is_first(link):
        return change
    stream = named[link.event]
    return replace(change, after=replace(link, id=ids.link_id(link.event, stream), stream=stream, claim=None))


def holds_on_merges(changes: Iterable[Change], run: str) -> dict[str, Hold]:
    """The holds that undoing `changes` leaves where they merged streams: these two stay apart until a person acts."""
    holds = {}
    for row in _merged(changes):
        hold = _hold(row, "merge", row.merged_into or "", run)
        holds[hold.id] = hold
    return holds


def _merged(changes: Iterable[Change]) -> Iterable[Stream]:
    """The streams that `changes` merge into others."""
    for change in changes:
        before, after = change.before, change.after
        is_merged = isinstance(before, Stream) and before.merged_into is not None
        if isinstance(after, Stream) and after.merged_into is not None and not is_merged:
            yield after


def _merged_events(changes: Collection[Change]) -> frozenset[str]:
    """The events that streams gave up as they were merged."""
    gone = {row.id for row in _merged(changes)}
    links = (change.before for change in changes if change.after is None)
    return frozenset(link.event for link in links if isinstance(link, Link) and link.stream in gone and is_first(link))


def holds_on_ageing(
    rows: Iterable[Row], now: datetime, waking: Sequence[Interval], policy: Policy, run: str
) -> dict[str, Hold]:
    """Holds on all that age alone would change at `now` in the restored `rows`.

    Without them a dream at the instant of the revert would at once age what was just restored to an earlier state. One
    that age would change otherwise than by a later crossing, as under a changed policy, is held as it is.
    """
    holds: dict[str, Hold] = {}
    for row in rows:
        if isinstance(row, Stream):
            for kind, instant in age(row, now, waking, policy)[1]:
                if row.crossed_at is None or instant > row.crossed_at:
                    hold = _hold(row, kind, row.evidence_digest, run)
                    holds[hold.id] = hold
            if age(row, now, waking, policy, holds.values())[0] != row:
                hold = hold_as_it_is(row, run)
                holds[hold.id] = hold
        elif isinstance(row, Claim) and expire(row, now) != row:
            hold = _hold(row, "expire", row.stated_in, run)
            holds[hold.id] = hold
    return holds


def hold_as_it_is(stream: Stream, run: str) -> Hold:
    """Until new evidence comes for `stream`, or a person lifts it."""
    return _hold(stream, AS_IT_IS, stream.evidence_digest, run)


def is_held_as_it_is(stream: Stream, holds: Iterable[Hold]) -> bool:
    return any(hold.kind == AS_IT_IS and hold.subject == stream.id for hold in holds)


def _holds_on_change(change: Change, run: str, moved: Collection[str], linking: str) -> Iterable[Hold]:
    before, after = change.before, change.after
    if isinstance(after, Link) and before is None:
        yield _hold(after, MOVE if after.event in moved else linking, after.event, run)
    if isinstance(after, Stream) and isinstance(before, Stream):
        for kind in change.kinds:
            if kind in CROSSINGS:
                yield _hold(after, kind, before.evidence_digest, run)
    if isinstance(after, Claim) and isinstance(before, Claim):
        for kind in change.kinds:
            if kind in (*STICKY_KINDS, "expire"):
                yield _hold(after, kind, after.closed_by or after.stated_in, run)


def _hold(row: Stream | Claim | Link, kind: str, evidence: str, run: str) -> Hold:
    return Hold(
        id=ids.hold_id(row.space, kind, row.id, evidence),
        space=row.space,
        kind=kind,
        subject=row.id,
        stream=row.id if isinstance(row, Stream) else row.stream,
        event=row.event if isinstance(row, Link) else None,
        evidence_digest=evidence,
        run=run,
    )
