"""What a model made of statements, as a page shows it, and what a run's report says of the asking.

A summary stands below the statements under a heading of its own, names the model and the ids that it was made from,
and has the least trust of what the model was shown. It is never evidence.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dreamd.lifecycle.told import counted
from dreamd.lifecycle.words import Actor, rank
from dreamd.repo_export.document import BLANK, Heading, Line, Words
from dreamd.repo_export.markdown import Entry, escape_text, shorten, visible

HEADING = "Summary by a model"
NOTE = (
    "A model wrote this from the statements above whose ids it names. It is no evidence: where they differ, they hold."
)
MARK = " (by a model)"
NAMED_STREAMS = 10  # in a report, of those that were refused or not answered


@dataclass(frozen=True, slots=True, kw_only=True)
class ByModel:
    """A summary that is shown beside the statements it was made from."""

    title: str
    description: str
    summary: str
    model: str
    claims: tuple[str, ...]  # claim ids, sorted
    trust: Actor  # the least of all that the model was shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Distillation:
    """What came of asking a model, while one run was the last."""

    model: str
    budget_tokens: int
    tokens: int = 0  # as the server says, else estimated too high rather than too low
    asked: int = 0  # calls
    accepted: int = 0
    refused: tuple[tuple[str, str], ...] = ()  # stream id and reason
    unanswered: tuple[tuple[str, str], ...] = ()  # stream id and reason
    given_up: int = 0  # streams that failed too often; asked again when their statements change
    waiting: int = 0  # streams that are asked about by a later run
    limit: str | None = None  # why some wait, such as a spent budget
    problem: str | None = None  # why it was not asked, or no further

    @property
    def problems(self) -> tuple[str, ...]:
        return () if self.problem is None else (self.problem,)

    def as_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "asked": self.asked,
            "accepted": self.accepted,
            "refused": [{"stream": stream, "reason": reason} for stream, reason in self.refused],
            "unanswered": [{"stream": stream, "reason": reason} for stream, reason in self.unanswered],
            "given_up": self.given_up,
            "waiting": self.waiting,
            "tokens": self.tokens,
            "budget_tokens": self.budget_tokens,
            "limit": self.limit,
            "problem": self.problem,
        }


def trust_of(trusts: Sequence[Actor]) -> Actor:
    """The least trusted of `trusts`, at least one."""
    return max(trusts, key=rank)


def summary_section(summary: ByModel) -> list[Line]:
    """The section of a page."""
    metadata = (("model", summary.model), ("from", " ".join(summary.claims)), ("trust", summary.trust.value))
    text = f"{summary.title}: {summary.summary}"
    return [BLANK, Heading(level=2, text=HEADING), BLANK, Words(line=NOTE), BLANK, Entry(text=text, metadata=metadata)]


def description_of(summary: ByModel, max_length: int) -> str:
    """The description in front matter, marked as a model's, in at most `max_length` characters."""
    return shorten(visible(summary.description), max_length - len(MARK)) + MARK


def line_of(told: Distillation) -> str:
    """One plain line for a terminal or the head of a report; the model's name is not escaped."""
    parts = [f"{counted(told.asked, 'question')} asked", f"{told.accepted} accepted"]
    parts += [f"{len(told.refused)} refused"] if told.refused else []
    parts += [f"{len(told.unanswered)} not answered"] if told.unanswered else []
    because = f" ({told.limit})" if told.limit is not None else ""
    parts += [f"{told.waiting} left for a later run{because}"] if told.waiting else []
    tokens = f"{told.tokens:,} of {told.budget_tokens:,} tokens"
    return f"Summaries by {shorten(visible(told.model), 40)}: {', '.join(parts)}; {tokens}."


def report_lines(told: Distillation | None, titles: Mapping[str, str]) -> list[str]:
    """The section of a report: what was asked, what it cost, and each refusal with its reason."""
    if told is None:
        return []
    lines = [f"- {escape_text(line_of(told))}"]
    if told.given_up:
        streams = counted(told.given_up, "stream")
        lines.append(f"- {streams} failed too often and will be asked about again when the statements change")
    for word, cases in (("refused", told.refused), ("not answered", told.unanswered)):
        for stream, reason in cases[:NAMED_STREAMS]:
            title = escape_text(shorten(visible(titles.get(stream, stream)), 80))
            lines.append(f"- {title}: {word}, {escape_text(reason)}")
        reasons = Counter(reason for _, reason in cases[NAMED_STREAMS:])
        lines += [f"- {number} more {word}, {escape_text(reason)}" for reason, number in sorted(reasons.items())]
    return lines
