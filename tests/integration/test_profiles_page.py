"""The page about profiles is true: its example is registered and generates what the page shows."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from dreamd.daemon.home import Home
from dreamd.daemon.profile_wishes import problems_with
from dreamd.repo_export.profiles import registry
from dreamd.repo_export.profiles.claude_code import MAX_BYTES, MAX_LINES
from dreamd.repo_export.profiles.codex import SUMMARY_MAX_BYTES
from dreamd.repo_export.profiles.letta import SYSTEM_MAX_BYTES
from tests.acceptance.homes import a_home
from tests.cli import NOON
from tests.profiles import files_in, set_profiles

PAGE = (Path(__file__).parents[2] / "docs" / "profiles.md").read_text(encoding="utf-8")


def blocks(language: str, below: str) -> list[str]:
    """The fenced blocks of `language` under the heading `below`."""
    section = re.split(rf"^#+ {re.escape(below)}.*$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^## ", section, flags=re.MULTILINE)[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)


def test_the_example_generates_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, registration = blocks("python", "A complete example")
    name = "dreamd.repo_export.profiles.hermes"
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(compile(source, "hermes.py", "exec"), module.__dict__)  # noqa: S102 - our own page
    lines: dict[str, registry.Entry] = {}
    exec(registration, {"PROFILES": lines, "Entry": registry.Entry})  # noqa: S102
    monkeypatch.setitem(registry.PROFILES, "hermes", lines["hermes"])
    home = a_home(tmp_path / "home")
    (events,) = blocks("json", "A complete example")
    assert home.dreamd("ingest", "events", "--as", "user", "-", stdin=events).code == 0
    set_profiles(home.path, "hermes")
    home.ok("run", "--now", NOON)
    memory, user = blocks("text", "A complete example")
    found = files_in(home.path / "profiles" / "default" / "hermes")
    assert found == {"MEMORY.md": memory.encode(), "USER.md": user.encode()}


def test_the_setting_of_the_page_and_its_entries_are_allowed(tmp_path: Path) -> None:
    home = a_home(tmp_path / "home").path
    (toml,) = blocks("toml", "Turning one on")
    entries = re.findall(
        r"^\* `([^`]+)`", PAGE.partition("Each entry is")[2].partition("\n\n`dreamd run`")[0], re.MULTILINE
    )
    assert 'generated = "claude-code"' in toml and len(entries) == 4
    for entry in entries:
        assert problems_with(entry, Home(home)) == [], entry


def test_every_profile_and_its_caps_are_on_the_page() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert rows[: len(registry.PROFILES)] == list(registry.PROFILES)
    for cap in (MAX_LINES, MAX_BYTES, SUMMARY_MAX_BYTES, SYSTEM_MAX_BYTES):
        assert f"{cap:,}" in PAGE


def test_the_example_is_as_short_as_an_example_should_be() -> None:
    source, _ = blocks("python", "A complete example")
    assert len([line for line in source.splitlines() if line.strip()]) <= 45
