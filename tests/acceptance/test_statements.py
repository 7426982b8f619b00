"""What becomes of texts on their way into the memory: junk of field failures, and texts that say much."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dreamd.daemon.views import evidence_of_claims
from dreamd.lifecycle.words import ClaimStatus, EventKind
from tests.acceptance.homes import a_home
from tests.builders import an_event, day
from tests.live import LiveSpace

JUNK = (
    "$ npm run build",
    "git push origin main",
    "[3/4] Linking dependencies...",
    "added 120 packages in 5s",
    "2026-01-05 12:00:01,123 INFO worker started",
    "===== 3 passed, 1 failed in 0.10s =====",
    "## Session summary",
    "Next steps:",
    "Deploy finished [score=0.912 recalls=0 avg=0.620]",
)


@pytest.fixture
def space(tmp_path: Path) -> Iterator[LiveSpace]:
    live = LiveSpace(tmp_path)
    yield live
    live.close()


def test_commands_build_lines_headings_and_scores_are_never_exported(space: LiveSpace) -> None:
    """Field failures T25 and P46: shell commands and score metadata were promoted into MEMORY.md."""
    space.add(
        *(
            an_event(text, day(3 * week + place / 10), session=f"s{week}", target="deploys")
            for week in range(8)
            for place, text in enumerate(JUNK)
        ),
        *(
            an_event("Deploys go out on Mondays", day(3 * week + 1), session=f"s{week}", target="deploys")
            for week in range(8)
        ),
    )
    space.dream(day(30))
    assert [claim.text for claim in space.store.claims()] == ["Deploys go out on Mondays"]
    told = "\n".join(content.decode() for content in space.tree().values())
    assert "Deploys go out on Mondays" in told
    assert not [text for text in JUNK if text in told]


def test_an_event_that_says_three_things_is_evidence_of_three_claims_and_counts_once(space: LiveSpace) -> None:
    text = "The queue holds 40 jobs. It was slow before. Deploys wait for the queue. The port is 8080."
    event = an_event(text, day(1), kind=EventKind.MESSAGE, target="queue")
    space.add(event)
    space.dream(day(2))
    parts = ["The queue holds 40 jobs. It was slow before.", "Deploys wait for the queue.", "The port is 8080."]
    claims = space.store.claims()
    assert sorted(claim.text for claim in claims) == sorted(parts)
    assert all(evidence_of_claims(space.store)[claim.id] == [event.id] for claim in claims)
    assert space.stream("queue").frequency == 1
    space.revert(1, day(2))
    assert (space.store.claims(), space.store.links(), space.store.streams()) == ([], [], [])


def test_a_decision_that_ends_one_of_several_statements_leaves_the_others(space: LiveSpace) -> None:
    both = "Use SQLite for the task queue. Run migrations with Alembic."
    space.add(an_event(both, day(1), kind=EventKind.DECISION, target="queue"))
    space.add(an_event("Use PostgreSQL for the task queue", day(3), kind=EventKind.DECISION, target="queue"))
    space.dream(day(4))
    by_text = {claim.text: claim for claim in space.store.claims()}
    assert by_text["Use SQLite for the task queue."].status is ClaimStatus.SUPERSEDED
    assert by_text["Run migrations with Alembic."].status is ClaimStatus.CURRENT
    assert by_text["Use PostgreSQL for the task queue"].supersedes == by_text["Use SQLite for the task queue."].id


def test_the_statement_that_ends_another_takes_its_place_not_the_event_as_a_whole(space: LiveSpace) -> None:
    space.add(an_event("Use SQLite for the task queue", day(1), kind=EventKind.DECISION, target="queue"))
    both = "Run migrations with Alembic. Use PostgreSQL for the task queue."
    space.add(an_event(both, day(3), kind=EventKind.DECISION, target="queue"))
    space.dream(day(4))
    by_text = {claim.text: claim for claim in space.store.claims()}
    old = by_text["Use SQLite for the task queue"]
    assert by_text["Use PostgreSQL for the task queue."].supersedes == old.id
    assert by_text["Run migrations with Alembic."].supersedes is None


def test_the_command_line_shows_each_statement_with_its_event(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    event = {
        "at": "2026-01-05T09:00:00Z",
        "kind": "observation",
        "target": "queue",
        "text": "The queue holds 40 jobs. Deploys wait for the queue.",
    }
    now = ("--now", "2026-01-06T00:00:00Z")
    home.dreamd(*now, "ingest", "events", "-", stdin=json.dumps(event))
    home.ok(*now, "run")
    (shown,) = home.ok(*now, "events", "--json").json()
    claims = home.ok(*now, "claims", "--all", "--json").json()
    assert {claim["text"] for claim in claims} == {"The queue holds 40 jobs.", "Deploys wait for the queue."}
    assert all(claim["evidence"] == [shown["id"]] for claim in claims)
    assert (shown["rule"], shown["bearing"]) == ("named", "supports")
    assert shown["claim"] in {claim["id"] for claim in claims if claim["text"] == "The queue holds 40 jobs."}
