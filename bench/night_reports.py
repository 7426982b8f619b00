"""What the report of a busy night costs beside the rest of its export, and how large it is.

A month of nights with 830 events about some 350 of 2,000 targets is dreamt over; then the next nights are exported one
by one, and the report of each is made again from the same plan. It prints the CPU of both and the bytes of both files.
"""

import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from statistics import median

from bench.calibration import calibration_seconds
from bench.dreambench.ours import SPACE, Dreamd
from bench.grown_store import START, night_of
from dreamd.daemon.hiding import hidden_plan
from dreamd.daemon.publish import catch_up, tell
from dreamd.daemon.run import dream_once
from dreamd.lifecycle.plan import Plan
from dreamd.repo_export.report import render_report
from dreamd.repo_export.reports.as_json import render_report_json

TARGETS, AT_WORK, EVENTS = 2_000, 350, 830
NIGHTS, MEASURED = 30, 6


def main(_data_dir: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        system = Dreamd(Path(folder), exports=False)
        for day in range(NIGHTS):
            _dream(system, day)
        _export(system, None)
        figures = [_measured(system, NIGHTS + number) for number in range(MEASURED)]
        system.close()
    loop = calibration_seconds()
    names = ("export of a night", "  its report: what it tells of", "  its report: Markdown", "  its report: JSON")
    for name, seconds in zip(names, zip(*(cost for cost, _ in figures), strict=True), strict=True):
        print(f"{name:<32} {median(seconds):7.3f} CPU s {median(seconds) / loop:6.2f} loops", flush=True)
    changes, text, data = (median(size) for size in zip(*(sizes for _, sizes in figures), strict=True))
    print(f"{changes:,.0f} changes: {text:,.0f} bytes of Markdown, {data:,.0f} of JSON")


def _measured(system: Dreamd, day: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """(CPU seconds of the export and of the report's parts), (changes, bytes of Markdown, bytes of JSON)"""
    plan = _dream(system, day)
    export = _seconds(lambda: _export(system, plan))
    plan = hidden_plan(plan, system.session.redact)
    telling = tell(system.store, plan, system.session.redact)
    tells = _seconds(lambda: tell(system.store, plan, system.session.redact))
    markdown = _seconds(lambda: render_report(telling))
    data = _seconds(lambda: render_report_json(telling))
    sizes = (len(plan.changes), len(render_report(telling)), len(render_report_json(telling)))
    return (export, tells, markdown, data), sizes


def _dream(system: Dreamd, day: int) -> Plan:
    at_work = Random(day).sample(range(TARGETS), AT_WORK)
    system.ingest(night_of(day, EVENTS, at_work))
    now = START + timedelta(days=day + 1)
    system.session.now = now
    return dream_once(system.store, now, system.policy, _nothing, by_hand=True)


def _export(system: Dreamd, plan: Plan | None) -> None:
    session = system.session
    catch_up(system.store, session.repository(SPACE), session.now, _nothing, session.redact, plan=plan)


def _seconds(call: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def _nothing(name: str) -> None:
    """A failpoint that lets everything pass."""


if __name__ == "__main__":
    main(Path("."))
