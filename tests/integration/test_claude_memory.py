"""How `install claude-code` offers the memory as a profile, and what `status` says of profiles."""

import re
import subprocess
from pathlib import Path

import pytest

from dreamd.daemon.home import Home
from dreamd.daemon.profile_wishes import problems_with
from dreamd.repo_export.profiles import laying
from tests.acceptance.homes import a_home
from tests.cli import NOON
from tests.profiles import Lived, a_lived_in_home

OFFER = re.compile(r'^  \[profiles\] generated = "(.+)"$', re.MULTILINE)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "ada"
    project = folder / "my.shop" / "src"
    project.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(project.parent)], check=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(project)
    return folder


def test_install_shows_the_setting_for_the_project_and_writes_none(user: Path, tmp_path: Path) -> None:
    home = a_home(tmp_path / "home")
    before = (home.path / "dreamd.toml").read_bytes()
    told = OFFER.search(home.ok("install", "claude-code").out)
    assert told is not None
    name = re.sub(r"[^0-9A-Za-z]", "-", str(user / "my.shop"))
    assert told[1] == f"my.shop:claude-code={user}/.claude/projects/{name}/memory"
    assert problems_with(told[1], Home(home.path)) == []
    assert (home.path / "dreamd.toml").read_bytes() == before and not (user / ".claude" / "projects").exists()
    home.ok("uninstall", "claude-code")
    assert not (user / ".claude").exists()


def test_the_setting_that_install_shows_puts_the_memory_there(user: Path, tmp_path: Path) -> None:
    a_lived_in_home(tmp_path / "home")
    lived = Lived(a_home(tmp_path / "home"), "")
    told = OFFER.search(lived("install", "claude-code", "--space", "shop").out)
    assert told is not None
    lived.wants(told[1])("run")
    (memory,) = (user / ".claude" / "projects").glob("*/memory/MEMORY.md")
    assert memory.read_text().startswith("# Memory: shop\n")


@pytest.mark.parametrize("folder", ["x" * 250, 'a"b', "a,b"])
def test_no_setting_is_shown_for_a_folder_that_it_could_not_name(
    user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / folder) if len(folder) < 99 else str(user))
    (user / folder).mkdir()
    monkeypatch.chdir(user / folder)
    assert OFFER.search(a_home(tmp_path / "home").ok("install", "claude-code", "--dry-run").out) is None


def test_status_names_the_profiles_and_what_waits(tmp_path: Path) -> None:
    a_lived_in_home(tmp_path / "home")
    lived = Lived(a_home(tmp_path / "home"), "claude-code")
    lived("run")
    assert f"  profile claude-code: 4 files in {lived.folder}\n" in lived("status", now=NOON).out
    (lived.folder / "MEMORY.md").write_text("mine\n")
    lived("run")
    assert f"    left alone: MEMORY.md ({laying.EDITED})\n" in lived("status", now=NOON).out
    (space,) = lived("status", "--json").json()["spaces"]
    assert space["profiles"][0]["waiting"] == [{"path": "MEMORY.md", "reason": laying.EDITED}]
