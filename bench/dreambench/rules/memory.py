"""What the naive rules have in common: a memory of events by target, in Python's own lists.

A rule says when a target reaches a phase and which statements are one group. Nothing ages, nothing is ever superseded,
what was EMERGENT is listed for ever.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.dreambench.port import PHASES, Reached, Said, Seen
from dreamd.daemon.simulate.delivery import Night

Group = Callable[[Sequence[str]], Sequence[int]]  # the number of its group for each text


@dataclass(frozen=True, slots=True)
class Event:
    at: datetime
    text: str
    kind: str
    actor: str


@dataclass(slots=True, kw_only=True)
class Rule:
    """The rule "seen on `emergent_days` distinct days: EMERGENT; on `canonical_days`: CANONICAL"."""

    name: str
    emergent_days: int
    canonical_days: int
    group: Group = field(default=lambda texts: range(len(texts)))
    events: dict[str, dict[str, Event]] = field(default_factory=dict)  # by target and line

    def ingest(self, night: Night) -> None:
        for line in (*night.agents, *night.user):
            fields = json.loads(line)
            at = datetime.fromisoformat(fields["at"]).astimezone(UTC)
            event = Event(at, fields["text"], fields["kind"], fields["actor"])
            self.events.setdefault(self.key_of(fields["target"]), {})[line.decode()] = event

    def dream(self, now: datetime) -> None:
        """Nothing happens by dreaming alone."""

    def key_of(self, name: str) -> str:
        return name

    def look(self) -> Mapping[str, Seen]:
        return {target: self._seen(reached) for target, reached in self.reached().items()}

    def statements(self, name: str) -> Sequence[Said]:
        known = self.events.get(self.key_of(name), {}).values()
        trust = {event.text: event.actor for event in known}
        texts = sorted(trust)
        groups = self.group(texts)
        return [
            Said(text=text, status="current", group=f"{group}", trust=trust[text])
            for text, group in zip(texts, groups, strict=True)
        ]

    def reached(self) -> Mapping[str, Reached]:
        return {target: self._reached(list(events.values())) for target, events in self.events.items()}

    def rows(self) -> Mapping[str, Mapping[str, object]]:
        return {
            target: {"emergent_at": f"{reached.emergent_at}", "canonical_at": f"{reached.canonical_at}"}
            for target, reached in self.reached().items()
        }

    def undo_restores(self, now: datetime) -> bool | None:
        return None

    def close(self) -> None:
        """It holds nothing."""

    def _reached(self, events: Sequence[Event]) -> Reached:
        first_of_day: dict[int, datetime] = {}
        for event in events:
            day = event.at.toordinal()
            first_of_day[day] = min(first_of_day.get(day, event.at), event.at)
        at = [first_of_day[day] for day in sorted(first_of_day)]
        return Reached(
            emergent_at=at[self.emergent_days - 1] if len(at) >= self.emergent_days else None,
            canonical_at=at[self.canonical_days - 1] if len(at) >= self.canonical_days else None,
        )

    def _seen(self, reached: Reached) -> Seen:
        phase = (reached.emergent_at is not None) + (reached.canonical_at is not None)
        return Seen(phase=PHASES[phase], is_listed=phase > 0)
