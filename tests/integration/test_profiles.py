"""Profiles through the command line: derived from the memory, and never at the cost of a file that is not dreamd's."""

import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from dreamd.repo_export.profiles import laying
from tests.cli import NOON
from tests.profiles import LATER, SECOND, Lived, a_lived_in_home, copied, files_in, said

PAGE = "dreamd_project_redis-cache.md"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("profiles") / "home"
    a_lived_in_home(path)
    return path


@pytest.fixture
def fed(template: Path, tmp_path: Path) -> Lived:
    """A home that has events and has not dreamt."""
    return copied(template, tmp_path / "fed" / "home")


@pytest.fixture(scope="module")
def dreamt_template(template: Path) -> Path:
    lived = copied(template, template.parent / "dreamt")
    assert lived("run").code == 0
    return lived.home.path


@pytest.fixture
def lived(dreamt_template: Path, tmp_path: Path) -> Lived:
    """A home that has dreamt once and generates the profile for Claude Code."""
    return copied(dreamt_template, tmp_path / "lived" / "home")


def kept(lived: Lived, *words: str, now: str = LATER) -> dict[str, object]:
    """What `run`, or the command of `words`, says became of the profile."""
    value = lived(*(words or ("run",)), "--json", now=now).json()
    profiles = value[0]["profiles"] if isinstance(value, list) else value["export"].get("profiles", [])
    found: dict[str, object] = profiles[-1]
    return found


def waiting(lived: Lived, *words: str) -> dict[str, str]:
    rows = kept(lived, *words)["waiting"]
    assert isinstance(rows, list)
    return {row["path"]: row["reason"] for row in rows}


def git(lived: Lived, *words: str) -> None:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", "-C", str(lived.repository), *identity, *words], check=True, capture_output=True)


# What is generated


def test_nothing_is_generated_unless_it_is_asked_for(fed: Lived) -> None:
    assert fed.wants("")("run").code == 0
    assert not (fed.home.path / "profiles").exists()


def test_a_run_says_where_its_profile_is(fed: Lived) -> None:
    answer = fed("run")
    assert f"  Profile claude-code: 4 files in {fed.folder}\n" in answer.out
    assert sorted(files_in(fed.folder)) == [
        "MEMORY.md",
        PAGE,
        "dreamd_reference_queue.md",
        "dreamd_user_style.md",
    ]


def test_the_same_state_gives_the_same_bytes_and_a_quiet_night_moves_none(lived: Lived, fed: Lived) -> None:
    fed("run")
    assert files_in(fed.folder) == files_in(lived.folder)
    before = {path: (os.stat(path).st_ino, os.stat(path).st_mtime_ns) for path in lived.folder.iterdir()}
    assert kept(lived, "export")["written"] == []
    lived("run")
    assert {path: (os.stat(path).st_ino, os.stat(path).st_mtime_ns) for path in lived.folder.iterdir()} == before


def test_what_is_superseded_leaves_every_file_in_the_same_run(fed: Lived) -> None:
    every = fed.wants("claude-code, codex, letta")
    every("run")
    folder = fed.home.path / "profiles"
    assert any(b"Redis 7" in content for content in files_in(folder).values())
    every.tells(*SECOND)
    every("run", now=LATER)
    files = files_in(folder)
    assert not any(b"Redis 7" in content for content in files.values())
    assert sum(b"Redis 8" in content for path, content in files.items() if path.endswith(".md")) >= 6


def test_a_file_goes_when_its_stream_goes_and_the_profile_with_all_that_is_known(lived: Lived) -> None:
    lived.tells(said("Use one ledger", "decision", "ledger", "2026-03-20T13:00:00Z"))
    lived("run", now=LATER)
    assert (lived.folder / "dreamd_project_ledger.md").exists() or (
        lived.folder / "dreamd_reference_ledger.md"
    ).exists()
    lived("undo", now=LATER)
    assert not list(lived.folder.glob("*ledger*"))
    lived("revert", "1", now=LATER)
    assert files_in(lived.folder) == {}


def test_a_secret_that_a_person_committed_is_hidden(lived: Lived) -> None:
    token = "ghp_" + "a1B2" * 9
    page = lived.repository / "projects" / "redis-cache.md"
    page.write_text(page.read_text().replace("Use Redis 7 for the cache [", f"Use {token} [", 1))
    git(lived, "commit", "-qam", "mine")
    (lived.repository / "projects" / "redis-cache.md").read_text().index(token)
    lived.tells(said("Use one ledger", "decision", "ledger", "2026-03-20T13:00:00Z"))
    lived("run", now=LATER)
    assert not any(token.encode() in content for content in files_in(lived.home.path / "profiles").values())


def test_in_an_over_full_space_every_form_stays_within_its_caps(fed: Lived) -> None:
    """Cut at any line end, what is left says nothing that was overruled; what has no room is counted."""
    services = [f"service number {number} of the large platform" for number in range(130)]
    fed.tells(
        *(said(f"Use Redis 7 for {it}", "decision", it, "2026-03-02T10:00:00Z") for it in services),
        *(said(f"Use Redis 8 for {it}", "decision", it, "2026-03-05T10:00:00Z") for it in services),
        *(said(f"Always ask before {it} goes down", "preference", it) for it in services[:50]),
        *(said(f"No, the {it} is written in Go", "correction", it) for it in services[50:90]),
        now=NOON,
    )
    every = fed.wants("claude-code, codex, letta")
    value = every("run", "--json").json()["export"]["profiles"]
    lacking = [sum(row["count"] for row in profile["left_out"]) for profile in value]
    assert min(lacking) > 10, value
    assert all(len(row["first"]) <= 20 for profile in value for row in profile["left_out"])
    files = files_in(fed.home.path / "profiles" / "shop")
    assert not any(b"Redis 7 for service" in content for content in files.values())
    index = files["claude-code/MEMORY.md"]
    assert index.count(b"\n") <= 200 and len(index) <= 25_000
    assert len(files["codex/memory_summary.md"]) <= 16_000
    head = index.decode().partition("## Index")[0]
    kinds = ["No, the" in line for line in head.splitlines() if line.startswith("- ")]
    assert kinds == sorted(kinds, reverse=True) and any(kinds)
    listed = re.findall(r"^- \[.+\]\((\S+)\)", index.decode(), re.MULTILINE)
    assert sorted(f"claude-code/{name}" for name in listed) == sorted(
        path for path in files if path.startswith("claude-code/dreamd_")
    )


# What is not ours


def test_a_changed_file_waits_with_its_reason_and_the_others_are_written(lived: Lived) -> None:
    index = lived.folder / "MEMORY.md"
    ours = index.read_bytes()
    index.write_bytes(ours + b"- [Mine](mine.md)\n")
    (lived.folder / "mine.md").write_text("mine\n")
    lived.tells(*SECOND)
    answer = lived("run", now=LATER)
    assert f"left alone: {index} ({laying.EDITED})" in answer.out
    assert b"Redis 8" in (lived.folder / PAGE).read_bytes()
    assert index.read_bytes() == ours + b"- [Mine](mine.md)\n" and (lived.folder / "mine.md").read_text() == "mine\n"
    index.write_bytes(ours)  # as dreamd wrote it last: it is ours again
    assert waiting(lived) == {} and b"Redis 8" in index.read_bytes()


def test_what_was_there_before_is_never_touched(fed: Lived) -> None:
    fed.folder.mkdir(parents=True)
    (fed.folder / "MEMORY.md").write_text("# Claude's own\n")
    (fed.folder / PAGE).mkdir()
    assert waiting(fed) == {"MEMORY.md": laying.NOT_OURS, PAGE: laying.STRANGE}
    assert (fed.folder / "MEMORY.md").read_text() == "# Claude's own\n"
    assert (fed.folder / "dreamd_user_style.md").exists()
    assert fed.wants("")("run", now=LATER).code == 0
    assert sorted(path.name for path in fed.folder.iterdir()) == ["MEMORY.md", PAGE]


def test_a_changed_file_stays_when_what_it_told_goes(lived: Lived) -> None:
    (lived.folder / PAGE).write_text("mine\n")
    lived("revert", "1", now=LATER)
    assert list(files_in(lived.folder)) == [PAGE]
    assert waiting(lived) == {PAGE: laying.EDITED_AND_GONE}


def test_a_deleted_file_stays_away_until_a_person_exports(lived: Lived) -> None:
    (lived.folder / PAGE).unlink()
    lived.tells(*SECOND)
    assert waiting(lived) == {PAGE: laying.DELETED}
    assert not (lived.folder / PAGE).exists()
    assert waiting(lived, "export") == {} and b"Redis 8" in (lived.folder / PAGE).read_bytes()


def test_a_copied_home_leaves_the_folders_of_the_other_alone(lived: Lived, tmp_path: Path) -> None:
    before = files_in(lived.folder)
    copy = copied(lived.home.path, tmp_path / "copy" / "home", "")
    assert copy("run").code == 0
    assert files_in(copy.folder) == {} and files_in(lived.folder) == before


def test_a_deleted_folder_comes_back_whole(lived: Lived) -> None:
    before = files_in(lived.folder)
    shutil.rmtree(lived.folder)
    lived("run")
    assert files_in(lived.folder) == before


def test_without_its_record_dreamd_knows_its_files_by_their_bytes(lived: Lived) -> None:
    record = lived.folder.with_name("claude-code.json")
    record.write_text("{broken")
    (lived.folder / PAGE).write_text("mine\n")
    assert waiting(lived) == {PAGE: laying.NOT_OURS}
    lived("revert", "1", now=LATER)
    assert list(files_in(lived.folder)) == [PAGE]


@pytest.mark.parametrize("part", ["profiles", "profiles/shop", "profiles/shop/claude-code"])
def test_no_link_is_followed_to_a_folder(fed: Lived, tmp_path: Path, part: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = fed.home.path / part
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(elsewhere)
    answer = fed("run")
    assert answer.code == 0 and "Profile claude-code stays as it is: " in answer.out
    assert list(elsewhere.rglob("*.md")) == []


def test_no_link_is_followed_to_a_file(lived: Lived, tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs\n")
    (lived.folder / PAGE).unlink()
    (lived.folder / PAGE).symlink_to(tmp_path / "theirs")
    lived.tells(*SECOND)
    assert waiting(lived) == {PAGE: laying.STRANGE}
    assert (tmp_path / "theirs").read_text() == "theirs\n" and (lived.folder / PAGE).is_symlink()


# What stands in the way


def test_a_failure_is_told_and_undoes_nothing(fed: Lived, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    answer = fed.wants(f"shop:claude-code={tmp_path}/file/memory")("run", "--json")
    value = answer.json()
    assert (answer.code, value["outcome"], value["export"]["status"]) == (0, "applied", "done")
    (profile,) = value["export"]["profiles"]
    assert profile["status"] == "failed" and "name the real folder" in profile["reason"]


# Where it goes


def test_a_profile_goes_where_the_setting_says_and_leaves_where_it_was(lived: Lived, tmp_path: Path) -> None:
    before, elsewhere = files_in(lived.folder), tmp_path / "claude" / "shop" / "memory"
    (lived.folder / "mine.md").write_text("mine\n")
    moved = lived.wants(f"claude-code={tmp_path}/claude/{{space}}/memory")
    assert moved("run").code == 0
    assert files_in(elsewhere) == before and files_in(lived.folder) == {"mine.md": b"mine\n"}
    assert "Profile claude-code, no longer generated: 0 files" in moved.wants("")("run", now=NOON).out
    assert files_in(elsewhere) == {} and not lived.folder.with_name("claude-code.json").exists()


def test_one_space_may_go_elsewhere_than_all_others(fed: Lived, tmp_path: Path) -> None:
    fed("record", "--space", "other", "--target", "queue", "--kind", "decision", "Use one queue")
    fed.wants(f"claude-code, shop:claude-code={tmp_path}/here")("run")
    assert (tmp_path / "here" / "MEMORY.md").read_text().startswith("# Memory: shop\n")
    assert (fed.home.path / "profiles" / "other" / "claude-code" / "MEMORY.md").exists()
    assert not fed.folder.exists()


@pytest.mark.parametrize(
    ("generated", "told"),
    [
        ("claude", "names the profile 'claude'; there are: claude-code, codex, letta"),
        ("claude-code=memory", "names the folder 'memory'; allowed: one that begins with / or ~/"),
        ("claude-code=/a/../b", "has no part .."),
        ("claude-code=/a/b", "names the folder '/a/b' for every space; allowed: one with {space} in it"),
        ("a:codex=/x, b:letta=/x", "names the folder '/x' twice"),
        ("codex, codex", "names 'codex' twice for one space"),
        ("Co dex", "holds 'Co dex'; allowed: [SPACE:]NAME[=FOLDER]"),
        ("shop:claude-code={memory}/shop/x", "inside the memory repositories; allowed: one outside of "),
    ],
)
def test_a_bad_setting_is_refused_with_what_is_allowed(fed: Lived, generated: str, told: str) -> None:
    answer = fed.wants(generated.replace("{memory}", str(fed.home.path / "memory")))("run")
    assert (answer.code, told in answer.err) == (78, True), answer.err


# Kills


@pytest.fixture(scope="module")
def after_the_second(dreamt_template: Path) -> dict[str, bytes]:
    lived = copied(dreamt_template, dreamt_template.parent / "second" / "home")
    lived.tells(*SECOND)
    assert lived("run", now=LATER).code == 0
    return files_in(lived.home.path / "profiles")


@pytest.mark.parametrize("place", ["profile-recorded", "profile-file-written", "profile-written"])
def test_what_is_cut_short_ends_in_the_same_place(
    lived: Lived, after_the_second: dict[str, bytes], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived.tells(*SECOND)
    with monkeypatch.context() as cut:
        cut.setattr("dreamd.daemon.failpoints._reached", Counter())
        cut.setenv("DREAMD_FAILPOINT", f"{place}:raise")
        assert lived("run", now=LATER).code == 70
    assert kept(lived)["waiting"] == []
    assert files_in(lived.home.path / "profiles") == after_the_second


def test_so_does_what_is_killed(lived: Lived, after_the_second: dict[str, bytes]) -> None:
    lived.tells(*SECOND)
    assert lived.home.process("run", "--now", LATER, DREAMD_FAILPOINT="profile-file-written:2").code < 0
    assert kept(lived)["waiting"] == []
    assert files_in(lived.home.path / "profiles") == after_the_second
