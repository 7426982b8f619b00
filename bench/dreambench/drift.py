"""Cadence drift: what is left of the difference between dreaming often and dreaming seldom."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bench.dreambench.port import System
from bench.dreambench.watch import live
from dreamd.daemon.simulate.history import History

CADENCES = (7, 30, None)  # days between two runs, to be held against every night; None: one run at the end

Rows = Mapping[str, Mapping[str, object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    largest: float  # of any field of any row; 1 where it is no number, or where a row is missing
    differing: int  # rows
    rows: int  # of the nightly runs
    examples: tuple[str, ...]  # "cadence: row: fields"


def drift(nightly: Rows, make: Callable[[], System], history: History) -> Drift:
    """How far the other cadences end from the rows of the nightly runs; `make` gives a new system for each."""
    largest = 0.0
    examples = []
    for every in CADENCES:
        told = "in one go" if every is None else f"every {every} days"
        for row, fields in differences(nightly, _live(make, history, every)).items():
            largest = max(largest, *fields.values())
            examples.append(f"{told}: {row}: {', '.join(sorted(fields))}")
    return Drift(largest=largest, differing=len(examples), rows=len(nightly), examples=tuple(examples[:20]))


def differences(first: Rows, second: Rows) -> Mapping[str, Mapping[str, float]]:
    """The rows that differ, with how much each of their fields does."""
    found: dict[str, dict[str, float]] = {}
    for row in sorted({*first, *second}):
        if row not in first or row not in second:
            found[row] = {"(row)": 1.0}
            continue
        one, other = first[row], second[row]
        fields = {name: _difference(one.get(name), other.get(name)) for name in {*one, *other}}
        if differing := {name: size for name, size in fields.items() if size}:
            found[row] = differing
    return found


def _difference(one: object, other: object) -> float:
    if one == other:
        return 0.0
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (one, other))
    return abs(float(one) - float(other)) if numbers else 1.0  # type: ignore[arg-type]  # they are numbers


def _live(make: Callable[[], System], history: History, every: int | None) -> Rows:
    system = make()
    try:
        return live(system, history, every=every)
    finally:
        system.close()
