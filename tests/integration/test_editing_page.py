"""The page about editing says what happens: each example of it is carried out, and the report has the word it gives."""

import re
from pathlib import Path

import pytest

from tests.edited import copy_of, prepare

PAGE = Path(__file__).parents[2] / "docs" / "editing.md"
EXAMPLES = re.findall(r"```diff\n(?P<path>\S+): (?P<what>[a-z ]+)\n(?P<lines>(?:[-+] .*\n)+)```", PAGE.read_text())


def changed(text: str, lines: list[str], path: str) -> str:
    """`text` with the lines of an example: `- ` goes, `+ ` comes in its place, or at the end, or before the index."""
    old = [line[2:] for line in lines if line.startswith("- ")]
    new = [line[2:] for line in lines if line.startswith("+ ")]
    if not old:
        bullet = f"\n{new[0]}" if new[0].endswith("this.") else f"- {new[0]}"  # a paragraph begins after an empty line
        mark = "\n## Index" if path == "MEMORY.md" else None
        return f"{text}{bullet}\n" if mark is None else text.replace(mark, f"{bullet}\n{mark}", 1)
    lead = "" if ": " in old[0] else "- "
    (line,) = [line for line in text.splitlines() if line.startswith(lead + old[0])]
    if not new:
        return text.replace(f"{line}\n", "")
    words, _, beside = new[0].partition("; ")
    now = line.replace(old[0], words)
    return text.replace(line, f"{now[:-1]}; {beside}]" if beside else now)


def test_the_page_has_examples_of_each_kind_of_edit() -> None:
    assert {what for _, what, _ in EXAMPLES} == {"changed", "added", "removed", "pinned", "named", "left"}


def test_each_example_of_the_page_becomes_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(tmp_path / "prepared")
    edited = copy_of(tmp_path / "prepared", tmp_path / "home", capsys)
    files: dict[str, str] = {}
    for path, _, lines in EXAMPLES:
        there = edited.memory / path
        before = files.get(path, there.read_text() if there.exists() else "")
        files[path] = changed(before, lines.splitlines(), path)
    edited.commit(files)
    edited.run()
    told = edited.report().split("## Edited by people\n")[1].split("\n## ")[0]
    for path, what, lines in EXAMPLES:
        words = lines.splitlines()[-1][2:].partition("; ")[0]
        of_file = [line for line in told.splitlines() if line.startswith(f"- {path}: ") and f", {what} by Ada" in line]
        assert any(words in line for line in of_file), (path, what, told)
    assert edited.verify() == []
