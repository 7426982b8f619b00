"""The targets of a run: by rule, then by what the space has learned, and which of the old are looked at again.

A run with new events also looks at the newest untargeted ones again, for the new ones may have taught their target.
`dreamd retarget` looks at all that no event named. Both give the dream links to give up and assignments to make.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.findings import Assignment, Split
from dreamd.lifecycle.retargeting import SPLIT, split_id
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event, Link, Stream
from dreamd.lifecycle.words import Status, Waiting
from dreamd.reflection.targeting.learned import Learned, learn
from dreamd.reflection.targeting.placing import LEARNED, decided, is_open, lessons_of, placed
from dreamd.reflection.targets import OPEN_RULES, assign

LEARNED_FROM = 5_000  # newest events of the space that a run learns targets from
MIN_SPLIT = 3  # events of a stream that belong elsewhere before a split is offered
LOOKED_AT_AGAIN = 500  # newest untargeted events that a run with new events looks at again


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What a run knows about targets before it takes its snapshot."""

    aliases: Mapping[str, str]
    suspects: Mapping[str, str]  # event id -> why it is kept back
    released: frozenset[str]  # events that a person let out of quarantine
    found: Mapping[str, Assignment] = field(default_factory=dict)  # of events that are new or looked at again
    again: Mapping[str, Link] = field(default_factory=dict)  # by event: links to be given up
    events: Mapping[str, Event] = field(default_factory=dict)  # those of `again`, by id
    splits: tuple[Split, ...] = ()  # streams that mix components and were not offered for a split before

    def streams(self, space: str) -> frozenset[str]:
        """The streams that events come to or leave."""
        left = {link.stream for link in self.again.values() if link.stream is not None}
        come = {ids.stream_id(space, one.target) for one in self.found.values() if one.target is not None}
        return frozenset(left | come)

    def moving(self, space: str) -> frozenset[str]:
        """The streams that events which were examined before come to or leave."""
        return replace(self, found={event: self.found[event] for event in self.again}).streams(space)

    def onto(self, snapshot: Snapshot) -> Snapshot:
        """`snapshot` with the events that are looked at again."""
        if not self.again:
            return snapshot
        links = {link.id: link for link in self.again.values()}
        return replace(
            snapshot,
            again=self.again,
            links={**snapshot.links, **links},
            events={**snapshot.events, **self.events},
        )

    def of(self, snapshot: Snapshot) -> tuple[Assignment, ...]:
        """The assignments of all events in `snapshot`, sorted by event: as found, as once decided, else by rule."""
        known = [self.found[event] for event in snapshot.events if event in self.found]
        others = [event for id_, event in snapshot.events.items() if id_ not in self.found]
        learned = {link.event: link for link in snapshot.links.values() if _is_learned(link)}
        by_rule = assign(others, self.aliases, self.suspects, self.released)
        decided_on = (self._of(snapshot, one, learned.get(one.event)) for one in by_rule)
        return tuple(sorted((*known, *decided_on), key=lambda one: one.event))

    def _of(self, snapshot: Snapshot, by_rule: Assignment, link: Link | None) -> Assignment:
        if link is None or link.stream is None:
            return by_rule
        return decided(snapshot.events[by_rule.event], link, snapshot.streams[link.stream].target, self.aliases)


def targets_of_new(
    store: SpaceStore, new: Sequence[Event], suspects: Mapping[str, str], released: frozenset[str], now: datetime
) -> Targets:
    """The targets of the `new` events, and of older ones that were untargeted until now."""
    aliases = store.alias_targets()
    found = assign(new, aliases, suspects, released)
    is_open = any(one.rule in OPEN_RULES and one.event not in released for one in found)
    waiting = store.examined({"untargeted"}, None, LOOKED_AT_AGAIN) if new else []
    known = Targets(aliases=aliases, suspects=suspects, released=released, found={one.event: one for one in found})
    if not is_open and not waiting:
        return known
    learned = _learned(store, now, aliases, suspects)
    free = [one for one in found if one.event not in released]
    placed_new = placed(free, {event.id: event for event in new}, learned, aliases)
    again = {event: one for event, one in _looked_at(waiting, learned, aliases).items() if one.target is not None}
    return replace(
        known,
        found={**known.found, **{one.event: one for one in placed_new}, **again},
        again={event.id: link for event, link in waiting if event.id in again},
        events={event.id: event for event, _ in waiting if event.id in again},
        splits=tuple(_splits(store, learned, aliases)),
    )


def targets_anew(store: SpaceStore, now: datetime, stream: str | None = None) -> Targets:
    """What all events that name no target come to now, where that is another target, rule or score than they have.

    With `stream` only its own events.
    """
    aliases = store.alias_targets()
    candidates = store.examined(OPEN_RULES, LEARNED, None)
    if stream is not None:
        candidates = [(event, link) for event, link in candidates if link.stream == stream]
    found = _looked_at(candidates, _learned(store, now, aliases, {}), aliases)
    fixed = _fixed(store, but=stream)
    changed = {
        event.id: link
        for event, link in candidates
        if _differs(store.space, link, found[event.id]) and not fixed & _touched(store.space, link, found[event.id])
    }
    return Targets(
        aliases=aliases,
        suspects={},
        released=frozenset(),
        found={event: found[event] for event in changed},
        again=changed,
        events={event.id: event for event, _ in candidates if event.id in changed},
    )


def _learned(store: SpaceStore, now: datetime, aliases: Mapping[str, str], suspects: Collection[str]) -> Learned:
    events = [event for event in store.newest(now, LEARNED_FROM) if event.id not in suspects]
    return learn(lessons_of(events, aliases))


def _looked_at(
    waiting: Iterable[tuple[Event, Link]], learned: Learned, aliases: Mapping[str, str]
) -> dict[str, Assignment]:
    events = {event.id: event for event, _ in waiting}
    return {one.event: one for one in placed(assign(list(events.values()), aliases), events, learned, aliases)}


def _differs(space: str, link: Link, found: Assignment) -> bool:
    stream = None if found.target is None else ids.stream_id(space, found.target)
    return (link.stream, link.rule, link.score) != (stream, found.rule, found.score)


def _touched(space: str, link: Link, found: Assignment) -> set[str]:
    streams = {link.stream} if found.target is None else {link.stream, ids.stream_id(space, found.target)}
    return {stream for stream in streams if stream is not None}


def _fixed(store: SpaceStore, but: str | None = None) -> frozenset[str]:
    """The streams that a person pinned, laid to rest or would not have split: nothing is moved from or to them."""
    rested: Iterable[Stream] = store.streams(Status.FORGOTTEN)
    whole = {row.stream for row in store.proposals() if row.kind == SPLIT and row.status is Waiting.REJECTED}
    return frozenset({pin.stream for pin in store.pins()} | {stream.id for stream in rested} | (whole - {but}))


def _splits(store: SpaceStore, learned: Learned, aliases: Mapping[str, str]) -> Iterable[Split]:
    """The streams about a component that gave way since, with enough events that belong to its parts now."""
    known = {row.id for row in store.proposals()}
    for target in sorted({component[-1] for component in learned.layout.split}):
        stream = store.stream_by_target(target)
        if stream is None or split_id(store.space, target) in known or stream.id in _fixed(store):
            continue
        links = {link.event: link for link in store.links(stream.id) if is_open(link.rule)}
        if len(links) < MIN_SPLIT:
            continue
        found = _looked_at([(event, links[event.id]) for event in store.events(links.keys())], learned, aliases)
        others = Counter(one.target for one in found.values() if one.target not in (None, target))
        into = sorted(((name, number) for name, number in others.items() if name), key=lambda item: (-item[1], item[0]))
        if others.total() >= MIN_SPLIT:
            yield Split(target=target, into=tuple(into))


def _is_learned(link: Link) -> bool:
    return link.stream is not None and link.rule.startswith(LEARNED)
