"""`dreamd alias`, and what people and files say of a stream that went into another."""

import json

import pytest

from tests.cli import NOON, a_month_of, command_in, lines


@pytest.fixture
def dreamd(tmp_path, capsys):
    """A home that has dreamt over two targets, each with a file."""
    command = command_in(tmp_path / "home", capsys)
    told = tmp_path / "told.jsonl"
    told.write_text(lines(*a_month_of("Auth"), *a_month_of("login service")))
    assert command("init").code == 0
    assert command("--now", NOON, "ingest", "events", str(told)).code == 0
    assert command("--now", NOON, "run").code == 0
    return lambda *words: command("--now", NOON, *words)


@pytest.fixture
def repository(tmp_path, dreamd):
    return tmp_path / "home" / "memory" / "default"


def files(repository):
    return {
        path.relative_to(repository).as_posix(): path.read_bytes()
        for path in repository.rglob("*.md")
        if "reports" not in path.parts
    }


def digest(dreamd):
    return dreamd("status", "--json").value["spaces"][0]["digest"]


def test_an_alias_is_one_run_that_can_be_taken_back_with_its_files(dreamd, repository):
    before, files_before = digest(dreamd), files(repository)
    result = dreamd("alias", "Auth", "login-service", "--json").value
    assert (result["run"], result["outcome"], result["counts"]["merged"]) == (2, "applied", 1)
    (record,) = [run for run in dreamd("runs", "--json").value if run["run"] == 2]
    assert record["trigger"] == "alias"
    assert files(repository) != files_before
    assert dreamd("revert", "2").code == 0
    assert (digest(dreamd), files(repository)) == (before, files_before)


def test_only_the_survivor_is_found(dreamd, repository):
    """P31."""
    dreamd("alias", "auth", "login service")
    assert {claim["target"] for claim in dreamd("claims", "--all", "--json").value} == {"login_service"}
    assert {event["target"] for event in dreamd("events", "--json").value} == {"login_service"}
    assert {stream["target"] for stream in dreamd("streams", "--status", "active", "--json").value} == {"login_service"}
    index = (repository / "MEMORY.md").read_text()
    assert "[[knowledge/login-service]]" in index
    assert "knowledge/auth" not in index
    assert not (repository / "knowledge" / "auth.md").exists()


def test_the_file_of_the_other_name_tells_where_it_went(dreamd, repository):
    dreamd("alias", "auth", "login service")
    assert "another name of [[knowledge/login-service]]" in (repository / "archive" / "2026" / "auth.md").read_text()
    assert "into: knowledge/login-service" in (repository / "archive" / "INDEX.md").read_text()
    assert dreamd("verify", "--strict").out == "clean\n"


def test_the_file_of_the_other_name_follows_the_survivors_path(dreamd, repository):
    dreamd("alias", "auth", "login service")
    dreamd("record", "--target", "login service", "--kind", "preference", "Never log a password")
    dreamd("run")
    assert "[[preferences/login-service]]" in (repository / "archive" / "2026" / "auth.md").read_text()
    assert dreamd("verify", "--strict").out == "clean\n"


@pytest.mark.parametrize("asked", ["Auth", "auth", "AUTH"])
def test_show_follows_the_alias_and_says_so(dreamd, asked):
    dreamd("alias", "auth", "login service")
    assert dreamd("show", asked).out.startswith("auth is another name of login_service:\nlogin service (login_service")
    value = dreamd("show", asked, "--json").value
    assert (value["target"], value["asked"], "auth" in value["aliases"]) == ("login_service", "auth", True)
    assert dreamd("why", asked, "--json").value["target"] == "login_service"


def test_merged_streams_are_listed_with_where_they_went(dreamd):
    dreamd("alias", "auth", "login service")
    (stream,) = dreamd("streams", "--status", "merged", "--json").value
    (survivor,) = dreamd("streams", "--status", "active", "--json").value
    assert (stream["target"], stream["merged_into"]) == ("auth", survivor["id"])


def test_names_lead_on_from_alias_to_alias(dreamd):
    dreamd("alias", "sign-in", "auth")
    dreamd("alias", "auth", "login service")
    dreamd("record", "--target", "Sign-In", "The sign-in works")
    dreamd("run")
    assert dreamd("show", "sign in", "--json").value["target"] == "login_service"
    assert dreamd("show", "login service", "--json").value["frequency"] == 9
    assert {row["target"] for row in dreamd("streams", "--status", "merged", "--json").value} == {"auth", "sign_in"}


@pytest.mark.parametrize(
    ("first", "then", "message"),
    [
        ((), ("Auth", "auth"), "two spellings of one target already: auth"),
        ((), ("auth", " "), "an empty name stands for no target"),
        (("auth", "login service"), ("login-service", "Auth"), "would close a circle"),
        (("auth", "login service"), ("auth", "billing"), "'auth' is a spelling of 'login_service' already"),
    ],
)
def test_an_alias_that_cannot_be_is_refused(dreamd, first, then, message):
    if first:
        dreamd("alias", *first)
    before = digest(dreamd)
    answer = dreamd("alias", *then, "--json")
    assert answer.code == 2
    assert message in answer.error["error"]
    assert answer.error["hint"]
    assert digest(dreamd) == before


def test_a_circle_of_three_is_refused(dreamd):
    dreamd("alias", "a", "b")
    dreamd("alias", "b", "c")
    answer = dreamd("alias", "c", "a", "--json")
    assert (answer.code, "a -> b -> c" in answer.error["error"]) == (2, True)


def test_giving_an_alias_twice_changes_nothing(dreamd):
    dreamd("alias", "auth", "login service")
    result = dreamd("alias", "Auth", "Login Service", "--json").value
    assert (result["run"], result["outcome"]) == (None, "nothing")


def test_an_alias_may_come_before_what_it_is_about(dreamd, tmp_path):
    dreamd("alias", "psql", "postgres")
    dreamd("record", "--target", "psql", "psql needs a password")
    dreamd("run")
    value = dreamd("show", "postgres", "--json").value
    assert (value["target"], value["title"], value["frequency"]) == ("postgres", "postgres", 1)


def test_what_later_runs_built_on_an_alias_blocks_its_revert_and_goes_along_with_cascade(dreamd, repository):
    before, files_before = digest(dreamd), files(repository)
    dreamd("alias", "auth", "login service")
    dreamd("record", "--target", "auth", "Auth works again")
    dreamd("run")
    blocked = dreamd("revert", "2", "--json").value
    assert [each["by_run"] for each in blocked["blocked"]] == [3]
    assert dreamd("revert", "2", "--cascade").code == 0
    assert (digest(dreamd), files(repository)) == (before, files_before)


def test_a_merge_says_nothing_of_learning_what_was_known(dreamd):
    counts = dreamd("alias", "auth", "login service", "--json").value["counts"]
    assert {"learnt", "unlearnt"} & counts.keys() == set()
    assert counts["examined"] == 0
    taken_back = json.loads(dreamd("revert", "2", "--json").out)
    assert taken_back["outcome"] == "applied"


def test_a_target_may_get_a_name_that_nothing_was_said_under_yet(dreamd, repository):
    before, files_before = digest(dreamd), files(repository)
    dreamd("alias", "auth", "Identity")
    value = dreamd("show", "auth", "--json").value
    assert (value["target"], value["phase"], value["frequency"]) == ("identity", "emergent", 4)
    dreamd("revert", "2")
    assert (digest(dreamd), files(repository)) == (before, files_before)
    assert dreamd("show", "identity").code == 2
