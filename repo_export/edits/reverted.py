"""Which commits the people's commits say that they take back: what `git revert` writes into a message.

It is a hint and no proof; whether a commit is the revert of a run is decided by the tree (daemon/undone_by_git.py).
"""

import re
from collections.abc import Collection, Mapping

from dreamd.repo_export.git import PLAIN_LOG, RUN_TRAILER, MemoryRepository

_REVERTED = re.compile(r"\bThis reverts commit ([0-9a-f]{7,64})\b")
MAX_NAMED = 50  # commits that one message may name


def named_as_reverted(repository: MemoryRepository, head: str, since: str | None) -> dict[str, tuple[str, ...]]:
    """By commit in the history of `head` but not of `since`, parents first: the commits its message names."""
    revisions = (head,) if since is None else (head, f"^{since}")
    options = ("--topo-order", "--reverse", "--grep=This reverts commit", "--format=%H%n%B")
    output = repository.git.read("log", "-z", *PLAIN_LOG, *options, *revisions, "--")
    found: dict[str, tuple[str, ...]] = {}
    for text in filter(None, output.decode("utf-8", errors="replace").split("\0")):
        sha, _, message = text.partition("\n")
        named = [_whole_name(repository, name) for name in _REVERTED.findall(message)[:MAX_NAMED]]
        found[sha.strip()] = tuple(dict.fromkeys(name for name in named if name is not None))
    return {sha: named for sha, named in found.items() if named}


def taking_back(repository: MemoryRepository, head: str, since: str | None) -> frozenset[str]:
    """Those commits in the history of `head` but not of `since` whose message says that they revert a run's commit."""
    named = named_as_reverted(repository, head, since)
    runs = runs_of(repository, {other for others in named.values() for other in others})
    return frozenset(sha for sha, others in named.items() if any(other in runs for other in others))


def runs_of(repository: MemoryRepository, commits: Collection[str]) -> Mapping[str, str]:
    """The run of each of `commits` that has one in its trailers."""
    if not commits:
        return {}
    shape = f"--format=%H %(trailers:key={RUN_TRAILER},valueonly=true,unfold=true,separator=%x20)"
    output = repository.git.read("log", "-z", *PLAIN_LOG, "--no-walk=unsorted", shape, *sorted(commits), "--")
    lines = (text.strip().split() for text in output.decode("utf-8", errors="replace").split("\0"))
    return {words[0]: words[-1] for words in lines if len(words) > 1}


def _whole_name(repository: MemoryRepository, name: str) -> str | None:
    answer = repository.git.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
    return answer.out.decode("ascii").strip() if answer.status == 0 else None
