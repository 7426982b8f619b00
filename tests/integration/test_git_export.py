"""The memory repository against real git: commits, compare-and-swap, hostile configuration, what a kill leaves."""

import os
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.git import Commit, HeadMoved, MemoryRepository, RepositoryProblem, Unchanged

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Killed(Exception):
    pass


def passing(name: str) -> None:
    pass


def killing_at(point: str) -> Callable[[str], None]:
    def reach(name: str) -> None:
        if name == point:
            raise Killed(name)

    return reach


def git(path: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *identity, "-C", str(path), *arguments], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout


def a_message(run: str) -> str:
    return f"dream: what changed\n\nDreamd-Run: {run}\nDreamd-Base: none\n"


def commit(repository: MemoryRepository, files: dict[str, bytes | None], run: str = "run_1") -> Commit:
    made = repository.commit_files(files, message=a_message(run), when=WHEN)
    assert isinstance(made, Commit)
    return made


@pytest.fixture
def repository(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.create(tmp_path / "memory", passing)


def test_a_new_repository_is_empty_readable_by_its_group_and_has_no_hooks(repository: MemoryRepository) -> None:
    assert repository.head() is None
    assert repository.last_run() is None
    assert repository.in_progress() is None
    assert not (repository.git_dir / "hooks").exists()
    assert repository.path.stat().st_mode & 0o777 == 0o750
    assert (repository.git_dir / "config").stat().st_mode & 0o777 == 0o640
    assert git(repository.path, "status", "--porcelain") == ""


def test_creating_it_again_keeps_what_is_there(repository: MemoryRepository) -> None:
    made = commit(repository, {"MEMORY.md": b"# Memory\n"})
    assert MemoryRepository.create(repository.path, passing).head() == made.sha


def test_each_call_makes_one_commit_with_exactly_these_files(repository: MemoryRepository) -> None:
    commit(repository, {"MEMORY.md": b"one\n", "knowledge/redis.md": b"\x00\xff raw\n"})
    made = commit(repository, {"MEMORY.md": b"two\n", "knowledge/redis.md": None, "lessons/a.md": b""}, "run_2")
    assert repository.head() == made.sha
    assert git(repository.path, "rev-list", "--count", "main") == "2\n"
    assert repository.tree_files(made.sha) == {"MEMORY.md": b"two\n", "lessons/a.md": b""}
    assert repository.tree_files(made.sha, lambda path: path.startswith("lessons/")) == {"lessons/a.md": b""}
    assert git(repository.path, "for-each-ref", "refs/dreamd") == ""
    assert git(repository.path, "fsck", "--no-dangling") == ""


def test_a_commit_that_would_change_nothing_is_not_made(repository: MemoryRepository) -> None:
    assert repository.commit_files({}, message="m", when=WHEN) == Unchanged(head=None)
    made = commit(repository, {"MEMORY.md": b"one\n"})
    again = repository.commit_files({"MEMORY.md": b"one\n", "gone.md": None}, message="m", when=WHEN)
    assert again == Unchanged(head=made.sha)
    assert git(repository.path, "for-each-ref", "--format=%(refname)") == "refs/heads/main\n"


def test_equal_inputs_give_equal_commits_in_two_repositories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for name, zone in (("a", "UTC"), ("b", "Pacific/Auckland")):
        monkeypatch.setenv("TZ", zone)
        monkeypatch.setenv("GIT_AUTHOR_DATE", "2001-01-01T00:00:00Z" if name == "a" else "2002-01-01T00:00:00Z")
        repository = MemoryRepository.create(tmp_path / name, passing)
        commit(repository, {"b.md": b"2", "a.md": b"1"})
        made.append(commit(repository, {"a.md": b"3", "c.md": b"4"}, "run_2"))
    assert made[0] == made[1]


def test_a_head_that_moved_meanwhile_is_an_answer_and_nothing_is_lost(repository: MemoryRepository) -> None:
    first = commit(repository, {"MEMORY.md": b"one\n"})

    def person_commits(name: str) -> None:
        if name == "export-after-import":
            git(repository.path, "commit", "--allow-empty", "-qm", "a person")

    repository.reach = person_commits
    answer = repository.commit_files({"MEMORY.md": b"two\n"}, message="m", when=WHEN)
    repository.reach = passing
    assert answer == HeadMoved(expected=first.sha, found=repository.head())
    assert git(repository.path, "log", "-1", "--format=%s") == "a person\n"
    stale = repository.commit_files({"MEMORY.md": b"two\n"}, message="m", when=WHEN, onto=first.sha)
    assert stale == HeadMoved(expected=first.sha, found=repository.head())


def test_the_last_run_is_found_below_peoples_commits_and_through_merges(repository: MemoryRepository) -> None:
    commit(repository, {"MEMORY.md": b"one\n"})
    git(repository.path, "branch", "side")
    commit(repository, {"MEMORY.md": b"two\n"}, "run_2")
    assert repository.last_run() == "run_2"
    git(repository.path, "checkout", "-q", "-f", "side")
    git(repository.path, "commit", "--allow-empty", "-qm", "aside\n\nquoted Dreamd-Run: run_9 in a sentence")
    git(repository.path, "merge", "-q", "-m", "merged", "main")
    git(repository.path, "branch", "-f", "main", "side")
    assert repository.last_run() == "run_2"
    assert repository.exported_runs() == ("run_2", "run_1")
    assert repository.has_run("run_1")
    assert not repository.has_run("run_9")


@pytest.mark.parametrize("point", ["export-after-import", "export-after-ref"])
def test_a_kill_while_committing_leaves_one_commit_after_the_next_try(tmp_path: Path, point: str) -> None:
    unkilled = MemoryRepository.create(tmp_path / "unkilled", passing)
    repository = MemoryRepository.create(tmp_path / "killed", killing_at(point))
    expected = commit(unkilled, {"MEMORY.md": b"one\n"})
    with pytest.raises(Killed):
        repository.commit_files({"MEMORY.md": b"one\n"}, message=a_message("run_1"), when=WHEN)
    recovered = MemoryRepository.open(repository.path, passing)
    recovered.commit_files({"MEMORY.md": b"one\n"}, message=a_message("run_1"), when=WHEN)
    assert recovered.head() == expected.sha
    assert git(recovered.path, "for-each-ref", "--format=%(refname)") == "refs/heads/main\n"


def test_what_a_person_has_begun_parks_the_export_with_a_reason(repository: MemoryRepository) -> None:
    commit(repository, {"MEMORY.md": b"one\n"})
    git(repository.path, "checkout", "-q", "-f", "--detach", "main")
    assert "HEAD is detached" in str(repository.in_progress())
    git(repository.path, "checkout", "-q", "-b", "mine")
    assert "branch 'mine' is checked out" in str(repository.in_progress())
    git(repository.path, "checkout", "-q", "main")
    (repository.git_dir / "MERGE_HEAD").write_text("x")
    assert "a merge is in progress" in str(repository.in_progress())


def test_what_is_not_a_memory_repository_is_refused_with_a_remedy(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "bare")
    (tmp_path / "plain").mkdir()
    for name in ("bare", "plain", "missing"):
        with pytest.raises(RepositoryProblem) as refused:
            MemoryRepository.open(tmp_path / name, passing)
        assert name in refused.value.message
        assert "dreamd" in refused.value.hint


def test_an_emptied_commit_object_is_named_and_not_taken_for_an_empty_repository(repository: MemoryRepository) -> None:
    made = commit(repository, {"MEMORY.md": b"one\n"})
    loose = repository.git_dir / "objects" / made.sha[:2] / made.sha[2:]
    loose.unlink()
    loose.touch()
    with pytest.raises(RepositoryProblem, match="cannot be read"):
        repository.head()


def test_a_stale_lock_is_removed_and_named_and_a_young_one_stays(repository: MemoryRepository) -> None:
    commit(repository, {"MEMORY.md": b"one\n"})
    lock = repository.git_dir / "refs/heads/main.lock"
    lock.touch()
    os.utime(lock, (WHEN.timestamp(), WHEN.timestamp()))
    assert repository.remove_stale_locks(WHEN + timedelta(seconds=59)) == ()
    with pytest.raises(RepositoryProblem):
        repository.commit_files({"MEMORY.md": b"two\n"}, message="m", when=WHEN)
    assert repository.remove_stale_locks(WHEN + timedelta(seconds=60)) == ("refs/heads/main.lock",)
    commit(repository, {"MEMORY.md": b"two\n"}, "run_2")


def test_an_index_lock_that_we_left_ourselves_is_removed_at_once(repository: MemoryRepository) -> None:
    commit(repository, {"MEMORY.md": b"one\n"})
    os.link(repository.git_dir / "dreamd.lock", repository.git_dir / "index.lock")
    assert repository.remove_stale_locks(WHEN) == ("index.lock",)


def test_a_thousand_files_are_committed_in_about_a_second(repository: MemoryRepository) -> None:
    files: dict[str, bytes | None] = {f"knowledge/f{number}.md": b"words " * 150 for number in range(1000)}
    before = time.process_time()
    commit(repository, files)
    assert time.process_time() - before < 1
    assert len(repository.tree_files("HEAD")) == 1000


@pytest.mark.parametrize(
    "path",
    [
        "../up.md",
        "/abs.md",
        "a//b",
        "a/./b",
        ".git/config",
        "x/.GIT/hooks/y",
        "git~1/x",
        ".g\u200cit/x",
        "a\nb",
        "",
        "a\\b",
    ],
)
def test_a_path_that_git_or_the_file_system_could_misread_is_refused(repository: MemoryRepository, path: str) -> None:
    assert not is_safe_path(path)
    with pytest.raises(ValueError, match="not a path"):
        repository.commit_files({path: b"x"}, message="m", when=WHEN)


def test_ordinary_paths_are_safe() -> None:
    assert all(map(is_safe_path, ("MEMORY.md", ".dreamd/manifest.json", "archive/2026/x-1.md", "-rf", ":(top)x")))
