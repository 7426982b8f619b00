"""A space in memory for stories of the pure core: events in, dreams, reverts and a person's orders, rows out.

What reflection would find is told by one plain rule: on one target, another decision or another preference takes the
place of an older one, and a retraction takes back what was said before it.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

from dreamd.lifecycle import ids
from dreamd.lifecycle.dream import Order, dream
from dreamd.lifecycle.findings import Closure, Findings
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.revert import Place, Undoing, plan_revert
from dreamd.lifecycle.values import Claim, Event, Hold, Pin, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import ClaimStatus, EventKind, Trigger, Waiting
from tests.builders import plain_findings
from tests.memory_store import MemoryStore

ONE_OF_A_KIND = (EventKind.DECISION, EventKind.PREFERENCE)


def plain_rule(events: Iterable[Event]) -> Findings:
    """What is found in `events`: every text is a statement, and a later word of its kind ends an older one."""
    events = list(events)
    closures = {
        Closure(by=new.id, text_key=old.text, verb=verb, rule=rule)
        for new in events
        for old in events
        if new.target == old.target and old.at <= new.at and old.text != new.text
        for verb, rule in _ends(new, old)
    }
    return plain_findings(events, tuple(closures))


def _ends(new: Event, old: Event) -> Iterable[tuple[str, str]]:
    if new.kind in ONE_OF_A_KIND and old.kind is new.kind:
        yield "supersede", "same slot"
    if new.kind is EventKind.RETRACTION and old.kind is not EventKind.RETRACTION:
        yield "retract", "retraction"


@dataclass
class MemorySpace:
    policy: Policy = field(default_factory=Policy)
    find: Callable[[Collection[Event]], Findings] = plain_rule
    store: MemoryStore = field(default_factory=MemoryStore)

    def add(self, *events: Event) -> None:
        self.store.add(*events)

    def dream(self, now: datetime) -> Plan:
        new = self.store.unexamined(now)
        streams = {ids.stream_id(self.store.space, event.target) for event in new if event.target is not None}
        return self._carry_out(new, streams, now, None)

    def told(self, now: datetime, *events: Event) -> Plan:
        """Add `events` and dream."""
        self.add(*events)
        return self.dream(now)

    def order(self, order: Order, now: datetime) -> Plan:
        named = {row.stream for row in order.drop if row.stream is not None}
        return self._carry_out([], named | set(order.streams), now, order)

    def _carry_out(self, new: list[Event], streams: set[str], now: datetime, order: Order | None) -> Plan:
        snapshot = self.store.snapshot(new, streams, now, self.policy)
        plan = dream(snapshot, self.find(snapshot.events.values()), now, self.policy, order=order)
        if plan.changes:
            self.store.apply(plan)
        return plan

    def revert(self, number: int, now: datetime, *, op: str | None = None, cascade: bool = False) -> Undoing:
        log = self.store.log()
        place = Place(
            space=self.store.space,
            base=log[-1].id,
            number=len(log),
            now=now,
            held=frozenset(self.store.table("hold")),
            waking=self.store.waking(self.policy),
            policy=self.policy,
        )
        undoing = plan_revert(log[number - 1], log[number:], place, op=op, cascade=cascade)
        if undoing.plan.changes:
            self.store.apply(undoing.plan)
        return undoing

    def pin(self, subject: Stream | Claim, now: datetime) -> Plan:
        stream = subject.id if isinstance(subject, Stream) else subject.stream
        id_ = ids.pin_id(self.store.space, subject.id)
        row = Pin(id=id_, space=self.store.space, subject=subject.id, stream=stream, pinned_at=now)
        return self.order(Order(trigger=Trigger.PIN, because="pinned", put=(row,), streams=(stream,)), now)

    def unpin(self, subject: Stream | Claim, now: datetime) -> Plan:
        rows = tuple(row for row in self.store.table("pin").values() if row.subject == subject.id)
        streams = tuple(row.stream for row in rows)
        return self.order(Order(trigger=Trigger.UNPIN, because="unpinned", drop=rows, streams=streams), now)

    def unhold(self, subject: str, now: datetime) -> Plan:
        rows = tuple(hold for hold in self.holds() if subject in (hold.subject, hold.stream, hold.event))
        there = self.store.table("stream").keys()
        streams = tuple(sorted({hold.stream for hold in rows if hold.stream is not None} & there))
        return self.order(Order(trigger=Trigger.UNHOLD, because="released", drop=rows, streams=streams), now)

    def decide(self, proposal: Proposal, status: Waiting, now: datetime) -> Plan:
        trigger = Trigger.ACCEPT if status is Waiting.ACCEPTED else Trigger.REJECT
        row = replace(proposal, status=status)
        return self.order(Order(trigger=trigger, because="decided", put=(row,), streams=(proposal.stream,)), now)

    def resolve(self, question: Question, choice: str, now: datetime) -> Plan:
        row = replace(question, status=Waiting.RESOLVED, choice=choice)
        order = Order(trigger=Trigger.RESOLVE, because="answered", put=(row,), streams=(question.stream,))
        return self.order(order, now)

    def stream_id(self, target: str) -> str:
        return ids.stream_id(self.store.space, target)

    def stream(self, target: str = "cache") -> Stream:
        row = self.store.table("stream")[self.stream_id(target)]
        assert isinstance(row, Stream)
        return row

    def claims(self, target: str = "cache") -> list[Claim]:
        rows = [row for row in self.store.table("claim").values() if row.stream == self.stream_id(target)]
        return sorted(rows, key=lambda claim: (claim.valid_from, claim.text))

    def claim(self, text: str, target: str = "cache") -> Claim:
        """The only claim with `text`."""
        (found,) = [claim for claim in self.claims(target) if claim.text == text]
        return found

    def current(self, target: str = "cache") -> list[str]:
        return [claim.text for claim in self.claims(target) if claim.status is ClaimStatus.CURRENT]

    def proposals(self, status: Waiting = Waiting.OPEN) -> list[Proposal]:
        rows = sorted(self.store.table("proposal").values(), key=lambda row: row.id)
        return [row for row in rows if row.status is status]

    def questions(self) -> list[Question]:
        return sorted(self.store.table("question").values(), key=lambda row: row.id)

    def holds(self) -> list[Hold]:
        return sorted(self.store.table("hold").values(), key=lambda row: row.id)

    def rows(self) -> dict[tuple[str, str], Row]:
        return {(subject.table, subject.id): row for subject, row in self.store.rows.items()}

    def digest(self) -> str:
        return self.store.digest()

    def last_run(self) -> int:
        return len(self.store.plans)
