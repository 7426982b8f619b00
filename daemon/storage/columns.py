"""The kinds of columns, once: instants, words and collections, exact on SQLite and on PostgreSQL.

An instant is stored in UTC with its microseconds and comes back aware; a naive one is refused, since nobody knows when
it was. A word is stored as its text, a collection as canonical JSON, so that equal values are equal bytes.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Dialect, Float, Integer, LargeBinary, Text, TypeDecorator
from sqlalchemy.sql.type_api import TypeEngine
from sqlmodel import Field


class Instant(TypeDecorator[datetime]):
    """An aware instant. `DateTime(timezone=True)` alone loses the offset on SQLite."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"an instant needs a time zone, got the naive {value.isoformat()}")
        in_utc = value if value.tzinfo is UTC else value.astimezone(UTC)
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        """On SQLite straight to the text that SQLAlchemy's own type writes, at a fifth of the cost."""
        if dialect.name != "sqlite":
            return super().bind_processor(dialect)

        @lru_cache(maxsize=1_024)  # a batch tells one instant of recording, and each of its own twice
        def to_text(value: datetime | None) -> str | None:
            naive = self.process_bind_param(value, dialect)
            return None if naive is None else naive.isoformat(" ", "microseconds")

        return to_text

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        """On SQLite straight from that text."""
        if dialect.name != "sqlite":
            return super().result_processor(dialect, coltype)
        return lambda text: None if text is None else datetime.fromisoformat(f"{text}+00:00")

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Word(TypeDecorator[StrEnum]):
    """A member of a closed set of words, stored as its text; text outside of the set is refused both ways."""

    impl = Text
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words
        self._by_text = {str(each): each for each in words}  # ten times as fast as calling the enumeration

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        words, convert = self.words, self.process_bind_param
        return lambda value: value._value_ if value.__class__ is words else convert(value, dialect)

    def process_bind_param(self, value: StrEnum | None, dialect: Dialect) -> str | None:
        return None if value is None else str(value if isinstance(value, self.words) else self.words(value))

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        by_text, words = self._by_text, self.words
        return lambda value: by_text.get(value) or (None if value is None else words(value))


class Words(TypeDecorator[tuple[str, ...]]):
    """A tuple of texts, stored as a JSON list."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        convert = self.process_bind_param
        return lambda value: "[]" if value == () else convert(value, dialect)

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return canonical_json(list(value)) if value else "[]"

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        loads = json.loads
        return lambda value: () if value == "[]" else None if value is None else tuple(loads(value))


class Json(TypeDecorator[Any]):
    """Any JSON value, stored as canonical JSON text; None is NULL."""

    impl = Text
    cache_ok = True

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any]:
        convert = self.process_bind_param
        return lambda value: convert(value, dialect)

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        if value is None:
            return None
        return "{}" if value == {} else canonical_json(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any]:
        loads = json.loads
        return lambda value: {} if value == "{}" else None if value is None else loads(value)


def canonical_json(value: Any) -> str:
    """One text for equal values: sorted keys, no white space, Unicode as it is. Floats keep their last bit."""
    return _ENCODER.encode(value)


def _plain(value: Any) -> Any:
    """A mapping that is not a dict; anything else has no JSON form."""
    return dict(value)


# Made once: `json.dumps` makes one for each value if it is given anything.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_plain)


def key(kind: TypeEngine[Any] | None = None) -> Any:
    """A part of the primary key."""
    return Field(sa_column=Column(kind or Text(), primary_key=True, nullable=False, autoincrement=False))


def _field(make: Callable[[], TypeEngine[Any]], is_optional: bool) -> Any:
    column: Column[Any] = Column(make(), nullable=is_optional)
    return Field(default=None, sa_column=column) if is_optional else Field(sa_column=column)


def text(*, optional: bool = False) -> Any:
    return _field(Text, optional)


def instant(*, optional: bool = False) -> Any:
    return _field(Instant, optional)


def word(words: type[StrEnum], *, optional: bool = False) -> Any:
    return _field(lambda: Word(words), optional)


def words() -> Any:
    return _field(Words, False)


def json_text(*, optional: bool = False) -> Any:
    return _field(Json, optional)


def real(*, optional: bool = False) -> Any:
    """A double: SQLite's REAL, PostgreSQL's double precision."""
    return _field(lambda: Float(53), optional)


def whole(*, optional: bool = False) -> Any:
    return _field(Integer, optional)


def counter() -> Any:
    """The changing part of a primary key that counts per space, such as the number of a run."""
    return key(BigInteger())


def truth() -> Any:
    return _field(Boolean, False)


def octets() -> Any:
    """Bytes: SQLite's BLOB, PostgreSQL's bytea."""
    return _field(LargeBinary, False)
