"""What may lie in a git directory before git is let near it.

Git opens what it finds: a pipe in place of a file stops it for ever, a device feeds it without end, and in a directory
that it writes to, a link leads it outside. So everything there is looked at first, by name and kind, unopened. What is
left to chance is that something is swapped between the look and the read: git may hang then, but still runs nothing.
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from dreamd.repo_export.plumbing import RepositoryProblem, SafeGit

MAX_CONFIG_BYTES = 1024 * 1024  # of a configuration, or a list of borrowed objects
MAX_POINTER_BYTES = 8_192  # of HEAD, .git and commondir: a path or a name
MAX_FOLDERS = 100_000  # of refs and objects
MAX_LED_TO = 100  # other stores of objects, and other configurations, that one repository may lead to
CONFIG_NAMES = ("config", "config.worktree")

# The folders that a git of ours looks into: of a git directory, and of a store of objects. A link may lead anywhere.
_READ = re.compile("refs|objects|info|reftable")
_READ_OF_OBJECTS = re.compile("info|pack|[0-9a-f]{2}")
_ANY = re.compile(".*", re.DOTALL)
# Never opened when dreamd writes; the socket is that of git's own monitor of a work tree.
MONITOR_SOCKET = "fsmonitor--daemon.ipc"
_UNWRITTEN = frozenset({"hooks", MONITOR_SOCKET})
_MORE_THAN_SETTINGS = re.compile(rb"\[\s*(?:include|hook)", re.IGNORECASE)
_INCLUDED = r"^include(if\..*)?\.path$"


def require_readable(git_dir: Path) -> None:
    """Raises RepositoryProblem if git could hang on something in `git_dir`, or on what that leads to."""
    waiting = [(place, False) for place in (git_dir, *_shared(git_dir))]
    looked_at: set[Path] = set()
    seen: set[tuple[int, int]] = set()
    while waiting:
        place, is_store = waiting.pop()
        if place in looked_at:
            continue
        looked_at.add(place)
        if len(looked_at) > MAX_LED_TO:
            raise RepositoryProblem(
                f"{git_dir} borrows objects from more than {MAX_LED_TO} places", "see its objects/info/alternates"
            )
        _require_plain_below(place, is_store, seen)
        waiting += [(found, True) for found in _borrowed(place if is_store else place / "objects")]
    _require_plain_configs(git_dir)


def require_own(git_dir: Path) -> None:
    """Raises RepositoryProblem if writing to `git_dir` could land elsewhere, hang, or start a program.

    A memory repository holds all that it needs: no link, no borrowed objects, no directory shared with another.
    """
    for name, what in (("commondir", "shares its directory with"), ("objects/info/alternates", "borrows objects from")):
        if os.path.lexists(git_dir / name):
            raise RepositoryProblem(
                f"{git_dir / name}: this repository {what} another one, and dreamd writes only inside its home",
                "move it away and run: dreamd export",
            )
    for entry in _own_entries(git_dir):
        # The kind is known from the listing; only of a log, the one file that git appends to, more is asked.
        if entry.is_file(follow_symlinks=False):
            has_another_name = "/logs/" in entry.path and entry.stat(follow_symlinks=False).st_nlink > 1
            kind = "a file with a second name elsewhere" if has_another_name else None
        else:
            kind = _strange_kind(entry.stat(follow_symlinks=False))
        if kind is not None:
            raise RepositoryProblem(
                f"{entry.path} is {kind}, and dreamd writes only inside its home",
                "remove it, then run: dreamd export",
            )
    hooks = [config for config, keys in _require_plain_configs(git_dir) if any(key.startswith("hook.") for key in keys)]
    if hooks:
        # Of later versions of git; they can be switched off one by one only, by names that we would have to guess.
        raise RepositoryProblem(
            f"unsafe configuration: {hooks[0]} has a section [hook ...], programs that git may run as dreamd writes",
            "take the section out, then run: dreamd export",
        )


def first_bytes(file: Path, limit: int = MAX_POINTER_BYTES) -> bytes:
    """The start of a regular file; b"" if there is none. Raises RepositoryProblem if it is something else."""
    try:
        # O_NONBLOCK: a pipe must not stop us.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except (OSError, ValueError) as refused:
        raise RepositoryProblem(f"{file} cannot be read: {refused}", "check its owner and mode") from refused
    try:
        status = os.fstat(descriptor)
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else _strange_kind(status)
        if kind is not None:
            raise _would_hang(os.fspath(file), kind)
        return os.read(descriptor, limit)
    finally:
        os.close(descriptor)


def named_path(file: Path, prefix: str = "") -> Path | None:
    """The folder that a pointer file such as `.git` or `commondir` names; None if it is not there or says nothing."""
    text = os.fsdecode(first_bytes(file).split(b"\n")[0]).removeprefix(prefix).strip()
    if not text or "\0" in text:
        return None
    return (file.parent / text).resolve()


def _shared(git_dir: Path) -> tuple[Path, ...]:
    shared = named_path(git_dir / "commondir")
    return () if shared is None else (shared,)


def _borrowed(objects: Path) -> Iterator[Path]:
    """The stores that a store of objects borrows from."""
    for line in first_bytes(objects / "info" / "alternates", MAX_CONFIG_BYTES).splitlines():
        plain = line
        if line.startswith(b'"'):  # as git quotes odd paths
            plain = line.strip(b'"').decode("unicode_escape", errors="replace").encode("latin-1", errors="replace")
        if plain and not plain.startswith(b"#") and b"\0" not in plain:
            yield Path(os.path.normpath(objects / os.fsdecode(plain)))


def _require_plain_below(place: Path, is_store: bool, seen: set[tuple[int, int]]) -> None:
    """Links are followed, each folder is looked at once."""
    folders = [(os.fspath(place), _READ_OF_OBJECTS if is_store else _READ)]
    while folders:
        folder, into = folders.pop()
        try:
            status = os.stat(folder)
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            if len(seen) > MAX_FOLDERS:
                raise RepositoryProblem(f"{place} leads to more than {MAX_FOLDERS} folders", "see where its links lead")
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_file(follow_symlinks=False):
                        continue
                    if entry.is_dir():
                        if into.fullmatch(entry.name):
                            is_objects = into is _READ and entry.name == "objects"
                            folders.append((entry.path, _READ_OF_OBJECTS if is_objects else _ANY))
                    elif entry.name != MONITOR_SOCKET and os.path.exists(entry.path):
                        _require_file(entry)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as refused:
            raise RepositoryProblem(
                f"{refused.filename or folder} cannot be read: {refused.strerror}", "check its owner and mode"
            ) from refused


def _require_file(entry: "os.DirEntry[str]") -> None:
    kind = _strange_kind(entry.stat())
    if kind is not None:
        raise _would_hang(entry.path, kind)


def _own_entries(git_dir: Path) -> Iterator["os.DirEntry[str]"]:
    """All below `git_dir` that dreamd writes to, or git for it; no link is followed."""
    folders = [os.fspath(git_dir)]
    while folders:
        folder = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if folder == os.fspath(git_dir) and entry.name in _UNWRITTEN:
                    continue
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)


def _require_plain_configs(git_dir: Path) -> list[tuple[Path, tuple[str, ...]]]:
    """(file, keys) of each configuration that says more than settings, and of what these include.

    Raises RepositoryProblem if one of them is no regular file, or cannot be read. Conditions are not looked at: every
    file that may be included counts.
    """
    waiting = [place / name for place in (git_dir, *_shared(git_dir)) for name in CONFIG_NAMES]
    found: list[tuple[Path, tuple[str, ...]]] = []
    looked_at: set[Path] = set()
    while waiting:
        config = waiting.pop()
        if config in looked_at:
            continue
        looked_at.add(config)
        text = first_bytes(config, MAX_CONFIG_BYTES)
        if len(text) == MAX_CONFIG_BYTES or len(looked_at) > MAX_LED_TO:
            raise RepositoryProblem(
                f"{config}: a configuration of {MAX_CONFIG_BYTES} bytes or more, or of {MAX_LED_TO} files or more",
                "make it shorter",
            )
        if _MORE_THAN_SETTINGS.search(text):
            found.append((config, tuple(key for key, _ in _said(config, "--list"))))
            included = _said(config, "--type=path", "--get-regexp", _INCLUDED)
            waiting += [Path(os.path.normpath(config.parent / path)) for _, path in included]
    return found


def _said(config: Path, *question: str) -> list[tuple[str, str]]:
    """(key, value) pairs of one file, as git itself reads it: without what it includes, and without a repository."""
    answer = SafeGit(Path("/nonexistent")).run("config", "--file", str(config), "--no-includes", "-z", *question)
    if answer.status not in (0, 1):  # 1: no such key
        raise RepositoryProblem(f"{config} cannot be read: {answer.error}", "mend it, or take that line out")
    entries = os.fsdecode(answer.out).split("\0")
    return [(key, value) for key, _, value in (entry.partition("\n") for entry in entries) if key]


def _would_hang(path: str, kind: str) -> RepositoryProblem:
    return RepositoryProblem(f"{path} is {kind}, where Git expects a file", "remove it and try again")


def _strange_kind(status: os.stat_result) -> str | None:
    """What it is, if it is neither a regular file nor a folder."""
    kinds = (
        (stat.S_ISLNK, "a symbolic link"),
        (stat.S_ISFIFO, "a pipe"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
    )
    return next((what for is_it, what in kinds if is_it(status.st_mode)), None)
