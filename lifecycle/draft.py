"""A draft of the rows after the run, and the changes that lead to it.

Steps put rows into the draft or drop them; the changes are worked out at the end by comparing, never written down on
the way. So a step that puts back what was there changes nothing, and the inverse of a change is a swap.
"""

from collections.abc import Iterable

from dreamd.lifecycle.codec import subject_of, table_of
from dreamd.lifecycle.plan import Change, Subject
from dreamd.lifecycle.reasons import kinds_of, reason
from dreamd.lifecycle.values import Row, Stream


class Draft:
    """The rows as they were and as they are to be."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._before = {subject_of(row): row for row in rows}
        self._after: dict[Subject, Row] = dict(self._before)
        self._notes: dict[Subject, str] = {}

    def put(self, row: Row, note: str = "") -> None:
        """`row` is to be there; `note` says why, in words that end the reason's sentence."""
        subject = Subject(table_of(row), row.id)
        self._after[subject] = row
        if note:
            self._notes[subject] = note

    def drop(self, row: Row, note: str) -> None:
        subject = subject_of(row)
        self._after.pop(subject, None)
        self._notes[subject] = note

    def streams(self) -> dict[str, Stream]:
        """The streams as they are to be, by id."""
        return {row.id: row for row in self._after.values() if isinstance(row, Stream)}

    def changes(self) -> tuple[Change, ...]:
        """What differs, sorted by subject."""
        return tuple(
            self._change(subject)
            for subject in sorted(self._before.keys() | self._after.keys())
            if self._before.get(subject) != self._after.get(subject)
        )

    def _change(self, subject: Subject) -> Change:
        before, after = self._before.get(subject), self._after.get(subject)
        return Change(
            subject=subject,
            before=before,
            after=after,
            because=reason(before, after, self._notes.get(subject, "")),
            kinds=kinds_of(before, after),
        )
