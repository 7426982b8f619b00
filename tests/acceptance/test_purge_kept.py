"""A purge and what people set on pages: the purged goes wherever they put it, and what else they set there stays."""

import json
from collections.abc import Callable

import pytest

from tests.acceptance.canaries import found_in
from tests.edited import REDIS, SECOND_RUN, Edited, git

CANARY = "dingozz"
PURGED_AT, LATER = "2026-03-25T00:00:00Z", "2026-03-26T00:00:00Z"


def telling(edited: Edited) -> list[str]:
    events = edited.command("--json", "events").value
    return [event["id"] for event in events if CANARY in json.dumps(event)]


def purge(edited: Edited) -> None:
    told = edited.command("--json", "--now", PURGED_AT, "purge", *telling(edited), "--yes")
    assert told.code == 0, told.out + told.err
    assert told.value["complete"]
    assert found_in(edited.home, CANARY) == []


def appended(edited: Edited, text: str, at: str) -> None:
    edited.commit({REDIS: edited.text(REDIS) + text}, at=at)


def test_what_else_was_set_on_the_page_stays_and_no_edit_is_read_again(edited: Edited) -> None:
    edited.change(REDIS, "title: redis", "title: The store of sessions")
    appended(edited, "\nA note that stays.\n\n> so it stands\n", "2026-03-21T10:00:00Z")
    edited.run()
    page = edited.text(REDIS)
    appended(edited, f"\n```\n{CANARY} = 2\n```\n", "2026-03-22T13:00:00Z")
    edited.run("2026-03-22T14:00:00Z")
    assert CANARY in edited.text(REDIS)
    purge(edited)
    assert edited.text(REDIS).partition("# The store")[2] == page.partition("# The store")[2]
    events = len(edited.command("--json", "events").value)
    edited.run(LATER)
    assert len(edited.command("--json", "events").value) == events
    assert edited.text(REDIS).count("A note that stays.") == 1
    assert edited.verify() == []


def renamed(edited: Edited) -> None:
    git(edited.memory, "mv", REDIS, f"knowledge/{CANARY}.md")
    git(edited.memory, "commit", "-qm", "another name")


def titled(edited: Edited) -> None:
    edited.change(REDIS, "title: redis", f"title: The {CANARY} store")


def restated(edited: Edited) -> None:
    edited.change(REDIS, "size 8", f"size {CANARY}")


def noted(edited: Edited) -> None:
    edited.commit({"MEMORY.md": edited.text("MEMORY.md") + f"\n> Some words about {CANARY}\n"})


@pytest.mark.parametrize("edit", [renamed, titled, restated, noted])
def test_the_purged_goes_wherever_a_person_put_it(edited: Edited, edit: Callable[[Edited], None]) -> None:
    edit(edited)
    edited.run(SECOND_RUN)
    assert telling(edited)
    purge(edited)
    assert "by hand" in (log := git(edited.memory, "log", "--format=%an %s")) or edit is renamed
    assert "Ada" in log
    events = len(edited.command("--json", "events").value)
    assert edited.run(LATER)["problems"] == []
    assert len(edited.command("--json", "events").value) == events
    assert found_in(edited.home, CANARY) == []
    assert edited.verify() == []


@pytest.mark.parametrize(("host", "shown"), [("hub", " (https://hub.invalid/default.git)"), (CANARY, "")])
def test_the_certificate_names_the_remote_of_the_settings_unless_its_name_tells(
    edited: Edited, monkeypatch: pytest.MonkeyPatch, host: str, shown: str
) -> None:
    event = {"at": "2026-03-21T10:00:00Z", "text": f"It is {CANARY}", "kind": "decision", "target": "redis"}
    edited.ingest(event, now="2026-03-21T11:00:00Z")
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"https://{host}.invalid/{{space}}.git")
    told = edited.command("--json", "--now", PURGED_AT, "purge", *telling(edited), "--yes").value
    (place,) = [place for place in told["not_reached"] if place["place"].startswith("configured remote")]
    assert place["place"] == f"configured remote{shown}"
    assert "push --force" in place["note"]
    assert found_in(edited.home, CANARY) == []


def test_the_reports_of_a_purge_say_that_it_is_one_and_offer_not_to_take_it_back(edited: Edited) -> None:
    (claim,) = edited.claims("size 8")
    assert edited.command("--now", PURGED_AT, "purge", claim["id"], "--yes").code == 0
    assert edited.report().startswith("# Dream 2 of default: purge, what a person named is erased\n")
    since = edited.command("--now", LATER, "report", "--since", "2026-03-01T00:00:00Z").out
    assert "Dream 2 of default: purge" in since
    assert "report 2" in since
    assert "revert 1" in since
    assert "revert 2" not in since
