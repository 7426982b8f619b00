"""Where transcripts lie: the files at or under a path that an adapter knows by their names or their first bytes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path


def closed_under(path: Path) -> list[Path]:
    """The folders at or under `path` that may not be looked into, sorted."""
    closed: set[Path] = set()

    def note(error: OSError) -> None:
        if isinstance(error, PermissionError):  # not of a file, which is no folder
            closed.add(Path(error.filename))

    for folder, _, _ in os.walk(path, onerror=note):
        if not os.access(folder, os.X_OK):
            closed.add(Path(folder))
    return sorted(closed)


def files_under(path: Path, is_one: Callable[[Path], bool]) -> Iterator[Path]:
    """The files under the folder `path` for which `is_one` holds, sorted; a file that is named, whatever it is.

    Links are not followed, neither to folders nor to files.
    """
    if not path.is_dir():
        yield path
        return
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            file = Path(folder) / name
            if not os.path.islink(file) and os.path.isfile(file) and is_one(file):  # false also in a closed folder
                yield file
