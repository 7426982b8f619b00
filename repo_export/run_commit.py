"""The commit of a run, found by its trailer, and what it changed."""

from collections.abc import Callable
from dataclasses import dataclass

from dreamd.repo_export.git import PLAIN_LOG, RUN_TRAILER, MemoryRepository
from dreamd.repo_export.line_diff import FileDiff


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCommit:
    sha: str
    parent: str | None  # the first one; None: it is the first commit


def commit_of_run(repository: MemoryRepository, run: str) -> RunCommit | None:
    """The oldest commit of the branch that says it is of `run`; None if there is none."""
    head = repository.head()
    if head is None:
        return None
    trailer = f"%(trailers:key={RUN_TRAILER},valueonly=true,unfold=true,separator=%x20)"
    options = ("-z", *PLAIN_LOG, "--topo-order", f"--format=%H%x09%P%x09{trailer}")
    listing = repository.git.read("log", *options, head, "--").decode("utf-8", errors="replace")
    found = None
    for line in filter(None, listing.split("\0")):
        sha, parents, runs = line.split("\t", 2)
        if run in runs.split():
            found = RunCommit(sha=sha, parent=next(iter(parents.split()), None))
    return found


def changed_files(repository: MemoryRepository, commit: RunCommit, keep: Callable[[str], bool]) -> tuple[FileDiff, ...]:
    """What the commit changed against its first parent, by path, of the files that `keep` accepts."""
    trees = ("--root", commit.sha) if commit.parent is None else (commit.parent, commit.sha)
    raw = repository.git.read("diff-tree", "-r", "-z", "--no-commit-id", "--no-renames", *trees)
    parts = [part.decode("utf-8", errors="surrogateescape") for part in raw.split(b"\0")]
    found = [(path, about.split(" ")) for about, path in zip(parts[::2], parts[1::2], strict=False) if keep(path)]
    # Mode, mode, blob, blob, kind; of a blob of nulls and of a submodule there is no content.
    wanted = {
        blob
        for _, (old, new, before, after, _) in found
        for mode, blob in ((old, before), (new, after))
        if _is_file(mode)
    }
    ids = sorted(wanted)
    contents = dict(zip(ids, repository.blobs(ids), strict=True))
    return tuple(
        FileDiff(
            path=path,
            before=contents[before] if _is_file(old) else None,
            after=contents[after] if _is_file(new) else None,
        )
        for path, (old, new, before, after, _) in found
    )


def _is_file(mode: str) -> bool:
    return mode.lstrip(":") in ("100644", "100755", "120000")
