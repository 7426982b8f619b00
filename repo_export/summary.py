"""The first ten lines of a report, for a file and a terminal: what happened and why, fading first, how to undo it.

One function writes them; it is given how to show text that others wrote, since a file needs it inert and a terminal
needs it plain.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from dreamd.lifecycle.plan import Plan, PolicyChange, Subject
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Event, Link, Proposal, Question, Stream
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.by_model import Distillation, line_of
from dreamd.repo_export.happenings import WORDS, Happening, counts_in_words, happenings_of, row_of
from dreamd.repo_export.index import IndexOutcome
from dreamd.repo_export.markdown import command_line, shorten, visible

MAX_HIGHLIGHTS = 5  # kinds of happenings in the first ten lines
NAMED_PER_HIGHLIGHT = 3
HIGHLIGHT_LENGTH = 70  # characters of a statement in one of them
BECAUSE_LENGTH = 110
SETTINGS_NAMED = 3

Say = Callable[[str], str]  # how to show text that others wrote


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContext:
    """What a report tells beyond the plan. Whatever is missing is left out of the text, never an error."""

    events: Mapping[str, Event] = field(default_factory=dict)  # evidence of the changes: its words, source and time
    streams: Mapping[str, Stream] = field(default_factory=dict)  # streams that changes belong to and do not change
    groups: Mapping[str, tuple[Subject, ...]] = field(default_factory=dict)  # group id -> subjects: the units of revert
    index: IndexOutcome | None = None
    waiting_files: tuple[str, ...] = ()  # paths that a person changed and that were not overwritten
    distillation: Distillation | None = None  # None: no model was asked


def render_terminal(plan: Plan, context: ReportContext) -> str:
    """The short form for a terminal or a pipe: plain text, one statement a line."""
    lines = summary_lines(plan, context, visible)
    if plan.changes:
        lines.append(f"Undo all of it: {command_line('revert', str(plan.number), space=plan.space)}")
    return "\n".join((headline(plan), *(f"  {line}" for line in lines), ""))


def headline(plan: Plan) -> str:
    """Such as "Dream 7 of ops: 2 faded, 1 promoted". The space is not escaped."""
    counted = ", ".join(counts_in_words(happenings_of(plan)))
    if not plan.changes:
        return f"Nothing changed in {plan.space}"
    deed = "" if plan.trigger is Trigger.DREAM else f"{plan.trigger.value}, "
    if plan.reverts is not None:
        deed = f"revert of dream {plan.reverts}, "
    return f"Dream {plan.number} of {plan.space}: {deed}{counted or 'new evidence for what is known'}"


def summary_lines(plan: Plan, context: ReportContext, say: Say) -> list[str]:
    """At most seven lines: what was read, the largest happenings by name with their reason, problems."""
    counts = plan.counts
    by_word: dict[str, list[Happening]] = defaultdict(list)
    for happening in happenings_of(plan):
        by_word[happening.word].append(happening)
    names = _Names(titles=titles_of(plan, context), successors=_successors(plan), say=say)
    lines = [
        f"{plan.now:%Y-%m-%d %H:%M} UTC; {counted(counts.examined, 'event')} read, "
        f"{counts.untargeted} of them without a target, {counts.noise} noise; {counts.waiting} wait for their date."
    ]
    if plan.policy_change is not None:
        lines.append(policy_line(plan.policy_change))
    most = MAX_HIGHLIGHTS - (context.distillation is not None)
    told = [word for word in WORDS if by_word[word]][:most]
    lines += [_highlight(word, by_word[word], names) for word in told]
    if context.distillation is not None:
        lines.append(say(line_of(context.distillation)))
    if plan.problems:
        lines.append(f"Problems: {len(plan.problems)}; first: {say(shorten(plan.problems[0].message, BECAUSE_LENGTH))}")
    if not plan.changes and plan.near_misses:
        closest = plan.near_misses[0]
        lines.append(f"Closest to a change: {say(closest.target)}, next {closest.next_phase}")
    return lines


def policy_line(change: PolicyChange) -> str:
    """Which settings changed, how many streams are others by that, and how many wait for a person."""
    named = [f"{each.name} {each.before} to {each.after}" for each in change.settings[:SETTINGS_NAMED]]
    if len(change.settings) > SETTINGS_NAMED:
        named.append(f"and {len(change.settings) - SETTINGS_NAMED} more")
    settings = ", ".join(named) or "from one whose numbers are not known"
    by_it = counted(len(change.streams), "stream") if change.streams else "no stream"
    waits = f"; {len(change.held_back)} more would, and wait for you" if change.held_back else ""
    return f"Policy changed: {settings}; {by_it} changed by it{waits}."


def titles_of(plan: Plan, context: ReportContext) -> dict[str, str]:
    """How each stream that the plan or the context knows is called, by id."""
    titles = {stream.id: stream.title for stream in context.streams.values()}
    rows = [row_of(change) for change in plan.changes]
    return titles | {row.id: row.title for row in rows if isinstance(row, Stream)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    titles: Mapping[str, str]  # stream id -> title
    successors: Mapping[str, str]  # claim id -> text of the claim that took its place
    say: Say


def _successors(plan: Plan) -> dict[str, str]:
    claims = [row for row in map(row_of, plan.changes) if isinstance(row, Claim)]
    return {claim.supersedes: claim.text for claim in claims if claim.supersedes is not None}


def _highlight(word: str, happenings: Sequence[Happening], names: _Names) -> str:
    ordered = sorted(happenings, key=_weight)
    named = [_name(happening, names) for happening in ordered[:NAMED_PER_HIGHLIGHT]]
    if len(ordered) > len(named):
        named.append(f"and {len(ordered) - len(named)} more")
    because = names.say(shorten(ordered[0].change.because, BECAUSE_LENGTH).rstrip("."))
    which = "because" if len(ordered) == 1 else "the first because"
    return f"{WORDS[word].capitalize()}: {'; '.join(named)}; {which} {because}."


def _weight(happening: Happening) -> tuple[float, str]:
    """Sort key, largest first: what was most sure, or most often said."""
    row = row_of(happening.change)
    match row:
        case Stream():
            return (-row.base_confidence, row.id)
        case Claim():
            return (-row.support, row.id)
    return (0, row.id)


def _name(happening: Happening, names: _Names) -> str:
    row = row_of(happening.change)
    match row:
        case Stream():
            before = happening.change.before
            step = (
                f" ({before.phase.value} to {row.phase.value})"
                if isinstance(before, Stream)
                else f" ({row.phase.value})"
            )
            is_step = happening.word in {"promoted", "recomputed"}
            return names.say(shorten(row.title, HIGHLIGHT_LENGTH)) + (step if is_step else "")
        case Claim():
            successor = names.successors.get(row.id)
            by = f" by {_quoted(successor, names)}" if successor and happening.word == "superseded" else ""
            return _quoted(row.text, names) + by
        case Proposal() | Question():
            return _quoted(row.text, names)
        case Link():
            return f"event {row.event}"
    return names.say(names.titles.get(happening.stream or "", happening.change.subject.table))


def _quoted(text: str, names: _Names) -> str:
    return f"“{names.say(shorten(text, HIGHLIGHT_LENGTH))}”"
