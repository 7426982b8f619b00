"""The records of a transcript that is JSON, one a line: whole lines, bounded, from any place on.

No line is held whole that is longer than the limit. A last line without its end is still being written and is not
given. What is no object is `Broken` with its reason.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.intake.limits import Limits

SHOWN_CHARACTERS = 40  # of what is no time
BOM = b"\xef\xbb\xbf"
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")


class Broken(Exception):
    """A line is no record; `reason` says why, and what is allowed."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    number: int  # from 1
    end: int  # the offset behind it
    content: bytes | None  # without its end; None: longer than the limit


def whole_lines(file: BinaryIO, most: int, line: int) -> Iterator[Line]:
    """The lines from where `file` stands, `line` lines in, each of at most `most` bytes or without its content."""
    offset = file.tell()
    while piece := file.readline(most + 2):
        offset += len(piece)
        content: bytes | None = piece
        while not piece.endswith(b"\n"):
            content = None
            if not (piece := file.readline(most + 2)):
                return
            offset += len(piece)
        line += 1
        stripped = content.rstrip(b"\r\n") if content is not None else None
        if stripped is not None and line == 1:
            stripped = stripped.removeprefix(BOM)
        yield Line(line, offset, stripped if stripped is not None and len(stripped) <= most else None)


def record_of(line: Line, limits: Limits) -> dict[str, object] | None:
    """The record on `line`; None for a blank line. Raises Broken."""
    content = line.content
    if content is None:
        raise Broken(f"the line is too long; event_bytes allows {limits.event_bytes} bytes")
    if not content or content.isspace():
        return None
    if content.count(b"{") + content.count(b"[") > limits.json_depth and _depth(content) > limits.json_depth:
        raise Broken(f"the JSON is nested too deep; json_depth allows {limits.json_depth}")
    try:
        record = json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Broken(f"the line is not UTF-8: {error.reason} at byte {error.start + 1}") from None
    except json.JSONDecodeError as error:
        raise Broken(f"the line is no JSON: {error.msg} at character {error.pos + 1}") from None
    except RecursionError:
        raise Broken("the JSON is nested too deep") from None
    except ValueError:  # a number of thousands of digits
        raise Broken("the line holds a number with too many digits") from None
    if not isinstance(record, dict):
        raise Broken("the line is JSON but no object; a record is written as {...}")
    return record


def undated(record: Mapping[str, object]) -> str | None:
    """Why the `timestamp` of `record` is none; None if it is a text, whatever it says, or is not there."""
    written = record.get("timestamp", "")
    if isinstance(written, str):
        return None
    shown = "null" if written is None else f"{written!r}"[:SHOWN_CHARACTERS] if isinstance(written, int | float) else ""
    return f"is {shown or 'no text'}; it must be a text such as 2026-01-05T09:00:00Z"


def is_instant(text: str) -> bool:
    """Whether `text` names an instant."""
    try:
        parse_instant(text)
    except BadData:
        return False
    return True


def text_of(value: object) -> str:
    """`value` if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def object_of(value: object) -> dict[str, object]:
    """`value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects_of(value: object) -> list[dict[str, object]]:
    """The objects in `value`, if it is a list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _depth(line: bytes) -> int:
    """How deep objects and lists are nested in `line`, brackets in texts aside."""
    depth = deepest = 0
    for bracket in _BRACKETS.findall(_STRING.sub(b"", line)):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest
