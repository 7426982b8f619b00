"""Findings at rest: what an embedder or a distiller answered, so that it is asked once.

A finding is derived. Its key is a hash of what was asked, of whom and by which version of our question, so a row under
a key is right for good: writing one that is there already changes nothing, and another model or version finds none of
the old and disturbs none. It keeps digests of its input and never the input. It is of one space, as everything is, so
that erasing a text from a space reaches all that was made of it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Row, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from dreamd.daemon.storage.rows import chunks, one_of, write_all
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.ids import digest_of

_FINDING = TABLES["finding"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    version: str  # what was asked and in which form, such as "vector.1"; another form is another finding
    model: str  # the id of the model and its version
    input: str  # the digest of all that the model was shown
    parts: tuple[str, ...] = ()  # digests of the single texts in that input, if it is made of several
    dimension: int | None = None  # the length of the vector; None: the value is text
    value: bytes  # a vector as its writer packs it, or text in UTF-8

    @property
    def key(self) -> str:
        return finding_key(self.input, self.version, self.model)


def finding_key(input_digest: str, version: str, model: str) -> str:
    """The key of the answer of `model` to the input with `input_digest`, asked in the form `version`."""
    return digest_of("finding", version, model, input_digest)


def read_findings(connection: Connection, space: str, keys: Collection[str]) -> dict[str, Finding]:
    """The findings that are there, by key."""
    found = {}
    for chunk in chunks(set(keys)):
        for row in connection.execute(select(_FINDING).where(_FINDING.c.space == space, one_of(_FINDING.c.key, chunk))):
            found[row.key] = _finding(row)
    return found


def write_findings(connection: Connection, space: str, findings: Iterable[Finding]) -> None:
    """Add `findings`; one whose key is there stays as it is, so that all readers go on seeing one answer."""
    rows = [
        {
            "space": space,
            "key": finding.key,
            "version": finding.version,
            "model": finding.model,
            "input": finding.input,
            "parts": finding.parts,
            "dimension": finding.dimension,
            "value": finding.value,
        }
        for finding in findings
    ]
    insert: postgresql.Insert | sqlite.Insert
    insert = postgresql.insert(_FINDING) if connection.dialect.name == "postgresql" else sqlite.insert(_FINDING)
    write_all(connection, insert.on_conflict_do_nothing(), rows)


def erase_findings(connection: Connection, space: str, digests: Collection[str]) -> int:
    """Remove every finding whose input, or a part of it, has one of `digests`; how many there were."""
    wanted = set(digests)
    selection = select(_FINDING.c.key, _FINDING.c.parts).where(_FINDING.c.space == space, _FINDING.c.parts != ())
    keys = {key for key, parts in connection.execute(selection) if wanted.intersection(parts)}
    erased = sum(_delete(connection, space, "input", chunk) for chunk in chunks(wanted))
    return erased + sum(_delete(connection, space, "key", chunk) for chunk in chunks(keys))


def drop_findings(connection: Connection, space: str, keys: Collection[str]) -> None:
    """Remove the findings under `keys`: what cannot be read is asked for again, and so is what was never put."""
    for chunk in chunks(set(keys)):
        _delete(connection, space, "key", chunk)


def count_findings(connection: Connection, space: str) -> Mapping[tuple[str, str], int]:
    """How many findings there are by (version, model)."""
    columns = _FINDING.c.version, _FINDING.c.model
    selection = select(*columns, func.count()).where(_FINDING.c.space == space).group_by(*columns)
    return {(version, model): number for version, model, number in connection.execute(selection)}


def _delete(connection: Connection, space: str, column: str, values: list[str]) -> int:
    statement = delete(_FINDING).where(_FINDING.c.space == space, one_of(_FINDING.c[column], values))
    return connection.execute(statement).rowcount


def _finding(row: Row[tuple[object, ...]]) -> Finding:
    return Finding(
        version=row.version,
        model=row.model,
        input=row.input,
        parts=row.parts,
        dimension=row.dimension,
        value=bytes(row.value),
    )
