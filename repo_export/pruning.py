"""The old history of a rewritten repository: cut loose, pruned, and known again if somebody brings it back."""

import json
import shutil
from contextlib import suppress

from dreamd.repo_export.folders import opened, replace_file
from dreamd.repo_export.git import MemoryRepository

MAP_NAME = "dreamd-purge-map"  # old commit -> new commit, while a purge is under way
PURGED_NAME = "dreamd-purged"  # the ids of the commits that were replaced; for good: what holds one is not pulled in
STASH_LOG = "logs/refs/stash"
LEFTOVERS = (  # files that commands leave behind
    "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "MERGE_MSG", "SQUASH_MSG", "TAG_EDITMSG", "AUTO_MERGE",
    "EDIT_DESCRIPTION", "NOTES_EDITMSG", "dreamd-index", "gitk.cache", "packed-refs.new",
)  # fmt: skip
LEFT_FOLDERS = ("rr-cache", "NOTES_MERGE_WORKTREE", "lost-found", "objects/info/commit-graphs")


def replaced_commits(repository: MemoryRepository) -> dict[str, str]:
    """What became of each commit, while the purge that replaced it is under way: for whoever keeps ids of commits."""
    with suppress(FileNotFoundError, ValueError):
        return dict(json.loads((repository.git_dir / MAP_NAME).read_bytes()))
    return {}


def end(repository: MemoryRepository) -> None:
    """Nobody needs to know any more what became of which commit."""
    (repository.git_dir / MAP_NAME).unlink(missing_ok=True)


def holds_purged(repository: MemoryRepository, revision: str) -> bool:
    """Whether the history of `revision` leads to a commit that a purge replaced: it would bring back what is gone."""
    purged = purged_commits(repository)
    if not purged:
        return False
    with repository.git.stream("rev-list", revision, "--") as out:
        return any(line.decode("ascii").strip() in purged for line in out)


def purged_commits(repository: MemoryRepository) -> frozenset[str]:
    """The commits that purges replaced."""
    try:
        return frozenset((repository.git_dir / PURGED_NAME).read_text(encoding="ascii").split())
    except FileNotFoundError:
        return frozenset()


def cut_loose(repository: MemoryRepository) -> None:
    """Remove what else leads to old objects or quotes them: reflogs but the stashes', leftovers of commands, caches."""
    git_dir = repository.git_dir
    for name in LEFTOVERS:
        (git_dir / name).unlink(missing_ok=True)
    for name in LEFT_FOLDERS:
        shutil.rmtree(git_dir / name, ignore_errors=True)
    logs = git_dir / "logs"
    for file in sorted(logs.rglob("*")):
        if file.is_file() and file != git_dir / STASH_LOG:
            file.unlink()
    for name in ("commit-graph", "packs"):
        (git_dir / "objects" / "info" / name).unlink(missing_ok=True)


def prune(repository: MemoryRepository) -> None:
    """Pack what is reachable, and nothing else stays."""
    packs = repository.git_dir / "objects" / "pack"
    for pattern in ("*.keep", "*.bitmap", "multi-pack-index*", "tmp_*"):
        for file in packs.glob(pattern):
            file.unlink()
    repository.git.read("repack", "-a", "-d", "-q")
    repository.git.read("prune", "--expire=now")


def remember(repository: MemoryRepository) -> None:
    """Keep the ids of the replaced commits, so that a pull does not take the old history in again."""
    replaced = purged_commits(repository) | replaced_commits(repository).keys()
    if replaced:
        with opened(repository.git_dir) as git_dir:
            replace_file(git_dir, PURGED_NAME, "".join(f"{name}\n" for name in sorted(replaced)).encode("ascii"))
