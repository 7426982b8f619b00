"""Merging, through the doors that users have: what says the same is one group, and nothing is lost by it."""

import json

import pytest

from tests.cli import command_in, lines

NOW = "2026-03-20T12:00:00Z"
SAME = (
    "The indexer retries failed uploads 7 times before it gives up",
    "Before it gives up, the indexer retries failed uploads 7 times",
    "The indexer retries the failed uploads 7 times before it gives up.",
    "The indexer: it retries failed uploads 7 times, before it gives up",
    "Before it gives up the indexer retries uploads that failed 7 times",
)


@pytest.fixture
def command(tmp_path, capsys):
    found = command_in(tmp_path / "home", capsys)
    assert found("init").code == 0
    return found


@pytest.fixture
def learn(command, tmp_path):
    """Ingest events and dream; what the run answers."""

    def learnt(*events, now=NOW):
        file = tmp_path / "events.jsonl"
        file.write_text(lines(*events), encoding="utf-8")
        assert command("ingest", "events", str(file)).code == 0
        return command("--now", now, "--json", "run").value

    return learnt


@pytest.fixture
def memory(tmp_path):
    return tmp_path / "home" / "memory" / "default"


def event(text, day=1, **fields):
    return {"at": f"2026-03-{day:02}T10:00:00Z", "text": text, "kind": "observation", "target": "indexer", **fields}


def claims(command):
    return command("claims", "--all", "--json").value


def groups(command):
    found: dict[str, list[str]] = {}
    for claim in claims(command):
        found.setdefault(claim["group"], []).append(claim["text"])
    return sorted(sorted(texts) for texts in found.values())


def test_five_wordings_are_one_group_with_all_evidence_and_every_wording_can_be_read(command, learn):
    learn(*(event(text, day) for day, text in enumerate(SAME, start=1)))
    found = claims(command)
    assert sorted(claim["text"] for claim in found) == sorted(SAME)
    assert len({claim["group"] for claim in found}) == 1
    assert {len(claim["evidence"]) for claim in found} == {5}
    assert {claim["status"] for claim in found} == {"current"}
    assert len(command("streams", "--json").value) == 1


def test_the_same_topic_is_not_the_same_fact(command, learn):
    texts = (
        "The indexer retries failed uploads 7 times",
        "The indexer logs failed uploads to disk",
        "Failed uploads of the indexer go to team Alder",
    )
    learn(*(event(text, day) for day, text in enumerate(texts, start=1)))
    assert groups(command) == sorted([text] for text in texts)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Restarts of the indexer are allowed", "Restarts of the indexer are not allowed"),
        ("The certificate of the indexer ends on Oct 15", "The certificate of the indexer ends on Oct 16"),
        ("Dana works at Google on the indexer", "Dana joined Microsoft"),
        ("Alice is the CEO of Acme, which owns the indexer", "Alice is the CTO of Acme, which owns the indexer"),
        ("The indexer fills tiles of x² pixels", "The indexer fills tiles of x2 pixels"),
    ],
)
def test_what_differs_in_what_matters_stays_two_that_can_be_read(command, learn, one, other):
    learn(event(one, 1), event(other, 2))
    assert groups(command) == sorted([[one], [other]])


def test_a_run_tells_each_merge_with_its_evidence_and_each_refusal_with_its_guard(command, learn, memory):
    other = SAME[0].replace("7", "8")
    told = learn(event(SAME[0], 1), event(SAME[1], 2), event(other, 3))
    (merged,), (apart,) = told["merged"], told["kept_apart"]
    assert (merged["text"], merged["other"], merged["guard"]) == (SAME[1], SAME[0], "")
    assert merged["score"] > 0.4
    assert "content words shared" in merged["evidence"]
    assert (apart["text"], apart["guard"], apart["evidence"]) == (other, "number", "7 against 8")
    report = command("report").out
    assert "## Says the same" in report and "## Alike, but kept apart" in report
    assert "number (7 against 8)" in report
    assert command("report", "--json").value["merged"] == [merged]
    file = next((memory / ".dreamd" / "reports").glob("*.json"))
    assert json.loads(file.read_text())["compared"] == {"merged": 1, "kept_apart": {"number": 1}}


def test_a_merge_is_told_once_and_a_later_run_tells_only_its_own(command, learn):
    learn(event(SAME[0], 1), event(SAME[1], 2), now="2026-03-03T00:00:00Z")
    told = learn(event(SAME[2], 4), now="2026-03-05T00:00:00Z")
    assert [(found["text"], found["guard"]) for found in told["merged"]] == [(SAME[2], "")]
    assert len(groups(command)) == 1


def test_the_same_evidence_again_makes_no_second_group_and_the_same_text_by_two_paths_is_one_claim(command, learn):
    learn(event(SAME[0], 1, id="a"), event(SAME[1], 2, id="b"))
    again = learn(event(SAME[0], 1, id="a"), event(SAME[1], 2, id="b"))
    assert again["run"] is None
    learn(event(SAME[0], 3, source="other-path", tags=["urgent"], scope="infra"))
    found = {claim["text"]: claim for claim in claims(command)}
    assert len(found) == 2
    assert found[SAME[0]]["support"] == 2
    assert len(groups(command)) == 1


def test_the_same_event_stated_ten_times_is_one_claim_with_ten_events_whatever_its_tags(command, learn):
    learn(*(event("DGIA", day, kind="decision", tags=[f"t{day}"]) for day in range(1, 11)))
    (found,) = claims(command)
    assert (found["support"], len(found["evidence"])) == (10, 10)


def test_of_two_texts_that_differ_in_case_one_speaks_and_the_other_stays_as_a_variant(command, learn, memory):
    texts = ("Fallow is the name of the indexer", "Fallow Is The Name of the indexer")
    learn(*(event(text, day, kind="decision") for day, text in enumerate(texts, start=1)))
    assert groups(command) == [sorted(texts)]
    page = next(memory.glob("*/indexer.md")).read_text()
    assert sum(line.startswith("- ") and "is the name" in line.lower() for line in page.splitlines()) == 1
    assert all(text in page for text in texts)


def test_a_merged_fact_is_as_old_as_its_evidence_and_keeps_its_own_interval(command, learn):
    first, second = event(SAME[0], 1, at="2025-08-01T10:00:00Z"), event(SAME[1], 1, at="2025-08-03T10:00:00Z")
    learn(first, second)
    found = {claim["text"]: claim["valid_from"] for claim in claims(command)}
    assert found == {SAME[0]: "2025-08-01T10:00:00Z", SAME[1]: "2025-08-03T10:00:00Z"}
    stream = command("streams", "--json").value[0]
    assert stream["last_seen"] == "2025-08-03T10:00:00Z"


def test_a_run_that_merged_is_undone_whole(command, learn):
    learn(event(SAME[0], 1), now="2026-03-02T00:00:00Z")
    before = claims(command)
    number = learn(event(SAME[1], 3), event(SAME[2], 3), now="2026-03-04T00:00:00Z")["run"]
    assert len(claims(command)) == 3
    assert command("revert", str(number)).code == 0
    assert claims(command) == before


def test_ten_long_wordings_lose_nothing(command, learn):
    rooms = ", ".join(f"room {n}" for n in range(40))
    texts = [
        f"The indexer {word} reads the parcels of {rooms}" for word in ("also", "now", "still", "just", "currently")
    ]
    learn(*(event(text, day) for day, text in enumerate(texts, start=1)))
    assert groups(command) == [sorted(texts)]


def test_a_new_wording_joins_the_group_of_a_stream_that_is_only_extended(command, learn):
    for day, text in enumerate(SAME, start=1):
        learn(event(text, day), now=f"2026-03-{day + 1:02}T00:00:00Z")
    nightly = groups(command)
    assert nightly == [sorted(SAME)]
