"""Lessons and procedures as statements: each time that it worked states it once more, and cites all that it needs.

The words are a template around parts of the evidence. What no event may say below a person, a template may not say for
it: what would tell an agent what to do goes to no stream.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dreamd.lifecycle.findings import Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import ClaimKind
from dreamd.reflection.instructions import instruction_like
from dreamd.reflection.practice.procedures import Procedure
from dreamd.reflection.practice.trajectories import Trajectory
from dreamd.reflection.practice.values import Lesson, when

FIRST_PART = 1_000  # above what a text of its own is cut into


@dataclass(frozen=True, slots=True, kw_only=True)
class _Practice:
    kind: ClaimKind
    stream: str
    key: str
    text: str
    times: tuple[tuple[Event, ...], ...]  # the evidence of each time that it worked
    by: Event | None = None  # that states it; None: the last of its stream
    against: tuple[Event, ...] = ()  # the evidence of the times that it did not


def statements_of(
    lessons: Iterable[Lesson],
    procedures: Iterable[Procedure],
    trajectories: Iterable[Trajectory],
    stream_of: Mapping[str, str | None],
) -> Iterator[Statement]:
    """What they make events state. `stream_of`: event id -> its stream; an event of the practice's own states it."""
    parts: Counter[str] = Counter()
    for found in (*map(_of_lesson, lessons), *map(_of_procedure, procedures), *map(_of_trajectory, trajectories)):
        if instruction_like(found.text) is not None:
            continue
        for time in found.times:
            by = found.by or max((event for event in time if stream_of.get(event.id) == found.stream), key=when)
            against = found.against if time is found.times[-1] else ()
            yield Statement(
                event=by.id,
                text=found.text,
                text_key=found.key,
                group_key=found.key,
                kind=found.kind,
                is_explicit=False,
                slot=None,
                value=None,
                part=FIRST_PART + parts[by.id],
                cites=tuple(sorted({event.id for event in (*time, *against)} - {by.id})),
            )
            parts[by.id] += 1


def _of_lesson(lesson: Lesson) -> _Practice:
    return _Practice(
        kind=ClaimKind.LESSON,
        stream=lesson.stream,
        key=lesson.key,
        text=lesson.text,
        times=tuple(attempt.evidence for attempt in lesson.tried if attempt.has_worked),
        against=tuple(event for attempt in lesson.tried if not attempt.has_worked for event in attempt.evidence),
    )


def _of_procedure(procedure: Procedure) -> _Practice:
    return _Practice(
        kind=ClaimKind.PROCEDURE,
        stream=procedure.stream,
        key=procedure.key,
        text=procedure.text,
        times=procedure.times,
    )


def _of_trajectory(trajectory: Trajectory) -> _Practice:
    return _Practice(
        kind=ClaimKind.PROCEDURE,
        stream=trajectory.stream,
        key=trajectory.key,
        text=trajectory.text,
        times=(trajectory.evidence,),
        by=trajectory.by,
    )
