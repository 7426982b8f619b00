"""Reading real histories: what is new, what is hostile, what is cut off."""

import os
import subprocess
from pathlib import Path

import pytest

from dreamd.daemon.intake.git import (
    CommitRecord,
    IntakeProblem,
    RefusedCommit,
    current_tips,
    project_name,
    read_commits,
)

SIGNED = """tree %s
parent %s
author A <a@b> 1700000000 +0000
committer A <a@b> 1700000000 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
\x20
 forged
 -----END PGP SIGNATURE-----

signed
"""


def git(path: Path, *arguments: str, date: str = "2026-03-01T12:00:00+09:00", **options: str) -> str:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_AUTHOR_DATE": date,
        "GIT_COMMITTER_DATE": "2026-03-02T00:00:00Z",
        **options,
    }
    command = [
        "git",
        "-c",
        "user.name=Ada",
        "-c",
        "user.email=a@b.c",
        "-c",
        "protocol.file.allow=always",
        "-C",
        str(path),
    ]
    done = subprocess.run([*command, *arguments], capture_output=True, env=environment, check=True)
    return done.stdout.decode().strip()


def a_commit(path: Path, message: str, *files: str, date: str = "2026-03-01T12:00:00+09:00") -> str:
    for name in files:
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(message)
    git(path, "add", "-A")
    git(path, "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-m", message, date=date)
    return git(path, "rev-parse", "HEAD")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "shop"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    return path


def read(path: Path, *known: str) -> list[CommitRecord]:
    found = list(read_commits(path, known_tips=known))
    assert all(isinstance(record, CommitRecord) for record in found)
    return [record for record in found if isinstance(record, CommitRecord)]


def test_commits_come_with_their_date_message_and_files(project: Path) -> None:
    first = a_commit(project, "feat(a): one\n\nbecause\n", "a b/ü.md", "z\n\n1")
    second = a_commit(project, "nothing touched")
    records = read(project)
    assert [record.sha for record in records] == [second, first]
    assert (records[1].subject, records[1].body, records[1].parents) == ("feat(a): one", "because", ())
    assert records[1].files == ("a b/ü.md", "z\n\n1")
    assert records[1].at.isoformat() == "2026-03-01T03:00:00+00:00"
    assert (records[0].files, records[0].parents) == ((), (first,))


def test_only_what_is_new_since_the_cursor_is_read_also_after_a_force_push(project: Path) -> None:
    a_commit(project, "one", "a")
    known = current_tips(project)
    assert read(project, *known) == []
    second = a_commit(project, "two", "b")
    assert [record.sha for record in read(project, *known)] == [second]
    assert len(read(project, "f" * 40, "--output=x", "HEAD")) == 2


def test_merges_are_passed_over_and_their_side_branches_read(project: Path) -> None:
    a_commit(project, "one", "a")
    git(project, "checkout", "-q", "-b", "side")
    a_commit(project, "aside", "b")
    git(project, "checkout", "-q", "main")
    a_commit(project, "two", "c")
    git(project, "merge", "-q", "-m", "merged", "side")
    git(project, "checkout", "-q", "-b", "unmerged")
    a_commit(project, "elsewhere", "d")
    git(project, "checkout", "-q", "main")
    assert sorted(record.subject for record in read(project)) == ["aside", "one", "two"]


def test_a_message_or_path_that_imitates_the_stream_is_just_text(project: Path) -> None:
    a_commit(project, "commit 1111\n\ncommit 2222\n:100644 x\n", "commit 3333", ":x", "-rf", "x\ncommit 44")
    (record,) = read(project)
    assert record.subject == "commit 1111"
    assert set(record.files) == {"commit 3333", ":x", "-rf", "x\ncommit 44"}


def test_bytes_that_are_no_text_and_empty_messages_do_not_stop_the_reading(project: Path) -> None:
    tree = git(project, "hash-object", "-w", "-t", "tree", "/dev/null")
    raw = b"tree %s\nauthor \xff\xfe <x> 1700000000 +0000\ncommitter c <c> 1700000000 +0000\n\n\xff subject\n\n\xfe\n"
    for message in (raw % tree.encode(), raw.replace(b"\xff subject\n\n\xfe\n", b"") % tree.encode()):
        command = ["git", "-C", str(project), "hash-object", "-w", "-t", "commit", "--literally", "--stdin"]
        sha = subprocess.run(command, input=message, capture_output=True, check=True).stdout.decode().strip()
        git(project, "update-ref", "refs/heads/main", sha)
        (record,) = read_commits(project, known_tips=())
        if b"subject" in message:
            assert isinstance(record, CommitRecord)
            assert record.subject == "\ufffd subject"
        else:
            assert isinstance(record, RefusedCommit)
            assert "empty" in record.reason


def test_a_hostile_repository_runs_nothing_and_hides_nothing(project: Path, tmp_path: Path) -> None:
    first = a_commit(project, "one", "a", "sub/b")
    tree = git(project, "rev-parse", "HEAD^{tree}")
    trace = tmp_path / "executed"
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\necho $0 >> {trace}\n")
    script.chmod(0o755)
    config = project / ".git" / "config"
    config.write_text(
        config.read_text()
        + f"[core]\n\tfsmonitor = {script}\n\tpager = {script}\n\tsshCommand = {script}\n\tquotePath = true\n"
        f"\tworktree = /nowhere\n[log]\n\tshowSignature = true\n\tshowRoot = false\n\tfollow = true\n"
        f"[gpg]\n\tprogram = {script}\n[diff]\n\texternal = {script}\n\trelative = true\n\torderFile = /gone\n"
        f'[diff "x"]\n\ttextconv = {script}\n[color]\n\tui = always\n[i18n]\n\tlogOutputEncoding = UTF-16\n'
        f'[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = {tmp_path}/none\n\tuploadpack = {script}\n'
        f"\tpromisor = true\n\tvcs = evil\n"
    )
    (project / ".gitattributes").write_text("* diff=x\n")
    signed = SIGNED % (tree, first)
    command = ["git", "-C", str(project), "hash-object", "-w", "-t", "commit", "--stdin"]
    sha = subprocess.run(command, input=signed.encode(), capture_output=True, check=True).stdout.decode().strip()
    (project / ".git" / "refs" / "heads" / "main").write_text(f"{sha}\n")
    newest, record = read(project)
    assert (newest.subject, newest.files) == ("signed", ())
    assert (record.subject, record.files) == ("one", ("a", "sub/b"))
    assert read(project / "sub") == [newest, record]
    assert not trace.exists()


@pytest.mark.parametrize("options", [("--depth=2",), ("--filter=blob:none",), ("--filter=tree:0",)])
def test_shallow_and_partial_clones_are_read_without_fetching(
    project: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    for number in range(4):
        a_commit(project, f"change {number}", f"f{number}")
    git(project, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--no-checkout", *options, f"file://{project}", str(clone))
    project.rename(tmp_path / "gone")
    records = read(clone)
    if options == ("--depth=2",):
        # Where history is cut off git would list the whole tree as touched.
        assert [record.files for record in records] == [("f3",), ()]
    elif options == ("--filter=blob:none",):
        assert [record.files for record in records] == [("f3",), ("f2",), ("f1",), ("f0",)]
    else:
        assert [record.files for record in records] == [(), (), (), ()]


def test_a_linked_work_tree_and_a_bare_repository_are_read_too(project: Path, tmp_path: Path) -> None:
    a_commit(project, "one", "a")
    git(project, "worktree", "add", "-q", "-b", "wt", str(tmp_path / "linked"))
    a_commit(tmp_path / "linked", "two", "b")
    git(tmp_path, "clone", "-q", "--bare", str(project), "bare.git")
    assert len(read(tmp_path / "linked")) == 2
    assert len(read(tmp_path / "bare.git")) == 1
    assert project_name(tmp_path / "linked") == "linked"
    assert project_name(tmp_path / "bare.git") == "shop"


def test_a_project_is_named_by_its_remote_else_by_its_folder(project: Path) -> None:
    (project / "sub").mkdir()
    assert project_name(project / "sub") == "shop"
    git(project, "remote", "add", "fork", "https://me:secret@example.org/me/store.git")
    assert project_name(project) == "store"
    git(project, "remote", "add", "origin", "git@example.org:team/real name.git")
    assert project_name(project) == "real-name"


def test_what_cannot_be_read_is_named_with_a_remedy(project: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    for path, what in (
        (tmp_path / "missing", "not a folder"),
        (tmp_path / "plain", "not in a Git"),
        (project, "no commit"),
    ):
        with pytest.raises(IntakeProblem, match=what) as refused:
            list(read_commits(path, known_tips=()))
        assert str(path) in refused.value.message
        assert refused.value.hint


def test_damage_is_a_problem_and_what_came_before_it_stays_read(project: Path) -> None:
    first = a_commit(project, "one", "a")
    a_commit(project, "two", "b")
    (project / ".git" / "objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(IntakeProblem):
        list(read_commits(project, known_tips=()))
