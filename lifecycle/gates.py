"""The gates between the phases, each with its value, its threshold and whether it is passed.

The fold asks the predicates; people are shown the same comparisons as `Gate` values. The two
ways into EMERGENT, often or costly, are both shown and pass together, since either is enough.
"""

from collections.abc import Sequence
from typing import Protocol

from dreamd.lifecycle.plan import Gate, NearMiss
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.words import Phase, Status


class Measures(Protocol):
    """What the gates look at; a stream's row and the signals of a fold both have it."""

    @property
    def frequency(self) -> int: ...
    @property
    def lifetime_days(self) -> float: ...
    @property
    def coverage(self) -> float: ...
    @property
    def stability(self) -> float: ...
    @property
    def removal_cost(self) -> float: ...
    @property
    def is_doubtful(self) -> bool: ...


class VouchedMeasures(Measures, Protocol):
    @property
    def vouched(self) -> int: ...


MIN_VOUCHED = 1  # support from `external` alone never promotes


def is_often_or_costly(frequency: int, removal_cost: float, policy: Policy) -> bool:
    return frequency >= policy.emergent_min_frequency or removal_cost >= policy.emergent_min_removal_cost


def outlives_a_burst(lifetime_days: float, policy: Policy) -> bool:
    return lifetime_days > policy.emergent_min_lifetime_days


def is_covered(coverage: float, policy: Policy) -> bool:
    return coverage > policy.canonical_min_coverage


def is_stable(stability: float, policy: Policy) -> bool:
    return stability > policy.canonical_min_stability


def is_costly(removal_cost: float, policy: Policy) -> bool:
    return removal_cost > policy.canonical_min_removal_cost


def emergent_gates(signals: VouchedMeasures, policy: Policy) -> tuple[Gate, ...]:
    """The gates from PATTERN to EMERGENT, for what was not said outright."""
    return _emergent(signals, signals.vouched, policy)


def canonical_gates(signals: VouchedMeasures, is_question_open: bool, policy: Policy) -> tuple[Gate, ...]:
    """The gates from EMERGENT to CANONICAL. A doubtful decision is an open question too."""
    return _canonical(signals, signals.vouched, is_question_open, policy)


def next_gates(
    stream: Stream, policy: Policy, *, is_question_open: bool = False, vouched: int | None = None
) -> tuple[Gate, ...]:
    """The gates of the next phase of `stream`; none if it is CANONICAL.

    A row does not say how much of its support is `vouched` for. Left out, it is inferred where it decides: a PATTERN
    that passes every other gate has no support but from `external`.
    """
    if stream.phase is Phase.CANONICAL:
        return ()
    if stream.phase is Phase.EMERGENT:
        return _canonical(stream, vouched, is_question_open, policy)
    if vouched is None and all(gate.passed for gate in _emergent(stream, None, policy)):
        vouched = 0
    return _emergent(stream, vouched, policy)


def closeness(gates: Sequence[Gate]) -> float:
    """How much of the thresholds is reached, 0..1, as the mean over `gates` (at least one)."""
    return sum(_reached(gate) for gate in gates) / len(gates)


def near_miss(
    stream: Stream, policy: Policy, *, is_question_open: bool = False, vouched: int | None = None
) -> NearMiss | None:
    """`stream` with the gates it has yet to pass; None if there is no next phase for it."""
    if stream.phase is Phase.CANONICAL or stream.status is not Status.ACTIVE:
        return None
    gates = next_gates(stream, policy, is_question_open=is_question_open, vouched=vouched)
    return NearMiss(
        stream=stream.id,
        target=stream.target,
        next_phase=Phase.EMERGENT if stream.phase is Phase.PATTERN else Phase.CANONICAL,
        gates=gates,
        closeness=closeness(gates),
    )


def _emergent(measures: Measures, vouched: int | None, policy: Policy) -> tuple[Gate, ...]:
    either = is_often_or_costly(measures.frequency, measures.removal_cost, policy)
    return (
        Gate(
            gate="frequency",
            value=float(measures.frequency),
            threshold=float(policy.emergent_min_frequency),
            passed=either,
        ),
        Gate(
            gate="removal_cost",
            value=measures.removal_cost,
            threshold=policy.emergent_min_removal_cost,
            passed=either,
        ),
        Gate(
            gate="lifetime_days",
            value=measures.lifetime_days,
            threshold=policy.emergent_min_lifetime_days,
            passed=outlives_a_burst(measures.lifetime_days, policy),
        ),
        *_vouched(vouched),
    )


def _canonical(measures: Measures, vouched: int | None, is_question_open: bool, policy: Policy) -> tuple[Gate, ...]:
    is_open = is_question_open or measures.is_doubtful
    return (
        Gate(
            gate="coverage",
            value=measures.coverage,
            threshold=policy.canonical_min_coverage,
            passed=is_covered(measures.coverage, policy),
        ),
        Gate(
            gate="stability",
            value=measures.stability,
            threshold=policy.canonical_min_stability,
            passed=is_stable(measures.stability, policy),
        ),
        Gate(
            gate="removal_cost",
            value=measures.removal_cost,
            threshold=policy.canonical_min_removal_cost,
            passed=is_costly(measures.removal_cost, policy),
        ),
        Gate(gate="open_question", value=float(is_open), threshold=0.0, passed=not is_open),
        *_vouched(vouched),
    )


def _vouched(vouched: int | None) -> tuple[Gate, ...]:
    if vouched is None:
        return ()
    passed = vouched >= MIN_VOUCHED
    return (Gate(gate="vouched", value=float(vouched), threshold=float(MIN_VOUCHED), passed=passed),)


def _reached(gate: Gate) -> float:
    if gate.passed:
        return 1.0
    return min(1.0, max(0.0, gate.value / gate.threshold)) if gate.threshold > 0 else 0.0
