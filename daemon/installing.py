"""dreamd put into the settings of an agent, and taken out again.

What was written is remembered in the home, so that it can be taken back to the byte. A settings file is replaced whole
or not at all, keeps its mode, and is written through a link: dotfile managers keep the real file elsewhere.
"""

import json
import os
import shlex
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, TypedDict

from dreamd.daemon.claude_settings import DOOR, Found, ours, read_settings, with_hook, without_hooks
from dreamd.daemon.errors import BadData, Storage, Usage
from dreamd.daemon.home import Home

MAX_SETTINGS_BYTES = 5_000_000
RECORD = "installed.json"  # in the home: what was put into whose settings
NAME = "claude-code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became, or would become, of one settings file."""

    settings: str  # the file as it was named
    written_to: str  # where a link leads; else the same
    outcome: str  # "installed", "replaced", "already", "removed" or "absent"
    command: str | None  # of the hook; None: there is none
    others: tuple[str, ...]  # homes that also have a hook here


class _Places(TypedDict):
    settings: str
    written_to: str
    others: tuple[str, ...]


def user_settings(environ: Mapping[str, str]) -> Path:
    """Claude Code's settings of this user."""
    folder = environ.get("CLAUDE_CONFIG_DIR")
    return (Path(folder).expanduser() if folder else Path(environ.get("HOME") or Path.home()) / ".claude") / (
        "settings.json"
    )


def project_settings(folder: Path) -> Path:
    """The settings of a project that are this person's alone: the hook holds paths of this machine."""
    return folder / ".claude" / "settings.local.json"


def hook_command(home: Home, space: str | None) -> str:
    """The command of the hook. `-P`: nothing is imported from the project that the agent works in."""
    words = [sys.executable, "-P", "-m", "dreamd.daemon.cli", "--home", str(home.path)]
    words += ["--space", space] if space is not None else []
    return shlex.join([*words, *DOOR])


def install(home: Home, settings: Path, command: str, *, dry_run: bool) -> Outcome:
    """Put the hook into `settings`. Twice is once; a hook of this home with another command is replaced.

    Raises BadData if the file is not what it should be, Storage if it cannot be written; then nothing was changed.
    """
    file, before = _read(settings)
    value = read_settings(before, str(settings)) if before.strip() else {}
    there = ours(value)
    mine = [found for found in there if found.home == str(home.path)]
    places = _Places(settings=str(settings), written_to=str(file), others=_others(there, home))
    if [found.command for found in mine] == [command]:
        return Outcome(**places, outcome="already", command=command)
    rest = without_hooks(before, mine, _created(home, settings)) if mine else before
    edit = with_hook(rest, command)
    _check(edit.text, settings, command, home)
    outcome = Outcome(**places, outcome="replaced" if mine else "installed", command=command)
    if not dry_run:
        made = [] if file.parent.is_dir() else _make_folder(file.parent)
        entry = {
            "put_in": edit.put_in,
            "instead_of": edit.instead_of,
            "created": [*{*edit.created, *_created(home, settings)}] if mine else list(edit.created),
            "file_created": not file.exists() or (bool(mine) and _entry(home, settings).get("file_created", False)),
            "folders_created": made or _entry(home, settings).get("folders_created", []),
        }
        _remember(home, settings, entry)  # before the write: a hook that is known and missing does no harm
        _replace(file, before, edit.text)
    return outcome


def uninstall(home: Home, settings: Path, *, dry_run: bool) -> Outcome:
    """Take the hook of this home out of `settings`, and what was created for it. Raises as `install`."""
    file, before = _read(settings)
    value = read_settings(before, str(settings)) if before.strip() else {}
    there = ours(value)
    mine = [found for found in there if found.home == str(home.path)]
    places = _Places(settings=str(settings), written_to=str(file), others=_others(there, home))
    if not mine:
        if not dry_run:
            _remember(home, settings, None)
        return Outcome(**places, outcome="absent", command=None)
    entry = _entry(home, settings)
    after = _as_before(before, mine, entry, str(settings))
    outcome = Outcome(**places, outcome="removed", command=mine[0].command)
    if not dry_run:
        if entry.get("file_created") and after.strip() in ("", "{}"):
            file.unlink()
            for folder in entry.get("folders_created", []):
                _remove_if_empty(Path(folder))
        else:
            _replace(file, before, after)
        _remember(home, settings, None)
    return outcome


def recorded(home: Home) -> list[Path]:
    """The settings files that this home was installed into."""
    return [Path(name) for name in _record(home)]


def _as_before(text: str, mine: list[Found], entry: Mapping[str, Any], name: str) -> str:
    """`text` without our hooks: to the byte where nobody wrote the file anew since, else by structure."""
    cut = without_hooks(text, mine, entry.get("created", ()))
    put_in, instead_of = entry.get("put_in", ""), entry.get("instead_of", "")
    if len(mine) == 1 and put_in and text.count(put_in) == 1:
        exact = text.replace(put_in, instead_of)
        try:
            if not exact.strip() or read_settings(exact, name) == read_settings(cut, name):
                return exact
        except BadData:
            return cut
    return cut


def _others(there: list[Found], home: Home) -> tuple[str, ...]:
    return tuple(sorted({found.home for found in there} - {str(home.path)}))


def _check(text: str, settings: Path, command: str, home: Home) -> None:
    """The law of `install`: what it writes is good settings with one hook of this home. Else nothing is written."""
    mine = [found.command for found in ours(read_settings(text, str(settings))) if found.home == str(home.path)]
    if mine != [command]:
        raise BadData(f"{settings} could not be changed safely; nothing was written", "add the hook by hand")


def _read(settings: Path) -> tuple[Path, str]:
    """The file behind `settings` and its text; "" if there is none."""
    try:
        file = settings.resolve(strict=False)
        if not file.exists():
            if settings.is_symlink() and not file.parent.is_dir():
                raise BadData(f"{settings} is a link to {file}, and there is no such folder", "mend the link first")
            if file.is_symlink() or not _can_hold(file):
                raise BadData(f"{settings} cannot be created: {file.parent} is no folder", "name one with --settings")
            return file, ""
        if not file.is_file():
            raise BadData(f"{settings} is no file", "name Claude Code's settings with --settings FILE")
        if file.stat().st_size > MAX_SETTINGS_BYTES:
            raise BadData(f"{settings} has over {MAX_SETTINGS_BYTES} bytes", "name Claude Code's settings")
        return file, file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadData(
            f"{settings} is not UTF-8 at byte {error.start + 1}", "mend it first; nothing was changed"
        ) from None
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        reason = error.strerror if isinstance(error, OSError) else "links in a circle"
        raise BadData(f"cannot read {settings}: {reason}", "check its owner and mode; nothing was changed") from None


def _can_hold(file: Path) -> bool:
    return next(folder for folder in file.parents if folder.exists() or folder == folder.parent).is_dir()


def _make_folder(folder: Path) -> list[str]:
    """Make `folder`; the folders that were missing, innermost first."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Storage(f"cannot create {folder}: {error.strerror}", "check the owner of the folder above") from None
    return [str(each) for each in missing]


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:  # somebody put something there
        return


def _replace(file: Path, before: str, after: str) -> None:
    """Put `after` in the place of `before`, whole; owner and mode stay. Raises Storage, with the file as it was."""
    draft = file.with_name(f".{file.name}.dreamd-{token_hex(4)}")
    try:
        known = file.stat() if file.exists() else None
        mode = 0o600 if known is None else stat.S_IMODE(known.st_mode)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as handle:
                handle.write(after)
                handle.flush()
                if known is not None and (known.st_uid, known.st_gid) != (os.geteuid(), os.getegid()):
                    os.fchown(handle.fileno(), known.st_uid, known.st_gid)
                os.fchmod(handle.fileno(), mode)
                os.fsync(handle.fileno())
            if (file.read_bytes() if known is not None else b"") != before.encode("utf-8"):
                raise Storage(f"{file} was changed by another program just now", "run the same command again")
            os.replace(draft, file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise Storage(
            f"cannot write {file}: {error.strerror}", "check the owner and mode of the file and of its folder"
        ) from None


def as_json(outcome: Outcome, *, dry_run: bool) -> dict[str, Any]:
    return {
        "agent": NAME,
        "settings": outcome.settings,
        "written_to": outcome.written_to,
        "outcome": outcome.outcome,
        "command": outcome.command,
        "others": list(outcome.others),
        "dry_run": dry_run,
    }


def _record(home: Home) -> dict[str, Any]:
    try:
        value = json.loads((home.path / RECORD).read_bytes())
    except (OSError, ValueError):  # none, or not ours to read: hooks are then taken out by structure
        return {}
    entries = value.get(NAME) if isinstance(value, dict) else None
    return entries if isinstance(entries, dict) else {}


def _entry(home: Home, settings: Path) -> dict[str, Any]:
    entry = _record(home).get(str(settings))
    return entry if isinstance(entry, dict) else {}


def _created(home: Home, settings: Path) -> tuple[str, ...]:
    return tuple(_entry(home, settings).get("created", ()))


def _remember(home: Home, settings: Path, entry: dict[str, Any] | None) -> None:
    entries = _record(home)
    if entry is None and str(settings) not in entries:
        return
    kept = {name: each for name, each in entries.items() if name != str(settings)}
    if entry is not None:
        kept[str(settings)] = entry
    file = home.path / RECORD
    try:
        if not kept:
            file.unlink(missing_ok=True)
            return
        draft = home.path / f".{RECORD}.{token_hex(4)}"
        draft.write_text(json.dumps({NAME: kept}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        os.replace(draft, file)
    except OSError as error:
        raise Storage(f"cannot write {file}: {error.strerror}", "check that the home is writable") from None


def not_to_be_installed(name: str) -> Usage:
    """What to say of a name that cannot be installed."""
    later = {
        "codex": "its sessions are read by hand: dreamd ingest codex",
        "systemd": "until then cron can dream: 0 3 * * * dreamd run",
    }
    if name in later:
        return Usage(f"{name} cannot be installed yet", later[name])
    return Usage(f"{name!r} cannot be installed; there is: {NAME}", f"dreamd install {NAME}")
