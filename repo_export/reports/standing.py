"""What stands open in a space, whichever run raised it: what a person is asked, what is kept back, what is doubted.

A report tells it whole each time, so that one report is enough for who reads none of the others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Event, Proposal, Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the statements that contradict each other."""

    claim: str  # its id, which is what a person answers with
    text: str
    evidence: Event | None  # that stated it; None: not known


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenQuestion:
    id: str
    title: str  # of the stream that it is about
    text: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBack:
    """An event in quarantine."""

    id: str
    event: Event | None
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What a revert keeps from coming back about one stream."""

    subject: str  # what `dreamd unhold` takes: the target, or the id of a stream that is not there
    title: str
    kinds: tuple[str, ...]  # of the changes that are held, sorted
    runs: tuple[int, ...]  # that were taken back, ascending


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    questions: tuple[OpenQuestion, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    quarantine: tuple[KeptBack, ...] = ()
    held: tuple[Held, ...] = ()
    doubtful: tuple[Stream, ...] = ()
    more: Mapping[str, int] = field(default_factory=dict)  # how many more of each kind there are than are told
    unplaced: Mapping[str, int] = field(default_factory=dict)  # events without a stream, by rule
    watched: int = 0  # young patterns, which have no page

    def number(self, kind: str) -> int:
        told = {"questions": self.questions, "proposals": self.proposals, "quarantine": self.quarantine}
        return len(told[kind]) + self.more.get(kind, 0)

    def in_words(self) -> list[str]:
        """Such as ["2 open questions", "1 proposal"]: what waits for a person."""
        nouns = {"questions": "open question", "proposals": "proposal"}
        told = [counted(self.number(kind), noun) for kind, noun in nouns.items() if self.number(kind)]
        kept = self.number("quarantine")
        return told + ([f"{counted(kept, 'event')} in quarantine"] if kept else [])

    def as_json(self) -> dict[str, object]:
        """Ids and counts; the words are in the Markdown, and in `claims`, `events` and `quarantine list`."""
        return {
            "questions": [{"id": asked.id, "claims": [side.claim for side in asked.sides]} for asked in self.questions],
            "proposals": [proposal.id for proposal in self.proposals],
            "quarantine": [kept.id for kept in self.quarantine],
            "held": [{"subject": held.subject, "kinds": list(held.kinds)} for held in self.held],
            "doubtful": [stream.id for stream in self.doubtful],
            "more": dict(self.more),
            "unplaced": dict(self.unplaced),
            "watched": self.watched,
        }
