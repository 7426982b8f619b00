"""Events from JSONL: one line, one event or one rejection that says which line, which field and why.

Lines are read one at a time and never longer than the limit, so a file of any size takes the same memory. What is good
is kept whatever else is bad. A line is screened for secrets once, as a whole, where its texts stand in it as they are.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Protocol, runtime_checkable

from dreamd.daemon.intake.record import (
    CHECKED_WORDS,
    KNOWN_FIELDS,
    BadField,
    Channel,
    build_event,
    check_characters,
    shown_reason,
)
from dreamd.daemon.intake.redaction import may_hold_a_secret
from dreamd.lifecycle.values import Event

SHOWN_NAME = 80  # characters of the name of an unknown field
BOM = b"\xef\xbb\xbf"
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_DIGITS = re.compile(r"\d+", re.ASCII)
_BRACKETS = re.compile(rb"[\[\]{}]")


@runtime_checkable
class Readable(Protocol):
    """A stream of bytes, as far as it is used here."""

    def readline(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    file: str
    line: int  # from 1
    field: str | None  # None: the line as a whole
    reason: str  # redacted; what was found and what is allowed


def read_events(lines: Readable | Iterable[bytes], channel: Channel) -> Iterator[Event | Rejection]:
    """The events in `lines`, and a rejection for each line that is none; blank lines are skipped."""
    return (read for _, read in read_numbered(lines, channel))


def read_numbered(lines: Readable | Iterable[bytes], channel: Channel) -> Iterator[tuple[int, Event | Rejection]]:
    """As `read_events`, each with the number of its line from 1."""
    for number, line in enumerate(_bounded(lines, channel.limits.event_bytes), start=1):
        content = line.removeprefix(BOM) if number == 1 and isinstance(line, bytes) else line
        if isinstance(content, bytes) and (not content or content.isspace()):
            continue
        try:
            yield number, _read_line(content, channel)
        except BadField as bad:
            reason = shown_reason(bad.reason, channel.redactor)
            field = bad.field if bad.field in KNOWN_FIELDS else shown_reason(bad.field, channel.redactor)[:SHOWN_NAME]
            yield number, Rejection(file=channel.name, line=number, field=field or None, reason=reason)


def _bounded(lines: Readable | Iterable[bytes], most: int) -> Iterator[bytes | int]:
    """The lines without their ends; of each that holds more than `most` bytes only how many it holds."""
    if not isinstance(lines, Readable):
        for line in lines:
            stripped = line.rstrip(b"\r\n")
            yield stripped if len(stripped) <= most else len(stripped)
        return
    while piece := lines.readline(most + 3):  # room for the line's end, so that a longer piece is too long
        stripped = piece.rstrip(b"\r\n")
        if len(stripped) <= most:
            yield stripped
            continue
        length = len(piece)
        while not piece.endswith(b"\n") and piece:
            piece = lines.readline(most + 3)
            length += len(piece)
        yield length - (len(piece) - len(piece.rstrip(b"\r\n")))


def _read_line(line: bytes | int, channel: Channel) -> Event:
    limits = channel.limits
    if isinstance(line, int):
        raise BadField("", f"the line has {line} bytes; event_bytes allows {limits.event_bytes}")
    if line.count(b"{") + line.count(b"[") > limits.json_depth and (depth := _depth(line)) > limits.json_depth:
        raise BadField("", f"the JSON is nested {depth} deep; json_depth allows {limits.json_depth}")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadField("", f"the line is not UTF-8: {error.reason} at byte {error.start + 1}") from None
    fields = _decoded(text)
    has_escapes = "\\" in text
    if has_escapes:  # only an escape can bring NUL or half a surrogate pair into a text
        for name, value in fields.items():
            check_characters("", name)
            check_characters(name, value)
    return build_event(fields, channel, is_plain=not has_escapes and _is_plain(fields))


def _is_plain(fields: dict[str, object]) -> bool:
    """Whether no text in `fields` can hold a secret; with a name that is not known nobody can tell so soon."""
    texts: list[str] = []
    for name, value in fields.items():
        if name not in KNOWN_FIELDS:
            return False
        if name in CHECKED_WORDS:
            continue
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, list):
            texts += map(str, value)
    return not may_hold_a_secret("\n".join(texts))


def _decoded(text: str) -> dict[str, object]:
    try:
        fields = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadField("", f"the line is no JSON: {error.msg} at character {error.pos + 1}") from None
    except ValueError:  # a number of thousands of digits, which Python does not read
        digits = max(map(len, _DIGITS.findall(text)))
        raise BadField("", f"a number has {digits} digits; {sys.get_int_max_str_digits()} are allowed") from None
    if not isinstance(fields, dict):
        raise BadField("", "the line is JSON but no object; an event is written as {...}")
    return fields


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadField(twice, "the key is there twice; which of the two is meant is not known")
    return found


def _finite(digits: str) -> float:
    value = float(digits)
    if not isfinite(value):
        raise BadField("", f"{digits[:SHOWN_NAME]} is no finite number; at most {sys.float_info.max:.3g} is allowed")
    return value


def _no_number(word: str) -> object:
    raise BadField("", f"{word} is no JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_no_number)


def _depth(line: bytes) -> int:
    """How deep objects and lists are nested in `line`, brackets in texts aside."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRING.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
