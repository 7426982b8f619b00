"""Commits that had to be amended: a later fix or revert about the same target that names them as its reason.

The author says so ("regression introduced in #4536", "follow-up to #12994", "This reverts commit 4f1c2aa"), by the
number or the digest of the earlier commit; that two commits touch the same files says nothing.
"""

import re
from collections.abc import Iterator, Sequence

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.remedies import says_fix, shown
from dreamd.reflection.practice.values import Attempt, Lesson, Told, when

MIN_DIGEST = 7  # characters of a commit's digest
_NAMES = re.compile(
    r"\b(?:regress\w*|introduced|caused by|broke(?:n (?:by|in|since))?|follow(?:ed)?[- ]?up|revert\w*)\b[^.\n#]{0,60}?"
    rf"(?:#(?P<number>\d+)|\b(?P<digest>[0-9a-f]{{{MIN_DIGEST},40}})\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\(#(\d+)\)\s*$")


def names_another(event: Event) -> bool:
    """Whether `event` is a fix or revert that names an earlier commit as its reason."""
    return event.kind is EventKind.COMMIT and says_fix(event.text) and _NAMES.search(_said(event)) is not None


def amended(events: Sequence[Told]) -> Iterator[Lesson]:
    """The lessons of one stream's commits."""
    commits = sorted(
        (each for each in events if each.event.kind is EventKind.COMMIT), key=lambda each: when(each.event)
    )
    by_number: dict[str, Told] = {}
    for each in commits:
        if names_another(each.event):
            for earlier in _named(each.event, by_number, commits):
                yield _lesson(earlier, each)
        if match := _NUMBER.search(_first_line(each.event)):
            by_number.setdefault(match[1], each)


def _named(event: Event, by_number: dict[str, Told], commits: Sequence[Told]) -> list[Told]:
    found: dict[str, Told] = {}
    for match in _NAMES.finditer(_said(event)):
        if match["number"] is not None:
            earlier = by_number.get(match["number"])
        else:
            digest = match["digest"].lower()
            earlier = next((each for each in commits if _digest(each.event).startswith(digest)), None)
        if earlier is not None and when(earlier.event) < when(event):
            found[earlier.event.id] = earlier
    return list(found.values())


def _lesson(earlier: Told, later: Told) -> Lesson:
    assert earlier.stream is not None
    attempt = Attempt(
        stream=earlier.stream,
        trouble=shown(_first_line(earlier.event)),
        trouble_key=earlier.event.id,
        remedy=shown(_first_line(later.event)),
        remedy_in_general=shown(_first_line(later.event)),
        remedy_key=later.event.id,
        has_worked=True,
        evidence=(earlier.event, later.event),
        at=later.event.at,
    )
    return Lesson(
        stream=earlier.stream,
        key=f"amended: {earlier.event.id} by {later.event.id}",
        text=f'After "{attempt.trouble}", "{attempt.remedy}" was needed',
        tried=(attempt,),
    )


def _said(event: Event) -> str:
    return f"{event.text}\n{event.because or ''}"


def _first_line(event: Event) -> str:
    return event.text.split("\n", 1)[0]


def _digest(event: Event) -> str:
    return event.source.removeprefix("git:").lower() if event.source.startswith("git:") else ""
