"""Fuses: what evidence does not explain by itself may change only a little at a time.

They count the endings of claims that an earlier run had applied; all that one event ends of its stream is one change,
since the allowance is a share of streams. What is over it is held back as proposals that a person accepts or rejects;
everything else is applied (design, section 5).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import Ending, PersonsWord
from dreamd.lifecycle.findings import LATER_VALUE
from dreamd.lifecycle.growing import Case, Grown
from dreamd.lifecycle.members import grow_with_members
from dreamd.lifecycle.plan import Problem
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Claim, Proposal, Stream
from dreamd.lifecycle.words import Actor, ClaimStatus, Waiting


@dataclass(frozen=True, slots=True, kw_only=True)
class Grove:
    """All streams that were grown together, within the fuses."""

    grown: Mapping[str, Grown]  # by stream id
    pinned: frozenset[str]  # ids of the pinned streams among them
    proposals: tuple[Proposal, ...]  # newly opened
    fused: int  # changes that count against the fuse
    problems: tuple[Problem, ...]

    def rows(self, stream_id: str) -> tuple[Stream, list[Claim]]:
        grown = self.grown[stream_id]
        return grown.stream, list(grown.claims.values())


def grow_within_fuses(
    cases: Sequence[Case], snapshot: Snapshot, policy: Policy, *, by_person: bool, spent: int = 0
) -> Grove:
    """Grow all `cases`; where endings trip the fuse, those over it are held back as proposals.

    The earliest endings are applied first. `by_person`: what a person ordered is never held back. `spent`: what other
    changes of this run took of the allowance.
    """
    grown = {case.id: grow_with_members(case, policy) for case in cases}
    fused = _fused(grown.values(), snapshot)
    over = (
        []
        if by_person
        else [ending for change in fused[max(0, allowance(snapshot, policy) - spent) :] for ending in change]
    )
    if over:
        held_back = {(ending.verb, ending.claim) for ending in over}
        touched = {snapshot.claims[ending.claim].stream for ending in over}
        for case in cases:
            if case.id in touched:
                grown[case.id] = grow_with_members(replace(case, word=_also_refusing(case.word, held_back)), policy)
        fused = _fused(grown.values(), snapshot)
    proposals = [proposal for one in grown.values() for proposal in _proposals(one, snapshot)]
    return Grove(
        grown=grown,
        pinned=frozenset(case.id for case in cases if case.is_pinned),
        proposals=tuple(proposals),
        fused=0 if by_person else len(fused) + spent,
        problems=tuple(problem for one in grown.values() for problem in _problems(one, snapshot)),
    )


def allowance(snapshot: Snapshot, policy: Policy) -> int:
    """How many more changes without evidence of their own this run may make."""
    in_a_run = max(policy.fuse_min_changes, int(policy.fuse_run_share * snapshot.mature_count))
    in_a_week = max(policy.fuse_min_changes, int(policy.fuse_week_share * snapshot.mature_count))
    return max(0, min(in_a_run, in_a_week - snapshot.recent_fused))


def _fused(grown: Iterable[Grown], snapshot: Snapshot) -> list[list[Ending]]:
    """The endings of claims that were current before this run, by the event that ends them, the earliest first."""
    accepted = {row.subjects[0] for row in snapshot.proposals.values() if row.status is Waiting.ACCEPTED}
    changes: dict[str, list[Ending]] = defaultdict(list)
    for one in grown:
        for ending in one.told.endings:
            if (
                ending.claim in snapshot.claims
                and snapshot.claims[ending.claim].status is ClaimStatus.CURRENT
                and snapshot.events[ending.by].actor is not Actor.USER  # a person's word explains itself
                and ending.claim not in accepted
                and ending.rule != LATER_VALUE  # so does a later value of what was only observed
            ):
                changes[ending.by].append(ending)
    return sorted(
        changes.values(),
        key=lambda change: (snapshot.events[change[0].by].at, min(ending.claim for ending in change)),
    )


def _also_refusing(word: PersonsWord, held_back: set[tuple[str, str]]) -> PersonsWord:
    return replace(word, is_refused=lambda verb, claim: (verb, claim) in held_back or word.is_refused(verb, claim))


def _proposals(one: Grown, snapshot: Snapshot) -> Iterable[Proposal]:
    """A proposal for each ending that was refused, unless a pin refused it or one is there already."""
    pinned = {pin.subject for pin in snapshot.pins.values()}
    for ending in one.told.refused:
        if ending.claim in pinned or one.stream.id in pinned:
            continue
        subjects = (ending.claim, *(() if ending.successor is None else (ending.successor,)))
        proposal = ids.proposal_id(one.stream.space, ending.verb, *subjects)
        waits = any((row.kind, row.subjects[0]) == (ending.verb, ending.claim) for row in snapshot.proposals.values())
        if not waits and ending.claim in one.claims:
            old, new = one.claims[ending.claim].text, snapshot.events[ending.by].text
            yield Proposal(
                id=proposal,
                space=one.stream.space,
                kind=ending.verb,
                stream=one.stream.id,
                subjects=subjects,
                text=f'{ending.verb} "{old}" on "{new}" ({ending.rule})',
                status=Waiting.OPEN,
            )


def _problems(one: Grown, snapshot: Snapshot) -> Iterable[Problem]:
    pinned = {pin.subject for pin in snapshot.pins.values()}
    for ending in one.told.refused:
        if ending.claim in pinned or one.stream.id in pinned:
            text = one.claims[ending.claim].text if ending.claim in one.claims else ending.claim
            yield Problem(
                source=ending.claim,
                message=f'pinned, so it stays current although new evidence would {ending.verb} it: "{text}"',
            )
