"""Whether what opposes a decision outweighs what supports it, at any instant while it was current."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.words import Bearing


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionSpan:
    """When one explicit decision of the stream was current: from `since` until just before `until`."""

    claim: str
    since: datetime
    until: datetime | None  # None: still current


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A decision that is current, with the deliveries for and against it since then."""

    claim: str
    since: datetime
    supports: int
    opposes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """Running counts, to weigh in logarithmic time what bears on a decision while it was current.

    `before` holds what was weighed of each decision in evidence that came before the first of `instants`.
    """

    instants: Sequence[datetime]
    supports: Sequence[int]  # deliveries before each place
    opposes: Sequence[int]
    spans: Sequence[tuple[DecisionSpan, int]]  # with the place at which each begins
    before: dict[str, tuple[int, int]]  # claim -> supports, opposes

    @classmethod
    def of(
        cls, ordered: Sequence[Evidence], decisions: Sequence[DecisionSpan], before: Sequence[Weighed] = ()
    ) -> "Doubts":
        instants = [one.at for one in ordered]
        return cls(
            instants=instants,
            supports=_running(ordered, Bearing.SUPPORTS),
            opposes=_running(ordered, Bearing.OPPOSES),
            spans=[(span, bisect_left(instants, span.since)) for span in decisions],
            before={one.claim: (one.supports, one.opposes) for one in before},
        )

    def at(self, instant: datetime) -> bool:
        """Whether more opposes than supports some decision that is current at `instant`."""
        end = bisect_right(self.instants, instant)
        for span, start in self.spans:
            if span.since <= instant and (span.until is None or instant < span.until):
                supports, opposes = self._between(span, start, end)
                if opposes > supports:
                    return True
        return False

    def weighed(self) -> tuple[Weighed, ...]:
        """The decisions that are still current, weighed to the end."""
        found = []
        for span, start in self.spans:
            if span.until is None:
                supports, opposes = self._between(span, start, len(self.instants))
                found.append(Weighed(claim=span.claim, since=span.since, supports=supports, opposes=opposes))
        return tuple(found)

    def _between(self, span: DecisionSpan, start: int, end: int) -> tuple[int, int]:
        supports, opposes = self.before.get(span.claim, (0, 0))
        return (
            supports + self.supports[end] - self.supports[start],
            opposes + self.opposes[end] - self.opposes[start],
        )


def _running(ordered: Sequence[Evidence], bearing: Bearing) -> list[int]:
    return list(accumulate((one.count if one.bearing is bearing else 0 for one in ordered), initial=0))
