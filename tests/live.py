"""A real space for tests: real SQLite and, if wanted, real Git, driven by the functions that the CLI calls."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from dreamd.daemon import orders
from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.limits import Limits
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.planning import plan_order, plan_retarget
from dreamd.daemon.publish import Exported, catch_up
from dreamd.daemon.reverting import Wish, revert
from dreamd.daemon.run import carry_out, dream_once
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.revert import Undoing
from dreamd.lifecycle.values import Event, Stream
from dreamd.lifecycle.words import Actor
from dreamd.repo_export.git import MemoryRepository

STORIES = Path(__file__).parent / "acceptance" / "stories"
KEY = b"k" * 32


def nothing(name: str) -> None:
    """A failpoint that lets everything pass."""


class LiveSpace:
    """One space in a store at `folder`, with a memory repository if `with_git`."""

    def __init__(
        self,
        folder: Path,
        *,
        space: str = "default",
        with_git: bool = True,
        reach: Callable[[str], None] = nothing,
        policy: Policy | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.reach = reach
        self.near: Nearness | None = None  # what compares texts beyond their words
        self._open = Store.open(folder / "dreamd.db", window_days=self.policy.waking_window_days)
        self.store: SpaceStore = self._open.space(space)
        self.repository = MemoryRepository.create(folder / "memory" / space, reach) if with_git else None

    def close(self) -> None:
        self._open.close()

    def add(self, *events: Event) -> None:
        self.store.add_events([replace(event, space=self.store.space) for event in events])

    def dream(self, now: datetime) -> Plan:
        plan = dream_once(self.store, now, self.policy, self.reach, by_hand=False, near=self.near)
        self.export(now)
        return plan

    def revert(self, number: int, now: datetime, *, op: str | None = None, cascade: bool = False) -> Undoing:
        wish = Wish(number=number, op=op, cascade=cascade)
        undoing, _ = revert(self.store, wish, now, self.policy, self.reach)
        self.export(now)
        return undoing

    def pin(self, target: str, now: datetime) -> None:
        self.order(lambda: orders.pin(self.store, self.stream(target), now), now)

    def unpin(self, target: str, now: datetime) -> None:
        self.order(lambda: orders.unpin(self.store, self.stream(target)), now)

    def order(self, make: Callable[[], Order], now: datetime) -> Plan:
        plan = carry_out(
            self.store,
            lambda: plan_order(self.store, make(), now, self.policy, self.near),
            self.policy,
            self.reach,
            started_at=now,
        )
        self.export(now)
        return plan

    def retarget(self, now: datetime) -> Plan:
        plan = carry_out(
            self.store, lambda: plan_retarget(self.store, now, self.policy), self.policy, self.reach, started_at=now
        )
        self.export(now)
        return plan

    def export(self, now: datetime) -> Exported | None:
        return (
            None
            if self.repository is None
            else catch_up(self.store, self.repository, now, self.reach, Redactor(KEY).redact)
        )

    def stream(self, target: str) -> Stream:
        stream = self.store.stream_by_target(target)
        assert stream is not None, f"no stream about {target}"
        return stream

    def digest(self) -> str:
        return self.store.digest()

    def tree(self) -> dict[str, bytes]:
        """The committed files outside reports/ and .dreamd/."""
        assert self.repository is not None
        head = self.repository.head()
        return {} if head is None else self.repository.tree_files(head, is_memory)


def is_memory(path: str) -> bool:
    return not path.startswith(("reports/", ".dreamd/"))


def read_story(name: str, *, actor_cap: Actor = Actor.AGENT, recorded_at: datetime | None = None) -> list[Event]:
    """The events of a story file, recorded when they happened unless said otherwise."""
    lines = (STORIES / name).read_bytes().splitlines()
    return list(_read(lines, actor_cap, recorded_at))


def _read(lines: Iterable[bytes], actor_cap: Actor, recorded_at: datetime | None) -> Iterable[Event]:
    for line in lines:
        at = datetime.fromisoformat(json.loads(line)["at"])
        channel = Channel(
            name="story",
            space="default",
            recorded_at=recorded_at or at,
            redactor=Redactor(KEY),
            limits=Limits(),
            actor_cap=actor_cap,
        )
        for event in read_events([line], channel):
            assert not isinstance(event, Rejection), event
            yield event
