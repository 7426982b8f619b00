"""What a call costs, with the processes it starts: CPU seconds and peak memory, a calibration loop beside them."""

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from bench.calibration import calibration_seconds

BYTES_PER_UNIT = 1 if sys.platform == "darwin" else 1024  # of ru_maxrss
MEBIBYTE = 1024 * 1024

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    name: str
    cpu_seconds: float
    calibration_seconds: float  # of the fixed loop, right after the call
    peak_mb: float  # highest resident memory of this process so far, not of the call alone

    def row(self) -> str:
        ratio = self.cpu_seconds / self.calibration_seconds
        return (
            f"{self.name:<40} {self.cpu_seconds:9.3f} CPU s   {ratio:8.2f} x calibration"
            f" ({self.calibration_seconds:.3f})   {self.peak_mb:7.0f} MB peak"
        )


def _cpu_seconds() -> float:
    """Of this process and of the children it has waited for: the git that a call starts is part of its cost."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def cpu_seconds_of(call: Callable[[], object]) -> float:
    """The CPU seconds of `call`, its processes included; for figures that have a row of their own."""
    start = _cpu_seconds()
    call()
    return _cpu_seconds() - start


def measure(name: str, call: Callable[[], Result]) -> tuple[Result, Cost]:
    """What `call` returns and what it cost; the row is printed at once, since a long bench is watched."""
    start = _cpu_seconds()
    result = call()
    cpu_seconds = _cpu_seconds() - start
    cost = Cost(
        name=name,
        cpu_seconds=cpu_seconds,
        calibration_seconds=calibration_seconds(),
        peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_UNIT / MEBIBYTE,
    )
    print(cost.row(), flush=True)
    return result, cost
