"""The registry of functional predicates: read from TOML, checked whole, made into patterns.

A person writes wordings, not regular expressions: words, alternatives, what may be left out, and places with a shape.
So no entry can cost more than its length, and every example is tried when the registry is read. Its canonical form is
one line of JSON: what the policy carries, so that a change of the registry is told like any change of policy.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dreamd.reflection.contradicting.shapes import SHAPES, anchored
from dreamd.reflection.contradicting.shipped import SHIPPED

MAX_CHARACTERS = 65_536  # of a registry
MAX_ROWS = 200

_KEYS: Mapping[str, Mapping[str, type]] = {
    "": {"predicate": list, "kind": list, "shipped": bool, "without": list},
    "predicate": {"name": str, "wording": str, "example": str, "subject": str, "plain": bool},
    "kind": {"name": str, "members": list},
}
_NEEDED = {"predicate": ("name", "wording", "example"), "kind": ("name", "members")}
_TOKEN = re.compile(r"\[|\]|\{[^{}]*\}|[^\s\[\]{}]+")
_PLACE = re.compile(r"\{(subject|value|old)(?::(\w+))?\}")
_DEFAULT_SHAPE = {"subject": "any", "value": "short", "old": "short"}
_NAME = re.compile(r"[a-z][a-z ]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    predicate: str  # statements of one predicate and subject fill one slot, whatever their wording
    wording: str  # as a person writes it
    pattern: re.Pattern[str]  # groups: subject, value, old (the value that it ends)
    words: frozenset[str]  # a sentence without any of these does not fit
    example: str
    subject: str | None  # what the slot is about, with "{subject}" for what was read; None: that alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    name: str
    members: tuple[str, ...]  # as spelled


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # made once for a line; compared by value it costs
class Registry:
    wordings: tuple[Wording, ...]  # the first that fits decides
    kinds: tuple[Kind, ...]
    outright: frozenset[str]  # predicates by which a plain observation ends nothing

    def is_plain(self, slot: str) -> bool:
        """Whether a plain observation of another value may end one of `slot`."""
        return slot.partition(":")[0] not in self.outright


class BadRegistry(ValueError):
    """A registry that cannot be used; `problems` names everything that is wrong with it."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def canonical(text: str) -> str:
    """The registry in the TOML `text`, as one line of JSON: equal for what reads the same. Raises BadRegistry."""
    if len(text) > MAX_CHARACTERS:
        raise BadRegistry((f"it is {len(text)} characters long; allowed: up to {MAX_CHARACTERS}",))
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRegistry((f"it is no TOML: {error}",)) from None
    line = json.dumps(found, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    registry_of(line)
    return line


@lru_cache(maxsize=8)
def registry_of(line: str) -> Registry:
    """The registry of a canonical `line`; the shipped one for "". Raises BadRegistry with every problem."""
    if not line:
        return _made(tomllib.loads(SHIPPED))
    found = json.loads(line)
    problems = list(_problems(found))
    if problems:
        raise BadRegistry(tuple(problems))
    own = _made(found)
    if found.get("shipped", True) is False:
        return own
    without = frozenset(found.get("without", ()))
    shipped = registry_of("")
    return Registry(
        wordings=(*own.wordings, *(row for row in shipped.wordings if row.predicate not in without)),
        kinds=(*own.kinds, *(kind for kind in shipped.kinds if kind.name not in without)),
        outright=own.outright | shipped.outright,
    )


def _made(found: Mapping[str, Any]) -> Registry:
    rows = found.get("predicate", ())
    return Registry(
        wordings=tuple(_wording(row) for row in rows),
        kinds=tuple(Kind(name=row["name"], members=tuple(row["members"])) for row in found.get("kind", ())),
        outright=frozenset(row["name"] for row in rows if not row.get("plain", True)),
    )


def _wording(row: Mapping[str, Any]) -> Wording:
    pattern, words = _compiled(row["wording"])
    return Wording(
        predicate=row["name"],
        wording=row["wording"],
        pattern=pattern,
        words=words,
        example=row["example"],
        subject=row.get("subject"),
    )


def _compiled(wording: str) -> tuple[re.Pattern[str], frozenset[str]]:
    """The pattern of a wording, to be matched against a blank and the clause; raises ValueError for a bad one."""
    tokens = _TOKEN.findall(wording)
    if "".join(tokens) != "".join(wording.split()):
        raise ValueError("a brace is not closed")
    if not re.fullmatch(r"[^\[\]]*(?:\[[^\[\]]+\][^\[\]]*)*", wording):
        raise ValueError("brackets must be closed and may not stand in each other")
    is_optional = False
    parts: list[str] = []
    words: frozenset[str] = frozenset()
    for token in tokens:
        if token in "[]":
            is_optional = token == "["
            parts.append("(?:" if is_optional else ")?")
            continue
        part, own = _place(token) if token.startswith("{") else _alternatives(token)
        parts.append(part)
        if not is_optional:
            words = words or own
    places = re.findall(r"\{(\w+)", wording)
    if places.count("value") != 1 or len(set(places)) != len(places):
        raise ValueError("it needs {value} once, and {subject} and {old} at most once")
    if not words:
        raise ValueError("it needs a word of its own")
    return re.compile("".join(parts), re.IGNORECASE), words


def _place(token: str) -> tuple[str, frozenset[str]]:
    """The pattern of a place, and the words of which one begins what fits into it; none for most."""
    place = _PLACE.fullmatch(token)
    if place is None:
        raise ValueError(f"{token} is no place; allowed: {{subject}}, {{value}}, {{old}}, with a shape or not")
    name, shape = place[1], place[2] or _DEFAULT_SHAPE[place[1]]
    if shape not in SHAPES:
        raise ValueError(f"{shape!r} is no shape; allowed: {', '.join(SHAPES)}")
    return f" (?P<{name}>{SHAPES[shape].pattern})", anchored(shape)


def _alternatives(token: str) -> tuple[str, frozenset[str]]:
    """The pattern of a|b_c, and the first words of its spellings."""
    spellings = [spelling.replace("_", " ") for spelling in token.split("|")]
    if not all(spelling.strip() for spelling in spellings):
        raise ValueError(f"{token!r} has an empty alternative")
    pattern = f" (?:{'|'.join(re.escape(spelling) for spelling in spellings)})"
    return pattern, frozenset(spelling.split()[0].casefold() for spelling in spellings)


def _problems(found: Mapping[str, Any]) -> Iterator[str]:
    yield from _shape_problems("the registry", found, "")
    rows = found.get("predicate", [])
    kinds = found.get("kind", [])
    if isinstance(rows, list) and isinstance(kinds, list):
        if len(rows) + len(kinds) > MAX_ROWS:
            yield f"it has {len(rows) + len(kinds)} rows; allowed: up to {MAX_ROWS}"
            return
        for place, row in enumerate(rows, 1):
            yield from _row_problems(f"predicate {place}", row, "predicate")
        for place, row in enumerate(kinds, 1):
            yield from _row_problems(f"kind {place}", row, "kind")
    shipped = registry_of("")
    known = {row.predicate for row in shipped.wordings} | {kind.name for kind in shipped.kinds}
    without = found.get("without", [])
    for name in without if isinstance(without, list) else ():
        if name not in known:
            yield f"without: {name!r} is not shipped; there are: {', '.join(sorted(known))}"


def _shape_problems(where: str, row: object, table: str) -> Iterator[str]:
    if not isinstance(row, Mapping):
        yield f"{where} is {row!r}; allowed: a table"
        return
    for key, value in sorted(row.items()):
        wanted = _KEYS[table].get(key)
        if wanted is None:
            yield f"{where}: {key!r} is no key; allowed: {', '.join(_KEYS[table])}"
        elif not isinstance(value, wanted):
            yield f"{where}: {key} is {value!r}; allowed: {_SAID[wanted]}"


_SAID = {str: "a text", bool: "true or false", list: "a list"}


def _row_problems(where: str, row: object, table: str) -> Iterator[str]:
    problems = list(_shape_problems(where, row, table))
    if isinstance(row, Mapping):
        problems += [f"{where}: {key} is missing" for key in _NEEDED[table] if key not in row]
        name = row.get("name")
        if isinstance(name, str) and _NAME.fullmatch(name) is None:
            problems.append(f"{where}: name is {name!r}; allowed: up to 40 small letters and blanks, such as 'is'")
    yield from problems
    if not problems and isinstance(row, Mapping):
        yield from _content_problems(where, row, table)


def _content_problems(where: str, row: Mapping[str, Any], table: str) -> Iterator[str]:
    if table == "kind":
        members = row["members"]
        if len(members) < 2 or not all(isinstance(each, str) and each.strip() for each in members):  # noqa: PLR2004
            yield f"{where}: members is {members!r}; allowed: two or more texts"
        return
    try:
        wording = _wording(row)
    except ValueError as error:
        yield f"{where}: wording {row['wording']!r}: {error}"
        return
    has_subject = "subject" in wording.pattern.groupindex
    if not has_subject and (wording.subject is None or "{subject}" in wording.subject):
        yield f"{where}: wording {row['wording']!r} names no {{subject}}; allowed: one, or a subject of its own"
    elif wording.pattern.fullmatch(" " + row["example"].strip(" .")) is None:
        yield f"{where}: the wording {row['wording']!r} does not read its example {row['example']!r}"
