"""A person's `git revert` of a dream's commit is `dreamd revert`; what is not quite that is their edit."""

from pathlib import Path

import pytest

from tests.acceptance.homes import AHome
from tests.people import DAY, People, a_memory

PROXY = "projects/proxy.md"
NGINX = "Use nginx as the proxy"
KEEPS = "The proxy keeps connections for 30 seconds"
NIGHT = "The proxy is reloaded at night"


@pytest.fixture
def people(tmp_path: Path) -> People:
    memory = a_memory(tmp_path)
    memory.learns("proxy", KEEPS, day=17)
    return memory


def rows(home: AHome) -> object:
    """What the store holds of streams and claims, as two homes can be compared by it."""
    claims = home.ok("--json", "claims", "--all").json()
    return [(each["target"], each["text"], each["status"]) for each in claims], home.ok("--json", "streams").json()


def current(people: People) -> list[str]:
    return sorted(each["text"] for each in people.say("claims", "--target", "proxy") if each["status"] == "current")


def reverted(people: People, *revisions: str, day: int = 18) -> dict[str, object]:
    """What the next run tells after Ada reverted the commits."""
    people.git("revert", "--no-edit", *revisions)
    told = people.runs(day)
    assert isinstance(told, dict)
    return told


def test_a_git_revert_of_the_last_dream_is_the_command(people: People, tmp_path: Path) -> None:
    by_command = a_memory(tmp_path / "other")
    by_command.learns("proxy", KEEPS, day=17)
    by_command.home.ok("--now", DAY.format(18), "revert", "2")
    before = people.head()

    told = reverted(people, before)

    assert rows(people.home) == rows(by_command.home)
    assert people.home.tree() == by_command.home.tree()
    assert people.say("runs")[-1]["reverts"] == 2
    assert told["outcome"] == "nothing"
    assert people.git("log", "--format=%an", f"{before}..HEAD").split("\n") == ["dreamd", "Ada"]
    # No fight: what dreamd committed on top is its report.
    changed = people.git("diff", "--name-only", "HEAD~1", "HEAD").split("\n")
    assert all(path.startswith(("reports/", ".dreamd/")) for path in changed)
    (notice,) = told["export"]["noticed"]
    assert "by Ada is dreamd revert 2 --space default" in notice
    assert "by Ada is" in people.home.ok("report", "3").out
    assert people.status() == ""
    assert people.runs(19)["outcome"] == "nothing", "a hold keeps it away"
    assert current(people) == [NGINX]


def test_export_takes_it_too(people: People) -> None:
    people.git("revert", "--no-edit", "HEAD")
    assert "is dreamd revert 2" in people.exports()["noticed"][0]
    assert current(people) == [NGINX]
    assert people.exports()["commits"] == []


def test_its_own_words_in_the_message_change_nothing(people: People) -> None:
    people.git("revert", "--no-commit", "HEAD")
    people.git("commit", "-q", "-m", "I do not want this")
    told = people.runs(18)
    assert "is dreamd revert 2" in told["export"]["noticed"][0]
    assert people.say("runs")[-1]["reverts"] == 2


def test_a_revert_of_the_revert_brings_it_back(people: People) -> None:
    reverted(people, "HEAD")
    assert current(people) == [NGINX]
    hers = people.git("log", "--format=%H", "--author=Ada", "-1")

    told = reverted(people, hers, day=19)

    assert current(people) == [KEEPS, NGINX]
    assert [each["reverts"] for each in people.say("runs")] == [None, None, 2, 3]
    assert "is dreamd revert 3" in told["export"]["noticed"][0]
    assert people.status() == ""


def test_a_revert_and_its_revert_between_two_runs_are_nothing(people: People) -> None:
    people.git("revert", "--no-edit", "HEAD")
    told = reverted(people, "HEAD")
    assert told["export"] == {"status": "done", "reason": None, "waiting": []}
    assert current(people) == [KEEPS, NGINX]
    assert len(people.say("runs")) == 2


@pytest.mark.parametrize("how", ["two commits", "one commit", "oldest by a restored tree"])
def test_several_dreams_at_once(people: People, how: str) -> None:
    people.learns("proxy", NIGHT, day=18)
    if how == "two commits":
        people.git("revert", "--no-edit", "HEAD", "HEAD~1")
    elif how == "one commit":
        people.git("revert", "--no-commit", "HEAD", "HEAD~1")
        people.git(
            "commit",
            "-q",
            "-m",
            f"Two\n\nThis reverts commit {people.head()}.\nThis reverts commit {people.head('HEAD~1')}.",
        )
    else:
        people.git("checkout", "-q", "HEAD~2", "--", ".")
        people.git("commit", "-q", "-m", "back to Monday")
    pages = people.head("HEAD:projects")

    told = people.runs(19)

    assert current(people) == [NGINX]
    assert people.head("HEAD:projects") == pages
    assert len(told["export"]["noticed"]) == 2
    assert people.status() == ""


def test_a_revert_of_an_older_dream_that_nothing_built_on(people: People) -> None:
    second = people.head()
    people.learns("mirror", "Mirror every hour", day=18)
    assert people.try_git("revert", "--no-edit", second).code in (0, 1)
    if people.status():
        # The index names both; she settles it as the command would.
        other = a_memory(people.home.path.parent / "other")
        other.learns("proxy", KEEPS, day=17)
        other.learns("mirror", "Mirror every hour", day=18)
        other.home.ok("--now", DAY.format(19), "revert", "2")
        people.write("MEMORY.md", other.read("MEMORY.md"))
        people.write(".dreamd/manifest.json", other.read(".dreamd/manifest.json"))
        people.git("add", "-A")
        people.git("revert", "--continue")

    told = people.runs(19)

    assert "is dreamd revert 2 --space default" in told["export"]["noticed"][0]
    assert current(people) == [NGINX]
    assert people.status() == ""


def test_a_revert_with_other_words_is_an_edit_and_the_report_says_what_is_missing(people: People) -> None:
    people.git("revert", "--no-commit", "HEAD")
    people.write(PROXY, people.read(PROXY).replace(NGINX, "Use nginx as the only proxy"))
    people.git("commit", "-qa", "-m", f"Not quite\n\nThis reverts commit {people.head()}.")

    told = people.runs(18)

    (notice,) = told["export"]["noticed"]
    assert "each of its lines counts as an edit" in notice
    assert "dreamd revert 2" in notice
    assert current(people) == ["Use nginx as the only proxy"]
    assert "each of its lines counts as an edit" in people.home.ok("report", "3").out
    assert people.status() == ""


def test_an_edit_beside_a_revert_is_still_an_edit(people: People) -> None:
    page = "knowledge/queue.md"
    people.write(page, people.read(page).replace("The queue lost request 2", "The queue lost request two"))
    people.commit("in words")

    told = reverted(people, "HEAD~1")

    assert "is dreamd revert 2" in told["export"]["noticed"][0]
    assert current(people) == [NGINX]
    texts = [each["text"] for each in people.say("claims", "--target", "queue") if each["status"] == "current"]
    assert "The queue lost request two" in texts
    assert "The queue lost request 2" not in texts
    assert people.status() == ""


def test_a_revert_made_in_a_clone_and_merged_is_one_too(people: People, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    people.git("clone", "-q", str(people.path), str(clone), at=tmp_path)
    people.git("revert", "--no-edit", "HEAD", at=clone)
    people.write("mine.md", "hers\n")
    people.commit("mine")
    people.git("pull", "-q", "--no-rebase", "--no-edit", str(clone), "main")

    told = people.runs(18)

    assert "is dreamd revert 2" in told["export"]["noticed"][0]
    assert current(people) == [NGINX]
    assert people.status() == ""


def test_a_revert_of_the_first_dream_leaves_nothing(people: People) -> None:
    people.git("revert", "--no-edit", "HEAD", "HEAD~1")

    told = people.runs(18)

    assert len(told["export"]["noticed"]) == 2
    assert people.say("streams") == []
    assert not (people.path / "MEMORY.md").exists()
    assert people.status() == ""


@pytest.mark.parametrize("point", ["apply-before-commit", "apply-after-commit", "export-after-ref"])
def test_a_kill_on_the_way_ends_in_the_same_place(people: People, point: str) -> None:
    people.git("revert", "--no-edit", "HEAD")
    now = ("--now", DAY.format(18))
    assert people.home.process(*now, "run", DREAMD_FAILPOINT=f"{point}:kill").code == -9

    people.runs(18)

    assert [each["reverts"] for each in people.say("runs")] == [None, None, 2]
    assert current(people) == [NGINX]
    assert people.status() == ""
