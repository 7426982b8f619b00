"""What one event states: verbatim text, keys, kind, slot.

The text is never rewritten. Whether a statement was said outright decides what it may end: a plan of the lifecycle ends a
claim by rule only for a decision, a preference, a correction or an order of a user or agent, never for what a tool or
an outside text says.
"""

from dreamd.lifecycle.findings import Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind, EventKind
from dreamd.reflection.slots import slot_of
from dreamd.reflection.text_keys import group_key, text_key

_CLAIM_KINDS = {
    EventKind.HYPOTHESIS: ClaimKind.HYPOTHESIS,
    EventKind.DECISION: ClaimKind.DECISION,
    EventKind.PREFERENCE: ClaimKind.PREFERENCE,
    EventKind.INTERVENTION: ClaimKind.PREFERENCE,
}  # all others: FACT
_OUTRIGHT_BY = {
    EventKind.DECISION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.PREFERENCE: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.CORRECTION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.RETRACTION: frozenset({Actor.USER, Actor.AGENT}),
    EventKind.INTERVENTION: frozenset({Actor.USER}),
}


def statement_of(event: Event) -> Statement:
    """What `event` states; its shape is taken to be admissible and its kind not to be a retraction."""
    slot = slot_of(event.text)
    return Statement(
        event=event.id,
        text=event.text,
        text_key=text_key(event.text),
        group_key=group_key(event.text),
        kind=_CLAIM_KINDS.get(event.kind, ClaimKind.FACT),
        is_explicit=said_outright(event),
        slot=slot.name if slot else None,
        value=slot.value if slot else None,
    )


def said_outright(event: Event) -> bool:
    """Whether `event` may end what was stated before it."""
    return event.actor in _OUTRIGHT_BY.get(event.kind, ())
