"""The hook in Claude Code's settings: where it belongs in the text, how it is recognised, and how it goes again.

Settings have the form `{"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": ..., "timeout": ...}]}]}}`.
All hooks of a session's end share 1.5 s unless one names a longer `timeout`; ours reads its input and lets a process
of its own do the work, so it is gone long before. Nothing here touches a file.
"""

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dreamd.daemon.errors import BadData
from dreamd.daemon.json_text import Bracket, bracket_at, with_entry, without_entry

HOOKS, EVENT = "hooks", "SessionEnd"
DOOR = ("hook", "claude-code")  # the words by which our command is known
TIMEOUT_S = 30  # room for a machine that is slow to start Python
BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change of the text, so that it can be taken back to the byte."""

    text: str
    put_in: str
    instead_of: str
    created: tuple[str, ...]  # keys that were not there before


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One command of ours in the settings."""

    command: str
    home: str  # that it feeds; "" if the command names none
    group: int  # place in the list of SessionEnd
    place: int  # in the group's list of hooks


def read_settings(text: str, name: str) -> dict[str, Any]:
    """The settings as a value. Raises BadData, with `name` for the file, if nothing may be written into them."""
    hint = "mend the file by hand first; nothing was changed"
    try:
        value = json.loads(text.removeprefix(BOM), object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise BadData(f"{name} is no JSON: {error.msg} in line {error.lineno}, column {error.colno}", hint) from None
    except (RecursionError, ValueError) as error:
        raise BadData(f"{name} cannot be used: {error or 'nested too deep'}", hint) from None
    if not isinstance(value, dict):
        raise BadData(f"{name} holds {_kind(value)}; Claude Code's settings are an object", hint)
    hooks = value.get(HOOKS, {})
    if not isinstance(hooks, dict):
        raise BadData(f"{name}: {HOOKS!r} is {_kind(hooks)}; it must be an object", hint)
    groups = hooks.get(EVENT, [])
    if not isinstance(groups, list):
        raise BadData(f"{name}: '{HOOKS}.{EVENT}' is {_kind(groups)}; it must be a list", hint)
    return value


def ours(value: dict[str, Any]) -> list[Found]:
    """Our commands in the settings, of whatever home."""
    found = []
    for number, group in enumerate(value.get(HOOKS, {}).get(EVENT, [])):
        listed = group.get(HOOKS) if isinstance(group, dict) else None
        for place, hook in enumerate(listed if isinstance(listed, list) else ()):
            command = hook.get("command") if isinstance(hook, dict) else None
            if isinstance(command, str) and (home := _home_of(command)) is not None:
                found.append(Found(command=command, home=home, group=number, place=place))
    return found


def with_hook(text: str, command: str) -> Edit:
    """`text`, which holds good settings or nothing, with the hook at the end of those of a session's end."""
    group = {HOOKS: [{"type": "command", "command": command, "timeout": TIMEOUT_S}]}
    if not text.strip():
        whole = json.dumps({HOOKS: {EVENT: [group]}}, ensure_ascii=False, indent=2) + "\n"
        return Edit(text=whole, put_in=whole, instead_of=text, created=(HOOKS, EVENT))
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    root = bracket_at(body, 0)
    hooks = _below(body, root, HOOKS)
    groups = None if hooks is None else _below(body, hooks, EVENT)
    created: tuple[str, ...] = ()
    if hooks is None:
        created = (HOOKS, EVENT)
        new, _, instead_of, put_in = with_entry(body, root, HOOKS, {EVENT: [group]}, depth=1)
    elif groups is None:
        created = (EVENT,)
        new, _, instead_of, put_in = with_entry(body, hooks, EVENT, [group], depth=2)
    else:
        new, _, instead_of, put_in = with_entry(body, groups, None, group, depth=3)
    return Edit(text=mark + new, put_in=put_in, instead_of=instead_of, created=created)


def without_hooks(text: str, found: Sequence[Found], created: Sequence[str]) -> str:
    """`text` without the commands `found`, and without the emptied keys among `created`."""
    mark, body = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    for each in sorted(found, key=lambda one: (one.group, one.place), reverse=True):
        body = _without_one(body, each)
    for key in (EVENT, HOOKS):
        root = bracket_at(body, 0)
        holder = root if key == HOOKS else _below(body, root, HOOKS)
        entry = None if holder is None else holder.member(key)
        if key not in created or holder is None or entry is None:
            continue
        if not bracket_at(body, entry.value_start).entries:
            body = without_entry(body, holder, entry)
    return mark + body


def _without_one(text: str, found: Found) -> str:
    groups = _groups(text)
    entry = groups.entries[found.group]
    group = bracket_at(text, entry.value_start)
    listed = _below(text, group, HOOKS)
    if listed is None:
        return text
    if len(listed.entries) == 1 and len(group.entries) == 1:
        return without_entry(text, groups, entry)
    return without_entry(text, listed, listed.entries[found.place])


def _groups(text: str) -> Bracket:
    hooks = _below(text, bracket_at(text, 0), HOOKS)
    groups = None if hooks is None else _below(text, hooks, EVENT)
    if groups is None:
        raise ValueError("no hooks at the end of a session")
    return groups


def _below(text: str, bracket: Bracket, key: str) -> Bracket | None:
    entry = bracket.member(key)
    return None if entry is None else bracket_at(text, entry.value_start)


def _home_of(command: str) -> str | None:
    """The home that a command of ours names; None if the command is not ours."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    is_ours = any("dreamd" in word for word in words) and any(
        tuple(words[place : place + 2]) == DOOR for place in range(len(words))
    )
    if not is_ours:
        return None
    homes = [after for word, after in zip(words, words[1:], strict=False) if word == "--home"]
    return homes[0] if homes else ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is there twice in one object")
    return found


def _kind(value: object) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "null"}.get(type(value), f"{value!r}")
