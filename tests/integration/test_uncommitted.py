"""An edit that nobody committed is named by a run with nothing to do, and by `status`."""

from pathlib import Path

import pytest

from tests.people import DAY, People, a_memory

PAGE = "projects/proxy.md"


@pytest.fixture
def people(tmp_path: Path) -> People:
    return a_memory(tmp_path)


def told(people: People) -> tuple[str, str]:
    return people.home.ok("--now", DAY.format(18), "run").out, people.home.ok("status").out


def test_an_edit_that_waits_for_its_commit_is_named(people: People) -> None:
    assert not any("not committed" in each or "left alone" in each for each in told(people))
    page = people.path / PAGE
    page.write_text(page.read_text() + "- The proxy is blue\n")
    run, status = told(people)
    assert f"Left alone: {PAGE} (changed by a person and not committed; to take it in: dreamd adopt)" in run
    assert PAGE in status
    people.home.ok("--now", DAY.format(18), "adopt", "--author", "Ada <ada@example.org>")
    assert not any("not committed" in each or "left alone" in each for each in told(people))


def test_a_file_that_was_removed_is_named(people: People) -> None:
    (people.path / PAGE).unlink()
    run, status = told(people)
    assert f"{PAGE} (deleted by a person and not committed" in run
    assert PAGE in status


def test_a_commit_that_the_work_tree_does_not_show_yet_is_no_edit(people: People, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    people.git("clone", "-q", str(people.path), str(clone), at=tmp_path)
    (clone / PAGE).write_text((clone / PAGE).read_text() + "- The proxy is blue\n")
    people.git("commit", "-qam", "blue", at=clone)
    people.git("fetch", "-q", str(clone), "main")
    people.git("update-ref", "refs/heads/main", "FETCH_HEAD")
    run, status = told(people)
    assert "not committed" not in run
    assert "left alone" not in status
