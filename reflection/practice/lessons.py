"""Lessons: what worked when something went wrong, so often of so many.

Attempts at the same trouble with the same remedy add up. One that went wrong again counts against it, and what worked
in no more than half of the attempts is no lesson. Lessons are a function of the set of events.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.commands import command_attempts
from dreamd.reflection.practice.remedies import is_remedy, shown
from dreamd.reflection.practice.troubles import trouble_key
from dreamd.reflection.practice.values import Attempt, Lesson, Told, Workplace
from dreamd.reflection.text_keys import group_key

SHORT_GAP = timedelta(hours=24)  # between a trouble in one session and its remedy and success in another
MIN_SHARE = 0.5  # of the attempts; must be exceeded
MAX_REMEDIES = 3  # with more done between trouble and success nobody can tell which it was
SUCCESS_FROM = 0.5  # outcome


def lessons(workplace: Workplace, streams: Collection[str] | None = None) -> tuple[Lesson, ...]:
    """The lessons about `streams` (None: all), sorted. `workplace` holds each session of which they are part."""
    found = [attempt for session in workplace.values() for attempt in session_attempts(session)]
    by_stream: dict[str, list[Told]] = defaultdict(list)
    for session in workplace.values():
        for told in session:
            if told.stream is not None:
                by_stream[told.stream].append(told)
    for stream in by_stream.values():
        found += told_attempts(_in_time(stream))
    return summed_up(attempt for attempt in found if streams is None or attempt.stream in streams)


def session_attempts(session: Iterable[Told]) -> Iterator[Attempt]:
    """What one session tells by its commands."""
    return command_attempts(_in_time(session))


def summed_up(attempts: Iterable[Attempt]) -> tuple[Lesson, ...]:
    """Lessons from `attempts`: of equal trouble and remedy one, with how often it worked."""
    kept: dict[tuple[str, str, str], dict[tuple[str, ...], Attempt]] = defaultdict(dict)
    for attempt in attempts:
        evidence = tuple(event.id for event in attempt.evidence)
        kept[attempt.stream, attempt.trouble_key, attempt.remedy_key][evidence] = attempt
    found = []
    for (stream, trouble, remedy), by_evidence in sorted(kept.items()):
        tried = sorted(by_evidence.values(), key=lambda attempt: (attempt.at, [event.id for event in attempt.evidence]))
        worked = [attempt for attempt in tried if attempt.has_worked]
        if len(worked) <= MIN_SHARE * len(tried):
            continue
        first = worked[0]
        remedy_said = first.remedy if len({each.remedy for each in worked}) == 1 else first.remedy_in_general
        events = {event.id: event for attempt in tried for event in attempt.evidence}
        found.append(
            Lesson(
                stream=stream,
                key=f"lesson\n{trouble}\n{remedy}",
                text=f"When {first.trouble}, {remedy_said} worked ({len(worked)} of {len(tried)})",
                worked=len(worked),
                tried=len(tried),
                evidence=tuple(sorted(events.values(), key=lambda event: (event.at, event.id))),
            )
        )
    return tuple(found)


def told_attempts(events: Sequence[Told]) -> Iterator[Attempt]:
    """What the events of one stream tell in time: an error, what was done about it, and a success or the error again."""
    trouble: Told | None = None
    done: list[Told] = []
    for told in events:
        event = told.event
        if trouble is not None and not _is_near(trouble.event, event):
            trouble, done = None, []
        if _is_trouble(event):
            if trouble is not None and done and trouble_key(event.text) == trouble_key(trouble.event.text):
                yield from _attempts(trouble, done, told, has_worked=False)
            trouble, done = told, []
        elif trouble is not None and is_remedy(event):
            done.append(told)
        elif trouble is not None and _is_success(event):
            if 0 < len(done) <= MAX_REMEDIES:
                yield from _attempts(trouble, done, told, has_worked=True)
            trouble, done = None, []


def _attempts(trouble: Told, done: Sequence[Told], ended: Told, *, has_worked: bool) -> Iterator[Attempt]:
    assert trouble.stream is not None
    events = (trouble.event, *(told.event for told in done), ended.event)
    remedy = ", then ".join(f'"{shown(told.event.text)}"' for told in done)
    yield Attempt(
        stream=trouble.stream,
        trouble=f'"{shown(trouble.event.text)}"',
        trouble_key=trouble_key(trouble.event.text),
        remedy=remedy,
        remedy_in_general=remedy,
        remedy_key="\n".join(group_key(told.event.text) for told in done),
        has_worked=has_worked,
        evidence=events,
        at=ended.event.at,
    )


def _is_near(earlier: Event, later: Event) -> bool:
    same_session = earlier.session is not None and earlier.session == later.session
    return same_session or later.at - earlier.at <= SHORT_GAP


def _is_trouble(event: Event) -> bool:
    if "command" in event.tags:
        return False
    if event.outcome is not None:
        return event.outcome < SUCCESS_FROM and event.kind in (EventKind.ERROR, EventKind.RESULT, EventKind.OBSERVATION)
    return event.kind is EventKind.ERROR


def _is_success(event: Event) -> bool:
    if event.outcome is not None:
        return event.outcome >= SUCCESS_FROM and event.kind is not EventKind.ERROR
    return event.kind is EventKind.RESULT


def _in_time(session: Iterable[Told]) -> list[Told]:
    return sorted({told.event.id: told for told in session}.values(), key=lambda told: told.when)
