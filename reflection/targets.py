"""Which target an event belongs to, by rule: named, commit scope, file paths, else none.

A target is a canonical form, so that `Auth-Service`, `authService` and `auth service` are one and `db2` and `db3` are
two. Every rule here is a function of the event and the alias table, never of other events: order and batch size change
nothing. What the space has learned comes after it (targeting/placing.py); nothing is guessed here (design, section 6).
"""

import re
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from dreamd.lifecycle.edits import is_aside
from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.quarantine import QUARANTINED, RELEASED
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.aliases import resolved
from dreamd.reflection.origin import is_ours
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.paths import path_target, path_vote

__all__ = ["assign", "canonical_form", "path_target"]

NAMED_SCORE = 1.0
SCOPE_SCORE = 0.9  # a commit's scope is the author's word, but of a convention that is not always kept

NAMING_RULES = frozenset({"named", "scope"})  # the event says it itself
OPEN_RULES = frozenset({"path", "untargeted"})  # it does not: what the space has learned comes before these

# `type(scope): text`, also inside `Revert "..."` and after `fixup!`.
_SCOPE = re.compile(r'\s*(?:(?:revert:?\s+"?|fixup!\s+|squash!\s+))*[a-z]+\(([^()\n]+)\)!?:', re.IGNORECASE)

_NO_SUSPECTS: Mapping[str, str] = MappingProxyType({})


def assign(
    events: Sequence[Event],
    aliases: Mapping[str, str],
    suspects: Mapping[str, str] = _NO_SUSPECTS,
    released: Collection[str] = (),
) -> tuple[Assignment, ...]:
    """The target of each event, sorted by event id; `aliases` maps a canonical form to the target it stands for.

    Our own output is noise even when it names a target. Of several scopes (`fix(api,web): ...`) the first counts.
    `suspects` (event id -> reason) get no target; of what a person `released` from quarantine the rule says so.
    """
    return tuple(
        _suspected(event, suspects[event.id])
        if event.id in suspects
        else _assignment(event, aliases, is_released=event.id in released)
        for event in sorted(events, key=lambda event: event.id)
    )


def _suspected(event: Event, reason: str) -> Assignment:
    return Assignment(event=event.id, target=None, title=None, rule=QUARANTINED, score=1.0, note=reason)


def _assignment(event: Event, aliases: Mapping[str, str], *, is_released: bool) -> Assignment:
    if is_ours(event) or (event.target is None and is_aside(event)):
        return Assignment(event=event.id, target=None, title=None, rule="noise", score=1.0)
    found = _found(event)
    if found is None:
        rule = "untargeted" if inadmissible(event.text, event.kind) is None else "noise"
        return Assignment(event=event.id, target=None, title=None, rule=rule, score=1.0 if rule == "noise" else 0.0)
    title, rule, score = found
    target, via = resolved(canonical_form(title), aliases)
    rule = RELEASED if is_released else rule
    return Assignment(event=event.id, target=target, title=title, rule=rule, score=score, via=via)


def _found(event: Event) -> tuple[str, str, float] | None:
    """Title, rule and score."""
    if event.target is not None and event.target.strip():
        return event.target.strip(), "named", NAMED_SCORE
    if event.kind is EventKind.COMMIT and (scope := _scope(event.text)) is not None:
        return scope, "scope", SCOPE_SCORE
    if event.files and (vote := path_vote(event.files)) is not None:
        return vote[0], "path", vote[1]
    return None


def _scope(text: str) -> str | None:
    match = _SCOPE.match(text)
    if match is None:
        return None
    first = match[1].split(",")[0].strip()
    return first if any(char.isalnum() for char in first) else None  # `fix(*): ...` names nothing
