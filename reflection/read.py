"""Reading: from the events of streams to what they state and what that ends.

Every admissible statement is a statement for good; a command line, a heading, a log line or our own output is
evidence for its target and states nothing. The findings are a function of the events alone.
"""

from collections.abc import Iterable, Mapping, Sequence

from dreamd.lifecycle.findings import Assignment, Closure, Findings, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind, EventKind
from dreamd.reflection.contradictions import closures
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.slots import slot_of
from dreamd.reflection.text_keys import group_key, text_key

MODEL = "rules-1"

_KINDS: Mapping[EventKind, ClaimKind] = {
    EventKind.HYPOTHESIS: ClaimKind.HYPOTHESIS,
    EventKind.DECISION: ClaimKind.DECISION,
    EventKind.PREFERENCE: ClaimKind.PREFERENCE,
    EventKind.INTERVENTION: ClaimKind.PREFERENCE,
}
_SAID_BY: Mapping[EventKind, frozenset[Actor]] = {
    EventKind.DECISION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.PREFERENCE: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.CORRECTION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.INTERVENTION: frozenset({Actor.USER}),
}


def read(events_by_stream: Mapping[str, Sequence[Event]], assignments: Iterable[Assignment]) -> Findings:
    """What the events of each stream (by its id) state, and what that ends."""
    statements: list[Statement] = []
    noise: dict[str, str] = {}
    ended: list[Closure] = []
    for stream, events in sorted(events_by_stream.items()):
        stated: list[Statement] = []
        for event in sorted(events, key=lambda event: event.id):
            reason = inadmissible(event.text, event.kind)
            if reason is not None:
                noise[event.id] = reason
            elif event.kind is not EventKind.RETRACTION:
                stated += statements_of(event)
        statements += stated
        ended += closures(events, stated, stream)
    return Findings(
        assignments=tuple(sorted(assignments, key=lambda assignment: assignment.event)),
        statements=tuple(statements),
        closures=tuple(ended),
        noise=tuple(sorted(noise.items())),
        model=MODEL,
    )


def statements_of(event: Event) -> tuple[Statement, ...]:
    """What `event` states, each verbatim, in the order of its text; nothing twice."""
    parts = {text_key(text): text for text in reversed(parts_of(event.text, event.kind))}
    return tuple(statement_of(event, text, part) for part, text in enumerate(reversed(parts.values())))


def statement_of(event: Event, words: str | None = None, part: int = 0) -> Statement:
    """The statement that `event` makes with `words` of its text (None: all of it) as its part number `part`."""
    text = event.text if words is None else words
    slot = slot_of(text)
    return Statement(
        event=event.id,
        text=text,
        text_key=text_key(text),
        group_key=group_key(text),
        kind=_KINDS.get(event.kind, ClaimKind.FACT),
        is_explicit=event.actor in _SAID_BY.get(event.kind, ()),
        slot=None if slot is None else slot.name,
        value=None if slot is None else slot.value,
        part=part,
    )
