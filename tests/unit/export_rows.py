"""Rows for the tests of the exported files."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from dreamd.lifecycle.ids import claim_id, stream_id
from dreamd.lifecycle.plan import PLAN_SCHEMA, Change, Counts, Plan
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import (
    Actor,
    Birth,
    ClaimKind,
    ClaimStatus,
    DecayClass,
    EventKind,
    Phase,
    Status,
    Trigger,
    Vitality,
)

SPACE = "ops"


def at(month: int, day: int, hour: int = 9) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


def a_stream(target: str = "redis_caching", **changed: Any) -> Stream:
    stream = Stream(
        id=stream_id(SPACE, target),
        space=SPACE,
        target=target,
        title=target.replace("_", " ").capitalize(),
        headline="Cache sessions in Redis",
        birth=Birth.REFLECTION,
        phase=Phase.EMERGENT,
        emergent_at=at(1, 3),
        canonical_at=None,
        vitality=Vitality.ACTIVE,
        status=Status.ACTIVE,
        crossed_at=None,
        merged_into=None,
        base_confidence=0.5,
        decay_class=DecayClass.ACTIVE,
        is_protected=False,
        is_doubtful=False,
        first_seen=at(1, 1),
        last_seen=at(1, 17),
        frequency=5,
        opposed=0,
        active_days=4,
        lifetime_days=16.0,
        coverage=0.53,
        stability=0.5,
        reinforcement_density=0.3,
        removal_cost=0.45,
        utility=0.5,
        stretch=1.0,
        scope="system",
        shelf="knowledge",
        evidence_digest="0" * 64,
    )
    return replace(stream, **changed)


def a_claim(text: str = "Cache sessions in Redis", stream: Stream | None = None, **changed: Any) -> Claim:
    home = stream or a_stream()
    claim = Claim(
        id=claim_id(home.id, text, 0),
        space=SPACE,
        stream=home.id,
        text=text,
        kind=ClaimKind.FACT,
        origin=EventKind.OBSERVATION,
        status=ClaimStatus.CURRENT,
        group=f"gr_{text}",
        stated_in=f"ev_{len(text):016x}",
        slot=None,
        value=None,
        decay=DecayClass.ACTIVE,
        valid_from=at(1, 1),
        valid_to=None,
        recorded_at=at(1, 1),
        retracted_at=None,
        last_at=at(1, 17),
        support=1,
        days=1,
        trust=Actor.AGENT,
        supersedes=None,
        closed_by=None,
    )
    return replace(claim, **changed)


def an_event(number: int, text: str, **changed: Any) -> Event:
    event = Event(
        id=f"ev_{number:016x}",
        space=SPACE,
        at=at(1, 1),
        recorded_at=at(1, 1),
        kind=EventKind.OBSERVATION,
        text=text,
        actor=Actor.AGENT,
        source="session:s01",
        digest="0" * 64,
    )
    return replace(event, **changed)


def a_plan(*changes: Change, **changed: Any) -> Plan:
    plan = Plan(
        schema=PLAN_SCHEMA,
        run="run_0123456789abcdef",
        number=7,
        space=SPACE,
        base="run_fedcba9876543210",
        now=at(1, 20, 3),
        trigger=Trigger.DREAM,
        reverts=None,
        policy_digest="p" * 16,
        findings_digest="f" * 64,
        changes=tuple(sorted(changes, key=lambda change: change.subject)),
        fused=0,
        proposals=(),
        near_misses=(),
        problems=(),
        counts=Counts(examined=5, untargeted=1, noise=0, waiting=0, in_play=2),
    )
    return replace(plan, **changed)
