"""Which files a model is: by content, since a name says nothing of what lies under it."""

from hashlib import sha256
from pathlib import Path

_CHUNK = 1 << 20  # bytes that are read at a time


def file_digest(file: Path) -> str:
    """The sha256 of `file`. Raises OSError if it cannot be read."""
    whole = sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def folder_digest(folder: Path) -> str:
    """The sha256 of the names and contents of all files in `folder`; hidden ones are nobody's weights."""
    whole = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        name = file.relative_to(folder).as_posix()
        if not any(part.startswith(".") for part in name.split("/")):
            whole.update(f"{len(name.encode())};{name}{file_digest(file)}".encode())
    return whole.hexdigest()
