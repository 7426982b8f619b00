"""People, their editors and their settings beside dreamd in one work tree: only the file they touched waits."""

import os
from pathlib import Path

import pytest

from tests.people import People, a_memory

PROXY = "projects/proxy.md"
NGINX = "Use nginx as the proxy"
KEEPS = "The proxy keeps connections for 30 seconds"


@pytest.fixture
def people(tmp_path: Path) -> People:
    return a_memory(tmp_path)


def reworded(people: People) -> str:
    text = people.read(PROXY).replace(NGINX, "Use nginx as the only proxy")
    people.write(PROXY, text)
    return text


def waiting(told: object) -> dict[str, str]:
    assert isinstance(told, dict)
    return {each["path"]: each["reason"] for each in told["export"]["waiting"]}


def test_an_uncommitted_edit_waits_alone_and_is_named_by_run_and_export(people: People) -> None:
    text = reworded(people)

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"]["status"] == "waiting"
    assert waiting(told) == {PROXY: "changed by a person"}
    assert people.read(PROXY) == text
    assert KEEPS in people.read("MEMORY.md")
    assert KEEPS in people.committed(PROXY)
    assert f"Left alone: {PROXY} (changed by a person)" in people.home.ok("export").out
    assert f"Left alone: {PROXY} (changed by a person)" in people.home.ok("--now", "2026-03-18T00:00:00Z", "run").out

    people.git("checkout", "--", PROXY)
    assert people.exports()["waiting"] == []
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


def test_a_waiting_edit_that_is_committed_says_nothing_about_what_was_learnt_meanwhile(people: People) -> None:
    reworded(people)
    people.learns("proxy", KEEPS, day=17)
    people.learns("proxy", "The proxy is reloaded at night", day=18)
    people.git("commit", "-q", "-a", "-m", "mine")
    assert KEEPS not in people.committed(PROXY), "git knows no better"

    told = people.runs(19)

    current = {each["text"] for each in people.say("claims", "--target", "proxy") if each["status"] == "current"}
    assert current == {"Use nginx as the only proxy", KEEPS, "The proxy is reloaded at night"}
    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


@pytest.mark.parametrize("begun", ["edit", "deletion", "rename"])
def test_what_is_staged_stays_staged(people: People, begun: str) -> None:
    if begun == "edit":
        reworded(people)
        people.git("add", PROXY)
    elif begun == "deletion":
        people.git("rm", "-q", PROXY)
    else:
        people.git("mv", PROXY, "projects/front.md")
    before = people.git("ls-files", "--stage", "projects")

    told = people.learns("proxy", KEEPS, day=17)

    assert list(waiting(told)) == [PROXY]
    assert people.git("ls-files", "--stage", "projects") == before
    people.git("reset", "-q", "--hard")
    assert people.exports()["waiting"] == []
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


def test_obsidians_own_files_and_other_untracked_ones_are_not_looked_at(people: People) -> None:
    untracked = {
        ".obsidian/workspace.json": "{}",
        ".obsidian/plugins/x/main.js": "1",
        ".trash/queue.md": people.read("knowledge/queue.md"),
        "projects/my notes.md": "- mine\n",
        "Untitled.canvas": "{}",
    }
    for path, text in untracked.items():
        people.write(path, text)

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert {path: people.read(path) for path in untracked} == untracked
    assert not set(untracked) & set(people.git("ls-tree", "-r", "--name-only", "main").split("\n"))


def test_an_untracked_file_where_a_page_must_go_is_kept_and_the_page_comes_once_it_is_moved(people: People) -> None:
    people.write("projects/mirror.md", "- mine\n")

    told = people.learns("mirror", "Mirror every hour", day=17)

    assert waiting(told) == {"projects/mirror.md": "changed by a person"}
    assert people.read("projects/mirror.md") == "- mine\n"
    (people.path / "projects/mirror.md").rename(people.path / "mine.md")
    people.git("checkout", "--", "projects/mirror.md")
    assert people.exports()["waiting"] == []
    assert "Mirror every hour" in people.read("projects/mirror.md")


def test_a_symlink_in_place_of_a_page_is_kept_and_nothing_is_written_through_it(people: People, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("hers\n")
    (people.path / PROXY).unlink()
    (people.path / PROXY).symlink_to(outside)

    told = people.learns("proxy", KEEPS, day=17)

    assert list(waiting(told)) == [PROXY]
    assert outside.read_text() == "hers\n"
    assert (people.path / PROXY).is_symlink()
    people.git("checkout", "--", PROXY)
    assert people.exports()["waiting"] == []
    assert KEEPS in people.read(PROXY)


def test_a_committed_symlink_is_kept_too(people: People, tmp_path: Path) -> None:
    (people.path / PROXY).unlink()
    (people.path / PROXY).symlink_to(tmp_path / "outside.md")
    people.commit("a link")

    told = people.learns("proxy", KEEPS, day=17)

    assert list(waiting(told)) == [PROXY]
    assert (people.path / PROXY).is_symlink()
    assert not (tmp_path / "outside.md").exists()


def test_a_sparse_checkout_stays_sparse_and_clean(people: People) -> None:
    people.status()  # git leaves what it has not looked at yet
    people.git("sparse-checkout", "set", "knowledge")
    assert not (people.path / PROXY).exists()

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert people.status() == ""
    assert not (people.path / PROXY).exists()
    assert KEEPS in people.committed(PROXY)
    people.git("sparse-checkout", "disable")
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


def test_in_a_sparse_checkout_a_page_that_goes_and_one_that_comes_leave_a_clean_tree(people: People) -> None:
    people.status()
    people.git("sparse-checkout", "set", "projects")

    told = people.learns("cache", "The cache is written through", "Keep the cache small", day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert people.status() == ""
    people.git("sparse-checkout", "disable")
    assert people.status() == ""
    assert not (people.path / "knowledge/cache.md").exists()


@pytest.mark.parametrize("setting", ["true", "input"])
def test_line_endings_that_git_converts_are_no_edit(people: People, setting: str) -> None:
    people.git("config", "core.autocrlf", setting)
    (people.path / PROXY).unlink()
    people.git("checkout", "--", PROXY)
    assert (b"\r\n" in (people.path / PROXY).read_bytes()) == (setting == "true")

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert KEEPS in people.read(PROXY)
    assert people.status() == ""


def test_an_edit_in_a_file_with_other_line_endings_still_waits(people: People) -> None:
    reworded(people)
    text = (people.path / PROXY).read_bytes().replace(b"\n", b"\r\n")
    (people.path / PROXY).write_bytes(text)

    assert list(waiting(people.learns("proxy", KEEPS, day=17))) == [PROXY]
    assert (people.path / PROXY).read_bytes() == text


def test_an_uncommitted_change_of_mode_outlives_an_export(people: People) -> None:
    (people.path / PROXY).chmod(0o755)

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert KEEPS in people.read(PROXY)
    assert os.access(people.path / PROXY, os.X_OK)
    assert people.git("diff", "--summary") == f"mode change 100644 => 100755 {PROXY}"


def test_a_committed_change_of_mode_leaves_a_clean_tree(people: People) -> None:
    (people.path / PROXY).chmod(0o755)
    people.commit("executable")

    told = people.learns("proxy", KEEPS, day=17)

    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert people.status() == ""
    assert KEEPS in people.read(PROXY)
