"""Which events tell of commands: what transcripts give, and the commits among them."""

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind

COMMAND = "command"  # the tag of an event that tells how a command ended


def is_command_failure(event: Event) -> bool:
    return event.kind is EventKind.ERROR and COMMAND in event.tags


def may_be_of_commands(event: Event) -> bool:
    """Whether `event` may be part of an attempt to get a command to pass."""
    if event.kind is EventKind.COMMIT:
        return bool(event.files) or "after" in event.extra
    return COMMAND in event.tags


def may_be_a_step(event: Event) -> bool:
    """Whether `event` may be a step of a procedure."""
    return event.kind in (EventKind.ACTION, EventKind.RESULT)
