"""JSON text changed in place: an entry comes in or goes, and every other byte stays as it was.

Settings files belong to people: their order, layout, escapes and unknown keys are not ours to write anew. So the text
is never dumped again; the places are found with the decoder of the standard library, and cut there.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DEFAULT_STEP = "  "
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One member of an object, or one item of a list; places are indices into the text."""

    key: str | None  # None: of a list
    start: int  # of the key, or of the item
    value_start: int
    end: int  # behind the value


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """An object or a list in the text."""

    start: int  # of its opening bracket
    end: int  # behind its closing bracket
    entries: tuple[Entry, ...]

    def member(self, key: str) -> Entry | None:
        return next((entry for entry in self.entries if entry.key == key), None)


def bracket_at(text: str, start: int) -> Bracket:
    """The object or list that opens at `start`, spaces before it aside. Raises ValueError if the text is no JSON."""
    start = _skip(text, start)
    is_object = text[start : start + 1] == "{"
    if not is_object and text[start : start + 1] != "[":
        raise ValueError(f"no object or list at character {start}")
    entries: list[Entry] = []
    place = _skip(text, start + 1)
    while text[place] not in "}]":
        at, key = place, None
        if is_object:
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)  # over the colon
        value_start = place
        _, place = _DECODER.raw_decode(text, place)
        entries.append(Entry(key=key, start=at, value_start=value_start, end=place))
        place = _skip(text, place)
        if text[place] == ",":
            place = _skip(text, place + 1)
    return Bracket(start=start, end=place + 1, entries=tuple(entries))


def with_entry(text: str, bracket: Bracket, key: str | None, value: Any, *, depth: int) -> tuple[str, int, str, str]:
    """`text` with one more entry at the end of `bracket`, whose entries are `depth` deep; laid out as its neighbours.

    Gives the text, where it was changed, what stood there and what stands there now.
    """
    if bracket.entries:
        lead = text[bracket.start + 1 : bracket.entries[0].start]
        place, instead_of = bracket.entries[-1].end, ""
        put_in = f",{lead or ' '}{_rendered(key, value, _step(text), _tail(lead))}"
    else:
        line_end, step = _line_end(text), _step(text)
        indent = "" if step is None else step * depth
        place = bracket.start + 1
        instead_of = text[place : bracket.end - 1]
        entry = _rendered(key, value, step, indent if step is not None else None)
        outer = "" if step is None else step * (depth - 1)
        put_in = entry if step is None else f"{line_end}{indent}{entry}{line_end}{outer}"
    put_in = put_in.replace("\r\n", "\n").replace("\n", _line_end(text))
    return f"{text[:place]}{put_in}{text[place + len(instead_of) :]}", place, instead_of, put_in


def without_entry(text: str, bracket: Bracket, entry: Entry) -> str:
    """`text` without `entry`, its comma, and the space that led up to it; an emptied bracket is closed up."""
    place = bracket.entries.index(entry)
    if len(bracket.entries) == 1:
        return f"{text[: bracket.start + 1]}{text[bracket.end - 1 :]}"
    if place == 0:
        return f"{text[: entry.start]}{text[bracket.entries[1].start :]}"
    return f"{text[: bracket.entries[place - 1].end]}{text[entry.end :]}"


def _rendered(key: str | None, value: Any, step: str | None, indent: str | None) -> str:
    """The entry as text; without `indent` on one line."""
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if indent is None or step is None:
        return name + json.dumps(value, ensure_ascii=False)
    return name + json.dumps(value, ensure_ascii=False, indent=step).replace("\n", f"\n{indent}")


def _step(text: str) -> str | None:
    """The indentation of one level; None for a text on one line."""
    outer = bracket_at(text, 0)
    if not outer.entries:
        return _DEFAULT_STEP
    return _tail(text[outer.start + 1 : outer.entries[0].start])


def _tail(lead: str) -> str | None:
    """The indentation at the end of `lead`; None if it has no line end."""
    return lead.rpartition("\n")[2] if "\n" in lead else None


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _skip(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return place if match is None else match.end()
