"""Rows and plans as plain JSON values, and back, exactly.

A plan goes to a file, to a table and to another machine, so `plan_from_json(plan_to_json(p)) == p`: times keep their
microseconds, floats their last bit (JSON's shortest form), words become their enumeration again. The coders of a class
are worked out once from its annotations; a class with a field of a new type fails loudly there, not on old data.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from operator import attrgetter
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from dreamd.lifecycle.checkpoint import Checkpoint
from dreamd.lifecycle.findings import Comparison
from dreamd.lifecycle.plan import Change, Counts, Gate, NearMiss, Plan, PolicyChange, Problem, Subject
from dreamd.lifecycle.values import (
    Alias,
    Claim,
    Event,
    Hold,
    Link,
    Pin,
    Proposal,
    Question,
    Row,
    Stream,
    Tombstone,
)

Json = Any  # what json.loads returns
Coder = tuple[Callable[[Any], Json], Callable[[Json], Any]]

TABLES: Mapping[str, type[Row]] = {
    "alias": Alias,
    "claim": Claim,
    "hold": Hold,
    "link": Link,
    "pin": Pin,
    "proposal": Proposal,
    "question": Question,
    "stream": Stream,
    "tombstone": Tombstone,
}
_TABLE_OF = {row: table for table, row in TABLES.items()}


def table_of(row: Row) -> str:
    """The name of the table that `row` belongs to."""
    return _TABLE_OF[type(row)]


def subject_of(row: Row) -> Subject:
    return Subject(_TABLE_OF[type(row)], row.id)


def row_to_json(row: Row) -> dict[str, Json]:
    return _encode(row)


def row_from_json(table: str, data: Mapping[str, Json]) -> Row:
    """Raises KeyError for an unknown table or a missing field."""
    return _decode(TABLES[table], data)  # type: ignore[no-any-return]


def event_to_json(event: Event) -> dict[str, Json]:
    return _encode(event)


def event_from_json(data: Mapping[str, Json]) -> Event:
    return _decode(Event, data)  # type: ignore[no-any-return]


def checkpoint_to_json(checkpoint: Checkpoint) -> dict[str, Json]:
    return _encode(checkpoint)


def checkpoint_from_json(data: Mapping[str, Json]) -> Checkpoint:
    """Raises KeyError, TypeError or ValueError when `data` is not a checkpoint of this version."""
    return _decode(Checkpoint, data)  # type: ignore[no-any-return]


def change_to_json(change: Change) -> dict[str, Json]:
    return {
        "table": change.subject.table,
        "id": change.subject.id,
        "before": None if change.before is None else _encode(change.before),
        "after": None if change.after is None else _encode(change.after),
        "because": change.because,
        "kinds": list(change.kinds),
    }


def change_from_json(data: Mapping[str, Json]) -> Change:
    table = data["table"]
    return Change(
        subject=Subject(table, data["id"]),
        before=None if data["before"] is None else row_from_json(table, data["before"]),
        after=None if data["after"] is None else row_from_json(table, data["after"]),
        because=data["because"],
        kinds=tuple(data["kinds"]),
    )


def gate_to_json(gate: Gate) -> dict[str, Json]:
    return _encode(gate)


def near_miss_to_json(miss: NearMiss) -> dict[str, Json]:
    return {**_encode(miss, leave_out=("gates",)), "gates": [_encode(gate) for gate in miss.gates]}


def near_miss_from_json(data: Mapping[str, Json]) -> NearMiss:
    return NearMiss(**{**data, "gates": tuple(Gate(**gate) for gate in data["gates"])})


def problem_to_json(problem: Problem) -> dict[str, Json]:
    return _encode(problem)


def comparisons_to_json(plan: Plan) -> dict[str, Json]:
    """`merged`: what was found to say the same; `kept_apart`: what a guard kept from it."""
    return {
        "merged": [comparison_to_json(found) for found in plan.comparisons if not found.guard],
        "kept_apart": [comparison_to_json(found) for found in plan.comparisons if found.guard],
    }


def comparison_to_json(found: Comparison) -> dict[str, Json]:
    return _encode(found)


def policy_change_to_json(change: PolicyChange | None) -> Json:
    return None if change is None else _encode(change)


def policy_change_from_json(data: Json) -> PolicyChange | None:
    return None if data is None else _decode(PolicyChange, data)


def plan_to_json(plan: Plan) -> dict[str, Json]:
    return {
        **_encode(plan, leave_out=("changes", "near_misses", "problems", "counts")),
        "changes": [change_to_json(change) for change in plan.changes],
        "near_misses": [near_miss_to_json(miss) for miss in plan.near_misses],
        "problems": [_encode(problem) for problem in plan.problems],
        "counts": _encode(plan.counts),
    }


def plan_from_json(data: Mapping[str, Json]) -> Plan:
    """Raises KeyError or ValueError when `data` is not a plan."""
    whole = dict(data)
    whole["changes"] = tuple(change_from_json(change) for change in data["changes"])
    whole["near_misses"] = tuple(near_miss_from_json(miss) for miss in data["near_misses"])
    whole["problems"] = tuple(Problem(**problem) for problem in data["problems"])
    whole["counts"] = Counts(**data["counts"])
    plain = {name: coder for name, coder in _coders(Plan).items() if name not in _NESTED}
    return Plan(**{name: plain[name][1](value) if name in plain else value for name, value in whole.items()})


def instant_to_json(instant: datetime) -> str:
    """ISO 8601 in UTC with all six digits of the microseconds, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


_NESTED = ("changes", "near_misses", "problems", "counts")


def _encode(value: Any, leave_out: tuple[str, ...] = ()) -> dict[str, Json]:
    names, take, converted = _encoders(type(value), leave_out)
    data = dict(zip(names, take(value), strict=True))
    for name, encode in converted:
        if data[name] is not None:  # which means "not known" of every field
            data[name] = encode(data[name])
    return data


Encoders = tuple[tuple[str, ...], Callable[[Any], Any], tuple[tuple[str, Callable[[Any], Json]], ...]]
_ENCODERS: dict[tuple[type, tuple[str, ...]], Encoders] = {}
_CODERS: dict[type, dict[str, Coder]] = {}


def _encoders(cls: type[Any], leave_out: tuple[str, ...]) -> Encoders:
    """The names of the fields, what takes their values, and what converts those that are not JSON as they are."""
    if (cls, leave_out) in _ENCODERS:
        return _ENCODERS[cls, leave_out]
    coders = {name: coder[0] for name, coder in _coders(cls).items() if name not in leave_out}
    names = tuple(coders)
    take = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    converted = tuple((name, encode) for name, encode in coders.items() if encode is not _same)
    _ENCODERS[cls, leave_out] = names, take, converted
    return names, take, converted


def _decode(cls: type[Any], data: Mapping[str, Json]) -> Any:
    """An older image lacks what came later: a field with a default may be missing."""
    coders = _coders(cls)
    if len(data) < len(coders):
        later = {field.name for field in fields(cls) if field.default is not MISSING} - data.keys()
        coders = {name: coder for name, coder in coders.items() if name not in later}
    return cls(**{name: coder[1](data[name]) for name, coder in coders.items()})


def _coders(cls: type[Any]) -> dict[str, Coder]:
    if cls not in _CODERS:
        hints = get_type_hints(cls)
        _CODERS[cls] = {field.name: _coder(hints[field.name]) for field in fields(cls)}
    return _CODERS[cls]


def _coder(hint: Any) -> Coder:  # noqa: PLR0911 - one line a kind of type
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (argument for argument in get_args(hint) if argument is not type(None))
        encode, decode = _coder(inner)
        if encode is _same:
            return _same, _same
        return (
            lambda value: None if value is None else encode(value),
            lambda value: None if value is None else decode(value),
        )
    if get_origin(hint) is tuple:
        return _tuple_coder(get_args(hint))
    if get_origin(hint) is frozenset:
        encode, decode = _coder(get_args(hint)[0])
        return lambda value: sorted(map(encode, value)), lambda value: frozenset(map(decode, value))
    if get_origin(hint) is Mapping:
        encode, decode = _coder(get_args(hint)[0])
        return (
            lambda value: {encode(key): item for key, item in sorted(value.items())},
            lambda value: {decode(key): item for key, item in value.items()},
        )
    if is_dataclass(hint) and isinstance(hint, type):
        return _encode, lambda value: _decode(hint, value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return str, hint
    if hint is datetime:
        return instant_to_json, datetime.fromisoformat
    if hint is float:
        return float, float
    return _same, _same


def _tuple_coder(parts: tuple[Any, ...]) -> Coder:
    if not is_dataclass(parts[0]):
        return list, tuple
    encode, decode = _coder(parts[0])
    return lambda value: [encode(item) for item in value], lambda value: tuple(decode(item) for item in value)


def _same(value: Any) -> Any:
    return value
