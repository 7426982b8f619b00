"""The first ten lines of a report, for a file and a terminal: what happened and why, fading first, how to undo it.

One function writes them; it is given how to show text that others wrote, since a file needs it inert and a terminal
needs it plain.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.plan import Plan, PolicyChange
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Link, Proposal, Question, Stream
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.by_model import line_of
from dreamd.repo_export.happenings import WORDS, Happening, counts_in_words, row_of
from dreamd.repo_export.markdown import command_line, shorten, visible
from dreamd.repo_export.reports.telling import Telling, edits_and_problems

MAX_HIGHLIGHTS = 5  # kinds of happenings in the first ten lines
NAMED_PER_HIGHLIGHT = 3
HIGHLIGHT_LENGTH = 70  # characters of a statement in one of them
BECAUSE_LENGTH = 110
SETTINGS_NAMED = 3

Say = Callable[[str], str]  # how to show text that others wrote


def render_terminal(telling: Telling) -> str:
    """The short form for a terminal or a pipe: plain text, one statement a line."""
    plan = telling.plan
    lines = summary_lines(telling, visible)
    if plan.changes:
        lines.append(f"Undo all of it: {command_line('revert', str(plan.number), space=plan.space)}")
    return "\n".join((headline(plan, telling.happenings), *(f"  {line}" for line in lines), ""))


def headline(plan: Plan, happenings: Sequence[Happening]) -> str:
    """Such as "Dream 7 of ops: 2 faded, 1 promoted". The space is not escaped."""
    if plan.trigger is Trigger.PURGE:  # it tells nothing of what is gone
        return f"Dream {plan.number} of {plan.space}: purge, what a person named is erased"
    if not plan.changes:
        return f"Nothing changed in {plan.space}"
    counts = ", ".join(counts_in_words(happenings))
    deed = "" if plan.trigger is Trigger.DREAM else f"{plan.trigger.value}, "
    if plan.reverts is not None:
        deed = f"revert of dream {plan.reverts}, "
    return f"Dream {plan.number} of {plan.space}: {deed}{counts or 'new evidence for what is known'}"


def summary_lines(telling: Telling, say: Say) -> list[str]:
    """At most seven lines: what was read, the largest happenings by name with their reason, problems."""
    plan, distillation = telling.plan, telling.context.distillation
    counts = plan.counts
    lines = [
        f"{plan.now:%Y-%m-%d %H:%M} UTC; {counted(counts.examined, 'event')} read, "
        f"{counts.untargeted} of them without a target, {counts.noise} noise; {counts.waiting} wait for their date."
    ]
    if plan.policy_change is not None:
        lines.append(policy_line(plan.policy_change))
    waiting = waiting_in_words(telling)
    if waiting:
        lines.append(f"Waiting for you: {', '.join(waiting)}.")
    most = MAX_HIGHLIGHTS - (distillation is not None) - bool(waiting)
    lines += highlights(telling, say)[:most]
    if distillation is not None:
        lines.append(say(line_of(distillation)))
    for name, found in zip(("Of your edits", "Problems"), edits_and_problems(plan), strict=True):
        if found:
            lines.append(f"{name}: {len(found)}; first: {say(shorten(found[0].message, BECAUSE_LENGTH))}")
    if not plan.changes and plan.near_misses:
        closest = plan.near_misses[0]
        lines.append(f"Closest to a change: {say(closest.target)}, next {closest.next_phase}")
    return lines


def highlights(telling: Telling, say: Say) -> list[str]:
    """The largest happenings by name, a line for each word, in the order of WORDS."""
    names = _Names(titles=telling.titles, successors=_successors(telling), say=say)
    told = [word for word in WORDS if word in telling.by_word][:MAX_HIGHLIGHTS]
    return [_highlight(word, telling.by_word[word], names) for word in told]


def waiting_in_words(telling: Telling) -> list[str]:
    """What waits for a person, counted; [] if that is nothing."""
    files = len(telling.context.waiting_files)
    return telling.context.standing.in_words() + ([f"{counted(files, 'file')} left alone"] if files else [])


def policy_line(change: PolicyChange) -> str:
    """Which settings changed, how many streams are others by that, and how many wait for a person."""
    named = [f"{each.name} {each.before} to {each.after}" for each in change.settings[:SETTINGS_NAMED]]
    if len(change.settings) > SETTINGS_NAMED:
        named.append(f"and {len(change.settings) - SETTINGS_NAMED} more")
    settings = ", ".join(named) or "from one whose numbers are not known"
    by_it = counted(len(change.streams), "stream") if change.streams else "no stream"
    waits = f"; {len(change.held_back)} more would, and wait for you" if change.held_back else ""
    return f"Policy changed: {settings}; {by_it} changed by it{waits}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    titles: Mapping[str, str]  # stream id -> title
    successors: Mapping[str, str]  # claim id -> text of the claim that took its place
    say: Say


def _successors(telling: Telling) -> dict[str, str]:
    new = (row_of(it.change) for it in telling.by_word.get("learnt", ()))
    return {row.supersedes: row.text for row in new if isinstance(row, Claim) and row.supersedes is not None}


def _highlight(word: str, happenings: Sequence[Happening], names: _Names) -> str:
    """What happened to whom, and the reason of the first; a name that comes again is told once, with how often."""
    ordered = sorted(happenings, key=_weight)
    often = Counter(_name(it, names) for it in ordered[: 10 * NAMED_PER_HIGHLIGHT])
    named = [f"{name} ({count} changes)" if count > 1 else name for name, count in often.items()][:NAMED_PER_HIGHLIGHT]
    rest = len(ordered) - sum([*often.values()][:NAMED_PER_HIGHLIGHT])
    because = names.say(shorten(ordered[0].change.because, BECAUSE_LENGTH).rstrip("."))
    if len(often) == 1 and not rest:
        return f"{WORDS[word].capitalize()}: {named[0]}{f'; because {because}' if because else ''}."
    more = f"; and {rest} more" if rest else ""
    return f"{WORDS[word].capitalize()}: {'; '.join(named)}{more}.{f' Why the first: {because}.' if because else ''}"


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
        case Link() if happening.word == "moved":
            return f"event {row.event} to {names.say(names.titles.get(row.stream or '', ''))}"
        case Link():
            return f"event {row.event}"
    return names.say(names.titles.get(happening.stream or "", happening.change.subject.table))


def _quoted(text: str, names: _Names) -> str:
    return f"“{names.say(shorten(text, HIGHLIGHT_LENGTH))}”"
