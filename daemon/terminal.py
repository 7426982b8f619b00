"""Tables and progress: drawn on a terminal, plain aligned text in a pipe."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from dreamd.daemon.session import options
from dreamd.repo_export.markdown import seen

GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, one line a row; headed in bold on a terminal."""
    cells = [[seen(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(head), *cells]) for column in range(len(head))]
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


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
