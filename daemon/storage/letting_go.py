"""What the log lets go of when a person's settings say so; by default nothing.

What a run changed is let go as a whole, and the number of the last such run is kept: whoever asks for one of them is
told so, instead of being answered with less than there was.
"""

from collections.abc import Callable
from datetime import datetime

from sqlalchemy import Connection, Engine, delete, func, select

from dreamd.daemon.storage import facts
from dreamd.daemon.storage.engine import reading, writing
from dreamd.daemon.storage.errors import StorageError
from dreamd.daemon.storage.tables import TABLES

CURSOR = "log: changes let go up to run"
_RUN, _CHANGE, _ATTEMPT = TABLES["run"], TABLES["change"], TABLES["attempt"]


class LetGo(StorageError):
    """What a run changed is no longer in the log."""

    exit_code = 1


def let_go_up_to(connection: Connection, space: str) -> int:
    """The last run whose changes are gone; 0: none is."""
    return int(facts.read_cursor(connection, space, CURSOR) or 0)


def require_kept(connection: Connection, space: str, number: int) -> None:
    """Raises LetGo if what run `number` changed is gone."""
    gone = let_go_up_to(connection, space)
    if 0 < number <= gone:
        raise LetGo(
            f"space {space!r} no longer holds what run {number} changed: the setting retention.changes_days let it go,"
            f" up to run {gone}",
            f"later runs can be reverted and told of; the commit of run {number} is in the memory repository: git log",
        )


def changes_let_go(engine: Engine, space: str, _window_days: float) -> int:
    """A step for `SpaceStore.through`: the last run whose changes are gone."""
    with reading(engine) as connection:
        return let_go_up_to(connection, space)


def letting_go(
    attempts: datetime | None, changes: datetime | None, at_most: int
) -> Callable[[Engine, str, float], None]:
    """A step that deletes what is older than those instants (None: nothing), of changes up to run `at_most`."""

    def step(engine: Engine, space: str, _window_days: float) -> None:
        with writing(engine) as connection:
            if attempts is not None:
                _let_attempts_go(connection, space, attempts)
            if changes is not None:
                _let_changes_go(connection, space, changes, at_most)

    return step


def _let_attempts_go(connection: Connection, space: str, before: datetime) -> None:
    """Deletes the attempts before that instant that made no run, but for the newest of all."""
    newest = select(func.max(_ATTEMPT.c.seq)).where(_ATTEMPT.c.space == space).scalar_subquery()
    old = (_ATTEMPT.c.space == space, _ATTEMPT.c.at < before, _ATTEMPT.c.number.is_(None), _ATTEMPT.c.seq < newest)
    connection.execute(delete(_ATTEMPT).where(*old))


def _let_changes_go(connection: Connection, space: str, before: datetime, at_most: int) -> None:
    """Deletes what the runs before that instant changed, of those numbered up to `at_most`."""
    old = (_RUN.c.space == space, _RUN.c.now < before, _RUN.c.number <= at_most)
    last = connection.scalar(select(func.max(_RUN.c.number)).where(*old)) or 0
    if last > let_go_up_to(connection, space):
        connection.execute(delete(_CHANGE).where(_CHANGE.c.space == space, _CHANGE.c.number <= last))
        facts.write_cursor(connection, space, CURSOR, str(last))
