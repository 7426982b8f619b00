"""Tables, colours and progress: drawn on a terminal, plain aligned text in a pipe."""

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import typer

from dreamd.daemon.answers import Drawn
from dreamd.daemon.session import options
from dreamd.repo_export.markdown import seen

GAP = "  "
PADDED = 60  # characters; a column in a pipe is not padded beyond
NARROWEST = 8  # characters of a column on a terminal

# What a terminal is told before a piece of text.
PLAIN, BOLD, DIM, REVERSE = "", "\x1b[1m", "\x1b[2m", "\x1b[7m"
RED, GREEN, CYAN = "\x1b[31m", "\x1b[32m", "\x1b[36m"
_END = "\x1b[0m"

Piece = tuple[str, str]  # one of the above or several in a row, and the text that it is for


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, one line a row; on a terminal headed in bold, and no wider than it: the widest cells are cut.

    In a pipe nothing is cut; a cell that is much wider than others moves only its own row.
    """
    cells = [[seen(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(head), *cells]) for column in range(len(head))]
    if sys.stdout.isatty():
        widths = _fitting(widths, shutil.get_terminal_size().columns)
        cells = [[_cut(cell, width) for cell, width in zip(row, widths, strict=True)] for row in cells]
    else:
        widths = [min(width, PADDED) for width in widths]
    lines = [_line(line, widths) for line in [list(head), *cells]]
    if is_coloured():
        lines[0] = Drawn(f"{BOLD}{lines[0]}{_END}")
    return lines


def is_coloured() -> bool:
    """Whether colours are wanted: on a terminal that has them, unless NO_COLOR is set (https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show(lines: Iterable[Sequence[Piece]]) -> None:
    """Print each of `lines`, coloured where that is wanted. Whatever a text holds, it steers no terminal."""
    coloured = is_coloured()
    for line in lines:
        pieces = [(style, seen(text)) for style, text in line if text]
        typer.echo("".join(f"{style}{text}{_END}" if coloured and style else text for style, text in pieces))


@contextmanager
def progress(name: str) -> Iterator[Callable[[int], None]]:
    """A function to call with the number of events just read; counts them on a terminal, does nothing elsewhere."""
    if not sys.stderr.isatty() or options.as_json:
        yield lambda events: None
        return
    from rich.console import Console  # noqa: PLC0415 - only where something is drawn
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TextColumn("{task.completed:,} events"))
    with Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(seen(name))
        yield lambda events: shown.advance(task, events)


def _fitting(widths: Sequence[int], room: int) -> list[int]:
    """`widths` with the widest made narrower until a line fits into `room`, but none below NARROWEST."""
    fitting = list(widths)
    too_much = sum(fitting) + len(GAP) * (len(fitting) - 1) - room
    while too_much > 0 and max(fitting) > NARROWEST:
        fitting[fitting.index(max(fitting))] -= 1
        too_much -= 1
    return fitting


def _cut(cell: str, width: int) -> str:
    return cell if len(cell) <= width else f"{cell[: width - 1]}…"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
