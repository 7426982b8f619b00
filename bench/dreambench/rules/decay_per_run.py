"""The naive rule of many a memory: each run takes a share of every score, each delivery adds to it.

Phases are bounds of the score; what falls below the last bound is deleted. So the state depends on how often it ran.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bench.dreambench.port import PHASES, Reached, Said, Seen
from dreamd.daemon.simulate.delivery import Night

KEPT_SHARE = 0.95  # of a score, in each run
GAIN = 0.15  # of what is missing to 1, for each delivery
BOUNDS = (0.05, 0.35, 0.75)  # kept at all, EMERGENT, CANONICAL


@dataclass(slots=True, kw_only=True)
class DecayPerRun:
    name: str = "decay per run"
    scores: dict[str, float] = field(default_factory=dict)
    texts: dict[str, dict[str, str]] = field(default_factory=dict)  # by target: text -> actor
    instants: dict[str, list[datetime | None]] = field(default_factory=dict)  # EMERGENT, CANONICAL: the run's time

    def ingest(self, night: Night) -> None:
        for line in (*night.agents, *night.user):
            fields = json.loads(line)
            score = self.scores.get(fields["target"], 0.0)
            self.scores[fields["target"]] = score + GAIN * (1 - score)
            self.texts.setdefault(fields["target"], {})[fields["text"]] = fields["actor"]

    def dream(self, now: datetime) -> None:
        for target in list(self.scores):
            self.scores[target] *= KEPT_SHARE
            if self.scores[target] < BOUNDS[0]:
                del self.scores[target], self.texts[target]
                self.instants.pop(target, None)
                continue
            reached = self.instants.setdefault(target, [None, None])
            for place, bound in enumerate(BOUNDS[1:]):
                if reached[place] is None and self.scores[target] >= bound:
                    reached[place] = now

    def key_of(self, name: str) -> str:
        return name

    def look(self) -> Mapping[str, Seen]:
        found = {}
        for target, score in self.scores.items():
            phase = sum(score >= bound for bound in BOUNDS[1:])
            found[target] = Seen(phase=PHASES[phase], is_listed=phase > 0)
        return found

    def statements(self, name: str) -> Sequence[Said]:
        known = self.texts.get(name, {})
        return [Said(text=text, status="current", group=text, trust=actor) for text, actor in known.items()]

    def reached(self) -> Mapping[str, Reached]:
        return {
            target: Reached(emergent_at=emergent, canonical_at=canonical)
            for target, (emergent, canonical) in self.instants.items()
        }

    def rows(self) -> Mapping[str, Mapping[str, object]]:
        return {target: {"score": score} for target, score in self.scores.items()}

    def undo_restores(self, now: datetime) -> bool | None:
        return None

    def close(self) -> None:
        """It holds nothing."""
