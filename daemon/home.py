"""A home: the folder that holds everything dreamd knows and is allowed to write.

dreamd.toml       settings; every line commented out at first
predicates.toml   functional predicates of a person's own, if there are any; see reflection/contradicting/registry.py
key               32 random bytes in hex, readable by its owner only; keys the tags of redacted secrets
dreamd.db         facts and decisions
tombstones        seals of what was purged, no text; see tombs.py
purges/           a certificate of each purge
memory/<space>/   one memory repository per space
"""

import hmac
import os
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from shlex import quote

from dreamd.daemon.errors import Configuration, Usage
from dreamd.daemon.owners import is_of_a_group, whose

VARIABLE = "DREAMD_HOME"
KEY_BYTES = 32
TAG_HEX_DIGITS = 4  # enough to see that two secrets are one, too few to search for a secret by its tag
SPACE_PATTERN = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}", re.ASCII)
_SPACE_CHARACTERS = 64
_SPACE_DIGEST_CHARACTERS = 8  # told apart: names that only differ in what a space name cannot hold
_OWN_NAME = re.compile(
    r"dreamd\.toml|key|memory|\.gitignore|\.(?:key|dreamd\.toml)\.[0-9a-f]{8}"
)  # left by a creation cut short


@dataclass(frozen=True, slots=True)
class Home:
    """Where things lie in the home at `path`; says nothing about whether they exist."""

    path: Path

    @property
    def settings_file(self) -> Path:
        return self.path / "dreamd.toml"

    @property
    def predicates_file(self) -> Path:
        """A person's own registry of functional predicates; the shipped one counts if it is not there."""
        return self.path / "predicates.toml"

    @property
    def key_file(self) -> Path:
        return self.path / "key"

    @property
    def database(self) -> Path:
        return self.path / "dreamd.db"

    @property
    def tombstones(self) -> Path:
        return self.path / "tombstones"

    @property
    def memory(self) -> Path:
        return self.path / "memory"

    def repository(self, space: str) -> Path:
        """The memory repository of `space`."""
        return self.memory / required_space(space)

    def exists(self) -> bool:
        """False also where it cannot be seen."""
        try:
            return self.key_file.is_file() and self.settings_file.is_file()
        except PermissionError:
            return False

    def read_key(self) -> bytes:
        """The 32 bytes of the key file; raises Configuration if it does not hold them."""
        try:
            key = bytes.fromhex(self.key_file.read_text(encoding="ascii").strip())
        except OSError as error:
            raise Configuration(f"cannot read {self.key_file}: {error.strerror}") from None
        except ValueError:  # never show what the file holds
            key = b""
        if len(key) != KEY_BYTES:
            raise Configuration(
                f"{self.key_file} does not hold {KEY_BYTES} bytes in hex",
                "put the key file back from a backup; a new key gives redacted secrets other tags",
            )
        return key


def locate(option: str | os.PathLike[str] | None, environ: Mapping[str, str]) -> Path:
    """The home's folder, absolute: `option`, else `DREAMD_HOME`, `$XDG_DATA_HOME/dreamd`, `~/.local/share/dreamd`."""
    if option is not None and os.fspath(option):
        return Path(option).expanduser().absolute()
    if environ.get(VARIABLE):
        return Path(environ[VARIABLE]).expanduser().absolute()
    data = environ.get("XDG_DATA_HOME", "")
    if data and Path(data).is_absolute():  # the XDG rule: a relative one is to be ignored
        return Path(data) / "dreamd"
    user = environ.get("HOME")
    return (Path(user) if user else Path.home()) / ".local" / "share" / "dreamd"


def create(path: Path) -> Home:
    """The home at `path`, created where it is missing or incomplete; what is there already stays as it is.

    Raises Configuration if `path` is a file, or a folder with things in it that are not a home's.
    """
    home = Home(path)
    try:
        if path.exists() and not path.is_dir():
            raise Configuration(f"{path} is not a folder", "name a folder with --home or DREAMD_HOME")
        strangers = _strangers(path)
        if strangers and not home.exists():
            raise Configuration(
                f"{path} holds {strangers[0]!r} and is not a home of dreamd", "name an empty or new folder with --home"
            )
        path.mkdir(mode=0o755, parents=True, exist_ok=True)
        if not home.memory.exists():
            home.memory.mkdir(mode=0o755)
            home.memory.chmod(0o2755 if is_of_a_group(path) else 0o755)
        if not home.settings_file.exists():
            from dreamd.daemon.settings import template  # noqa: PLC0415 - costs 0.2 CPU s, `dreamd --help` must not pay

            _write_new(home.settings_file, template(), 0o644)
        if not home.key_file.exists():
            _write_new(home.key_file, token_hex(KEY_BYTES) + "\n", 0o600)
    except OSError as error:
        raise Configuration(
            f"cannot create {error.filename}: {error.strerror}", "name another folder with --home or DREAMD_HOME"
        ) from None
    return home


def _strangers(path: Path) -> list[str]:
    """What lies in the folder `path` and is not a home's, sorted."""
    entries = path.iterdir() if path.exists() else ()
    return sorted(entry.name for entry in entries if not _OWN_NAME.fullmatch(entry.name))


def open_home(path: Path) -> Home:
    """The home at `path`; raises Configuration if there is none, or it is not ours to read."""
    home = Home(path)
    closed = _closed(home)
    if closed is not None:
        raise Configuration(
            f"the home {path} cannot be read: {closed}: {whose(closed)}",
            "run as its owner with `chmod u+r` where it lacks, or make a home of your own and name it with --home or"
            " DREAMD_HOME",
        )
    if home.database.exists() and not home.key_file.exists():
        raise Configuration(
            f"{path} has lost its key file", f"put {home.key_file} back from a backup; it keys redacted secrets"
        )
    if not home.exists():
        raise Configuration(f"{path} is not a home of dreamd", f"create it: dreamd --home {quote(str(path))} init")
    return home


def _closed(home: Home) -> Path | None:
    """What is there and may not be read by whoever runs this; None if all may."""
    try:
        there = [file for file in (home.key_file, home.database) if file.exists()]
    except PermissionError:  # of a folder above
        return home.path
    return next((file for file in there if not os.access(file, os.R_OK)), None)


def keyed_tag(key: bytes, secret: str) -> str:
    """Four hex digits that are equal for equal secrets under one key, and say nothing without it."""
    return hmac.digest(key, secret.encode("utf-8", "surrogatepass"), "sha256").hex()[:TAG_HEX_DIGITS]


def is_space(text: str) -> bool:
    return SPACE_PATTERN.fullmatch(text) is not None


def required_space(text: str) -> str:
    """`text`, if it is the name of a space; raises Usage otherwise."""
    if is_space(text):
        return text
    raise Usage(
        f"{text[:_SPACE_CHARACTERS]!r} is no name of a space; allowed: a-z, 0-9, '.', '_' and '-', first a letter"
        f" or digit, at most {_SPACE_CHARACTERS} characters",
        f"use: --space {space_name(text)}",
    )


def space_name(text: str) -> str:
    """A space's name made from `text`, such as a project's folder; a digest is added where letters are lost."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    slug = re.sub(r"[^a-z0-9._-]+", "-", folded).strip("-._")
    is_whole = folded.isascii() and 0 < len(slug) <= _SPACE_CHARACTERS
    if is_whole:
        return slug
    digest = sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:_SPACE_DIGEST_CHARACTERS]
    kept = slug[: _SPACE_CHARACTERS - _SPACE_DIGEST_CHARACTERS - 1].rstrip("-._")
    return f"{kept}-{digest}" if kept else f"space-{digest}"


def _write_new(file: Path, text: str, mode: int) -> None:
    """Write `file` whole or not at all, and never over one that somebody else has just written."""
    draft = file.with_name(f".{file.name}.{token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as handle:
            handle.write(text)
            handle.flush()
            os.fsync(handle.fileno())
        os.link(draft, file)
    except FileExistsError:
        return
    finally:
        draft.unlink(missing_ok=True)
