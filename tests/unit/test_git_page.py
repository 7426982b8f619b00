"""docs/git.md: every row is shown by tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| (?!what |---)(.+) \|$", re.MULTILINE)


def test_every_row_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "git.md").read_text(encoding="utf-8")
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    there = set(re.findall(r"^def (test_\w+)", code, re.MULTILINE))
    rows = [row.split(" | ") for row in ROW.findall(page)]
    assert len(rows) > 25
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row[-1])
        assert named, row
        assert not set(named) - there, row
