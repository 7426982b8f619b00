"""Lessons: what worked when something went wrong, so often of so many.

Attempts at the same trouble with the same remedy add up. One that went wrong again counts against it, and what worked
in no more than half of the attempts is no lesson. Lessons are a function of the set of events.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.amended import amended, names_another
from dreamd.reflection.practice.commands import command_attempts
from dreamd.reflection.practice.endings import repeats, says_failure, says_success_too
from dreamd.reflection.practice.remedies import is_remedy, is_vain, says_evaded, shown
from dreamd.reflection.practice.troubles import trouble_key
from dreamd.reflection.practice.values import SHORT_GAP, SUCCESS_FROM, WORK, Attempt, Lesson, Told, when
from dreamd.reflection.practice.words import COMMAND
from dreamd.reflection.text_keys import group_key

MIN_SHARE = 0.5  # of the attempts; must be exceeded
MAX_REMEDIES = 3  # with more done between trouble and success nobody can tell which it was


def lessons(told: Iterable[Told], streams: Collection[str]) -> tuple[Lesson, ...]:
    """The lessons about `streams`, sorted, from all that their attempts may be part of."""
    known = list(told)
    found = [*summed_up(attempt for attempt in attempts(known) if attempt.stream in streams)]
    for stream, of_stream in _by_stream(known).items():
        if stream in streams:
            found += amended(of_stream)
    return tuple(sorted(found, key=lambda lesson: (lesson.stream, lesson.key)))


def attempts(told: Iterable[Told]) -> list[Attempt]:
    """All attempts that `told` holds whole: of commands within a session, of all else within a stream."""
    in_time = _in_time(told)
    by_session: dict[str, list[Told]] = defaultdict(list)
    for each in in_time:
        if each.event.session is not None:
            by_session[each.event.session].append(each)
    found = [attempt for session in by_session.values() for attempt in command_attempts(session)]
    return [*found, *(attempt for stream in _by_stream(in_time).values() for attempt in told_attempts(stream))]


def touched(told: Sequence[Told], new: Collection[str]) -> frozenset[str]:
    """The streams with attempts that are there, or are not, because of the events `new` (ids) among `told`."""
    after = set(map(_identity, attempts(told)))
    before = set(map(_identity, attempts(each for each in told if each.event.id not in new)))
    amending = [each for each in told if each.event.id in new and names_another(each.event)]
    changed = {stream for stream, *_ in after ^ before}
    return frozenset(changed | {each.stream for each in amending if each.stream is not None})


def _in_time(told: Iterable[Told]) -> list[Told]:
    known = {each.event.id: each for each in told if each.event.kind in WORK}
    return sorted(known.values(), key=lambda each: when(each.event))


def _by_stream(told: Iterable[Told]) -> dict[str, list[Told]]:
    found: dict[str, list[Told]] = defaultdict(list)
    for each in told:
        if each.stream is not None:
            found[each.stream].append(each)
    return found


def _identity(attempt: Attempt) -> tuple[str, str, str, bool, tuple[str, ...]]:
    evidence = tuple(event.id for event in attempt.evidence)
    return (attempt.stream, attempt.trouble_key, attempt.remedy_key, attempt.has_worked, evidence)


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
        found.append(
            Lesson(
                stream=stream,
                key=f"when {trouble}: {' '.join(remedy.split())}",
                text=f"When {first.trouble}, {remedy_said} worked ({len(worked)} of {len(tried)})",
                tried=tuple(tried),
            )
        )
    return tuple(found)


def told_attempts(events: Sequence[Told]) -> Iterator[Attempt]:
    """What the events of one stream tell in time: an error, what was done about it, a success or a failure."""
    trouble: Told | None = None
    done: list[Told] = []
    for told in events:
        event = told.event
        if trouble is not None and event.at - trouble.event.at > SHORT_GAP:
            trouble, done = None, []
        if trouble is not None and done and event.kind is EventKind.RESULT and _went_wrong(event, trouble.event):
            yield from _attempts(trouble, done, told, has_worked=False)
            done = []
        elif _is_trouble(event):
            if trouble is not None and done and trouble_key(event.text) == trouble_key(trouble.event.text):
                yield from _attempts(trouble, done, told, has_worked=False)
            trouble, done = told, []
        elif trouble is not None and is_remedy(event):
            if _failed(event):
                yield from _attempts(trouble, [told], told, has_worked=False)
            elif not is_vain(event):
                done.append(told)
        elif trouble is not None and _is_success(event, trouble.event):
            if 0 < len(done) <= MAX_REMEDIES:
                yield from _attempts(trouble, done, told, has_worked=True)
            trouble, done = None, []


def _attempts(trouble: Told, done: Sequence[Told], ended: Told, *, has_worked: bool) -> Iterator[Attempt]:
    assert trouble.stream is not None
    if any(says_evaded(told.event.text) for told in done):
        return
    events = {told.event.id: told.event for told in (trouble, *done, ended)}
    remedy = ", then ".join(f'"{shown(told.event.text)}"' for told in done)
    yield Attempt(
        stream=trouble.stream,
        trouble=f'"{shown(trouble.event.text)}"',
        trouble_key=trouble_key(trouble.event.text),
        remedy=remedy,
        remedy_in_general=remedy,
        remedy_key="\n".join(group_key(told.event.text) for told in done),
        has_worked=has_worked,
        evidence=tuple(events.values()),
        at=ended.event.at,
    )


def _is_trouble(event: Event) -> bool:
    if COMMAND in event.tags:
        return False
    if event.outcome is not None:
        return _failed(event) and event.kind in (EventKind.ERROR, EventKind.RESULT, EventKind.OBSERVATION)
    return event.kind is EventKind.ERROR


def _failed(event: Event) -> bool:
    return event.outcome is not None and event.outcome < SUCCESS_FROM


def _went_wrong(result: Event, trouble: Event) -> bool:
    """Whether `result` says that what was done about `trouble` did not help: by its outcome, else by its words."""
    if COMMAND in result.tags:
        return False
    if result.outcome is not None:
        return _failed(result)
    return repeats(result.text, trouble.text) or (says_failure(result.text) and not says_success_too(result.text))


def _is_success(event: Event, trouble: Event) -> bool:
    if event.outcome is not None:
        return not _failed(event) and event.kind is not EventKind.ERROR
    if event.kind is not EventKind.RESULT:
        return False
    return COMMAND in event.tags or not (says_failure(event.text) or repeats(event.text, trouble.text))
