"""Confidence: what the evidence gave, less what silence took since.

The base is as of the last evidence and is never written over; what is shown is a closed form of base, silence and decay
class, so that a run more or less changes nothing.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.waking import Interval, counted, waking_days
from dreamd.lifecycle.words import DecayClass


def base_confidence(*, utility: float, removal_cost: float, stability: float, floor: float, policy: Policy) -> float:
    """The confidence at the last evidence, at least `floor`: what a person or agent said outright is worth."""
    weighed = (
        policy.utility_weight * utility
        + policy.removal_cost_weight * removal_cost
        + policy.stability_weight * stability
    )
    return min(1.0, max(policy.min_base_confidence, floor, weighed))


def effective_silence_days(stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy) -> float:
    """Waking days since `stream` fell silent, in its own days. 0 for a date still to come."""
    return waking_days(counted(waking, policy), silent_since(stream, policy), now) / stream.stretch


def silent_since(stream: Stream, policy: Policy) -> datetime:
    """The last evidence of `stream`, or the end of a later day that it looks forward to."""
    if stream.awaits is None or stream.awaits <= stream.last_seen:
        return stream.last_seen
    return min(stream.awaits, stream.last_seen + timedelta(days=policy.await_max_days))


def confidence_at(stream: Stream, now: datetime, waking: Sequence[Interval], policy: Policy) -> float:
    """The confidence of `stream` at `now`, 0..1."""
    return confidence_after(stream, effective_silence_days(stream, now, waking, policy), policy)


def confidence_after(stream: Stream, silence_days: float, policy: Policy) -> float:
    """The confidence of `stream` after so many days of effective silence, 0..1."""
    return max(0.0, stream.base_confidence - fading(silence_days, stream.decay_class, policy))


def fading(silence_days: float, decay_class: DecayClass, policy: Policy) -> float:
    """How much confidence `silence_days` of effective silence take.

    Nothing until DECAYING, then slowly until DORMANT; that stays, and from there on it is quick.
    """
    early_days = max(0.0, min(silence_days, policy.dormant_after_days) - policy.decaying_after_days)
    late_days = max(0.0, silence_days - policy.dormant_after_days)
    plain = policy.early_fading_per_day * early_days + policy.late_fading_per_day * late_days
    return fading_share(decay_class, policy) * plain


def fading_share(decay_class: DecayClass, policy: Policy) -> float:
    """Which share of the plain fading a decay class takes."""
    if decay_class is DecayClass.PERMANENT:
        return 0.0
    return policy.stable_fading_share if decay_class is DecayClass.STABLE else 1.0
