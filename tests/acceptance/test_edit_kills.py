"""Kill -9 while people's edits are taken in: the next run ends where an unkilled one does, and counts nothing twice."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.acceptance.homes import AHome
from tests.edited import FIRST_RUN, REDIS, SECOND_RUN, git, prepare

POINTS = ("edits-read", "apply-before-commit", "apply-after-commit", "edits-applied", "export-after-ref")
RUN = ("--now", SECOND_RUN, "run")


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose page a person edited in every way, not yet looked at."""
    home = tmp_path_factory.mktemp("edited") / "home"
    prepare(home)
    memory = home / "memory" / "default"
    text = (memory / REDIS).read_text().replace("cache of size 8", "cache of size 12")
    text = text.replace("title: redis\n", "title: Our cache\nowner: platform\n", 1)
    kept = [line for line in text.splitlines() if "lost request 2" not in line]
    kept = [
        line.replace("; trust: agent]", "; trust: agent; pin: true]") if "request 3" in line else line for line in kept
    ]
    (memory / REDIS).write_text("\n".join([*kept, "- Flush it at night", "Ask Bo first.", ""]))
    (memory / "lessons").mkdir()
    (memory / "lessons" / "new.md").write_text("- Never deploy on Fridays\n")
    git(memory, "add", "-A")
    git(memory, "commit", "-qm", "by hand")
    return home


@pytest.fixture(scope="module")
def unkilled(edited: Path, tmp_path_factory: pytest.TempPathFactory) -> AHome:
    home = AHome(Path(shutil.copytree(edited, tmp_path_factory.mktemp("unkilled") / "home", symlinks=True)))
    home.ok(*RUN)
    return home


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_while_edits_are_taken_in_changes_nothing_in_the_end(
    point: str, edited: Path, unkilled: AHome, tmp_path: Path
) -> None:
    home = AHome(Path(shutil.copytree(edited, tmp_path / "home", symlinks=True)))
    assert home.process(*RUN, DREAMD_FAILPOINT=f"{point}:kill").code == -signal.SIGKILL
    home.ok(*RUN)
    assert home.tree() == unkilled.tree()
    assert home.runs_committed() == unkilled.runs_committed()
    assert home.ok("--json", "events").json() == unkilled.ok("--json", "events").json()
    assert (
        home.ok("--now", SECOND_RUN, "--json", "claims").json()
        == unkilled.ok("--now", SECOND_RUN, "--json", "claims").json()
    )
    assert home.git("default", "status", "--porcelain") == ""
    assert home.ok("verify").out == "clean\n"


def test_what_a_person_pushes_from_a_clone_is_knowledge_and_the_report_says_who_and_when(
    edited: Path, tmp_path: Path
) -> None:
    home = AHome(Path(shutil.copytree(edited, tmp_path / "home", symlinks=True)))
    home.ok(*RUN)
    memory = home.path / "memory" / "default"
    git(memory, "config", "receive.denyCurrentBranch", "updateInstead")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(memory), str(clone))
    page = next(clone.glob("*/redis.md"))
    page.write_text(page.read_text().replace("cache of size 12", "cache of size 16"))
    git(clone, "commit", "-qam", "sixteen", at="2026-03-23T08:15:00Z", who=("Bo", "bo@example.org"))
    git(clone, "push", "-q", "origin", "main")
    commit = git(clone, "rev-parse", "HEAD").strip()

    home.ok("--now", "2026-03-24T12:00:00Z", "run")

    claims = {claim["text"]: claim for claim in home.ok("--now", FIRST_RUN, "--json", "claims", "--all").json()}
    assert claims["Deploys need a warm cache of size 16"]["status"] == "current"
    assert claims["Deploys need a warm cache of size 16"]["trust"] == "user"
    assert claims["Deploys need a warm cache of size 12"]["status"] == "retracted"
    report = max((memory / "reports").rglob("*.md")).read_text()
    assert f"changed by Bo \\<bo@example.org> on 2026-03-23 08:15 UTC in commit {commit}" in report
    git(clone, "pull", "-q", "--ff-only")
    assert "cache of size 16 [source: edit:" in page.read_text()
