"""Tables and progress: drawn on a terminal, plain aligned text in a pipe."""

import sys
from collections.abc import Sequence

from dreamd.daemon.answers import safe

GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns, one line a row; headed in bold on a terminal."""
    cells = [[safe(cell).replace("\n", " ") for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [list(head), *cells]) for column in range(len(head))]
    lines = [_line(line, widths) for line in [list(head), *cells]]
    if sys.stdout.isatty():
        lines[0] = f"\x1b[1m{lines[0]}\x1b[0m"
    return lines


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return GAP.join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
