"""A purge and people's edits: what a person wrote goes like any other word, and the new history is no edit."""

import json

from tests.acceptance.canaries import FIRST, SECOND, THIRD, found_in, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

LATER = "2026-03-25T00:00:00Z"


def with_an_edit(folder) -> AHome:
    home = a_home(folder / "home")
    (folder / "in.jsonl").write_text(lines(*story_of("cache"), *story_of("parser")))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "in.jsonl"))
    home.ok("--now", FIRST, "run")
    (page,) = [path for path in home.tree() if path.endswith("/parser.md")]
    file = home.path / "memory" / "default" / page
    text = file.read_text().splitlines()
    bullet = next(number for number, line in enumerate(text) if line.startswith("- "))
    text.insert(bullet, "- The dingozz parser is written in Rust")
    file.write_text("\n".join(text) + "\n")
    for words in (
        ("config", "user.name", "Ada"),
        ("config", "user.email", "ada@example.org"),
        ("commit", "-qam", "A dingozz"),
    ):
        home.git("default", *words)
    home.ok("--now", SECOND, "run")
    return home


def test_a_persons_edit_is_purged_and_the_new_history_is_no_edit(tmp_path):
    home = with_an_edit(tmp_path)
    (event,) = [each for each in home.ok("--json", "events").json() if "dingozz" in json.dumps(each)]
    assert found_in(home.path, "dingozz")
    told = home.ok("--json", "--now", THIRD, "purge", event["id"], "--yes").json()
    assert told["complete"], told
    assert found_in(home.path, "dingozz") == []
    runs, events = len(home.ok("--json", "runs").json()), len(home.ok("--json", "events").json())
    assert home.ok("--json", "--now", LATER, "run").json()["problems"] == []
    assert len(home.ok("--json", "runs").json()) <= runs + 1  # it may have aged
    assert len(home.ok("--json", "events").json()) == events
    assert found_in(home.path, "dingozz") == []
    assert home.git("default", "status", "--porcelain") == ""
    assert home.ok("verify").out == "clean\n"
