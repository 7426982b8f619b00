"""What a run changed as lines of a terminal: what went in red, what came in green, with the words that differ."""

from collections.abc import Iterator

from dreamd.daemon.differences import RunDiff, header, in_reading_order, is_report, plain
from dreamd.daemon.terminal import BOLD, CYAN, DIM, GREEN, PLAIN, RED, REVERSE, Piece, is_coloured
from dreamd.repo_export.line_diff import DiffLine, FileDiff

COLOURS = {"@": CYAN, "-": RED, "+": GREEN, " ": PLAIN}

Pieces = list[Piece]


def stat_on_terminal(found: RunDiff) -> Iterator[Pieces]:
    yield from _head(found)
    yield from ([(PLAIN, line)] for line in found.stat())
    yield from ([(PLAIN, line)] for line in found.in_no_file())


def diff_on_terminal(found: RunDiff) -> Iterator[Pieces]:
    yield from _head(found)
    for file in in_reading_order(found.files):
        yield [(PLAIN, "")]
        yield from _file(file, found.record.number)
    if not found.files:
        yield [(PLAIN, "No file changed")]
    if found.unseen:
        yield [(PLAIN, "")]
        yield from ([(PLAIN, line)] for line in found.in_no_file())


def _head(found: RunDiff) -> Iterator[Pieces]:
    first, *others = found.head()
    yield [(BOLD, first)]
    yield from ([(DIM, line)] for line in others)


def _file(file: FileDiff, number: int) -> Iterator[Pieces]:
    if is_report(file):
        came, _ = file.size()
        yield [(DIM, f"{file.path} is {file.status}, {came} lines; see: dreamd report {number}")]
        return
    yield from ([(BOLD, line)] for line in header(file))
    yield from (_line(line) for line in file.lines(by_words=is_coloured()))


def _line(line: DiffLine) -> Pieces:
    colour = COLOURS[line.mark]
    if not line.changed:
        return [(colour, plain(line))]
    pieces: Pieces = [(colour, line.mark)]
    done = 0
    for start, end in line.changed:
        pieces += [(colour, line.text[done:start]), (colour + REVERSE, line.text[start:end])]
        done = end
    return [*pieces, (colour, line.text[done:])]
