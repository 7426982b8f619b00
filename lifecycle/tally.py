"""What was counted of the evidence of one stream up to an instant, and how a count is taken up again later.

A tally takes evidence in its own time, instant by instant. `Counted` is all it knows at the end, so that what comes
later is added to it instead of counting everything anew; only which sessions were seen is left to whoever keeps the
events, since a tally needs to know no more than those that the new evidence names.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from operator import attrgetter

from dreamd.lifecycle import measures
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.gates import MIN_VOUCHED, is_costly, is_covered, is_often_or_costly, is_stable, outlives_a_burst
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Bearing, EventKind, Scope, rank

DAY = timedelta(days=1)
_SCOPES = frozenset(Scope)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A tally at rest. Counts are of deliveries, unless they say otherwise."""

    frequency: int = 0
    opposed: int = 0
    vouched: int = 0
    days: tuple[int, ...] = ()  # distinct UTC day numbers with support, ascending
    first: datetime | None = None  # support
    last: datetime | None = None  # support
    open_errors: int = 0
    fixed_errors: int = 0
    commits: int = 0
    sessions: int = 0  # distinct
    day_session: int | None = None  # the last day that was taken for a session, since its support named none
    outright: int = 0  # explicit decisions and preferences, interventions
    has_explicit: bool = False
    has_intervention: bool = False
    scope: Scope | None = None
    other_scope: str | None = None
    successes: float = 0.0
    failures: float = 0.0


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was counted up to an instant."""

    frequency: int = 0
    opposed: int = 0
    vouched: int = 0
    days: list[int] = field(default_factory=list)
    first: datetime | None = None
    last: datetime | None = None
    open_errors: int = 0
    fixed_errors: int = 0
    commits: int = 0
    sessions: int = 0
    day_session: int | None = None
    outright: int = 0
    has_explicit: bool = False
    has_intervention: bool = False
    scope: Scope | None = None
    other_scope: str | None = None
    successes: float = 0.0
    failures: float = 0.0
    named: set[str] = field(default_factory=set)  # sessions that are counted already, as far as they can come again

    @classmethod
    def of(cls, counted: Counted, known_sessions: Iterable[str] = ()) -> "Tally":
        """Goes on from `counted`; `known_sessions` are those of the evidence to come that have support already."""
        values = {name: getattr(counted, name) for name in Counted.__slots__}
        return cls(**{**values, "days": list(counted.days)}, named=set(known_sessions))

    def counted(self) -> Counted:
        return Counted(**{**{name: getattr(self, name) for name in Counted.__slots__}, "days": tuple(self.days)})

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
            sessions=self.sessions,
            decisions=self.outright,
            scope=self.scope,
        )
        floor = policy.explicit_min_removal_cost if self.has_explicit else 0.0
        return max(cost, floor, policy.intervention_min_removal_cost if self.has_intervention else 0.0)

    def confidence_floor(self, policy: Policy) -> float:
        floor = policy.explicit_min_confidence if self.has_explicit else 0.0
        return max(floor, policy.intervention_min_confidence if self.has_intervention else 0.0)

    def widest_scope(self) -> str | None:
        return self.other_scope if self.scope is None else self.scope

    def _support(self, one: Evidence) -> None:
        self.frequency += one.count
        self.vouched += one.count if one.is_vouched else 0
        self.first = self.first or one.at
        self.last = one.at
        day = one.at.toordinal()
        if not self.days or self.days[-1] != day:
            self.days.append(day)
        self._in_session(one.session, day)
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
        elif one.is_fix:
            self.successes += one.count * measures.FIX_SUCCESS_SHARE

    def _in_session(self, session: str | None, day: int) -> None:
        """Without a session, the work of a day is taken for one. Days ascend, so only the last can come again."""
        if session is None:
            self.sessions += self.day_session != day
            self.day_session = day
        elif session not in self.named:
            self.named.add(session)
            self.sessions += 1

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
