"""How a stream ages: its vitality and status at an instant, and when each crossing truly happened.

Nothing here depends on when somebody looked. Each crossing has a need in days of silence; the need is worked out in
closed form, made exact to the microsecond, and turned into an instant by the inverse of the waking clock.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from dreamd.lifecycle.confidence import confidence_after, effective_silence_days, fading, fading_share, silent_since
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim, Stream
from dreamd.lifecycle.waking import MICROSECONDS_PER_DAY, Interval, counted, instant_after, microseconds_of, waking_days
from dreamd.lifecycle.words import ClaimStatus, DecayClass, Status, Vitality

DECAYING = "vitality:decaying"
DORMANT = "vitality:dormant"
FADED = "status:faded"

FLOAT_NOISE = 1e-12  # of confidence: a bound that is met but for rounding is not yet crossed


@dataclass(frozen=True, slots=True, kw_only=True)
class Aged:
    vitality: Vitality
    status: Status
    crossed_at: datetime | None  # instant of the last crossing; None: none since the last evidence
    crossings: tuple[tuple[str, datetime], ...]  # kind of change and true instant, ascending


def vitality_at(stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy) -> Vitality:
    """How alive `stream` is at `now`.

    A bound belongs to the more silent side: silent for exactly `policy.decaying_after_days` is DECAYING.
    """
    silence_days = effective_silence_days(stream, now, waking, policy)
    if silence_days < policy.decaying_after_days:
        return Vitality.ACTIVE
    return Vitality.DECAYING if silence_days < policy.dormant_after_days else Vitality.DORMANT


def aged(stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy) -> Aged:
    """`stream` at `now`, with the crossings since its last evidence.

    What a person forgot and what was merged away stays as it is.
    """
    if stream.status in (Status.FORGOTTEN, Status.MERGED):
        return Aged(vitality=stream.vitality, status=stream.status, crossed_at=stream.crossed_at, crossings=())
    clock = counted(waking, policy)
    crossings = []
    for kind, days in _needs(stream, policy):
        instant = instant_after(clock, silent_since(stream, policy), days)
        if instant is not None and instant <= now:
            crossings.append((kind, instant))
    is_faded = any(kind == FADED for kind, _ in crossings)
    return Aged(
        vitality=vitality_at(stream, now, waking, policy),
        status=Status.FADED if is_faded else Status.ACTIVE,
        crossed_at=crossings[-1][1] if crossings else None,
        crossings=tuple(crossings),
    )


def due_at(
    stream: Stream, claims: Iterable[Claim], now: datetime, waking: Sequence[Interval], policy: Policy
) -> datetime | None:
    """A lower bound of the next instant after `now` at which `stream` or a claim of it changes without new evidence.

    Counts every day to come as waking. None: nothing changes any more.
    """
    if stream.status in (Status.FORGOTTEN, Status.MERGED):
        return None
    changes = [instant for _, instant in crossings_ahead(stream, now, waking, policy)]
    changes += [claim.valid_to for claim in claims if _runs_out(claim, now) and claim.valid_to is not None]
    return min(changes, default=None)


def crossings_ahead(
    stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy
) -> tuple[tuple[str, datetime], ...]:
    """When `stream` would cross what lies before it at `now`, if no evidence came and every day were waking."""
    since = silent_since(stream, policy)
    silent = waking_days(counted(waking, policy), since, now)
    begin = max(now, since)
    ahead = (
        (kind, instant_after(None, begin, _less(days, silent)))
        for kind, days in _needs(stream, policy)
        if days > silent
    )
    return tuple((kind, instant) for kind, instant in ahead if instant is not None)


def _runs_out(claim: Claim, now: datetime) -> bool:
    is_short = claim.decay in (DecayClass.SESSION, DecayClass.CHECKPOINT)
    is_current = claim.status is ClaimStatus.CURRENT
    return is_short and is_current and claim.valid_to is not None and claim.valid_to > now


def _less(days: float, silent_days: float) -> float:
    """What is left of `days`, exact to the microsecond."""
    return (microseconds_of(days) - microseconds_of(silent_days)) / MICROSECONDS_PER_DAY


def _needs(stream: Stream, policy: Policy) -> tuple[tuple[str, float], ...]:
    """The kinds of crossing that lie before `stream`, with the waking days that each needs, ascending."""
    decaying = _days_until(stream, policy.decaying_after_days, lambda silence: silence >= policy.decaying_after_days)
    dormant = _days_until(stream, policy.dormant_after_days, lambda silence: silence >= policy.dormant_after_days)
    needs: tuple[tuple[str, float], ...] = ((DECAYING, decaying), (DORMANT, dormant))
    bound = policy.faded_below_confidence - FLOAT_NOISE
    estimate = None if stream.is_protected else _faded_after_days(stream, bound, policy)
    if estimate is None:
        return needs
    faded = _days_until(
        stream,
        estimate,
        lambda silence: silence >= policy.dormant_after_days and confidence_after(stream, silence, policy) < bound,
    )
    return (*needs, (FADED, faded))


def _faded_after_days(stream: Stream, bound: float, policy: Policy) -> float | None:
    """The effective silence from which `stream` is below `bound` and may be DORMANT; None: it never is."""
    if confidence_after(stream, policy.dormant_after_days, policy) < bound:
        return policy.dormant_after_days
    late = policy.late_fading_per_day * fading_share(stream.decay_class, policy)
    if late <= 0 or bound < 0:
        return None
    early = fading(policy.dormant_after_days, stream.decay_class, policy)
    return policy.dormant_after_days + (stream.base_confidence - early - bound) / late


def _days_until(stream: Stream, estimate: float, holds: Callable[[float], bool]) -> float:
    """The fewest waking days, in whole microseconds, after which `holds` is true of the effective silence.

    `estimate` is the effective silence by the closed form; it is only off by what rounding does.
    """

    def holds_after(microseconds: int) -> bool:
        return holds(microseconds / MICROSECONDS_PER_DAY / stream.stretch)

    microseconds = ceil(estimate * stream.stretch * MICROSECONDS_PER_DAY)
    while not holds_after(microseconds):
        microseconds += 1
    while microseconds > 0 and holds_after(microseconds - 1):
        microseconds -= 1
    return microseconds / MICROSECONDS_PER_DAY
