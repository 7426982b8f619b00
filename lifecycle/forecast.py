"""When a stream could reach its next phase if its evidence went on as it does.

A thought experiment with plain rules: another active day every usual gap, each with what an active day of this stream
held so far. It promises nothing; it says whether a gate is a matter of days, of years, or of another kind of evidence.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from dreamd.lifecycle import measures
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.gates import VouchedMeasures, canonical_gates, emergent_gates
from dreamd.lifecycle.plan import Gate
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import fold
from dreamd.lifecycle.tally import Counted, Tally
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.words import Phase

HORIZON_DAYS = 730  # what is farther away is as good as never


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    every_days: float  # the usual gap that was assumed
    gates: dict[str, date | None]  # the first day each open gate could pass; None: not within the horizon
    phase_on: date | None  # the first day all pass together


@dataclass(frozen=True, slots=True, kw_only=True)
class _Imagined:
    """The measures that the gates look at, of a stream as it could be."""

    frequency: int
    lifetime_days: float
    coverage: float
    stability: float
    removal_cost: float
    is_doubtful: bool
    vouched: int


def forecast(
    stream: Stream,
    evidence: Sequence[Evidence],
    policy: Policy,
    *,
    is_question_open: bool,
    today: date | None = None,
) -> Forecast | None:
    """What could become of `stream` with this `evidence` (all of it); None if it has no next phase or no support.

    What is to come comes `today` at the earliest, if that is given.
    """
    standing = fold(evidence, policy, question_open_from=None, decisions=()).standing if evidence else None
    if stream.phase is Phase.CANONICAL or standing is None or not standing.counted.days:
        return None
    counted = standing.counted
    start = date.min if today is None else today
    gap = max(1.0, measures.usual_gap_days(counted.days, policy))
    waited: dict[str, date | None] = {}
    for gate in _gates(_imagined(counted, stream.is_doubtful, policy), stream, is_question_open, policy):
        if not gate.passed:
            waited[gate.gate] = None
    for step in range(1, int(HORIZON_DAYS / gap) + 1):
        ahead = _ahead(counted, step, gap, start)
        gates = _gates(_imagined(ahead, stream.is_doubtful, policy), stream, is_question_open, policy)
        day = date.fromordinal(ahead.days[-1])
        for gate in gates:
            if gate.passed and gate.gate in waited and waited[gate.gate] is None:
                waited[gate.gate] = day
        if all(gate.passed for gate in gates):
            return Forecast(every_days=gap, gates=waited, phase_on=day)
    return Forecast(every_days=gap, gates=waited, phase_on=None)


def _gates(measured: VouchedMeasures, stream: Stream, is_open: bool, policy: Policy) -> tuple[Gate, ...]:
    if stream.phase is Phase.PATTERN:
        return emergent_gates(measured, policy)
    return canonical_gates(measured, is_open, policy)


def _ahead(counted: Counted, steps: int, gap: float, start: date) -> Counted:
    """`counted` with `steps` more active days, each an average one, from `start` on."""
    active = len(counted.days)

    def grown(count: int) -> int:
        return count + int(count * steps / active)

    first = max(counted.days[-1] + round(gap), start.toordinal())
    days = tuple(first + round(gap * step) for step in range(steps))
    last = counted.last
    return replace(
        counted,
        frequency=grown(counted.frequency),
        vouched=grown(counted.vouched),
        days=(*counted.days, *days),
        last=None if last is None else last + timedelta(days=days[-1] - counted.days[-1]),
        open_errors=grown(counted.open_errors),
        fixed_errors=grown(counted.fixed_errors),
        commits=grown(counted.commits),
        sessions=grown(counted.sessions),
    )


def _imagined(counted: Counted, is_doubtful: bool, policy: Policy) -> _Imagined:
    tally = Tally.of(counted)
    return _Imagined(
        frequency=counted.frequency,
        lifetime_days=tally.lifetime_days(),
        coverage=tally.coverage(policy),
        stability=measures.stability(counted.days),
        removal_cost=tally.removal_cost(policy),
        is_doubtful=is_doubtful,
        vouched=counted.vouched,
    )
