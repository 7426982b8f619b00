"""Targets that may be one under two names, of those that have new evidence: blocks of names first, then texts.

Only names with the same words are ever compared, so a night pays for what is new against its own block. What is found
is weighed by `lifecycle/joining.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.findings import Assignment, Likeness
from dreamd.lifecycle.ids import stream_id
from dreamd.lifecycle.merging import MERGE
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.kinship import is_proof, name_key, old_and_new, renaming, shared
from dreamd.reflection.read import read
from dreamd.reflection.targets import canonical_form

MAX_KIN = 12  # names with the same words that are compared with each other; among more of them none speaks for itself
QUOTED = 120  # characters of a statement in a reason
_SAID_BY = (Actor.USER, Actor.AGENT)
_SAID_IN = (
    EventKind.COMMIT,
    EventKind.CORRECTION,
    EventKind.DECISION,
    EventKind.INTERVENTION,
    EventKind.OBSERVATION,
    EventKind.PREFERENCE,
    EventKind.RESULT,
)


def likenesses(
    store: SpaceStore, new: Sequence[Event], assignments: Iterable[Assignment], aliases: Mapping[str, str]
) -> tuple[Likeness, ...]:
    """What the `new` events, with these targets, give reason to take for one; sorted, at most one for two targets."""
    events = {event.id: event for event in new}
    news: dict[str, list[Event]] = defaultdict(list)
    for assignment in assignments:
        if assignment.target is not None:
            news[assignment.target].append(events[assignment.event])
    if not news:
        return ()
    targets = (store.live_targets() | news.keys()) - aliases.keys()
    found = {frozenset((each.old, each.new)): each for each in _said(news, targets)}
    for old, other in _kin(news.keys(), targets):
        statements = shared(_texts(store, old, news), _texts(store, other, news))
        each = _likeness(old, other, statements)
        if each.is_proof or frozenset((old, other)) not in found:
            found[frozenset((old, other))] = each
    return tuple(sorted(found.values(), key=lambda each: (each.new, each.old)))


def _kin(news: Iterable[str], targets: Iterable[str]) -> Iterable[tuple[str, str]]:
    """(old, new) of all that have the same words in their names, one of which has news."""
    wanted = {name_key(target) for target in news}
    blocks: dict[str, list[str]] = defaultdict(list)
    for target in targets:
        if (key := name_key(target)) in wanted:
            blocks[key].append(target)
    fresh = set(news)
    for block in blocks.values():
        if len(block) <= MAX_KIN:
            for one, other in combinations(sorted(block), 2):
                if one in fresh or other in fresh:
                    yield old_and_new(one, other)


def to_be_joined(space: str, found: Iterable[Likeness]) -> frozenset[str]:
    """The streams that are whole in the snapshot, since a proof may merge them."""
    return frozenset(stream_id(space, name) for each in found if each.is_proof for name in (each.old, each.new))


def with_alike(store: SpaceStore, snapshot: Snapshot, found: Sequence[Likeness]) -> Snapshot:
    """`snapshot` with what is known of the streams that were `found` alike, though they are out of play."""
    named = {stream_id(store.space, name) for each in found for name in (each.old, each.new)}
    if not named:
        return snapshot
    away = (store.stream(id_) for id_ in sorted(named - snapshot.streams.keys()))
    asked = {row.id: row for row in store.proposals() if row.kind == MERGE and named & set(row.subjects)}
    pinned = {row.id: row for row in store.pins() if row.subject in named}
    return replace(
        snapshot,
        alike={row.id: row for row in away if row is not None},
        proposals={**snapshot.proposals, **asked},
        pins={**snapshot.pins, **pinned},
    )


def _texts(store: SpaceStore, target: str, news: Mapping[str, Sequence[Event]]) -> list[str]:
    """What is stated about a target by anybody but outsiders, of old and in its new events."""
    fresh = [event for event in news.get(target, ()) if event.actor is not Actor.EXTERNAL]
    said = [statement.text for statement in read({target: fresh}, ()).statements]
    claims = store.claims([stream_id(store.space, target)])
    origins = store.origins({claim.stated_in for claim in claims})
    return said + [claim.text for claim in claims if origins[claim.stated_in].actor is not Actor.EXTERNAL]


def _likeness(old: str, new: str, statements: Sequence[str]) -> Likeness:
    names = "their names are the same words"
    quoted = ", ".join(f'"{text[:QUOTED]}"' for text in statements[:2])
    reason = f"{names}, and both state {quoted}" if statements else f"{names}; no statement is in both"
    return Likeness(old=old, new=new, reason=reason, is_proof=is_proof(statements), is_backed=bool(statements))


def _said(news: Mapping[str, Sequence[Event]], targets: Iterable[str]) -> Iterable[Likeness]:
    """What somebody entitled said outright to have been renamed."""
    known_as = _names(frozenset(targets))
    told = (event for events in news.values() for event in events)
    for event in sorted(told, key=lambda event: (event.at, event.id)):
        if event.actor in _SAID_BY and event.kind in _SAID_IN and (pair := renaming(event.text, known_as)) is not None:
            reason = f'the {event.actor} said so: "{event.text[:QUOTED]}"'
            yield Likeness(old=pair[0], new=pair[1], reason=reason, is_proof=False, is_said=True)


def _names(targets: frozenset[str]) -> Callable[[str], str | None]:
    def known_as(name: str) -> str | None:
        form = canonical_form(name)
        return form if form in targets else None

    return known_as
