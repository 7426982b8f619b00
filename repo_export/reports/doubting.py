"""What is not sure or not placed: doubts, what a revert holds back, events that belong to no stream."""

from collections import Counter
from collections.abc import Iterable

from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Link
from dreamd.repo_export.happenings import row_of
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.telling import UNTARGETED, Telling, quiet, words_of

EXAMPLES = 5  # untargeted events of the run whose words are told, the latest


def unsure(telling: Telling) -> list[str]:
    """The streams whose current decision more evidence speaks against than for."""
    standing = telling.context.standing
    lines = []
    for stream in standing.doubtful:
        look = command("why", stream.target, space=stream.space)
        said = f"{counted(stream.opposed, 'event')} against, {stream.frequency} for"
        lines.append(f"- {quiet(stream.title)}: doubtful, {said}; see: {look}")
    return lines + _more(telling, "doubtful")


def held_back(telling: Telling) -> list[str]:
    """What a revert keeps from coming back from the evidence it rested on, and how to let it."""
    lines = []
    for held in telling.context.standing.held:
        runs = f" of dream {', '.join(map(str, held.runs))}" if held.runs else ""
        lift = command("unhold", held.subject, space=telling.plan.space)
        lines.append(f"- {quiet(held.title)}: {quiet(', '.join(held.kinds))}{runs}; let it come back: {lift}")
    return lines + _more(telling, "held")


def without_stream(telling: Telling) -> list[str]:
    """What became of the run's events that belong to no stream, how many there are in all, and what the last say."""
    rules: Counter[str] = Counter()
    others = []
    for happening in telling.happenings:
        if happening.stream is not None:
            continue
        row = row_of(happening.change)
        if isinstance(row, Link):
            rules["looked at anew" if happening.change.after is None else row.rule] += 1
        else:
            others.append(f"- {quiet(happening.change.subject.table)}: {quiet(happening.change.because)}")
    lines = [f"- {counted(count, 'event')}: {quiet(rule)}" for rule, count in sorted(rules.items())]
    lines += [f"  - {words}" for words in _untargeted(telling)] if UNTARGETED in rules else []
    return lines + others + [line for line in _in_all(telling) if lines]


def _untargeted(telling: Telling) -> Iterable[str]:
    events = [telling.context.events[id_] for id_ in telling.untargeted if id_ in telling.context.events]
    return [words_of(event) for event in sorted(events, key=lambda event: (event.at, event.id))[-EXAMPLES:]]


def _in_all(telling: Telling) -> Iterable[str]:
    count = telling.context.standing.unplaced.get(UNTARGETED, 0)
    if count:
        waits = "waits" if count == 1 else "wait"
        again = command("retarget", space=telling.plan.space)
        yield (
            f"- in all {counted(count, 'event')} {waits} for a target to be learned: name a target when you record, "
            f"or look at them all again: {again}"
        )


def _more(telling: Telling, kind: str) -> list[str]:
    count = telling.context.standing.more.get(kind, 0)
    return [f"- and {count} more"] if count else []
