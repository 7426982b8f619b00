"""What people removed is judged over the whole commit: a line that went elsewhere, or that still stands, stays."""

import pytest

from tests.edited import REDIS, STYLE, Edited, git

SIZE = "Deploys need a warm cache of size 8"
LOST = "The redis lost request 2"
TABS = "Use tabs in makefiles"
ENGLISH = "Always answer in English"
LATER = "2026-03-24T12:00:00Z"
QUEUE = "knowledge/queue.md"


@pytest.fixture
def two(edited: Edited) -> Edited:
    """With a second page in the folder of the first one."""
    edited.commit({QUEUE: "- Drain it before a deploy\n- It holds a day\n"})
    edited.run("2026-03-21T12:00:00Z")
    return edited


def line_of(edited: Edited, path: str, text: str) -> str:
    (line,) = [line for line in edited.text(path).splitlines() if line.startswith(f"- {text}")]
    return f"{line}\n"


def told(edited: Edited) -> dict[str, tuple[str, str, str, str]]:
    """By id, what is known of each statement."""
    claims = edited.claims()
    return {each["id"]: (each["target"], each["text"], each["status"], each["trust"]) for each in claims}


def errors(edited: Edited) -> list[str]:
    """What `verify` finds, but for files that wait to be written since all they have is other bytes."""
    return [
        each["message"] for each in edited.verify() if "it was changed since dreamd wrote it" not in each["message"]
    ]


def pin_and_say(edited: Edited) -> None:
    line = line_of(edited, REDIS, SIZE)
    head = edited.text("MEMORY.md").replace("\n## Index", f"- {ENGLISH}\n\n## Index", 1)
    edited.commit({REDIS: edited.text(REDIS).replace(line, line.replace("]\n", "; pin: true]\n")), "MEMORY.md": head})
    edited.run()


def test_a_git_revert_of_the_dream_that_took_an_edit_in_retracts_nothing_that_stands(edited: Edited) -> None:
    pin_and_say(edited)
    before = told(edited)
    git(edited.memory, "revert", "--no-edit", "HEAD", at="2026-03-23T09:00:00Z")
    edited.run(LATER)
    assert told(edited) == before
    assert f"- {ENGLISH} [" in edited.text("preferences/general.md")
    assert "[[" not in edited.text("MEMORY.md").partition("## Notes")[2]
    assert errors(edited) == []
    assert [each["text"] for each in edited.claims() if each["status"] != "current"] == []


def test_a_line_taken_from_the_head_of_memory_alone_is_taken_back(edited: Edited) -> None:
    edited.change("MEMORY.md", line_of(edited, "MEMORY.md", f"[[preferences/style]] {TABS}"), "")
    edited.run()
    assert edited.status_of(TABS) == "retracted"


def test_a_line_taken_from_the_head_while_its_page_was_edited_around_it_stays(edited: Edited) -> None:
    line = line_of(edited, "MEMORY.md", f"[[preferences/style]] {TABS}")
    edited.commit(
        {
            "MEMORY.md": edited.text("MEMORY.md").replace(line, ""),
            STYLE: edited.text(STYLE) + "- Two spaces in YAML\n",
        }
    )
    edited.run()
    assert edited.status_of(TABS) == "current"
    assert "still stands on its page" in edited.report()


@pytest.mark.parametrize("old, new", [("; last: 2026-03]", "; last: 2026-01]"), ("phase: ", "phase: e")])
def test_an_old_line_of_the_index_is_no_note(edited: Edited, old: str, new: str) -> None:
    index = edited.text("MEMORY.md")
    edited.commit({"MEMORY.md": index.replace(old, new)})
    edited.run()
    assert "## Notes" not in edited.text("MEMORY.md")
    assert errors(edited) == []


def test_two_pages_that_swapped_their_names_keep_all_they_state(two: Edited) -> None:
    before = told(two)
    for old, new in ((REDIS, "x.md"), (QUEUE, REDIS), ("x.md", QUEUE)):
        git(two.memory, "mv", old, new)
    two.commit({})
    two.run()
    assert told(two) == before
    assert f"- {SIZE} [" in two.text(REDIS)
    assert "- It holds a day [" in two.text(QUEUE)
    assert "is the name of something else already" in two.report()
    assert errors(two) == []
    assert two.run()["run"] is None


def test_a_page_put_in_place_of_a_removed_one_keeps_all_it_states(two: Edited) -> None:
    git(two.memory, "rm", "-q", REDIS)
    git(two.memory, "mv", QUEUE, REDIS)
    two.commit({})
    two.run()
    now = {(target, status) for target, _, status, _ in told(two).values()}
    assert now == {("queue", "current"), ("redis", "retracted"), ("style", "current")}
    assert "- It holds a day [" in two.text(QUEUE)
    assert not (two.memory / REDIS).exists()
    assert errors(two) == []


def test_a_new_page_under_the_old_name_of_a_renamed_one_loses_neither(edited: Edited) -> None:
    before = told(edited)
    git(edited.memory, "mv", REDIS, "knowledge/key-value-store.md")
    edited.commit({REDIS: "- Flush it only at night\n"})
    edited.run()
    after = told(edited)
    assert {id_: after.get(id_) for id_ in before} == before
    (new,) = [after[id_] for id_ in after.keys() - before.keys()]
    assert new == ("redis", "Flush it only at night", "current", "user")
    assert not (edited.memory / "knowledge/key-value-store.md").exists()
    assert f"- {SIZE} [" in edited.text(REDIS)
    assert errors(edited) == []


@pytest.mark.parametrize("where", ["another page", "a new page", "a new page, the old one removed"])
def test_a_line_moved_with_its_id_keeps_what_it_is(two: Edited, where: str) -> None:
    before = told(two)
    text = two.text(REDIS)
    line = line_of(two, REDIS, SIZE)
    path = QUEUE if where == "another page" else "knowledge/cache-sizes.md"
    there = two.text(QUEUE).replace("\n- It holds", f"\n{line}- It holds", 1) if path == QUEUE else line
    if where.endswith("removed"):
        there = "".join(f"{each}\n" for each in text.splitlines() if each.startswith("- ") and "; id: cl_" in each)
    two.commit({REDIS: None if where.endswith("removed") else text.replace(line, ""), path: there})
    two.run()
    assert told(two) == before
    assert line in two.text(REDIS)
    assert SIZE not in (two.text(QUEUE) if path == QUEUE else "")
    assert "it is a statement of another page, and goes back there" in two.report()
    assert (two.memory / path).exists() == (path == QUEUE)
    assert errors(two) == []
    assert two.run()["run"] is None


def test_a_page_split_with_words_of_its_own_loses_neither_lines_nor_words(two: Edited) -> None:
    before = told(two)
    line = line_of(two, REDIS, SIZE)
    split = f"# Sizes\n\nAbout sizes.\n\n{line}"
    two.commit({REDIS: two.text(REDIS).replace(line, ""), "knowledge/sizes.md": split})
    two.run()
    assert told(two) == before
    assert not (two.memory / "knowledge/sizes.md").exists()
    assert two.text(REDIS).endswith("\n## Notes\n\nAbout sizes.\n")
    assert errors(two) == []


def test_a_copy_of_a_page_goes_and_what_it_adds_stays(edited: Edited) -> None:
    before = told(edited)
    edited.commit({"knowledge/copy.md": edited.text(REDIS) + "- Flush it only at night\n"})
    edited.run()
    after = told(edited)
    assert {id_: after.get(id_) for id_ in before} == before
    assert "- Flush it only at night [" in edited.text(REDIS)
    assert not (edited.memory / "knowledge/copy.md").exists()
    assert "it is a copy of the page of redis" in edited.report()
    assert errors(edited) == []
