"""Lessons as statements: each attempt that worked states the lesson once more, and cites all that it needs.

The words are a template around parts of the evidence. What no event may say below a person, a template may not say for
it: a lesson whose text tells an agent what to do goes to no stream.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from dreamd.lifecycle.findings import Statement
from dreamd.lifecycle.words import ClaimKind
from dreamd.reflection.instructions import instruction_like
from dreamd.reflection.practice.values import Lesson, when

FIRST_PART = 1_000  # above what a text of its own is cut into


def statements_of(lessons: Iterable[Lesson], stream_of: Mapping[str, str | None]) -> Iterator[Statement]:
    """What `lessons` make events state. `stream_of`: event id -> its stream; an event of the lesson's own states it."""
    parts: Counter[str] = Counter()
    for lesson in lessons:
        if instruction_like(lesson.text) is not None:
            continue
        worked = [attempt for attempt in lesson.tried if attempt.has_worked]
        failed = [event for attempt in lesson.tried if not attempt.has_worked for event in attempt.evidence]
        for attempt in worked:
            evidence = (*attempt.evidence, *(failed if attempt is worked[-1] else ()))
            by = max((event for event in attempt.evidence if stream_of.get(event.id) == lesson.stream), key=when)
            cites = tuple(sorted({event.id for event in evidence} - {by.id}))
            yield Statement(
                event=by.id,
                text=lesson.text,
                text_key=lesson.key,
                group_key=lesson.key,
                kind=ClaimKind.LESSON,
                is_explicit=False,
                slot=None,
                value=None,
                part=FIRST_PART + parts[by.id],
                cites=cites,
            )
            parts[by.id] += 1
