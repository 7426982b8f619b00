"""What a revert leaves behind, and how the dream honours it.

A dream is a pure function, so after a revert it would make the same plan again. A hold says: not this change from
this evidence (design, section 7). A held link keeps its event examined; a held crossing keeps a stream from ageing
past it; a held ending keeps a claim current until a person accepts it. The first event recorded later for a stream
lifts what is held on it, all but the endings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from dreamd.lifecycle.ageing import aged

from dreamd.lifecycle import ids
from dreamd.lifecycle.growing import expire
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import Interval
from dreamd.lifecycle.values import Claim, Hold, Link, Row, Stream
from dreamd.lifecycle.words import Status, Vitality

STICKY_KINDS = ("supersede", "retract", "merge")  # stay refused until a person accepts them
CROSSINGS = {
    "vitality:decaying": Vitality.DECAYING,
    "vitality:dormant": Vitality.DORMANT,
    "status:faded": Vitality.DORMANT,
}

Crossing = tuple[str, datetime]


def is_sticky(hold: Hold) -> bool:
    """Whether only a person lifts `hold`, not new evidence."""
    return hold.kind in STICKY_KINDS


def age(
    stream: Stream, now: datetime, waking: Sequence[Interval] | None, policy: Policy, holds: Iterable[Hold] = ()
) -> tuple[Stream, tuple[Crossing, ...]]:
    """`stream` as it is at `now`, and the crossings since its last evidence with their true instants.

    A crossing that is held from the same evidence is left out; later ones are not. What a person forgot and what was
    merged away does not age.
    """
    if stream.status in (Status.FORGOTTEN, Status.MERGED):
        return stream, ()
    held = {hold.kind for hold in holds if hold.subject == stream.id and hold.evidence_digest == stream.evidence_digest}
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


def holds_on(changes: Iterable[Change], space: str, run: str) -> dict[str, Hold]:
    """The holds that undoing `changes`, made by the dream `run`, leaves; by hold id."""
    holds = (hold for change in changes for hold in _holds_on_change(change, space, run))
    return {hold.id: hold for hold in holds}


def holds_on_ageing(
    rows: Iterable[Row], now: datetime, waking: Sequence[Interval] | None, policy: Policy, run: str
) -> dict[str, Hold]:
    """Holds on all that age alone would change at `now` in the restored `rows`.

    Without them a dream at the instant of the revert would at once age what was just restored to an earlier state.
    """
    holds: dict[str, Hold] = {}
    for row in rows:
        if isinstance(row, Stream):
            for kind, _ in age(row, now, waking, policy)[1]:
                hold = _hold(row.space, kind, row.id, row.id, evidence=row.evidence_digest, run=run)
                holds[hold.id] = hold
        elif isinstance(row, Claim) and expire(row, now) != row:
            hold = _hold(row.space, "expire", row.id, row.stream, evidence=row.stated_in, run=run)
            holds[hold.id] = hold
    return holds


def _holds_on_change(change: Change, space: str, run: str) -> Iterable[Hold]:
    before, after = change.before, change.after
    if isinstance(after, Link) and before is None:
        yield _hold(space, "create", after.id, after.stream, evidence=after.event, run=run, event=after.event)
    if isinstance(after, Stream) and isinstance(before, Stream):
        for kind in change.kinds:
            if kind in CROSSINGS:
                yield _hold(space, kind, after.id, after.id, evidence=before.evidence_digest, run=run)
    if isinstance(after, Claim) and isinstance(before, Claim):
        for kind in change.kinds:
            if kind in (*STICKY_KINDS, "expire"):
                yield _hold(space, kind, after.id, after.stream, evidence=after.closed_by or after.stated_in, run=run)


def _hold(
    space: str, kind: str, subject: str, stream: str | None, *, evidence: str, run: str, event: str | None = None
) -> Hold:
    return Hold(
        id=ids.hold_id(space, kind, subject, evidence),
        space=space,
        kind=kind,
        subject=subject,
        stream=stream,
        event=event,
        evidence_digest=evidence,
        run=run,
    )
