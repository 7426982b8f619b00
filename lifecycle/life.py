"""The life of one stream, told from its evidence: what would have been shown at each instant, had all of it been known.

The same folds and closed forms as the dream's, walked through from the first evidence on; nothing here is stored. What
the row knows better than its evidence, its phases and its decay class, is taken from the row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from itertools import groupby
from operator import attrgetter

from dreamd.lifecycle.ageing import DECAYING, DORMANT, FADED, aged
from dreamd.lifecycle.confidence import confidence_at
from dreamd.lifecycle.evidence import Evidence
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import Signals, fold, fold_onto
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import Bearing, Phase, Status, Vitality

STEP = timedelta(days=1)  # between two looks at the confidence of a silent stream
STATES = {DECAYING: Vitality.DECAYING.value, DORMANT: Vitality.DORMANT.value, FADED: Status.FADED.value}

_OF_SIGNALS = tuple({field.name for field in fields(Signals)} & {field.name for field in fields(Stream)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    start: datetime
    end: datetime
    name: str  # of a phase, a vitality, or `faded`


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    target: str
    title: str
    phases: tuple[Span, ...]  # ascending, without a gap, from the first evidence until now
    states: tuple[Span, ...]  # vitality, or `faded`; likewise
    confidence: tuple[tuple[datetime, float], ...]  # ascending; two at one instant are a jump
    supports: tuple[datetime, ...]  # instants of evidence, ascending
    opposes: tuple[datetime, ...]


def life_of(
    stream: Stream, evidence: Sequence[Evidence], now: datetime, waking: Sequence[Interval], policy: Policy
) -> Life | None:
    """The life of `stream` with this `evidence` (all of it, in any order) until `now`; None if it began later."""
    bearing = sorted(
        (one for one in evidence if one.bearing is not Bearing.MENTIONS and one.at <= now),
        key=lambda one: (one.at, one.event),
    )
    if not bearing:
        return None
    rows = list(rows_of(stream, bearing, policy))
    ends = [*(row.last_seen for row in rows[1:]), now]
    states: list[Span] = []
    confidence: list[tuple[datetime, float]] = []
    for row, end in zip(rows, ends, strict=True):
        states += _states(row, end, waking, policy)
        confidence += [(at, confidence_at(row, at, waking, policy)) for at in _looks(row.last_seen, end)]
    return Life(
        target=stream.target,
        title=stream.title,
        phases=_joined(_phases(stream, bearing[0].at, now)),
        states=_joined(states),
        confidence=tuple(confidence),
        supports=tuple(one.at for one in bearing if one.bearing is Bearing.SUPPORTS),
        opposes=tuple(one.at for one in bearing if one.bearing is Bearing.OPPOSES),
    )


def rows_of(stream: Stream, ordered: Sequence[Evidence], policy: Policy) -> Iterator[Stream]:
    """`stream` as each instant of `ordered` evidence left it: measured, ACTIVE, not aged."""
    standing = None
    sessions: set[str] = set()
    for _, group in groupby(ordered, key=attrgetter("at")):
        instant = list(group)
        if standing is None:
            maturity = fold(instant, policy, question_open_from=None, decisions=())
        else:
            maturity = fold_onto(standing, instant, policy, sessions)
        standing = maturity.standing
        sessions.update(one.session for one in instant if one.session is not None and one.bearing is Bearing.SUPPORTS)
        yield replace(
            stream,
            vitality=Vitality.ACTIVE,
            status=Status.ACTIVE,
            crossed_at=None,
            **{name: getattr(maturity.signals, name) for name in _OF_SIGNALS},
        )


def _phases(stream: Stream, start: datetime, now: datetime) -> Iterator[Span]:
    """As the row says when each was reached; one that an explicit birth skipped has no length."""
    emergent = _within(start, stream.emergent_at, now)
    canonical = max(emergent, _within(start, stream.canonical_at, now))
    yield Span(start=start, end=min(emergent, canonical), name=Phase.PATTERN.value)
    yield Span(start=emergent, end=canonical, name=Phase.EMERGENT.value)
    yield Span(start=canonical, end=now, name=Phase.CANONICAL.value)


def _within(start: datetime, at: datetime | None, now: datetime) -> datetime:
    return now if at is None else min(max(at, start), now)


def _states(row: Stream, end: datetime, waking: Sequence[Interval], policy: Policy) -> Iterator[Span]:
    """How alive `row` was from its last evidence until `end`. It wakes at the very instant of new evidence."""
    at, name = row.last_seen, Vitality.ACTIVE.value
    for kind, instant in aged(row, end, waking, policy).crossings:
        yield Span(start=at, end=instant, name=name)
        at, name = instant, STATES[kind]
    yield Span(start=at, end=end, name=name)


def _looks(start: datetime, end: datetime) -> Iterator[datetime]:
    at = start
    while at < end:
        yield at
        at += STEP
    yield end


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Without empty spans, and with neighbours of one name made one."""
    joined: list[Span] = []
    for span in spans:
        if span.start >= span.end:
            continue
        if joined and joined[-1].name == span.name:
            joined[-1] = replace(joined[-1], end=span.end)
        else:
            joined.append(span)
    return tuple(joined)
