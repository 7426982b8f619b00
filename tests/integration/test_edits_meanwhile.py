"""People who commit while dreamd writes, and files that lead to one statement: nothing is written over an edit."""

import shutil

import pytest

from dreamd.daemon import outcomes, session
from tests.edited import REDIS, SECOND_RUN, STYLE, Edited, git

SIZE = "Deploys need a warm cache of size 8"
BIGGER = "Deploys need a warm cache of size 12"
TABS = "Use tabs in makefiles"


@pytest.mark.parametrize("point", ["export-before-render", "export-after-import"])
def test_what_a_person_commits_during_an_export_is_taken_in_before_its_page_is_written(
    point: str, edited: Edited, monkeypatch: pytest.MonkeyPatch
) -> None:
    commits: list[str] = []

    def commit_once(name: str) -> None:
        if name == point and not commits:
            commits.append(edited.change(REDIS, SIZE, BIGGER))

    for module in (outcomes, session):
        monkeypatch.setattr(module, "reach", commit_once)
    edited.ingest({"at": "2026-03-21T10:00:00Z", "text": "It lost one more", "target": "redis"}, now=SECOND_RUN)
    edited.run()
    assert commits
    assert edited.status_of(BIGGER) == "current"
    page = git(edited.memory, "show", f"HEAD:{REDIS}")
    assert f"- {BIGGER} [source: edit:" in page
    assert "It lost one more" in page
    assert edited.run()["run"] is None
    assert edited.verify() == []


def test_a_line_removed_at_the_head_of_memory_is_taken_back_on_its_page(edited: Edited) -> None:
    (line,) = [line for line in edited.text("MEMORY.md").splitlines() if f"]] {TABS} [" in line]
    edited.change("MEMORY.md", f"{line}\n", "")
    edited.run()
    assert edited.status_of(TABS) == "retracted"
    assert TABS not in edited.text("MEMORY.md").split("## Index")[0]
    assert "## Retracted" in edited.text(STYLE)


def test_a_statement_moved_to_a_page_of_its_own_goes_back_and_is_never_denied(edited: Edited) -> None:
    (line,) = [line for line in edited.text(REDIS).splitlines() if line.startswith(f"- {SIZE}")]
    edited.commit(
        {REDIS: edited.text(REDIS).replace(f"{line}\n", ""), "knowledge/deploys.md": f"# deploys\n\n{line}\n"}
    )
    edited.run()
    statuses = {claim["target"]: claim["status"] for claim in edited.claims(SIZE)}
    assert statuses == {"redis": "current"}
    assert f"- {SIZE} [" in edited.text(REDIS)
    assert "it is a statement of another page, and goes back there: redis" in edited.report()


def test_an_edited_page_in_the_archive_wakes_its_target(edited: Edited) -> None:
    days = [f"2026-{month:02}-{day:02}T10:00:00Z" for month in range(4, 9) for day in (1, 6, 11, 16, 21, 26)]
    edited.ingest(
        *({"at": day, "text": "The build ran", "target": "build"} for day in days), now="2026-09-01T12:00:00Z"
    )
    edited.run("2026-09-01T12:00:00Z")
    (page,) = (edited.memory / "archive").rglob("redis.md")
    path = str(page.relative_to(edited.memory))
    edited.change(path, SIZE, BIGGER, at="2026-09-21T12:00:00Z")
    edited.run("2026-09-22T12:00:00Z")
    assert not page.exists()
    (live,) = edited.memory.glob("*/redis.md")
    assert f"- {BIGGER} [source: edit:" in live.read_text()


def test_a_home_whose_repository_is_gone_exports_what_people_wrote_again(edited: Edited) -> None:
    edited.commit({REDIS: edited.text(REDIS).replace(SIZE, BIGGER) + "Ask Bo first.\n"})
    edited.run()
    before = edited.tree()
    shutil.rmtree(edited.memory)
    assert edited.command("--now", SECOND_RUN, "export").code == 0
    assert edited.tree() == before
    assert edited.run()["run"] is None
