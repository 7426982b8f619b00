"""Hands reflection what lessons are found in: the work around new events, and all work of streams to be made whole.

An attempt may span streams (a test fails in one, a commit elsewhere says what mended it) and runs. So a run looks at
the sessions of its new events, and makes whole each stream whose attempts they change, also one that no new event
speaks about.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.storage.work import NOISE, Placed, Span
from dreamd.lifecycle import ids
from dreamd.lifecycle.findings import Assignment, Findings
from dreamd.lifecycle.quarantine import QUARANTINED
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event
from dreamd.reflection.practice.lessons import lessons, touched
from dreamd.reflection.practice.statements import statements_of
from dreamd.reflection.practice.values import REACH, WORK, Told
from dreamd.reflection.practice.words import is_command_failure, may_be_of_commands


def touched_by(
    store: SpaceStore, new: Sequence[Event], assignments: Iterable[Assignment], news: Mapping[str, PlainNews]
) -> frozenset[str]:
    """The streams whose lessons the events `new` may change; `news`: those that would otherwise only be extended."""
    told = _new_told(store.space, new, assignments)
    mates = store.session_mates(_spans(each.event for each in told if may_be_of_commands(each.event)))
    extended = [each.event.at for each in told if each.stream in news]
    before: Placed = []
    if extended:
        before = store.shortly_before(news.keys(), (min(extended) - REACH, max(extended)))
    known = {each.event.id for each in told}
    around = [Told(event=event, stream=stream) for event, stream in (*mates, *before) if event.id not in known]
    return touched([*told, *around], known)


def with_lessons(
    store: SpaceStore,
    snapshot: Snapshot,
    findings: Findings,
    whole: Mapping[str, Sequence[Event]],
) -> tuple[Snapshot, Findings]:
    """`findings` with the lessons about the streams that are made `whole`, and `snapshot` with the events they cite."""
    told = {event.id: Told(event=event, stream=stream) for stream, events in whole.items() for event in events}
    mates = store.session_mates(_spans(each.event for each in told.values() if is_command_failure(each.event)))
    new = _new_told(snapshot.space, [snapshot.events[id_] for id_ in snapshot.new], findings.assignments)
    beside = [*(Told(event=event, stream=stream) for event, stream in mates), *new]
    found = lessons([*(each for each in beside if each.event.id not in told), *told.values()], whole.keys())
    if not found:
        return snapshot, findings
    cited = {event.id: event for lesson in found for attempt in lesson.tried for event in attempt.evidence}
    statements = (*findings.statements, *statements_of(found, {id_: each.stream for id_, each in told.items()}))
    return replace(snapshot, events={**cited, **snapshot.events}), replace(findings, statements=statements)


def _new_told(space: str, new: Sequence[Event], assignments: Iterable[Assignment]) -> list[Told]:
    placed = {found.event: found for found in assignments}
    told = []
    for event in new:
        found = placed[event.id]
        if event.kind in WORK and found.rule not in (QUARANTINED, NOISE):
            stream = None if found.target is None else ids.stream_id(space, found.target)
            told.append(Told(event=event, stream=stream))
    return told


def _spans(events: Iterable[Event]) -> dict[str, Span]:
    """What lies within reach of `events`, by session."""
    spans: dict[str, Span] = {}
    for event in events:
        if event.session is not None:
            first, last = spans.get(event.session, (event.at - REACH, event.at + REACH))
            spans[event.session] = (min(first, event.at - REACH), max(last, event.at + REACH))
    return spans


def without_held(
    snapshot: Snapshot, by_stream: Mapping[str, Sequence[Event]], lifted: Collection[str]
) -> dict[str, Sequence[Event]]:
    """The events of the streams to be made whole, without those that a hold still keeps.

    New evidence lifts holds: `lifted` are the streams that have some.
    """
    linked = {link.event for link in snapshot.links.values()} | set(snapshot.new)
    return {
        stream: [event for event in events if stream in lifted or event.id in linked]
        for stream, events in by_stream.items()
        if stream not in snapshot.extensions
    }
