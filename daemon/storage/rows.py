"""Between the frozen values of the lifecycle and the rows of the tables, in both directions, in chunks.

A table has a column for each field of its value, so one pair of functions serves all ten. Everything here takes the
space as a required argument: there is no way to ask for rows of all spaces.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Dialect, Select, Table, Text, insert, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from dreamd.daemon.storage.columns import canonical_json
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.codec import TABLES as VALUES
from dreamd.lifecycle.values import Event, Row

CHUNK = 10_000  # texts that are looked up at a time

AnyRow = TypeVar("AnyRow", bound=Row | Event)
_NAMES = {cls: name for name, cls in VALUES.items()}
_FIELDS: dict[Any, tuple[str, ...]] = {
    cls: tuple(field.name for field in fields(cls)) for cls in (Event, *VALUES.values())
}


def table_for(kind: Any) -> Table:
    return TABLES["event" if kind is Event else _NAMES[kind]]


def field_names(kind: Any) -> tuple[str, ...]:
    return _FIELDS[kind]


def query(kind: type[AnyRow], space: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    """Selects the fields of `kind` in their order, of one space, in any order.

    An order by id would make SQLite read the whole space by its primary key instead of using the index of a condition.
    """
    table = table_for(kind)
    columns = [table.c[name] for name in field_names(kind)]
    return select(*columns).where(table.c.space == space, *conditions)


def fetch(connection: Connection, kind: type[AnyRow], selection: Select[Any]) -> list[AnyRow]:
    """The values that a `query` for `kind` finds."""
    names = field_names(kind)
    return [kind(**dict(zip(names, row, strict=True))) for row in connection.execute(selection).all()]


def rows_of(connection: Connection, kind: type[AnyRow], space: str, *conditions: ColumnElement[bool]) -> list[AnyRow]:
    """The rows of one space that meet all `conditions`, sorted by id."""
    return sorted(fetch(connection, kind, query(kind, space, *conditions)), key=attrgetter("id"))


def rows_where(
    connection: Connection, kind: type[AnyRow], space: str, column: str, wanted: Collection[str | None]
) -> list[AnyRow]:
    """The rows whose `column` is one of `wanted`, sorted by id."""
    in_column = table_for(kind).c[column]
    found: list[AnyRow] = []
    for chunk in chunks({item for item in wanted if item is not None}):
        found += fetch(connection, kind, query(kind, space, one_of(in_column, chunk)))
    return sorted(found, key=attrgetter("id"))


def chunks(ids: Collection[str]) -> Iterator[list[str]]:
    """`ids` in ascending order, at most CHUNK at a time."""
    ordered = sorted(ids)
    for start in range(0, len(ordered), CHUNK):
        yield ordered[start : start + CHUNK]


def one_of(column: ColumnElement[Any], texts: Collection[str]) -> ColumnElement[bool]:
    """Whether `column` is one of `texts`, given as one parameter however many they are.

    So the statement is always the same; a list of parameters costs more to write down than to look up.
    """
    given = literal(canonical_json(list(texts)), Text())
    return column.op("IN", is_comparison=True)(_Texts(given))


class _Texts(FunctionElement[str]):
    """The texts of a JSON list as rows."""

    type = Text()
    name = "texts"
    inherit_cache = True


@compiles(_Texts)
def _texts(element: _Texts, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT json_array_elements_text(CAST({compiler.process(element.clauses, **options)} AS json)))"


@compiles(_Texts, "sqlite")
def _texts_of_sqlite(element: _Texts, compiler: SQLCompiler, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **options)}))"


def by_id(rows: Iterable[AnyRow]) -> dict[str, AnyRow]:
    return {row.id: row for row in rows}


def insert_rows(connection: Connection, rows: Sequence[Row | Event]) -> None:
    """Insert `rows`, all of one kind."""
    if rows:
        names = field_names(type(rows[0]))
        take = attrgetter(*names)
        insert_values(connection, table_for(type(rows[0])), names, [take(row) for row in rows])


def insert_values(connection: Connection, table: Table, names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert `rows`, each with the values of the columns `names` in their order, in one call to the driver.

    SQLAlchemy's own way through dictionaries costs twice the insert itself.
    """
    if not rows:
        return
    statement, convert = _inserter(table, tuple(names), connection.dialect)
    if connection.dialect.positional:
        connection.exec_driver_sql(statement, [tuple(convert(row)) for row in rows])
    else:
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])


@lru_cache(maxsize=64)
def _inserter(table: Table, names: tuple[str, ...], dialect: Dialect) -> tuple[str, Callable[[Sequence[Any]], Any]]:
    """The statement, and what makes a row of values into one of the driver's."""
    compiled = insert(table).compile(dialect=dialect, column_keys=list(names))
    ordered = tuple(compiled.positiontup or names)
    kinds = [table.c[name].type.dialect_impl(dialect).bind_processor(dialect) for name in ordered]
    processors = [(place, processor) for place, processor in enumerate(kinds) if processor is not None]
    take = list if ordered == names else itemgetter(*(names.index(name) for name in ordered))

    def convert(row: Sequence[Any]) -> list[Any]:
        values = list(take(row))
        for place, processor in processors:
            values[place] = processor(values[place])
        return values

    return str(compiled), convert


def write_all(connection: Connection, statement: Any, parameters: Sequence[dict[str, Any]]) -> None:
    """Execute `statement` once per entry of `parameters`, in one call; nothing to do for none."""
    if parameters:
        connection.execute(statement, parameters)


Reach = Callable[[str], None]


def reach_nothing(_failpoint: str) -> None:
    """The failpoint of a process that nobody wants to fail."""
