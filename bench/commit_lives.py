"""What becomes of the streams of a history under dreamd's own lifecycle, and under a rule of two numbers.

Nothing of the lifecycle is rebuilt here: evidence is folded and rows are aged by the functions that the dream uses,
under the space's own waking clock. The rule of two numbers is the honest opponent: k distinct days, silent at most x.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from bench.commit_histories import History
from dreamd.lifecycle.ageing import aged
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.life import rows_of
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import fold
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.waking import Interval, chains, waking_intervals
from dreamd.lifecycle.words import Birth, DecayClass, Phase, Status, Vitality

SPACE = "bench"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    """One stream of a history."""

    instants: tuple[datetime, ...]  # of its evidence, ascending
    canonical_at: datetime | None
    kept: frozenset[datetime]  # the cuts at which it was CANONICAL and not faded
    came_back: bool  # it faded while CANONICAL, and evidence came later


def lived_by_lifecycle(history: History, cuts: Sequence[datetime], policy: Policy) -> dict[str, Lived]:
    """Each target of `history` as dreamd has it. Evidence at the very instant of a cut comes after it."""
    window = policy.waking_window_days
    # An instant is waking by what came before it, so the clock of the whole history is also that of any cut.
    clock = waking_intervals(chains(history.instants, window), window)
    return {target: _lived(evidence, cuts, clock, policy) for target, evidence in sorted(history.evidence.items())}


def lived_by_days(history: History, cuts: Sequence[datetime], days: int, silent_days: int | None) -> dict[str, Lived]:
    """The same by a rule of two numbers: CANONICAL from `days` distinct days on, faded while silent for longer."""
    return {
        target: _lived_by_days(tuple(one.at for one in evidence), cuts, days, silent_days)
        for target, evidence in sorted(history.evidence.items())
    }


def _lived(evidence: Sequence[Evidence], cuts: Sequence[datetime], clock: Sequence[Interval], policy: Policy) -> Lived:
    instants = tuple(one.at for one in evidence)
    canonical_at = fold(evidence, policy, question_open_from=None, decisions=()).canonical_at
    if canonical_at is None:
        return Lived(instants=instants, canonical_at=None, kept=frozenset(), came_back=False)
    kept = set()
    came_back = False
    rows = list(rows_of(_row(evidence[0]), evidence, policy))
    for row, following in zip(rows, [*(row.last_seen for row in rows[1:]), None], strict=True):
        if row.last_seen < canonical_at:
            continue
        within = [cut for cut in cuts if row.last_seen < cut and (following is None or cut <= following)]
        kept |= {cut for cut in within if aged(row, cut, clock, policy).status is Status.ACTIVE}
        came_back |= following is not None and aged(row, following, clock, policy).status is Status.FADED
    return Lived(instants=instants, canonical_at=canonical_at, kept=frozenset(kept), came_back=came_back)


def _lived_by_days(
    instants: tuple[datetime, ...], cuts: Sequence[datetime], days: int, silent_days: int | None
) -> Lived:
    firsts = {at.date(): at for at in reversed(instants)}  # the first instant of each day
    distinct = sorted(firsts.values())
    if len(distinct) < days:
        return Lived(instants=instants, canonical_at=None, kept=frozenset(), came_back=False)
    since = distinct[days - 1]
    longest = timedelta.max if silent_days is None else timedelta(days=silent_days)
    kept = set()
    for cut in cuts:
        last = max((at for at in instants if at < cut), default=None)
        if since < cut and last is not None and cut - last <= longest:
            kept.add(cut)
    came_back = any(earlier >= since and later - earlier > longest for earlier, later in pairwise(instants))
    return Lived(instants=instants, canonical_at=since, kept=frozenset(kept), came_back=came_back)


def _row(first: Evidence) -> Stream:
    """A stream before it is measured; commits have no say in what else a row holds."""
    return Stream(
        id=first.event,
        space=SPACE,
        target=first.event,
        title=first.event,
        headline=None,
        birth=Birth.REFLECTION,
        phase=Phase.PATTERN,
        emergent_at=None,
        canonical_at=None,
        vitality=Vitality.ACTIVE,
        status=Status.ACTIVE,
        crossed_at=None,
        merged_into=None,
        base_confidence=0.0,
        decay_class=DecayClass.ACTIVE,
        is_protected=False,
        is_doubtful=False,
        first_seen=first.at,
        last_seen=first.at,
        frequency=0,
        opposed=0,
        active_days=0,
        lifetime_days=0.0,
        coverage=0.0,
        stability=0.0,
        reinforcement_density=0.0,
        removal_cost=0.0,
        utility=0.0,
        stretch=1.0,
        scope=None,
        shelf="knowledge",
        evidence_digest="",
    )
