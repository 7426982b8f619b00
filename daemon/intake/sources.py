"""What a newcomer hands over instead of JSONL or a repository, recognised by its first bytes, and what to do with it.

A file that is wrong as a whole gets one error with a command that works, not a rejection for each of its lines.
"""

import json
import os
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from dreamd.daemon.owners import whose
from dreamd.repo_export.index import MEMORY_PATH

HEAD_BYTES = 65_536  # looked at
SHOWN_REPOSITORIES = 3
_LOOKED_AT = 1_000  # entries of a folder
_PACKED = (
    (b"\x1f\x8b", "compressed with gzip", "gzip -dc"),
    (b"BZh", "compressed with bzip2", "bzip2 -dc"),
    (b"\xfd7zXZ\x00", "compressed with xz", "xz -dc"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstd -dc"),
    (b"PK\x03\x04", "a zip archive", "unzip -p"),
    (b"\xff\xfe", "UTF-16, not UTF-8", "iconv -f UTF-16 -t UTF-8"),
    (b"\xfe\xff", "UTF-16, not UTF-8", "iconv -f UTF-16 -t UTF-8"),
)
_FROM_ARRAY = "import json,sys; [print(json.dumps(e)) for e in json.load(sys.stdin)]"
_FROM_OBJECT = "import json,sys; print(json.dumps(json.load(sys.stdin)))"
_FROM_CSV = "import csv,json,sys; [print(json.dumps(r)) for r in csv.DictReader(sys.stdin)]"
_LINES_LOOKED_AT = 20  # of a file that may hold events
_RECORD_KEYS = {"sessionId", "parentUuid", "leafUuid", "uuid", "message", "payload", "timestamp", "trajectory"}
_UNLIKE_EVENTS = {"claude-code", "codex"}  # their records have no text beside their kind; those of others may
_CLAUDE_KEYS = {"sessionId", "parentUuid", "leafUuid"}

Advice = tuple[str, str]  # what is wrong, and what helps


def no_events_in(file: Path, dreamd: str) -> Advice | None:
    """Why `file` as a whole is no JSONL; None if its lines may be events. `dreamd`: how commands begin.

    Raises OSError if it cannot be read.
    """
    with file.open("rb") as opened:
        head = opened.read(HEAD_BYTES)
        opened.seek(max(0, file.stat().st_size - HEAD_BYTES))
        tail = opened.read(HEAD_BYTES).rstrip()
    name = shlex.quote(str(file))
    into = f"| {dreamd} ingest events -"
    for magic, what, program in _PACKED:
        if head.startswith(magic):
            return f"{file} is {what}", f"{program} {name} {into}"
    if file.suffix.lower() == ".md":
        return f"{file} is Markdown; events are JSONL, one JSON object a line", f"{dreamd} ingest markdown {name}"
    if b"\0" in head[:1_024]:
        return f"{file} is a binary file; events are JSONL, one JSON object a line", "name a JSONL file"
    return _text_that_is_no_jsonl(file, head, tail, dreamd)


def events_for_transcript(file: Path, dreamd: str, source: str) -> Advice | None:
    """What to say of a file of events that was given as a transcript of `source`; None of any other. Raises OSError.

    Its first lines that are objects tell: one that looks like an event, and none that looks like a record.
    """
    with file.open("rb") as opened:
        values = [_value(line) for line in opened.read(HEAD_BYTES).splitlines()[:_LINES_LOOKED_AT]]
    found = [value for value in values if isinstance(value, dict)]
    is_event = _is_event if source in _UNLIKE_EVENTS else _is_certain_event
    if any(value.keys() & _RECORD_KEYS for value in found) or not any(map(is_event, found)):
        return None
    name = shlex.quote(str(file))
    return f"{file} is a file of events, no transcript of {source}", f"did you mean: {dreamd} ingest events {name}"


def _is_certain_event(value: dict[str, object]) -> bool:
    return {"at", "text"} <= value.keys() and "type" not in value


def _is_event(value: dict[str, object]) -> bool:
    return isinstance(value.get("text"), str) and bool(value.keys() & {"at", "kind", "target", "actor"})


def is_empty(file: Path) -> bool:
    """Whether `file` holds nothing but space, as far as is looked."""
    with file.open("rb") as opened:
        return not opened.read(HEAD_BYTES).strip()


def folder_of_events(folder: Path, dreamd: str) -> Advice:
    """A folder was given where files of events are read."""
    name = shlex.quote(str(folder))
    if any(folder.glob("*.jsonl")):
        return f"{folder} is a folder; events are read from files", f"{dreamd} ingest events {name}/*.jsonl"
    if (folder / MEMORY_PATH).is_file():
        return f"{folder} is a memory folder; events are JSONL", f"{dreamd} ingest markdown {name}"
    if (folder / ".git").exists():
        return f"{folder} is a folder with a Git repository", f"{dreamd} ingest git {name}"
    return f"{folder} is a folder, and holds no .jsonl file", f"name files: {dreamd} ingest events FILE"


def no_repository_in(path: Path, dreamd: str) -> str | None:
    """What helps who gave `path`, which is in no repository, as one; None if nothing special does."""
    name = shlex.quote(str(path))
    if not path.exists():
        return "give a folder that is there, such as . for this one"
    if path.is_file():
        return f"{dreamd} ingest events {name}" if path.suffix in (".jsonl", ".json", ".ndjson") else None
    below = [shlex.quote(str(folder)) for folder in islice(_repositories_below(path), SHOWN_REPOSITORIES)]
    return f"there are repositories below it: {dreamd} ingest git {' '.join(below)}" if below else None


def _text_that_is_no_jsonl(file: Path, head: bytes, tail: bytes, dreamd: str) -> Advice | None:
    name, into = shlex.quote(str(file)), f"| {dreamd} ingest events -"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    first = text.partition(b"\n")[0].strip()
    if text[:1] == b"[" and text[1:].lstrip()[:1] == b"{" and tail.endswith(b"]") and not _is_one_of_many(text, first):
        return f"{file} is one JSON array; events are JSONL, one a line", _through(_FROM_ARRAY, name, into)
    if first == b"{" and tail.endswith(b"}"):
        return f"{file} is one JSON object over several lines; an event stands on one", _through(
            _FROM_OBJECT, name, into
        )
    if _is_csv(file, first):
        hint = f"if its columns are named at, text, kind, target ...: {_through(_FROM_CSV, name, into)}"
        return f"{file} is a table (CSV); events are JSONL, one JSON object a line", hint
    agent = _agent_of(first)
    if agent is not None:
        return f"{file} is a transcript of {agent}, not a file of events", f"{dreamd} ingest {agent} {name}"
    return None


def closed_repository(path: Path) -> Advice | None:
    """What to say of a repository that is there and may not be read by whoever runs this."""
    try:
        here = path.resolve()
    except (OSError, ValueError):  # a loop of links; a NUL in the name
        return None
    for folder in (here, *here.parents):
        closed = _closed_part(folder)
        if closed is not None:
            return f"{closed} cannot be read: {whose(closed)}", "read it as its owner, or read a clone of it"
        if os.path.exists(folder / ".git"):  # Path.exists raises for a name that is too long
            return None
    return None


def _closed_part(folder: Path) -> Path | None:
    """What of the repository in `folder` may not be read; None also where there is none."""
    git = folder / ".git"
    try:
        if not git.is_dir():  # none, or the file of a linked work tree
            return None if not git.exists() or os.access(git, os.R_OK) else git
        parts = [part for part in (git, git / "HEAD", git / "objects") if not os.access(part, os.R_OK)]
        return parts[0] if parts and os.path.lexists(parts[0]) else None
    except PermissionError:
        return git
    except OSError:  # a name that is too long
        return None


def _repositories_below(path: Path) -> Iterator[Path]:
    try:
        entries = sorted(islice(path.iterdir(), _LOOKED_AT))
    except OSError:
        return
    for entry in entries:
        if not entry.is_symlink() and (entry / ".git").exists():
            yield entry


def _is_one_of_many(text: bytes, first: bytes) -> bool:
    """Whether the first line is a list by itself and others follow: then it is one bad line."""
    return bool(text[len(first) :].strip()) and isinstance(_value(first), list)


def _is_csv(file: Path, first: bytes) -> bool:
    if first[:1] in b"{[" or not first:
        return False
    cells = {cell.strip(b' "').lower() for mark in (b",", b";", b"\t") for cell in first.split(mark)}
    return (file.suffix.lower() in (".csv", ".tsv") and len(cells) > 1) or {b"at", b"text"} <= cells


def _agent_of(first: bytes) -> str | None:
    """The agent whose transcript begins with the line `first`."""
    value = _value(first)
    if not isinstance(value, dict) or "type" not in value or value.keys() & {"text", "at", "kind"}:
        return None
    if value.keys() & _CLAUDE_KEYS:
        return "claude-code"
    return "codex" if {"timestamp", "type", "payload"} <= value.keys() else None


def _value(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _through(program: str, name: str, into: str) -> str:
    return f"python3 -c {shlex.quote(program)} < {name} {into}"
