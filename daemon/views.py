"""Streams, claims and events as answers show them, as of the instant that was asked for.

Phase and signals are what the last run wrote; vitality, confidence and status are closed forms of them at `now`, with
the holds that a revert left (design, section 5).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from dreamd.daemon.keeping import read_kept
from dreamd.daemon.storage.reading import LinkedEvent
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339, rfc3339_or_none
from dreamd.lifecycle.claims import expired
from dreamd.lifecycle.codec import gate_to_json
from dreamd.lifecycle.confidence import confidence_at
from dreamd.lifecycle.gates import next_gates
from dreamd.lifecycle.holds import age
from dreamd.lifecycle.plan import Gate
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim, Event, Hold, Stream
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import ClaimStatus, Phase, Waiting
from dreamd.reflection.contradicting.dates import day_ahead
from dreamd.repo_export.kept import Kept, as_shown
from dreamd.repo_export.slug import path_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """What a space's streams are looked at through: an instant, its clock, and what belongs to each stream."""

    now: datetime
    policy: Policy
    waking: Sequence[Interval]
    holds: Mapping[str, Sequence[Hold]]
    aliases: Mapping[str, Sequence[str]]
    pins: frozenset[str]
    kept: Mapping[str, Kept] = field(default_factory=dict)  # by stream: what a person set on its page

    @staticmethod
    def on(store: SpaceStore, now: datetime, policy: Policy) -> "Lens":
        holds: dict[str, list[Hold]] = defaultdict(list)
        for hold in store.holds():
            if hold.stream is not None:
                holds[hold.stream].append(hold)
        aliases: dict[str, list[str]] = defaultdict(list)
        for alias in store.aliases():
            aliases[alias.stream].append(alias.spelling)
        return Lens(
            now=now,
            policy=policy,
            waking=store.waking(policy),
            holds=holds,
            aliases=aliases,
            pins=frozenset(pin.subject for pin in store.pins()),
            kept=read_kept(store),
        )

    def stream(self, row: Stream) -> dict[str, Any]:
        """The object of `streams --json`; of a merged one with the id of the stream that it went into."""
        seen, _ = age(row, self.now, self.waking, self.policy, self.holds.get(row.id, ()))
        return {
            "id": row.id,
            "space": row.space,
            "target": row.target,
            "title": as_shown(row, self.kept).title,
            "birth": row.birth,
            "phase": row.phase,
            "vitality": seen.vitality,
            "confidence": confidence_at(row, self.now, self.waking, self.policy),
            "base_confidence": row.base_confidence,
            "status": seen.status,
            "frequency": row.frequency,
            "active_days": row.active_days,
            "first_seen": rfc3339(row.first_seen),
            "last_seen": rfc3339(row.last_seen),
            "lifetime_days": row.lifetime_days,
            "coverage": row.coverage,
            "stability": row.stability,
            "reinforcement_density": row.reinforcement_density,
            "removal_cost": row.removal_cost,
            "utility": row.utility,
            "stretch": row.stretch,
            "decay_class": row.decay_class,
            "doubtful": row.is_doubtful,
            "scope": row.scope,
            "aliases": sorted(self.aliases.get(row.id, ())),
            "pinned": row.id in self.pins,
            "path": path_of(as_shown(row, self.kept)),
            **({} if row.merged_into is None else {"merged_into": row.merged_into}),
        }


def claim_as_json(claim: Claim, evidence: Sequence[str], now: datetime) -> dict[str, Any]:
    """One claim of `show --json`. A claim whose session is over at `now` is superseded, whatever the last run saw."""
    is_over = claim.status is ClaimStatus.CURRENT and expired(claim, now)
    return {
        "id": claim.id,
        "text": claim.text,
        "kind": claim.kind,
        "status": ClaimStatus.SUPERSEDED if is_over else claim.status,
        "group": claim.group,
        "valid_from": rfc3339(claim.valid_from),
        "valid_to": rfc3339_or_none(claim.valid_to),
        "recorded_at": rfc3339(claim.recorded_at),
        "retracted_at": rfc3339_or_none(claim.retracted_at),
        "support": claim.support,
        "trust": claim.trust,
        "supersedes": claim.supersedes,
        "evidence": list(evidence),
        "due": _due(claim),
    }


def _due(claim: Claim) -> dict[str, Any] | None:
    """The day that `claim` looks forward to, in its words and by date; no date where it can be read in two ways."""
    first, last = (day_ahead(claim.text, at.date()) for at in (claim.valid_from, claim.last_at))
    if first is None or last is None:
        return None
    return {"words": first.words, "on": first.on.isoformat() if first.on and first.on == last.on else None}


def evidence_of_claims(store: SpaceStore, streams: Iterable[str] | None = None) -> dict[str, list[str]]:
    """The event ids that state each claim, sorted; of all streams, or of some."""
    links = store.links() if streams is None else [link for stream in streams for link in store.links(stream)]
    evidence: dict[str, list[str]] = defaultdict(list)
    for link in links:
        if link.claim is not None:
            evidence[link.claim].append(link.event)
    return {claim: sorted(events) for claim, events in evidence.items()}


def event_as_json(event: Event) -> dict[str, Any]:
    return {
        "id": event.id,
        "space": event.space,
        "given_id": event.given_id,
        "at": rfc3339(event.at),
        "recorded_at": rfc3339(event.recorded_at),
        "kind": event.kind,
        "text": event.text,
        "because": event.because,
        "outcome": event.outcome,
        "actor": event.actor,
        "source": event.source,
        "session": event.session,
        "scope": event.scope,
        "files": list(event.files),
        "decay": event.decay,
        "tags": list(event.tags),
        "extra": dict(event.extra),
        "named_target": event.target,
    }


def linked_event_as_json(found: LinkedEvent, now: datetime, held: frozenset[str]) -> dict[str, Any]:
    """One event of `events --json`: its stream, the target as decided (None: untargeted) and the rule that decided."""
    stream = found.streams[0] if found.streams else None
    if found.links:
        rule = found.links[0].rule
    elif found.event.id in held:
        rule = "held"
    else:
        rule = "waiting" if found.event.at > now else "unexamined"
    return {
        **event_as_json(found.event),
        "stream": None if stream is None else stream.id,
        "target": None if stream is None else stream.target,
        "rule": rule,
        "bearing": found.links[0].bearing if found.links else None,
        "claim": found.links[0].claim if found.links else None,
    }


def gates_of(store: SpaceStore, stream: Stream, policy: Policy) -> tuple[Gate, ...]:
    """The gates of the next phase; of a CANONICAL stream those that it passed."""
    is_open = any(row.stream == stream.id and row.status is Waiting.OPEN for row in store.questions())
    row = replace(stream, phase=Phase.EMERGENT) if stream.phase is Phase.CANONICAL else stream
    return next_gates(row, policy, is_question_open=is_open)


def gates_as_json(gates: Iterable[Gate]) -> list[dict[str, Any]]:
    return [gate_to_json(gate) for gate in gates]
