"""When what a memory file says was written: by the line, by the file, by its last commit, or not known.

A file's own times say nothing: a checkout, a copy or a mere reading changes them (a note that is read would look
young). A time without a zone is taken as UTC, as YAML says.
"""

import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.intake.git_place import IntakeProblem, git_at
from dreamd.daemon.intake.git_stream import tokens_in
from dreamd.daemon.intake.limits import Limits, time_problem
from dreamd.repo_export.git import PLAIN_LOG, RepositoryProblem

# Of front matter, the latest meaning first: as of then the file said what it says.
DATE_KEYS = ("added", "modified", "updated", "last_modified", "last_updated", "lastmod", "date", "created")

_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NAIVE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    at: datetime
    by: str  # "added", "front matter", "commit" or "now"


def instant_of(value: object) -> datetime | None:
    """The instant that a date in metadata or front matter names, a day from its beginning in UTC; None: it is none."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _DAY.fullmatch(text):
        text += "T00:00:00Z"
    elif _NAIVE.fullmatch(text):
        text += "Z"
    try:
        return parse_instant(text)
    except BadData:
        return None


def date_in(front_matter: Mapping[str, Any]) -> tuple[datetime | None, list[str]]:
    """The date that front matter gives the file, and the keys that hold what is no date."""
    below = front_matter.get("metadata")
    unread: list[str] = []
    for values in (front_matter, below if isinstance(below, dict) else {}):
        for key in DATE_KEYS:
            if values.get(key) is None:
                continue
            try:
                found = instant_of(values[key])
            except (OverflowError, ValueError):  # at an end of the calendar, with an offset
                found = None
            if found is not None:
                return found, unread
            unread.append(key)
    return None, unread


def last_commits(root: Path, now: datetime, limits: Limits) -> tuple[Mapping[str, datetime], str | None]:
    """When each file under `root` was last committed, by the author's date and its path from there; and what failed.

    Nothing failed where there is no repository. A date that no working clock gave counts as none.
    """
    top = next((folder for folder in (root, *root.parents) if (folder / ".git").exists()), None)
    if top is None:
        return {}, None
    mark = secrets.token_hex(16)
    prefix = root.relative_to(top).as_posix()
    options = ("-z", "--no-merges", *PLAIN_LOG, "--name-only", f"--format={mark}%x00%at%x00%ct")
    found: dict[str, datetime] = {}
    try:
        git = git_at(root)
        if git.run("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}").status != 0:
            return {}, None
        with git.stream("log", *options, "HEAD", "--", *([] if prefix == "." else [prefix])) as out:
            for path, at in _committed(out, mark.encode(), now, limits):
                inside = path if prefix == "." else path.removeprefix(f"{prefix}/")
                found.setdefault(inside, at)
    except (IntakeProblem, RepositoryProblem) as problem:
        return found, problem.message
    return found, None


def _committed(out: IO[bytes], mark: bytes, now: datetime, limits: Limits) -> Iterator[tuple[str, datetime]]:
    """Paths with the date of a commit that changed them, newest first."""
    header: list[bytes] = []
    at: datetime | None = None
    for token in tokens_in(out):
        plain = token.removeprefix(b"\n")
        if plain == mark:
            header, at = [], None
        elif len(header) < _DATES:
            header.append(plain)
            if len(header) == _DATES:
                moments = (_moment(each, now, limits) for each in header)
                at = next((each for each in moments if each is not None), None)
        elif plain and at is not None:
            yield plain.decode("utf-8", "surrogateescape"), at


_DATES = 2  # the author's, then the committer's


def _moment(seconds: bytes, now: datetime, limits: Limits) -> datetime | None:
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None if time_problem(at, now, limits) else at
