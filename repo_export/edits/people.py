"""The commits that people made in the memory repository since they were last looked at, with the files they changed.

A commit is a person's if dreamd did not commit it. One of dreamd's own that somebody moved to another place or amended
(author and trailer stay) is a person's in what differs from the one that dreamd had made. Of a merge only what differs
from every parent is its own: what came from one side was committed there and is read from that commit, once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dreamd.repo_export.commit_stream import DREAMD_EMAIL
from dreamd.repo_export.git import PLAIN_LOG, RUN_TRAILER, MemoryRepository
from dreamd.repo_export.layout_record import Record, read_record
from dreamd.repo_export.manifest import MANIFEST_PATH, digest_of_file, parse_manifest

ADOPTED_TRAILER = "Dreamd-Adopted-From"  # of `dreamd adopt`: "BLOB PATH", what the person began to edit
# One a line, for no name or address holds a line break; the last may be several.
_RUN = f"%(trailers:key={RUN_TRAILER},valueonly=true,unfold=true,separator=%x20)"
_ADOPTED = f"%(trailers:key={ADOPTED_TRAILER},valueonly=true,unfold=true)"
REGULAR, NO_FILE = ("100644", "100755"), "000000"  # modes
_FIELDS = ("commit", "%H", "%P", "%an", "%ae", "%at", "%ce", "%ct", _RUN, "%cn", _ADOPTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedFile:
    path: str  # from the root
    before: tuple[str | None, ...]  # blob in each parent; None: no file. A first commit has one parent without files
    after: str | None  # blob


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplesCommit:
    sha: str
    parents: tuple[str, ...]
    name: str  # of the author
    email: str
    at: datetime  # author time
    seen: datetime | None  # `now` of the newest run in its history: what the person saw was no newer; None: no run
    files: tuple[ChangedFile, ...] = ()

    @property
    def is_merge(self) -> bool:
        return len(self.parents) > 1


@dataclass(slots=True)
class _Read:
    head: tuple[str, ...]  # the fields of one commit
    adopted: dict[str, str] = field(default_factory=dict)  # by path: the blob that was edited
    files: list[ChangedFile] = field(default_factory=list)


def peoples_commits(
    repository: MemoryRepository, head: str, since: str | None, is_taken: Callable[[str], bool] = lambda sha: False
) -> list[PeoplesCommit]:
    """The people's commits in the history of `head` but not of `since`, parents first.

    `is_taken` says of a commit (its id) that somebody else handles it, such as a `git revert` of a whole run.
    """
    found: list[PeoplesCommit] = []
    seen: dict[str, datetime | None] = {}
    own: Mapping[str, str] | None = None  # by run: the commit that dreamd made
    laid_out = read_record(repository)
    for read in _commits(repository, head, since):
        sha, parents, name, email, at, committer, committed, runs, who = read.head
        is_run = bool(runs.strip()) and DREAMD_EMAIL in (committer, email)
        before = [when for parent in parents.split() if (when := seen.get(parent)) is not None]
        newest = max([*before, *([_instant(committed)] if is_run else [])], default=None)
        seen[sha] = newest
        if committer == DREAMD_EMAIL or is_taken(sha):
            continue
        files = tuple(_as_begun(repository, file, laid_out, read.adopted) for file in read.files)
        if is_run or email == DREAMD_EMAIL:
            own = _own_commits(repository, since) if own is None else own
            original = own.get(runs.split()[0]) if is_run else None
            files = _not_as_written(repository, sha, files if original is None else _between(repository, original, sha))
            name, email, at = who, committer, committed
            if not files:
                continue
        found.append(
            PeoplesCommit(
                sha=sha,
                parents=tuple(parents.split()),
                name=name,
                email=email,
                at=_instant(at),
                seen=newest,
                files=files,
            )
        )
    return found


def _own_commits(repository: MemoryRepository, since: str | None) -> dict[str, str]:
    """The commits that dreamd made, by run: in the history of `since` and of what was laid out last."""
    tips = [*(() if since is None else (since,)), *read_record(repository).shown]
    if not tips:
        return {}
    output = repository.git.read("log", "-z", *PLAIN_LOG, f"--format=%H %ce {_RUN}", *tips, "--")
    words = (_text(line).split() for line in output.split(b"\0"))
    return {found[2]: found[0] for found in words if len(found) > 2 and found[1] == DREAMD_EMAIL}  # noqa: PLR2004


def _not_as_written(repository: MemoryRepository, sha: str, files: tuple[ChangedFile, ...]) -> tuple[ChangedFile, ...]:
    """Those of `files` that are not as dreamd wrote them, by the manifest of the same commit."""
    try:
        written = parse_manifest(repository.files_at(sha, [MANIFEST_PATH])[MANIFEST_PATH]).files
    except (KeyError, ValueError):
        return files
    blobs = [file.after for file in files if file.after is not None and file.path in written]
    digests = dict(zip(blobs, map(digest_of_file, repository.blobs(blobs)), strict=True))
    return tuple(
        file
        for file in files
        if (file.path in written and (file.after is None or digests[file.after] != written[file.path].sha256))
        or (file.path not in written and file.after is not None)
    )


def _between(repository: MemoryRepository, old: str, new: str) -> tuple[ChangedFile, ...]:
    output = repository.git.read("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", old, new)
    tokens = [token for token in output.split(b"\0") if token]
    found = (_changed(about, path) for about, path in zip(tokens[::2], tokens[1::2], strict=True))
    return tuple(file for file in found if file is not None)


def _as_begun(
    repository: MemoryRepository, file: ChangedFile, laid_out: Record, adopted: Mapping[str, str]
) -> ChangedFile:
    """`file` as it lay there when the edit began: what came since is not taken away by it.

    A blob that is gone, as after a purge, is nobody's beginning.
    """
    began = file.before
    if len(file.before) == 1 and file.before[0] in laid_out.waiting.get(file.path, ()):
        began = (laid_out.begun.get(file.path, file.before[0]),)  # it waited while dreams went on
    if file.path in adopted:
        began = (adopted[file.path],)
    if began == file.before or not all(blob is None or _is_there(repository, blob) for blob in began):
        return file
    return ChangedFile(path=file.path, before=began, after=file.after)


def _is_there(repository: MemoryRepository, blob: str) -> bool:
    return repository.git.run("cat-file", "-e", f"{blob}^{{blob}}").status == 0


def _instant(seconds: str) -> datetime:
    """Raises nothing: what no calendar holds counts as the first instant."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)


def _commits(repository: MemoryRepository, head: str, since: str | None) -> Iterator[_Read]:
    revisions = (head,) if since is None else (head, f"^{since}")
    options = ("--topo-order", "--reverse", "--diff-merges=combined", "--raw", "--no-abbrev", "--root")
    shape = f"--format={'%n'.join(_FIELDS)}"
    output = repository.git.read("log", "-z", *PLAIN_LOG, *options, shape, *revisions, "--")
    commit: _Read | None = None
    tokens = iter(output.split(b"\0"))
    for token in tokens:
        # The path is taken with its line, so that one that looks like a header is not read as such.
        if token.lstrip(b"\n").startswith(b":"):
            file = _changed(token.lstrip(b"\n"), next(tokens))
            if commit is not None and file is not None:
                commit.files.append(file)
        elif token.lstrip(b"\n").startswith(b"commit\n"):
            if commit is not None:
                yield commit
            commit = _header(token)
    if commit is not None:
        yield commit


def _header(token: bytes) -> _Read:
    lines = _text(token).lstrip("\n").split("\n")
    pairs = [line.strip().partition(" ") for line in lines[len(_FIELDS) - 1 :] if line.strip()]
    return _Read(head=tuple(lines[1 : len(_FIELDS) - 1]), adopted={path: blob for blob, _, path in pairs})


def _changed(about: bytes, raw_path: bytes) -> ChangedFile | None:
    """From `:mode mode blob blob status` with as many colons, and modes and blobs before the last, as parents.

    None if it is no regular file now: a link or another repository says nothing, and takes nothing back.
    """
    count = len(about) - len(about.lstrip(b":"))
    fields: Sequence[str] = about.lstrip(b":").decode("ascii").split(" ")
    *modes, mode = fields[: count + 1]
    if mode not in (*REGULAR, NO_FILE):
        return None
    names = fields[count + 1 : 2 * count + 2]
    blobs = [_blob(blob) if was in REGULAR else None for was, blob in zip((*modes, mode), names, strict=True)]
    return ChangedFile(path=_text(raw_path), before=tuple(blobs[:-1]), after=blobs[-1])


def _blob(name: str) -> str | None:
    return name if name.strip("0") else None


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="surrogateescape")
