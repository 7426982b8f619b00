"""Profiles of a memory, generated after each export for the agents that a setting names.

A profile that is listed no longer, or goes elsewhere, is taken away. What dreamd wrote is recorded in the home, beside
the folder where profiles lie by default; it is derived, so a failure here is told and undoes nothing.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dreamd.daemon.failpoints import reach
from dreamd.daemon.home import Home
from dreamd.daemon.profile_wishes import FOLDER, places_of, real_path
from dreamd.daemon.rendering import manifest_of
from dreamd.lifecycle.told import counted
from dreamd.repo_export.folders import opened_below, replace_file
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.profiles.laying import LaidProfile, lay_out_profile
from dreamd.repo_export.profiles.port import Generated, Memory
from dreamd.repo_export.profiles.reading import MemoryUnreadable, read_memory
from dreamd.repo_export.profiles.record import Record, parse_record, render_record
from dreamd.repo_export.profiles.registry import load

if TYPE_CHECKING:
    from dreamd.daemon.session import Session
    from dreamd.daemon.storage.store import SpaceStore

SHOWN = 20  # pages that have no room, for each reason; there may be thousands


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What became of one profile of one space."""

    profile: str
    folder: str
    files: int = 0  # of ours that lie there
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    waiting: tuple[tuple[str, str], ...] = ()  # (path, reason)
    left_out: tuple[tuple[str, str], ...] = ()  # (path in the memory repository, reason)
    problem: str | None = None  # why it stayed as it was

    def as_json(self) -> dict[str, Any]:
        return {
            "profile": self.profile,
            "folder": self.folder,
            "status": "failed" if self.problem else "waiting" if self.waiting else "done",
            "reason": self.problem,
            "files": self.files,
            "written": list(self.written),
            "removed": list(self.removed),
            "waiting": [{"path": path, "reason": reason} for path, reason in self.waiting],
            "left_out": [
                {"reason": reason, "count": len(paths), "first": paths[:SHOWN]} for reason, paths in self._lacking()
            ],
        }

    def in_words(self) -> list[str]:
        """Nothing where nothing happened and nothing waits."""
        name = f"Profile {self.profile}"
        if self.problem:
            return [f"  {name} stays as it is: {self.problem}"]
        lines = []
        if self.written or self.removed:
            lines.append(f"  {name}: {counted(self.files, 'file')} in {self.folder}")
        lines += [f"  {name} left alone: {self.folder}/{path} ({reason})" for path, reason in self.waiting]
        if lines and self.left_out:
            told = "; ".join(f"{len(paths)}: {reason}, such as {paths[0]}" for reason, paths in self._lacking())
            lines.append(f"  {name} lacks {counted(len(self.left_out), 'page')}; {told}")
        return lines

    def _lacking(self) -> list[tuple[str, list[str]]]:
        """The pages that are left out, by reason."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, reason in self.left_out:
            found[reason].append(path)
        return sorted(found.items())


def keep_profiles(
    opened: "Session", store: "SpaceStore", repository: MemoryRepository, *, restore: bool = False
) -> tuple[Kept, ...]:
    """Bring the profiles of the space to what its repository shows; `restore`: also what was deleted there."""
    wanted = places_of(opened.home, opened.loaded.settings.profiles.generated, store.space)
    old = [record for record in records_of(opened.home, store.space) if wanted.get(record.profile) != record.place]
    if not wanted and not old:
        return ()
    kept: list[Kept] = []
    try:
        with repository.writing():  # one at a time
            kept += [_taken_away(opened.home, store.space, record, moved=record.profile in wanted) for record in old]
            memory = _memory_of(opened, store, repository) if wanted else Memory(space=store.space)
            for name, place in wanted.items():
                known = _record_in(opened.home, store.space, name)
                record = known if known is not None and known.place == place else Record(profile=name, place=place)
                kept.append(_laid(opened.home, store.space, record, load(name).generate(memory), restore=restore))
    except (MemoryUnreadable, RepositoryProblem) as problem:
        done = {each.profile for each in kept}
        failed = (
            Kept(profile=name, folder=str(place.path), problem=str(problem))
            for name, place in wanted.items()
            if name not in done
        )
        return (*kept, *failed)
    return tuple(kept)


def _memory_of(opened: "Session", store: "SpaceStore", repository: MemoryRepository) -> Memory:
    head = repository.head()
    if head is None:
        return Memory(space=store.space)
    read = partial(repository.files_at, head)
    return read_memory(store.space, manifest_of(repository, head), read, opened.redact)


def records_of(home: Home, space: str) -> list[Record]:
    """What dreamd wrote into profiles of `space`, by profile."""
    folder = home.path / FOLDER / space
    names = sorted(file.stem for file in folder.glob("*.json")) if folder.is_dir() else []
    return [record for name in names if (record := _record_in(home, space, name)) is not None]


def _record_in(home: Home, space: str, name: str) -> Record | None:
    try:
        content = (home.path / FOLDER / space / f"{name}.json").read_bytes()
    except OSError:
        return None
    return parse_record(content, real_path(home.path))


def _save(home: Home, space: str, record: Record) -> None:
    with opened_below(real_path(home.path), f"{FOLDER}/{space}", create=True) as folder:
        if folder is not None:
            replace_file(folder, f"{record.profile}.json", render_record(record, real_path(home.path)))


def _taken_away(home: Home, space: str, record: Record, *, moved: bool) -> Kept:
    """The files of a profile that is wanted no more, or elsewhere, gone; what was changed stays, named, and let go."""
    kept = _laid(home, space, record, Generated(files={}), restore=False)
    if kept.problem is None:
        (home.path / FOLDER / space / f"{record.profile}.json").unlink(missing_ok=True)
    return replace(kept, profile=f"{record.profile}, {'moved elsewhere' if moved else 'no longer generated'}")


def _laid(home: Home, space: str, record: Record, generated: Generated, *, restore: bool) -> Kept:
    record = replace(record, left_out=len(generated.left_out))
    folder = str(record.place.path)
    try:
        laid: LaidProfile = lay_out_profile(
            generated.files, record, partial(_save, home, space), reach, restore=restore
        )
    except OSError as error:
        return Kept(profile=record.profile, folder=folder, problem=f"{error.filename or folder}: {error.strerror}")
    held = {path for path, _ in laid.record.waiting}
    return Kept(
        profile=record.profile,
        folder=folder,
        files=len(laid.record.files.keys() - held),
        written=laid.written,
        removed=laid.removed,
        waiting=laid.record.waiting,
        left_out=generated.left_out,
        problem=laid.problem,
    )
