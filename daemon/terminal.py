"""Tables and progress: drawn on a terminal, plain aligned text in a pipe."""

import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dreamd.daemon.session import options
from dreamd.repo_export.markdown import seen

GAP = "  "
PADDED = 60  # characters; a column in a pipe is not padded beyond
NARROWEST = 8  # characters of a column on a terminal


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
    if sys.stdout.isatty():
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    return lines


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
