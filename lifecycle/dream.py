"""The dream: what is known, what was found and what time it is become one plan.

    dream : Snapshot x Findings x now x Policy -> Plan

The steps transform a draft and `Draft.changes` works out the difference at the end. The same arguments give the same
plan, whatever the order of rows and events; a dream after its plan was applied, at the same `now`, changes nothing. A
person's order (a pin, an accepted proposal, a lifted hold) takes the same way, without new evidence and without
ageing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.lifecycle.gates import near_miss

from dreamd.lifecycle import ids
from dreamd.lifecycle.casework import cases_of
from dreamd.lifecycle.claims import Ending
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.findings import Findings
from dreamd.lifecycle.fuses import Grove, grow_within_fuses
from dreamd.lifecycle.growing import with_claims
from dreamd.lifecycle.holds import age, expire_unless_held
from dreamd.lifecycle.plan import PLAN_SCHEMA, Change, Counts, NearMiss, Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.reasons import day
from dreamd.lifecycle.snapshot import Interval, Snapshot
from dreamd.lifecycle.values import Claim, Hold, Link, Proposal, Row, Stream
from dreamd.lifecycle.words import Bearing, Status, Trigger, Waiting

NO_FINDINGS = Findings(assignments=(), statements=(), closures=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a person wants changed: rows to put and to drop, and the streams that follow from them."""

    trigger: Trigger
    because: str
    put: tuple[Row, ...] = ()
    drop: tuple[Row, ...] = ()
    streams: tuple[str, ...] = ()  # to be made whole again under the new rows


def dream(snapshot: Snapshot, findings: Findings, now: datetime, policy: Policy, *, order: Order | None = None) -> Plan:
    """The plan that brings the rows of `snapshot` to what the evidence says at `now`.

    With an `order` no new event is taken in and nothing ages; only what the order names changes.
    """
    snapshot = snapshot if order is None else _under(order, snapshot)
    draft = Draft(_rows(snapshot))
    if order is not None:
        _follow(order, draft)
    cases, lifted = cases_of(snapshot, findings, order.streams if order is not None else None)
    for hold in lifted:
        draft.drop(hold, "new evidence for its stream lifts it")
    holds = [hold for hold in snapshot.holds.values() if hold not in lifted]
    grove = grow_within_fuses(cases, snapshot, policy, by_person=order is not None)
    waking = None if policy.silence == "calendar" else snapshot.waking
    for case_id in sorted(grove.grown):
        _plant(draft, snapshot, grove, case_id)
        if order is None:
            _age(draft, grove.rows(case_id), now, _Clockwork(waking, policy, holds), pinned=case_id in grove.pinned)
        else:
            _keep_age(draft, snapshot.streams.get(case_id), grove.rows(case_id), policy, case_id in grove.pinned)
    if order is None:
        for stream_id in sorted(set(snapshot.due) - grove.grown.keys()):
            rows = _due_rows(snapshot, stream_id)
            pinned = any(pin.subject == stream_id for pin in snapshot.pins.values())
            _age(draft, rows, now, _Clockwork(waking, policy, holds), pinned=pinned)
        _mark_the_rest(draft, snapshot, findings)
    for proposal in grove.proposals:
        draft.put(proposal)
    return _plan(snapshot, findings, now, policy, draft=draft, grove=grove, order=order)


@dataclass(frozen=True, slots=True)
class _Clockwork:
    waking: Sequence[Interval] | None
    policy: Policy
    holds: Sequence[Hold]


def _rows(snapshot: Snapshot) -> Iterable[Row]:
    for table in (
        snapshot.streams,
        snapshot.claims,
        snapshot.links,
        snapshot.aliases,
        snapshot.pins,
        snapshot.holds,
        snapshot.proposals,
        snapshot.questions,
    ):
        yield from table.values()


def _under(order: Order, snapshot: Snapshot) -> Snapshot:
    """`snapshot` as the steps shall see it once the order's rows are in force."""
    gone = {row.id for row in order.drop}
    tables: dict[str, dict[str, Row]] = {}
    for name in ("pins", "holds", "proposals", "questions"):
        kept: Mapping[str, Row] = getattr(snapshot, name)
        tables[name] = {id_: row for id_, row in kept.items() if id_ not in gone}
    for row in order.put:
        tables[f"{type(row).__name__.lower()}s"][row.id] = row
    return replace(snapshot, new=(), due=(), **tables)  # type: ignore[arg-type]


def _follow(order: Order, draft: Draft) -> None:
    for row in order.put:
        draft.put(row, order.because)
    for row in order.drop:
        draft.drop(row, order.because)


def _plant(draft: Draft, snapshot: Snapshot, grove: Grove, stream_id: str) -> None:
    """Put all rows of one grown stream into the draft but the stream itself and its claims, which are aged first."""
    grown = grove.grown[stream_id]
    endings = {ending.claim: ending for ending in grown.told.endings}
    for link in grown.links.values():
        draft.put(link, _link_note(link))
    for claim in snapshot.claims.values():
        if claim.stream == stream_id and claim.id not in grown.claims:
            draft.drop(claim, "no evidence states it any more")
    for claim in grown.claims.values():
        draft.put(claim, _ending_note(endings.get(claim.id)))
    for alias in grown.aliases.values():
        draft.put(alias, f'"{alias.spelling}" is another spelling of {alias.target}')
    asked = {question.id: question for question in grown.told.questions}
    for question in snapshot.questions.values():
        if question.stream == stream_id and question.status is Waiting.OPEN and question.id not in asked:
            draft.drop(question, "later evidence settled it")
    for question in asked.values():
        draft.put(question, "no rule decides it")


def _age(draft: Draft, rows: tuple[Stream, list[Claim]], now: datetime, clockwork: _Clockwork, *, pinned: bool) -> None:
    stream, claims = rows
    lived = [expire_unless_held(claim, now, clockwork.holds) for claim in claims]
    for before, after in zip(claims, lived, strict=True):
        if before != after:
            draft.put(after)
    stream = with_claims(stream, lived, is_pinned=pinned, policy=clockwork.policy)
    aged_stream, crossings = age(stream, now, clockwork.waking, clockwork.policy, clockwork.holds)
    draft.put(aged_stream, "; ".join(f"{kind.split(':')[1]} at {day(instant)}" for kind, instant in crossings))


def _keep_age(
    draft: Draft, before: Stream | None, rows: tuple[Stream, list[Claim]], policy: Policy, pinned: bool
) -> None:
    """A person's order does not age: vitality, status and expired claims stay as the last dream saw them."""
    stream, claims = rows
    if before is None:
        raise ValueError(f"an order names stream {stream.id}, which is not in its snapshot")
    stream = with_claims(stream, claims, is_pinned=pinned, policy=policy)
    wakes = stream.is_protected and before.status is Status.FADED
    status = Status.ACTIVE if wakes else before.status
    draft.put(replace(stream, vitality=before.vitality, crossed_at=before.crossed_at, status=status))


def _due_rows(snapshot: Snapshot, stream_id: str) -> tuple[Stream, list[Claim]]:
    claims = [claim for claim in snapshot.claims.values() if claim.stream == stream_id]
    return snapshot.streams[stream_id], claims


def _mark_the_rest(draft: Draft, snapshot: Snapshot, findings: Findings) -> None:
    """New events without a target get a link to no stream: they were looked at, and the note says what was missing."""
    reasons = dict(findings.noise)
    for assignment in findings.assignments:
        if assignment.target is None and assignment.event in snapshot.new:
            draft.put(
                Link(
                    id=ids.link_id(assignment.event, None),
                    space=snapshot.space,
                    event=assignment.event,
                    stream=None,
                    claim=None,
                    bearing=Bearing.MENTIONS,
                    rule=assignment.rule,
                    score=assignment.score,
                ),
                reasons.get(assignment.event, "no target was found for it"),
            )


def _plan(
    snapshot: Snapshot,
    findings: Findings,
    now: datetime,
    policy: Policy,
    *,
    draft: Draft,
    grove: Grove,
    order: Order | None,
) -> Plan:
    changes = draft.changes()
    trigger = Trigger.DREAM if order is None else order.trigger
    subjects = ids.digest_of(trigger, *(f"{change.subject.id}:{change.because}" for change in changes))
    return Plan(
        schema=PLAN_SCHEMA,
        run=ids.run_id(snapshot.space, snapshot.base, now.isoformat(), subjects) if changes else "",
        number=snapshot.number + 1,
        space=snapshot.space,
        base=snapshot.base,
        now=now,
        trigger=trigger,
        reverts=None,
        policy_digest=policy.digest(),
        findings_digest=_digest(findings),
        changes=changes,
        fused=grove.fused,
        proposals=tuple(sorted(change.subject.id for change in changes if isinstance(change.after, Proposal))),
        near_misses=_near_misses(snapshot, changes, policy) if order is None else (),
        problems=grove.problems,
        counts=_counts(snapshot, changes),
    )


def _digest(findings: Findings) -> str:
    return ids.digest_of(
        findings.model,
        *sorted(f"{found.event}>{found.target}:{found.rule}" for found in findings.assignments),
        *sorted(f"{found.event}={found.text_key}" for found in findings.statements),
        *sorted(f"{found.by}!{found.verb}:{found.text_key}" for found in findings.closures),
    )[:16]


def _near_misses(snapshot: Snapshot, changes: Sequence[Change], policy: Policy) -> tuple[NearMiss, ...]:
    """The streams that came closest to their next phase without reaching it, closest first."""
    streams = {stream.id: stream for stream in (*snapshot.watched, *snapshot.streams.values())}
    streams.update({change.after.id: change.after for change in changes if isinstance(change.after, Stream)})
    missed = (near_miss(stream, policy) for stream in streams.values() if stream.status is Status.ACTIVE)
    ranked = sorted((miss for miss in missed if miss is not None), key=lambda miss: (-miss.closeness, miss.stream))
    return tuple(ranked[: policy.near_miss_count])


def _counts(snapshot: Snapshot, changes: Sequence[Change]) -> Counts:
    links = [change.after for change in changes if isinstance(change.after, Link) and change.before is None]
    return Counts(
        examined=len(links),
        untargeted=sum(link.rule == "untargeted" for link in links),
        noise=sum(link.rule == "noise" for link in links),
        waiting=snapshot.waiting,
        in_play=len(snapshot.streams),
    )


def _link_note(link: Link) -> str:
    stated = "" if link.claim is None else f", states {link.claim}"
    return f"{link.bearing} it, {link.rule}{stated}"


def _ending_note(ending: Ending | None) -> str:
    return "" if ending is None else ending.rule
