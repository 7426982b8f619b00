"""`dreamd verify PATH` on memories that dreamd did not write: each fault by its rule and line, and nothing else."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from dreamd.daemon.cli import main
from dreamd.daemon.verifying import findings_in_folder
from tests.memory_folders import CLEAN, FLAT, FOLDER, lay_out


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where a memory is put: the root of a repository."""
    (tmp_path / "memory" / ".git").mkdir(parents=True)
    return tmp_path / "memory"


Rows = list[dict[str, object]]


def verified(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Rows]:
    code = main(["--json", "verify", *map(str, words)])
    return code, json.loads(capsys.readouterr().out or "[]")


def found_in(root: Path) -> Rows:
    """What `verified` gives, without the cost of a command line."""
    return findings_in_folder(str(root))


def named(rows: Rows) -> list[tuple[object, ...]]:
    return [(row["level"], row["rule"], row["path"], row["line"]) for row in rows]


def test_a_memory_as_the_format_asks_for_is_clean(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(root, CLEAN)
    assert verified(capsys, root, "--strict") == (0, [])
    main(["verify", str(root)])
    assert capsys.readouterr().out == "clean\n"


def test_a_memory_in_other_forms_has_warnings_that_name_what_differs(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(root, FOLDER)
    code, rows = verified(capsys, root)
    assert code == 0
    assert named(rows) == [
        ("warning", "sourced", "MEMORY.md", 6),
        ("warning", "link-form", "MEMORY.md", 10),
    ]
    assert rows[0]["message"] == "2 entries: 1 without source, 1 without added (AMR-11)"
    assert verified(capsys, root, "--strict")[0] == 1


def test_a_folder_that_is_no_repository_is_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(tmp_path / "m", CLEAN)
    assert named(verified(capsys, tmp_path / "m")[1]) == [("warning", "repository", ".", 0)]


ENTRY = "- Prefers short answers [source: session:s1; added: 2026-02-03; mood: calm]\n"
BREAKS: tuple[tuple[str, str, str, tuple[str, str, int]], ...] = (
    ("MEMORY.md", "# Memory: team\n", "", ("warning", "title", 2)),
    ("MEMORY.md", "## Index", "## Files", ("warning", "index-heading", 0)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[[feedback_gone]]", ("error", "link", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[[feedback-no-mocks]]", ("error", "link", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[[feedback_no_mocks.md]]", ("warning", "link-form", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[[No mocks in tests]]", ("warning", "link-form", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[[../other/x]] [[feedback_no_mocks]]", ("error", "link", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "[x](gone.md) [[feedback_no_mocks]]", ("error", "link", 7)),
    ("MEMORY.md", "[[feedback_no_mocks]]", "![x](gone.png) [[feedback_no_mocks]]", ("error", "link", 7)),
    ("MEMORY.md", "- [[project_queue]]", "- `[[project_queue]]`", ("warning", "reach", 0)),
    ("MEMORY.md", "tests and databases", "x" * 200, ("warning", "index-line", 7)),
    ("MEMORY.md", ENTRY, ENTRY.replace(" [source", "\n  and more [source"), ("error", "one-line", 3)),
    ("MEMORY.md", ENTRY, ENTRY.replace("]", "] or so"), ("error", "metadata", 3)),
    ("MEMORY.md", ENTRY, ENTRY.replace("session:s1", "a[1]"), ("error", "metadata", 3)),
    ("MEMORY.md", ENTRY, ENTRY.replace("]", ""), ("error", "metadata", 3)),
    ("MEMORY.md", ENTRY, ENTRY.replace("2026-02-03", "last week"), ("error", "added", 3)),
    ("MEMORY.md", ENTRY, ENTRY.replace("2026-02-03", "2026-02-30"), ("error", "added", 3)),
    ("MEMORY.md", ENTRY, ENTRY + ENTRY, ("warning", "twice", 4)),
    ("MEMORY.md", ENTRY, ENTRY * 181, ("warning", "caps", 0)),
    ("MEMORY.md", ENTRY, ENTRY * 201, ("error", "caps", 0)),
    ("MEMORY.md", ENTRY, ENTRY.replace("short", "s" * 25_000), ("error", "caps", 0)),
    ("feedback_no_mocks.md", "type: feedback\n", "", ("error", "front-matter", 1)),
    ("feedback_no_mocks.md", "type: feedback", "type: opinion", ("error", "front-matter", 4)),
    ("feedback_no_mocks.md", "description: Tests use a real database\n", "", ("error", "front-matter", 1)),
    ("feedback_no_mocks.md", "description: Tests", "description: 5\ndescription: Tests", ("error", "front-matter", 3)),
    ("feedback_no_mocks.md", "description: Tests use", "description: [1]\nx: 1 #", ("error", "front-matter", 3)),
    ("feedback_no_mocks.md", "---\n\nTests", "---\n---\nx: 1\n---\n\nTests", ("error", "front-matter", 6)),
    ("feedback_no_mocks.md", "name: No", "name: [No", ("error", "front-matter", 1)),
    ("project_queue.md", "name: queue-choice", "name: queue-choice\ntype: user", ("error", "front-matter", 3)),
    ("project_queue.md", "  type: project\n", "", ("error", "front-matter", 1)),
    ("project_queue.md", "name: queue-choice", "name: No mocks in tests", ("warning", "front-matter", 2)),
)


@pytest.mark.parametrize(("path", "old", "new", "expected"), BREAKS, ids=range(len(BREAKS)))
def test_each_fault_is_named_by_its_rule_and_line(
    root: Path,
    path: str,
    old: str,
    new: str,
    expected: tuple[str, str, int],
) -> None:
    assert old in CLEAN[path]
    lay_out(root, {**CLEAN, path: CLEAN[path].replace(old, new, 1)})
    rows = found_in(root)
    level, rule, line = expected
    assert (level, rule, line) in [(row["level"], row["rule"], row["line"]) for row in rows]
    assert {row["rule"] for row in rows} <= {rule, "reach", "twice", "caps", "sourced"}


HARMLESS: tuple[Mapping[str, str | bytes], ...] = (
    {"MEMORY.md": CLEAN["MEMORY.md"].replace("\n", "\r\n")},
    {"MEMORY.md": b"\xef\xbb\xbf" + CLEAN["MEMORY.md"].encode()},
    {"MEMORY.md": CLEAN["MEMORY.md"].rstrip("\n")},
    {"MEMORY.md": CLEAN["MEMORY.md"].replace("calm]\n", "calm]\n</people>\n")},
    {"MEMORY.md": CLEAN["MEMORY.md"] + "\n```\n- [[gone]] [source: x\n```\n<!-- [[gone]] -->\n`[[gone]]`\n"},
    {"MEMORY.md": CLEAN["MEMORY.md"].replace("calm]", "calm] [source: session:s2]")},
    {"MEMORY.md": CLEAN["MEMORY.md"].replace("short", "[decision] [1] [TODO] [x](https://a.b/c) short")},
    {
        "MEMORY.md": CLEAN["MEMORY.md"].replace(
            "databases", "databases, [[project_queue|the queue]], [[project_queue#x]]"
        )
    },
    {
        "templates/note.md": "- [[path]]\n",
        ".obsidian/x.md": "[[gone]]",
        "README.md": "- no entry\n",
        "data.sql": "[[x]]",
    },
    {
        "swarms/x/README.md": "# x\n",
        "MEMORY.md": CLEAN["MEMORY.md"] + "- [[swarms/x/README]]\n- [[data.csv]]\n",
        "data.csv": "",
    },
    {
        "reports.md": "---\ntitle: T\ntype: note\npermalink: t\n---\n",
        "MEMORY.md": CLEAN["MEMORY.md"] + "- [[reports]]\n",
    },
)


@pytest.mark.parametrize("more", HARMLESS, ids=range(len(HARMLESS)))
def test_what_only_looks_like_a_fault_is_none(root: Path, more: Mapping[str, str | bytes]) -> None:
    lay_out(root, {**CLEAN, **more})
    assert found_in(root) == []


def test_without_a_memory_the_folders_that_have_one_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay_out(tmp_path, {"a/MEMORY.md": "# Memory\n", "b/x.md": "x"})
    code, (row,) = verified(capsys, tmp_path)
    assert (code, row["rule"]) == (1, "memory")
    assert "there is one in a" in str(row["message"])


def test_ids_are_unique_and_what_ended_is_not_in_memory(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        "MEMORY.md": "# Memory\n\n- Old words [source: a; added: 2026-01-01; id: e1]\n\n## Index\n- [[notes]]\n",
        "notes.md": "- New words [source: a; added: 2026-01-02; id: e2; supersedes: e1]\n"
        "- Other words [source: a; added: 2026-01-02; id: e2; supersedes: e9]\n",
    }
    _, rows = verified(capsys, lay_out(root, files))
    assert [(row["path"], row["line"], row["rule"]) for row in rows] == [
        ("MEMORY.md", 3, "superseded"),
        ("notes.md", 2, "supersedes"),
        ("notes.md", 2, "unique-id"),
    ]


def test_names_that_some_systems_take_for_one_are_found(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(root, {**CLEAN, "Site Roadmap.md": "", "site-roadmap.md": "", "README.md": "", "readme.md": ""})
    _, rows = verified(capsys, root)
    assert {("error", "same-name", "readme.md", 0), ("warning", "same-name", "site-roadmap.md", 0)} <= set(named(rows))


def test_a_baseline_leaves_only_what_is_new(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old.json"
    lay_out(root, {**CLEAN, "MEMORY.md": CLEAN["MEMORY.md"] + "- [[gone]]\n"})
    assert verified(capsys, root, "--write-baseline", old) == (0, [])
    assert verified(capsys, root, "--baseline", old, "--strict") == (0, [])
    # Lines may move; the same fault once more is new.
    moved = CLEAN["MEMORY.md"].replace("## Index", "\n## Index")
    lay_out(root, {"MEMORY.md": moved + "- [[gone]]\n- [[gone]]\n- [[gone_too]]\n"})
    code, rows = verified(capsys, root, "--baseline", old)
    assert code == 1
    assert [str(row["message"]).split()[0] for row in rows] == ["[[gone]]", "[[gone_too]]"]


@pytest.mark.parametrize("content", ["", "{}", "[1]", "[[]]", '{"a": 1}', "[" * 9_999, b"\xff"])
def test_what_is_no_baseline_is_refused(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | bytes
) -> None:
    lay_out(tmp_path, {"b.json": content})
    code = main(["verify", str(lay_out(root, CLEAN)), "--baseline", str(tmp_path / "b.json")])
    told = capsys.readouterr()
    assert code == 65
    assert "is no baseline" in told.err


def test_one_level_may_be_asked_for(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(root, {**FOLDER, "feedback_no_mocks.md": FLAT.replace("type: feedback\n", "")})
    for level, rules in {"readers": ["front-matter"], "provenance": ["sourced"], "round-trip": []}.items():
        assert [row["rule"] for row in verified(capsys, root, "--only", level)[1]] == rules
    assert main(["verify", str(root), "--only", "spelling"]) == 2
    assert "format, readers, provenance, round-trip, store" in capsys.readouterr().err


def test_what_cannot_be_read_is_named(root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(root, {**CLEAN, "latin.md": b"ok\nna\xefve"})
    (root / "link.md").symlink_to(tmp_path / "secret")
    _, rows = verified(capsys, root)
    assert ("error", "readable", "latin.md", 2) in named(rows)
    assert ("error", "readable", "link.md", 0) in named(rows)


def test_names_of_any_bytes_do_not_stop_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(root, CLEAN)
    (root / b"na\xefve\x1b.md".decode("utf-8", "surrogateescape")).write_text("[[gone]]")
    assert main(["verify", str(root)]) == 1
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("words", [("nowhere",), ("memory/MEMORY.md",)])
def test_what_is_no_folder_is_refused(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    lay_out(root, CLEAN)
    assert main(["verify", *(str(tmp_path / word) for word in words)]) == 65
    assert "hint:" in capsys.readouterr().err


def test_a_bare_repository_is_read_at_its_head(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(tmp_path / "m", {**CLEAN, "MEMORY.md": CLEAN["MEMORY.md"] + "- [[gone]]\n"})
    for words in (
        ("init", "-q", "m"),
        ("-C", "m", "add", "."),
        ("-C", "m", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-qm", "x"),
        ("clone", "-q", "--bare", "m", "bare.git"),
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)
    assert named(verified(capsys, tmp_path / "bare.git")[1]) == [("error", "link", "MEMORY.md", 9)]
