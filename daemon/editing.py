"""People's edits in the memory repository, taken in before a run dreams or exports (design, section 8).

    people's commits since the last look -> marks -> edits -> events, kept       one transaction, with the cursor
    the events that are open -> one plan with trigger `edit` -> one run

The cursor moves with the events, and the events stay open until their plan is applied: a kill in between takes nothing
twice and loses nothing.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.daemon.edit_events import taken_from
from dreamd.daemon.edit_reader import PINNED, REMOVED_FILE, RENAMED, RETURNED, UNPINNED, Taken
from dreamd.daemon.hiding import Redact
from dreamd.daemon.keeping import moved_steps, read_kept, read_steps
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.planning import Planned, plan_edits
from dreamd.daemon.run import carry_out, with_problems
from dreamd.daemon.storage.log import Attempt
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.edits import Edit, edit_of
from dreamd.lifecycle.merging import PERSON
from dreamd.lifecycle.plan import Plan, Problem
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Alias, Event, Pin, Row
from dreamd.lifecycle.words import Status, Trigger
from dreamd.reflection.targets import canonical_form
from dreamd.repo_export.edits.folding import folded
from dreamd.repo_export.edits.people import peoples_commits
from dreamd.repo_export.edits.reading import read_edits
from dreamd.repo_export.edits.reverted import taking_back
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.slug import ARCHIVE, SHELVES

LOOKED = "edits:looked"  # the cursor: the commit up to which people's commits were read, and the events still open


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    head: str | None  # None: nothing was looked at yet
    open: tuple[str, ...]  # ids of the events whose plan is not applied yet


def take_edits(  # noqa: PLR0913 - as a run, and what may be read
    store: SpaceStore,
    repository: MemoryRepository | None,
    now: datetime,
    policy: Policy,
    reach: Callable[[str], None],
    *,
    redact: Redact,
    max_characters: int,
    near: Callable[[], Nearness | None] = lambda: None,
    is_taken: Callable[[str], bool] = lambda sha: False,
    notes: tuple[Problem, ...] = (),
) -> Plan | None:
    """Take in what people committed since the last look; the plan that was applied, None if there was nothing.

    `is_taken` says of a commit that somebody else handles it; the report names `notes`. Raises RepositoryProblem if the
    repository cannot be read; then nothing was taken in.
    """
    looked = read_looked(store)
    head = None if repository is None else repository.head()
    if repository is not None and head is not None and head != looked.head:
        looked = _look(store, repository, head, looked, now, redact, max_characters, is_taken)
    if not looked.open:
        return None
    reach("edits-read")

    def make() -> Planned:
        return with_problems(_plan(store, looked.open, now, policy, near()), notes)

    plan = carry_out(store, make, policy, reach, started_at=now)
    reach("edits-applied")
    store.set_cursor(LOOKED, _looked_to_text(replace(looked, open=())))
    if not plan.changes:
        return None
    attempt = Attempt(
        at=now,
        trigger=plan.trigger,
        outcome="applied",
        number=plan.number,
        counts=plan.counts,
        near_misses=plan.near_misses,
        problems=plan.problems,
    )
    store.record_attempt(attempt)
    return plan


def read_looked(store: SpaceStore) -> Looked:
    text = store.cursor(LOOKED)
    if text is None:
        return Looked(head=None, open=())
    value = json.loads(text)
    return Looked(head=value["head"], open=tuple(value["open"]))


def _looked_to_text(looked: Looked) -> str:
    return json.dumps({"head": looked.head, "open": list(looked.open)})


def is_read(path: str) -> bool:
    """Whether an edit of the file at `path` may be knowledge."""
    return path == MEMORY_PATH or (path.endswith(".md") and path.split("/", maxsplit=1)[0] in (*SHELVES, ARCHIVE))


def _look(  # noqa: PLR0913, PLR0917 - all that is read
    store: SpaceStore,
    repository: MemoryRepository,
    head: str,
    looked: Looked,
    now: datetime,
    redact: Redact,
    max_characters: int,
    is_taken: Callable[[str], bool],
) -> Looked:
    since = looked.head if looked.head is not None and repository.has_commit(looked.head) else None
    commits = peoples_commits(repository, head, since, is_taken)
    files = folded(commits, is_read, lambda blobs: _contents(repository, blobs), repository.files_at) if commits else {}
    kept = read_kept(store)
    takes_back = taking_back(repository, head, since) if files else frozenset()
    taken = (
        taken_from(read_edits(files, takes_back), store, kept, now=now, redact=redact, max_characters=max_characters)
        if files
        else Taken()
    )
    known = {event.id for event in store.events(taken.events.keys())}
    fresh = [event for id_, event in taken.events.items() if id_ not in known]
    is_open = (*looked.open, *(event.id for event in fresh))
    more = {page: [step for step in own if step[0] not in known] for page, own in taken.steps.items()}
    after = Looked(head=head, open=tuple(dict.fromkeys(is_open)))
    store.add_events(fresh, (LOOKED, _looked_to_text(after)), *moved_steps(read_steps(store), more))
    return after


def _contents(repository: MemoryRepository, blobs: Sequence[str]) -> Mapping[str, bytes]:
    return dict(zip(blobs, repository.blobs(blobs), strict=True))


def _plan(store: SpaceStore, events: Sequence[str], now: datetime, policy: Policy, near: Nearness | None) -> Planned:
    at = max(now, store.head().now or now)
    taken = sorted(store.events(events), key=lambda event: (event.at, event.id))
    put, drop = _rows(store, taken)
    streams = {row.stream if isinstance(row, Pin | Alias) else row.id for row in (*put, *drop)}
    order = Order(
        trigger=Trigger.EDIT,
        because="edited by a person",
        put=tuple(put),
        drop=tuple(drop),
        streams=tuple(sorted(streams)),
        new=tuple(event.id for event in taken),
    )
    pending = {event.id for event in store.unexamined(at)}
    new = [event for event in taken if event.id in pending]
    planned = plan_edits(store, new, order, at, policy, near)
    plan = planned.plan
    return replace(planned, plan=replace(plan, problems=(*_problems(taken), *plan.problems)))


def _rows(store: SpaceStore, events: Sequence[Event]) -> tuple[list[Row], list[Row]]:
    """The rows that `events` put and drop beside what they state."""
    put: dict[str, Row] = {}
    drop: dict[str, Row] = {}
    pins = {pin.subject: pin for pin in store.pins()} if any(_pins(event) for event in events) else {}
    for event in events:
        edit = edit_of(event)
        if edit is None or not edit.subject or event.target is None:
            continue
        stream_id = ids.stream_id(store.space, canonical_form(event.target))
        if edit.what == PINNED:
            row = Pin(
                id=ids.pin_id(store.space, edit.subject),
                space=store.space,
                subject=edit.subject,
                stream=edit.subject if edit.subject.startswith("st_") else stream_id,
                pinned_at=event.at,
            )
            if edit.subject not in pins:
                put[row.id] = row
        elif edit.what == UNPINNED and edit.subject in pins:
            drop[pins[edit.subject].id] = pins[edit.subject]
        elif edit.what in (REMOVED_FILE, RETURNED):
            stream = store.stream(edit.subject)
            if stream is not None and stream.status is not Status.MERGED:
                is_back = edit.what == RETURNED
                put[stream.id] = replace(stream, status=Status.ACTIVE if is_back else Status.FORGOTTEN)
        elif edit.what == RENAMED:
            alias = _alias(store, edit, event)
            put[alias.id] = alias
    return list(put.values()), list(drop.values())


def _alias(store: SpaceStore, edit: Edit, event: Event) -> Alias:
    name = canonical_form(edit.path.rpartition("/")[2].removesuffix(".md"))
    return Alias(
        id=ids.alias_id(store.space, name),
        space=store.space,
        spelling=name,
        target=canonical_form(event.target or ""),
        stream=edit.subject,
        rule=PERSON,
    )


def _pins(event: Event) -> bool:
    edit = edit_of(event)
    return edit is not None and edit.what in (PINNED, UNPINNED)


def _problems(events: Sequence[Event]) -> tuple[Problem, ...]:
    """What the report has to say of edits beyond what they changed."""
    found = []
    for event in events:
        edit = edit_of(event)
        if edit is not None and edit.note:
            found.append(Problem(source="edit", message=f"{edit.path}: {edit.note}"))
    return tuple(dict.fromkeys(found))
