"""What the lifecycle makes of real histories, under one policy for all: does it keep what will be needed?

Reads every `commits/commits_*.jsonl` of the data folder; a history too short for a cut with a year after it is named
and left out. Targets (issue 4), as the mean over histories: precision at least 0.83 at a recall of at least 0.40, no
history below precision 0.70 or without a CANONICAL stream, at most 0.30 of the canonical streams faded and back.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from bench.commit_histories import History, read_history
from bench.commit_lives import Lived, lived_by_days, lived_by_lifecycle
from bench.judging import Judged, cuts_of, judge, mean_of
from bench.measure import measure
from dreamd.lifecycle.policy import Policy

NAMED_RULES = ((8, 180), (10, 365), (10, None), (5, 120))  # distinct days, silent days
CURVE_DAYS = (3, 5, 8, 10, 15)
CURVE_SILENT_DAYS = (60, 90, 120, 180, 270, 365, 540, None)
MIN_PRECISION, MIN_RECALL, MIN_PRECISION_OF_ANY, MAX_BACK = 0.83, 0.40, 0.70, 0.30

Rule = Callable[[History, Sequence[datetime]], Mapping[str, Lived]]


def main(data_dir: Path) -> None:
    files = sorted((data_dir / "commits").glob("commits_*.jsonl"))
    if not files:
        print(f"skipped: there is no {data_dir / 'commits' / 'commits_*.jsonl'}")
        return
    histories, _ = measure("read the histories", lambda: [history for file in files for history in _read(file)])
    if not histories:
        return
    lifecycle, _ = measure("the lifecycle over all of them", lambda: _judged(histories, by_lifecycle(Policy())))
    print("\nprecision / recall at half-yearly cuts; faded and back; canonical streams; median days to CANONICAL")
    _print("dreamd's lifecycle", histories, lifecycle)
    for days, silent_days in NAMED_RULES:
        _print(name_of(days, silent_days), histories, _judged(histories, by_days(days, silent_days)))
    _curve(histories, mean_of(lifecycle))
    _targets(lifecycle)


def by_lifecycle(policy: Policy) -> Rule:
    return lambda history, cuts: lived_by_lifecycle(history, cuts, policy)


def by_days(days: int, silent_days: int | None) -> Rule:
    return lambda history, cuts: lived_by_days(history, cuts, days, silent_days)


def name_of(days: int, silent_days: int | None) -> str:
    return f"{days} days" if silent_days is None else f"{days} days, silent <= {silent_days}"


def missed_targets(judged: Sequence[Judged]) -> list[str]:
    """Which of the targets `judged` (one a history) does not meet, in words."""
    mean = mean_of(judged)
    checks = (
        ("mean precision", mean.precision, MIN_PRECISION, True),
        ("mean recall", mean.recall, MIN_RECALL, True),
        ("lowest precision", min((one.precision or 0.0 for one in judged), default=0.0), MIN_PRECISION_OF_ANY, True),
        ("fewest canonical streams", float(min((one.canonical for one in judged), default=0)), 1.0, True),
        ("mean share faded and back", mean.back, MAX_BACK, False),
    )
    return [
        f"{name} {'none' if value is None else f'{value:.3f}'}, wanted {'>=' if is_least else '<='} {bound:g}"
        for name, value, bound, is_least in checks
        if value is None or (value < bound if is_least else value > bound)
    ]


def _read(file: Path) -> Iterable[History]:
    history = read_history(file)
    if history is None or not cuts_of(history):
        print(f"left out: {file.name} has no half-yearly cut with 365 days after it")
        return
    count = sum(map(len, history.evidence.values()))
    print(f"{history.name}: {count} commits, {len(history.evidence)} targets, {len(cuts_of(history))} cuts")
    yield history


def _judged(histories: Sequence[History], rule: Rule) -> list[Judged]:
    return [judge(rule(history, cuts_of(history)).values(), cuts_of(history)) for history in histories]


def _print(name: str, histories: Sequence[History], judged: Sequence[Judged]) -> None:
    print(f"{name}")
    for history, one in zip(histories, judged, strict=True):
        print(f"  {history.name:<20} {one.row()}")
    print(f"  {'mean':<20} {mean_of(judged).row()}")


def _curve(histories: Sequence[History], ours: Judged) -> None:
    """Every rule of two numbers: mean precision / recall, faded and back. `*`: at least ours in the first two."""
    print("\nk distinct days, silent at most x days: mean precision / recall, faded and back")
    print("  x =      " + "".join(f"{'any' if silent is None else silent:>20}" for silent in CURVE_SILENT_DAYS))
    for days in CURVE_DAYS:
        means = [mean_of(_judged(histories, by_days(days, silent))) for silent in CURVE_SILENT_DAYS]
        print(f"  k = {days:<5}" + "".join(f"{_cell(one, ours):>20}" for one in means))
    print("  *: at least as precise and as complete as the lifecycle")


def _cell(one: Judged, ours: Judged) -> str:
    precision, recall, back = one.precision or 0.0, one.recall or 0.0, one.back or 0.0
    is_better = precision >= (ours.precision or 0.0) and recall >= (ours.recall or 0.0)
    return f"{precision:.2f}/{recall:.2f} b{back:.2f}{'*' if is_better else ' '}"


def _targets(judged: Sequence[Judged]) -> None:
    missed = missed_targets(judged)
    print("\ntargets: all met" if not missed else "\ntargets missed: " + "; ".join(missed))
