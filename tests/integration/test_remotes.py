"""A memory and its remote, through the command line and with real git: what people push arrives, nothing is forced."""

import json
import shutil

import pytest

from dreamd.repo_export.remotes import joining
from tests.cli import NOON
from tests.poison import git
from tests.remote_place import LATER, PAGE, a_home_with_one_run, a_place, commit, push


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    return a_home_with_one_run(tmp_path_factory.mktemp("grown"))


@pytest.fixture
def place(grown, tmp_path, capsys, monkeypatch):
    return a_place(tmp_path, grown, capsys, monkeypatch)


def test_what_was_exported_is_pushed_to_an_empty_remote_and_status_says_so(place):
    assert place.run().value["remote"]["pushed"] is True
    assert place.head(place.remote) == place.head()
    assert (place.clone() / "MEMORY.md").read_bytes() == (place.memory / "MEMORY.md").read_bytes()
    status = place.dreamd("status", "--now", LATER)
    assert status.code == 0 and f"remote: {place.remote}, in step, last success {LATER}" in status.out
    assert place.state()["failures"] == 0 and place.state()["seen"] == place.head()
    assert not (place.home / ".remote" / "default").exists()  # what was borrowed is gone


def test_a_remote_in_step_is_asked_and_not_written_to(place):
    place.run()
    before = place.head(place.remote)
    assert place.run().value["remote"]["pushed"] is False
    assert place.head(place.remote) == before == place.head()


def test_a_space_without_a_remote_says_nothing_of_one(place, monkeypatch):
    monkeypatch.delenv("DREAMD_REMOTE__URL")
    assert "remote" not in place.run().value and place.state() is None
    assert not (place.home / ".remote").exists()


def test_an_edit_that_a_person_pushed_arrives_before_the_run_and_lies_in_the_work_tree(place):
    place.run()
    clone = place.clone()
    page = (clone / PAGE).read_text()
    edit = push(
        clone, {PAGE: page + "\n- The mailer runs on host b\n", "notes/own.md": "mine\n", "run.sh": "#!/bin/sh\n"}
    )
    answer = place.dreamd("run", "--now", LATER)
    assert answer.code == 0 and f"Remote {place.remote}: took in 1 commit of Ada (3 files)" in answer.out
    assert place.holds(edit) and (place.memory / "notes/own.md").read_text() == "mine\n"
    assert "The mailer runs on host b" in git(place.memory, "log", "-p", "--", PAGE)
    assert git(place.memory, "status", "--porcelain") == ""
    assert place.head(place.remote) == place.head()


def test_both_sides_moved_and_both_are_kept_by_a_merge_that_needs_no_work_tree(place):
    place.run()
    clone = place.clone()
    shutil.move(place.remote, place.folder / "away")
    place.feed("cache")
    assert place.run(LATER).value["remote"]["status"] == "fails"
    ours = place.head()
    shutil.move(place.folder / "away", place.remote)
    theirs = push(clone, {"notes/own.md": "mine\n"})
    told = place.dreamd("export", "--now", LATER, "--json").value[0]["remote"]
    assert told["pulled"]["authors"] == ["Ada"] and told["pushed"] is True
    assert place.holds(ours) and place.holds(theirs) and place.head(place.remote) == place.head()
    assert (place.memory / "notes/own.md").read_text() == "mine\n" and (place.memory / "knowledge/cache.md").exists()
    assert git(place.memory, "status", "--porcelain") == ""


def _apart(place, here, there):
    """Ada changed `here` in the memory itself and `there` in her clone, both since the two were last in step."""
    place.run()
    clone = place.clone()
    return commit(place.memory, here), push(clone, there)


@pytest.mark.parametrize("can_write_tree", [True, False], ids=["merge-tree", "file by file"])
def test_lines_that_people_changed_on_both_sides_are_named_and_wait_for_a_person(place, monkeypatch, can_write_tree):
    if not can_write_tree:
        monkeypatch.setattr(joining, "_by_merge_tree", lambda *_: None)
    ours, theirs = _apart(place, {"n.md": "here\n", "a": "1\n"}, {"n.md": "there\n", "b": "2\n"})
    told = place.run().value["remote"]
    assert told["status"] == "waits" and told["paths"] == ["n.md"] and told["pushed"] is False
    assert place.head() == ours and place.head(place.remote) == theirs  # nothing lost, nothing forced
    assert (place.memory / "n.md").read_text() == "here\n"
    status = place.dreamd("status", "--now", LATER)
    assert status.code == 1 and "people changed the same lines here and on the remote: n.md" in status.out
    # A person decides, with their own git, in the memory or wherever they like.
    merged = ("-c", "pull.rebase=false", "pull", "-q", "-X", "ours", str(place.remote), "main")
    git(place.memory, *merged)
    assert place.run().value["remote"]["status"] == "in step"
    assert place.holds(ours, place.remote) and place.holds(theirs, place.remote)
    assert place.dreamd("status", "--now", LATER).code == 0


@pytest.mark.parametrize("can_write_tree", [True, False], ids=["merge-tree", "file by file"])
def test_different_lines_of_one_file_are_put_together(place, monkeypatch, can_write_tree):
    if not can_write_tree:
        monkeypatch.setattr(joining, "_by_merge_tree", lambda *_: None)
    commit(place.memory, {"n.md": "1\n2\n3\n4\n5\n", "gone.md": "x\n"})
    _apart(place, {"n.md": "one\n2\n3\n4\n5\n"}, {"n.md": "1\n2\n3\n4\nfive\n", "gone.md": None, "dir/new.md": "new\n"})
    assert place.run().value["remote"]["status"] == "in step"
    assert (place.memory / "n.md").read_text() == "one\n2\n3\n4\nfive\n"
    assert not (place.memory / "gone.md").exists() and (place.memory / "dir/new.md").exists()
    assert git(place.memory, "status", "--porcelain") == ""


@pytest.mark.parametrize("can_write_tree", [True, False], ids=["merge-tree", "file by file"])
def test_what_a_person_wrote_takes_the_place_of_what_dreamd_rendered_in_the_same_lines(
    place, monkeypatch, can_write_tree
):
    if not can_write_tree:
        monkeypatch.setattr(joining, "_by_merge_tree", lambda *_: None)
    place.run()
    clone = place.clone()
    monkeypatch.setenv("DREAMD_REMOTE__SPACES", "default=")  # dreamd goes on alone for a night
    place.feed("cache")
    place.run()
    rendered = place.head()
    monkeypatch.delenv("DREAMD_REMOTE__SPACES")
    text = (clone / "MEMORY.md").read_text()
    last = text.rstrip("\n").splitlines()[-1]
    edit = push(clone, {"MEMORY.md": text.replace(last, f"A line of Ada's\n{last}!")})
    answer = place.dreamd("run", "--now", LATER)
    assert "a person's MEMORY.md took the place of what was rendered" in answer.out
    assert place.holds(edit) and place.holds(rendered) and place.head(place.remote) == place.head()
    assert "A line of Ada's" in (place.memory / "MEMORY.md").read_text()
    assert git(place.memory, "status", "--porcelain") == ""


def test_a_file_that_a_person_is_editing_here_is_not_overwritten_by_what_came(place):
    commit(place.memory, {"n.md": "1\n"})
    place.run()
    push(place.clone(), {"n.md": "2\n", "other.md": "x\n"})
    (place.memory / "n.md").write_text("not yet committed\n")
    place.run()
    assert (place.memory / "n.md").read_text() == "not yet committed\n"
    assert (place.memory / "other.md").exists() and git(place.memory, "show", "main:n.md") == "2"
    assert "left alone: n.md" in place.dreamd("status").out


def test_a_merge_under_way_here_waits_and_catches_up(place):
    place.run()
    edit = push(place.clone(), {"n.md": "x\n"})
    (place.memory / ".git" / "MERGE_HEAD").write_text(place.head())
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "a merge is in progress" in told["reason"]
    (place.memory / ".git" / "MERGE_HEAD").unlink()
    assert place.run().value["remote"]["status"] == "in step" and place.holds(edit)


def test_a_remote_that_is_only_pushed_to_is_not_read(place, monkeypatch):
    place.run()
    monkeypatch.setenv("DREAMD_REMOTE__PULL", "no")
    edit = push(place.clone(), {"n.md": "x\n"})
    place.feed("cache")
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "remote.pull is no" in told["reason"]
    assert not place.holds(edit) and place.head(place.remote) == edit
    monkeypatch.delenv("DREAMD_REMOTE__PULL")
    assert place.run().value["remote"]["status"] == "in step" and place.holds(edit)


def test_another_branch_of_the_remote_may_be_named(place, monkeypatch):
    git(place.remote, "symbolic-ref", "HEAD", "refs/heads/master")
    monkeypatch.setenv("DREAMD_REMOTE__BRANCH", "master")
    place.run()
    assert git(place.remote, "rev-parse", "master") == place.head()


def test_a_remote_whose_branches_have_other_names_gets_ours_beside_them(place):
    other = place.folder / "other"
    git(place.folder, "init", "-q", "-b", "trunk", str(other))
    commit(other, {"README": "of the host\n"})
    git(other, "push", "-q", str(place.remote), "trunk")
    git(place.remote, "symbolic-ref", "HEAD", "refs/heads/trunk")
    answer = place.dreamd("run", "--now", LATER)
    assert "has no branch 'main' yet, beside its others" in answer.out and "pushed" in answer.out
    assert place.head(place.remote) == place.head() and git(place.remote, "ls-tree", "trunk").endswith("README")


def test_each_space_has_its_own_remote_and_may_have_another_or_none(place, monkeypatch):
    for space in ("work", "play"):
        events = json.dumps({"at": "2026-03-02T10:00:00Z", "text": "Use tabs", "kind": "decision", "target": "style"})
        (place.folder / "e.jsonl").write_text(events + "\n")
        assert place.dreamd("--space", space, "ingest", "events", str(place.folder / "e.jsonl")).code == 0
    other = place.folder / "elsewhere"
    git(place.folder, "init", "-q", "--bare", "-b", "main", str(other))
    monkeypatch.setenv("DREAMD_REMOTE__SPACES", f"work={other} play=")
    told = {each["space"]: each.get("remote") for each in place.run().value}
    assert told["play"] is None and told["work"]["url"] == str(other) and told["default"]["url"] == str(place.remote)
    assert place.head(other) == git(place.home / "memory" / "work", "rev-parse", "main") != place.head(place.remote)


def test_a_remote_that_began_with_somebody_elses_readme_is_built_upon(place):
    shutil.rmtree(place.memory)
    clone = place.folder / "first"
    git(place.folder, "init", "-q", "-b", "main", str(clone))
    readme = commit(clone, {"README.md": "of the host\n"})
    git(clone, "push", "-q", str(place.remote), "main")
    assert place.run().value["remote"]["status"] == "in step"
    assert place.holds(readme) and (place.memory / "README.md").exists() and (place.memory / "MEMORY.md").exists()
    assert place.head(place.remote) == place.head() and git(place.memory, "status", "--porcelain") == ""


def test_an_executable_file_that_came_can_be_executed_and_git_sees_nothing_changed(place):
    place.run()
    clone = place.clone()
    (clone / "run.sh").write_text("#!/bin/sh\n")
    (clone / "run.sh").chmod(0o755)
    push(clone, {})
    place.run()
    assert (place.memory / "run.sh").stat().st_mode & 0o100 and git(place.memory, "status", "--porcelain") == ""


def test_an_edit_in_a_clone_of_the_memory_itself_is_pushed_back_and_becomes_knowledge(place, monkeypatch):
    monkeypatch.delenv("DREAMD_REMOTE__URL")
    place.run()
    git(place.folder, "clone", "-q", str(place.memory), "own")
    page = (place.folder / "own" / PAGE).read_text().rstrip("\n")
    edit = push(place.folder / "own", {PAGE: f"{page}\n- The mailer runs on host b\n"})
    assert "host b" in (place.memory / PAGE).read_text() and git(place.memory, "status", "--porcelain") == ""
    place.run("2026-03-22T12:00:00Z")
    told = [each for each in place.dreamd("claims", "--json").value if "host b" in each["text"]]
    assert [each["trust"] for each in told] == ["user"]
    report = place.dreamd("report", "--space", "default", "2").out
    assert edit[:12] in report


def test_what_arrived_from_a_remote_is_knowledge_after_the_same_run(place):
    place.run()
    clone = place.clone()
    page = (clone / PAGE).read_text().rstrip("\n")
    push(clone, {PAGE: f"{page}\n- The mailer runs on host b\n"})
    place.run("2026-03-22T12:00:00Z")
    told = [each for each in place.dreamd("claims", "--json").value if "host b" in each["text"]]
    assert [each["trust"] for each in told] == ["user"]
    assert "trust: user" in git(place.remote, "show", f"main:{PAGE}")


def test_a_decision_of_a_person_is_pushed_too(place):
    place.run()
    before = place.head(place.remote)
    assert place.dreamd("pin", "mailer", "--now", NOON.replace("20T", "22T")).code == 0
    assert place.head(place.remote) == place.head() != before


def test_a_dry_run_asks_no_remote(place):
    assert place.dreamd("run", "--dry-run", "--now", LATER).code == 0
    assert git(place.remote, "for-each-ref") == ""
