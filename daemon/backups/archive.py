"""One file with all that a backup holds: a tar of regular files with plain names, `manifest.json` first.

Written with the standard library; read by hand, block by block, because a reader of every kind of tar also reads links,
devices, sparse files and headers of any length. What is not named in the manifest, or is not of its size and digest,
is refused. Nothing in an archive is believed before it is compared.
"""

import gzip
import hashlib
import io
import json
import os
import re
import stat
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from dreamd.daemon.errors import BadData
from dreamd.daemon.home import SPACE_PATTERN

MANIFEST = "manifest.json"
FORMAT = 1
MAX_MANIFEST_BYTES = 16 * 1024 * 1024
MAX_FILES = 100_000
MAX_SMALL_BYTES = 64 * 1024 * 1024  # of any file but the database and the bundles
DATABASE = "home/dreamd.db"
KEY = "home/key"
SETTINGS = "home/dreamd.toml"
_BLOCK = 512
_CHUNK = 1024 * 1024
_SPACE = SPACE_PATTERN.pattern
_NAMES = re.compile(
    rf"home/(?:dreamd\.toml|key|dreamd\.db|predicates\.toml|tombstones|purges/[0-9]{{1,9}}\.(?:json|md)"
    rf"|profiles/{_SPACE}/[a-z0-9-]{{1,40}}\.json)|memory/{_SPACE}\.(?:bundle|purged)",
    re.ASCII,
)
_SETTING_MODES = 0o644  # the most that is kept of a file's mode


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    made_at: str  # RFC 3339
    dreamd: str  # the version that made it
    schema: str  # version of the tables
    spaces: Mapping[str, Mapping[str, Any]]  # what each held: digest, events, runs
    files: Mapping[str, Member]  # by name in the archive
    left_out: tuple[str, ...] = ()  # what should be in it and is not, in words

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "made_at": self.made_at,
            "dreamd": self.dreamd,
            "schema": self.schema,
            "spaces": {name: dict(space) for name, space in self.spaces.items()},
            "left_out": list(self.left_out),
            "files": {name: {"size": it.size, "sha256": it.sha256} for name, it in self.files.items()},
        }


def member_of(file: Path) -> Member:
    hasher = hashlib.sha256()
    with file.open("rb") as source:
        while chunk := source.read(_CHUNK):
            hasher.update(chunk)
    return Member(size=file.stat().st_size, sha256=hasher.hexdigest())


def write_archive(folder: Path, manifest: Manifest, target: Path) -> None:
    """Write the files of `manifest`, which lie in `folder`, to the new file `target`; durable, its owner's alone."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as raw:
        is_plain = target.name.endswith(".tar")
        # Git has compressed its part; no date, so equal states give equal files.
        packed = raw if is_plain else gzip.GzipFile("", "wb", compresslevel=1, fileobj=raw, mtime=0)
        with tarfile.open(fileobj=cast(IO[bytes], packed), mode="w", format=tarfile.GNU_FORMAT) as tar:
            text = json.dumps(manifest.as_json(), ensure_ascii=True, indent=1).encode("ascii")
            tar.addfile(_entry(MANIFEST, len(text), 0o600), io.BytesIO(text))
            for name, member in manifest.files.items():
                with (folder / name).open("rb") as source:
                    tar.addfile(_entry(name, member.size, os.fstat(source.fileno()).st_mode), source)
        if packed is not raw:
            packed.close()
        raw.flush()
        os.fsync(raw.fileno())


def read_archive(file: Path, into: Path | None) -> Manifest:
    """The manifest of the archive `file`, each of whose files was compared with it, and put below the folder `into`.

    None: only compared. Raises BadData, with what is wrong; what is in `into` then is worth nothing.
    """
    with _unpacked(file) as source:
        members = _members(source, file)
        first = next(members, None)
        if first is None or first[0] != MANIFEST or first[1] > MAX_MANIFEST_BYTES:
            raise _no_backup(file, f"it does not begin with {MANIFEST}")
        manifest = _manifest(file, _taken(source, first[1], file))
        if into is not None:
            _require_room(file, manifest, into)
        missing = set(manifest.files)
        for name, size, mode in members:
            wanted = manifest.files.get(name)
            if wanted is None or name not in missing:
                raise _no_backup(file, f"it holds {name[:80]!r}, which its manifest does not list once")
            missing.discard(name)
            if size != wanted.size:
                raise _no_backup(file, f"{name} has {size} bytes, its manifest says {wanted.size}")
            if _copied(source, size, file, None if into is None else into / name, mode) != wanted.sha256:
                raise _no_backup(file, f"{name} is not what was backed up: its sha256 differs")
        if missing:
            raise _no_backup(file, f"it lacks {min(missing)}")
    return manifest


@contextmanager
def _unpacked(file: Path) -> Iterator[IO[bytes]]:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise _no_backup(file, "it is no regular file")
        with os.fdopen(descriptor, "rb") as raw:
            is_packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            yield cast(IO[bytes], gzip.GzipFile(fileobj=raw, mode="rb")) if is_packed else raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _no_backup(file, f"it is cut off or damaged ({error})") from None
    except (FileNotFoundError, PermissionError) as refused:
        raise BadData(f"{file} cannot be read: {refused.strerror}", "name a backup that dreamd backup wrote") from None


def _members(source: IO[bytes], file: Path) -> Iterator[tuple[str, int, int]]:
    """(name, bytes, mode) of each member, as its header says; whoever asks reads the content before the next."""
    for count in range(MAX_FILES + 1):
        block = source.read(_BLOCK)
        if block == b"\0" * _BLOCK:
            return
        try:
            info = tarfile.TarInfo.frombuf(block, "ascii", "strict")
        except (tarfile.HeaderError, UnicodeDecodeError) as error:
            raise _no_backup(file, f"member {count + 1} has no header of a tar ({error})") from None
        if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise _no_backup(file, f"member {count + 1}, {info.name[:80]!r}, is no regular file")
        if info.name != MANIFEST and _NAMES.fullmatch(info.name) is None:
            raise _no_backup(file, f"member {count + 1} has the name {info.name[:80]!r}, which no backup has")
        if info.size < 0 or (info.size > MAX_SMALL_BYTES and not _may_be_large(info.name)):
            raise _no_backup(file, f"{info.name} has {info.size} bytes; allowed: {MAX_SMALL_BYTES}")
        yield info.name, info.size, info.mode
        source.read(-info.size % _BLOCK)
    raise _no_backup(file, f"it holds more than {MAX_FILES} files")


def _may_be_large(name: str) -> bool:
    return name == DATABASE or name.endswith(".bundle")


def _taken(source: IO[bytes], size: int, file: Path) -> bytes:
    content = source.read(size)
    if len(content) != size:
        raise _no_backup(file, "it is cut off")
    return content


def _copied(source: IO[bytes], size: int, file: Path, to: Path | None, mode: int) -> str:
    """The sha256 of the next `size` bytes, put into the new file `to`."""
    hasher, target = hashlib.sha256(), None
    if to is not None:
        to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_open_to_others = to.suffix == ".toml"
        target = to.open("xb")
        to.chmod(mode & _SETTING_MODES | 0o600 if is_open_to_others else 0o600)
    try:
        while size:
            chunk = _taken(source, min(size, _CHUNK), file)
            size -= len(chunk)
            hasher.update(chunk)
            if target is not None:
                target.write(chunk)
    finally:
        if target is not None:
            target.close()
    return hasher.hexdigest()


def _manifest(file: Path, text: bytes) -> Manifest:
    try:
        value = json.loads(text)
        if value["format"] != FORMAT:
            raise BadData(
                f"{file} is a backup of format {str(value['format'])[:20]}, this dreamd knows {FORMAT}",
                "use the dreamd that made it, or a newer one",
            )
        return Manifest(
            made_at=str(value["made_at"]),
            dreamd=str(value["dreamd"]),
            schema=str(value["schema"]),
            spaces={str(name): dict(space) for name, space in value["spaces"].items()},
            files={
                str(name): Member(size=int(each["size"]), sha256=str(each["sha256"]))
                for name, each in value["files"].items()
            },
            left_out=tuple(map(str, value["left_out"])),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _no_backup(file, f"its {MANIFEST} cannot be read") from None


def _require_room(file: Path, manifest: Manifest, into: Path) -> None:
    needed = sum(member.size for member in manifest.files.values())
    free = os.statvfs(into).f_bavail * os.statvfs(into).f_frsize
    if any(member.size < 0 for member in manifest.files.values()) or needed > free:
        raise BadData(
            f"{file} unpacks to {needed} bytes, {free} are free below {into.parent}", "make room, or use --to"
        )


def _entry(name: str, size: int, mode: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, mode & _SETTING_MODES
    return info


def _no_backup(file: Path, why: str) -> BadData:
    return BadData(f"{file} is no whole backup: {why}", "nothing was changed; use another backup")
