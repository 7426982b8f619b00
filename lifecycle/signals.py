"""The evidence of one stream, folded into its signals and the phase that it reached.

The fold walks through the evidence in its own time, one instant after the other (equal instants are one), and looks at
the gates after each. So the phase is a function of the set of events, whatever runs lay between, and never falls
because time passes. What only mentions the stream is not evidence. Evidence that is later than all before is folded
onto where the fold stood (`Standing`), with the same result as folding everything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from dreamd.lifecycle import measures
from dreamd.lifecycle.confidence import base_confidence
from dreamd.lifecycle.doubts import DecisionSpan, Doubts, Weighed
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.tally import Counted, Tally
from dreamd.lifecycle.words import Bearing, Phase


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    frequency: int  # deliveries of evidence that support
    opposed: int  # deliveries of evidence that oppose
    active_days: int  # distinct UTC days with support
    first_seen: datetime  # first evidence of either bearing
    last_seen: datetime  # last evidence of either bearing
    lifetime_days: float  # last minus first support
    coverage: float  # 0..1
    stability: float  # 0..1
    reinforcement_density: float  # frequency per lifetime day; a life of less than a day counts as one
    removal_cost: float  # 0..1, floors included
    utility: float  # 0..1
    usual_gap_days: float
    stretch: float  # 1..stretch_max
    base_confidence: float  # 0..1, floors included
    scope: str | None  # the widest of the support
    vouched: int  # deliveries of support from above `external`
    is_doubtful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a fold stands after all evidence so far: later evidence is folded onto it."""

    counted: Counted
    emergent_at: datetime | None
    canonical_at: datetime | None
    first_seen: datetime
    last_seen: datetime
    weighed: tuple[Weighed, ...]  # the explicit decisions that are current


@dataclass(frozen=True, slots=True, kw_only=True)
class Maturity:
    phase: Phase
    emergent_at: datetime | None
    canonical_at: datetime | None
    signals: Signals
    standing: Standing | None  # None: what comes later cannot be folded onto this


def fold(
    evidence: Sequence[Evidence],
    policy: Policy,
    *,
    question_open_from: datetime | None,
    decisions: Sequence[DecisionSpan],
) -> Maturity:
    """The maturity that `evidence` (at least one, in any order) gives.

    CANONICAL is not reached from `question_open_from` on, nor while what opposes a current decision outweighs what
    supports it. Evidence that only mentions the stream tells when it was seen only where there is no other.
    """
    if not evidence:
        raise ValueError("a stream without evidence has no signals")
    ordered = sorted(evidence, key=lambda one: (one.at, one.event))
    bearing = [one for one in ordered if one.bearing is not Bearing.MENTIONS]
    seen = bearing or ordered
    walk = _Walk(Tally(), Doubts.of(bearing, decisions), policy, question_open_from)
    walk.over(bearing)
    last_seen = seen[-1].at
    is_settled = question_open_from is None and all(span.until is None or span.until <= last_seen for span in decisions)
    return walk.maturity(seen[0].at, last_seen, is_resumable=bool(bearing) and is_settled)


def fold_onto(
    standing: Standing, evidence: Sequence[Evidence], policy: Policy, known_sessions: Iterable[str]
) -> Maturity:
    """The maturity that `evidence` gives on top of `standing`; all of it is later, and none ends a decision.

    `known_sessions`: which of the sessions it names have support of the stream already.
    """
    bearing = sorted(
        (one for one in evidence if one.bearing is not Bearing.MENTIONS), key=lambda one: (one.at, one.event)
    )
    if any(one.at <= standing.last_seen for one in bearing):
        raise ValueError("evidence from before where the fold stands: fold everything")
    spans = [DecisionSpan(claim=one.claim, since=one.since, until=None) for one in standing.weighed]
    doubts = Doubts.of(bearing, spans, standing.weighed)
    walk = _Walk(Tally.of(standing.counted, known_sessions), doubts, policy, None)
    walk.emergent_at, walk.canonical_at = standing.emergent_at, standing.canonical_at
    walk.over(bearing)
    return walk.maturity(standing.first_seen, bearing[-1].at if bearing else standing.last_seen, is_resumable=True)


class _Walk:
    """From instant to instant, with a look at the gates after each."""

    def __init__(self, tally: Tally, doubts: Doubts, policy: Policy, question_open_from: datetime | None) -> None:
        self.tally = tally
        self.doubts = doubts
        self.policy = policy
        self.question_open_from = question_open_from
        self.emergent_at: datetime | None = None
        self.canonical_at: datetime | None = None

    def over(self, bearing: Sequence[Evidence]) -> None:
        for at, instant in groupby(bearing, key=attrgetter("at")):
            self.tally.take(list(instant))
            if self.canonical_at is None:
                self._look(at)

    def _look(self, at: datetime) -> None:
        if self.emergent_at is None and self.tally.reaches_emergent(self.policy):
            self.emergent_at = at
        is_open = self.question_open_from is not None and self.question_open_from <= at
        if self.emergent_at is None or is_open or not self.tally.reaches_canonical(self.policy):
            return
        if not self.doubts.at(at):
            self.canonical_at = at

    def maturity(self, first_seen: datetime, last_seen: datetime, *, is_resumable: bool) -> Maturity:
        standing = Standing(
            counted=self.tally.counted(),
            emergent_at=self.emergent_at,
            canonical_at=self.canonical_at,
            first_seen=first_seen,
            last_seen=last_seen,
            weighed=self.doubts.weighed(),
        )
        return Maturity(
            phase=_phase(self.emergent_at, self.canonical_at),
            emergent_at=self.emergent_at,
            canonical_at=self.canonical_at,
            signals=_signals(self.tally, first_seen, last_seen, self.doubts.at(last_seen), self.policy),
            standing=standing if is_resumable else None,
        )


def _phase(emergent_at: datetime | None, canonical_at: datetime | None) -> Phase:
    if canonical_at is not None:
        return Phase.CANONICAL
    return Phase.PATTERN if emergent_at is None else Phase.EMERGENT


def _signals(tally: Tally, first_seen: datetime, last_seen: datetime, is_doubtful: bool, policy: Policy) -> Signals:
    lifetime, stability = tally.lifetime_days(), measures.stability(tally.days)
    removal_cost = tally.removal_cost(policy)
    utility = measures.utility(
        successes=tally.successes, failures=tally.failures, active_days=len(tally.days), lifetime_days=lifetime
    )
    usual_gap = measures.usual_gap_days(tally.days, policy)
    return Signals(
        frequency=tally.frequency,
        opposed=tally.opposed,
        active_days=len(tally.days),
        first_seen=first_seen,
        last_seen=last_seen,
        lifetime_days=lifetime,
        coverage=tally.coverage(policy),
        stability=stability,
        reinforcement_density=tally.frequency / max(lifetime, 1.0),
        removal_cost=removal_cost,
        utility=utility,
        usual_gap_days=usual_gap,
        stretch=measures.stretch(usual_gap, lifetime, policy),
        base_confidence=base_confidence(
            utility=utility,
            removal_cost=removal_cost,
            stability=stability,
            floor=tally.confidence_floor(policy),
            policy=policy,
        ),
        scope=tally.widest_scope(),
        vouched=tally.vouched,
        is_doubtful=is_doubtful,
    )
