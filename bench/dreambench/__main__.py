"""Judges memories by made-up histories: `python -m bench.dreambench --seed 1 --days 180 --targets 500`.

Prints one table with a column a system. `--why` lists the targets that a figure complains about.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.calibration import calibration_seconds
from bench.dreambench.cost import cost_of
from bench.dreambench.drift import Drift, drift
from bench.dreambench.figures import Figure, figures
from bench.dreambench.ours import Dreamd
from bench.dreambench.port import System
from bench.dreambench.rules import cosine, days
from bench.dreambench.rules.decay_per_run import DecayPerRun
from bench.dreambench.table import table
from bench.dreambench.watch import watch
from dreamd.daemon.simulate.history import History, simulate

UNDOS = 12  # nights on which an undo is rehearsed


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.dreambench", description="Judges memories by known truth.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--days", type=int, default=180)
    parser.add_argument("--targets", type=int, default=500)
    parser.add_argument("--class", dest="classes", action="append", default=[], help="only targets of this class")
    parser.add_argument("--system", dest="systems", action="append", default=[], help="only this one")
    parser.add_argument("--undos", type=int, default=UNDOS, help="nights on which an undo is rehearsed")
    parser.add_argument("--no-drift", action="store_true", help="leave the other cadences out, which cost the most")
    parser.add_argument("--why", action="store_true", help="name the targets that a figure complains about")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    history = simulate(days=asked.days, targets=asked.targets, seed=asked.seed, classes=asked.classes)
    with tempfile.TemporaryDirectory() as folder:
        makers = systems(Path(folder), exports=True)
        plain = systems(Path(folder), exports=False)
        if unknown := sorted({*asked.systems} - {*makers}):
            parser.error(f"no such system: {', '.join(unknown)}; there are: {', '.join(makers)}")
        judged = {
            name: _judge(make, None if asked.no_drift else plain[name], history, undos=asked.undos)
            for name, make in makers.items()
            if not asked.systems or name in asked.systems
        }
    about = {"seed": asked.seed, "days": asked.days, "targets": len(history.targets), "events": history.event_count}
    if asked.json:
        told = {**about, "systems": {name: [asdict(figure) for figure in found] for name, found in judged.items()}}
        print(json.dumps(told, indent=1))
        return 0
    print(", ".join(f"{name} {value}" for name, value in about.items()), end="; ")
    print(f"calibration loop {calibration_seconds():.3f} CPU s")
    print("\n".join(table(judged)))
    if asked.why:
        lines = (
            f"{name}: {figure.name}: {each}"
            for name, found in judged.items()
            for figure in found
            for each in figure.failing
        )
        print("\n".join(lines))
    return 0


def systems(folder: Path, *, exports: bool) -> dict[str, Callable[[], System]]:
    """What makes a new system of each kind, by name; without `exports` it writes no files."""

    def fresh() -> Path:
        return Path(tempfile.mkdtemp(dir=folder))

    return {
        # The other cadences run without fuses: what waits for a person is what the law of cadence leaves out.
        "dreamd": lambda: Dreamd(fresh(), exports=exports, fuses=exports),
        "2 and 5 days": days.two_and_five,
        "3 and 10 days": days.three_and_ten,
        "decay per run": DecayPerRun,
        "cosine only": cosine.cosine_only,
        "connected components": cosine.connected_components,
    }


def _judge(
    make: Callable[[], System], plain: Callable[[], System] | None, history: History, *, undos: int
) -> list[Figure]:
    """The figures of one system. `plain` makes one for the other cadences; None: drift is not looked at."""
    system = make()
    try:
        watched = watch(system, history, undos=undos)
        found = figures(watched)
        nightly = system.rows()
    finally:
        system.close()
    if plain is not None:
        found += _drift_figures(drift(nightly, plain, history))
    exact = sum(watched.undone) / len(watched.undone) if watched.undone else None
    found.append(Figure(name="undo exact", value=exact, of=len(watched.undone)))
    cost = cost_of(watched.bills)
    found += [
        Figure(name="CPU seconds", value=cost.cpu_seconds, of=cost.events),
        Figure(name="CPU ms per event", value=cost.ms_per_event, of=cost.events),
        Figure(name="late night / early night", value=cost.late_to_early),
    ]
    return found


def _drift_figures(found: Drift) -> list[Figure]:
    return [
        Figure(name="cadence drift", value=found.largest, of=found.rows, failing=found.examples),
        Figure(name="rows that drift", value=float(found.differing), of=found.rows),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
