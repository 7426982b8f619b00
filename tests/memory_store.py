"""A store in memory: the contract of `SpaceStore` in a hundred lines, to test the pure core against.

What it does is the definition; the real store must do the same faster (see test_store_twins).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from dreamd.lifecycle.codec import row_to_json, table_of
from dreamd.lifecycle.ids import digest_of
from dreamd.lifecycle.invariants import Neighbourhood, broken
from dreamd.lifecycle.plan import Plan, Subject
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.quarantine import RELEASED
from dreamd.lifecycle.revert import LoggedRun
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event, Row
from dreamd.lifecycle.waking import Interval, chains, waking_intervals
from dreamd.lifecycle.words import Phase, Status

DIGESTED = ("alias", "claim", "link", "pin", "proposal", "question", "stream", "tombstone")


@dataclass
class MemoryStore:
    space: str = "default"
    events: dict[str, Event] = field(default_factory=dict)
    rows: dict[Subject, Any] = field(default_factory=dict)
    plans: list[Plan] = field(default_factory=list)
    due: dict[str, datetime | None] = field(default_factory=dict)

    def add(self, *events: Event) -> None:
        for event in events:
            self.events.setdefault(event.id, event)

    def table(self, name: str) -> dict[str, Any]:
        return {subject.id: row for subject, row in self.rows.items() if subject.table == name}

    def unexamined(self, now: datetime) -> list[Event]:
        links = [row for row in self.table("link").values() if row.stream is not None or row.rule != RELEASED]
        seen = {row.event for row in (*links, *self.table("hold").values())}
        fresh = [event for event in self.events.values() if event.id not in seen and event.at <= now]
        return sorted(fresh, key=lambda event: (event.at, event.id))

    def waking(self, policy: Policy) -> tuple[Interval, ...]:
        window = policy.waking_window_days
        return waking_intervals(chains((event.at for event in self.events.values()), window), window)

    def snapshot(self, new: Sequence[Event], streams: Collection[str], now: datetime, policy: Policy) -> Snapshot:
        known = self.table("stream")
        due = {id_ for id_, row in known.items() if row.status not in (Status.MERGED, Status.FORGOTTEN)}
        play = (set(streams) | due) & known.keys()

        def part(name: str, which: Collection[str]) -> dict[str, Any]:
            return {id_: row for id_, row in self.table(name).items() if row.stream in which}

        links, holds = part("link", streams), part("hold", set(streams) | due)
        linked = {row.event for row in (*links.values(), *holds.values()) if row.event and row.stream in streams}
        mature = [row for row in known.values() if row.phase is not Phase.PATTERN and row.status is Status.ACTIVE]
        since = now - timedelta(days=policy.fuse_window_days)
        return Snapshot(
            space=self.space,
            base=self.plans[-1].run if self.plans else "",
            number=len(self.plans),
            last_now=self.plans[-1].now if self.plans else None,
            last_policy_digest=self.plans[-1].policy_digest if self.plans else None,
            streams={id_: known[id_] for id_ in play},
            claims=part("claim", play),
            links=links,
            aliases=part("alias", play),
            pins=part("pin", play),
            holds=holds,
            tombstones=self.table("tombstone"),
            proposals=part("proposal", play),
            questions=part("question", play),
            events={**{event.id: event for event in new}, **{id_: self.events[id_] for id_ in linked}},
            new=tuple(event.id for event in new),
            waiting=sum(event.at > now for event in self.events.values()),
            due=tuple(sorted(due - set(streams))),
            waking=self.waking(policy),
            mature_count=len(mature),
            recent_fused=sum(plan.fused for plan in self.plans if plan.now > since),
            extensions={},
            grouped=frozenset(),
            timeless=frozenset(),
            watched=(),
        )

    def alias_targets(self) -> Mapping[str, str]:
        return {}

    def apply(self, plan: Plan) -> None:
        assert plan.base == (self.plans[-1].run if self.plans else "")
        for change in plan.changes:
            assert self.rows.get(change.subject) == change.before, change
            if change.after is None:
                del self.rows[change.subject]
            else:
                self.rows[change.subject] = change.after
        self.plans.append(plan)
        assert broken(self.neighbourhood()) == []

    def neighbourhood(self) -> Neighbourhood:
        links = [row for row in self.table("link").values() if row.stream is not None]
        return Neighbourhood(
            streams=tuple(self.table("stream").values()),
            claims=tuple(self.table("claim").values()),
            links=tuple(links),
            aliases=tuple(self.table("alias").values()),
            pins=tuple(self.table("pin").values()),
            proposals=tuple(self.table("proposal").values()),
            questions=tuple(self.table("question").values()),
            events=frozenset(self.events),
            merge_targets=frozenset(self.table("stream")),
        )

    def log(self) -> list[LoggedRun]:
        return [
            LoggedRun(number=plan.number, id=plan.run, trigger=plan.trigger, changes=plan.changes, reverts=plan.reverts)
            for plan in self.plans
        ]

    def digest(self) -> str:
        rows = sorted(
            (subject, repr(row_to_json(row))) for subject, row in self.rows.items() if subject.table in DIGESTED
        )
        return digest_of(*(f"{subject.table}/{subject.id}={text}" for subject, text in rows))

    def set_due(self, due: Mapping[str, datetime | None]) -> None:
        self.due.update(due)


def targets_of(rows: Collection[Any], check: Callable[[Row], bool] = lambda row: True) -> set[str]:
    return {row.target for row in rows if table_of(row) == "stream" and check(row)}
