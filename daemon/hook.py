"""What Claude Code calls when a session ends: read which, let a process of its own take it in, be gone.

Claude Code gives the hook JSON on standard input (`session_id`, `transcript_path`, `cwd`, `reason`), ends it after
1.5 s or its `timeout`, and may itself be gone before. So the work is done in a process that belongs to no terminal,
and what became of it is a line in `hook.log` in the home. A hook never fails a session: it ends with 0.
"""

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from dreamd.daemon import clock
from dreamd.daemon.home import Home
from dreamd.daemon.times import rfc3339
from dreamd.repo_export.markdown import visible

MAX_INPUT_BYTES = 1_000_000
MAX_LOG_BYTES = 1_000_000  # then the log becomes hook.log.1, in place of the one before
SHOWN_CHARACTERS = 500  # of a line of the log
LOG = "hook.log"

Command = Callable[[Sequence[str]], int]  # the command line, as cli.main


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A session that ended, as the hook was told."""

    session: str  # its id, only to be logged
    paths: tuple[Path, ...]  # its transcript, and the folder of its subagents if there is one


@dataclass(frozen=True, slots=True, kw_only=True)
class Misread:
    """The input names no transcript that can be read."""

    reason: str


def read_input(stream: BinaryIO) -> Ended | Misread:
    """The session that the JSON in `stream` names. Ends with the object: the caller may leave its pipe open."""
    given = b""
    value: object = None
    while chunk := getattr(stream, "read1", stream.read)(65_536):
        given += chunk
        if len(given) > MAX_INPUT_BYTES:
            return Misread(reason=f"the input has over {MAX_INPUT_BYTES} bytes")
        try:
            value = json.loads(given)
            break
        except (ValueError, RecursionError):  # not whole yet, or never
            continue
    if not isinstance(value, dict):
        return Misread(reason="the input is no JSON object")
    session, named = value.get("session_id"), value.get("transcript_path")
    if not isinstance(named, str) or not named or "\0" in named:
        return Misread(reason="the input has no transcript_path")
    file = Path(named).expanduser()
    try:
        if not file.is_absolute() or not file.is_file():
            return Misread(reason=f"there is no transcript {named}")
        beside = file.with_suffix("")
        paths = (file, beside) if beside.is_dir() else (file,)
    except OSError as error:
        return Misread(reason=f"the transcript {named} cannot be read: {error.strerror}")
    return Ended(session=session if isinstance(session, str) else "", paths=paths)


def take_in(home: Home, space: str | None, ended: Ended, command: Command, *, wait: bool) -> None:
    """Ingest the session in a process of its own; `wait`: until it is done."""
    child = os.fork()
    if child == 0:
        try:
            _leave_terminal()
            _ingest(home, space, ended, command)
        finally:
            os._exit(0)
    if wait:
        os.waitpid(child, 0)


def log(home: Home, session: str, text: str) -> str:
    """Write one line to the log, as far as that is possible; gives the line."""
    line = visible(f"{rfc3339(clock.now())} claude-code {session[:64] or '-'}: {text}")
    line = line[:SHOWN_CHARACTERS]
    file = home.path / LOG
    try:
        if file.exists() and file.stat().st_size > MAX_LOG_BYTES:
            os.replace(file, file.with_name(f"{LOG}.1"))
        descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8", errors="replace") as handle:
            handle.write(line + "\n")
    except OSError:  # a hook has nobody to tell
        return line
    return line


def _ingest(home: Home, space: str | None, ended: Ended, command: Command) -> None:
    words = ["--json", "--home", str(home.path), *(["--space", space] if space else [])]
    words += ["ingest", "claude-code", *map(str, ended.paths)]
    out, err = io.StringIO(), io.StringIO()
    became = ""
    try:
        with redirect_stdout(out), redirect_stderr(err):
            command(words)
        became = _told(out.getvalue(), err.getvalue())
    finally:
        kind = sys.exc_info()[0]
        log(home, ended.session, became or f"not taken in: {kind.__name__ if kind else 'no answer'}")


def _told(out: str, err: str) -> str:
    """The counts of the answer, else its error."""
    try:
        value = json.loads(out or err)
    except ValueError:
        return f"not taken in: {(err or out).strip() or 'no answer'}"
    if "error" in value:
        return f"not taken in: {value['error']}{f'; {hint}' if (hint := value.get('hint')) else ''}"
    counts = f"{value.get('new', 0)} new, {value.get('duplicate', 0)} duplicate, {value.get('rejected', 0)} rejected"
    for first in value.get("rejections", [])[:1]:
        place = f"{first['file']}:{first['line']}" if first["line"] else first["file"]
        counts += f"; the first: {place}: {first['field'] + ': ' if first['field'] else ''}{first['reason']}"
    return counts


def _leave_terminal() -> None:
    """Nobody waits for what this process writes, and no closing terminal takes it along."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
