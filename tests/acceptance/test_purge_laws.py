"""After a purge the memory is what it would be if the purged had never come.

It holds where only the evidence made the rows: the events name their targets (what was learned is a decision of its day
and stays), no person decided anything about them, and some other event is near each purged one in time (when the space
was awake is kept). Tombstones are left out, and the log, which grows.
"""

import json
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

NOW, THEN = "2026-03-20T00:00:00Z", "2026-03-20T01:00:00Z"
COMPARED = ("stream", "claim", "link", "alias", "pin", "proposal", "question", "event", "pending", "due", "checkpoint")
TEXTS = (
    "Use Redis for the queue",
    "Use Kafka for the queue",
    "The queue timed out",
    "use redis for the queue.",
    "Never retry a payment twice",
    "The port is 8080",
    "The port is 9090",
    "Redis is no longer used for the queue",
    "Payments are settled at night",
)
KINDS = ("observation", "error", "result", "decision", "preference", "correction")
EVENTS = st.lists(
    st.fixed_dictionaries(
        {
            "day": st.integers(1, 18),
            "hour": st.integers(0, 22),
            "text": st.sampled_from(TEXTS),
            "kind": st.sampled_from(KINDS),
            "target": st.sampled_from(("queue", "Queue", "payment", "port-map")),
            "session": st.sampled_from(("one", "two", "three")),
        }
    ),
    min_size=2,
    max_size=14,
)
STEADY = [
    {
        "at": f"2026-03-{day:02}T23:30:00Z",
        "text": f"Day {day} was calm",
        "kind": "observation",
        "target": "calm",
        "id": f"c{day}",
    }
    for day in range(1, 19)
]


def event_of(number: int, drawn: dict[str, object]) -> dict[str, object]:
    rest = {name: drawn[name] for name in ("text", "kind", "target", "session")}
    return {"at": f"2026-03-{drawn['day']:02}T{drawn['hour']:02}:{number:02}:00Z", "id": f"e{number}", **rest}


def a_home_with(folder: Path, events: list[dict[str, object]]) -> AHome:
    home = a_home(folder)
    (folder / "in.jsonl").write_text(lines(*events, *STEADY))
    home.ok("--now", NOW, "ingest", "events", str(folder / "in.jsonl"))
    (folder / "in.jsonl").unlink()
    home.ok("--now", NOW, "run")
    return home


def rows(home: AHome) -> dict[str, list[str]]:
    with sqlite3.connect(home.path / "dreamd.db") as database:
        found = {table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"'))) for table in COMPARED}  # noqa: S608
    database.close()
    return found


def check(drawn: list[dict[str, object]], session: str) -> None:
    events = [event_of(number, each) for number, each in enumerate(drawn)]
    kept = [event for event in events if event["session"] != session]
    with tempfile.TemporaryDirectory() as folder:
        never = a_home_with(Path(folder) / "never", kept)
        purged = a_home_with(Path(folder) / "purged", events)
        if len(kept) < len(events):
            purged.ok("--now", THEN, "purge", session, "--as", "session", "--yes")
        found, expected = rows(purged), rows(never)
        assert found == expected
        assert purged.tree() == never.tree()
        assert purged.ok("verify").out == "clean\n"
        assert json.loads(purged.ok("--now", THEN, "--json", "run").out)["outcome"] == "nothing"


# Not made smaller: an example takes a second, and shows by itself what differs.
SETTINGS = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "derandomize": True,
    "phases": (Phase.generate,),
}


@settings(max_examples=2, **SETTINGS)
@given(EVENTS, st.sampled_from(("one", "two", "three")))
def test_a_purged_memory_is_the_one_that_never_had_it(drawn, session):
    check(drawn, session)


@pytest.mark.long
@settings(max_examples=20, **SETTINGS)
@given(EVENTS, st.sampled_from(("one", "two", "three")))
def test_a_purged_memory_is_the_one_that_never_had_it_over_many_histories(drawn, session):
    check(drawn, session)
