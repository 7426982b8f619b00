"""The store as the rest of dreamd sees it: open it, choose a space, ask or apply.

The space is bound here and nowhere else. Every method of `SpaceStore` is one transaction around functions that are
sorted by idea: facts, snapshot, apply, log, reading.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from sqlalchemy import Engine, select

from dreamd.daemon.storage import apply as applying
from dreamd.daemon.storage import facts, findings, log, looking, reading, standing, work
from dreamd.daemon.storage import snapshot as snapshots
from dreamd.daemon.storage.apply import Applied, Beside, Check, Stale
from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.daemon.storage.engine import BUSY_TIMEOUT_MS, make_engine
from dreamd.daemon.storage.engine import reading as reading_from
from dreamd.daemon.storage.engine import writing as writing_to
from dreamd.daemon.storage.facts import Delivery, Guard
from dreamd.daemon.storage.findings import Finding
from dreamd.daemon.storage.log import Attempt, Head, RunRecord
from dreamd.daemon.storage.reading import LinkedEvent, Member, Origin, StoreCounts
from dreamd.daemon.storage.rows import AnyRow, Reach, reach_nothing, rows_of, rows_where
from dreamd.daemon.storage.schema import ensure_schema
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.checkpoint import Checkpoint
from dreamd.lifecycle.invariants import broken
from dreamd.lifecycle.plan import Change, Plan, Subject
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Alias, Claim, Event, Hold, Link, Pin, Proposal, Question, Row, Stream, Tombstone
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import EventKind, Phase, Status
from dreamd.reflection.practice.values import WORK

PAGE = 1_000  # events read at a time when all are read

V = TypeVar("V")


class Store:
    """One database, open. Close it when done."""

    def __init__(self, engine: Engine, window_days: float) -> None:
        self._engine = engine
        self._window_days = window_days
        self.guard: Guard | None = None  # knows what was purged and may not come in again

    @classmethod
    def open(cls, url_or_path: str | Path, *, window_days: float, busy_timeout_ms: int = BUSY_TIMEOUT_MS) -> "Store":
        """Open, create or migrate a store. `window_days` is the waking window that its clocks are kept for.

        Raises StorageError, StoreBusy or StoreTooNew.
        """
        engine = make_engine(url_or_path, busy_timeout_ms=busy_timeout_ms)
        try:
            ensure_schema(engine)
        except BaseException:
            engine.dispose()
            raise
        return cls(engine, window_days)

    def spaces(self) -> tuple[str, ...]:
        """The names of the spaces that hold anything, sorted."""
        with reading_from(self._engine) as connection:
            return tuple(sorted(connection.scalars(select(TABLES["space"].c.name))))

    def cursors(self, prefix: str) -> list[tuple[str, str, str]]:
        """(space, source, value) of every cursor whose source begins with `prefix`: how far many files were read."""
        with reading_from(self._engine) as connection:
            return facts.read_cursors(connection, prefix)

    def space(self, name: str) -> "SpaceStore":
        return SpaceStore(self._engine, name, self._window_days, self.guard)

    def close(self) -> None:
        self._engine.dispose()


class SpaceStore:
    """One space of a store; nothing here can see or touch another space."""

    def __init__(self, engine: Engine, space: str, window_days: float, guard: Guard | None = None) -> None:
        self._engine = engine
        self.space = space
        self._window_days = window_days
        self.guard = guard

    # facts

    def add_events(
        self, events: Sequence[Event], cursor: tuple[str, str] | None = None, *more: tuple[str, str]
    ) -> tuple[Delivery, ...]:
        """Store the events that are new, and move the cursor (source, value) and `more`, in one transaction."""
        with writing_to(self._engine) as connection:
            deliveries = facts.add_events(connection, self.space, events, self._window_days, self.guard)
            for moved in (*(() if cursor is None else (cursor,)), *more):
                facts.write_cursor(connection, self.space, *moved)
        return deliveries

    def cursors(self, prefix: str) -> dict[str, str]:
        """The values of the cursors of this space whose source begins with `prefix`, by source."""
        with reading_from(self._engine) as connection:
            found = facts.read_cursors(connection, prefix)
        return {source: value for space, source, value in found if space == self.space}

    def cursor(self, source: str) -> str | None:
        return self._read(facts.read_cursor, source)

    def set_cursor(self, source: str, value: str) -> None:
        with writing_to(self._engine) as connection:
            facts.write_cursor(connection, self.space, source, value)

    def unexamined(self, now: datetime, limit: int | None = None) -> list[Event]:
        return self._read(facts.unexamined, now, limit)

    def released(self) -> frozenset[str]:
        """The unexamined events that a person let out of quarantine."""
        return self._read(facts.released)

    def waiting(self, now: datetime) -> int:
        return self._read(facts.waiting, now)

    def newest(self, now: datetime, limit: int) -> list[Event]:
        return self._read(looking.newest, now, limit)

    def examined(self, rules: Collection[str], beginning: str | None, limit: int | None) -> list[tuple[Event, Link]]:
        """The events that have a link by one of `rules`, or by one that starts with `beginning`."""
        return self._read(looking.examined, rules, beginning, limit)

    # a run

    def head(self) -> Head:
        return self._read(log.read_head)

    def alias_targets(self) -> dict[str, str]:
        """Spelling -> target, for aliases by a merge or by a person."""
        return self._read(reading.alias_targets)

    def waking(self, policy: Policy) -> tuple[Interval, ...]:
        return self._read(snapshots.waking_of, policy.waking_window_days)

    def snapshot(
        self,
        new: Sequence[Event],
        stream_ids: Collection[str],
        now: datetime,
        policy: Policy,
        news: Mapping[str, PlainNews] = MappingProxyType({}),
    ) -> Snapshot:
        return self._read(snapshots.snapshot, new, stream_ids, now, policy, news)

    def session_mates(
        self,
        sessions: Mapping[str, work.Span],
        having: EventKind,
        known: Collection[str],
        kinds: Collection[EventKind] = WORK,
    ) -> work.Placed:
        """What happened, but the `known`, in the spans of those of `sessions` with such an event, with streams."""
        return self._read(work.session_mates, sessions, having, known, kinds) if sessions else []

    def work_on(self, streams: Collection[str]) -> work.Placed:
        """All that bears on `streams` and practice may be found in."""
        return self._read(work.work_on, streams) if streams else []

    def citing(self, events: Collection[str]) -> set[str]:
        """The streams with claims that need some of `events` beside the one that states them."""
        return self._read(work.citing, events) if events else set()

    def same_decisions(self, texts: Collection[str], known: Collection[str]) -> work.Placed:
        """The decisions in the words of `texts`, whatever they are about, but the `known`, with their streams."""
        return self._read(work.same_decisions, texts, known) if texts else []

    def known_claims(self, ids: Collection[str]) -> set[str]:
        """Those of `ids` that are claims."""
        return self._read(work.known_claims, ids) if ids else set()

    def shortly_before(
        self, streams: Mapping[str, bool], span: work.Span, mends: Callable[[EventKind, str], bool]
    ) -> work.Placed:
        """What happened within `span` about those of `streams` with trouble and a remedy, with the stream of each."""
        return self._read(work.shortly_before, streams, span, mends)

    def apply(  # noqa: PLR0913 - what is beside a plan is named one by one, so that callers stay readable
        self,
        plan: Plan,
        *,
        due: Mapping[str, datetime | None],
        checkpoints: Mapping[str, Checkpoint | None] = MappingProxyType({}),
        started_at: datetime | None = None,
        timings: Mapping[str, float] | None = None,
        waking: tuple[Interval, ...] | None = None,
        policy: Policy | None = None,
        check: Check = broken,
        reach: Reach = reach_nothing,
    ) -> Applied | Stale:
        """Write `plan` if the head still is its base.

        `waking` is the snapshot's: an event that came since then with an older date is then noticed by the next
        dream. Raises StoreDrift or BrokenInvariant with nothing written.
        """
        if plan.space != self.space:
            raise ValueError(f"a plan of space {plan.space!r} cannot be applied to space {self.space!r}")
        beside = Beside(
            due=due,
            checkpoints=checkpoints,
            started_at=started_at,
            timings=timings or {},
            waking=waking,
            policy=policy,
        )
        with writing_to(self._engine) as connection:
            facts.ensure_space(connection, self.space, self._window_days)
            outcome = applying.apply(connection, plan, beside, self._window_days, check)
            if isinstance(outcome, Applied):
                reach("apply-before-commit")
        if isinstance(outcome, Applied):
            reach("apply-after-commit")
        return outcome

    def through(self, step: Callable[[Engine, str, float], V]) -> V:
        """What a step of a purge gives, which has transactions of its own; see erasing.py."""
        return step(self._engine, self.space, self._window_days)

    def set_due(self, due: Mapping[str, datetime | None]) -> None:
        with writing_to(self._engine) as connection:
            log.set_due(connection, self.space, due)

    def mark_looked(self, now: datetime, waking: tuple[Interval, ...], policy: Policy) -> None:
        """A dream at `now` changed nothing: until the past or the policy changes, only due dates count again."""
        with writing_to(self._engine) as connection:
            applying.mark_looked(connection, self.space, now, waking, policy.digest(), policy)

    def record_attempt(self, attempt: Attempt) -> Attempt:
        with writing_to(self._engine) as connection:
            return log.record_attempt(connection, self.space, attempt)

    # what was asked of an embedder or a distiller

    def findings(self, keys: Collection[str]) -> dict[str, Finding]:
        """The findings that are there, by key (`finding_key`)."""
        return self._read(findings.read_findings, keys)

    def add_findings(self, made: Sequence[Finding], cursor: tuple[str, str] | None = None) -> None:
        """Keep what was `made` and move the cursor (source, value), in one transaction; what is there stays."""
        with writing_to(self._engine) as connection:
            findings.write_findings(connection, self.space, made)
            if cursor is not None:
                facts.write_cursor(connection, self.space, *cursor)

    def erase_findings(self, digests: Collection[str]) -> int:
        """Remove what was made of any text with one of `digests`; how many there were."""
        with writing_to(self._engine) as connection:
            return findings.erase_findings(connection, self.space, digests)

    def drop_findings(self, keys: Collection[str]) -> None:
        with writing_to(self._engine) as connection:
            findings.drop_findings(connection, self.space, keys)

    def finding_counts(self) -> Mapping[tuple[str, str], int]:
        """How many findings are kept, by (version, model)."""
        return self._read(findings.count_findings)

    # the log

    def attempts(self, limit: int | None = None) -> list[Attempt]:
        """The last attempts, newest first."""
        return self._read(log.attempts, limit)

    def latest_attempt(self) -> Attempt | None:
        return next(iter(self.attempts(1)), None)

    def runs(self, after: int = 0) -> list[RunRecord]:
        """All runs after the one with that number, oldest first."""
        return self._read(log.runs, after)

    def number_of_run(self, id: str) -> int | None:
        return self._read(log.number_of_run, id)

    def run(self, number: int) -> RunRecord | None:
        return self._read(log.run, number)

    def changes(self, number: int) -> tuple[Change, ...]:
        return self._read(log.changes, number)

    def changes_since(self, number: int) -> list[tuple[int, tuple[Change, ...]]]:
        return self._read(log.changes_since, number)

    def changed_subjects_since(self, number: int) -> dict[Subject, tuple[int, ...]]:
        return self._read(log.changed_subjects_since, number)

    def changes_of(self, subject: str) -> list[tuple[int, Change]]:
        return self._read(log.changes_of, subject)

    # the memory as it is

    def streams(self, status: Status | None = None, phase: Phase | None = None) -> list[Stream]:
        return self._read(reading.streams, status, phase)

    def stream(self, id: str) -> Stream | None:
        return next(iter(self._where(Stream, "id", {id})), None)

    def stream_by_target(self, target: str) -> Stream | None:
        return self._read(reading.stream_by_target, target)

    def live_targets(self) -> set[str]:
        """The targets of the streams that are neither merged into another nor forgotten."""
        return self._read(reading.live_targets)

    def claims(self, stream_ids: Collection[str] | None = None) -> list[Claim]:
        return self._read(reading.claims, stream_ids)

    def members_beside(self, claim_ids: Collection[str]) -> list[Member]:
        return self._read(reading.members_beside, claim_ids)

    def claims_in(self, groups: Collection[str]) -> list[Claim]:
        return self._read(reading.claims_in, groups)

    def outright_claims(self) -> list[Claim]:
        return self._read(reading.outright_claims)

    def links(self, stream: str | None = None) -> list[Link]:
        """The links to one stream, or all links."""
        return self._all(Link) if stream is None else self._where(Link, "stream", {stream})

    def links_of_claims(self, claim_ids: Collection[str]) -> list[Link]:
        return self._where(Link, "claim", claim_ids)

    def quarantine(self) -> list[Link]:
        """The links that keep an event in quarantine."""
        return self._read(reading.quarantine)

    def links_of_event(self, event: str) -> list[Link]:
        return self._where(Link, "event", {event})

    def links_of_events(self, events: Collection[str]) -> list[Link]:
        return self._where(Link, "event", events)

    def events(self, ids: Collection[str]) -> list[Event]:
        return self._where(Event, "id", ids)

    def event_page(self, after: tuple[datetime, str] | None = None, limit: int = PAGE) -> list[LinkedEvent]:
        return self._read(reading.event_page, after, limit)

    def all_events(self) -> Iterator[LinkedEvent]:
        """All events by (at, id), a page at a time; each page is of one state, two pages may be of two."""
        page = self.event_page()
        while page:
            yield from page
            page = self.event_page((page[-1].event.at, page[-1].event.id))

    def aliases(self, streams: Collection[str] | None = None) -> list[Alias]:
        return self._all(Alias) if streams is None else self._where(Alias, "stream", streams)

    def pins(self) -> list[Pin]:
        return self._all(Pin)

    def holds(self) -> list[Hold]:
        return self._all(Hold)

    def tombstones(self) -> list[Tombstone]:
        return self._all(Tombstone)

    def proposals(self) -> list[Proposal]:
        return self._all(Proposal)

    def questions(self) -> list[Question]:
        return self._all(Question)

    def open_rows(self) -> standing.OpenRows:
        """What waits for a person, is kept back, held or doubted."""
        return self._read(standing.open_rows)

    def origins(self, event_ids: Collection[str]) -> dict[str, Origin]:
        return self._read(reading.origins, event_ids)

    def counts(self) -> StoreCounts:
        return self._read(reading.counts)

    def prefixed(self, subject: str) -> list[Row | Event]:
        """The rows whose id is `subject`, else those whose id begins with it."""
        return self._read(reading.prefixed, subject)

    def digest(self) -> str:
        return self._read(reading.digest)

    def _read(self, ask: Callable[..., V], *arguments: object) -> V:
        with reading_from(self._engine) as connection:
            return ask(connection, self.space, *arguments)

    def _all(self, kind: type[AnyRow]) -> list[AnyRow]:
        return self._read(lambda connection, space: rows_of(connection, kind, space))

    def _where(self, kind: type[AnyRow], column: str, wanted: Collection[str]) -> list[AnyRow]:
        return self._read(lambda connection, space: rows_where(connection, kind, space, column, wanted))
