"""Tool work as a fold: what of a call and its result is worth an event, and that the state is JSON and bounded."""

import json
from typing import Any

import pytest

from dreamd.daemon.intake.adapters import work as folding
from dreamd.daemon.intake.adapters.commands import command_of, exit_code_in, plain, telling_line
from dreamd.daemon.intake.adapters.work import Deed, Done, Ignored, Work
from dreamd.daemon.intake.redaction import Redactor

FAILED = "Exit code 1\nsrc/auth.ts(3,4): error TS2345: Argument of type 'string' is not assignable\nFound 1 error"


def ran(work: Work, command: str, output: str = "", *, is_error: bool | None = None, code: int | None = None) -> Any:
    folding.begin(work, "c1", Deed(how="shell", name="Bash", command=command), str)
    work = json.loads(json.dumps(work)) if work is None else work
    return folding.end(
        work, "c1", output, str, is_error=output.startswith("Exit") if is_error is None else is_error, exit_code=code
    )


def edited(work: Work, *files: str) -> Any:
    folding.begin(work, "e1", Deed(how="edit", name="Edit", files=files), str)
    return folding.end(work, "e1", "The file has been updated", str, is_error=False)


def test_a_failing_command_is_an_error_with_its_most_telling_line() -> None:
    done = ran({}, "npm run build 2>&1", FAILED)
    assert done.kind == "error" and done.outcome == 0.0 and done.target == "npm run build"
    assert done.text == (
        "`npm run build 2>&1` failed with exit code 1: src/auth.ts(3,4): error TS2345: "
        "Argument of type 'string' is not assignable"
    )
    assert done.files == ("src/auth.ts",)


def test_the_same_command_that_passes_later_is_the_fix_with_the_files_edited_in_between() -> None:
    work: Work = {}
    edited(work, "before.ts")
    ran(work, "npm test", FAILED)
    assert edited(work, "src/auth.ts") == Ignored(why=folding.EDITING)
    done = ran(work, "npm test -- --silent", "12 passed")
    assert (done.kind, done.outcome, done.tags, done.files) == ("result", 1.0, ("command", "fix"), ("src/auth.ts",))
    assert done.text.startswith(
        "`npm test -- --silent` passes again after changes to src/auth.ts; before: src/auth.ts(3,4)"
    )
    assert ran(work, "npm test", "12 passed").tags == ("command",), "a fix is one only once"


def test_a_whole_check_mends_a_part_of_it_and_not_the_other_way_round() -> None:
    work: Work = {}
    ran(work, "pytest tests/test_a.py -q", FAILED)
    assert ran(work, "pytest tests/test_b.py", "1 passed").tags == ("command",)
    assert "fix" in ran(work, "pytest", "2 passed").tags
    ran(work, "pytest tests/test_a.py::test_x", FAILED)
    assert "fix" in ran(work, "pytest tests/test_a.py", "2 passed").tags
    ran(work, "pytest", FAILED)
    assert "fix" not in ran(work, "pytest tests/test_a.py", "1 passed").tags


@pytest.mark.parametrize(
    ("command", "output", "why"),
    [
        ("ls -la src", "a.py", folding.LOOKING),
        ("cat missing.txt", "Exit code 1\ncat: missing.txt: No such file or directory", folding.LOOKING),
        ("git status && git diff HEAD~1 | head -50", "M a.py", folding.LOOKING),
        ("grep -rn foo src/ | wc -l", "Exit code 1", folding.LOOKING),
        ("mkdir -p build/out", "", folding.ORDINARY),
        ("npm run build", "Command running in background with ID: b1", folding.STILL_RUNS),
        ("python3 - <<'E'\nprint(1/0)\nE", "Exit code 1\nZeroDivisionError: division by zero", folding.INLINE),
    ],
)
def test_noise_is_left_out_with_its_reason(command: str, output: str, why: str) -> None:
    assert ran({}, command, output) == Ignored(why=why)


def test_a_call_that_was_not_run_is_no_error() -> None:
    denied = "Permission to use Bash with command npm publish has been denied."
    assert ran({}, "npm publish", denied, is_error=True) == Ignored(why=folding.NOT_RUN)


def test_a_check_that_passes_counts_once_a_turn() -> None:
    work: Work = {}
    assert ran(work, "cargo test", "test result: ok").text == "`cargo test` passes"
    assert ran(work, "cargo test", "test result: ok") == Ignored(why=folding.REPEATED)
    folding.new_turn(work)
    assert isinstance(ran(work, "cargo test", "test result: ok"), Done)


def test_a_failure_that_a_pipe_hides_is_seen_in_the_output() -> None:
    done = ran({}, "pytest -q 2>&1 | tail -3", "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 3 passed")
    assert done.kind == "error" and "FAILED tests/test_a.py::test_x" in done.text
    assert ran({}, "pytest -q | tail -1", "4 passed, 0 failed").kind == "result"
    assert ran({}, "pytest -q | grep FAILED", "Exit code 1").kind == "result"
    assert ran({}, "set -o pipefail; npx prettier --check . | tail", "Exit code 1\n[warn] a.ts").kind == "error"
    assert ran({}, "npm test || true", "Tests: 2 failed, 3 passed").kind == "error"
    assert ran({}, "cargo test; echo done", "error[E0382]: borrow\ntest result: FAILED. 1 passed").kind == "error"
    assert ran({}, "my-tool list | grep foo", "Exit code 1") == Ignored(why=folding.NO_MATCH)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git commit -m 'fix(auth): refresh once'", "[main 1a2b3c4] fix(auth): refresh once\n 1 file changed"),
        ('git add -A && git commit -m "fix(auth): refresh once"', ""),
        ("git add . && git commit -q -m \"$(cat <<'EOF'\nfix(auth): refresh once\n\nWhy.\nEOF\n)\"", ""),
        ("npm test && git commit -am 'fix(auth): refresh once'", "ok"),
    ],
)
def test_a_commit_is_a_commit_with_its_subject_type_and_files(command: str, output: str) -> None:
    work: Work = {}
    edited(work, "src/auth.ts")
    done = ran(work, command, output)
    assert (done.kind, done.text, done.tags, done.files) == (
        "commit",
        "fix(auth): refresh once",
        ("fix",),
        ("src/auth.ts",),
    )


def test_an_error_of_another_tool_is_an_error_and_a_rule_of_the_tool_is_none() -> None:
    def edit_says(output: str) -> Any:
        work: Work = {}
        folding.begin(work, "e", Deed(how="edit", name="Edit", files=("src/a.py",)), str)
        return folding.end(work, "e", f"<tool_use_error>{output}</tool_use_error>", str, is_error=True)

    done = edit_says("String to replace not found in file.\nString: x")
    assert done.text == "Edit of src/a.py failed: String to replace not found in file." and done.files == ("src/a.py",)
    assert edit_says("File has not been read yet. Read it first.") == Ignored(why=folding.TOOL_RULE)


def test_a_result_without_its_call_tells_only_of_an_error() -> None:
    work: Work = {}
    folding.begin(work, "c", Deed(how="shell", name="Bash", command="npm test"), str)
    folding.drop(work, "c")
    assert folding.end(work, "c", "ok", str, is_error=False) == Ignored(why=folding.UNPAIRED)
    assert folding.end(work, "c", "Error: no such table: users", str, is_error=True).kind == "error"


def test_the_state_is_json_and_stays_small_whatever_is_called() -> None:
    work: Work = {}
    for number in range(500):
        folding.begin(
            work, f"p{number}", Deed(how="shell", name="Bash" * 100, command=f"npm run x{number} " + "y" * 5_000), str
        )
        ran(work, f"npm run t{number} {'z ' * 2_000}", FAILED * 100)
        edited(work, *(f"src/{number}/{file}.py" for file in range(50)))
    assert len(json.dumps(work)) < 400_000 and json.loads(json.dumps(work)) == work
    assert len(work["pending"]) <= folding.MAX_KEPT and len(work["failing"]) <= folding.MAX_KEPT


@pytest.mark.parametrize(
    ("command", "label"),
    [
        ("cd app && CI=1 npx jest -t x 2>&1 | tail -20", "jest"),
        ("uv run pytest tests/x.py -k 'a and b'", "pytest"),
        ("timeout 60 python -m mypy --strict .", "mypy"),
        ("FOO=1 ./scripts/deploy.sh prod", "deploy.sh"),
        ("npm run build", "npm run build"),
        ("python manage.py migrate", "python manage.py"),
        ("sleep 5; docker compose up -d", "docker compose up"),
        ("echo hi; ls | head", ""),
        ("git -C app status", ""),
        ("git -C app commit -m 'x'", "git commit"),
        ("pnpm --filter web test", "pnpm test"),
        ("bash -lc 'cd app && npm test'", "npm test"),
        ("'unclosed && npm test", "npm test"),
    ],
)
def test_a_command_is_named_by_its_tool_and_task(command: str, label: str) -> None:
    assert command_of(command).label == label


def test_texts_are_cleaned_and_codes_are_read() -> None:
    assert plain("\x1b[31mred\x1b[0m\0\ud800") == "red\ufffd\ufffd"
    assert exit_code_in("Exit code 127\nnot found") == (127, "not found")
    assert exit_code_in("Error: Exit code 2\nx") == (2, "x") and exit_code_in("ok") == (None, "ok")
    assert telling_line("Traceback (most recent call last):\n  File 'x'\nValueError: bad\n", str) == "ValueError: bad"
    assert telling_line("x" * 1_000_000, str) == ""


KEY_LINE = "MIIEowIBAAKCAQEAq7Rt2Lm9Xc4Vb8Np3Zk6q7Rt2Lm9Xc4Vb8Np3Zk6q7Rt2Lm9"
HIDDEN = Redactor(b"k" * 32).redact


@pytest.mark.parametrize(
    ("output", "secret"),
    [
        (f"-----BEGIN {'PRIVATE'} KEY-----\n{f'{KEY_LINE}{chr(10)}' * 5}error: bad line {KEY_LINE}", KEY_LINE),
        ("log in as app\nusing password:\n  error: sw0rdf1sh rejected", "sw0rdf1sh"),
        (f"error: {'x ' * 490}ghp_{'q7Rt2Lm9Xc4Vb8Np3Zk6' * 2}", "q7Rt2Lm9"),
    ],
)
def test_what_only_another_line_gives_away_is_hidden_before_a_line_is_picked(output: str, secret: str) -> None:
    assert secret not in telling_line(output, HIDDEN)


def test_what_only_the_end_of_a_command_gives_away_is_hidden_before_it_is_cut() -> None:
    work: Work = {}
    command = f"mysql -u root {'-v ' * 2_000} -psw0rdf1sh"
    folding.begin(
        work, "c", Deed(how="shell", name="Bash", command=f"TOKEN=sw0rdf1shes make deploy && {command}"), HIDDEN
    )
    assert "sw0rd" not in json.dumps(work)
