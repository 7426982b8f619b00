"""Each command through the door that a person uses: answers, shapes, exit codes and the errors of newcomers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.homes import a_home
from tests.cli import NOON, Command, a_month_of, command_in, lines

STREAM_FIELDS = {
    *("id", "space", "target", "title", "birth", "phase", "vitality", "confidence", "base_confidence", "status"),
    *("frequency", "active_days", "first_seen", "last_seen", "lifetime_days", "coverage", "stability"),
    *("reinforcement_density", "removal_cost", "utility", "stretch", "decay_class", "doubtful", "scope", "aliases"),
    *("pinned", "path"),
}
RUN_FIELDS = {
    *("space", "run", "outcome", "counts", "report", "commit", "export", "proposals", "near_misses", "problems"),
    *("models", "merged", "kept_apart"),
}
CLAIM_FIELDS = {
    *("id", "text", "kind", "status", "group", "valid_from", "valid_to", "recorded_at", "retracted_at", "support"),
    *("trust", "supersedes", "evidence", "due"),
}


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return command_in(tmp_path / "home", capsys)


@pytest.fixture
def fed(command: Command, tmp_path: Path) -> Command:
    """A home with two targets in one space, not dreamt over yet."""
    file = tmp_path / "events.jsonl"
    file.write_text(lines(*a_month_of("rate-limiter"), *a_month_of("mailer")), encoding="utf-8")
    assert command("init").code == 0
    assert command("ingest", "events", str(file)).code == 0
    return command


@pytest.fixture
def dreamt(fed: Command) -> Command:
    assert fed("run", "--now", NOON).code == 0
    return fed


# Newcomers


def test_without_a_home_a_command_says_how_to_make_one(command):
    answer = command("run")
    assert answer.code == 78
    assert "hint: create it: dreamd --home" in answer.err


def test_errors_are_json_in_json_mode(command):
    answer = command("--json", "run")
    assert (answer.code, answer.error["code"], set(answer.error)) == (78, 78, {"error", "code", "hint"})


def test_init_says_what_to_tell_an_agent_and_may_be_repeated(command):
    first, second = command("init"), command("init")
    assert (first.code, second.code) == (0, 0)
    assert "MEMORY.md" in first.out and "record --as agent" in first.out and "safe.directory" in first.out
    assert "was there already" in second.out


def test_a_mistyped_command_names_the_nearest(command):
    answer = command("rnu")
    assert (answer.code, answer.err.endswith(" run\n")) == (2, True)


@pytest.mark.parametrize("words", [("run", "--bogus"), ("report", "x"), ("show",), ("ingest", "email"), ("--space",)])
def test_usage_errors_exit_2_and_are_json_in_json_mode(fed, words):
    assert fed(*words).code == 2
    assert fed("--json", *words).error["code"] == 2


def test_version_and_help(command):
    assert command("--version").out.startswith("dreamd ")
    assert "Commands:" in command("--help").out
    assert "Commands:" in command().out


def test_an_empty_home_teaches(command):
    command("init")
    assert "ingest git FOLDER" in command("status").out
    assert command("run", "--json").value == []


@pytest.mark.parametrize("instant", ["2026-03-20T12:00:00", "yesterday", "2026-03-20"])
def test_an_instant_without_a_zone_is_refused(fed, instant):
    assert fed("run", "--now", instant).code == 2


def test_global_options_stand_before_or_after_the_command(fed):
    assert fed("--json", "--now", NOON, "streams").value == fed("streams", "--json", f"--now={NOON}").value


# Facts


def test_a_second_delivery_is_a_duplicate_and_a_bad_line_is_named(fed, tmp_path):
    file = tmp_path / "more.jsonl"
    file.write_text(lines(*a_month_of("mailer")) + "{broken\n", encoding="utf-8")
    answer = fed("ingest", "events", str(file), "--json")
    value = answer.value
    assert (answer.code, value["new"], value["duplicate"], value["rejected"]) == (65, 0, 4, 1)
    assert (value["rejections"][0]["file"], value["rejections"][0]["line"]) == (str(file), 5)


def test_the_same_id_with_other_content_is_rejected_and_the_first_stays(fed, tmp_path):
    file = tmp_path / "twice.jsonl"
    event = {"at": "2026-03-01T10:00:00Z", "kind": "observation", "id": "7", "source": "s"}
    file.write_text(lines({**event, "text": "The cache holds 5 items"}, {**event, "text": "The cache holds 6 items"}))
    answer = fed("ingest", "events", str(file))
    assert answer.code == 65
    assert "digest" in answer.err
    assert [each["text"] for each in fed("events", "--json").value if each["given_id"] == "7"] == [
        "The cache holds 5 items"
    ]


def test_a_recorded_event_can_be_seen(fed):
    answer = fed("record", "--target", "queue", "--kind", "decision", "Use PostgreSQL for the queue", "--json")
    assert answer.value["new"] is True
    assert answer.value["id"] in {each["id"] for each in fed("events", "--json").value}


def test_events_say_what_became_of_them(fed):
    assert {each["rule"] for each in fed("events", "--json", "--now", NOON).value} == {"unexamined"}
    fed("run", "--now", NOON)
    assert {each["target"] for each in fed("events", "--json").value} == {"rate_limiter", "mailer"}
    assert len(fed("events", "--target", "Rate Limiter", "--json").value) == 4


def test_git_history_is_read_once(fed, tmp_path):
    project = tmp_path / "clock"
    git = ("git", "-C", str(project), "-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(("git", "init", "-q", str(project)), check=True)
    subprocess.run((*git, "commit", "-q", "--allow-empty", "-m", "fix(clock): tick once a second"), check=True)
    first, second = fed("ingest", "git", str(project), "--json"), fed("ingest", "git", str(project), "--json")
    assert (first.value["new"], first.value["spaces"], second.value["new"]) == (1, ["clock"], 0)
    assert fed("ingest", "git", str(tmp_path)).code == 65


# Dreams


def test_a_run_answers_with_one_bare_object_for_one_space(fed):
    value = fed("run", "--json", "--now", NOON).value
    assert set(value) == RUN_FIELDS
    assert (value["run"], value["outcome"], value["export"]["status"]) == (1, "applied", "done")
    assert Path(value["report"]).is_file()


def test_a_second_run_changes_nothing_and_the_report_says_what_came_closest(dreamt):
    value = dreamt("run", "--json", "--now", NOON).value
    assert (value["run"], value["outcome"], value["report"], value["commit"]) == (None, "nothing", None, None)
    assert "nothing changed; closest:" in dreamt("report").out


def test_a_dry_run_writes_nothing(fed):
    assert "Nothing was written" in fed("run", "--dry-run", "--now", NOON).out
    assert fed("runs", "--json").value == []


def test_a_now_before_the_last_run_is_refused(dreamt):
    assert dreamt("run", "--now", "2026-03-19T12:00:00Z").code == 2


def test_a_plan_is_applied_once(fed, tmp_path):
    file = str(tmp_path / "plan.json")
    assert fed("plan", "-o", file, "--now", NOON).code == 0
    assert fed("apply", file, "--now", NOON, "--json").value["run"] == 1
    assert fed("apply", file, "--now", NOON).code == 1
    Path(file).write_text("{}", encoding="utf-8")
    assert fed("apply", file).code == 65


def test_several_spaces_give_a_list_and_a_run_number_must_be_told_apart(dreamt):
    dreamt("record", "--space", "other", "--target", "queue", "--kind", "decision", "Use one queue", "--now", NOON)
    assert [each["space"] for each in dreamt("run", "--json", "--now", NOON).value] == ["default", "other"]
    answer = dreamt("report", "1")
    assert (answer.code, "default, other" in answer.err) == (2, True)
    assert dreamt("report", "1", "--space", "other").code == 0


# History


def test_reports_and_differences_are_told_from_the_log(dreamt):
    assert dreamt("report", "1").out.startswith("# Dream 1")
    assert dreamt("report", "1", "--json").value["undo"].endswith("revert 1 --space default")
    assert "1 run, 0 quiet nights" in dreamt("report", "--since", "2026-03-01T00:00:00Z").out
    assert {"table", "id", "before", "after"} <= set(dreamt("diff", "1", "--json").value["changes"][0])
    assert dreamt("report", "9").code == 2


def test_a_revert_takes_back_and_a_revert_of_it_gives_again(dreamt):
    before = dreamt("streams", "--json", "--now", NOON).value
    taken = dreamt("revert", "1", "--json", "--now", NOON).value
    assert {"run", "reverts", "outcome", "reverted", "blocked"} <= set(taken)
    assert (taken["run"], taken["reverts"], taken["outcome"], taken["blocked"]) == (2, 1, "applied", [])
    assert dreamt("streams", "--json", "--now", NOON).value == []
    assert dreamt("run", "--json", "--now", NOON).value["outcome"] == "nothing"
    assert dreamt("undo", "--now", NOON).code == 0
    assert dreamt("streams", "--json", "--now", NOON).value == before


def test_what_a_later_run_built_on_stays_and_is_named(dreamt, tmp_path):
    file = tmp_path / "later.jsonl"
    again = {
        "at": "2026-03-20T13:00:00Z",
        "text": "A letter was sent twice",
        "kind": "error",
        "target": "mailer",
    }
    file.write_text(lines(again), encoding="utf-8")
    dreamt("ingest", "events", str(file))
    dreamt("run", "--now", "2026-03-20T14:00:00Z")
    later = "2026-03-20T15:00:00Z"
    dry = dreamt("revert", "1", "--dry-run", "--json", "--now", later).value
    assert (dry["outcome"], dry["blocked"][0]["by_run"], dry["run"]) == ("partly", 2, None)
    assert "Stays: mailer" in dreamt("revert", "1", "--now", later).out
    assert [each["target"] for each in dreamt("streams", "--json").value] == ["mailer"]
    assert dreamt("revert", "1", "--now", later).code == 1
    assert dreamt("revert", "1", "--cascade", "--now", later).code == 0
    assert dreamt("streams", "--json").value == []


def test_unhold_lets_the_next_dream_do_it_again(dreamt):
    dreamt("undo", "--now", NOON)
    assert dreamt("unhold", "mailer", "--now", NOON).code == 0
    dreamt("run", "--now", NOON)
    assert [each["target"] for each in dreamt("streams", "--json").value] == ["mailer"]
    assert dreamt("unhold", "nobody").code == 2


# Knowledge


def test_streams_have_the_fields_of_the_contract(dreamt):
    values = dreamt("streams", "--json", "--now", NOON).value
    assert [set(value) for value in values] == [STREAM_FIELDS, STREAM_FIELDS]
    assert values[0]["last_seen"] == "2026-03-16T10:00:00Z"
    assert len(dreamt("streams", "--phase", "emergent", "--json").value) == 2
    assert dreamt("streams", "--status", "lost").code == 2


def test_streams_age_without_a_run(dreamt):
    assert {each["vitality"] for each in dreamt("streams", "--json", "--now", NOON).value} == {"active"}


@pytest.mark.parametrize("spelling", ["rate_limiter", "Rate-Limiter", "rateLimiter"])
def test_show_takes_any_spelling(dreamt, spelling):
    value = dreamt("show", spelling, "--json").value
    assert set(value) == STREAM_FIELDS | {"claims", "events", "gates"}
    assert set(value["claims"][0]) == CLAIM_FIELDS
    assert set(value["gates"][0]) == {"gate", "value", "threshold", "passed"}
    assert {event["id"] for event in value["events"]} >= set(value["claims"][0]["evidence"])


def test_why_says_it_in_words_and_then_the_gates(dreamt):
    told = dreamt("why", "mailer").out
    assert told.index("mailer is") < told.index("Gates:")
    assert dreamt("why", "nobody").code == 2


def test_claims_name_stream_target_and_evidence(dreamt):
    values = dreamt("claims", "--json", "--target", "mailer").value
    assert all(set(value) == CLAIM_FIELDS | {"stream", "target"} for value in values)
    assert {value["target"] for value in values} == {"mailer"}


# Decisions and care


def test_a_pin_is_set_and_lifted(dreamt):
    assert dreamt("pin", "mailer", "--now", NOON).code == 0
    assert [each["pinned"] for each in dreamt("streams", "--json").value] == [True, False]
    assert dreamt("unpin", "mailer", "--now", NOON).code == 0
    assert dreamt("unpin", "mailer", "--now", NOON).code == 2


@pytest.mark.parametrize("words", [("accept", "pr_0"), ("reject", "pr_0"), ("resolve", "qu_0", "both")])
def test_an_unknown_proposal_or_question_is_a_usage_error(dreamt, words):
    assert dreamt(*words).code == 2


def test_the_exported_repository_is_clean_and_needs_no_second_export(dreamt, tmp_path):
    assert dreamt("verify", "--strict", "--json").value == []
    assert dreamt("export", "--json").value[0]["commits"] == []
    assert (tmp_path / "home" / "memory" / "default" / "MEMORY.md").is_file()


def test_status_counts_and_says_where_things_lie(dreamt, tmp_path):
    (space,) = dreamt("status", "--json").value["spaces"]
    assert (space["events"], space["unexamined"], space["head"]["run"], space["runs"]) == (8, 0, 1, 1)
    assert space["repository"] == str(tmp_path / "home" / "memory" / "default")


def test_settings_say_where_they_come_from(fed):
    value = fed("settings", "--json").value
    assert {each["origin"] for each in value["settings"]} == {"default"}
    assert value["policy_digest"]


# The process


def _process(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dreamd.daemon.cli", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from dreamd.daemon.cli import main; main(['--help']);"
        "print(sorted({'sqlalchemy', 'sqlmodel', 'pydantic', 'rich', 'git', 'yaml', 'alembic'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_events_come_from_standard_input(tmp_path):
    home = str(tmp_path / "home")
    assert _process("init", DREAMD_HOME=home).returncode == 0
    done = subprocess.run(
        [sys.executable, "-m", "dreamd.daemon.cli", "--home", home, "--json", "ingest", "events", "-"],
        input=lines(*a_month_of("mailer")),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["new"] == 4


def test_an_error_in_a_process_is_short_and_carries_its_exit_code(tmp_path):
    done = _process("run", DREAMD_HOME=str(tmp_path / "none"))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (78, "", 2)


def test_a_target_that_nothing_holds_is_not_offered_as_another_one(tmp_path):
    home = a_home(tmp_path / "home")
    home.ok("record", "--target", "queue", "--kind", "decision", "Use Redis for the queue")
    home.ok("run")
    ended = home.dreamd("unhold", "queue")
    assert ended.code == 2
    assert "'queue' has no hold" in ended.err
    assert "did you mean" not in ended.err


def test_a_run_after_an_undo_says_what_is_held_back(tmp_path):
    home = a_home(tmp_path / "home")
    home.ok("record", "--target", "queue", "--kind", "decision", "Use Redis for the queue")
    home.ok("run")
    home.ok("undo")
    told = home.ok("run").out
    assert "Nothing changed" in told
    assert "A revert keeps changes about 1 target from coming back" in told
    assert "unhold TARGET" in told
