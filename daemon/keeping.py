"""What people set on pages beside their statements, as it is stored: the steps of each page (see repo_export/kept.py).

They are facts, like the events that they came with, and stand in one cursor a page. A step counts while its event has a
link, so a revert takes it back with the rest of the edit, and what is rendered for an older state is as it was then.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.values import Link
from dreamd.repo_export.kept import Kept, kept_by

KEPT = "kept:"  # what the names of the cursors begin with; a stream's id or a path follows

Steps = Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]]  # by page: (event id, step), in their order


def read_kept(store: SpaceStore, later: Sequence[Change] = ()) -> dict[str, Kept]:
    """By stream, or by path of a file that is no page; as it was before the `later` changes."""
    steps = read_steps(store)
    if not steps:
        return {}
    linked = _linked(store, {event for own in steps.values() for event, _ in own}, later)
    in_force = {page: [step for event, step in own if event in linked] for page, own in steps.items()}
    return {page: kept_by(own) for page, own in in_force.items() if own}


def read_steps(store: SpaceStore) -> Steps:
    return {
        name.removeprefix(KEPT): [(event, step) for event, step in json.loads(text)]
        for name, text in store.cursors(KEPT).items()
    }


def moved_steps(steps: Steps, more: Steps) -> list[tuple[str, str]]:
    """The cursors of the pages that got `more`."""
    return [
        (f"{KEPT}{page}", json.dumps([*steps.get(page, ()), *own], sort_keys=True))
        for page, own in sorted(more.items())
        if own
    ]


def steps_without(value: str, events: Collection[str], hit: Callable[[str], bool]) -> str | None:
    """What is left of a cursor of steps without `events` and without every word that is `hit`; None: nothing is."""
    left = []
    for event, step in json.loads(value):
        told = {} if event in events else _told_without(step, hit)
        left += [(event, told)] if told else []
    return json.dumps(left, sort_keys=True) if left else None


def _told_without(step: Mapping[str, Any], hit: Callable[[str], bool]) -> dict[str, Any]:
    """Lines go one by one; of a key of the front matter nothing is left if its value is hit."""
    if any(hit(text) for text in step.values() if isinstance(text, str)):
        return {}
    return {
        name: [line for line in told if not hit(line)] if isinstance(told, list) else told
        for name, told in step.items()
    }


def _linked(store: SpaceStore, events: Collection[str], later: Sequence[Change]) -> set[str]:
    links = {link.id: link for link in store.links_of_events(events)}
    for change in reversed(later):
        if change.subject.table == "link":
            if isinstance(change.before, Link):
                links[change.subject.id] = change.before
            else:
                links.pop(change.subject.id, None)
    return {link.event for link in links.values()}
