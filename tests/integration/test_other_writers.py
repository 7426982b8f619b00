"""Locks, moved heads and other shapes of a repository: what cannot be written to now says why, and catches up."""

import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.builders import an_event
from tests.live import LiveSpace
from tests.people import People, a_memory

PROXY = "projects/proxy.md"
KEEPS = "The proxy keeps connections for 30 seconds"
LONG_AGO = 1_000_000_000  # 2001; an age is told by --now
REF_LOCKS = ("refs/heads/main.lock", "packed-refs.lock", "HEAD.lock")


@pytest.fixture
def people(tmp_path: Path) -> People:
    return a_memory(tmp_path)


def locked(people: People, name: str, *, at: float) -> Path:
    lock = people.path / ".git" / name
    lock.touch()
    os.utime(lock, (at, at))
    return lock


@pytest.mark.parametrize("name", [*REF_LOCKS, "index.lock"])
def test_the_lock_of_a_dead_git_is_removed_and_the_export_goes_on(people: People, name: str) -> None:
    lock = locked(people, name, at=LONG_AGO)

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert not lock.exists()
    assert people.status() == ""


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "index.lock"])
def test_the_lock_of_a_living_git_stays_and_the_export_waits_with_a_reason(people: People, name: str) -> None:
    lock = locked(people, name, at=datetime(2026, 3, 17, 19, 59, 50, tzinfo=UTC).timestamp())
    head = people.head()

    told = people.learns("proxy", KEEPS, day=17)

    assert told["outcome"] == "applied"
    assert told["export"]["status"] in ("failed", "parked")
    assert name.rsplit("/", 1)[-1] in told["export"]["reason"]
    assert lock.exists()
    assert people.head() == head or name == "index.lock"

    lock.unlink()
    assert people.exports()["parked"] is None
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


def test_a_commit_made_while_the_export_renders_is_built_on(tmp_path: Path) -> None:
    made: list[str] = []
    at = datetime(2026, 3, 16, tzinfo=UTC)

    def reach(name: str) -> None:
        if name == "export-after-import" and space.store.head().number == 2 and not made:
            people.write("mine.md", "hers\n")
            made.append(people.commit("meanwhile"))

    (tmp_path / "home").mkdir()
    space = LiveSpace(tmp_path / "home", reach=reach)
    people = People(home=type("Home", (), {"path": tmp_path / "home"})())
    space.add(an_event(text="Use nginx as the proxy", target="proxy", at=at, kind="decision"))
    space.dream(at)
    space.add(an_event(text=KEEPS, target="proxy", at=at.replace(day=17), kind="decision"))
    space.dream(at.replace(day=17))
    space.close()

    assert people.head("HEAD~1") == made[0]
    assert (people.read("mine.md"), people.status()) == ("hers\n", "")
    assert KEEPS in people.read(PROXY)


def shallow(people: People, aside: Path) -> None:
    people.git("clone", "-q", "--depth=1", f"file://{aside}", str(people.path), at=aside)


def bare(people: People, aside: Path) -> None:
    people.git("clone", "-q", "--mirror", str(aside), str(people.path), at=aside)


def linked(people: People, aside: Path) -> None:
    people.git("switch", "-q", "--detach", at=aside)
    people.git("worktree", "add", "-q", str(people.path), "main", at=aside)


SHAPES: dict[str, tuple[Callable[[People, Path], None], str]] = {
    "a shallow clone": (shallow, "is a shallow clone"),
    "a bare mirror": (bare, "is a bare repository"),
    "a linked work tree": (linked, "is not a Git repository of its own"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_repository_of_another_shape_is_left_alone_with_a_reason(people: People, tmp_path: Path, shape: str) -> None:
    make, reason = SHAPES[shape]
    aside = tmp_path / "aside"
    people.path.rename(aside)
    make(people, aside)
    before = sorted(path for path in people.path.rglob("*"))

    told = people.learns("proxy", KEEPS, day=17)

    assert told["outcome"] == "applied"
    assert told["export"]["status"] == "failed"
    assert reason in told["export"]["reason"]
    assert sorted(path for path in people.path.rglob("*")) == before
    assert reason in people.home.dreamd("export").err

    if shape == "a shallow clone":
        people.git("fetch", "-q", "--unshallow")
    else:
        shutil.rmtree(people.path)
        people.git("clone", "-q", str(aside), str(people.path), at=aside)
        people.git("switch", "-q", "main")
    assert people.exports()["parked"] is None
    assert list(people.run_commits()) == ["2", "1"]
    assert people.status() == ""
    assert KEEPS in people.read(PROXY)


def test_a_work_tree_of_the_same_repository_elsewhere_is_no_hindrance(people: People, tmp_path: Path) -> None:
    people.git("worktree", "add", "-q", "-b", "hers", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere" / "mine.md").write_text("hers\n")

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert people.status() == ""
    people.git("add", "-A", at=tmp_path / "elsewhere")
    people.git("commit", "-q", "-m", "mine", at=tmp_path / "elsewhere")
    people.git("merge", "-q", "hers", "-m", "merge hers")
    told = people.learns("proxy", "The proxy is reloaded at night", day=18)
    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert people.read("mine.md") == "hers\n"
    assert people.status() == ""


def test_main_checked_out_in_another_work_tree_waits(people: People, tmp_path: Path) -> None:
    people.git("switch", "-q", "--detach")
    people.git("worktree", "add", "-q", str(tmp_path / "elsewhere"), "main")
    head = people.head("main")

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"]["status"] == "parked"
    assert people.head("main") == head
    people.git("worktree", "remove", str(tmp_path / "elsewhere"))
    people.git("switch", "-q", "main")
    assert people.exports()["parked"] is None
    assert KEEPS in people.read(PROXY)
