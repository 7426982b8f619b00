"""What a person wants gone: from SUBJECT to the events that are erased.

SUBJECT is a target, the id of a stream, claim or event, a session or a source. A statement stands in events, so a claim
goes with all events of its space that state it, in whatever stream; a target goes with all that was said about it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dreamd.daemon.deciding import by_id, only_one, streams_of
from dreamd.daemon.errors import Usage
from dreamd.daemon.session import Session, several
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.further import CITED
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key

KINDS = ("target", "claim", "event", "session", "source")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What SUBJECT stands for in one space."""

    kind: str  # one of KINDS, for a person
    events: frozenset[str]  # ids of the events that go
    streams: frozenset[str] = frozenset()  # ids of the streams that go whole
    names: frozenset[str] = frozenset()  # the canonical forms that such a stream is called by
    claims: frozenset[str] = frozenset()  # ids of the claims that were named


def all_meant_by(opened: Session, subjects: Sequence[str], kind: str = "") -> tuple[SpaceStore, Meant]:
    """The one space and what goes there, of all `subjects`; as `meant_by`. Raises Usage if they are of two spaces."""
    found = [meant_by(opened, subject, kind) for subject in subjects]
    (store, first), names = found[0], sorted({each.space for each, _ in found})
    if len(names) > 1:
        raise several(names)
    kinds = sorted({meant.kind for _, meant in found})
    return store, Meant(
        kind=first.kind if len(found) == 1 else f"{len(found)} subjects ({', '.join(kinds)})",
        events=frozenset().union(*(meant.events for _, meant in found)),
        streams=frozenset().union(*(meant.streams for _, meant in found)),
        names=frozenset().union(*(meant.names for _, meant in found)),
    )


def meant_by(opened: Session, subject: str, kind: str = "") -> tuple[SpaceStore, Meant]:
    """The space and what goes there. `kind` narrows it down. Raises Usage if nothing fits, or several things do."""
    if kind and kind not in KINDS:
        raise Usage(f"--as {kind!r} is no kind of subject", f"one of: {', '.join(KINDS)}")

    def look(store: SpaceStore) -> list[Meant]:
        found = [meant for meant in _fitting(store, subject) if meant.events or meant.streams]
        found = [meant for meant in found if not kind or meant.kind == kind]
        if len(found) > 1:
            kinds = [meant.kind for meant in found]
            raise Usage(f"{subject!r} is a {' and a '.join(kinds)}", f"say which: --as {kinds[0]}")
        return found

    hint = "give a target, a claim id, an event id, a session or a source; dreamd events --all lists events"
    return only_one(opened, subject, look, "subject", hint)


def _fitting(store: SpaceStore, subject: str) -> Iterable[Meant]:
    rows = by_id(store, subject)
    if rows:
        for row in rows:
            match row:
                case Stream():
                    yield of_target(store, row)
                case Claim():
                    said = stating(store, {text_key(row.text)}, {row.id})
                    yield Meant(kind="claim", events=said, claims=frozenset({row.id}))
                case Event():
                    yield Meant(kind="event", events=frozenset({row.id}))
                case _:
                    pass
        return
    streams = streams_of(store, subject)
    for stream in streams:
        yield of_target(store, stream)
    form = canonical_form(subject)
    named, of_session, of_source = set(), set(), set()
    for found in store.all_events():
        event = found.event
        named |= {event.id} if event.target is not None and canonical_form(event.target) == form else set()
        of_session |= {event.id} if event.session == subject else set()
        of_source |= {event.id} if event.source == subject else set()
    if not streams and named:
        yield Meant(kind="target", events=frozenset(named), names=frozenset({form}))
    yield Meant(kind="session", events=frozenset(of_session))
    yield Meant(kind="source", events=frozenset(of_source))


def of_target(store: SpaceStore, stream: Stream) -> Meant:
    """All about `stream` and what is merged into it."""
    streams = [row for row in store.streams() if stream.id in (row.id, row.merged_into)]
    ids = {row.id for row in streams}
    names = {row.target for row in streams}
    names |= {alias.target for alias in store.aliases() if alias.stream in ids}
    names |= {canonical_form(alias.spelling) for alias in store.aliases() if alias.stream in ids}
    linked = {link.event for id_ in ids for link in store.links(id_) if link.rule != CITED}
    held = {hold.event for hold in store.holds() if hold.stream in ids and hold.event is not None}
    named = {
        found.event.id
        for found in store.all_events()
        if found.event.target is not None and canonical_form(found.event.target) in names
    }
    return Meant(kind="target", events=frozenset(linked | held | named), streams=frozenset(ids), names=frozenset(names))


def stating(store: SpaceStore, keys: set[str], claims: Iterable[str] = ()) -> frozenset[str]:
    """The events of the space that state something with one of the text `keys`, or one of `claims`."""
    linked = {link.event for link in store.links_of_claims(set(claims)) if link.rule != CITED}
    said = {
        found.event.id
        for found in store.all_events()
        if keys.intersection(
            text_key(part) for part in (found.event.text, *parts_of(found.event.text, found.event.kind))
        )
    }
    return frozenset(linked | said)
