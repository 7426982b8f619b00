"""Which statement of a stream comes first: on its page, as its headline, in lists.

What was said outright comes first, then what the more trusted said. Among those it is a matter of how central a
statement is (on how many days it was said, how often, in how many wordings) and how recent: each doubling of the
evidence is worth as much as being `FRESHER_DAYS` newer. That order needs no "now", so a quiet night moves nothing; and
it is a function of a statement's own rows, so more evidence for one statement never reorders the others.
"""

from collections.abc import Sequence
from datetime import datetime
from math import log2
from typing import Protocol

from dreamd.lifecycle.words import Actor, EventKind, rank

RANKING = "2"  # to be raised when the order changes: what was kept of the strongest does not serve then
FRESHER_DAYS = 90
# A repetition on the same day counts for this share of a day, and all of them for no more than the days themselves.
REPEATED_SHARE = 0.125
DAY_SECONDS = 86_400
DECIMALS = 6  # of the order's number, eight seconds: further ones would depend on the machine's logarithm

EXPLICIT_ORIGINS = (EventKind.INTERVENTION, EventKind.CORRECTION, EventKind.PREFERENCE, EventKind.DECISION)
_RULES = (EventKind.INTERVENTION, EventKind.PREFERENCE)

Strength = tuple[int, int, int, float, str]  # sorts from the strongest; the last part is the id of a claim


class Ranked(Protocol):
    """As much of a claim as says how strong it is."""

    @property
    def id(self) -> str: ...
    @property
    def origin(self) -> EventKind: ...
    @property
    def trust(self) -> Actor: ...
    @property
    def support(self) -> int: ...
    @property
    def days(self) -> int: ...
    @property
    def last_at(self) -> datetime: ...


def strength(claim: Ranked) -> Strength:
    """Sort key of one statement, strongest first; the id settles the rest."""
    return _strength(claim, _weight(claim), claim.last_at)


def group_strength(members: Sequence[Ranked]) -> Strength:
    """The same for statements that say the same: as strong as the first of them, with the evidence of all."""
    if len(members) == 1:
        return strength(members[0])
    first = min(members, key=_said)
    return _strength(first, sum(map(_weight, members)), max(member.last_at for member in members))


def _strength(first: Ranked, weight: float, newest: datetime) -> Strength:
    explicit, trust, rule, id_ = _said(first)
    place = newest.timestamp() / (DAY_SECONDS * FRESHER_DAYS) + log2(weight)
    return (explicit, trust, rule, round(-place, DECIMALS), id_)


def _said(claim: Ranked) -> tuple[int, int, int, str]:
    """How it was said: outright, by whom, as a rule; then its id."""
    return (
        0 if claim.origin in EXPLICIT_ORIGINS else 1,
        rank(claim.trust),
        0 if claim.origin in _RULES else 1,
        claim.id,
    )


def _weight(claim: Ranked) -> float:
    """How much evidence there is for it, in days."""
    return claim.days + min(REPEATED_SHARE * (claim.support - claim.days), claim.days)
