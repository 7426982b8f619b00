"""What one command works with: the global options, and the home, settings and store behind them, opened when needed.

Heavy imports happen here, inside functions, so that `dreamd --help` costs nothing of them. A space is bound in one
place: `Session.space`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from dreamd.daemon import clock
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.home import Home, is_space, locate, open_home, required_space

if TYPE_CHECKING:
    from dreamd.daemon.intake.redaction import Redactor
    from dreamd.daemon.settings import Loaded
    from dreamd.daemon.storage.store import SpaceStore, Store
    from dreamd.lifecycle.policy import Policy
    from dreamd.repo_export.git import MemoryRepository

DEFAULT_SPACE = "default"  # of events that name none


@dataclass(slots=True)
class Globals:
    """The options that stand before or after the command."""

    home: str | None = None
    space: str | None = None
    as_json: bool = False
    now: str | None = None
    program: str = "dreamd"  # how it was called: commands that are shown can be given as printed


options = Globals()  # of the command that this process runs; set by cli.main before it starts


@dataclass
class Session:
    """One command's view of a home."""

    asked: Globals
    home: Home
    now: datetime
    _opened: list["Store"] = field(default_factory=list)

    @property
    def is_by_hand(self) -> bool:
        """Whether a person gave `--now`."""
        return self.asked.now is not None

    @cached_property
    def loaded(self) -> "Loaded":
        from dreamd.daemon.settings import load  # noqa: PLC0415 - costs 0.2 CPU s

        return load(self.home, os.environ)

    @property
    def policy(self) -> "Policy":
        return self.loaded.policy()

    @cached_property
    def redactor(self) -> "Redactor":
        from dreamd.daemon.intake.redaction import Redactor  # noqa: PLC0415 - compiles its patterns

        return Redactor(self.home.read_key())

    @cached_property
    def store(self) -> "Store":
        from dreamd.daemon.storage.store import Store  # noqa: PLC0415 - costs 1 CPU s

        opened = Store.open(self.home.database, window_days=self.policy.waking_window_days)
        self._opened.append(opened)
        return opened

    def close(self) -> None:
        for opened in self._opened:
            opened.close()

    @property
    def space_for_new(self) -> str:
        """The space of events that name none."""
        return DEFAULT_SPACE if self.asked.space is None else required_space(self.asked.space)

    def spaces(self) -> tuple["SpaceStore", ...]:
        """The spaces that the command reads or runs: all, or the one that was named. Raises Usage if it is unknown."""
        known = self.store.spaces()
        if self.asked.space is None:
            return tuple(self.store.space(name) for name in known)
        name = required_space(self.asked.space)
        if name not in known:
            listed = ", ".join(known) or "none yet"
            raise Usage(f"there is no space {name!r}; there are: {listed}", "dreamd status shows them")
        return (self.store.space(name),)

    def the_space(self) -> "SpaceStore":
        """The one space that the command is about. Raises Usage if several fit."""
        spaces = self.spaces()
        if len(spaces) == 1:
            return spaces[0]
        if not spaces:
            raise Usage("nothing was ingested yet", "dreamd ingest events FILE, or: dreamd ingest git FOLDER")
        raise several([space.space for space in spaces])

    def repository(self, space: str) -> "MemoryRepository":
        """The memory repository of `space`, created if there is none."""
        from dreamd.repo_export.git import MemoryRepository  # noqa: PLC0415 - not for every command

        return MemoryRepository.create(self.home.repository(space), reach)


def several(spaces: list[str]) -> Usage:
    """The error for a number or subject that fits more than one space."""
    return Usage(f"that fits several spaces: {', '.join(sorted(spaces))}", f"name one: --space {sorted(spaces)[0]}")


@contextmanager
def session() -> Iterator[Session]:
    """The session of the running command; closed at its end. Raises Configuration if there is no home."""
    opened = Session(asked=options, home=open_home(locate(options.home, os.environ)), now=instant_asked_for())
    try:
        yield opened
    finally:
        opened.close()


def instant_asked_for() -> datetime:
    """`--now`, else the clock. Raises Usage if `--now` is no instant with a zone."""
    if options.now is None:
        return clock.now()
    try:
        return clock.parse_instant(options.now)
    except BadData as bad:
        raise Usage(f"--now: {bad.message}", bad.hint) from None


def home_asked_for() -> Home:
    """The home that the options name, whether or not it is there."""
    if options.space is not None and not is_space(options.space):
        required_space(options.space)
    return Home(locate(options.home, os.environ))
