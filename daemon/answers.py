"""How a command answers: one JSON value, or words for a person; never both."""

import json
from collections.abc import Callable, Iterable

import typer

from dreamd.daemon.session import options


def answer(value: object, in_words: Callable[[], None]) -> None:
    """Print `value` as JSON if that was asked for, else let `in_words` speak."""
    if options.as_json:
        typer.echo(json.dumps(value, ensure_ascii=False))
    else:
        in_words()


def say(lines: Iterable[str]) -> None:
    """Print `lines`; text of others that could steer a terminal is shown as escapes."""
    for line in lines:
        typer.echo(safe(line))


def safe(text: str) -> str:
    """`text` with control, format and surrogate characters as visible escapes; line breaks stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char == "\n" or char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
