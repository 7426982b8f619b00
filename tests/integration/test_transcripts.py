"""Sessions of Claude Code through the command line: what becomes of them, again and again, and what is refused."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.cli import main
from tests.claude_sessions import SHOP, Talk, a_days_work, laid_out
from tests.cli import NOON, Command, command_in


@pytest.fixture
def dreamd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return laid_out(tmp_path / "projects", [("-home-ada-shop/s1.jsonl", a_days_work().text())])


def events_of(dreamd: Command, *words: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = dreamd("events", "--json", *words).value
    return found


def told_by(dreamd: Command, *words: str) -> list[tuple[str, str, str]]:
    return [(each["kind"], each["actor"], each["text"]) for each in events_of(dreamd, *words)]


def test_a_days_work_becomes_its_events_and_noise_does_not(dreamd: Command, tree: Path) -> None:
    assert dreamd("ingest", "claude-code", str(tree)).code == 0
    assert told_by(dreamd) == [
        ("message", "user", "Please make the login refresh its token before it expires"),
        ("error", "tool", "`npm test` failed with exit code 1: TypeError: refresh is not a function"),
        ("correction", "user", "no, use pnpm instead of npm"),
        ("error", "tool", "`pnpm test` failed with exit code 1: TypeError: refresh is not a function"),
        (
            "result",
            "tool",
            "`pnpm test` passes again after changes to src/token.ts; before: TypeError: refresh is not a function",
        ),
        ("preference", "user", "Always run the linter before you commit."),
        ("commit", "agent", "fix(auth): refresh the token once"),
        ("message", "agent", "The token is refreshed one minute before it expires, and the tests pass."),
    ]


def test_an_event_has_time_session_project_files_and_outcome(dreamd: Command, tree: Path) -> None:
    dreamd("ingest", "claude-code", str(tree))
    fix = next(each for each in events_of(dreamd) if each["kind"] == "result")
    assert (fix["space"], fix["session"], fix["source"], fix["outcome"]) == ("shop", "s1", "claude-code", 1.0)
    assert fix["files"] == ["src/token.ts"] and fix["at"].startswith("2026-03-02T09:") and "fix" in fix["tags"]
    error = next(each for each in events_of(dreamd) if each["kind"] == "error")
    assert error["outcome"] == 0.0 and error["files"] == ["src/auth.ts"]


def test_a_dream_over_it_knows_the_preference_and_the_correction(dreamd: Command, tree: Path) -> None:
    dreamd("ingest", "claude-code", str(tree))
    assert dreamd("run", "--json", "--now", NOON).value["outcome"] == "applied"
    (stream,) = [each for each in dreamd("streams", "--json").value if each["target"] == "working_agreements"]
    assert stream["phase"] == "emergent" and stream["path"].startswith("preferences/")
    claims = dreamd("claims", "--json", "--target", "working agreements").value
    assert {"Always run the linter before you commit.", "no, use pnpm instead of npm"} <= {c["text"] for c in claims}
    memory = next((Path(dreamd("status", "--json").value["home"]) / "memory").rglob("MEMORY.md")).read_text()
    assert "Always run the linter before you commit." in memory


def test_counts_say_what_was_read_and_why_the_rest_was_left_out(dreamd: Command, tree: Path) -> None:
    told = dreamd("ingest", "claude-code", str(tree), "--json").value
    records = a_days_work().records
    assert told["records"] == Counter(str(record["type"]) for record in records)
    assert told["events"] == {"error": 2, "result": 1, "commit": 1, "preference": 1, "correction": 1, "message": 2}
    assert told["new"] == 8 and told["files"] == 1 and told["unchanged"] == 0
    why = {(row["record"], row["why"]): row["count"] for row in told["left_out"]}
    assert why["user", "chatter"] == 1 and why["assistant", "said on the way"] == 1
    assert why["user: tool result", "looking around"] == 2
    assert sum(why.values()) + told["new"] == len(records), "each record of this session is one event or left out"
    words = dreamd("ingest", "claude-code", str(tree)).out
    assert "files: 1 (1 unchanged since the last time)" in words


def test_a_second_pass_reads_nothing_and_a_copied_or_forked_session_tells_nothing_new(
    dreamd: Command, tree: Path
) -> None:
    dreamd("ingest", "claude-code", str(tree))
    again = dreamd("ingest", "claude-code", str(tree), "--json").value
    assert (again["new"], again["duplicate"], again["unchanged"]) == (0, 0, 1)
    forked = a_days_work()
    for record in forked.records:
        record["sessionId"] = "s2"
    forked.session = "s2"
    forked.says("Never commit without a test.")
    (tree / "-home-ada-shop" / "s2.jsonl").write_text(forked.text())
    told = dreamd("ingest", "claude-code", str(tree), "--json")
    assert told.code == 0 and (told.value["new"], told.value["duplicate"], told.value["rejected"]) == (1, 8, 0)


def test_a_tree_of_projects_is_read_each_into_its_space_unless_one_is_named(
    dreamd: Command, tmp_path: Path, tree: Path
) -> None:
    blog = tmp_path / "work" / "blog"
    blog.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(blog)], check=True)
    subprocess.run(["git", "-C", str(blog), "remote", "add", "origin", "git@example.com:ada/My-Blog.git"], check=True)
    laid_out(
        tree, [("-work-blog/b.jsonl", a_days_work("b", str(blog)).text()), ("odd/x.jsonl", '{"type":"summary"}\n')]
    )
    told = dreamd("ingest", "claude-code", str(tree), "--json").value
    assert told["spaces"] == ["my-blog", "shop"] and told["new"] == 16
    assert {each["space"] for each in events_of(dreamd)} == {"my-blog", "shop"}
    named = dreamd("ingest", "claude-code", str(tree / "-work-blog"), "--space", "other", "--json").value
    assert named["spaces"] == ["other"] and named["new"] == 8
    assert dreamd("ingest", "claude-code", str(tree), "--json").value["unchanged"] == 3


@settings(max_examples=4)
@given(data=st.data())
def test_a_file_that_grows_by_any_pieces_gives_the_events_of_the_whole(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    whole = a_days_work().text().encode()
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), min_size=1, max_size=4)))
    folder = tmp_path_factory.mktemp("grows")
    homes = folder / "pieces", folder / "once"
    file = folder / "s1.jsonl"
    assert all(main(["--home", str(home), "init"]) == 0 for home in homes)
    for end in [*cuts, len(whole)]:
        file.write_bytes(whole[:end])
        assert main(["--home", str(homes[0]), "ingest", "claude-code", str(file)]) == 0
    assert main(["--home", str(homes[1]), "ingest", "claude-code", str(file)]) == 0
    assert stored(homes[0]) == stored(homes[1])


def stored(home: Path) -> list[object]:
    from dreamd.daemon.storage.store import Store  # noqa: PLC0415

    store = Store.open(home / "dreamd.db", window_days=3)
    try:
        events = [each.event for each in store.space("shop").all_events()]
    finally:
        store.close()
    return [(each.id, each.digest, each.files, each.tags) for each in events]


def test_a_file_that_was_rewritten_or_cut_is_read_again_from_its_start(dreamd: Command, tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(a_days_work().text())
    dreamd("ingest", "claude-code", str(file))
    file.write_text(Talk("s9").says("Never push to the main branch.").text() + a_days_work().text())
    told = dreamd("ingest", "claude-code", str(file), "--json").value
    assert (told["new"], told["duplicate"]) == (1, 8)
    file.write_text(a_days_work().text()[:4_000].rpartition("\n")[0] + "\n")
    assert dreamd("ingest", "claude-code", str(file), "--json").value["new"] == 0


def test_a_kill_after_a_batch_loses_nothing_and_doubles_nothing(
    tmp_path: Path, dreamd: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Talk()
    for number in range(1_200):
        talk.says(f"Please add the page number {number} to the site")
    file = tmp_path / "s.jsonl"
    file.write_text(talk.text())
    command = [sys.executable, "-m", "dreamd.daemon.cli", "--home", str(tmp_path / "home"), "ingest", "claude-code"]
    environment = {**os.environ, "DREAMD_FAILPOINT": "ingest-after-batch", "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([*command, str(file)], env=environment, check=False, capture_output=True)
    assert killed.returncode == -9
    told = dreamd("ingest", "claude-code", str(file), "--json").value
    assert (told["new"], told["duplicate"]) == (200, 0)
    assert len(events_of(dreamd)) == 1_200


def test_a_subagent_is_heard_for_its_work_and_never_as_a_person(dreamd: Command, tmp_path: Path) -> None:
    agent = Talk("s1", agent="a1").says("Always answer with sources. No, use pnpm instead of npm.")
    agent.runs("cargo test", "Exit code 101\nerror[E0382]: borrow of moved value: `x`")
    agent.answers("The crate does not compile because a value is used after it was moved.")
    talk = Talk().says("Find out why the crate does not build").calls("Task", prompt="Always answer with sources.")
    message = {"type": "user", "message": {"role": "user", "content": "Never do this."}}
    talk.add("progress", data={"type": "agent_progress", "message": message})
    laid_out(
        tmp_path / "p",
        [("s1.jsonl", talk.text()), ("s1/subagents/agent-a1.jsonl", agent.text()), ("agent-a1.jsonl", agent.text())],
    )
    told = dreamd("ingest", "claude-code", str(tmp_path / "p"), "--json").value
    assert told["events"] == {"error": 2, "message": 1} and told["duplicate"] == 1
    assert told_by(dreamd)[0][:2] == ("message", "user")
    assert [each["actor"] for each in events_of(dreamd) if each["kind"] == "error"] == ["tool"]
    why = {(row["record"], row["why"]): row["count"] for row in told["left_out"]}
    assert why["user", "prompt of the calling agent"] == 2
    assert why["progress", "repeats the subagent's own file"] == 1


def test_a_refused_tool_call_carries_the_persons_correction(dreamd: Command, tmp_path: Path) -> None:
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit)."
    )
    said = f"{refused} To tell you how to proceed, the user said:\nkeep the old name of the flag"
    said += "\n\nNote: The user's next message may contain a correction"
    talk = Talk().calls("Edit", file_path=f"{SHOP}/a.py").gets(said, is_error=True)
    talk.calls("Bash", command="npm test").gets(f"{refused} STOP what you are doing", is_error=True)
    talk.add("user", message={"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]})
    (tmp_path / "s.jsonl").write_text(talk.text())
    dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl"))
    assert told_by(dreamd) == [("correction", "user", "keep the old name of the flag")]


def test_what_we_wrote_comes_back_as_nothing(dreamd: Command, tmp_path: Path) -> None:
    entry = "Use pnpm [source: cli; added: 2026-03-02; id: cl_0123456789abcdef; seen: 3]"
    talk = Talk().says(f"<system-reminder>Contents of /x/MEMORY.md: {entry}</system-reminder>")
    talk.calls("Read", file_path="/x/MEMORY.md").gets(entry).answers(f"The memory says this about the project: {entry}")
    talk.runs("deploy-it", f"Exit code 1\nerror: {entry}").says(f"Look at this line of yours please: {entry}")
    (tmp_path / "s.jsonl").write_text(talk.text())
    told = dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl"), "--json").value
    assert told["events"] == {} and sum(row["count"] for row in told["left_out"] if "memory" in row["why"]) == 3


def test_unknown_records_are_counted_and_broken_ones_are_named(dreamd: Command, tmp_path: Path) -> None:
    good = Talk().says("Please add a page about the team").text()
    bad = ["not json", "[1]", '{"type": "hologram", "x": 1}', "[" * 50, '{"type":"user","message":7}', "\xff"]
    file = tmp_path / "s.jsonl"
    file.write_bytes(
        b"\xef\xbb\xbf" + good.encode() + b"\n".join(each.encode("latin-1") for each in bad) + b"\n\n" + b'{"ty'
    )
    told = dreamd("ingest", "claude-code", str(file), "--json")
    assert told.code == 65 and told.value["new"] == 1 and told.value["rejected"] == 4
    assert [each["line"] for each in told.value["rejections"]] == [2, 3, 5, 7]
    assert {"record": "unknown", "why": "unknown record type", "count": 1} in told.value["left_out"]


def test_a_line_over_the_limit_is_refused_by_name_and_the_rest_is_kept(dreamd: Command, tmp_path: Path) -> None:
    talk = Talk().says("Please add a page about the team").says("x" * 1_100_000).says("Please add a page about the job")
    (tmp_path / "s.jsonl").write_text(talk.text())
    told = dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl"), "--json").value
    assert (told["new"], told["rejected"]) == (2, 1)
    assert "event_bytes allows 1000000" in told["rejections"][0]["reason"]


def test_a_file_that_cannot_be_read_is_named_and_links_out_of_the_tree_are_not_followed(
    dreamd: Command, tmp_path: Path, tree: Path
) -> None:
    (tmp_path / "outside.jsonl").write_text(Talk("o", "/elsewhere").says("Please tell nobody of this").text())
    (tree / "link.jsonl").symlink_to(tmp_path / "outside.jsonl")
    (tree / "folder").symlink_to(tmp_path)
    (tree / "gone.jsonl").mkdir()
    os.mkfifo(tree / "pipe.jsonl")
    locked = tree / "locked.jsonl"
    locked.write_text("{}")
    locked.chmod(0)
    told = dreamd("ingest", "claude-code", str(tree), "--json")
    assert told.value["spaces"] == ["shop"] and told.value["new"] == 8
    reasons = {Path(each["file"]).name: each["reason"] for each in told.value["rejections"]}
    assert told.code == 65 and "no regular file" in reasons["pipe.jsonl"]
    if not os.access(locked, os.R_OK):  # root may read it
        assert "check its owner and mode" in reasons["locked.jsonl"]


@pytest.mark.parametrize(
    ("stamp", "says"),
    [
        (None, "is null; it must be a text"),
        (1_795_000_000, "is 1795000000; it must be a text"),
        ({"a": 1}, "is no text; it must be a text"),
        ("2026-11-20T09:00:00", "'2026-11-20T09:00:00' has no time zone"),
    ],
)
def test_a_time_that_is_none_is_named_as_it_stands_and_spoils_no_other_line(
    dreamd: Command, tmp_path: Path, stamp: object, says: str
) -> None:
    talk = Talk().says("Always use uv").says("Never push to main", timestamp=stamp).says("Always run the linter")
    del talk.records[2]["timestamp"]  # that of the last that had one
    (tmp_path / "s.jsonl").write_text(talk.text())
    told = dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl"), "--json")
    assert told.code == 65 and told.value["new"] == 2
    (refused,) = told.value["rejections"]
    assert (refused["line"], refused["field"]) == (2, "timestamp") and says in refused["reason"]


def test_what_no_text_may_hold_is_replaced_in_a_turn(dreamd: Command, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(Talk().says("Always use \0 and \ud800 here").text())
    assert dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl")).code == 0
    assert [text for _, _, text in told_by(dreamd)] == ["Always use \ufffd and \ufffd here"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("claude-code", "/nowhere/at/all"), "no such file or folder"),
        (("claude-code", "."), "holds none of sessions of Claude Code"),
        (("claude-code", ".", "--as", "user"), "--as grants nothing"),
        (("claude_code", "."), "there are: events, git, markdown, claude-code"),
    ],
)
def test_mistakes_are_answered_with_what_helps(
    dreamd: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    refused = dreamd("ingest", *words, "--json")
    assert refused.code in (2, 65) and says in refused.error["error"] and refused.error["hint"]


def test_the_usual_place_is_read_when_none_is_named(
    dreamd: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid_out(tmp_path / ".claude" / "projects", [("-home-ada-shop/s1.jsonl", a_days_work().text())])
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    assert dreamd("ingest", "claude-code", "--json").value["new"] == 8


def test_the_most_that_a_turn_counts_as_is_a_setting(
    dreamd: Command, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAMD_CHANNELS__TRANSCRIPTS", "tool")
    dreamd("ingest", "claude-code", str(tree))
    assert {each["actor"] for each in events_of(dreamd)} == {"tool"}


def test_a_secret_is_stored_neither_as_event_nor_in_what_is_kept_for_the_next_time(
    dreamd: Command, tmp_path: Path
) -> None:
    secret = "ghp_" + "a1B2" * 9
    talk = (
        Talk()
        .says(f"Please use the token {secret} for the upload")
        .runs(f"deploy --token {secret}", "Exit code 1\nerror: " + secret)
    )
    talk.calls("Bash", command=f"curl -H 'Authorization: Bearer {secret}' x")
    (tmp_path / "s.jsonl").write_text(talk.text())
    assert dreamd("ingest", "claude-code", str(tmp_path / "s.jsonl")).code == 0
    held = b"".join(file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())
    assert secret.encode() not in held and b"[redacted:" in held
    assert json.dumps(events_of(dreamd)).count("[redacted:") >= 2
