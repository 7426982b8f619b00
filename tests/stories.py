"""Builders and a small runner for stories that only need pure functions: evidence in, a stream as of an instant out."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from dreamd.lifecycle.ageing import aged
from dreamd.lifecycle.confidence import confidence_at
from dreamd.lifecycle.doubts import DecisionSpan
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import Maturity, fold
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.waking import chains, waking_intervals
from dreamd.lifecycle.words import Actor, Bearing, Birth, DecayClass, EventKind, Phase, Status, Vitality

DAY_ONE = datetime(2026, 1, 1, tzinfo=UTC)


def on_day(number: float, hour: float = 0.0) -> datetime:
    """Day 1 is 2026-01-01."""
    return DAY_ONE + timedelta(days=number - 1, hours=hour)


def a_piece(at: datetime, kind: str = "observation", **fields: Any) -> Evidence:
    """One piece of evidence; its id follows from what it says, unless given."""
    session = fields.get("session", f"s{at:%Y%m%d}")
    known: dict[str, Any] = {
        "event": f"{at.isoformat()} {kind} {session}",
        "at": at,
        "kind": EventKind(kind),
        "bearing": Bearing.SUPPORTS,
        "outcome": {"error": 0.0, "result": 1.0}.get(kind),
        "actor": Actor.AGENT,
        "session": session,
        "scope": None,
        "is_fix": False,
        "is_explicit": kind in ("decision", "preference"),
        "is_intervention": kind == "intervention",
    }
    return Evidence(**{**known, **fields})


def folded(
    evidence: Sequence[Evidence],
    policy: Policy | None = None,
    *,
    question_open_from: datetime | None = None,
    decisions: Sequence[DecisionSpan] = (),
) -> Maturity:
    return fold(evidence, policy or Policy(), question_open_from=question_open_from, decisions=decisions)


def a_stream(maturity: Maturity | None = None, **fields: Any) -> Stream:
    """The row that `maturity` gives, or a mature one; not aged."""
    signals = (maturity or folded([a_piece(on_day(number, 12)) for number in range(1, 18)])).signals
    known: dict[str, Any] = {
        "id": "st_1",
        "space": "default",
        "target": "redis_caching",
        "title": "redis_caching",
        "headline": None,
        "birth": Birth.REFLECTION,
        "phase": Phase.PATTERN if maturity is None else maturity.phase,
        "emergent_at": None if maturity is None else maturity.emergent_at,
        "canonical_at": None if maturity is None else maturity.canonical_at,
        "vitality": Vitality.ACTIVE,
        "status": Status.ACTIVE,
        "crossed_at": None,
        "merged_into": None,
        "decay_class": DecayClass.ACTIVE,
        "is_protected": False,
        "shelf": "knowledge",
        "evidence_digest": "",
    }
    left_out = ("usual_gap_days", "vouched")
    known |= {name: getattr(signals, name) for name in signals.__slots__ if name not in left_out}
    return Stream(**{**known, **fields})


def waking(*events: datetime) -> tuple[tuple[datetime, datetime], ...]:
    """When a space with those events was awake, under the plain policy."""
    window = Policy().waking_window_days
    return waking_intervals(chains(events, window), window)


def told(evidence: Sequence[Evidence], beside: Sequence[datetime], now: datetime) -> tuple[Stream, float]:
    """The stream as it is at `now`, and its confidence, in a space where other work went on at `beside`."""
    policy = Policy()
    known = [one for one in evidence if one.at <= now]
    clock = waking(*(one.at for one in known), *(at for at in beside if at <= now))
    stream = a_stream(folded(known, policy))
    looked = aged(stream, now, clock, policy)
    row = replace(stream, vitality=looked.vitality, status=looked.status, crossed_at=looked.crossed_at)
    return row, confidence_at(stream, now, clock, policy)
