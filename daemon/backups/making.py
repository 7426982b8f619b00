"""Making a backup beside whoever writes: one state of the database, and the memory repositories not newer than it.

    repositories -> database -> small files -> archive -> read back -> named

In this order: a repository that lacks the last run is caught up by the next export; one that is ahead of its database
could not be. The archive gets its name only when all of it was read back and compared.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from dreamd import __version__
from dreamd.daemon.backups.archive import DATABASE, Manifest, member_of, read_archive, write_archive
from dreamd.daemon.certificate import FOLDER as PURGES
from dreamd.daemon.errors import Busy, Internal, Storage, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.home import Home
from dreamd.daemon.profile_wishes import FOLDER as PROFILES
from dreamd.daemon.profile_wishes import real_path
from dreamd.daemon.profiles import records_of
from dreamd.daemon.purge_journal import JOURNAL_NAME
from dreamd.daemon.session import Session
from dreamd.daemon.storage.copying import check_copy, copy_database, version_of
from dreamd.daemon.times import rfc3339
from dreamd.repo_export.bundles import purged_in, write_bundle
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem

ENDING = ".tar.gz"
NOT_IN_IT = (
    "what is not committed in the memory repositories, their own configuration, remotes and hooks, and stashes but the"
    " newest",
    "profiles, which are made again, and their folders outside of the home",
    "hook.log, what is installed into other programs, environment variables such as DREAMD_* and API keys",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    file: Path
    size: int  # bytes
    manifest: Manifest


def backup(opened: Session, asked: str) -> Made:
    """Write a new backup to `asked`: a file that is not there yet, or a folder that is. Raises Usage, Busy, Storage."""
    home = opened.home
    target = _target(opened, asked)
    seals = _require_no_purge(home)
    spaces = opened.store.spaces()  # brings the tables to the present version
    try:
        with _beside(target) as folder:
            left_out = [why for space in spaces if (why := _bundled(home, space, folder)) is not None]
            reach("backup-after-bundles")
            (folder / "home").mkdir(mode=0o700)
            found = copy_database(home.database, folder / DATABASE)
            if check_copy(folder / DATABASE) != found:
                raise Internal("the copy of the database is not what was copied", "please report this")
            for name, content, mode in _small_files(home, tuple(found)):
                file = folder / name
                file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                file.write_bytes(content)
                file.chmod(mode)
            if _require_no_purge(home) != seals:
                raise Busy("a purge was carried out while the backup was made; nothing was written", "run it again")
            names = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
            manifest = Manifest(
                made_at=rfc3339(opened.now),
                dreamd=__version__,
                schema=version_of(folder / DATABASE),
                spaces={name: asdict(space) for name, space in found.items()},
                files={name: member_of(folder / name) for name in names},
                left_out=tuple(left_out),
            )
            draft = folder / target.name
            write_archive(folder, manifest, draft)
            reach("backup-after-archive")
            if read_archive(draft, None) != manifest:
                raise Internal(f"{target} reads otherwise than it was written", "please report this")
            os.link(draft, target)  # fails if it is there
            _sync_folder(target.parent)
    except FileExistsError:
        raise Usage(f"{target} is there already; a backup never overwrites", "name another file") from None
    except OSError as error:
        raise Storage(f"cannot write {error.filename or target}: {error.strerror}", "name another folder") from None
    return Made(file=target, size=target.stat().st_size, manifest=manifest)


def lines_of(made: Made) -> list[str]:
    """What is in it and what is not."""
    manifest = made.manifest
    lines = [f"Backup {made.file} ({made.size} bytes), read back and compared:"]
    for name, space in manifest.spaces.items():
        has_memory = f"memory/{name}.bundle" in manifest.files
        memory = "with its memory repository" if has_memory else "without a memory repository"
        lines.append(f"  space {name}: {space['events']} events, {space['runs']} runs, {memory}")
    others = sorted(name.removeprefix("home/") for name in manifest.files if name.count("/") == 1)
    lines.append(f"  {', '.join(name for name in others if not name.startswith('memory/'))}")
    lines += [f"  Lacks: {why}" for why in manifest.left_out]
    lines += [f"  Not in it: {what}" for what in NOT_IN_IT]
    lines.append("It holds the key and all memories: keep it as private as the home.")
    return lines


def _target(opened: Session, asked: str) -> Path:
    stamp = opened.now.strftime("%Y%m%dT%H%M%SZ")
    path = Path(asked).expanduser().absolute() if asked else Path.cwd()
    target = path / f"dreamd-{stamp}{ENDING}" if path.is_dir() else path
    if os.path.lexists(target):
        raise Usage(f"{target} is there already; a backup never overwrites", "name another file")
    if not target.parent.is_dir():
        raise Usage(f"there is no folder {target.parent}", f"make it: mkdir {target.parent}")
    if real_path(target.parent).is_relative_to(real_path(opened.home.path)):
        raise Usage(f"{target} would lie in the home that it is a backup of", "name a file outside of it")
    return target


def _require_no_purge(home: Home) -> bytes:
    """The seals of all purges so far. Raises Busy if one is under way: a backup would hold what it erases."""
    if (home.path / JOURNAL_NAME).exists():
        raise Busy("a purge is under way, or was interrupted", "finish it: dreamd purge --resume")
    return home.tombstones.read_bytes() if home.tombstones.exists() else b""


def _bundled(home: Home, space: str, folder: Path) -> str | None:
    """Put the memory repository of `space` into `folder`; why it is not there, None if it is, or there is none."""
    path = home.repository(space)
    if not path.exists():
        return None
    bundles = folder / "memory"
    bundles.mkdir(mode=0o700, exist_ok=True)
    try:
        repository = MemoryRepository.open(path, reach)
        file = bundles / f"{space}.bundle"
        if write_bundle(repository, file):
            file.chmod(0o600)
        if purged := purged_in(repository):
            (bundles / f"{space}.purged").write_bytes(purged)
    except RepositoryProblem as problem:
        (bundles / f"{space}.bundle").unlink(missing_ok=True)
        return f"the memory repository of space {space}: {problem}; a restore makes it from the database"
    return None


def _small_files(home: Home, spaces: tuple[str, ...]) -> Iterator[tuple[str, bytes, int]]:
    """(name in the archive, content, mode) of the files beside the database that are there."""
    files = [home.settings_file, home.key_file, home.predicates_file, home.tombstones]
    files += sorted(file for file in (home.path / PURGES).glob("[0-9]*.*") if file.suffix in (".json", ".md"))
    base = real_path(home.path)
    for space in spaces:
        kept = [record for record in records_of(home, space) if record.place.base != base]
        files += [home.path / PROFILES / space / f"{record.profile}.json" for record in kept]
    for file in files:
        with suppress(FileNotFoundError):
            yield f"home/{file.relative_to(home.path).as_posix()}", file.read_bytes(), file.stat().st_mode & 0o644


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """A folder of its owner's alone beside `target`, gone afterwards; a kill leaves it."""
    folder = target.with_name(f".{target.name}.{token_hex(4)}")
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
