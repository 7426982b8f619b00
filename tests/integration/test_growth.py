"""A space that outgrows MEMORY.md, through the command line: caps, pages of indexes, steady names."""

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest import CaptureFixture, MonkeyPatch

from dreamd.repo_export import child_index
from tests.cli import Command, command_in

START = datetime.fromisoformat("2026-01-01T08:00:00Z")
LINK = re.compile(r"^- \[\[([^\]]+)\]\]", re.MULTILINE)
COUNT = 280  # decisions, of which MEMORY.md holds less than 180


@pytest.fixture
def command(tmp_path: Path, capsys: CaptureFixture[str], monkeypatch: MonkeyPatch) -> Command:
    # Small pages, so that a small space has several levels of them.
    monkeypatch.setattr(child_index, "CHILD_MAX_LINES", 12)
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


def a_dream(command: Command, tmp_path: Path, day: int, targets: Iterable[str], kind: str = "decision") -> None:
    at = START + timedelta(days=day)
    events = [
        {"at": at.isoformat(), "kind": kind, "target": target, "text": f"Use plan {len(target)}{day} for {target}"}
        for target in targets
    ]
    file = tmp_path / "events.jsonl"
    file.write_text("".join(json.dumps(event) + "\n" for event in events))
    assert command("--now", at.isoformat(), "ingest", "events", str(file)).code == 0
    assert command("--now", (at + timedelta(hours=1)).isoformat(), "run").code == 0


def names(count: int) -> list[str]:
    return [f"{word} {number}" for number in range(count // 4) for word in ("api", "build", "cache", "Größe")]


def git(root: Path, *words: str) -> str:
    command = ("git", "-c", "safe.directory=*", "-C", str(root), *words)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def reached(root: Path) -> dict[str, int]:
    """By path, in how many steps from MEMORY.md each file is reached over links of indexes."""
    steps, new = {"MEMORY.md": 0}, ["MEMORY.md"]
    while new:
        path = new.pop(0)
        if not (path == "MEMORY.md" or "/INDEX" in path or "/index/" in path):
            continue
        for link in LINK.findall((root / path).read_text(encoding="utf-8")):
            if f"{link}.md" not in steps:
                steps[f"{link}.md"] = steps[path] + 1
                new.append(f"{link}.md")
    return steps


def paths(command: Command) -> dict[str, str]:
    return {row["target"]: row["path"] for row in command("streams", "--json").value if row["path"] is not None}


def indexes(root: Path) -> Iterator[Path]:
    yield root / "MEMORY.md"
    yield from root.rglob("INDEX.md")
    yield from root.rglob("index/**/*.md")


def test_a_space_that_outgrows_its_index_stays_within_all_caps_and_loses_no_file(
    command: Command, tmp_path: Path
) -> None:
    a_dream(command, tmp_path, 1, names(COUNT))
    root = tmp_path / "home" / "memory" / "default"
    found = paths(command)
    steps = reached(root)
    assert len(found) == COUNT
    assert {steps[path] for path in found.values()} <= {1, 2, 3, 4, 5}
    assert all((root / path).is_file() for path in steps)
    assert len({path.lower() for path in steps}) == len(steps)
    for file in indexes(root):
        content = file.read_bytes()
        assert content.count(b"\n") <= (180 if file.name == "MEMORY.md" else 12)
        assert len(content) <= 22_000
    verified = command("verify")
    assert verified.code == 0, verified.out

    # Others come, and no path changes; what a night changed is little; rendered as a whole it is the same.
    head = git(root, "rev-parse", "HEAD").strip()
    a_dream(command, tmp_path, 2, ["a newcomer", "cache 7"])
    assert found.items() <= paths(command).items()
    changed = git(root, "diff", "--name-only", head, "HEAD").split()
    assert len([path for path in changed if "index" in path.lower() and path != "MEMORY.md"]) <= 6
    again = git(root, "rev-parse", "HEAD").strip()
    assert command("--now", (START + timedelta(days=3)).isoformat(), "export").code == 0
    assert git(root, "diff", "--name-only", again, "HEAD") == ""
    assert command("verify").code == 0


def test_pages_go_when_they_are_no_longer_needed(command: Command, tmp_path: Path) -> None:
    a_dream(command, tmp_path, 1, ["first"])
    a_dream(command, tmp_path, 2, names(240))
    root = tmp_path / "home" / "memory" / "default"
    assert list(root.rglob("index/*.md"))
    assert command("--now", (START + timedelta(days=3)).isoformat(), "undo").code == 0
    assert list(root.rglob("index/*.md")) == []
    assert list(root.rglob("INDEX.md")) == []
    assert command("verify").code == 0


def test_a_page_of_an_index_that_a_person_committed_over_is_written_again(command: Command, tmp_path: Path) -> None:
    a_dream(command, tmp_path, 1, names(240))
    root = tmp_path / "home" / "memory" / "default"
    page = sorted(root.rglob("index/*.md"))[-1]
    before = page.read_bytes()
    page.write_bytes(before.replace(b"[phase: emergent", b"[phase: canonical", 1))
    mine = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    git(root, *mine, "commit", "-qam", "Look at this one")
    a_dream(command, tmp_path, 2, ["a newcomer"])
    assert page.read_bytes() == before
    assert command("verify").code == 0


def test_what_the_head_has_no_room_for_is_counted_and_every_cut_of_memory_stays_true(
    command: Command, tmp_path: Path
) -> None:
    """More preferences and corrections than the head holds; no cut shows what was corrected without its correction."""
    targets = [f"rule {number}" for number in range(60)]
    a_dream(command, tmp_path, 1, targets, kind="preference")
    old = {f"Use plan {len(target)}1 for {target}" for target in targets}
    a_dream(command, tmp_path, 2, targets, kind="correction")
    root = tmp_path / "home" / "memory" / "default"
    lines = (root / "MEMORY.md").read_text(encoding="utf-8").split("\n")
    start = lines.index("## Index")
    assert len(lines) <= 181
    assert sum(len(line) + 1 for line in lines[:start] if line.startswith("- ")) <= 2_000
    superseded = {
        claim["text"] for claim in command("claims", "--all", "--json").value if claim["status"] != "current"
    } & old
    for cut in range(len(lines) + 1):
        shown = lines[:cut]
        for place, line in enumerate(shown):
            assert not any(text in line for text in superseded)
            told = [text for text in old if text in line]
            # An uncorrected statement may stand only below the correction on its page.
            for text in told:
                target = text.rpartition(" for ")[2]
                assert any(f"2 for {target}" in before for before in shown[: place + 1]), line
    (report,) = root.rglob("reports/*/*/000002.md")
    assert "the head of MEMORY.md is full" in report.read_text(encoding="utf-8")
    assert command("verify").code == 0


def test_a_page_of_an_index_that_a_person_removes_or_writes_on_is_no_page_of_a_stream(
    command: Command, tmp_path: Path
) -> None:
    a_dream(command, tmp_path, 0, names(COUNT))
    root = tmp_path / "home" / "memory" / "default"
    one, other = sorted(root.glob("*/index/[a-z]*.md"))[:2]
    before = one.read_bytes()
    one.unlink()
    other.write_text(other.read_text(encoding="utf-8") + "a word of mine\n")
    git(root, "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qam", "tidy")
    told = command("--now", (START + timedelta(days=2)).isoformat(), "run")
    assert told.code == 0
    assert "dreamd writes this file, and will write it again" in told.out
    assert command("export").code == 0
    assert one.read_bytes() == before
    assert "a word of mine" in other.read_text(encoding="utf-8")
    streams = command("--json", "streams").value
    assert {(each["status"], each["doubtful"]) for each in streams} == {("active", False)}
    assert {each["status"] for each in command("--json", "claims").value} == {"current"}


@pytest.mark.parametrize("content", [b'{"files": {}, "format_version": 1e999, "space": "x"}', b"[" * 100_000])
def test_a_manifest_that_no_program_wrote_is_a_finding(
    tmp_path: Path, capsys: CaptureFixture[str], content: bytes
) -> None:
    (tmp_path / ".dreamd").mkdir()
    (tmp_path / ".dreamd" / "manifest.json").write_bytes(content)
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n## Index\n")
    told = command_in(tmp_path / "home", capsys)("verify", str(tmp_path))
    assert (told.code, "manifest" in told.out) == (1, True)
