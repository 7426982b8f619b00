"""A branch that was reset, rewritten or moved by force: the log is exported again, and nobody's bytes are lost."""

from pathlib import Path

import pytest

from tests.people import People, a_memory

PROXY = "projects/proxy.md"
KEEPS = "The proxy keeps connections for 30 seconds"


@pytest.fixture
def people(tmp_path: Path) -> People:
    memory = a_memory(tmp_path)
    memory.learns("proxy", KEEPS, day=17)
    return memory


def is_reachable(people: People, commit: str) -> bool:
    """Whether it would outlive a garbage collection that heeds no log of a person's own moves."""
    return commit in people.git("rev-list", "--all").split()


@pytest.mark.parametrize("how", ["--hard", "--mixed", "--soft", "--keep"])
def test_a_reset_drops_no_run_and_the_export_says_how_to_take_it_back(people: People, how: str) -> None:
    head = people.head()
    people.status()  # git takes no file for unchanged that it has not looked at yet
    people.git("reset", "-q", how, "HEAD~1")

    told = people.exports()

    assert people.head() == head, "the same run on the same parent is the same commit"
    (notice,) = told["noticed"]
    assert "moved back behind run 2" in notice
    assert "dreamd revert 2 --space default" in notice
    assert "noticed" not in people.exports(), "it is said once"
    assert people.status() == ""
    assert KEEPS in people.read(PROXY)
    assert people.git("for-each-ref", "refs/dreamd/kept") == ""


def test_the_next_run_notices_a_reset_too(people: People) -> None:
    people.git("reset", "-q", "--hard", "HEAD~1")

    told = people.learns("cache", "The cache is written through", day=18)

    assert "moved back behind run 2" in told["export"]["noticed"][0]
    assert list(people.run_commits()) == ["3", "2", "1"]
    assert people.status() == ""
    assert people.runs(19)["export"] == {"status": "done", "reason": None, "waiting": []}


def test_a_reset_takes_the_persons_own_commit_off_and_the_runs_after_it_come_again(people: People) -> None:
    people.write("mine.md", "hers\n")
    mine = people.commit("mine")
    people.learns("cache", "The cache is written through", day=18)
    people.git("reset", "-q", "--hard", "HEAD~2")

    told = people.exports()

    assert "moved back behind run 3" in told["noticed"][0]
    assert "is kept as refs/dreamd/kept/" in told["noticed"][1]
    assert list(people.run_commits()) == ["3", "2", "1"]
    assert not (people.path / "mine.md").exists(), "she took it off"
    assert people.status() == ""
    people.git("reflog", "expire", "--expire=now", "--all")
    people.git("gc", "--quiet", "--prune=now")
    assert is_reachable(people, mine)
    assert people.git("show", f"{mine}:mine.md") == "hers"


def test_a_reset_that_keeps_her_uncommitted_bytes_keeps_them(people: People) -> None:
    text = people.read(PROXY).replace("nginx", "nginx (the fast one)")
    people.git("reset", "-q", "--hard", "HEAD~1")
    people.write(PROXY, text)

    told = people.exports()

    assert told["waiting"] == [{"path": PROXY, "reason": "changed by a person"}]
    assert people.read(PROXY) == text


def test_an_amended_commit_of_ours_stays_and_the_next_run_builds_on_it(people: People) -> None:
    before = people.head()
    people.write("mine.md", "hers\n")
    people.git("add", "mine.md")
    people.git("commit", "-q", "--amend", "--no-edit")
    amended = people.head()

    told = people.exports()

    assert told["commits"] == []
    assert "the history of the memory was rewritten" in told["noticed"][0]
    assert people.head() == amended
    assert is_reachable(people, before)
    people.learns("cache", "The cache is written through", day=18)
    assert people.head("HEAD~1") == amended
    assert people.read("mine.md") == "hers\n"
    assert people.status() == ""


def test_what_she_amends_in_a_commit_of_ours_is_her_edit(people: People) -> None:
    people.write(PROXY, people.read(PROXY).replace("Use nginx as the proxy", "Use nginx as the only proxy"))
    people.git("commit", "-qa", "--amend", "--no-edit")

    told = people.runs(18)

    assert told["edits"]["run"] == 3
    assert "the history of the memory was rewritten" in told["export"]["noticed"][0]
    claims = {each["text"]: each["status"] for each in people.say("claims", "--target", "proxy", "--all")}
    assert claims["Use nginx as the only proxy"] == "current"
    assert claims["Use nginx as the proxy"] != "current"
    assert claims[KEEPS] == "current", "what dreamd wrote in that commit is not hers to lose"
    assert "Ada" in people.home.ok("report", "3").out
    assert people.status() == ""


def test_a_rebase_of_ours_stays_and_no_run_comes_twice(people: People) -> None:
    people.git("switch", "-q", "-c", "hers", "HEAD~1")
    people.write("mine.md", "hers\n")
    people.commit("mine")
    people.git("switch", "-q", "main")
    people.git("rebase", "-q", "hers")
    rebased = people.head()

    told = people.exports()

    assert told["commits"] == []
    assert people.head() == rebased
    assert list(people.run_commits()) == ["2", "1"]
    people.learns("cache", "The cache is written through", day=18)
    assert list(people.run_commits()) == ["3", "2", "1"]
    assert people.status() == ""


def test_runs_squashed_into_one_commit_do_not_come_again(people: People) -> None:
    people.learns("cache", "The cache is written through", day=18)
    tree = people.head("HEAD^{tree}")
    people.git("reset", "-q", "--soft", "HEAD~2")
    people.git("commit", "-q", "-C", "ORIG_HEAD")

    assert people.exports()["commits"] == []
    assert people.head("HEAD^{tree}") == tree


@pytest.mark.parametrize("target", ["HEAD~1", "unrelated"])
def test_a_branch_moved_by_force_is_built_on_and_nothing_is_lost(people: People, target: str) -> None:
    before = people.head()
    if target == "unrelated":
        tree = people.git(
            "mktree", stdin=f"100644 blob {people.git('hash-object', '-w', '--stdin', stdin='x')}\tx.md\n"
        )
        target = people.git("commit-tree", "-m", "another beginning", tree)
    people.git("update-ref", "refs/heads/main", target)

    told = people.exports()

    assert told["noticed"]
    assert people.head(f"main:{PROXY}") == people.head(f"{before}:{PROXY}")
    assert people.head("main:MEMORY.md") == people.head(f"{before}:MEMORY.md")
    assert is_reachable(people, before)
    people.git("merge-base", "--is-ancestor", target if len(target) == 40 else f"{before}~1", "main")
    assert people.status() in ("", "D  x.md"), "git does not lay out what a moved ref brings"


def test_a_branch_that_is_gone_comes_back_whole(people: People) -> None:
    before = people.head()
    people.git("update-ref", "-d", "refs/heads/main")

    told = people.exports()

    assert "moved back behind runs 1 to 2" in told["noticed"][0]
    assert people.head() == before
    assert people.status() == ""


def test_an_uncommitted_checkout_of_an_old_page_waits_and_goes_with_her(people: People) -> None:
    people.git("checkout", "-q", "HEAD~1", "--", PROXY)
    old = people.read(PROXY)

    told = people.learns("proxy", "The proxy is reloaded at night", day=18)

    assert told["export"]["waiting"] == [{"path": PROXY, "reason": "changed by a person"}]
    assert people.read(PROXY) == old
    people.git("checkout", "-q", "HEAD", "--", PROXY)
    assert people.exports()["waiting"] == []
    assert "reloaded at night" in people.read(PROXY)


def test_a_kill_between_a_reset_and_the_end_of_its_export_ends_in_the_same_place(people: People) -> None:
    head = people.head()
    for point in ("export-after-import", "export-after-ref", "export-after-files", "export-after-index"):
        people.git("reset", "-q", "--hard", "HEAD~1")
        assert people.home.process("export", DREAMD_FAILPOINT=f"{point}:kill").code == -9
        people.exports()
        assert people.head() == head
        assert people.status() == ""
        assert KEEPS in people.read(PROXY)
