"""Events that went from one target to another within a run: the link that each gave up, and the one it got."""

from collections.abc import Iterable, Iterator

from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.values import Link, Row


def moves(changes: Iterable[Change]) -> Iterator[tuple[Link, Link]]:
    """(given up, got) for each event of which `changes` take its link to a stream, or to none, and give it another."""
    known = list(changes)
    gone = {link.event: link for link in _placing(change.before for change in known if change.after is None)}
    for link in _placing(change.after for change in known if change.before is None):
        if link.event in gone:
            yield gone[link.event], link


def _placing(rows: Iterable[Row | None]) -> Iterator[Link]:
    """The links that say where an event belongs, without those that say more about it."""
    return (row for row in rows if isinstance(row, Link) and is_first(row))
