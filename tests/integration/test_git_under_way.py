"""What a person has begun with git stops no dream and loses nothing: the files wait, with a reason, and catch up."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.people import People, a_memory

PROXY = "projects/proxy.md"
NGINX = "Use nginx as the proxy"


@pytest.fixture
def people(tmp_path: Path) -> People:
    return a_memory(tmp_path)


def reworded(people: People, words: str) -> None:
    people.write(PROXY, people.read(PROXY).replace(NGINX, words))


def files_of(people: People) -> str:
    """A digest of every file that lies there, and of what is staged."""
    files = sorted(path for path in people.path.rglob("*") if path.is_file() and ".git" not in path.parts)
    lies = [(str(path), path.read_bytes()) for path in files]
    return hashlib.sha256(repr((lies, people.git("ls-files", "--stage"))).encode()).hexdigest()


def diverged(people: People) -> None:
    """Two commits that changed one line, on `hers` and on main, where she is."""
    people.git("switch", "-q", "-c", "hers")
    reworded(people, "Use nginx as the only proxy")
    people.commit("only nginx")
    people.git("switch", "-q", "main")
    reworded(people, "Use nginx as the first proxy")
    people.commit("first nginx")


def merge(people: People) -> None:
    diverged(people)
    assert people.try_git("merge", "hers").code == 1


def merge_without_conflict(people: People) -> None:
    diverged(people)
    people.git("merge", "--no-commit", "-s", "ours", "hers")


def rebase(people: People) -> None:
    diverged(people)
    assert people.try_git("rebase", "hers").code == 1


def cherry_pick(people: People) -> None:
    diverged(people)
    assert people.try_git("cherry-pick", "hers").code == 1


def am(people: People) -> None:
    diverged(people)
    patch = people.git("format-patch", "--stdout", "-1", "hers")
    assert people.try_git("am", "-3", stdin=patch + "\n").code != 0


def revert(people: People) -> None:
    diverged(people)
    reworded(people, "x")
    people.write(PROXY, people.read(PROXY).replace("first", "very first"))
    people.commit("very first")
    assert people.try_git("revert", "--no-edit", "HEAD~1").code == 1


def bisect(people: People) -> None:
    diverged(people)
    people.git("bisect", "start", "HEAD", "HEAD~1")


def detach(people: People) -> None:
    people.git("switch", "-q", "--detach")


def other_branch(people: People) -> None:
    people.git("switch", "-q", "-c", "mine")
    reworded(people, "Use nginx for now")
    people.commit("for now")


def unborn_branch(people: People) -> None:
    people.git("switch", "-q", "--orphan", "empty")


@dataclass(frozen=True)
class State:
    begin: Callable[[People], None]
    says: str  # part of the reason
    end: tuple[str, ...]  # the git command that ends it


STATES = {
    "merge": State(merge, "a merge is in progress", ("merge", "--abort")),
    "merge without conflict": State(merge_without_conflict, "a merge is in progress", ("merge", "--abort")),
    "rebase": State(rebase, "a rebase is in progress", ("rebase", "--abort")),
    "am": State(am, "a rebase or am is in progress", ("am", "--abort")),
    "cherry-pick": State(cherry_pick, "a cherry-pick is in progress", ("cherry-pick", "--abort")),
    "revert": State(revert, "a revert is in progress", ("revert", "--abort")),
    "bisect": State(bisect, "a bisect is in progress", ("bisect", "reset")),
    "detached HEAD": State(detach, "HEAD is detached", ("switch", "-q", "main")),
    "another branch": State(other_branch, "branch 'mine' is checked out", ("switch", "-q", "main")),
    "a branch without a commit": State(unborn_branch, "branch 'empty' is checked out", ("switch", "-q", "main")),
}


@pytest.mark.parametrize("name", STATES)
def test_what_is_under_way_makes_the_files_wait_with_a_reason_and_they_catch_up(people: People, name: str) -> None:
    state = STATES[name]
    state.begin(people)
    before, head = files_of(people), people.head("refs/heads/main")

    told = people.learns("cache", "The cache is written through", day=18)

    assert told["outcome"] == "applied"
    assert told["export"]["status"] == "parked"
    assert state.says in told["export"]["reason"]
    assert state.says in people.exports()["parked"]
    assert state.says in people.home.ok("export").out
    assert files_of(people) == before
    assert people.head("refs/heads/main") == head

    people.git(*state.end)
    assert people.exports()["parked"] is None
    assert "written through" in people.committed("projects/cache.md")
    assert "written through" in people.read("projects/cache.md")
    assert people.status() == ""
    assert people.try_git("merge-base", "--is-ancestor", head, "main").code == 0


def test_the_next_quiet_run_catches_up_too(people: People) -> None:
    people.git("switch", "-q", "--detach")
    people.learns("cache", "The cache is written through", day=18)
    people.git("switch", "-q", "main")

    told = people.runs(19)

    assert (told["outcome"], told["export"]["status"]) == ("nothing", "done")
    assert "written through" in people.read("projects/cache.md")
