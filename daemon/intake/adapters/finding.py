"""Where transcripts lie: the files at or under a path that an adapter knows by their names or their first bytes."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path


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
            if not file.is_symlink() and file.is_file() and is_one(file):
                yield file
