"""Which events belong into quarantine: from below `user`, and addressed to an agent in a field that others read.

A person's own words are never suspect. All fields are looked at that can reach a file: the text and its reason, and
the names, where separators stand for spaces.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor
from dreamd.reflection.instructions import instruction_like

MIN_NAME_LENGTH = 12  # characters; a shorter name holds no order
_SPACES = str.maketrans(dict.fromkeys("-_./+:", " "))


def quarantine(events: Iterable[Event], released: Collection[str]) -> Mapping[str, str]:
    """The events that are to be kept back, with the reason; a person `released` those named."""
    judged = cache(_in_name)  # many events share a target, a session, a source
    return {
        event.id: reason
        for event in events
        if (reason := suspicion(event, judged)) is not None and event.id not in released
    }


def suspicion(event: Event, in_name: Callable[[str], str | None] | None = None) -> str | None:
    """Why `event` reads like an order to an agent; None if it does not, or if a person said it."""
    if event.actor is Actor.USER:
        return None
    reason = instruction_like(event.text)
    if reason is None and event.because:
        reason = instruction_like(event.because)
    if reason is not None:
        return reason
    for name in _names(event):
        if len(name) >= MIN_NAME_LENGTH and (reason := (in_name or _in_name)(name)) is not None:
            return reason
    return None


def _names(event: Event) -> Iterator[str]:
    """What others may read of an event beside its words; of paths only those that hold a sentence."""
    for name in (event.target, event.source, event.session, event.scope):
        if name is not None:
            yield name
    yield from event.tags
    yield from (path for path in event.files if " " in path)


def _in_name(name: str) -> str | None:
    return instruction_like(name) or instruction_like(name.translate(_SPACES))
