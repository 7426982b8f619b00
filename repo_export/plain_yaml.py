"""The YAML that most front matter is: plain keys and values, written and read at a tenth of PyYAML's cost.

What is not plain is not guessed at: both functions give None, and it is for PyYAML. A test holds them to the same
bytes and the same values.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

# Words that YAML takes for themselves: no indicator, and nothing that could be a number, a date, a truth or nothing.
_PLAIN_TEXT = re.compile(r"[A-Za-z](?:[A-Za-z0-9_.,()/+'\"?!;-]++| (?=[A-Za-z0-9(]))*+")
_NOT_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_PLAIN_NUMBER = re.compile(r"-?\d+\.\d+", re.ASCII)
_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_LINE = re.compile(r"(?P<indent>(?:  )?)(?:(?P<dash>- )|(?P<key>[A-Za-z][A-Za-z0-9_-]*):(?: |$))(?P<value>.*)")
_SINGLE = re.compile(r"'(?:[^'\x00-\x1f\x7f]|'')*'")
_DOUBLE = re.compile(r'"[^"\\\x00-\x1f\x7f]*"')


def write_plain(values: Mapping[str, Any], indent: str = "") -> str | None:
    """The block that PyYAML writes; None: something in it is not plain."""
    lines: list[str] = []
    for key, value in values.items():
        if _PLAIN_TEXT.fullmatch(key) is None or key.lower() in _NOT_TEXT:
            return None
        if isinstance(value, Mapping):
            inner = write_plain(value, indent + "  ")
            if inner is None or not value:
                return None
            lines.append(f"{indent}{key}:\n{inner}")
            continue
        items = value if isinstance(value, list) else [value]
        scalars = [_scalar(item) for item in items]
        if None in scalars or not scalars:
            return None
        if isinstance(value, list):
            lines.append("".join([f"{indent}{key}:\n", *(f"{indent}- {scalar}\n" for scalar in scalars)]))
        else:
            lines.append(f"{indent}{key}: {scalars[0]}\n")
    return "".join(lines)


def _scalar(value: object) -> str | None:
    if isinstance(value, str):
        return value if _PLAIN_TEXT.fullmatch(value) and value.lower() not in _NOT_TEXT else None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if type(value) is date:
        return value.isoformat()
    if isinstance(value, float) and _PLAIN_NUMBER.fullmatch(text := repr(value)):
        return text
    return None


class _NotPlain(Exception):
    """It is for PyYAML to read."""


def read_plain(block: str) -> dict[str, Any] | None:
    """What PyYAML reads from `block`, which has at most one level of mappings; None: it is not plain."""
    try:
        return _read_lines(block.removesuffix("\n").split("\n")) if block.isascii() else None
    except _NotPlain:
        return None


def _read_lines(lines: list[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    into, key = values, ""  # where the next key belongs, and the key whose value may still come
    for line in lines:
        found = _LINE.fullmatch(line)
        if found is None:
            raise _NotPlain
        indent, dash, named, written = found.groups()
        if dash:
            if not key or bool(indent) != (into is not values):
                raise _NotPlain
            into[key] = into[key] or []
            into[key].append(_read(written))
            continue
        if not indent:
            into = values
        elif into is values:
            if not key or values[key] is not None:
                raise _NotPlain
            values[key] = into = {}
        if named in into or named.lower() in _NOT_TEXT:
            raise _NotPlain
        key = "" if written else named
        into[named] = _read(written) if written else None
    return values


def _read(written: str) -> object:
    """The value of a plain or simply quoted scalar."""
    lower = written.lower()
    if lower in {"true", "false"}:
        return lower == "true"
    if _PLAIN_TEXT.fullmatch(written) and lower not in _NOT_TEXT:
        return written
    for shape, value_of in _SHAPES:
        if shape.fullmatch(written):
            return value_of(written)
    raise _NotPlain


def _date(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise _NotPlain from None


_SHAPES: tuple[tuple[re.Pattern[str], Callable[[str], object]], ...] = (
    (_WHOLE, int),
    (_PLAIN_NUMBER, float),
    (_DATE, _date),
    (_SINGLE, lambda written: written[1:-1].replace("''", "'")),
    (_DOUBLE, lambda written: written[1:-1]),
)
