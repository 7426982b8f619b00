"""Laying out against real git: a person's bytes win, everything else converges, nothing of the repository's runs."""

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from dreamd.repo_export import layout_record, worktree
from dreamd.repo_export.git import Commit, MemoryRepository
from dreamd.repo_export.worktree import LaidOut, catch_up_layout

WHEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
POINTS = ["export-after-import", "export-after-ref", "export-after-files", "export-after-index"]


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
    command = ["git", *identity, "-C", str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout


def export(repository: MemoryRepository, files: dict[str, bytes | None]) -> LaidOut:
    made = repository.commit_files(files, message="m\n\nDreamd-Run: run_1\n", when=WHEN)
    assert isinstance(made, Commit)
    return catch_up_layout(repository)


def checksum(root: Path) -> str:
    entries = sorted(f"{path} {os.readlink(path) if path.is_symlink() else ''}" for path in root.rglob("*"))
    contents = [path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file() and not path.is_symlink()]
    return hashlib.sha256(repr((entries, contents)).encode()).hexdigest()


@pytest.fixture
def repository(tmp_path: Path) -> MemoryRepository:
    return MemoryRepository.create(tmp_path / "memory", passing)


def status(repository: MemoryRepository) -> str:
    return git(repository.path, "status", "--porcelain")


def test_what_was_committed_lies_there_and_git_sees_a_clean_tree(repository: MemoryRepository) -> None:
    first = export(repository, {"MEMORY.md": b"one\n", "knowledge/a.md": b"a\n", "knowledge/b.md": b"b\n"})
    assert first.written == ("MEMORY.md", "knowledge/a.md", "knowledge/b.md")
    assert status(repository) == ""
    second = export(repository, {"MEMORY.md": b"two\n", "knowledge/a.md": None, "knowledge/b.md": None})
    assert (second.written, second.removed) == (("MEMORY.md",), ("knowledge/a.md", "knowledge/b.md"))
    assert (repository.path / "MEMORY.md").read_bytes() == b"two\n"
    assert not (repository.path / "knowledge").exists()
    assert status(repository) == ""
    assert (repository.path / "MEMORY.md").stat().st_mode & 0o777 == 0o640
    assert catch_up_layout(repository) == LaidOut(head=repository.head())


def test_a_file_and_a_folder_may_change_places(repository: MemoryRepository) -> None:
    export(repository, {"a": b"file\n", "b/c": b"below\n"})
    export(repository, {"a": None, "a/x": b"below\n", "b/c": None, "b": b"file\n"})
    assert status(repository) == ""
    assert (repository.path / "b").read_bytes() == b"file\n"


def test_a_path_that_looks_like_gits_own_output_is_a_path(repository: MemoryRepository) -> None:
    export(repository, {":a": b"1\n", "commit x": b"2\n", "z": b"3\n"})
    assert sorted(path.name for path in repository.path.iterdir() if path.name != ".git") == [":a", "commit x", "z"]
    assert status(repository) == ""


def test_an_edited_file_waits_and_the_others_are_written(repository: MemoryRepository) -> None:
    export(repository, {"MEMORY.md": b"one\n", "a.md": b"a\n"})
    (repository.path / "a.md").write_bytes(b"mine\n")
    laid_out = export(repository, {"MEMORY.md": b"two\n", "a.md": b"a2\n"})
    assert laid_out.waiting == (("a.md", worktree.EDITED),)
    assert laid_out.written == ("MEMORY.md",)
    assert (repository.path / "a.md").read_bytes() == b"mine\n"
    assert status(repository) == " M a.md\n"
    # A commit of something else must not take our change back.
    (repository.path / "note.md").write_bytes(b"n\n")
    git(repository.path, "add", "note.md")
    git(repository.path, "commit", "-qm", "a note")
    assert repository.tree_files("HEAD")["a.md"] == b"a2\n"
    assert catch_up_layout(repository).waiting == (("a.md", worktree.EDITED),)


def test_a_waiting_file_is_written_once_the_person_takes_the_edit_back(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    (repository.path / "a.md").write_bytes(b"mine\n")
    export(repository, {"a.md": b"a2\n"})
    (repository.path / "a.md").write_bytes(b"a\n")
    assert catch_up_layout(repository).written == ("a.md",)
    assert (repository.path / "a.md").read_bytes() == b"a2\n"
    assert status(repository) == ""


def test_a_deletion_by_a_person_waits_and_so_does_deleting_what_they_edited(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n", "b.md": b"b\n", "c.md": b"c\n"})
    (repository.path / "a.md").unlink()
    (repository.path / "b.md").write_bytes(b"mine\n")
    (repository.path / "c.md").unlink()
    laid_out = export(repository, {"a.md": b"a2\n", "b.md": None, "c.md": None})
    assert laid_out.waiting == (("a.md", worktree.DELETED), ("b.md", worktree.EDITED))
    assert not (repository.path / "a.md").exists()
    assert (repository.path / "b.md").read_bytes() == b"mine\n"


def test_what_a_person_staged_is_kept_although_the_file_looks_like_ours(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    (repository.path / "a.md").write_bytes(b"staged\n")
    git(repository.path, "add", "a.md")
    (repository.path / "a.md").write_bytes(b"a\n")
    assert export(repository, {"a.md": b"a2\n"}).waiting == (("a.md", worktree.STAGED),)
    assert git(repository.path, "show", ":a.md") == "staged\n"


def test_a_file_that_dreamd_never_wrote_is_looked_at_only_where_a_new_one_must_go(repository: MemoryRepository) -> None:
    export(repository, {"MEMORY.md": b"one\n"})
    (repository.path / "notes.md").write_bytes(b"mine\n")
    (repository.path / "todo.md").write_bytes(b"mine too\n")
    laid_out = export(repository, {"MEMORY.md": b"two\n", "notes.md": b"ours\n"})
    assert laid_out.waiting == (("notes.md", worktree.EDITED),)
    assert (repository.path / "notes.md").read_bytes() == b"mine\n"
    assert status(repository) == " M notes.md\n?? todo.md\n"


def test_a_persons_commit_on_top_is_theirs_and_the_next_dream_builds_on_it(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n", "b.md": b"b\n"})
    (repository.path / "a.md").write_bytes(b"mine\n")
    git(repository.path, "commit", "-qam", "mine")
    laid_out = export(repository, {"a.md": b"mine\nand ours\n"})
    assert (laid_out.written, laid_out.waiting) == (("a.md",), ())
    assert status(repository) == ""


def test_a_reset_of_a_persons_own_commit_does_not_cost_them_the_files(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n", "b.md": b"b\n"})
    (repository.path / "a.md").write_bytes(b"mine\n")
    git(repository.path, "commit", "-qam", "mine")
    export(repository, {"b.md": b"b2\n"})
    git(repository.path, "reset", "-q", "--soft", "HEAD~2")
    export(repository, {"c.md": b"c\n"})
    assert (repository.path / "a.md").read_bytes() == b"mine\n"


@pytest.mark.parametrize("second", [None, *POINTS])
@pytest.mark.parametrize("first", POINTS)
def test_a_kill_anywhere_and_again_during_recovery_ends_in_the_same_place(
    tmp_path: Path, first: str, second: str | None
) -> None:
    unkilled = MemoryRepository.create(tmp_path / "unkilled", passing)
    killed = MemoryRepository.create(tmp_path / "killed", passing)
    changes: dict[str, bytes | None] = {"a.md": b"a2\n", "b.md": None, "new/c.md": b"c\n"}
    for repository in (unkilled, killed):
        export(repository, {"a.md": b"a\n", "b.md": b"b\n"})
    export(unkilled, changes)
    for point in (first, second):
        killed.reach = passing if point is None else killing_at(point)
        try:
            killed.commit_files(changes, message="m\n\nDreamd-Run: run_1\n", when=WHEN)
            catch_up_layout(killed)
        except Killed:
            pass
    killed.reach = passing
    killed.commit_files(changes, message="m\n\nDreamd-Run: run_1\n", when=WHEN)
    laid_out = catch_up_layout(killed)
    assert laid_out.waiting == ()
    assert killed.head() == unkilled.head()
    assert status(killed) == status(unkilled) == ""
    assert not (killed.path / "b.md").exists()


def test_an_edit_between_a_kill_and_the_recovery_waits(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    repository.commit_files({"a.md": b"a2\n"}, message="m", when=WHEN)
    (repository.path / "a.md").write_bytes(b"mine\n")
    assert catch_up_layout(repository).waiting == (("a.md", worktree.EDITED),)


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Files are synced together, two at a time, however few they are."""
    monkeypatch.setattr(worktree, "MANY", 1)
    monkeypatch.setattr(worktree, "DRAFTS", 2)
    monkeypatch.setattr(worktree, "syncs_all", lambda: True)
    return monkeypatch


def drafts(repository: MemoryRepository) -> list[str]:
    return sorted(path.name for path in repository.path.rglob("*.dreamd-new"))


def test_of_files_that_are_synced_together_one_that_a_person_saves_meanwhile_waits(
    repository: MemoryRepository, together: pytest.MonkeyPatch
) -> None:
    export(repository, {f"{name}.md": b"one\n" for name in "abcde"})
    together.setattr(worktree, "sync_all", lambda: (repository.path / "d.md").write_bytes(b"mine\n"))
    laid_out = export(repository, {f"{name}.md": b"two\n" for name in "abcde"})
    assert laid_out.waiting == (("d.md", worktree.EDITED),)
    assert laid_out.written == ("a.md", "b.md", "c.md", "e.md")
    assert (status(repository), drafts(repository)) == (" M d.md\n", [])


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_kill_before_files_are_synced_together_leaves_nothing_beside_them_in_the_end(
    repository: MemoryRepository, together: pytest.MonkeyPatch, is_edited: bool
) -> None:
    export(repository, {"a.md": b"one\n", "b.md": b"one\n"})
    with together.context() as killing, pytest.raises(Killed):
        killing.setattr(worktree, "sync_all", partial(killing_at("sync"), "sync"))
        export(repository, {"a.md": b"two\n", "b.md": b"two\n"})
    assert drafts(repository) == [".a.md.dreamd-new", ".b.md.dreamd-new"]
    assert (repository.path / "a.md").read_bytes() == b"one\n"
    if is_edited:
        (repository.path / "a.md").write_bytes(b"mine\n")
    assert catch_up_layout(repository).waiting == ((("a.md", worktree.EDITED),) if is_edited else ())
    assert (status(repository), drafts(repository)) == (" M a.md\n" if is_edited else "", [])


def test_another_gits_index_lock_leaves_the_index_for_the_next_call(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    lock = repository.git_dir / "index.lock"
    lock.touch()
    laid_out = export(repository, {"a.md": b"a2\n"})
    assert "index.lock" in str(laid_out.index_waits)
    assert (repository.path / "a.md").read_bytes() == b"a2\n"
    assert lock.exists()
    lock.unlink()
    assert catch_up_layout(repository).index_waits is None
    assert status(repository) == ""


def test_without_index_or_record_a_clean_tree_stays_clean(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    export(repository, {"a.md": b"a2\n", "b.md": b"b\n"})
    (repository.git_dir / layout_record.RECORD_NAME).unlink()
    (repository.git_dir / "index").unlink()
    assert export(repository, {"b.md": b"b2\n"}).waiting == ()
    assert status(repository) == ""


def test_on_another_branch_nothing_is_touched(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    git(repository.path, "checkout", "-q", "-b", "mine")
    laid_out = export(repository, {"a.md": b"a2\n"})
    assert "branch 'mine'" in str(laid_out.parked)
    assert (repository.path / "a.md").read_bytes() == b"a\n"
    assert status(repository) == ""


def test_a_poisoned_repository_executes_nothing_and_nothing_outside_changes(
    repository: MemoryRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(repository, {"MEMORY.md": b"one\n", "people/a.md": b"a\n", "pipe/p.md": b"p\n", "hard.md": b"h\n"})
    outside, trace = tmp_path / "outside", tmp_path / "executed"
    outside.mkdir()
    (outside / "a.md").write_bytes(b"a\n")
    os.link(repository.path / "hard.md", outside / "hard.md")
    script = tmp_path / "evil"
    script.write_text(f'#!/bin/sh\necho "$0 $@" >> {trace}\ncat\n')
    script.chmod(0o755)
    hooks = repository.git_dir / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-index-change", "post-checkout"):
        (hooks / name).symlink_to(script)
    included = tmp_path / "included"
    included.write_text(f"[core]\n\tpager = {script}\n")
    config = repository.git_dir / "config"
    config.write_text(
        config.read_text()
        + f"[core]\n\tfsmonitor = {script}\n\thooksPath = {hooks}\n\tsshCommand = {script}\n\teditor = {script}\n"
        f"\tworktree = {outside}\n\talternateRefsCommand = {script}\n"
        f'[filter "x"]\n\tclean = {script}\n\tsmudge = {script}\n\tprocess = {script}\n\trequired = true\n'
        f'[diff "x"]\n\ttextconv = {script}\n\tcommand = {script}\n[diff]\n\texternal = {script}\n\torderFile = /gone\n'
        f"[gpg]\n\tprogram = {script}\n[commit]\n\tgpgSign = true\n[log]\n\tshowSignature = true\n"
        f"[include]\n\tpath = {included}\n[credential]\n\thelper = !{script}\n"
        f'[remote "o"]\n\turl = ext::{script}\n\tpromisor = true\n\tuploadpack = {script}\n[extensions]\n'
    )
    (repository.git_dir / "info").mkdir(exist_ok=True)
    (repository.git_dir / "info" / "attributes").write_text("* filter=x diff=x merge=x\n")
    (repository.path / ".gitattributes").write_text("* filter=x diff=x\n")
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(script))
    monkeypatch.setenv("GIT_INDEX_FILE", str(outside / "index"))
    monkeypatch.setenv("GIT_TRACE", str(trace))
    (repository.path / "people" / "a.md").unlink()
    (repository.path / "people").rmdir()
    (repository.path / "people").symlink_to(outside)
    (repository.path / "pipe" / "p.md").unlink()
    os.mkfifo(repository.path / "pipe" / "p.md")
    (repository.path / "new.md").symlink_to(outside / "new.md")
    before = checksum(outside)

    laid_out = export(
        repository,
        {"MEMORY.md": b"2\n", "people/a.md": b"x\n", "pipe/p.md": b"x\n", "new.md": b"x\n", "hard.md": b"x\n"},
    )

    assert laid_out.written == ("MEMORY.md", "hard.md")
    assert laid_out.waiting == tuple((path, worktree.IN_THE_WAY) for path in ("new.md", "people/a.md", "pipe/p.md"))
    assert repository.last_run() == "run_1"
    assert not trace.exists()
    assert checksum(outside) == before


def test_a_forged_commit_cannot_place_a_file_inside_the_git_folder(repository: MemoryRepository) -> None:
    export(repository, {"a.md": b"a\n"})
    blob = git(repository.path, "rev-parse", "HEAD:a.md").strip()

    def tree(line: str) -> str:
        command = ["git", "-C", str(repository.path), "mktree"]
        return subprocess.run(command, input=line, capture_output=True, text=True, check=True).stdout.strip()

    top = tree(f"040000 tree {tree(f'100644 blob {blob}{chr(9)}evil{chr(10)}')}\t.git\n100644 blob {blob}\ta.md\n")
    forged = git(repository.path, "-c", "user.email=dreamd@localhost", "commit-tree", "-p", "HEAD", "-m", "x", top)
    git(repository.path, "update-ref", "refs/heads/main", forged.strip())
    laid_out = catch_up_layout(repository)
    assert not (repository.git_dir / "evil").exists()
    assert (".git/evil", worktree.UNSAFE) in laid_out.waiting


@pytest.mark.parametrize(
    "setting", ["core.splitIndex=true", "core.untrackedCache=true", "index.version=4", "core.bare=true"]
)
def test_a_persons_own_settings_of_the_index_do_no_harm(repository: MemoryRepository, setting: str) -> None:
    export(repository, {"a.md": b"a\n", "b.md": b"b\n"})
    git(repository.path, "config", *setting.split("="))
    if setting != "core.bare=true":
        git(repository.path, "update-index", "--refresh")
    export(repository, {"a.md": b"a2\n", "c.md": b"c\n"})
    git(repository.path, "config", "core.bare", "false")
    assert status(repository) == ""
    assert git(repository.path, "fsck", "--no-dangling") == ""


def test_a_repository_with_sha256_names_works_too(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256", "memory")
    repository = MemoryRepository.open(tmp_path / "memory", passing)
    export(repository, {"a.md": b"a\n", "b.md": b"b\n"})
    (repository.path / "b.md").write_bytes(b"mine\n")
    assert export(repository, {"a.md": None, "b.md": b"b2\n"}).waiting == (("b.md", worktree.EDITED),)
    assert status(repository) == " M b.md\n"


def test_the_lock_outlives_us_for_as_long_as_a_git_process_of_ours_does(repository: MemoryRepository) -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as source:
        with repository.writing():
            child = repository.git._start(("cat-file", "--batch"), source, None)
        # Our descriptor is closed as by a kill; the child still holds the lock.
        descriptor = os.open(repository.git_dir / "dreamd.lock", os.O_RDWR)
        with pytest.raises(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(writer)
        child.communicate()
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(descriptor)
