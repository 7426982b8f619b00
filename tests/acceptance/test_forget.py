"""Forgotten: laid to rest by a person, stored and not believed by whatever way it comes, and taken back at will."""

import pytest

from tests.acceptance.canaries import FIRST, SECOND, THIRD, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

LATER = "2026-03-25T00:00:00Z"
TEXT = "Use Kestrel for every queue of the shop"


def said(text: str, at: str, target: str = "queue", **more: object) -> dict[str, object]:
    return {"at": at, "text": text, "kind": "decision", "target": target, "actor": "agent", **more}


def ingest(home: AHome, folder, at: str, *events: dict[str, object]) -> None:
    (folder / "in.jsonl").write_text(lines(*events))
    home.ok("--now", at, "ingest", "events", str(folder / "in.jsonl"))


@pytest.fixture
def home(tmp_path):
    made = a_home(tmp_path / "home")
    queue = [said(TEXT, "2026-03-03T10:00:00Z"), said("Keep the queue short", "2026-03-05T10:00:00Z")]
    queue += [said("The queue has one reader", "2026-03-09T10:00:00Z")]
    ingest(made, tmp_path, FIRST, *story_of("cache"), *queue)
    made.ok("--now", FIRST, "run")
    return made


def claim_with(home: AHome, text: str) -> dict[str, object]:
    (found,) = [claim for claim in home.ok("--json", "claims", "--all").json() if claim["text"] == text]
    return found


def texts(home: AHome, target: str = "queue") -> dict[str, str]:
    return {claim["text"]: claim["status"] for claim in home.ok("--json", "show", target).json()["claims"]}


def files(home: AHome) -> str:
    listed = [home.git("default", "show", f"HEAD:{path}") for path in home.tree()]
    return "\n".join(listed)


def test_a_forgotten_target_is_archived_and_new_evidence_is_stored_and_does_not_wake_it(home, tmp_path):
    assert "knowledge/queue.md" in home.tree() or "projects/queue.md" in home.tree()
    home.ok("--now", SECOND, "forget", "queue")
    assert [path for path in home.tree() if path.endswith("queue.md")] == ["archive/2026/queue.md"]
    assert TEXT not in home.git("default", "show", "HEAD:MEMORY.md")
    ingest(home, tmp_path, THIRD, said("The queue is Kestrel again", "2026-03-22T10:00:00Z"))
    told = home.ok("--now", THIRD, "run")
    assert "heard of again, though you forgot it" in told.out
    stream = home.ok("--json", "show", "queue").json()
    assert stream["status"] == "forgotten"
    assert stream["frequency"] == 4
    home.ok("--now", LATER, "run")
    assert home.ok("--json", "show", "queue").json()["status"] == "forgotten"
    assert home.ok("verify").out == "clean\n"


def test_forgetting_a_target_is_taken_back_by_undo_row_for_row(home):
    before, tree = home.digest(), home.tree()
    home.ok("--now", SECOND, "forget", "queue")
    assert home.digest() != before
    home.ok("--now", SECOND, "undo")
    assert home.digest() == before
    assert home.tree() == tree


def test_a_forgotten_claim_is_in_no_file_and_does_not_come_back_by_run_ingest_or_another_source(home, tmp_path):
    home.ok("--now", SECOND, "forget", str(claim_with(home, TEXT)["id"]))
    assert texts(home)[TEXT] == "retracted"
    assert "Kestrel" not in files(home)
    again = [
        said(TEXT, "2026-03-03T10:00:00Z"),  # the same delivery
        said(TEXT, "2026-03-21T10:00:00Z", session="s2"),  # new evidence
        said(TEXT, "2026-03-21T11:00:00Z", target="shop"),  # about another target
        said(TEXT, "2026-03-22T11:00:00Z", actor="user", source="import"),
    ]
    ingest(
        home, tmp_path, THIRD, *again, *(said("A shop sells", f"2026-03-{day}T10:00:00Z", "shop") for day in (18, 21))
    )
    home.ok("--now", THIRD, "run")
    assert texts(home)[TEXT] == "retracted"
    assert texts(home, "shop")[TEXT] == "retracted"
    assert "Kestrel" not in files(home)
    home.ok("--now", LATER, "run")
    home.ok("--now", LATER, "export")
    assert "Kestrel" not in files(home)
    assert home.ok("verify").out == "clean\n"


def test_a_forgotten_claim_counts_again_once_a_person_wants_it_back(home, tmp_path):
    claim = str(claim_with(home, TEXT)["id"])
    before = home.digest()
    home.ok("--now", SECOND, "forget", claim)
    home.ok("--now", SECOND, "unforget", claim)
    assert home.digest() == before
    home.ok("--now", SECOND, "forget", claim)
    ingest(home, tmp_path, THIRD, said(TEXT, "2026-03-21T10:00:00Z"))
    home.ok("--now", THIRD, "run")
    home.ok("--now", THIRD, "unforget", claim)
    (found,) = [each for each in home.ok("--json", "show", "queue").json()["claims"] if each["text"] == TEXT]
    assert (found["status"], found["support"]) == ("current", 2)


def test_a_revert_of_what_came_before_leaves_the_forgotten_forgotten(home):
    home.ok("--now", SECOND, "forget", "queue")
    home.dreamd("--now", SECOND, "revert", "1")
    assert home.ok("--json", "show", "queue").json()["status"] == "forgotten"


def test_nothing_is_merged_with_what_was_forgotten(home):
    home.ok("--now", SECOND, "forget", "queue")
    assert home.dreamd("--now", SECOND, "alias", "queue", "cache").code == 2
    assert home.dreamd("--now", SECOND, "alias", "cache", "queue").code == 2


def test_a_claim_that_is_forgotten_and_other_words_for_it_stay_taken_back(home, tmp_path):
    home.ok("--now", SECOND, "forget", str(claim_with(home, TEXT)["id"]))
    ingest(home, tmp_path, THIRD, said(TEXT.lower() + ".", "2026-03-21T10:00:00Z"))
    home.ok("--now", THIRD, "run")
    assert {status for text, status in texts(home).items() if "estrel" in text} == {"retracted"}
