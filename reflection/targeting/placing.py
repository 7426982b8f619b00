"""From what a space has learned to the assignments of the events that name no target.

What an event names stands, and so does what is noise or kept back. All others are placed anew: a learned target, else
the one that the fixed path rule gives, else none.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.values import Event, Link
from dreamd.reflection.aliases import resolved
from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.learned import Learned, Lesson
from dreamd.reflection.targeting.paths import parts_of, place_of
from dreamd.reflection.targets import NAMING_RULES, OPEN_RULES, assign

MAX_FILES = 20  # of an event that are looked at for the spelling of its target
LEARNED = "learned"  # how the rules of learned assignments begin


def is_open(rule: str) -> bool:
    """Whether an assignment by `rule` may come out otherwise once more is known."""
    return rule in OPEN_RULES or rule.startswith(LEARNED)


def lessons_of(events: Sequence[Event], aliases: Mapping[str, str]) -> list[Lesson]:
    """`events` to learn from; what is noise teaches nothing."""
    by_id = {event.id: event for event in events}
    return [
        Lesson(event=by_id[found.event], target=found.target if found.rule in NAMING_RULES else None)
        for found in assign(events, aliases)
        if found.rule != "noise"
    ]


def placed(
    assignments: Iterable[Assignment], events: Mapping[str, Event], learned: Learned, aliases: Mapping[str, str]
) -> tuple[Assignment, ...]:
    """`assignments` with those that name no target placed by what was `learned`."""
    return tuple(
        _placed(found, events[found.event], learned, aliases) if found.rule in OPEN_RULES else found
        for found in assignments
    )


def decided(event: Event, link: Link, target: str, aliases: Mapping[str, str]) -> Assignment:
    """The assignment that `link`, to a stream of `target`, stands for."""
    end, via = resolved(target, aliases)
    title = title_in(event.files, target)
    return Assignment(event=event.id, target=end, title=title, rule=link.rule, score=link.score, via=via)


def title_in(files: Sequence[str], target: str) -> str | None:
    """How `files` spell the canonical `target`; None if they do not."""
    looked_at = sorted(files)[:MAX_FILES]
    found = [title for file in looked_at for title in _names(file) if canonical_form(title) == target]
    if not found and "_" in target:
        found = [title for file in looked_at for title in _paths(file) if canonical_form(title) == target]
    return min(found, default=None)


def _placed(found: Assignment, event: Event, learned: Learned, aliases: Mapping[str, str]) -> Assignment:
    guess = learned.guess(event)
    if guess is None:
        return found
    target, via = resolved(guess.target, aliases)
    if target == found.target:
        return found  # the fixed rule says the same
    title = title_in(event.files, guess.target)
    return replace(found, target=target, via=via, title=title, rule=guess.rule, score=guess.score)


def _names(file: str) -> Iterable[str]:
    """The parts of a path, and the stem of its file."""
    yield from parts_of(file)
    if (place := place_of(file)) is not None:
        yield place.stem


def _paths(file: str) -> Iterable[str]:
    """What leads from one folder of a path to another one inside it."""
    parts = parts_of(file)
    for start in range(len(parts)):
        for end in range(start + 2, len(parts)):
            yield "/".join(parts[start:end])
