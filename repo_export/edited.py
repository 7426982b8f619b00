"""The lines of a report on what people edited in the files: what became what, who did it, when, in which commit."""

from collections.abc import Iterator, Mapping

from dreamd.lifecycle.edits import Edit, edit_of
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.values import Event, Link
from dreamd.repo_export.markdown import escape_text, shorten

EDITED_HEADING = "Edited by people"
WORDS_LENGTH = 160  # characters of what was there and of what is


def edited_lines(plan: Plan, events: Mapping[str, Event]) -> list[str]:
    """One for each edit that `plan` took in, by time; `events` are those that its changes name, by id."""
    if plan.reverts is not None:
        return []
    linked = {change.after.event for change in plan.changes if isinstance(change.after, Link) and change.before is None}
    found = sorted((event for id_ in linked if (event := events.get(id_))), key=lambda event: (event.at, event.id))
    return list(_lines(found))


def _lines(events: list[Event]) -> Iterator[str]:
    for event in events:
        edit = edit_of(event)
        if edit is not None:
            who = f"{edit.what} by {_quiet(edit.by)} on {event.at:%Y-%m-%d %H:%M} UTC in commit {_quiet(edit.commit)}"
            note = f"; {_quiet(edit.note)}" if edit.note else ""
            yield f"- {_quiet(edit.path)}: {_words(edit, event)}, {who}{note}"


def _words(edit: Edit, event: Event) -> str:
    is_now = f"“{_quiet(event.text)}”"
    return f"“{_quiet(edit.was)}” became {is_now}" if edit.was and edit.says is not None else is_now


def _quiet(text: str) -> str:
    return escape_text(shorten(text, WORDS_LENGTH))
