"""The memory repository: one commit per run, and what was committed read back.

A commit is one `fast-import` stream to a private ref and one compare-and-swap of the branch, all of it plumbing (see
plumbing.py) that never looks at a work tree; files are laid out by worktree.py.
"""

import os
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dreamd.repo_export.commit_stream import DREAMD, DREAMD_EMAIL, PENDING_REF, import_stream
from dreamd.repo_export.folders import SHARED_FOLDER_MODE
from dreamd.repo_export.locks import LOCK_NAME, LockHeld, flocked, remove_stale_locks
from dreamd.repo_export.plumbing import PLAIN_LOG, RepositoryProblem, SafeGit
from dreamd.repo_export.vetting import MAX_CONFIG_BYTES, first_bytes, require_own

__all__ = [
    "BRANCH",
    "BRANCH_REF",
    "PLAIN_LOG",
    "RUN_TRAILER",
    "Commit",
    "HeadMoved",
    "MemoryRepository",
    "RepositoryProblem",
    "SafeGit",
    "Unchanged",
]

BRANCH = "main"
BRANCH_REF = f"refs/heads/{BRANCH}"
RUN_TRAILER = "Dreamd-Run"


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    sha: str
    tree: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unchanged:
    """The files are what the branch has already: no commit was made."""

    head: str | None  # None: the branch has no commit yet


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMoved:
    """Someone else committed in between: nothing was changed; render again on top of `found`."""

    expected: str | None
    found: str | None


class MemoryRepository:
    """A memory repository at `path`. `reach` is called with the name of each failpoint as it is passed."""

    def __init__(self, path: Path, reach: Callable[[str], None]) -> None:
        self.path = path
        self.git_dir = path / ".git"
        self.git = SafeGit(self.git_dir)
        self.reach = reach

    @classmethod
    def create(cls, path: Path, reach: Callable[[str], None]) -> "MemoryRepository":
        """The repository at `path`, made if there is none, without templates and hooks.

        Its group may read it, and may also write there if the folder above has the set-group-id bit.
        """
        _require_real_folder(path)
        path.mkdir(mode=0o750, parents=True, exist_ok=True)
        if not os.path.lexists(path / ".git"):
            _refuse_bare(path)
            # Made beside its place and renamed, so that a kill leaves no half repository.
            staging = path / ".dreamd-new-repository"
            if staging.is_symlink():
                staging.unlink()
            shutil.rmtree(staging, ignore_errors=True)
            is_shared = bool(path.parent.stat().st_mode & stat.S_ISGID)
            if is_shared:
                path.chmod(SHARED_FOLDER_MODE)
            mode = "0660" if is_shared else "0640"
            options = ("--quiet", "--template=", f"--initial-branch={BRANCH}", f"--shared={mode}")
            SafeGit(staging / ".git").read("init", *options, str(staging))
            (staging / ".git").rename(path / ".git")
            staging.rmdir()
        repository = cls.open(path, reach)
        if b"denycurrentbranch" not in first_bytes(repository.git_dir / "config", MAX_CONFIG_BYTES).lower():
            # Whoever has a clone of this very repository may push back: git then lays the files out itself, or refuses.
            repository.git.read("config", "receive.denyCurrentBranch", "updateInstead")
        return repository

    @classmethod
    def open(cls, path: Path, reach: Callable[[str], None]) -> "MemoryRepository":
        """The repository at `path`. Raises RepositoryProblem if dreamd cannot keep a memory there."""
        _require_real_folder(path)
        git_dir = path / ".git"
        if git_dir.is_symlink() or not git_dir.is_dir():
            _refuse_bare(path)
            hint = "move it away and run: dreamd init; or put a clone of it there: git clone"
            raise RepositoryProblem(f"{path} is not a Git repository of its own", hint)
        if (git_dir / "shallow").exists():
            raise RepositoryProblem(f"{path} is a shallow clone", "fetch the rest: git fetch --unshallow")
        if not (git_dir / "HEAD").is_file() or not (git_dir / "objects").is_dir():
            raise RepositoryProblem(f"{git_dir} is damaged", "move it away and run: dreamd export")
        require_own(git_dir)
        return cls(path, reach)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Holds dreamd's own lock on this repository; may be nested. Raises RepositoryProblem if another keeps it."""
        if self.git.own_fd is not None:
            yield
            return
        try:
            with flocked(self.git_dir / LOCK_NAME) as descriptor:
                self.git.own_fd = descriptor
                try:
                    yield
                finally:
                    self.git.own_fd = None
        except LockHeld as held:
            raise RepositoryProblem(
                f"another dreamd writes to {self.path}", "run it again later: dreamd export"
            ) from held

    def remove_stale_locks(self, now: datetime) -> tuple[str, ...]:
        """The lock files of dead git processes that were removed, for the report."""
        with self.writing():
            return remove_stale_locks(self.git_dir, BRANCH_REF, now)

    def branch(self) -> str | None:
        """The branch that is checked out; None if HEAD is detached or unreadable."""
        try:
            text = first_bytes(self.git_dir / "HEAD").decode("utf-8", errors="replace").strip()
        except RepositoryProblem:
            return None
        return text.removeprefix("ref: refs/heads/") if text.startswith("ref: refs/heads/") else None

    def in_progress(self) -> str | None:
        """Why nothing may be written just now: what a person has begun here. None: go ahead."""
        for name, what in _OPERATIONS:
            if os.path.lexists(self.git_dir / name):
                return f"{what} is in progress in {self.path}; finish or abort it, then run: dreamd export"
        branch = self.branch()
        if branch == BRANCH:
            return None
        where = "HEAD is detached" if branch is None else f"branch '{branch}' is checked out"
        return f"{where} in {self.path}; dreamd writes to '{BRANCH}': git switch {BRANCH}, then run: dreamd export"

    def head(self) -> str | None:
        """The commit of the branch that dreamd writes; None if it has none yet."""
        return self._commit_at(BRANCH_REF)

    def has_commit(self, sha: str) -> bool:
        return self.git.run("cat-file", "-e", f"{sha}^{{commit}}").status == 0

    def exported_runs(self) -> tuple[str, ...]:
        """The runs that have a commit in the branch's history, newest first.

        Sides of a merge count too: a child comes before its parents, and each dream is committed on the one before.
        """
        return tuple(self._runs())

    def last_run(self, at: str | None = None) -> str | None:
        """The newest run that has a commit at or before `at`, else the head; people's commits are passed over."""
        return next(iter(self._runs(at)), None)

    def own_commit(self, at: str) -> str | None:
        """The newest commit at or before `at` that dreamd wrote, whoever moved it to where it is."""
        options = ("-1", *PLAIN_LOG, "-F", f"--author=<{DREAMD_EMAIL}>", "--format=%H")
        return _text(self.git.read("log", *options, at, "--")).strip() or None

    def commit_of_run(self, run: str, at: str) -> str | None:
        """The newest commit of `run` in the history of `at`."""
        shape = f"--format=%H %(trailers:key={RUN_TRAILER},valueonly=true,unfold=true,separator=%x20)"
        options = ("-z", *PLAIN_LOG, "--topo-order", "-F", f"--grep={RUN_TRAILER}: {run}", shape)
        lines = _text(self.git.read("log", *options, at, "--")).split("\0")
        return next((words[0] for words in map(str.split, lines) if run in words[1:]), None)

    def has_run(self, run: str) -> bool:
        return any(found == run for found in self._runs())

    def tree_files(
        self, revision: str, keep: Callable[[str], bool] = lambda path: True, under: Sequence[str] = ()
    ) -> dict[str, bytes]:
        """The contents of the regular files of `revision` whose path `keep` accepts, by path.

        `under` names the files and folders (`folder/`) to look at; all if it is empty.
        """
        listing = self.git.read(
            "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", revision, *(("--", *under) if under else ())
        )
        blobs: dict[str, str] = {}
        for entry in filter(None, listing.split(b"\0")):
            about, _, raw_path = entry.partition(b"\t")
            mode, _, blob = about.split(b" ")
            path = _text(raw_path)
            if mode in (b"100644", b"100755") and keep(path):
                blobs[path] = blob.decode("ascii")
        contents = self.blobs(tuple(blobs.values()))
        return dict(zip(blobs, contents, strict=True))

    def tree_paths(self, revision: str, under: Sequence[str]) -> set[str]:
        """The paths of `revision` in the files and folders (`folder/`) `under`."""
        listing = self.git.read("ls-tree", "-r", "-z", "--name-only", "--full-tree", revision, "--", *under)
        return {_text(raw) for raw in listing.split(b"\0") if raw}

    def blobs(self, ids: Sequence[str]) -> Iterator[bytes]:
        """The contents of the blobs `ids`, in order, from one process."""
        if not ids:
            return
        with self.git.stream("cat-file", "--batch", stdin="".join(f"{blob}\n" for blob in ids).encode("ascii")) as out:
            for blob in ids:
                _, kind, size = [*out.readline().split(), b"", b""][:3]
                if kind != b"blob":
                    raise self.git.problem(("cat-file",), f"blob {blob} is missing")
                content = out.read(int(size))
                out.read(1)
                yield content

    def files_at(self, revision: str, paths: Iterable[str]) -> dict[str, bytes]:
        """The contents of those of `paths` that `revision` has, by path, from one process."""
        asked = [path for path in paths if "\n" not in path]
        if not asked:
            return {}
        found: dict[str, bytes] = {}
        stdin = "".join(f"{revision}:{path}\n" for path in asked).encode("utf-8", errors="surrogateescape")
        with self.git.stream("cat-file", "--batch", stdin=stdin) as out:
            for path in asked:
                _, kind, size = [*out.readline().rsplit(b" ", 2), b"", b""][:3]
                if size.strip().isdigit():
                    content = out.read(int(size))
                    out.read(1)
                    if kind == b"blob":
                        found[path] = content
        return found

    def commit_files(  # noqa: PLR0913 - what a commit is made of
        self,
        files: Mapping[str, bytes | None],
        *,
        message: str,
        when: datetime,
        author: str = DREAMD,
        committer: str = DREAMD,
        onto: str | None = None,
    ) -> Commit | Unchanged | HeadMoved:
        """One commit of `files` (None deletes) on the branch. Equal inputs on an equal parent give an equal commit id.

        `onto` is the head that `files` were rendered for; None takes the present one. The work tree is not touched:
        call `worktree.catch_up_layout` afterwards. Raises ValueError for a path or author that Git must never see.
        """
        with self.writing():
            head = self.head()
            if onto is not None and onto != head:
                return HeadMoved(expected=onto, found=head)
            stream = import_stream(files, message=message, when=when, author=author, parent=head, committer=committer)
            # --force: a ref left by a killed run has another parent.
            # --depth=0: its deltas, against whatever came before in the stream, are poor, and a repack keeps them.
            options = ("--quiet", "--force", "--done", "--date-format=raw", "--depth=0")
            self.git.read("fast-import", *options, stdin=stream)
            self.reach("export-after-import")
            return self._advance(head)

    def _advance(self, head: str | None) -> Commit | Unchanged | HeadMoved:
        new, tree = self.git.read("rev-parse", PENDING_REF, f"{PENDING_REF}^{{tree}}").decode("ascii").split()
        if tree == self._tree_of(head):
            self.git.read("update-ref", "-d", PENDING_REF, new)
            return Unchanged(head=head)
        old = "0" * len(new) if head is None else head
        moves = f"update {BRANCH_REF} {new} {old}\ndelete {PENDING_REF} {new}\n"
        answer = self.git.run("update-ref", "--no-deref", "-m", "dreamd", "--stdin", stdin=moves.encode("ascii"))
        if answer.status != 0:
            found = self.head()
            if found == head:
                raise self.git.problem(("update-ref",), answer.error)
            return HeadMoved(expected=head, found=found)
        self.reach("export-after-ref")
        return Commit(sha=new, tree=tree)

    def _tree_of(self, head: str | None) -> str | None:
        if head is None:
            # No commit yet: an empty tree would change nothing.
            return self.git.read("hash-object", "-t", "tree", "--stdin").decode("ascii").strip()
        return self.git.read("rev-parse", f"{head}^{{tree}}").decode("ascii").strip()

    def _commit_at(self, ref: str) -> str | None:
        answer = self.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if answer.status == 0:
            return answer.out.decode("ascii").strip()
        # Unborn, unless there is a ref whose commit cannot be read (an empty object after a power cut).
        if self.git.run("show-ref", "--verify", "--quiet", ref).status == 1 and not (self.git_dir / ref).exists():
            return None
        raise RepositoryProblem(
            f"the commit of {ref} in {self.path} cannot be read: {answer.error or 'missing object'}",
            "the memory is safe in the store; move .git away and run: dreamd export",
        )

    def _runs(self, at: str | None = None) -> Iterator[str]:
        head = at or self.head()
        if head is None:
            return
        trailer = f"--format=%(trailers:key={RUN_TRAILER},valueonly=true,unfold=true)"
        # The head alone answers most questions; only then the walk, which --topo-order has to finish before it prints.
        for options in (("-1",), ("--topo-order", "--skip=1")):
            if options[0] == "--topo-order" and not self._has_parent(head):
                return
            with self.git.stream("log", "-z", *PLAIN_LOG, *options, trailer, head, "--") as out:
                yield from _words(out.read())

    def _has_parent(self, head: str) -> bool:
        return self.git.run("rev-parse", "--verify", "--quiet", f"{head}^1").status == 0


def _require_real_folder(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        raise RepositoryProblem(
            f"{path} is a symbolic link or a file, and dreamd writes only inside its home",
            "move it away and run: dreamd export",
        )


def _refuse_bare(path: Path) -> None:
    if (path / "objects").is_dir() and (path / "HEAD").exists():
        hint = "move it away and put a clone of it there (git clone), then run: dreamd export"
        raise RepositoryProblem(f"{path} is a bare repository", hint)


_OPERATIONS = (
    ("MERGE_HEAD", "a merge"),
    ("CHERRY_PICK_HEAD", "a cherry-pick"),
    ("REVERT_HEAD", "a revert"),
    ("rebase-merge", "a rebase"),
    ("rebase-apply", "a rebase or am"),
    ("sequencer", "a sequence of picks or reverts"),
    ("BISECT_LOG", "a bisect"),
)


def _words(output: bytes) -> list[str]:
    return [line.strip() for line in _text(output).replace("\0", "\n").split("\n") if line.strip()]


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="surrogateescape")
