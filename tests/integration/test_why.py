"""`dreamd why` through the command line: plain words, every gate, what evidence would bring and silence would take."""

import json
import re
from datetime import date, timedelta
from typing import Any

import pytest

from tests.acceptance.homes import AHome, a_home

START = date(2026, 1, 1)


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home")


def on(number: int) -> str:
    """Noon of day `number`; day 1 is 2026-01-01."""
    return f"{START + timedelta(days=number - 1)}T12:00:00Z"


def seen(*days: int, target: str = "queue", **fields: object) -> list[dict[str, object]]:
    return [
        {"at": on(n), "kind": "observation", "text": f"seen on {n}", "target": target, "session": f"s{n}"} | fields
        for n in days
    ]


def ingested(home: AHome, events: list[dict[str, object]]) -> None:
    assert home.dreamd("ingest", "events", "-", stdin="\n".join(map(json.dumps, events))).code == 0


def dreamt(home: AHome, events: list[dict[str, object]], day: int) -> None:
    ingested(home, events)
    home.ok("--now", on(day), "run")


def why(home: AHome, day: int, target: str = "queue") -> str:
    return home.ok("--now", on(day), "why", target).out


def view(home: AHome, day: int, target: str = "queue") -> dict[str, Any]:
    found: dict[str, Any] = home.ok("--json", "--now", on(day), "why", target).json()
    return found


def phase_after(home: AHome, events: list[dict[str, object]], day: int) -> str:
    dreamt(home, events, day)
    return str(view(home, day)["phase"])


def test_it_says_when_the_next_phase_could_come_and_it_does(home):
    """Weekly evidence that goes on as foretold is promoted on the day foretold, and not a week before."""
    dreamt(home, seen(1, 8, 15, 22), 22)
    told = view(home, 22)
    foretold = told["if_evidence_goes_on"]["next_phase_on"]
    assert f"every 7 days, it could be canonical on {foretold}." in why(home, 22)
    last = (date.fromisoformat(foretold) - START).days + 1
    assert phase_after(home, seen(*range(29, last, 7)), last - 7) == "emergent"
    assert phase_after(home, seen(last), last) == "canonical"


def test_every_gate_has_value_threshold_verdict_and_earliest_day(home):
    dreamt(home, seen(1, 8, 15, 22), 22)
    gates = {gate["gate"]: gate for gate in view(home, 22)["gates"]}
    assert set(gates) == {"coverage", "stability", "removal_cost", "open_question"}
    closed = [gate for gate in gates.values() if not gate["passed"]]
    assert closed
    assert all(date.fromisoformat(gate["earliest"]) > date(2026, 1, 22) for gate in closed)
    assert all(gate["earliest"] is None for gate in gates.values() if gate["passed"])
    told = why(home, 22)
    assert re.search(r"removal_cost +0\.\d+ +0\.\d+ +fail, 2026-\d\d-\d\d at the earliest", told)
    assert re.search(r"coverage +0\.70 +0\.30 +pass", told)


def test_nothing_is_foretold_for_a_day_that_has_passed(home):
    dreamt(home, seen(1, 8, 15, 22) + seen(50, target="other"), 50)
    foretold = view(home, 50)["if_evidence_goes_on"]["next_phase_on"]
    assert date.fromisoformat(foretold) >= START + timedelta(days=49)


def test_what_the_same_evidence_never_brings_is_said(home):
    dreamt(home, seen(*range(1, 60, 5), actor="external"), 60)
    told = why(home, 60)
    assert "More of the same evidence would not make it emergent" in told
    assert "confirmed by a user, an agent or a tool" in told
    decision: dict[str, object] = {"at": on(1), "kind": "decision", "text": "Use a queue", "target": "mail"}
    failures = seen(*range(2, 30), target="mail", kind="error", text="The mail queue failed")
    dreamt(home, [decision, *failures], 61)
    told = why(home, 61, "mail")
    assert "the open question or doubt has to be settled" in told
    assert "It is doubtful" in told


def test_the_days_on_which_silence_would_tell_come_true(home):
    """With work every few days on something else, the stream is what it was foretold on the day it was foretold."""
    dreamt(home, seen(1, 2, 3, 4), 4)
    steps = view(home, 4)["if_nothing_comes"]
    assert [step["becomes"] for step in steps] == ["decaying", "dormant", "faded"]
    ingested(home, seen(*range(5, 200, 5), target="other"))
    for step in steps:
        number = (date.fromisoformat(step["at"][:10]) - START).days + 1
        before, after = view(home, number - 1), view(home, number + 1)
        word = step["becomes"]
        assert word not in {before["vitality"], before["status"]}
        assert word in {after["vitality"], after["status"]}
    assert "faded on" in why(home, 4)
    faded = why(home, number + 1)
    assert "It is faded" in faded
    assert "New evidence would wake it" in faded


def test_what_never_fades_says_so(home):
    dreamt(home, [{"at": on(1), "kind": "preference", "text": "Always show the diff", "target": "review"}], 2)
    told = why(home, 2, "review")
    assert "It is protected (pinned, or holding a preference): it never fades away." in told
    assert "faded on" not in told


def test_a_pinned_stream_never_fades_either(home):
    dreamt(home, seen(1, 2, 3), 3)
    home.ok("--now", on(4), "pin", "queue")
    told = why(home, 4)
    assert "It is protected" in told
    assert "dormant on" in told
    assert "faded on" not in told


def test_either_way_to_emergent_is_enough_and_told_so(home):
    dreamt(home, seen(1), 1)
    told = why(home, 1)
    assert told.startswith("queue is a pattern: not yet enough frequency, removal cost, lifetime days")
    assert "this or removal cost is enough" in told
    assert "it could be emergent on 2026-01-03" in told
