"""What it costs: CPU seconds in all, for each event, and of a late night beside an early one."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.dreambench.watch import Bill

EARLY = range(6, 15)  # days around the tenth
LATE_NIGHTS = 9  # of the last ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    cpu_seconds: float  # in all
    events: int
    early_ms: float | None  # for each new event, median of working nights around the tenth
    late_ms: float | None  # of the last working nights

    @property
    def ms_per_event(self) -> float:
        return 1000 * self.cpu_seconds / self.events if self.events else 0.0

    @property
    def late_to_early(self) -> float | None:
        """How many times as much the same new evidence costs at the end as in the beginning."""
        return None if not self.early_ms or self.late_ms is None else self.late_ms / self.early_ms


def cost_of(bills: Sequence[Bill]) -> Cost:
    usual = median(bill.new_events for bill in bills) / 2
    # Nights of weekends and pauses have too little to be divided by.
    working = [bill for bill in bills if bill.new_events > usual]
    return Cost(
        cpu_seconds=sum(bill.cpu_seconds for bill in bills),
        events=sum(bill.new_events for bill in bills),
        early_ms=_ms([bill for bill in working if bill.day in EARLY]),
        late_ms=_ms([bill for bill in working if bill.day not in EARLY][-LATE_NIGHTS:]),
    )


def _ms(bills: Sequence[Bill]) -> float | None:
    return median(1000 * bill.cpu_seconds / bill.new_events for bill in bills) if bills else None
