"""What a plain observation ends: another plain one, by a later value of its slot or by its negation.

Only who saw it may say so, in a statement about how things are: a page from outside, an error or a guess ends nothing.
Against what was said outright nothing is decided: that is a question with both sources.
"""

from collections.abc import Iterator
from hashlib import sha256

from dreamd.lifecycle.findings import ASK, EVERYTHING, LATER_VALUE, SUPERSEDE
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.contradicting.kinds import MAX_ASKED, moved_to, used_thing
from dreamd.reflection.contradicting.registry import Registry
from dreamd.reflection.contradicting.told import Old, Told
from dreamd.reflection.polarity import Polarity, polarity_of
from dreamd.reflection.slots import Slot, value_key

MAX_REACH = 8  # plain observations of its slot that one looks back over; each of them had looked back as far
MAX_NEGATED_WORDS = 16  # a longer text that is the negation of another to the word is a log, not a statement
MARK_DIGITS = 10

_STATES = frozenset({EventKind.OBSERVATION, EventKind.RESULT, EventKind.MESSAGE, EventKind.COMMIT})


def may_end_plainly(event: Event) -> bool:
    """Whether `event` says how things are, by somebody who can know."""
    return event.kind in _STATES and event.actor is not Actor.EXTERNAL


def ended_plainly(new: Old, told: Told) -> list[tuple[str, str, Old]]:
    """What `new`, which was not said outright, ends or asks about: (verb, rule, what)."""
    found = [(LATER_VALUE, old) for old in _earlier_values(new, told)]
    if _may_negate(new.polarity):
        opposite = Polarity(new.polarity.words, not new.polarity.is_negated)
        found += [("negates it", old) for old in told.by_polarity.get(opposite, ())]
    ended = [(ASK if old.statement.text_key in told.outright else SUPERSEDE, rule, old) for rule, old in found]
    return ended + others_of_kind(new, told)


def others_of_kind(new: Old, told: Told) -> list[tuple[str, str, Old]]:
    """What `new`, if it says that something was moved, asks about: what of that kind was in use, latest first."""
    moved = moved_to(new.statement.text, new.registry)
    if moved is None:
        return []
    others = [old for old in told.of_kind(moved[0]) if old.thing != moved]
    return [(ASK, "same kind", old) for old in others[: -MAX_ASKED - 1 : -1]]


def marks_of(event: Event, text: str, slot: Slot | None, registry: Registry) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(leaves, meets) of a statement that is not said outright, see `findings.Statement`."""
    polarity = polarity_of(text)
    negation = _mark("n", polarity.words)
    leaves = [negation] if polarity.is_negated else []
    meets: list[str] = []
    if _may_negate(polarity):
        meets.append(EVERYTHING if polarity.is_negated else negation)
    if (thing := used_thing(text, registry)) is not None:
        leaves.append(_mark("k", thing[0]))
        if moved_to(text, registry) is not None:
            meets.append(_mark("k", thing[0]))
    if slot is not None:
        leaves.append(_mark("s", slot.name))
        if registry.is_plain(slot.name):
            meets.append(_mark("s", slot.name))
    return tuple(leaves), tuple(meets) if may_end_plainly(event) else ()


def sense_of(slot: Slot | None) -> str | None:
    """Equal for one value of one slot, however it is worded."""
    return None if slot is None else _mark("v", f"{slot.name}={value_key(slot.value)}")


def _mark(sort: str, text: str) -> str:
    return sort + sha256(text.encode()).hexdigest()[:MARK_DIGITS]


def _may_negate(polarity: Polarity) -> bool:
    return bool(polarity.words) and len(polarity.words.split()) <= MAX_NEGATED_WORDS


def _earlier_values(new: Old, told: Told) -> Iterator[Old]:
    """What fills the slot of `new` with another value, latest first."""
    statement = new.statement
    if statement.slot is None or not new.registry.is_plain(statement.slot):
        return
    filled = value_key(statement.value or "")
    reached = 0
    for old in reversed(told.by_slot.get(statement.slot, [])):
        if value_key(old.statement.value or "") != filled:
            yield old
        reached += old.is_plain_end
        if reached == MAX_REACH:
            return
