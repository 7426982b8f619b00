"""What a report is made of, worked out once: the plan, what it means to a person, and what is told beyond it.

The Markdown, the JSON, the terminal and the commit message read this one value.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from dreamd.lifecycle.plan import Plan, Problem, Subject
from dreamd.lifecycle.ranking import EXPLICIT_ORIGINS
from dreamd.lifecycle.values import Claim, Event, Link, Stream
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.by_model import Distillation
from dreamd.repo_export.happenings import Happening, happenings_of, row_of
from dreamd.repo_export.index import IndexOutcome
from dreamd.repo_export.markdown import escape_text, shorten
from dreamd.repo_export.reports.standing import Standing

UNTARGETED = "untargeted"  # the rule of the link of an event that no target was found for
UNTARGETED_READ = 200  # of a run's untargeted events, to tell the latest of
WORDS_LENGTH = 300  # characters of a statement or an event; the whole is in `dreamd events` and on the page


NOTHING_OPEN = Standing()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContext:
    """What a report tells beyond the plan. Whatever is missing is left out of the text, never an error."""

    events: Mapping[str, Event] = field(default_factory=dict)  # of the changes: those whose words are told
    titles: Mapping[str, str] = field(default_factory=dict)  # by id, of streams that the plan does not change
    groups: Mapping[str, tuple[Subject, ...]] = field(default_factory=dict)  # group id -> subjects: the units of revert
    standing: Standing = NOTHING_OPEN
    index: IndexOutcome | None = None
    waiting_files: tuple[str, ...] = ()  # paths that a person changed and that were not overwritten
    distillation: Distillation | None = None  # None: no model was asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    plan: Plan
    context: ReportContext
    happenings: tuple[Happening, ...]  # one for each change, in the order of the plan
    by_word: Mapping[str, Sequence[Happening]]
    by_stream: Mapping[str, Sequence[Happening]]  # of the changes that belong to a stream
    titles: Mapping[str, str]  # of the streams that plan or context know, by id
    group_of: Mapping[Subject, str]  # which group a subject is undone with
    run_of: Mapping[Subject, int] = field(default_factory=dict)  # of several runs as one: which changed a row last

    @property
    def is_fold(self) -> bool:
        return bool(self.run_of)

    def with_context(self, context: ReportContext) -> "Telling":
        """The same plan, and `context` beyond it."""
        groups = {subject: group for group, subjects in context.groups.items() for subject in subjects}
        return replace(self, context=context, titles={**context.titles, **self.titles}, group_of=groups)

    @property
    def untargeted(self) -> list[str]:
        """The first of the run's events for which no target was found."""
        rows = (it.change.after for it in self.happenings if it.stream is None)
        return [row.event for row in rows if isinstance(row, Link) and row.rule == UNTARGETED][:UNTARGETED_READ]

    def groups_of(self, stream: str) -> list[str]:
        """The groups that the changes of `stream` are undone with, sorted; usually one."""
        subjects = (it.change.subject for it in self.by_stream[stream])
        return sorted({self.group_of[subject] for subject in subjects if subject in self.group_of})


def telling_of(plan: Plan, context: ReportContext) -> Telling:
    happenings = happenings_of(plan)
    by_word: dict[str, list[Happening]] = defaultdict(list)
    by_stream: dict[str, list[Happening]] = defaultdict(list)
    titles: dict[str, str] = {}
    for happening in happenings:
        by_word[happening.word].append(happening)
        if happening.stream is not None:
            by_stream[happening.stream].append(happening)
        if happening.change.subject.table == "stream" and isinstance(row := row_of(happening.change), Stream):
            titles[row.id] = row.title
    telling = Telling(
        plan=plan,
        context=ReportContext(),
        happenings=happenings,
        by_word=dict(by_word),
        by_stream=dict(by_stream),
        titles=titles,
        group_of={},
    )
    return telling.with_context(context)


def events_told(telling: Telling) -> set[str]:
    """The events whose own words stand in the Markdown.

    Of what was merely seen the statement is told, and who said it when: that is in the reason.
    """
    told: set[str] = set()
    for members in telling.by_stream.values():
        claims = [it for it in members if it.change.subject.table == "claim"]
        for it in claims:
            row = row_of(it.change)
            if isinstance(row, Claim) and it.word and (it.word != "learnt" or row.origin in EXPLICIT_ORIGINS):
                told |= {row.stated_in, *((row.closed_by,) if row.closed_by is not None else ())}
        if not claims or telling.plan.trigger is Trigger.EDIT:
            told |= {row.event for it in members if isinstance(row := row_of(it.change), Link)}
    return told.union(telling.untargeted)


def words_of(event: Event) -> str:
    """What an event says, who said it where and when, and why."""
    return f"{quoted(event.text)} {source_of(event)}"


def ending_of(claim: Claim, closing: Event) -> str:
    """What ended a statement: words, or of a line that a person took out who did it."""
    return f"ended {source_of(closing)}" if closing.text == claim.text else f"ended by {words_of(closing)}"


def edits_and_problems(plan: Plan) -> tuple[Sequence[Problem], Sequence[Problem]]:
    """What became of people's edits beyond what they changed, and what went wrong."""
    edits = [problem for problem in plan.problems if problem.source == "edit"]
    return edits, [problem for problem in plan.problems if problem.source != "edit"]


def source_of(event: Event) -> str:
    """Who said it where and when, and why."""
    because = f", because {quoted(event.because)}" if event.because else ""
    return f"({event.actor.value}, {quiet(event.source)}, {event.at:%Y-%m-%d}){because}"


@lru_cache(maxsize=4096)  # titles, reasons and sources come again and again
def quiet(text: str) -> str:
    """A text that others wrote, on one line of Markdown, inert and not too long."""
    return escape_text(shorten(text, WORDS_LENGTH))


def quoted(text: str) -> str:
    return f"“{quiet(text)}”"


def whole(text: str) -> str:
    """A text that is taken away: not shortened, since this may be the last place that shows it."""
    return f"“{escape_text(text)}”"


def shown(value: object) -> str:
    """A field of a row as a person reads it."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M} UTC"
    return quiet(str(value))
