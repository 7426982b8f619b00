"""The dream: what is known, what was found and what time it is become one plan.

    dream : Snapshot x Findings x now x Policy -> Plan

The steps transform a draft and `Draft.changes` works out the difference at the end. The same arguments give the same
plan, whatever the order of rows and events; a dream after its plan was applied, at the same `now`, changes nothing. A
person's order (a pin, an accepted proposal, a lifted hold) takes the same way, without new evidence and without
ageing.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.lifecycle import ids, joining, repolicy
from dreamd.lifecycle.casework import additions, casework
from dreamd.lifecycle.checkpoint import Checkpoint
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.extending import Addition, extend
from dreamd.lifecycle.findings import Comparison, Findings
from dreamd.lifecycle.further import first_links, is_first
from dreamd.lifecycle.fuses import Grove, allowance, grow_within_fuses
from dreamd.lifecycle.gates import near_miss
from dreamd.lifecycle.growing import Grown
from dreamd.lifecycle.merging import Carried, carried
from dreamd.lifecycle.plan import PLAN_SCHEMA, Change, Counts, NearMiss, Plan
from dreamd.lifecycle.planting import Bed, by_stream, mark_the_rest, plant, plant_aged, plant_as_old
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.quarantine import QUARANTINED
from dreamd.lifecycle.retargeting import give_up, given_up, left, offer, uproot
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Proposal, Row, Stream
from dreamd.lifecycle.words import Status, Trigger

_NAMES: Mapping[type[Row], str] = {Alias: "aliases"}
NO_FINDINGS = Findings(assignments=(), statements=(), closures=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What a person wants changed: rows to put and to drop, and the streams that follow from them."""

    trigger: Trigger
    because: str
    put: tuple[Row, ...] = ()
    drop: tuple[Row, ...] = ()
    was: tuple[Row, ...] = ()  # rows out of play that `put` changes, as they are
    streams: tuple[str, ...] = ()  # to be made whole again under the new rows
    new: tuple[str, ...] = ()  # ids of the events that it takes in, of those that are unexamined

    def aliases(self) -> dict[str, str]:
        """Name -> target, for the names that it leads to another target."""
        return {row.spelling: row.target for row in self.put if isinstance(row, Alias)}


class BeyondExtending(Exception):
    """Some streams have to be grown whole after all: the snapshot must hold all that belongs to them."""

    def __init__(self, streams: frozenset[str]) -> None:
        super().__init__(*sorted(streams))
        self.streams = streams


Extended = dict[str, tuple[Addition, Grown]]  # by stream, under one policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Dreamt:
    plan: Plan
    checkpoints: Mapping[str, Checkpoint | None]  # derived, by stream, of all that were grown


def dream(snapshot: Snapshot, findings: Findings, now: datetime, policy: Policy, *, order: Order | None = None) -> Plan:
    """The plan that brings the rows of `snapshot` to what the evidence says at `now`.

    With an `order` no new event is taken in and nothing ages; only what the order names changes.
    """
    return dream_on(snapshot, findings, now, policy, order=order).plan


def extended_in(
    snapshot: Snapshot, findings: Findings, policy: Policy, remembered: Extended | None = None
) -> Mapping[str, Grown]:
    """The streams of `snapshot.extensions` that have new evidence, with it. Practice is not asked for: it is of others.

    What is `remembered` of the same additions is not worked out again, and what is worked out is put there. Raises
    BeyondExtending if some of them cannot be extended.
    """
    if not snapshot.extensions:
        return {}
    snapshot = given_up(snapshot)
    return _extended(additions(carried(snapshot, findings).into(snapshot), findings), policy, remembered)


def dream_on(  # noqa: PLR0913 - as a dream, and what was worked out before
    snapshot: Snapshot,
    findings: Findings,
    now: datetime,
    policy: Policy,
    *,
    order: Order | None = None,
    extended: Mapping[str, Grown] | None = None,
) -> Dreamt:
    """As `dream`, with the checkpoints from which the streams that grew can be taken further.

    `extended`: what `extended_in` gave for it, if that was asked for before. Raises BeyondExtending if some of
    `snapshot.extensions` cannot be extended.
    """
    # What an order drops or changes is there, though not in play if it belongs to no stream.
    draft = Draft((*_rows(snapshot), *(() if order is None else (*order.drop, *order.was))))
    if order is not None:
        _follow(order, draft)
        snapshot = _under(order, snapshot)
    give_up(draft, snapshot)
    snapshot = given_up(snapshot)
    moving = carried(snapshot, findings)
    _move(moving, draft, snapshot, findings)
    snapshot = moving.into(snapshot)
    work = casework(snapshot, findings, None if order is None else order.streams)
    if extended is None:
        extended = _extended(work.additions, policy)
    overtaken = () if order is not None else repolicy.released(snapshot)
    _lift(draft, overtaken, "the policy changed again")
    _lift(draft, work.lifted, "new evidence for its stream lifts it")
    bed = _bed(draft, snapshot, (*work.lifted, *overtaken), now, policy)
    heard = _heard(snapshot, findings)
    spent = joining.fused(snapshot, findings)
    grove = grow_within_fuses(work.cases, snapshot, policy, by_person=order is not None, spent=spent)
    grown_now = {**grove.grown, **extended}
    anew = _anew(snapshot, findings, grown_now.keys()) if order is None else frozenset()
    for stream_id, grown in sorted(grown_now.items()):
        if stream_id in anew:
            continue
        plant(bed, grown)
        # It has other evidence: it ages.
        if order is None or stream_id in heard or stream_id in moving.homes.values() or snapshot.again:
            plant_aged(bed, grown.stream, None if grown.is_extended else list(grown.claims.values()))
        else:
            plant_as_old(bed, snapshot.streams[stream_id], grown)
    joining.explain(draft, snapshot, findings)
    merged = {row.id for row in snapshot.streams.values() if row.status is Status.MERGED}
    for stream_id in sorted(set(snapshot.due) - grown_now.keys() - moving.homes.keys() - merged):
        claims = None if stream_id in snapshot.timeless else bed.claims.get(stream_id, ())
        plant_aged(bed, snapshot.streams[stream_id], claims)
    uproot(draft, snapshot, work.emptied)
    mark_the_rest(draft, snapshot, findings)
    repolicied = repolicy.NOTHING
    if order is None:
        for proposal in repolicy.overtaken(snapshot):
            draft.drop(proposal, "the policy changed again")
        left = max(0, allowance(snapshot, policy) - grove.fused)
        repolicied = repolicy.plant_anew(bed, {id_: grown_now[id_] for id_ in anew}, snapshot, left)
    offer(draft, snapshot.space, findings)
    for proposal in (*grove.proposals, *repolicied.proposals):
        draft.put(proposal, "over the fuse, or refused before: a person decides")
    for proposal in joining.proposals(snapshot, findings, draft.streams()):
        draft.put(proposal, "two names, and no proof that they are one: a person decides")
    plan = _plan(snapshot, findings, now, policy, draft.changes(), grove=grove, trigger=_trigger(order))
    if repolicied.change is not None:
        fused = plan.fused + len(repolicied.change.streams)
        plan = replace(plan, policy_change=repolicied.change, fused=fused)
    made: dict[str, Checkpoint | None] = {id_: grown.checkpoint for id_, grown in grown_now.items()}
    return Dreamt(plan=plan, checkpoints={**made, **dict.fromkeys(work.emptied)})


def _anew(snapshot: Snapshot, findings: Findings, grown: Set[str]) -> frozenset[str]:
    """The streams that were grown only because the policy changed."""
    if snapshot.past is None:
        return frozenset()
    with_news = _heard(snapshot, findings) | left(snapshot) | findings.revisited
    return (snapshot.past.streams & grown) - with_news


def _heard(snapshot: Snapshot, findings: Findings) -> frozenset[str]:
    """The streams that new events speak about."""
    new = set(snapshot.new)
    targets = {found.target for found in findings.assignments if found.event in new and found.target is not None}
    return frozenset(ids.stream_id(snapshot.space, target) for target in targets)


def _extended(new: Sequence[Addition], policy: Policy, remembered: Extended | None = None) -> dict[str, Grown]:
    extended: dict[str, Grown | None] = {}
    for addition in new:
        before = None if remembered is None else remembered.get(addition.before.id)
        is_same = before is not None and before[0].is_as(addition)
        extended[addition.before.id] = before[1] if before and is_same else extend(addition, policy)
    if remembered is not None:
        known = {addition.before.id: addition for addition in new}
        remembered.update({id_: (known[id_], grown) for id_, grown in extended.items() if grown is not None})
    if None in extended.values():
        raise BeyondExtending(frozenset(stream for stream, grown in extended.items() if grown is None))
    return {stream: grown for stream, grown in extended.items() if grown is not None}


def _lift(draft: Draft, holds: Iterable[Hold], why: str) -> None:
    for hold in holds:
        draft.drop(hold, why)


def _move(moving: Carried, draft: Draft, snapshot: Snapshot, findings: Findings) -> None:
    for alias, why in joining.aliases_of(snapshot, findings):
        draft.put(alias, why)
    for before, after in moving.rows:
        home = moving.homes.get(getattr(before, "stream", None) or "", "")
        note = f"merged into {snapshot.streams[home].target}" if home in snapshot.streams else "merged into another"
        if after is None or after.id != before.id:
            draft.drop(before, note)
        if after is not None:
            draft.put(after, note)


def _bed(draft: Draft, snapshot: Snapshot, lifted: Sequence[Hold], now: datetime, policy: Policy) -> Bed:
    gone = {hold.id for hold in lifted}
    return Bed(
        draft=draft,
        claims=by_stream(snapshot.claims),
        further=by_stream({id_: link for id_, link in snapshot.links.items() if not is_first(link)}),
        questions=by_stream(snapshot.questions),
        proposals=by_stream(snapshot.proposals),
        holds=by_stream({id_: hold for id_, hold in snapshot.holds.items() if id_ not in gone}),
        pinned=frozenset(pin.subject for pin in snapshot.pins.values()),
        now=now,
        waking=snapshot.waking,
        policy=policy,
    )


def _trigger(order: Order | None) -> Trigger:
    return Trigger.DREAM if order is None else order.trigger


def _rows(snapshot: Snapshot) -> Iterable[Row]:
    for table in (
        snapshot.streams,
        snapshot.claims,
        snapshot.links,
        snapshot.aliases,
        snapshot.pins,
        snapshot.holds,
        snapshot.tombstones,
        snapshot.proposals,
        snapshot.questions,
    ):
        yield from table.values()


def _under(order: Order, snapshot: Snapshot) -> Snapshot:
    """`snapshot` as the steps shall see it once the order's rows are in force."""
    gone = {row.id for row in order.drop}
    tables: dict[str, dict[str, Row]] = {}
    for name in ("streams", "links", "aliases", "pins", "holds", "tombstones", "proposals", "questions"):
        kept: Mapping[str, Row] = getattr(snapshot, name)
        tables[name] = {id_: row for id_, row in kept.items() if id_ not in gone}
    for row in order.put:
        tables[_NAMES.get(type(row), f"{type(row).__name__.lower()}s")][row.id] = row
    new = tuple(event for event in snapshot.new if event in order.new)
    return replace(snapshot, new=new, due=(), past=None, **tables)  # type: ignore[arg-type]


def _follow(order: Order, draft: Draft) -> None:
    for row in order.put:
        draft.put(row, order.because)
    for row in order.drop:
        draft.drop(row, order.because)


def _plan(  # noqa: PLR0913 - all that a plan is made of, once
    snapshot: Snapshot,
    findings: Findings,
    now: datetime,
    policy: Policy,
    changes: tuple[Change, ...],
    *,
    grove: Grove,
    trigger: Trigger,
) -> Plan:
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
        near_misses=_near_misses(snapshot, changes, policy) if trigger is Trigger.DREAM else (),
        problems=grove.problems,
        counts=_counts(snapshot, changes),
        comparisons=_comparisons(findings, changes),
        models=findings.models,
    )


def _comparisons(findings: Findings, changes: Sequence[Change]) -> tuple[Comparison, ...]:
    """Those of claims that `changes` make or group anew, by stream and text."""
    regrouped = {
        change.after.id
        for change in changes
        if isinstance(change.after, Claim)
        and not (isinstance(change.before, Claim) and change.before.group == change.after.group)
    }
    told = (found for found in findings.comparisons if ids.claim_id(found.stream, found.text, 0) in regrouped)
    return tuple(sorted(told, key=lambda found: (found.stream, found.text, found.other)))


def _digest(findings: Findings) -> str:
    return ids.digest_of(
        findings.model,
        *findings.models,
        *sorted(f"{found.event}>{found.target}:{found.rule}" for found in findings.assignments),
        *sorted(f"{found.event}={found.text_key}" for found in findings.statements),
        *sorted(f"{found.by}!{found.verb}:{found.text_key}" for found in findings.closures),
        *sorted(f"{split.target}/{split.into}" for split in findings.splits),
    )[:16]


def _near_misses(snapshot: Snapshot, changes: Sequence[Change], policy: Policy) -> tuple[NearMiss, ...]:
    """The streams that came closest to their next phase without reaching it, closest first."""
    streams = {stream.id: stream for stream in (*snapshot.watched, *snapshot.streams.values())}
    streams.update({change.after.id: change.after for change in changes if isinstance(change.after, Stream)})
    missed = (near_miss(stream, policy) for stream in streams.values() if stream.status is Status.ACTIVE)
    ranked = sorted((miss for miss in missed if miss is not None), key=lambda miss: (-miss.closeness, miss.stream))
    return tuple(ranked[: policy.near_miss_count])


def _counts(snapshot: Snapshot, changes: Sequence[Change]) -> Counts:
    gone = first_links(row for change in changes if isinstance(row := change.before, Link) and change.after is None)
    moved = {link.event for link in gone}
    links = first_links(row for change in changes if isinstance(row := change.after, Link) and change.before is None)
    links = [link for link in links if link.event not in moved]
    return Counts(
        examined=len(links),
        untargeted=sum(link.rule == "untargeted" for link in links),
        noise=sum(link.rule == "noise" for link in links),
        quarantined=sum(link.rule == QUARANTINED for link in links),
        waiting=snapshot.waiting,
        in_play=len(snapshot.streams),
    )
