"""A purge takes nothing out of a report because of the words that dreamd itself uses there."""

import re

from tests.acceptance.canaries import FIRST, SECOND, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines


def reports(home: AHome) -> dict[str, str]:
    listed = home.git("default", "ls-tree", "-r", "--name-only", "HEAD", "reports/").split()
    return {path: home.git("default", "show", f"HEAD:{path}") for path in listed}


def words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.casefold()) if len(word) > 3}


def test_a_purged_statement_of_every_word_that_a_report_uses_damages_none(tmp_path):
    home = a_home(tmp_path / "home")
    (tmp_path / "cache.jsonl").write_text(lines(*story_of("cache")))
    home.ok("--now", FIRST, "ingest", "events", str(tmp_path / "cache.jsonl"))
    home.ok("--now", FIRST, "run")
    own = words("".join(text for path, text in reports(home).items() if path.endswith(".md")))
    said = " ".join(sorted({*own, "used", "headroom"}))
    home.ok("--now", SECOND, "record", "--target", "tool", "--kind", "decision", f"Zed is used {said}"[:1900])
    home.ok("--now", SECOND, "record", "--target", "tool", "--kind", "decision", "Zed is used")
    before, head = reports(home), home.git("default", "rev-parse", "HEAD")
    home.ok("--now", SECOND, "purge", "tool", "--yes")
    after = reports(home)
    assert {path: after.get(path) for path in before} == before
    home.git("default", "merge-base", "--is-ancestor", head.strip(), "HEAD")
    assert any("bytes are used" in text for text in after.values())
