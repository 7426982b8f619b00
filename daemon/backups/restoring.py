"""Restoring: a whole home is made from the archive beside the present one, finished there, and swapped in.

    archive -> unpacked and compared -> memory repositories -> what was purged and forgotten since -> export -> swap

Until the swap nothing of the present home is written; its database is held, so that nothing is forgotten there
meanwhile. After it, what was there lies aside, whole.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from secrets import token_hex

from dreamd.daemon import sharing
from dreamd.daemon.backups.archive import DATABASE, KEY, SETTINGS, Manifest, read_archive
from dreamd.daemon.backups.later import forget_again, keep_purged, require_same_key
from dreamd.daemon.backups.swapping import give_to, swap
from dreamd.daemon.caring import export_again
from dreamd.daemon.certificate import Certificate
from dreamd.daemon.errors import BadData, Configuration, Storage, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.home import Home
from dreamd.daemon.hook import LOG
from dreamd.daemon.installing import RECORD
from dreamd.daemon.profile_wishes import FOLDER as PROFILES
from dreamd.daemon.profile_wishes import real_path
from dreamd.daemon.purging import finish_open
from dreamd.daemon.remotes.choice import Remotes
from dreamd.daemon.session import Session, options
from dreamd.daemon.settings import Embedding, Loaded, Profiles, Settings
from dreamd.daemon.storage.copying import check_copy, held, one_file
from dreamd.daemon.storage.errors import StorageError
from dreamd.daemon.storage.store import Store
from dreamd.repo_export.bundles import add_purged, purged_in, read_bundle
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem

OF_THE_MACHINE = (LOG, RECORD)  # of the present home, and in no backup


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    home: Path
    manifest: Manifest
    aside: Path | None  # where the home lies that was there before
    forgotten: int  # streams and statements that were forgotten since the backup
    purged: tuple[Certificate, ...]  # of what was purged since and had come back with it
    notes: tuple[str, ...]


def restore(file: Path, path: Path, opened_at: Session, *, may_replace: bool) -> Restored:
    """Make the home at `path` from the backup `file`. `opened_at`: a session that has the instant, and no home.

    Raises Usage, BadData, Configuration, Storage or StorageError with the present home as it was.
    """
    path = real_path(path)  # a link to a home stays, and leads to the new one
    is_there = _require_place(path, may_replace)
    try:
        with _beside(path) as folder:
            manifest = read_archive(file, folder)
            for name in (DATABASE, KEY, SETTINGS):
                if name not in manifest.files:
                    raise BadData(f"{file} is no whole backup: it lacks {name}", "use another backup")
            reach("restore-after-unpacking")
            made = Home(folder / "home")
            found = check_copy(made.database)
            wanted = {name: str(space.get("digest")) for name, space in manifest.spaces.items()}
            if found is not None and {name: space.digest for name, space in found.items()} != wanted:
                raise BadData(f"{file} is no whole backup: its spaces are not what was backed up", "use another backup")
            made.read_key()
            if is_there:
                return _over(path, folder, made, manifest, opened_at)
            done = _finished(None, False, folder, made, manifest, opened_at)
            _put(made, path, path)
            return replace(done, home=path)
    except RepositoryProblem as problem:
        raise BadData(f"{file} is no whole backup: {problem.message}", "use another backup") from None
    except OSError as error:
        raise Storage(
            f"cannot write {error.filename or path}: {error.strerror}",
            f"{path.parent} has to be writable; or restore into another home: --to FOLDER",
        ) from None


def lines_of(restored: Restored) -> list[str]:
    manifest = restored.manifest
    lines = [f"Restored {restored.home} as it was at {manifest.made_at}:"]
    lines += [
        f"  space {name}: {it.get('events')} events, {it.get('runs')} runs" for name, it in manifest.spaces.items()
    ]
    if restored.forgotten:
        lines.append(f"  Forgotten since then, and so again: {restored.forgotten} streams and statements")
    lines += [f"  {line}" for each in restored.purged for line in each.in_words()[:1]]
    lines += [f"  Note: {note}" for note in restored.notes]
    if restored.aside is not None:
        lines.append(f"What was there before is kept: {restored.aside}; remove it when you miss nothing.")
    return lines


def _require_place(path: Path, may_replace: bool) -> bool:
    """Whether a home is there that gives way. Raises Usage if something else is, or it may not."""
    if path.exists() and not path.is_dir():
        raise Usage(f"{path} is no folder", "name another home with --to")
    if not path.parent.is_dir():
        raise Usage(f"there is no folder {path.parent}", f"make it: mkdir -p {path.parent}")
    if not path.exists() or not any(path.iterdir()):
        return False
    home = Home(path)
    if not any(file.exists() for file in (home.key_file, home.settings_file, home.database)):
        raise Usage(f"{path} is not empty, and is no home of dreamd", "name an empty or new folder with --to")
    if not may_replace:
        raise Usage(
            f"{path} is not empty",
            "dreamd restore FILE --replace puts the backup there and keeps what is there aside; or name another: --to",
        )
    return True


def _over(path: Path, folder: Path, made: Home, manifest: Manifest, at: Session) -> Restored:
    """Restore over the present home, whose database is held until the swap is done."""
    present, aside = Home(path), _aside(path, at)
    require_same_key(present, made)
    with held(present.database, folder / "present.db") if present.database.exists() else _nothing() as is_readable:
        done = _finished(present, is_readable, folder, made, manifest, at)
        _put(made, path, aside)
    return replace(done, home=path, aside=aside)


def _finished(
    present: Home | None, is_readable: bool, folder: Path, made: Home, manifest: Manifest, at: Session
) -> Restored:
    """The unpacked home made whole: repositories, what was purged and forgotten since, files, in this order."""
    made.memory.mkdir(mode=0o755)
    made.memory.chmod(0o755)
    group = None
    if present is not None and present.memory.is_dir() and sharing.is_shared(present):
        group = str(present.memory.stat().st_gid)
        sharing.share_with(made, group)
    if present is not None:
        keep_purged(present, made)
    records = folder / "records"
    if (made.path / PROFILES).exists():  # put back last: the export here writes into no folder of a person
        (made.path / PROFILES).rename(records)
    notes, forgotten = [], 0
    opened = Session(asked=replace(options, space=None), home=made, now=at.now)
    try:
        opened.loaded, wrong = _quiet_settings(opened)
        notes += wrong
        repositories = _repositories(opened, folder, manifest)
        if present is not None and is_readable:
            try:
                forgotten = _forgotten_since(opened, folder / "present.db")
            except StorageError as error:
                notes.append(f"what was forgotten since the backup cannot be read: {error.message}")
        elif present is not None:
            notes.append("what was forgotten since the backup is not known: the present database cannot be read")
        purged = tuple(finish_open(opened))
        for store in opened.spaces():
            export_again(opened, store)
        if present is not None:
            _keep_replaced(present, repositories)
    finally:
        opened.close()
    one_file(made.database)
    _put_back(present, made, records)
    return Restored(
        home=made.path, manifest=manifest, aside=None, forgotten=forgotten, purged=purged, notes=tuple(notes)
    )


def _quiet_settings(opened: Session) -> tuple[Loaded, list[str]]:
    """The settings of the backup, without what reaches out of the home; the defaults and why, if they are not valid."""
    try:
        loaded, wrong = opened.loaded, []
    except Configuration as error:
        loaded = Loaded(settings=Settings(), origins={})
        wrong = [
            f"mend {opened.home.settings_file.name} and predicates.toml in it before the next run: {error.message}"
        ]
    settings = replace(loaded.settings, remote=Remotes(), profiles=Profiles(), embedding=Embedding())
    return replace(loaded, settings=settings), wrong


def _repositories(opened: Session, folder: Path, manifest: Manifest) -> list[MemoryRepository]:
    """The memory repositories of the backup, with the branch checked out."""
    found = []
    for space in opened.store.spaces():
        bundle, purged = (folder / "memory" / f"{space}.{kind}" for kind in ("bundle", "purged"))
        repository = opened.repository(space)
        found.append(repository)
        with repository.writing():
            if f"memory/{space}.bundle" in manifest.files:
                read_bundle(repository, bundle)
            if purged.exists():
                add_purged(repository, purged.read_bytes())
    return found


def _forgotten_since(opened: Session, present: Path) -> int:
    store = Store.open(present, window_days=opened.policy.waking_window_days)
    try:
        return forget_again(opened, store)
    finally:
        store.close()


def _keep_replaced(present: Home, repositories: list[MemoryRepository]) -> None:
    """What the present repositories never pull in, because a purge replaced it, the restored ones do not either."""
    for repository in repositories:
        old = present.memory / repository.path.name
        with suppress(RepositoryProblem, OSError):
            if (old / ".git").is_dir():
                add_purged(repository, purged_in(MemoryRepository.open(old, reach)))


def _put_back(present: Home | None, made: Home, records: Path) -> None:
    """Files that belong to the machine: of the present home, where there is one, which knows what lies where."""
    known = records if present is None else present.path / PROFILES
    for file in sorted(known.glob("*/*.json")):
        if file.is_file() and not file.is_symlink():
            to = made.path / PROFILES / file.parent.name / file.name
            to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copy2(file, to)
    for name in OF_THE_MACHINE if present is not None else ():
        old = present.path / name  # type: ignore[union-attr]
        if old.is_file() and not old.is_symlink():
            shutil.copy2(old, made.path / name)


def _put(made: Home, path: Path, aside: Path) -> None:
    """Give the finished home the mode and owner that it had, or that a new one gets, and its name."""
    old = path.stat() if path.exists() else None
    made.path.chmod(0o755 if old is None else stat.S_IMODE(old.st_mode))
    owner = old if old is not None else path.parent.stat()
    if os.geteuid() == 0 and owner.st_uid != 0 and old is not None:
        give_to(made.path, owner.st_uid, owner.st_gid)
    swap(made.path, path, aside)


def _aside(path: Path, at: Session) -> Path:
    """A name beside `path` that is free."""
    stamp = at.now.strftime("%Y%m%dT%H%M%SZ")
    aside = path.with_name(f"{path.name}.before-{stamp}")
    return aside if not os.path.lexists(aside) else aside.with_name(f"{aside.name}-{token_hex(4)}")


@contextmanager
def _nothing() -> Iterator[bool]:
    yield False


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A folder of its owner's alone beside the home, gone afterwards; a kill leaves it."""
    folder = path.with_name(f".{path.name}.restoring-{token_hex(4)}")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
