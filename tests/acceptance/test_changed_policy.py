"""Somebody edits the policy: the command line says what that does before it is done, asks, and takes it back."""

import json

import pytest

from tests.acceptance.homes import AHome, a_home

TOPICS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")
LATER = "2026-03-10T12:00:00Z"


@pytest.fixture
def home(tmp_path):
    """Seven streams of three days each, emergent under the defaults; then the policy asks for nine deliveries."""
    home = a_home(tmp_path / "home")
    lines = [
        json.dumps(
            {"at": f"2026-03-0{day}T10:00:00Z", "kind": "observation", "text": f"{topic} {day}", "target": topic}
        )
        for topic in TOPICS
        for day in (5, 6, 7)
    ]
    home.dreamd("ingest", "events", "-", stdin="\n".join(lines))
    home.ok("--now", "2026-03-08T12:00:00Z", "run")
    file = home.path / "dreamd.toml"
    text = file.read_text().replace("# emergent_min_frequency = 3", "emergent_min_frequency = 9")
    file.write_text(text)
    return home


def emergent(home: AHome) -> int:
    return len(home.ok("--json", "--now", LATER, "streams", "--phase", "emergent").json())


def test_it_is_shown_then_done_within_the_fuse_then_accepted(home):
    said = home.ok("--now", LATER, "run", "--dry-run").out
    line = "Policy changed: emergent_min_frequency 3 to 9; 3 streams changed by it; 4 more would, and wait for you."
    assert line in said
    assert emergent(home) == 7
    assert line in home.ok("--now", LATER, "run").out
    assert emergent(home) == 4
    report = home.ok("--now", LATER, "report").out
    assert "## Policy changed" in report
    value = home.ok("--json", "--now", LATER, "report").json()
    assert value["policy_change"]["settings"] == [{"name": "emergent_min_frequency", "before": "3", "after": "9"}]
    (proposal,) = value["proposals"]
    home.ok("--now", LATER, "accept", proposal)
    assert emergent(home) == 0
    assert home.ok("--json", "--now", LATER, "run").json()["outcome"] == "nothing"


def test_it_is_taken_back_exactly(home):
    before, tree = home.digest(), home.tree()
    home.ok("--now", LATER, "run")
    assert home.digest() != before
    home.ok("--now", LATER, "revert", "2")
    assert (home.digest(), home.tree()) == (before, tree)
    assert home.ok("--json", "--now", LATER, "run").json()["outcome"] == "nothing"


def test_a_policy_that_contradicts_itself_is_refused_before_anything_is_done(home):
    file = home.path / "dreamd.toml"
    file.write_text("[policy]\ndecaying_after_days = 40\n")
    ended = home.dreamd("--now", LATER, "run")
    assert ended.code != 0
    assert "policy.decaying_after_days is 40, policy.dormant_after_days is 30" in ended.err
