"""What the lifecycle makes of a history: the row of each stream as it stood at chosen instants, and whether it faded.

Nothing is rebuilt here: evidence is folded and rows are aged by the functions that the dream uses, with the space's own
waking clock as it was known at the instant.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from bench.commit_histories import History
from dreamd.lifecycle.ageing import aged
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import Maturity, Signals, fold, fold_onto
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.waking import Interval, chains, waking_intervals
from dreamd.lifecycle.words import Birth, DecayClass, Phase, Status, Vitality


_OF_SIGNALS = tuple({field.name for field in fields(Signals)} & {field.name for field in fields(Stream)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """One stream of a history, as the lifecycle sees it."""

    instants: tuple[datetime, ...]  # of its evidence, ascending
    canonical_at: datetime | None
    kept: frozenset[datetime]  # the cuts at which it was CANONICAL and not faded
    came_back: bool  # it was CANONICAL and faded, and evidence came later
    faded_gaps: int  # silences in which it faded while CANONICAL, and that ended


def lives(history: History, cuts: Sequence[datetime], policy: Policy) -> dict[str, Life]:
    """The life of each target of `history`, looked at at each of `cuts` (ascending)."""
    clock = waking_intervals(chains(history.instants, policy.waking_window_days), policy.waking_window_days)
    return {
        target: _life(target, evidence, cuts, clock, policy) for target, evidence in sorted(history.evidence.items())
    }


def _life(
    target: str, evidence: Sequence[Evidence], cuts: Sequence[datetime], clock: Sequence[Interval], policy: Policy
) -> Life:
    instants = tuple(one.at for one in evidence)
    returns = _returns(instants, timedelta(days=policy.dormant_after_days))
    looks = sorted({*cuts, *returns})
    kept = set()
    faded_gaps = 0
    canonical_at = None
    for maturity, upto in _walk(evidence, looks, policy):
        canonical_at = maturity.canonical_at
        if upto is None or maturity.phase is not Phase.CANONICAL:
            continue
        looked = aged(_row(target, maturity), upto, clock, policy)
        if looked.status is Status.FADED:
            faded_gaps += upto in returns
        elif upto in cuts:
            kept.add(upto)
    return Life(
        instants=instants,
        canonical_at=canonical_at,
        kept=frozenset(kept),
        came_back=faded_gaps > 0,
        faded_gaps=faded_gaps,
    )


def _walk(
    evidence: Sequence[Evidence], looks: Sequence[datetime], policy: Policy
) -> Iterator[tuple[Maturity, datetime | None]]:
    """The maturity from the evidence before each of `looks`, where there is any; at last with all evidence (None)."""
    place = 0
    maturity = None
    sessions: set[str] = set()
    for look in [*looks, None]:
        fresh = []
        while place < len(evidence) and (look is None or evidence[place].at < look):
            fresh.append(evidence[place])
            place += 1
        if fresh:
            standing = None if maturity is None else maturity.standing
            if standing is None:
                maturity = fold(fresh, policy, question_open_from=None, decisions=())
            else:
                maturity = fold_onto(standing, fresh, policy, sessions)
            sessions.update(one.session for one in fresh if one.session is not None)
        if maturity is not None:
            yield maturity, look


def _returns(instants: Sequence[datetime], silence: timedelta) -> frozenset[datetime]:
    """The instants of evidence that ended a silence long enough to have faded in."""
    return frozenset(later for earlier, later in pairwise(instants) if later - earlier >= silence)


def _row(target: str, maturity: Maturity) -> Stream:
    return Stream(
        id=target,
        space="bench",
        target=target,
        title=target,
        headline=None,
        birth=Birth.REFLECTION,
        phase=maturity.phase,
        emergent_at=maturity.emergent_at,
        canonical_at=maturity.canonical_at,
        vitality=Vitality.ACTIVE,
        status=Status.ACTIVE,
        crossed_at=None,
        merged_into=None,
        decay_class=DecayClass.ACTIVE,
        is_protected=False,
        shelf="knowledge",
        evidence_digest="",
        **_measured(maturity.signals),
    )


def _measured(signals: Signals) -> dict[str, Any]:
    return {name: getattr(signals, name) for name in _OF_SIGNALS}
