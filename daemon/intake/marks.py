"""How far a transcript was read, so that the next time reads only what is new, and an unchanged file costs one stat.

A mark is two lines in the cursor of the file: what the file looked like and how far it was read; then what the adapter
knows of it so far. A file that is shorter than it was, or begins otherwise, is another one and is read from its start.
"""

import errno
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from dreamd.daemon.intake.adapters.port import Memory
from dreamd.daemon.intake.redaction import Redactor

HEAD_BYTES = 4_096  # by which a file is known again


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a file looks like from outside."""

    size: int
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a file was read."""

    look: Look
    head: str  # sha256 of its first HEAD_BYTES before the offset
    offset: int
    line: int
    is_asked: bool  # the space was asked for by name, not found from the project
    is_placed: bool  # the space is settled; if not, the file did not yet say its project, nor anything else


def look_of(file: Path) -> Look:
    """Raises OSError, also for what is no file: a pipe would be waited for without end."""
    found = os.stat(file)
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    return Look(size=found.st_size, mtime_ns=found.st_mtime_ns, inode=found.st_ino)


def head_of(stream: BinaryIO, offset: int) -> str:
    """The digest of the beginning of what was read; leaves the stream somewhere."""
    stream.seek(0)
    return sha256(stream.read(min(HEAD_BYTES, offset))).hexdigest()


def written(progress: Progress, memory: Memory, redactor: Redactor) -> str:
    """The value of a cursor. The memory holds texts that may hold secrets."""
    return f"{json.dumps(asdict(progress))}\n{json.dumps(_redacted(memory, redactor))}"


def progress_in(value: str) -> Progress | None:
    """None for a value that this version cannot read: the file is read again, and nothing comes twice."""
    try:
        given = json.loads(value.partition("\n")[0])
        return Progress(**{**given, "look": Look(**given["look"])})
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def memory_in(value: str) -> Memory | None:
    try:
        memory = json.loads(value.partition("\n")[2])
    except ValueError:
        return None
    return memory if isinstance(memory, dict) else None


def moved(progress: Progress, look: Look, head: str, offset: int, line: int) -> Progress:
    return replace(progress, look=look, head=head, offset=offset, line=line)


def _redacted(value: object, redactor: Redactor) -> object:
    """`value` with its texts redacted; the keys of objects are names of ours and ids of calls."""
    match value:
        case str():
            return redactor.redact(value)
        case list() | tuple():
            return [_redacted(item, redactor) for item in value]
        case Mapping():
            return {key: _redacted(item, redactor) for key, item in value.items()}
        case _:
            return value
