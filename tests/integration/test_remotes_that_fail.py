"""A remote that is away, silent, closed or in disorder never makes a run fail, and is told and tried again."""

import os
import shutil
import signal
import socket
from base64 import b64encode

import pytest

from dreamd.repo_export.locks import flocked
from tests.acceptance.homes import AHome
from tests.cli import NOON
from tests.poison import git
from tests.remote_place import LATER, PAGE, a_home_with_one_run, a_place, commit, push
from tests.web_remote import git_behind, refusing

PASSWORD = "-".join(("not", "a", "real", "one"))


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    return a_home_with_one_run(tmp_path_factory.mktemp("grown"))


@pytest.fixture
def place(grown, tmp_path, capsys, monkeypatch):
    return a_place(tmp_path, grown, capsys, monkeypatch)


def test_a_remote_that_disappeared_is_tried_again_later_and_later_and_at_once_by_hand(place):
    place.run()
    shutil.move(place.remote, place.folder / "away")
    place.feed("cache")
    waits = []
    for now in ("2026-03-21T12:00:00Z", "2026-03-21T12:05:00Z", "2026-03-21T12:15:00Z"):
        answer = place.dreamd("run", "--now", now)
        assert answer.code == 0 and "in a row: fatal: " in answer.out
        waits.append(place.state()["next_try"])
    assert waits == ["2026-03-21T12:05:00Z", "2026-03-21T12:15:00Z", "2026-03-21T12:35:00Z"]
    shutil.move(place.folder / "away", place.remote)
    told = place.run("2026-03-21T12:20:00Z").value["remote"]
    assert told["failures"] == 3 and told["last_attempt"] == "2026-03-21T12:15:00Z", "it was asked too early"
    status = place.dreamd("status", "--now", LATER)
    assert status.code == 1 and "3 failures in a row" in status.out and "dreamd" in status.out
    assert place.state()["last_success"] == LATER == "2026-03-21T12:00:00Z"  # and not that of the attempts since
    assert place.dreamd("export", "--now", "2026-03-21T12:21:00Z").code == 0
    assert place.state()["failures"] == 0 and place.head(place.remote) == place.head()
    assert place.dreamd("status").code == 0


def test_a_pause_after_failures_is_never_longer_than_a_day(place, monkeypatch):
    shutil.rmtree(place.remote)
    monkeypatch.setenv("DREAMD_REMOTE__RETRY_MINUTES", "1000")
    place.run("2026-03-21T12:00:00Z")
    place.run("2026-03-25T12:00:00Z")
    assert place.state()["next_try"] == "2026-03-26T12:00:00Z"


def test_a_silent_remote_is_given_up_after_the_time_it_may_take(place, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:  # takes connections, and never says a word
        monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://127.0.0.1:{silent.getsockname()[1]}/{{space}}")
        monkeypatch.setenv("DREAMD_REMOTE__TIMEOUT_SECONDS", "0.2")
        told = place.run().value["remote"]
    assert told["status"] == "fails" and told["reason"] == "no answer within 0.2 s"


def test_a_hook_that_refuses_is_quoted_and_the_push_waits(place):
    hook = place.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'no memories on Fridays' >&2\nexit 1\n")
    hook.chmod(0o755)
    told = place.run().value["remote"]
    assert told["status"] == "fails" and "no memories on Fridays" in told["reason"] and not told["pushed"]
    assert git(place.remote, "for-each-ref") == ""
    hook.unlink()
    assert place.run("2026-03-22T12:00:00Z").value["remote"]["pushed"] is True


def test_what_is_pushed_between_our_look_and_our_push_is_not_overwritten(place):
    place.run()
    clone = place.clone()
    made = commit(clone, {"n.md": "x\n"})
    # The remote itself: a commit of Ada's arrives while ours is on its way, before the branch is moved.
    git(place.remote, "fetch", "-q", str(clone), "main")
    hook = place.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv -u GIT_QUARANTINE_PATH git update-ref refs/heads/main {made}\n")
    hook.chmod(0o755)
    place.feed("cache")
    told = place.run().value["remote"]
    assert told["pushed"] is False and place.head(place.remote) == made
    hook.unlink()
    place.run("2026-03-22T12:00:00Z")
    assert place.holds(made) and place.head(place.remote) == place.head()


def test_nobody_is_asked_for_a_password_and_one_that_is_set_is_sent_and_never_shown(place, monkeypatch):
    trap = place.folder / "asked"
    program = place.folder / "askpass"
    program.write_text(f"#!/bin/sh\ntouch {trap}\necho x\n")
    program.chmod(0o755)
    for name in ("GIT_ASKPASS", "SSH_ASKPASS"):
        monkeypatch.setenv(name, str(program))
    git(place.memory, "config", "core.askPass", str(program))
    git(place.memory, "config", "credential.helper", f"!touch {trap};")
    with refusing(401) as (port, asked):
        monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://ada:{PASSWORD}@127.0.0.1:{port}/{{space}}.git")
        commands = (
            ("run",),
            ("run", "--json"),
            ("status",),
            ("--json", "status"),
            ("settings",),
            ("settings", "--json"),
        )
        answers = [place.dreamd(*words, "--now", LATER) for words in commands]
    assert answers[0].code == 0 and "in a row: " in answers[0].out and f"http://***@127.0.0.1:{port}" in answers[0].out
    assert not any(PASSWORD in answer.out + answer.err for answer in answers)
    assert asked[0]["Authorization"] == "Basic " + b64encode(f"ada:{PASSWORD}".encode()).decode()
    assert not trap.exists()


def test_a_password_in_the_address_lets_us_in_both_ways_and_a_wrong_one_does_not(place, monkeypatch):
    with git_behind(PASSWORD, place.folder) as port:
        monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://ada:wrong@127.0.0.1:{port}/{{space}}.git")
        told = place.run().value["remote"]
        assert told["status"] == "fails" and told["reason"].startswith("not let in (")
        monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://ada:{PASSWORD}@127.0.0.1:{port}/{{space}}.git")
        assert place.run("2026-03-22T12:00:00Z").value["remote"]["pushed"] is True
        edit = push(place.clone(), {"n.md": "x\n"})
        assert place.run("2026-03-23T12:00:00Z").value["remote"]["status"] == "in step" and place.holds(edit)
    assert PASSWORD not in (place.home / "dreamd.db").read_bytes().decode("latin-1")


def test_a_remote_that_sends_us_elsewhere_is_not_followed(place, monkeypatch):
    with refusing(302) as (port, _):
        monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://127.0.0.1:{port}/{{space}}.git")
        told = place.run().value["remote"]
    assert told["status"] == "fails" and "302" in told["reason"]


def test_ssh_is_told_to_ask_nobody_and_to_use_nothing_of_the_person(place, monkeypatch):
    words, bin_ = place.folder / "words", place.folder / "bin"
    bin_.mkdir()
    (bin_ / "ssh").write_text(f'#!/bin/sh\necho "$SSH_AUTH_SOCK $@" >> {words}\nfor last; do :; done\neval "$last"\n')
    (bin_ / "ssh").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/agent")
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"git@example.com:{place.folder}/{{space}}.git")
    assert place.run().value["remote"]["status"] == "in step"
    assert place.head(place.remote) == place.head()
    said = words.read_text()
    assert "BatchMode=yes" in said and "-F/dev/null" in said and "IdentityAgent=none" in said and "/agent" not in said
    words.unlink()
    monkeypatch.setenv("DREAMD_REMOTE__CREDENTIALS", "mine")
    place.run()
    said = words.read_text()
    assert "BatchMode=yes" in said and "-F/dev/null" not in said and "/agent" in said


def test_a_history_that_was_rewritten_there_is_not_taken_and_not_overwritten(place):
    place.run()
    clone = place.clone()
    push(clone, {"n.md": "x\n"})
    place.run()
    ours = place.head()
    git(clone, "reset", "-q", "--hard", "HEAD~1")
    theirs = commit(clone, {"all.md": "else\n", PAGE: None})
    git(clone, "push", "-q", "--force", "origin", "HEAD:main")
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "the history of the remote was rewritten" in told["reason"]
    assert place.head() == ours and place.head(place.remote) == theirs
    assert (place.memory / "n.md").exists() and (place.memory / PAGE).exists()


def test_a_remote_that_was_moved_back_gets_what_it_lacks_and_it_is_said(place):
    first = place.head()
    place.feed("cache")
    place.run()
    git(place.remote, "update-ref", "refs/heads/main", first)
    answer = place.dreamd("run", "--now", LATER)
    assert "the remote was moved back" in answer.out and place.head(place.remote) == place.head()


def test_what_was_taken_out_of_the_history_here_never_comes_back_from_the_remote(place):
    """As after a purge: the remote still has the old commits, which are out of reach."""
    commit(place.memory, {"secret.md": "x\n"})
    commit(place.memory, {"other.md": "x\n"})
    place.run()
    old = place.head(place.remote)
    git(place.memory, "reset", "-q", "--hard", "HEAD~2")
    for files in ({"other.md": "x\n"}, {"again.md": "x\n"}):
        commit(place.memory, files)
    push(place.clone(), {"theirs.md": "x\n"})
    told = place.dreamd("pin", "mailer", "--now", LATER, "--json").value["remote"]  # which pushes and does not pull
    assert told["status"] == "waits" and "history here was rewritten" in told["reason"] and old[:10] in told["reason"]
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "history here was rewritten" in told["reason"] and old[:10] in told["reason"]
    assert not place.holds(old) and not (place.memory / "secret.md").exists()
    assert not (place.memory / "theirs.md").exists()


def test_a_remote_of_another_home_is_refused_on_either_side(place, grown, tmp_path, capsys, monkeypatch):
    (tmp_path / "second").mkdir()
    place.run()
    other = a_place(tmp_path / "second", grown, capsys, monkeypatch)
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"{tmp_path}/{{space}}.git")
    other.feed("cache")
    other.run()
    ours, theirs = place.head(), other.head()
    assert place.head(place.remote) == theirs  # it began as a copy, so it could go on
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "the remote holds run" in told["reason"] and "another home" in told["reason"]
    assert place.head() == ours and place.head(place.remote) == theirs


def test_a_remote_with_nothing_in_common_is_left_as_it_is(place):
    other = place.folder / "other"
    git(place.folder, "init", "-q", "-b", "main", str(other))
    strange = commit(other, {"README": "x\n"})
    git(other, "push", "-q", str(place.remote), "main")
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "no commit in common" in told["reason"]
    assert place.head(place.remote) == strange


def test_a_shallow_remote_is_refused_when_it_lacks_what_we_need(place):
    place.run()
    push(place.clone(), {"a.md": "x\n"})
    git(place.folder, "clone", "-q", "--bare", "--depth=1", f"file://{place.remote}", "shallow.git")
    shutil.rmtree(place.remote)
    shutil.move(place.folder / "shallow.git", place.remote)
    told = place.run().value["remote"]
    assert told["status"] == "waits" and "the remote is a shallow clone" in told["reason"]
    assert not (place.memory / ".git" / "shallow").exists() and not (place.memory / "a.md").exists()


@pytest.mark.parametrize("point", ["pull-after-import", "pull-after-ref"])
def test_a_kill_while_taking_in_ends_in_the_same_place_after_the_next_run(place, point):
    place.run()
    clone = place.clone()
    ours = commit(place.memory, {"here.md": "x\n"})
    edit = push(clone, {"n.md": "x\n", PAGE: (clone / PAGE).read_text() + "\n- The mailer runs on host b\n"})
    killed = AHome(place.home).process("run", "--now", LATER, DREAMD_FAILPOINT=f"{point}:kill")
    assert killed.code == -signal.SIGKILL, "it is never reached"
    assert place.run(LATER).value["remote"]["status"] == "in step"
    assert place.holds(edit) and place.holds(ours) and place.head(place.remote) == place.head()
    assert git(place.memory, "status", "--porcelain") == "" and (place.memory / "n.md").exists()
    assert not (place.home / ".remote" / "default").exists()
    assert len(git(place.memory, "log", "--merges", "--format=%s").splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "ext::sh -c true {space}"),
        ("URL", "ext::{space}"),
        ("URL", "-oProxyCommand=x{space}"),
        ("URL", "ssh://-oProxyCommand=x/{space}"),
        ("URL", "host:-x{space}"),
        ("URL", "http://example.com/{space}"),
        ("URL", "git://example.com/{space}"),
        ("URL", "relative/{space}"),
        ("URL", "origin{space}"),
        ("URL", "https://example.com/one-for-all"),
        ("SPACES", "work=ext::x"),
        ("SPACES", "work=/a work=/b"),
        ("BRANCH", "--force"),
        ("BRANCH", "a..b"),
        ("PULL", "maybe"),
        ("TIMEOUT_SECONDS", "0"),
    ],
)
def test_an_address_that_could_start_something_or_go_astray_is_refused(place, monkeypatch, name, value):
    monkeypatch.setenv(f"DREAMD_REMOTE__{name}", value)
    answer = place.dreamd("run", "--now", NOON)
    assert answer.code == 78 and f"remote.{name.lower()}" in answer.err and "allowed" in answer.err


def test_a_refused_address_does_not_show_its_password(place, monkeypatch):
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"https://ada:{PASSWORD}@example.com/one-for-all")
    assert PASSWORD not in place.dreamd("run").err
    monkeypatch.setenv("DREAMD_REMOTE__URL", f"http://ada:{PASSWORD}@example.com/{{space}}")
    assert PASSWORD not in place.dreamd("run").err


def test_a_branch_that_was_deleted_there_is_pushed_anew_and_it_is_said(place):
    place.run()
    git(place.remote, "update-ref", "-d", "refs/heads/main")
    answer = place.dreamd("run", "--now", LATER)
    assert "no longer has the branch 'main'" in answer.out and place.head(place.remote) == place.head()


def test_what_another_dreamd_is_at_is_left_to_it(place, monkeypatch):
    monkeypatch.setattr("dreamd.repo_export.locks.TRIES", 1)
    monkeypatch.setattr("dreamd.repo_export.locks.WAIT_SECONDS", 0)
    place.run()
    before = place.state()
    with flocked(place.home / ".remote" / "default.lock"):
        answer = place.dreamd("run", "--now", "2026-03-22T12:00:00Z")
    assert answer.code == 0 and "left to another dreamd" in answer.out and place.state() == before
