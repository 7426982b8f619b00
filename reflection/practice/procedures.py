"""Procedures: the same steps, in the same order, that led to success in at least two sessions.

A step is something done or a check that passed; what failed is no step, so it drops out, and so does what only one of
the sessions did. A procedure holds at least one thing done: checks that pass one after the other are none. It belongs
to the stream of its last step. Procedures are a function of the set of events of the sessions that did something.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.endings import says_failure
from dreamd.reflection.practice.remedies import says_evaded, shown
from dreamd.reflection.practice.shell import bare, run_of
from dreamd.reflection.practice.values import SHORT_GAP, SUCCESS_FROM, Told, when
from dreamd.reflection.practice.words import COMMAND
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.text_keys import text_key

MIN_STEPS = 2
MAX_STEPS = 12  # looked at before the last one
MAX_SESSIONS = 50  # that a procedure is found in and counted by; the first ones
_COMMAND = re.compile(r"(?:Ran )?`(?P<command>.+?)`(?: passes.*)?$", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    told: Told
    key: str  # equal for the same step in another session
    is_done: bool  # something was done, not only seen to pass


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The steps of one session up to its last one about a stream."""

    steps: tuple[Step, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(step.key for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    stream: str  # of the last step
    key: str
    text: str
    times: tuple[tuple[Event, ...], ...]  # the events of the steps, by session in time


def procedures(told: Iterable[Told], streams: Collection[str]) -> tuple[Procedure, ...]:
    """The procedures that end in `streams`, sorted, from all sessions in which something was done on the way."""
    courses: dict[str, list[Course]] = defaultdict(list)
    for session in sessions_of(told):
        for stream, course in _courses(steps_of(session)):
            if stream in streams:
                courses[stream].append(course)
    found = []
    for stream, of_stream in sorted(courses.items()):
        found += _common(stream, sorted(of_stream, key=lambda course: when(course.steps[-1].told.event))[:MAX_SESSIONS])
    return tuple(found)


def sessions_of(told: Iterable[Told]) -> list[list[Told]]:
    """What happened in each session, in time."""
    sessions: dict[str, dict[str, Told]] = defaultdict(dict)
    for each in told:
        if each.event.session is not None:
            sessions[each.event.session][each.event.id] = each
    return [sorted(known.values(), key=lambda each: when(each.event)) for _, known in sorted(sessions.items())]


def steps_of(session: Sequence[Told]) -> list[Step]:
    """The steps among what happened, the same one in a row once: the last time."""
    steps: list[Step] = []
    for told in session:
        step = _step(told)
        if step is None:
            continue
        if steps and steps[-1].key == step.key:
            steps.pop()
        steps.append(step)
    return steps


def _step(told: Told) -> Step | None:
    event = told.event
    if told.stream is None or (event.outcome is not None and event.outcome < SUCCESS_FROM):
        return None
    if event.kind is EventKind.ACTION:
        if inadmissible(event.text, event.kind) is not None or says_evaded(event.text):
            return None
        return Step(told=told, key=f"{told.stream} {text_key(event.text)}", is_done=True)
    if event.kind is not EventKind.RESULT or (
        event.outcome is None and COMMAND not in event.tags and says_failure(event.text)
    ):
        return None
    said = text_key(event.text)
    if COMMAND in event.tags and (match := _COMMAND.match(event.text)) is not None:
        said = bare(run_of(match["command"]).does) or said
    return Step(told=told, key=f"{told.stream} {said}", is_done=False)


def _courses(steps: Sequence[Step]) -> Iterator[tuple[str, Course]]:
    """For each stream the steps up to its last one, if something was done among them."""
    last = {step.told.stream: place for place, step in enumerate(steps)}
    for stream, place in last.items():
        ended = steps[place].told.event.at
        near = [step for step in steps[: place + 1] if ended - step.told.event.at <= SHORT_GAP][-MAX_STEPS:]
        if stream is not None and len(near) >= MIN_STEPS and any(step.is_done for step in near):
            yield stream, Course(steps=tuple(near))


def _common(stream: str, courses: Sequence[Course]) -> list[Procedure]:
    done = {step.key for course in courses for step in course.steps if step.is_done}
    of_stream = {step.key for course in courses for step in course.steps if step.told.stream == stream}
    shared = {_up_to(of_stream, _longest_common(one.keys, other.keys)) for one, other in combinations(courses, 2)}
    candidates = {keys for keys in shared if len(keys) >= MIN_STEPS and done & set(keys)}
    kept = [keys for keys in candidates if not any(keys != other and _holds(other, keys) for other in candidates)]
    found = []
    for keys in sorted(kept):
        times = [placed for course in courses if (placed := _placed(course.steps, keys)) is not None]
        first = times[0]
        words = ", then ".join(f'"{shown(step.told.event.text)}"' for step in first)
        found.append(
            Procedure(
                stream=stream,
                key=f"steps: {'; '.join(keys)}",
                text=f"Steps that worked in this order: {words} ({len(times)} sessions)",
                times=tuple(tuple(step.told.event for step in steps) for steps in times),
            )
        )
    return found


def _longest_common(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """The longest sequence that both hold; of several the first in order."""
    best: dict[tuple[int, int], tuple[str, ...]] = {}
    for left, key in enumerate(one):
        for right in range(len(other)):
            found = [best.get((left - 1, right), ()), best.get((left, right - 1), ())]
            if key == other[right]:
                found.append((*best.get((left - 1, right - 1), ()), key))
            best[left, right] = min(found, key=lambda keys: (-len(keys), keys))
    return best.get((len(one) - 1, len(other) - 1), ())


def _up_to(last: Collection[str], keys: tuple[str, ...]) -> tuple[str, ...]:
    """`keys` without what follows on the last one of them that is in `last`."""
    places = [place for place, key in enumerate(keys) if key in last]
    return keys[: places[-1] + 1] if places else ()


def _placed(steps: Sequence[Step], keys: Sequence[str]) -> tuple[Step, ...] | None:
    """The latest of `steps` that go through `keys` in order; None if they do not."""
    found: list[Step] = []
    wanted = list(keys)
    for step in reversed(steps):
        if wanted and step.key == wanted[-1]:
            found.append(step)
            wanted.pop()
    return None if wanted else tuple(reversed(found))


def _holds(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether `shorter` is what is left of `longer` when some of it is taken out."""
    rest = iter(longer)
    return all(key in rest for key in shorter)
