"""Secrets hidden once more, in rows on their way into files and reports (design, section 10: "and again at export").

Intake hides them before they are stored; a row that an older version let in, or that knew fewer shapes, is made
harmless here. The store is not changed by it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from dreamd.lifecycle.plan import Change, Plan
from dreamd.lifecycle.values import Alias, Claim, Event, Proposal, Question, Row, Stream

Redact = Callable[[str], str]

_TEXTS: dict[type, tuple[str, ...]] = {
    Stream: ("target", "title", "headline", "scope"),
    Claim: ("text", "slot", "value"),
    Alias: ("spelling", "target"),
    Question: ("text",),
    Proposal: ("text",),
    Event: ("text", "because", "target", "source", "session", "scope"),
}

Value = TypeVar("Value", bound=Event | Row)


def hidden(row: Value, redact: Redact) -> Value:
    """`row` with its texts redacted; itself if there is nothing to hide."""
    changed: dict[str, Any] = {}
    for name in _TEXTS.get(type(row), ()):
        text = getattr(row, name)
        if text and (redacted := redact(text)) != text:
            changed[name] = redacted
    return cast(Value, replace(cast(Any, row), **changed)) if changed else row


def hidden_change(change: Change, redact: Redact) -> Change:
    before = None if change.before is None else hidden(change.before, redact)
    after = None if change.after is None else hidden(change.after, redact)
    because = redact(change.because)
    if before is change.before and after is change.after and because == change.because:
        return change
    return replace(change, before=before, after=after, because=because)


def hidden_plan(plan: Plan, redact: Redact) -> Plan:
    """`plan` as it may be told: the rows before and after, with their secrets hidden."""
    changes = tuple(hidden_change(change, redact) for change in plan.changes)
    comparisons = tuple(
        replace(found, text=redact(found.text), other=redact(found.other), evidence=redact(found.evidence))
        for found in plan.comparisons
    )
    is_same = all(new is old for new, old in zip(changes, plan.changes, strict=True))
    if is_same and comparisons == plan.comparisons:
        return plan
    return replace(plan, changes=changes, comparisons=comparisons)
