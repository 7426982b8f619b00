"""The main job through the program's own door: one commit a run, the same bytes anywhere, quiet nights, and back."""

import json
import re
import subprocess

import pytest

from tests.acceptance.homes import AHome, a_home

FIRST, SOON, SECOND = "2026-03-10T12:00:00Z", "2026-03-12T12:00:00Z", "2026-03-20T12:00:00Z"
SEVEN = ("cache", "queue", "login", "search", "mail", "import", "export")
THREE = SEVEN[:3]


def evidence(targets, days, kind="error", month="2026-03"):
    """JSONL with one event a target and day."""
    return "".join(
        json.dumps(
            {
                "at": f"{month}-{day:02}T10:00:00Z",
                "text": f"The {target} lost request {day}",
                "kind": kind,
                "target": target,
                "session": f"s{day}",
            }
        )
        + "\n"
        for target in targets
        for day in days
    )


def fed(home: AHome, lines: str, now: str) -> AHome:
    ended = home.dreamd("--now", now, "ingest", "events", "-", stdin=lines)
    assert ended.code == 0, ended.err
    return home


@pytest.fixture
def home(tmp_path):
    return fed(a_home(tmp_path / "home"), evidence(SEVEN, (1, 3, 5, 8)), FIRST)


def run(home, now):
    return home.ok("--json", "--now", now, "run").json()


def test_one_run_is_one_commit_and_the_same_commands_give_the_same_tree_anywhere(home, tmp_path):
    result = run(home, FIRST)
    assert (result["run"], result["outcome"], result["export"]["status"]) == (1, "applied", "done")
    assert home.git("default", "rev-list", "--count", "HEAD").strip() == "1"
    assert result["commit"] == home.git("default", "rev-parse", "HEAD").strip()
    other = fed(a_home(tmp_path / "elsewhere" / "home"), evidence(SEVEN, (1, 3, 5, 8)), FIRST)
    run(other, FIRST)
    assert other.tree() == home.tree()
    assert other.digest() == home.digest()
    assert home.ok("--json", "verify").json() == []
    assert home.git("default", "status", "--porcelain") == ""


def test_nothing_new_is_no_run_no_commit_and_no_report(home):
    first = run(home, FIRST)
    head, files = home.git("default", "rev-parse", "HEAD"), sorted(home.path.glob("memory/default/reports/**/*.md"))
    again = run(home, FIRST)
    assert (again["run"], again["outcome"], again["report"], again["commit"]) == (None, "nothing", None, None)
    assert home.git("default", "rev-parse", "HEAD") == head
    assert sorted(home.path.glob("memory/default/reports/**/*.md")) == files == [home.path.joinpath(first["report"])]
    assert "nothing changed; closest: " in home.ok("report").out
    assert again["near_misses"]


def test_a_revert_restores_rows_and_files_and_the_next_dream_leaves_them(home):
    run(home, FIRST)
    before = home.digest(), home.tree()
    fed(home, evidence(SEVEN, (15, 18)), SECOND)
    run(home, SECOND)
    after = home.digest(), home.tree()
    assert after != before
    undone = home.ok("--json", "--now", SECOND, "undo").json()
    assert (undone["reverts"], undone["outcome"], undone["blocked"]) == (2, "applied", [])
    assert (home.digest(), home.tree()) == before
    assert run(home, SECOND)["outcome"] == "nothing"
    assert (home.digest(), home.tree()) == before
    home.ok("--now", SECOND, "revert", "3")
    assert (home.digest(), home.tree()) == after
    assert run(home, SECOND)["outcome"] == "nothing"


def test_a_first_run_that_is_reverted_leaves_what_was_before_it(home):
    empty = home.digest()
    run(home, FIRST)
    home.ok("--now", FIRST, "undo")
    assert (home.digest(), home.tree()) == (empty, {})
    assert run(home, FIRST)["outcome"] == "nothing"
    assert home.ok("--json", "verify").json() == []
    assert len(home.ok("--json", "events").json()) == 28


def test_what_a_later_run_built_on_stays_and_is_named_and_cascade_takes_it_along(home):
    empty = home.digest()
    run(home, FIRST)
    fed(home, evidence(THREE, (11,)), SOON)
    run(home, SOON)
    preview = home.ok("--json", "--now", SOON, "revert", "1", "--dry-run").json()
    assert preview["run"] is None
    reverted = home.ok("--json", "--now", SOON, "revert", "1").json()
    assert (reverted["outcome"], len(reverted["reverted"])) == ("partly", 4)
    assert preview["reverted"] == reverted["reverted"]
    assert [block["by_run"] for block in reverted["blocked"]] == [2, 2, 2]
    left = {stream["target"]: stream["id"] for stream in home.ok("--json", "streams").json()}
    assert set(left) == set(THREE)
    assert {block["target"] for block in reverted["blocked"]} == set(THREE)
    assert {block["subjects"][0] for block in reverted["blocked"]} == set(left.values())

    words = home.ok("--now", SOON, "revert", "1", "--cascade", "--dry-run").out
    assert re.match(r"\d+ changes of later runs go along: ", words)
    home.ok("--now", SOON, "revert", "1", "--cascade")
    assert (home.digest(), home.tree()) == (empty, {})


def test_one_group_can_be_taken_back_alone(home):
    run(home, FIRST)
    report = home.ok("--json", "report", "1").json()
    (group,) = (
        group
        for group, subjects in report["groups"].items()
        if any(home_target(home, subject) == "mail" for subject in subjects)
    )
    home.ok("--now", FIRST, "revert", "1", "--op", group)
    assert {stream["target"] for stream in home.ok("--json", "streams").json()} == set(SEVEN) - {"mail"}


def home_target(home, subject):
    table, id_ = subject
    if table != "stream":
        return None
    return next(stream["target"] for stream in home.ok("--json", "streams").json() if stream["id"] == id_)


def test_new_evidence_lifts_what_a_revert_holds_on_its_stream_and_no_other(home):
    run(home, FIRST)
    home.ok("--now", FIRST, "undo")
    fed(home, evidence(("mail",), (15,)), SECOND)
    run(home, SECOND)
    (stream,) = home.ok("--json", "--now", SECOND, "streams").json()
    assert (stream["target"], stream["frequency"]) == ("mail", 5)
    home.ok("--now", SECOND, "unhold", "queue")
    run(home, SECOND)
    assert {view["target"] for view in home.ok("--json", "--now", SECOND, "streams").json()} == {"mail", "queue"}


def test_a_plan_can_be_written_looked_at_and_applied_once(home, tmp_path):
    plan = tmp_path / "plan.json"
    home.ok("--now", FIRST, "plan", "-o", str(plan))
    empty = home.digest()
    home.ok("--now", FIRST, "run", "--dry-run")
    assert home.digest() == empty
    applied = home.ok("--json", "--now", FIRST, "apply", str(plan)).json()
    assert applied["run"] == 1
    edited = tmp_path / "edited.json"
    edited.write_text(plan.read_text().replace("lost request", "found request"))
    assert home.dreamd("--now", FIRST, "apply", str(edited)).code == 65
    again = home.dreamd("--now", FIRST, "apply", str(plan))
    assert again.code == 1
    assert "plan again" in again.err


def test_a_file_that_a_person_changed_waits_and_all_others_are_exported(home):
    run(home, FIRST)
    mine = home.path / "memory" / "default" / "knowledge" / "mail.md"
    mine.write_text(mine.read_text() + "\nmy own words\n")
    fed(home, evidence(SEVEN, (15, 18)), SECOND)
    result = run(home, SECOND)
    assert [each["path"] for each in result["export"]["waiting"]] == ["knowledge/mail.md"]
    assert "my own words" in mine.read_text()
    (warning,) = (found for found in home.ok("--json", "verify").json() if found["rule"] == "edited-file")
    assert (warning["level"], warning["path"]) == ("warning", "knowledge/mail.md")
    assert "request 18" in (home.path / "memory" / "default" / "knowledge" / "cache.md").read_text()


def test_a_repository_with_any_name_gets_a_space_that_every_command_takes(tmp_path):
    folder = tmp_path / "Größe & Co"
    folder.mkdir()
    git = ["git", "-C", str(folder), "-c", "user.name=e", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "feat(api): begin"], check=True)
    home = a_home(tmp_path / "home")
    (space,) = home.ok("--json", "ingest", "git", str(folder)).json()["spaces"]
    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*", space)
    home.ok("run")
    assert home.ok("--json", "--space", space, "streams").json()[0]["target"] == "api"


def test_a_memory_that_cannot_be_written_is_told_and_caught_up_later(home):
    memory = home.path / "memory"
    memory.rename(home.path / "elsewhere")
    memory.write_text("in the way")
    result = run(home, FIRST)
    assert (result["run"], result["outcome"], result["export"]["status"]) == (1, "applied", "failed")
    memory.unlink()
    (home.path / "elsewhere").rename(memory)
    run(home, FIRST)
    assert len(home.runs_committed()) == 1
