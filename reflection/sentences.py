"""The statements of a text: which of its sentences stand for themselves."""

from dreamd.lifecycle.words import EventKind


def parts_of(text: str, kind: EventKind) -> tuple[str, ...]:
    """The statements of `text`, verbatim pieces of it in their order; at least one."""
    return (text,)
