"""What one command works with: the global options, and the home, settings and store behind them, opened when needed.

Heavy imports happen here, inside functions, so that `dreamd --help` costs nothing of them. A space is bound in one
place: `Session.space`.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from dreamd.daemon import clock
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.home import Home, is_space, locate, open_home, required_space
from dreamd.daemon.owners import other_owner
from dreamd.daemon.wording import did_you_mean, some_of
from dreamd.lifecycle.told import counted

if TYPE_CHECKING:
    from dreamd.daemon.intake.redaction import Redactor
    from dreamd.daemon.nearness import Nearness
    from dreamd.daemon.settings import Loaded
    from dreamd.daemon.storage.store import SpaceStore, Store
    from dreamd.daemon.tombs import Tombs
    from dreamd.lifecycle.policy import Policy
    from dreamd.repo_export.git import MemoryRepository

REDACTED_KEPT = 65_536  # texts of one command: an export meets most of its texts several times
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

    def _redacted(self, text: str) -> str:
        return self.redactor.redact(text)

    @cached_property
    def redact(self) -> "Callable[[str], str]":
        """A text without secrets; the patterns are read when the first one comes, and what was seen is known."""
        return lru_cache(maxsize=REDACTED_KEPT)(self._redacted)

    @cached_property
    def tombs(self) -> "Tombs":
        """The tombstones of what was purged."""
        from dreamd.daemon.sealing import Seal  # noqa: PLC0415 - with the store
        from dreamd.daemon.tombs import Tombs  # noqa: PLC0415

        return Tombs(self.home.tombstones, Seal(self.home.read_key))

    @cached_property
    def store(self) -> "Store":
        from dreamd.daemon.storage.store import Store  # noqa: PLC0415 - costs 1 CPU s

        opened = Store.open(self.home.database, window_days=self.policy.waking_window_days)
        opened.guard = self.tombs
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
            if not known:
                raise nothing_ingested(f"there is no space {name!r} yet: ")
            near = did_you_mean(name, known, most=1)
            hint = f"did you mean: --space {near[0]}" if near else "dreamd status shows them"
            raise Usage(f"there is no space {name!r}; there are: {some_of(known)}", hint)
        return (self.store.space(name),)

    def the_space(self) -> "SpaceStore":
        """The one space that the command is about. Raises Usage if several fit."""
        spaces = self.spaces()
        if len(spaces) == 1:
            return spaces[0]
        if not spaces:
            raise nothing_ingested()
        raise several([space.space for space in spaces])

    def nearness(self, store: "SpaceStore", *, keeps: bool = True) -> "Nearness | None":
        """What compares the texts of `store`'s space beyond their words, None if nothing does; loads no model yet.

        Raises Configuration if the embedder that is set is not installed.
        """
        from dreamd.daemon.nearness import nearness_beyond_words  # noqa: PLC0415 - not for every command

        return nearness_beyond_words(self.loaded.settings.embedding, store, reach, keeps=keeps)

    def repository(self, space: str) -> "MemoryRepository":
        """The memory repository of `space`, created if there is none."""
        from dreamd.repo_export.git import MemoryRepository  # noqa: PLC0415 - not for every command

        return MemoryRepository.create(self.home.repository(space), reach)


def nothing_ingested(where: str = "") -> Usage:
    """The error of a command that needs something to work on, in a home that is empty."""
    return Usage(f"{where}nothing was ingested yet", "start with: dreamd ingest git FOLDER; then: dreamd run")


def several(spaces: list[str]) -> Usage:
    """The error for a number or subject that fits more than one space."""
    return Usage(f"that fits several spaces: {', '.join(sorted(spaces))}", f"name one: --space {sorted(spaces)[0]}")


@contextmanager
def session() -> Iterator[Session]:
    """The session of the running command; closed at its end. Raises Configuration if there is no home."""
    opened = Session(asked=options, home=open_home(locate(options.home, os.environ)), now=instant_asked_for())
    _note_if_foreign(opened)
    try:
        yield opened
    finally:
        opened.close()


def note_if_ahead(opened: Session) -> None:
    """Say on stderr that `--now` is ahead of the clock, to who is about to write with it."""
    ahead_days = (opened.now - clock.now()).total_seconds() / 86_400
    if opened.is_by_hand and ahead_days >= 1 and not opened.asked.as_json:
        days = counted(round(ahead_days), "day")
        note = f"note: --now {opened.asked.now} is {days} ahead of the clock; what is written now bears that date\n"
        sys.stderr.write(note)


def _note_if_foreign(opened: Session) -> None:
    """Say on stderr that root works in somebody's home, who may not change what root leaves there."""
    owner = other_owner(opened.home.path) if os.geteuid() == 0 and not opened.asked.as_json else None
    if owner is not None:
        note = f"note: you are root, the home {opened.home.path} belongs to {owner}, who cannot change what root writes"
        sys.stderr.write(f"{note}; better: sudo -u {owner} dreamd ...\n")


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
