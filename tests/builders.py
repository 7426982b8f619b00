"""Builders: rows and events with everything a test does not care about filled in."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from dreamd.lifecycle import ids
from dreamd.lifecycle.findings import Assignment, Closure, Findings, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind, EventKind

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)


def day(number: float) -> datetime:
    """The instant `number` days after START."""
    return START + timedelta(days=number)


def an_event(text: str = "The cache is warm", at: datetime = START, **fields: Any) -> Event:
    """An observation by an agent about `cache`, with the identity that intake would give it."""
    values: dict[str, Any] = {
        "space": "default",
        "at": at,
        "recorded_at": at,
        "kind": EventKind.OBSERVATION,
        "text": text,
        "actor": Actor.AGENT,
        "source": "session:s1",
        "session": "s1",
        "target": "cache",
    } | fields
    digest = ids.digest_of(
        values["at"].isoformat(),
        values["kind"],
        values["target"],
        values["text"],
        values["actor"],
        values["source"],
        values["session"],
        repr(values.get("outcome")),
    )
    values["id"] = ids.event_id(values["space"], values["source"], values.get("given_id"), digest)
    return Event(**{"digest": digest, **values})


def plain_findings(events: Iterable[Event], closures: tuple[Closure, ...] = ()) -> Findings:
    """Findings that take every event at its word: its target is named and its text is a statement."""
    events = list(events)
    outright = (EventKind.DECISION, EventKind.PREFERENCE, EventKind.INTERVENTION, EventKind.CORRECTION)
    kinds = {
        EventKind.DECISION: ClaimKind.DECISION,
        EventKind.PREFERENCE: ClaimKind.PREFERENCE,
        EventKind.INTERVENTION: ClaimKind.PREFERENCE,
    }
    return Findings(
        assignments=tuple(
            Assignment(
                event=event.id,
                target=event.target,
                title=event.target,
                rule="named" if event.target else "untargeted",
                score=1.0,
            )
            for event in events
        ),
        statements=tuple(
            Statement(
                event=event.id,
                text=event.text,
                text_key=event.text,
                group_key=event.text.casefold(),
                kind=kinds.get(event.kind, ClaimKind.FACT),
                is_explicit=event.kind in outright,
                slot=None,
                value=None,
            )
            for event in events
            if event.kind is not EventKind.RETRACTION
        ),
        closures=closures,
    )
