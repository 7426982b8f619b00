"""How a command answers: one JSON value, or words for a person; never both.

Text of others shows as what it is: what could steer a terminal, forge a line or hide is an escape, in JSON too.
"""

import json
from collections.abc import Callable, Iterable

import typer

from dreamd.daemon.session import options
from dreamd.repo_export.markdown import UNSEEN, seen


def answer(value: object, in_words: Callable[[], None]) -> None:
    """Print `value` as JSON if that was asked for, else let `in_words` speak."""
    if options.as_json:
        typer.echo(as_json(value))
    else:
        in_words()


def as_json(value: object, indent: int | None = None) -> str:
    """`value` as JSON, with all that can be seen as it is; one line unless it is indented."""
    lines = json.dumps(value, ensure_ascii=False, indent=indent).split("\n")
    return "\n".join(UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], line) for line in lines)


class Drawn(str):
    """A line that is for a terminal as it is: with colours of ours around text that was made visible."""


def say(lines: Iterable[str]) -> None:
    """Print each of `lines` as one line."""
    for line in lines:
        typer.echo(line if isinstance(line, Drawn) else seen(line))


def complain(message: str) -> None:
    """Print `message` on stderr; its line breaks stay."""
    for line in message.split("\n"):
        typer.echo(seen(line), err=True)
