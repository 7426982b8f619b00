"""A changed mind, and what is not one (stories, second table)."""

import pytest

from tests.acceptance.homes import a_home
from tests.live import STORIES

NOW = "2026-03-01T00:00:00Z"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = a_home(tmp_path_factory.mktemp("decisions") / "home")
    home.ok("--now", NOW, "ingest", "events", str(STORIES / "decisions.jsonl"), "--as", "user")
    home.ok("--now", NOW, "run")
    return home


def claims(home, target):
    return home.ok("--json", "--now", NOW, "claims", "--all", "--target", target).json()


def texts(home, target, status):
    return {claim["text"] for claim in claims(home, target) if claim["status"] == status}


@pytest.mark.parametrize("target", ["db", "models", "staff"])
def test_what_may_stand_side_by_side_is_all_current_and_in_groups_of_its_own(home, target):
    found = claims(home, target)
    assert {claim["status"] for claim in found} == {"current"}
    assert len({claim["group"] for claim in found}) == len(found) == (3 if target == "db" else 2)
    assert all(claim["supersedes"] is None for claim in found)


@pytest.mark.parametrize(
    ("target", "current", "superseded", "until"),
    [
        ("task_queue", "Use PostgreSQL for the task queue", "Use SQLite for the task queue", "2026-02-20T10:00:00Z"),
        ("deploys", "Deploys on Friday are not allowed", "Deploys on Friday are allowed", "2026-02-18T11:00:00Z"),
    ],
)
def test_a_later_decision_for_the_same_slot_supersedes(home, target, current, superseded, until):
    assert texts(home, target, "current") == {current}
    (old,) = (claim for claim in claims(home, target) if claim["status"] == "superseded")
    (new,) = (claim for claim in claims(home, target) if claim["status"] == "current")
    assert (old["text"], old["valid_to"]) == (superseded, until)
    assert new["supersedes"] == old["id"]
    assert new["group"] != old["group"]


def test_a_correction_retracts_and_the_wrong_time_is_nowhere_in_the_index(home):
    assert texts(home, "import_job", "retracted") == {"The nightly import starts at 02:00"}
    assert any("03:00" in text for text in texts(home, "import_job", "current"))
    assert "starts at 02:00" not in (home.path / "memory" / "default" / "MEMORY.md").read_text()


def test_a_preference_stands_in_the_head_of_the_index_and_never_fades(home):
    head = (home.path / "memory" / "default" / "MEMORY.md").read_text().split("## Index")[0]
    assert "Always show the failing test before the fix" in head
    (claim,) = claims(home, "reviews")
    assert (claim["kind"], claim["trust"]) == ("preference", "user")
    home.ok("--now", "2030-01-01T00:00:00Z", "run")
    stream = home.ok("--json", "--now", "2030-01-01T00:00:00Z", "show", "reviews").json()
    assert (stream["status"], stream["decay_class"]) == ("active", "permanent")


def test_a_decision_that_keeps_failing_is_doubtful_and_not_canonical(home):
    stream = home.ok("--json", "--now", NOW, "show", "pdf_export").json()
    assert (stream["doubtful"], stream["phase"]) == (True, "emergent")
    assert "Render PDFs with wkhtml" in texts(home, "pdf_export", "current")


def test_every_source_in_a_live_file_is_an_events(home):
    sources = {event["source"] for event in home.ok("--json", "events").json()}
    named = set()
    for path in home.path.glob("memory/default/[!r]*/*.md"):
        for line in path.read_text().splitlines():
            if line.startswith("- ") and "[source: " in line:
                named.add(line.split("[source: ")[1].split(";")[0].rstrip("]"))
    assert named and named <= sources
