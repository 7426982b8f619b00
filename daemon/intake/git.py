"""A project's history as events: one safe `git log` stream, only what is new since the cursor.

The repository is as hostile as any: git runs as in repo_export/git.py (git directory only, no configuration of ours,
no network, nothing executed). NUL is the only separator, a random mark begins each commit, and what is too long is
cut, so that no byte in a subject, a body or a path can forge a commit or fill the memory. A commit cannot be mended, so
the limits of a line cut it too, and only its date can refuse it. Read is the history of HEAD, side branches included,
merges themselves not; the cursor is the commits that were read up to.
"""

import configparser
import json
import re
import secrets
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dreamd.daemon.intake.git_place import IntakeProblem, git_at, shallow_boundary
from dreamd.daemon.intake.git_stream import HEADER_FIELDS, records_in, tokens_in
from dreamd.daemon.intake.identity import content_digest
from dreamd.daemon.intake.limits import Limits
from dreamd.lifecycle.ids import event_id
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.repo_export.git import PLAIN_LOG, RUN_TRAILER, RepositoryProblem, SafeGit
from dreamd.repo_export.plumbing import safe_process_environment
from dreamd.repo_export.vetting import named_path

if TYPE_CHECKING:
    from git.config import GitConfigParser

__all__ = [
    "CommitRecord",
    "IntakeProblem",
    "RefusedCommit",
    "current_tips",
    "cursor_of",
    "event_of",
    "project_name",
    "read_commits",
    "tips_in",
]

MAX_TEXT = 2_000  # characters of a subject
MAX_BECAUSE = 500  # characters; a longer paragraph is a description, not a reason
EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)  # a date before it is a converter's or a broken clock's
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
USUAL_LIMITS = Limits()
MAX_AHEAD = timedelta(days=1)  # an author's date this far after the committer's is a broken clock's

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_CONVENTIONAL = re.compile(r"(?P<type>[A-Za-z][\w-]{0,30})(?:\((?P<scope>[^()]{1,100})\))?!?:\s")
_BOT = re.compile(
    r"\[bot\]|^(dependabot|renovate|github-actions|greenkeeper|snyk|semantic-release|pre-commit-ci|mergify|codecov)\b|"
    r"(^|[-_ ])bot$",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"<?[\w.+-]+@[\w-]+(?:\.[\w-]+)*>?")
_TRAILER = re.compile(
    r"(?:[A-Za-z]+(?:-[A-Za-z]+)*-[Bb]y|Change-Id|Cc|Link|Refs?|Bug|Issue|PR|Fixes|Closes|Resolves|Dreamd-\w+|"
    r"[Gg]it-svn-id|[A-Z][A-Za-z]+-[A-Z][A-Za-z-]+):\s.*|(?:fix|close|resolve)(?:e?[sd])?:? #\d+\.?",
    re.IGNORECASE,
)
_OWN = re.compile(rf"^{RUN_TRAILER}: \S", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRecord:
    sha: str
    parents: tuple[str, ...]
    at: datetime  # the author's date, UTC: when it happened
    author: str  # name and address, only to tell a bot from a person
    subject: str
    body: str
    files: tuple[str, ...]  # at most MAX_FILES; () also where a shallow clone ends, as git would list the whole tree
    file_count: int  # before the cut


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCommit:
    sha: str
    reason: str


def current_tips(repo_path: Path) -> tuple[str, ...]:
    """The commits to read up to: HEAD's. Raises IntakeProblem if there is no repository or no commit."""
    git = git_at(repo_path)
    answer = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}")
    if answer.status != 0:
        named = git.run("rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD")
        if named.status == 0:
            raise IntakeProblem(
                f"the commit of HEAD in {repo_path} is missing or damaged: {named.out.decode('ascii').strip()}",
                f"see: {shlex.join(['git', f'--git-dir={git.git_dir}', 'fsck'])}",
            )
        raise IntakeProblem(
            f"{repo_path} has no commit to read{f': {answer.error}' if answer.error else ''}",
            "commit something there, or check out a branch that has commits",
        )
    return (answer.out.decode("ascii").strip(),)


def cursor_of(tips: Sequence[str]) -> str:
    """The cursor to store once everything up to `tips` is stored: JSON, sorted."""
    return json.dumps(sorted(set(tips)))


def tips_in(cursor: str | None) -> tuple[str, ...]:
    """The commits that a stored cursor names; () for none, or for a cursor that cannot be read: all is read again."""
    try:
        tips = json.loads(cursor or "[]")
    except ValueError:
        return ()
    return tuple(str(tip) for tip in tips) if isinstance(tips, list) else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """Which dates a commit may have; both ends are among them."""

    earliest: datetime = EARLIEST
    latest: datetime = LATEST

    @staticmethod
    def within(limits: Limits, present: datetime) -> "Dates":
        return Dates(
            earliest=max(EARLIEST, datetime(limits.earliest_year, 1, 1, tzinfo=UTC)),
            latest=present + timedelta(days=limits.ahead_days),
        )


ANY_LIKELY = Dates()


def read_commits(
    repo_path: Path, *, known_tips: Sequence[str], tips: Sequence[str] | None = None, dates: Dates = ANY_LIKELY
) -> Iterator[CommitRecord | RefusedCommit]:
    """The commits reachable from `tips` (None: HEAD's) and not from `known_tips`, children before parents.

    A known tip that is gone (a force push) is passed over: delivery identity removes what comes twice.
    Raises IntakeProblem, also after some commits if the history ends in damage.
    """
    git = git_at(repo_path)
    upto = current_tips(repo_path) if tips is None else tuple(tips)
    known = _still_there(git, known_tips)
    if set(upto) <= set(known):
        return
    mark = f"commit {secrets.token_hex(16)}"
    names = () if _lacks_trees(git) else ("--name-only",)
    options = (
        "-z",
        "--topo-order",
        "--no-merges",
        *PLAIN_LOG,
        *names,
        f"--format={mark}%x00{'%x00'.join(HEADER_FIELDS)}",
    )
    revisions = "".join([*(f"{sha}\n" for sha in upto), *(f"^{sha}\n" for sha in known)])
    boundary = shallow_boundary(git.git_dir)
    try:
        with git.stream("log", *options, "--stdin", stdin=revisions.encode("ascii")) as out:
            for fields in records_in(tokens_in(out), mark.encode("ascii")):
                yield _record(fields, boundary, dates)
    except RepositoryProblem as problem:
        raise IntakeProblem(problem.message, problem.hint) from problem


def event_of(
    record: CommitRecord,
    *,
    space: str,
    recorded_at: datetime,
    redact: Callable[[str], str],
    limits: Limits = USUAL_LIMITS,
) -> Event | None:
    """The commit as an event, cut to `limits`; None for one that dreamd made itself (it has the trailer of a run)."""
    if _OWN.search(record.body):
        return None
    # Hidden first, cut afterwards: the half of a secret has no shape.
    subject = redact(record.subject)
    shape = _CONVENTIONAL.match(subject)
    scope = shape["scope"].strip() if shape and shape["scope"] else ""
    text = subject[: min(MAX_TEXT, limits.text_characters)]
    target = redact(scope) if 0 < len(scope) <= limits.name_characters else None
    because = _because(redact(record.body), min(MAX_BECAUSE, limits.text_characters))
    files = _files_within(record.files, limits)
    actor = Actor.TOOL if _is_bot(record.author) else Actor.AGENT
    source, session = f"git:{record.sha}", f"git:{record.at.date().isoformat()}"
    digest = content_digest(
        at=record.at,
        kind=EventKind.COMMIT,
        target=target,
        text=text,
        actor=actor,
        source=source,
        session=session,
        outcome=None,
    )
    return Event(
        id=event_id(space, source, record.sha, digest),
        space=space,
        at=record.at,
        recorded_at=recorded_at,
        kind=EventKind.COMMIT,
        text=text,
        actor=actor,
        source=source,
        digest=digest,
        given_id=record.sha,
        target=target,
        because=because,
        session=session,
        files=_redacted_files(files, redact),
        tags=(shape["type"].lower(),) if shape else (),
        extra={"file_count": record.file_count} if record.file_count > len(files) and record.files else {},
    )


def project_name(repo_path: Path) -> str:
    """The space of a project: the last part of its remote's address (no credentials), else its folder's name."""
    git = git_at(repo_path)
    urls = _remote_urls(git.git_dir)
    url = urls.get("origin") or next(iter(urls.values()), "")
    root = git.git_dir.parent if git.git_dir.name == ".git" else Path(repo_path).resolve()
    return _plain(_last_part(url)) or _plain(root.name.removesuffix(".git")) or "project"


def _remote_urls(git_dir: Path) -> dict[str, str]:
    """The addresses by remote, as the repository's own configuration says; what it includes is not read."""
    shared = named_path(git_dir / "commondir") or git_dir  # a linked work tree has its configuration there
    found = {}
    try:
        config = _config_parser()(str(shared / "config"), read_only=True, merge_includes=False)
        for section in config.sections():
            name = section.removeprefix('remote "').removesuffix('"')
            if name != section and config.has_option(section, "url"):
                found[name] = str(config.get(section, "url"))
    except (configparser.Error, OSError, ValueError):
        return {}
    return found


def _config_parser() -> "type[GitConfigParser]":
    """GitPython's reader of configurations.

    Its import asks `git version`, so it is done with the git and the environment that every git of ours gets.
    """
    with safe_process_environment():
        from git.config import GitConfigParser  # noqa: PLC0415 - see above
    return GitConfigParser


def _last_part(url: str) -> str:
    if "::" in url:  # ext:: and its like name a program
        return ""
    try:
        path = urlsplit(url).path if "://" in url else url.rpartition(":")[2]
    except ValueError:
        return ""
    return path.rstrip("/").removesuffix(".git").rstrip("/").rpartition("/")[2]


def _plain(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.")[:100]


def _lacks_trees(git: SafeGit) -> bool:
    """Whether it is a partial clone without trees: then there are no paths to read without fetching."""
    filters = git.run("config", "--local", "--no-includes", "--get-regexp", r"^remote\..*\.partialclonefilter$").out
    return b" tree:" in filters or b"+tree:" in filters


def _still_there(git: SafeGit, shas: Sequence[str]) -> tuple[str, ...]:
    wanted = [sha for sha in shas if _SHA.fullmatch(sha)]
    if not wanted:
        return ()
    answer = git.run("cat-file", "--batch-check", stdin="".join(f"{sha}\n" for sha in wanted).encode("ascii"))
    kinds = [line.split() for line in answer.out.decode("ascii", errors="replace").splitlines()]
    return tuple(words[0] for words in kinds if words[1:2] == ["commit"])


def _record(
    fields: tuple[list[bytes], list[bytes], int], boundary: frozenset[str], dates: Dates = ANY_LIKELY
) -> CommitRecord | RefusedCommit:
    header, paths, count = fields
    sha, parents, authored, committed, name, address, subject, body = map(_text, header[1:])
    at = _happened_at(authored, committed, dates)
    if at is None:
        allowed = f"earliest_year and ahead_days allow {dates.earliest:%Y-%m-%d} to {dates.latest:%Y-%m-%d}"
        seconds = f"author {authored[:20]}, committer {committed[:20]}, in seconds since 1970"
        return RefusedCommit(sha=sha, reason=f"commit {sha}: no usable date ({seconds}); {allowed}")
    if not subject.strip():
        return RefusedCommit(sha=sha, reason=f"commit {sha}: its message is empty")
    is_cut_off = sha in boundary
    return CommitRecord(
        sha=sha,
        parents=tuple(parents.split()),
        at=at,
        author=f"{name} <{address}>",
        subject=subject.strip(),
        body=body.strip(),
        files=() if is_cut_off else tuple(map(_text, paths)),
        file_count=0 if is_cut_off else count,
    )


def _happened_at(authored: str, committed: str, dates: Dates) -> datetime | None:
    author, committer = _moment(authored, dates), _moment(committed, dates)
    if author is None or (committer is not None and author > committer + MAX_AHEAD):
        return committer
    return author


def _moment(seconds: str, dates: Dates) -> datetime | None:
    """None for a date that no clock of a working machine gave."""
    try:
        moment = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if dates.earliest <= moment <= dates.latest else None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="replace")


def _is_bot(author: str) -> bool:
    name, _, address = author.rpartition(" <")
    return bool(_BOT.search(name.strip()) or "[bot]" in address)


def _because(body: str, most: int) -> str | None:
    """The first paragraph of a body that says something, if it is short: without trailers and addresses."""
    for paragraph in re.split(r"\n\s*\n", body.replace("\r\n", "\n")):
        lines = (line.strip() for line in paragraph.splitlines())
        kept = "\n".join(line for line in lines if line and not _TRAILER.fullmatch(line))
        said = re.sub(r"[ \t]{2,}", " ", _EMAIL.sub("", kept)).strip()
        if said:
            return said if len(said) <= most else None
    return None


def _files_within(files: tuple[str, ...], limits: Limits) -> tuple[str, ...]:
    """The first of `files` that are paths within the limits; together at most half of what an event may hold."""
    kept: list[str] = []
    room = limits.event_bytes // 2
    for path in files:
        room -= len(path.encode("utf-8"))
        if room < 0 or len(kept) == limits.list_items:
            break
        if len(path) <= limits.path_characters:
            kept.append(path)
    return tuple(kept)


def _redacted_files(files: tuple[str, ...], redact: Callable[[str], str]) -> tuple[str, ...]:
    # One call for all: hardly any path holds a secret.
    together = "\n".join(files)
    return files if redact(together) == together else tuple(map(redact, files))
