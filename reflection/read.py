"""Reading: from the events of streams to what they state and what that ends.

Every admissible statement is a statement for good; a command line, a heading, a log line or our own output is
evidence for its target and states nothing. The findings are a function of the events alone.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from dreamd.lifecycle.checkpoint import Neighbour
from dreamd.lifecycle.edits import edit_of, is_aside
from dreamd.lifecycle.findings import EVERYTHING, Assignment, Closure, Comparison, Findings, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind, EventKind
from dreamd.reflection.contradicting.dates import over_at
from dreamd.reflection.contradicting.plain import marks_of, sense_of
from dreamd.reflection.contradicting.registry import Registry, registry_of
from dreamd.reflection.contradictions import closures
from dreamd.reflection.duplicates.groups import Grouped, Said, grouped
from dreamd.reflection.duplicates.score import Similarity
from dreamd.reflection.polarity import has_opposite, polarity_of
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.slots import slot_of
from dreamd.reflection.text_keys import group_key, text_key

MODEL = "rules-2"

_KINDS: Mapping[EventKind, ClaimKind] = {
    EventKind.HYPOTHESIS: ClaimKind.HYPOTHESIS,
    EventKind.DECISION: ClaimKind.DECISION,
    EventKind.PREFERENCE: ClaimKind.PREFERENCE,
    EventKind.INTERVENTION: ClaimKind.PREFERENCE,
}
# What somebody only supposes, however the event was filed.
_SUPPOSED = re.compile(
    r"^\W*(?:maybe|perhaps|presumably|possibly|supposedly|apparently|my guess"
    r"|i (?:think|guess|suspect|assume|suppose)\b)"
    r"|\b(?:probably|presumably|(?:might|may|could) (?:well )?be (?:because|caused|due|related)"
    r"|seems? to be (?:caused|due))\b",
    re.IGNORECASE,
)
_SAID_BY: Mapping[EventKind, frozenset[Actor]] = {
    EventKind.DECISION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.PREFERENCE: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.CORRECTION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.INTERVENTION: frozenset({Actor.USER}),
}


_NOTHING: Mapping[str, Sequence[Neighbour]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOne:
    """What the events of one stream state."""

    statements: tuple[Statement, ...]
    noise: Mapping[str, str]  # event id -> why it states nothing
    closures: tuple[Closure, ...]
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Remembered:
    """What was read of one state of the store."""

    streams: dict[tuple[str, tuple[str, ...]], ReadOne] = field(default_factory=dict)  # by stream and ids of its events
    events: dict[str, tuple[Statement, ...]] = field(default_factory=dict)  # by event: before they are in a group


def read(  # noqa: PLR0913 - what is read, and what it is read beside
    events_by_stream: Mapping[str, Sequence[Event]],
    assignments: Iterable[Assignment],
    known: Mapping[str, Sequence[Neighbour]] = _NOTHING,
    similarity: Similarity | None = None,
    *,
    settled: Mapping[str, Sequence[Neighbour]] = _NOTHING,
    predicates: str = "",
    remembered: Remembered | None = None,
) -> Findings:
    """What the events of each stream (by its id) state, what that ends, and what says the same.

    `known`: what the streams state already whose `events_by_stream` are new ones only, later than all of it. `settled`:
    what others had stated before the first of theirs that is new, and is grouped; their events are all there.
    `similarity`: how near two texts are in meaning, by an embedder; None: the words decide alone. `predicates` is the
    registry of functional predicates as the policy carries it. What is `remembered` of one state of the store is not
    read again, and what is read is put there.
    """
    registry = registry_of(predicates)
    remembered = Remembered() if remembered is None else remembered
    statements: list[Statement] = []
    noise: dict[str, str] = {}
    ended: list[Closure] = []
    compared: list[Comparison] = []
    for stream, events in sorted(events_by_stream.items()):
        by_id = sorted(events, key=lambda event: event.id)
        key = (stream, tuple(event.id for event in by_id))
        found = remembered.streams.get(key)
        if found is None:
            before = (known.get(stream, ()), settled.get(stream, ()))
            found = _read_one(stream, by_id, before, similarity, registry, remembered)
            remembered.streams[key] = found
        statements += found.statements
        noise |= found.noise
        ended += found.closures
        compared += found.comparisons
    return Findings(
        assignments=tuple(sorted(assignments, key=lambda assignment: assignment.event)),
        statements=tuple(statements),
        closures=tuple(ended),
        comparisons=tuple(compared),
        noise=tuple(sorted(noise.items())),
        model=MODEL,
    )


def _read_one(  # noqa: PLR0913, PLR0917 - what is said, and what it is read by
    stream: str,
    events: Sequence[Event],
    before: tuple[Sequence[Neighbour], Sequence[Neighbour]],
    similarity: Similarity | None,
    registry: Registry,
    remembered: Remembered,
) -> ReadOne:
    known, settled = before
    stated: list[Statement] = []
    noise: dict[str, str] = {}
    for event in events:
        reason = inadmissible(event.text, event.kind)
        if reason is not None:
            noise[event.id] = reason
        else:
            stated += stated_by(event, registry, remembered)
    closed = closures(events, stated, stream, registry)
    if known:
        stated = _meeting_what_is_known(stated, known)
    found = _grouped(stream, events, stated, closed, (*known, *settled), similarity)
    return ReadOne(
        statements=tuple(replace(one, group_key=found.group_key[one.text_key]) for one in stated),
        noise=noise,
        closures=tuple(closed),
        comparisons=found.comparisons,
    )


def stated_by(event: Event, registry: Registry, remembered: Remembered) -> tuple[Statement, ...]:
    """What `event` states before anything is grouped; () if that is inadmissible or taken back."""
    found = remembered.events.get(event.id)
    if found is None:
        is_silent = event.kind is EventKind.RETRACTION or is_aside(event)
        is_silent = is_silent or inadmissible(event.text, event.kind) is not None
        found = () if is_silent else statements_of(event, registry)
        remembered.events[event.id] = found
    return found


def _meeting_what_is_known(stated: Sequence[Statement], known: Sequence[Neighbour]) -> list[Statement]:
    """`stated`, where a negation only meets everything if what it negates was said."""
    texts = [*(one.text for one in known), *(one.text for one in stated)]
    return [
        replace(one, meets=tuple(mark for mark in one.meets if mark != EVERYTHING))
        if EVERYTHING in one.meets and not has_opposite(polarity_of(one.text), texts)
        else one
        for one in stated
    ]


def _grouped(  # noqa: PLR0913, PLR0917 - what is said, and what it is compared by
    stream: str,
    events: Sequence[Event],
    stated: Sequence[Statement],
    closed: Sequence[Closure],
    known: Sequence[Neighbour],
    similarity: Similarity | None,
) -> Grouped:
    at = {event.id: event.at for event in events}
    before = {text_key(one.text): one for one in sorted(known, key=lambda one: one.at, reverse=True)}  # as first said
    said: dict[str, Said] = {}
    for statement in stated:
        key, since = statement.text_key, at[statement.event]
        if key not in before and (key not in said or since < said[key].at):
            said[key] = Said(key=key, at=since, slot=statement.slot, value=statement.value)
    keys = {(statement.event, statement.part): statement.text_key for statement in stated}
    ends = ((keys.get((closure.by, -1 if closure.part is None else closure.part)), closure) for closure in closed)
    apart = {frozenset({key, closure.text_key}) for key, closure in ends if key is not None}
    of_known = (
        Said(key=key, at=one.at, slot=one.slot, value=one.value, group=one.group) for key, one in before.items()
    )
    return grouped(stream, said.values(), of_known, apart, similarity)


def statements_of(event: Event, registry: Registry | None = None) -> tuple[Statement, ...]:
    """What `event` states, each verbatim, in the order of its text; nothing twice. No `registry`: the shipped one."""
    parts = {text_key(text): text for text in reversed(parts_of(event.text, event.kind))}
    return tuple(statement_of(event, text, part, registry) for part, text in enumerate(reversed(parts.values())))


def statement_of(event: Event, words: str | None = None, part: int = 0, registry: Registry | None = None) -> Statement:
    """The statement that `event` makes with `words` of its text (None: all of it) as its part number `part`."""
    text = event.text if words is None else words
    registry = registry or registry_of("")
    slot = slot_of(text, registry)
    leaves, meets = marks_of(event, text, slot, registry)
    return Statement(
        event=event.id,
        text=text,
        text_key=text_key(text),
        group_key=group_key(text),
        kind=_kind_of(event, text),
        is_explicit=event.actor in _SAID_BY.get(event.kind, ()),
        slot=None if slot is None else slot.name,
        value=None if slot is None else slot.value,
        due=over_at(text, event.at),
        sense=sense_of(slot),
        leaves=leaves,
        meets=meets,
        part=part,
    )


def _kind_of(event: Event, text: str) -> ClaimKind:
    edit = edit_of(event)
    if edit is not None and edit.says is not None:
        return edit.says
    kind = _KINDS.get(event.kind, ClaimKind.FACT)
    supposed = kind is ClaimKind.FACT and event.kind is not EventKind.CORRECTION
    return ClaimKind.HYPOTHESIS if supposed and _is_supposed(text) else kind


@lru_cache(maxsize=8_192)
def _is_supposed(text: str) -> bool:
    return _SUPPOSED.search(text) is not None
