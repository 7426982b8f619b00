"""What a purge would do: the plan without the purged events, what goes with them, and how to know it again.

The events give up their links, as when their target is looked at again, and every stream that they leave is made whole
from what is left; one that nothing else supports goes. So what stays is what it would be without them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.daemon.keeping import read_kept
from dreamd.daemon.nearness import vector_input
from dreamd.daemon.needles import Needles, needles_of
from dreamd.daemon.planning import Planned, plan_anew
from dreamd.daemon.purge_subject import Meant
from dreamd.daemon.sealing import PURGED_SUBJECT, Seal
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.targeting import Targets
from dreamd.daemon.tombs import Tomb, sealed_of
from dreamd.lifecycle import ids
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.edits import edit_of
from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.further import first_links, is_first
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Claim, Event, Link, Row, Stream, Tombstone
from dreamd.lifecycle.words import Trigger
from dreamd.reflection.sentences import parts_of
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.slug import path_of, slug

SPELLED = "canonical form"  # the rule of aliases that are spellings
PURGED = "purged"  # the rule of the links that purged events have until they are erased, in the same transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePlan:
    planned: Planned
    events: frozenset[str]  # ids
    streams: frozenset[str]  # ids of those that go
    claims: frozenset[str]  # ids of those that go
    remade: frozenset[str]  # ids of the streams that are made whole without the events
    needles: Needles
    slugs: frozenset[str]  # names of the files of the streams that go
    digests: frozenset[str]  # of texts that an embedder or a distiller was shown
    tombs: tuple[Tomb, ...]
    also_said: int  # events that stay and say one of the purged texts too


def plan_purge(  # noqa: PLR0913, PLR0917 - as a dream, and what goes
    store: SpaceStore, meant: Meant, number: int, seal: Seal, now: datetime, policy: Policy
) -> PurgePlan:
    """What purge `number` does to `store`."""
    events = {event.id: event for event in store.events(meant.events)}
    links = [link for event in sorted(events) for link in store.links_of_event(event)]
    firsts = {link.event: link for link in first_links(links) if link.stream is not None}
    gone = meant.streams | _deserted(store, firsts)
    absorbed = [row for row in store.streams() if row.merged_into in gone or (row.id in gone and row.merged_into)]
    kept = list(_other_events(store, events))
    tombs = _tombs(store.space, meant, events.values(), kept, number, seal)
    order = Order(
        trigger=Trigger.PURGE,
        because="purged by a person",
        put=tuple(_tombstone(tomb) for tomb in tombs),
        drop=(*absorbed, *_belongings(store, gone), *_spellings(store, gone, events.values(), kept)),
    )
    there = {row.id for row in store.tombstones()}
    order = replace(order, put=tuple(row for row in order.put if row.id not in there))
    targets = Targets(
        aliases=store.alias_targets(),
        suspects={},
        released=frozenset(),
        found={event: Assignment(event=event, target=None, title=None, rule=PURGED, score=1.0) for event in firsts},
        again=firsts,
        events={event: events[event] for event in firsts},
    )
    planned = plan_anew(store, targets, order, now, policy, None)
    dropped = _dropped(planned)
    streams = gone | {row.id for row in dropped if isinstance(row, Stream)}
    claims = {row.id for row in dropped if isinstance(row, Claim)}
    named = [row for row in store.streams() if row.id in streams]
    texts = [*_texts_of(events.values()), *(text for row in dropped for text in _own_texts(row))]
    texts += [text for row in named for text in (row.target, row.title)] + sorted(meant.names)
    needles = needles_of(
        [text for text in texts if text],
        _kept_texts(store, planned, kept, streams),
        names=[*events, *streams, *claims, *(link.id for link in links)],
    )
    stated = [part for event in events.values() for part in (event.text, *parts_of(event.text, event.kind))]
    return PurgePlan(
        planned=planned,
        events=frozenset(events),
        streams=frozenset(streams),
        claims=frozenset(claims),
        remade=frozenset(link.stream for link in firsts.values() if link.stream) - streams,
        needles=needles,
        slugs=frozenset(slug(row.target) for row in named),
        digests=frozenset(
            vector_input(text) for text in (*stated, *(row.text for row in dropped if isinstance(row, Claim)))
        ),
        tombs=tombs,
        also_said=_also_said(events.values(), kept),
    )


def _deserted(store: SpaceStore, firsts: Mapping[str, Link]) -> frozenset[str]:
    """The streams whose every evidence is among `firsts`."""
    left = {link.stream for link in firsts.values() if link.stream is not None}
    return frozenset(
        stream for stream in left if all(link.event in firsts for link in store.links(stream) if is_first(link))
    )


def _belongings(store: SpaceStore, gone: frozenset[str]) -> list[Row]:
    """What belongs to streams that go and would not go with them by itself."""
    rows: list[Row] = [pin for pin in store.pins() if pin.stream in gone]
    rows += [row for row in store.holds() if row.stream in gone]
    rows += [row for row in store.proposals() if row.stream in gone or gone.intersection(row.subjects)]
    rows += [row for row in store.aliases() if row.stream in gone]
    return rows


def _spellings(store: SpaceStore, gone: frozenset[str], events: Iterable[Event], kept: Iterable[Event]) -> list[Row]:
    """The spellings of names that only the purged events used, of streams that stay."""
    unused = {event.target for event in events} - {event.target for event in kept}
    rows = [row for row in store.aliases() if row.rule == SPELLED and row.stream not in gone]
    return [row for row in rows if row.spelling in unused]


def _other_events(store: SpaceStore, purged: Iterable[str]) -> Iterable[Event]:
    gone = frozenset(purged)
    return (found.event for found in store.all_events() if found.event.id not in gone)


def _tombs(  # noqa: PLR0913, PLR0917 - what is sealed, and what is not
    space: str, meant: Meant, events: Iterable[Event], kept: Iterable[Event], number: int, seal: Seal
) -> tuple[Tomb, ...]:
    """By what the purged is known again: the names of a purged target, each event, and each text that no other says."""
    others = {told for event in kept for told in sealed_of(event)}
    told = {one for event in events for one in sealed_of(event) if one[0] != PURGED_SUBJECT and one not in others}
    told |= {(PURGED_SUBJECT, name) for name in meant.names}
    return tuple(
        Tomb(space=space, kind=kind, seal=seal(space, kind, text), purge=number) for kind, text in sorted(told)
    )


def _tombstone(tomb: Tomb) -> Tombstone:
    id_ = ids.tombstone_id(tomb.space, tomb.kind, tomb.seal)
    return Tombstone(id=id_, space=tomb.space, stream=None, kind=tomb.kind, digest=tomb.seal)


def _dropped(planned: Planned) -> list[Row]:
    return [change.before for change in planned.plan.changes if change.after is None and change.before is not None]


def _own_texts(row: Row) -> Iterable[str]:
    match row:
        case Claim():
            return [text for text in (row.text, row.slot, row.value) if text]
        case Stream():
            return [text for text in (row.target, row.title, row.headline) if text]
        case _:
            return [text for name in ("spelling", "text") if (text := getattr(row, name, None))]


def _texts_of(events: Iterable[Event]) -> Iterable[str]:
    """All that `events` say, name or carry."""
    for event in events:
        yield from filter(None, (event.text, event.because, event.target, event.session, event.scope, event.given_id))
        yield event.source
        yield from (*event.files, *event.tags)
        edit = edit_of(event)
        if edit is None:
            yield from _strings(event.extra)
        else:  # who edited, in which commit, and what of the memory it ended tell nothing: they stay, with their names
            yield from (edit.was, edit.path, edit.note)


def _strings(value: object) -> Iterable[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for name, each in value.items():
                yield str(name)
                yield from _strings(each)
        case list() | tuple():
            for each in value:
                yield from _strings(each)
        case _:
            pass


def _kept_texts(store: SpaceStore, planned: Planned, events: Iterable[Event], streams: Iterable[str]) -> Iterable[str]:
    """What is known without the purged: other events, and what the plan makes or leaves of claims and streams."""
    yield from _texts_of(events)
    gone = frozenset(streams)
    changed = {change.subject.id: change.after for change in planned.plan.changes}
    kept = read_kept(store)
    rows: list[Claim | Stream] = [*store.claims(), *(row for row in store.streams() if row.merged_into is None)]
    for before in rows:
        after = changed.get(before.id, before)
        stream = after.stream if isinstance(after, Claim) else before.id
        if after is not None and stream not in gone:
            yield from _own_texts(after)
        if isinstance(before, Stream) and before.id not in gone:
            yield from filter(None, (path_of(before), path_of(as_shown(before, kept))))
    yield store.space


def _also_said(events: Iterable[Event], kept: Iterable[Event]) -> int:
    told = {one for event in events for one in sealed_of(event) if one[0] != PURGED_SUBJECT}
    return sum(1 for event in kept if told.intersection(sealed_of(event)))
