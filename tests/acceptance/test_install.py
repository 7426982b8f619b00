"""dreamd in Claude Code's settings: the hook comes in and goes again, and nothing else in the file is touched."""

import json
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dreamd.daemon.home import Home
from dreamd.daemon.installing import install, recorded, uninstall
from tests.claude_sessions import a_days_work, laid_out
from tests.cli import Command, command_in

ROOT = Path(__file__).parents[2]
MANY = (
    '{\r\n\t"model": "opus",\r\n\t"hooks": {"Stop": [ ], '
    '"SessionEnd": [{"matcher": "clear", "hooks": []}]},\r\n\t"x":1.0}'
)


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user who has nothing yet."""
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    (tmp_path / "user").mkdir()
    return tmp_path / "user"


@pytest.fixture
def command(user: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    made = command_in(tmp_path / "home of dreamd", capsys)
    assert made("init").code == 0
    return made


def hooks(file: Path) -> list[str]:
    groups = json.loads(file.read_text(encoding="utf-8-sig"))["hooks"]["SessionEnd"]
    return [hook["command"] for group in groups for hook in group["hooks"]]


def test_the_hook_is_as_claude_code_documents_it(command, user, tmp_path):
    answer = command("install", "claude-code")
    assert answer.code == 0 and str(user / ".claude" / "settings.json") in answer.out
    assert "To undo it: dreamd --home" in answer.out
    value = json.loads((user / ".claude" / "settings.json").read_text())
    (group,) = value["hooks"]["SessionEnd"]
    (hook,) = group["hooks"]
    assert (set(value), set(group), hook["type"], hook["timeout"]) == ({"hooks"}, {"hooks"}, "command", 30)
    words = shlex.split(hook["command"])
    assert Path(words[0]).is_absolute()
    assert words[words.index("--home") + 1] == str(tmp_path / "home of dreamd")


def test_twice_is_once_and_uninstall_leaves_nothing(command, user):
    command("install", "claude-code")
    again = command("install", "claude-code", "--json").value
    assert again["outcome"] == "already" and len(hooks(user / ".claude" / "settings.json")) == 1
    assert command("uninstall", "claude-code").code == 0
    assert list(user.iterdir()) == []  # neither the file nor its folder was there before
    assert command("uninstall", "claude-code", "--json").value[0]["outcome"] == "absent"
    assert command("status").code == 0


@pytest.mark.parametrize(
    "text",
    [
        MANY,
        "{}",
        "{ }",
        "",
        "\n",
        '{"a":1}',
        '{\n    "hooks": {},\n    "a": "\\u00e9"\n}\n',
        "\ufeff{}",
        '{"hooks": { "SessionEnd" : [ ]}}',
    ],
)
def test_install_and_uninstall_give_the_same_bytes(command, user, text):
    file = user / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_bytes(text.encode())
    file.chmod(0o640)
    assert command("install", "claude-code").code == 0
    assert len(hooks(file)) == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert command("uninstall", "claude-code").code == 0
    assert file.read_bytes().decode() == text


def test_what_claude_code_wrote_anew_since_is_kept(command, user):
    file = user / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"model":"opus"}')
    command("install", "claude-code")
    value = json.loads(file.read_text())
    value["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": "true"}]}]
    file.write_text(json.dumps({"theme": "dark", **value}, indent=2))
    command("uninstall", "claude-code")
    assert json.loads(file.read_text()) == {"theme": "dark", "model": "opus", "hooks": {"Stop": value["hooks"]["Stop"]}}


def test_a_dry_run_writes_nothing(command, user):
    answer = command("install", "claude-code", "--dry-run")
    assert "Would put the hook into" in answer.out and list(user.iterdir()) == []
    command("install", "claude-code")
    before = (user / ".claude" / "settings.json").read_bytes()
    assert "Would take the hook out of" in command("uninstall", "claude-code", "--dry-run").out
    assert (user / ".claude" / "settings.json").read_bytes() == before


def test_another_homes_hook_stays_and_is_named(command, user, tmp_path, capsys):
    other = command_in(tmp_path / "other", capsys)
    other("init")
    other("install", "claude-code")
    assert str(tmp_path / "other") in command("install", "claude-code").out
    command("uninstall", "claude-code")
    (left,) = hooks(user / ".claude" / "settings.json")
    assert str(tmp_path / "other") in left


def test_a_hook_of_this_home_with_another_program_is_replaced(command, user):
    command("install", "claude-code")
    file = user / ".claude" / "settings.json"
    file.write_text(file.read_text().replace(sys.executable, "/gone/python-of-dreamd"))
    assert command("install", "claude-code", "--json").value["outcome"] == "replaced"
    assert [shlex.split(each)[0] for each in hooks(file)] == [sys.executable]
    command("uninstall", "claude-code")
    assert list(user.iterdir()) == []


def test_a_link_is_written_through(command, user):
    real = user / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text("{}")
    (user / ".claude").mkdir()
    (user / ".claude" / "settings.json").symlink_to(real)
    assert str(real) in command("install", "claude-code").out
    assert (user / ".claude" / "settings.json").is_symlink() and len(hooks(real)) == 1
    command("uninstall", "claude-code")
    assert real.read_text() == "{}"


def test_a_link_to_a_folder_that_is_not_there_is_refused_and_makes_none(command, user, tmp_path):
    settings = user / ".claude" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    settings.symlink_to(tmp_path / "gone" / "settings.json")
    ended = command("install", "claude-code")
    assert ended.code == 65
    assert "is a link to" in ended.err
    assert not (tmp_path / "gone").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{broken", "is no JSON: "),
        ('{"a": 1, // why\n "b": 2}', "line 1"),
        ("[]", "holds a list"),
        ('{"hooks": []}', "'hooks' is a list"),
        ('{"hooks": {"SessionEnd": {}}}', "'hooks.SessionEnd' is an object"),
        ('{"hooks": {}, "hooks": {}}', "twice"),
        (b"\xff\xfe{}", "is not UTF-8"),
    ],
)
def test_a_broken_file_is_refused_and_stays(command, user, text, words):
    file = user / ".claude" / "settings.json"
    file.parent.mkdir()
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = file.read_bytes()
    answer = command("install", "claude-code")
    assert (answer.code, file.read_bytes()) == (65, before)
    assert words in answer.err and str(file) in answer.err
    assert [each.name for each in file.parent.iterdir()] == ["settings.json"]


def test_other_files_and_projects_can_be_named(command, user, tmp_path, monkeypatch):
    monkeypatch.chdir(user)
    named = command("install", "claude-code", "--settings", "my.json")
    assert f"uninstall claude-code --settings {user / 'my.json'}" in named.out
    assert command("install", "claude-code", "--project", "--json").value["settings"].endswith("settings.local.json")
    assert command("install", "claude-code", "--project", "--settings", "x").code == 2
    assert {each["outcome"] for each in command("uninstall", "claude-code", "--json").value} == {"absent", "removed"}
    assert list(user.iterdir()) == []


def test_install_without_a_name_and_with_another_one(command):
    assert "claude-code" in command("install").out and "claude-code" in command("uninstall").out
    for name in ("codex", "systemd", "emacs"):
        answer = command("install", name)
        assert answer.code == 2 and name in answer.err and "hint: " in answer.err


def test_without_a_home_nothing_is_installed(user, tmp_path, capsys):
    answer = command_in(tmp_path / "none", capsys)("install", "claude-code")
    assert answer.code == 78 and "init" in answer.err and list(user.iterdir()) == []


spaces = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n    "])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=8,
)
hook_values = st.fixed_dictionaries(
    {},
    optional={
        "SessionEnd": st.lists(st.fixed_dictionaries({"hooks": st.lists(values, max_size=2)}) | values, max_size=3),
        "Stop": values,
    },
)


@st.composite
def any_settings(draw: st.DrawFn) -> str:
    """Settings as somebody wrote them: any values, any layout."""
    value = draw(st.dictionaries(st.text(), values, max_size=3))
    value.pop("hooks", None)
    if draw(st.booleans()):
        value["hooks"] = draw(hook_values)

    def written(one: object) -> str:
        def gap() -> str:
            return draw(spaces)

        if isinstance(one, dict):
            members = [f"{json.dumps(key)}{gap()}:{gap()}{written(each)}" for key, each in one.items()]
            return f"{{{gap()}{f'{gap()},{gap()}'.join(members)}{gap()}}}"
        if isinstance(one, list):
            return f"[{gap()}{f'{gap()},{gap()}'.join(map(written, one))}{gap()}]"
        return json.dumps(one, ensure_ascii=draw(st.booleans()))

    return draw(spaces) + written(value) + draw(spaces)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(text=any_settings())
def test_any_settings_keep_their_bytes_and_what_they_say(tmp_path, text):
    home = Home(tmp_path)
    file = tmp_path / "settings.json"
    file.write_bytes(text.encode())
    before = json.loads(text)
    command = f"python -m dreamd --home {tmp_path} hook claude-code"
    install(home, file, command, dry_run=False)
    written = json.loads(file.read_bytes())
    last = written["hooks"]["SessionEnd"].pop()
    assert [hook["command"] for hook in last["hooks"]] == [command]
    expected = {
        **before,
        "hooks": {**before.get("hooks", {}), "SessionEnd": before.get("hooks", {}).get("SessionEnd", [])},
    }
    assert written == expected and list(written) == list(expected)
    anew = json.dumps(json.loads(file.read_bytes()), indent=4)
    uninstall(home, file, dry_run=False)
    assert file.read_bytes().decode() == text
    install(home, file, command, dry_run=False)
    file.write_text(anew)  # as a program writes it that knows nothing of the layout
    uninstall(home, file, dry_run=False)
    assert json.loads(file.read_text()) == before
    assert recorded(home) == []


# The hook itself, as Claude Code calls it


def call_hook(file: Path, given: str, wait: str = "--wait", *handed: int) -> subprocess.CompletedProcess[str]:
    (words,) = hooks(file)
    return subprocess.run(
        f"{words} {wait}",
        shell=True,
        pass_fds=handed,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=file.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize(
    "given", ["", "no JSON", "[]", "{}", '{"transcript_path": "/nowhere/x.jsonl"}', '{"transcript_path": "a.jsonl"}']
)
def test_a_hook_never_fails_a_session_and_logs_what_was_wrong(command, user, tmp_path, given):
    command("install", "claude-code")
    done = call_hook(user / ".claude" / "settings.json", given)
    assert (done.returncode, done.stdout) == (0, "")
    assert "not taken in: " in done.stderr
    assert "not taken in: " in (tmp_path / "home of dreamd" / "hook.log").read_text()


def test_a_hook_logs_what_was_refused_and_where(command, user, tmp_path):
    command("install", "claude-code")
    transcript = tmp_path / "s.jsonl"
    transcript.write_text("{\n[1]\n")
    call_hook(user / ".claude" / "settings.json", json.dumps({"session_id": "s", "transcript_path": str(transcript)}))
    logged = (tmp_path / "home of dreamd" / "hook.log").read_text()
    assert f"2 rejected; the first: {transcript}:1: the line is no JSON: " in logged


def test_a_hook_without_its_home_is_quiet_on_stdout_and_creates_nothing(command, user, tmp_path):
    command("install", "claude-code")
    (tmp_path / "home of dreamd").rename(tmp_path / "gone")
    done = call_hook(user / ".claude" / "settings.json", "{}")
    assert (done.returncode, done.stdout) == (0, "") and "is not a home" in done.stderr
    assert not (tmp_path / "home of dreamd").exists()


def test_a_hook_imports_nothing_from_the_folder_it_runs_in(command, user):
    command("install", "claude-code")
    for name in ("typer.py", "json.py"):
        (user / ".claude" / name).write_text("raise SystemExit('imported from the project')")
    done = call_hook(user / ".claude" / "settings.json", "{}")
    assert done.returncode == 0 and "imported from the project" not in done.stderr


def test_a_session_that_ends_is_taken_in_with_its_subagents_once(command, user, tmp_path):
    command("install", "claude-code")
    tree = laid_out(
        tmp_path / "projects",
        [
            ("-home-ada-shop/s1.jsonl", a_days_work().text()),
            ("-home-ada-shop/other.jsonl", a_days_work("other").text()),
            ("-home-ada-shop/s1/subagents/agent-1.jsonl", a_days_work().text()),
        ],
    )
    given = {"session_id": "s1", "transcript_path": str(tree / "-home-ada-shop/s1.jsonl"), "reason": "other"}
    for _ in range(2):
        done = call_hook(user / ".claude" / "settings.json", json.dumps(given))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    first, second = (tmp_path / "home of dreamd" / "hook.log").read_text().splitlines()
    assert "claude-code s1: " in first and "0 rejected" in first and "not taken in" not in first
    assert ": 0 new, 0 duplicate, 0 rejected" in second
    assert {event["session"] for event in command("events", "--json").value} == {"s1"}


def test_the_hook_is_gone_before_the_session_is_taken_in(command, user, tmp_path):
    command("install", "claude-code")
    tree = laid_out(tmp_path / "projects", [("-home-ada-shop/s1.jsonl", a_days_work().text())])
    given = {"session_id": "s1", "transcript_path": str(tree / "-home-ada-shop/s1.jsonl")}
    held, handed = os.pipe()  # closed by the last process that has it
    done = call_hook(user / ".claude" / "settings.json", json.dumps(given), "", handed)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    os.close(handed)
    assert os.read(held, 1) == b""
    os.close(held)
    assert len(command("events", "--json").value) == 8
