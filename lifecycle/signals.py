"""The evidence of one stream, folded into its signals and the phase that it reached.

The fold walks through the evidence in its own time, one instant after the other (equal instants are one), and looks at
the gates after each. So the phase is a function of the set of events, whatever runs lay between, and never falls
because time passes. What only mentions the stream is not evidence.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import accumulate, groupby
from operator import attrgetter

from dreamd.lifecycle import measures
from dreamd.lifecycle.confidence import base_confidence
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.gates import MIN_VOUCHED, is_costly, is_covered, is_often_or_costly, is_stable, outlives_a_burst
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Bearing, EventKind, Phase, Scope, rank

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionSpan:
    """When one explicit decision of the stream was current: from `since` until just before `until`."""

    claim: str
    since: datetime
    until: datetime | None  # None: still current


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
class Maturity:
    phase: Phase
    emergent_at: datetime | None
    canonical_at: datetime | None
    signals: Signals


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
    tally = _Tally()
    doubts = _Doubts.of(bearing, decisions)
    emergent_at: datetime | None = None
    canonical_at: datetime | None = None
    for at, instant in groupby(bearing, key=attrgetter("at")):
        tally.take(list(instant))
        if canonical_at is not None:
            continue
        if emergent_at is None and tally.reaches_emergent(policy):
            emergent_at = at
        is_open = question_open_from is not None and question_open_from <= at
        if emergent_at is not None and not is_open and tally.reaches_canonical(policy) and not doubts.at(at):
            canonical_at = at
    seen = bearing or ordered
    first_seen, last_seen = seen[0].at, seen[-1].at
    return Maturity(
        phase=_phase(emergent_at, canonical_at),
        emergent_at=emergent_at,
        canonical_at=canonical_at,
        signals=tally.signals(first_seen, last_seen, doubts.at(last_seen), policy),
    )


def _phase(emergent_at: datetime | None, canonical_at: datetime | None) -> Phase:
    if canonical_at is not None:
        return Phase.CANONICAL
    return Phase.PATTERN if emergent_at is None else Phase.EMERGENT


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What was counted up to an instant."""

    frequency: int = 0
    opposed: int = 0
    vouched: int = 0
    days: list[int] = field(default_factory=list)  # distinct UTC day numbers with support, ascending
    first: datetime | None = None  # support
    last: datetime | None = None  # support
    open_errors: int = 0
    fixed_errors: int = 0
    commits: int = 0
    sessions: set[str] = field(default_factory=set)
    outright: int = 0  # explicit decisions and preferences, interventions
    has_explicit: bool = False
    has_intervention: bool = False
    scope: Scope | None = None
    other_scope: str | None = None
    successes: float = 0.0
    failures: float = 0.0

    def take(self, instant: Sequence[Evidence]) -> None:
        """Take in all evidence of one instant, errors before what fixes them."""
        for one in sorted(instant, key=attrgetter("is_success")):
            if one.bearing is Bearing.SUPPORTS:
                self._support(one)
            else:
                self.opposed += one.count
                self.failures += one.count * (1.0 if one.outcome is None else 1.0 - one.outcome)

    def reaches_emergent(self, policy: Policy) -> bool:
        if self.has_explicit or self.has_intervention:
            return True
        return (
            self.vouched >= MIN_VOUCHED
            and outlives_a_burst(self.lifetime_days(), policy)
            and is_often_or_costly(self.frequency, self.removal_cost(policy), policy)
        )

    def reaches_canonical(self, policy: Policy) -> bool:
        """Whether the gates of CANONICAL are passed, the cheap ones first."""
        return (
            self.vouched >= MIN_VOUCHED
            and is_covered(self.coverage(policy), policy)
            and is_stable(measures.stability(self.days), policy)
            and is_costly(self.removal_cost(policy), policy)
        )

    def lifetime_days(self) -> float:
        return 0.0 if self.first is None or self.last is None else (self.last - self.first) / DAY

    def coverage(self, policy: Policy) -> float:
        return min(1.0, self.lifetime_days() / policy.observation_window_days)

    def removal_cost(self, policy: Policy) -> float:
        cost = measures.removal_cost(
            fixed_errors=self.fixed_errors,
            open_errors=self.open_errors,
            commits=self.commits,
            sessions=len(self.sessions),
            decisions=self.outright,
            scope=self.scope,
        )
        floor = policy.explicit_min_removal_cost if self.has_explicit else 0.0
        return max(cost, floor, policy.intervention_min_removal_cost if self.has_intervention else 0.0)

    def signals(self, first_seen: datetime, last_seen: datetime, is_doubtful: bool, policy: Policy) -> Signals:
        lifetime, stability, removal_cost = (
            self.lifetime_days(),
            measures.stability(self.days),
            self.removal_cost(policy),
        )
        utility = measures.utility(
            successes=self.successes, failures=self.failures, active_days=len(self.days), lifetime_days=lifetime
        )
        floor = policy.explicit_min_confidence if self.has_explicit else 0.0
        floor = max(floor, policy.intervention_min_confidence if self.has_intervention else 0.0)
        usual_gap = measures.usual_gap_days(self.days, policy)
        return Signals(
            frequency=self.frequency,
            opposed=self.opposed,
            active_days=len(self.days),
            first_seen=first_seen,
            last_seen=last_seen,
            lifetime_days=lifetime,
            coverage=self.coverage(policy),
            stability=stability,
            reinforcement_density=self.frequency / max(lifetime, 1.0),
            removal_cost=removal_cost,
            utility=utility,
            usual_gap_days=usual_gap,
            stretch=measures.stretch(usual_gap, lifetime, policy),
            base_confidence=base_confidence(
                utility=utility, removal_cost=removal_cost, stability=stability, floor=floor, policy=policy
            ),
            scope=self.other_scope if self.scope is None else self.scope,
            vouched=self.vouched,
            is_doubtful=is_doubtful,
        )

    def _support(self, one: Evidence) -> None:
        self.frequency += one.count
        self.vouched += one.count if one.is_vouched else 0
        self.first = self.first or one.at
        self.last = one.at
        day = one.at.toordinal()
        if not self.days or self.days[-1] != day:
            self.days.append(day)
        # Without a session, the work of a day is taken for one.
        self.sessions.add(f"day {day}" if one.session is None else f"session {one.session}")
        self.outright += one.count if one.is_explicit or one.is_intervention else 0
        self.has_explicit = self.has_explicit or one.is_explicit
        self.has_intervention = self.has_intervention or one.is_intervention
        self._widen(one.scope)
        self._met(one)
        if one.outcome is not None:
            self.successes += one.count * one.outcome
            self.failures += one.count * (1.0 - one.outcome)
        elif one.kind is EventKind.ERROR:
            self.failures += one.count

    def _met(self, one: Evidence) -> None:
        """Errors and commits. A commit that fixes is an error met and fixed, even if nobody told of the error."""
        if one.is_error:
            self.open_errors += one.count
        if one.is_success:
            self.fixed_errors += self.open_errors + (one.count if one.is_fix else 0)
            self.open_errors = 0
        if one.kind is EventKind.COMMIT:
            self.commits += one.count

    def _widen(self, scope: str | None) -> None:
        if scope is None:
            return
        if scope in _SCOPES:
            known = Scope(scope)
            if self.scope is None or rank(known) > rank(self.scope):
                self.scope = known
        else:
            self.other_scope = scope if self.other_scope is None else min(self.other_scope, scope)


_SCOPES = frozenset(Scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Doubts:
    """Running counts, to weigh in logarithmic time what bears on a decision while it was current."""

    instants: Sequence[datetime]
    supports: Sequence[int]  # deliveries before each place
    opposes: Sequence[int]
    spans: Sequence[tuple[DecisionSpan, int]]  # with the place at which each begins

    @classmethod
    def of(cls, ordered: Sequence[Evidence], decisions: Sequence[DecisionSpan]) -> "_Doubts":
        instants = [one.at for one in ordered]
        return cls(
            instants=instants,
            supports=_running(ordered, Bearing.SUPPORTS),
            opposes=_running(ordered, Bearing.OPPOSES),
            spans=[(span, bisect_left(instants, span.since)) for span in decisions],
        )

    def at(self, instant: datetime) -> bool:
        """Whether more opposes than supports some decision that is current at `instant`."""
        end = bisect_right(self.instants, instant)
        return any(
            self.opposes[end] - self.opposes[start] > self.supports[end] - self.supports[start]
            for span, start in self.spans
            if span.since <= instant and (span.until is None or instant < span.until)
        )


def _running(ordered: Sequence[Evidence], bearing: Bearing) -> list[int]:
    return list(accumulate((one.count if one.bearing is bearing else 0 for one in ordered), initial=0))
