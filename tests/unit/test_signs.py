"""How a command ended, told by its output alone; and texts made to keep a reader busy for good."""

import json
from pathlib import Path

import pytest

from dreamd.daemon.intake.adapters import codex_items, console, signs, swe_agent, work
from dreamd.daemon.intake.limits import Limits

MANY = 100_000


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("npm test", "Error: no such script"),
        ("foo", "bash: foo: command not found"),
        ("foo", "(eval):1: command not found: foo"),
        ("git push", "fatal: Could not read from remote repository."),
        ("python a.py", 'starting\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: no'),
        ("pytest", "tests/test_a.py::test_b FAILED [ 50%]"),
        ("pytest", "collected 0 items"),
        ("pytest", "1 failed, 3 passed in 0.1s"),
        ("flake8 src", "src/a.py:34:80: E501 line too long"),
        ("git commit -m x", "trim trailing whitespace.......Failed\n- hook id: trailing-whitespace"),
        ("pre-commit run --all-files", "check yaml......Passed\nfix end of files......Failed"),
        ("pip install x", "[notice] A new release\nerror: externally-managed-environment"),
        ("curl http://x", "curl: (6) Could not resolve host"),
    ],
)
def test_an_output_that_tells_of_a_failure(command: str, output: str) -> None:
    assert signs.went_wrong(command, output)


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest", "3 passed in 0.1s"),
        ("ruff check --fix .", "Found 18 errors (18 fixed, 0 remaining)."),
        ("git log", "abc1234 Fix the error that FAILED the build"),
        ("cat app.log", "10:00 something\nTraceback (most recent call last):\nValueError: x\n" + "10:01 fine\n" * 20),
        ("grep -rn Error src", "src/a.py:3: raise Error"),
        ("echo done", "The word error: is not the first one"),
        ("make all", ""),
    ],
)
def test_an_output_that_tells_of_none(command: str, output: str) -> None:
    assert not signs.went_wrong(command, output)


@pytest.mark.parametrize(
    ("command", "output", "kind"),
    [
        ("pytest", "3 passed in 0.1s", "result"),
        ("flake8 src", "", "result"),
        ("pytest", "collecting ...", signs.NOT_SHOWN),
        ("git commit -m 'Mend it'", "[main 1234567] Mend it\n 1 file changed", "commit"),
        ("git commit -m 'Mend it'", "[WARNING] Unstaged files detected.", signs.NOT_SHOWN),
        ("ls", "a b c", work.LOOKING),
    ],
)
def test_what_passes_must_show_it(command: str, output: str, kind: str) -> None:
    state: work.Work = {}
    work.begin(state, "1", work.Deed(how="shell", name="bash", command=command), str)
    done = signs.ended(state, "1", command, output, str)
    assert (done.why if isinstance(done, work.Ignored) else str(done.kind)) == kind


@pytest.mark.parametrize(
    "piece", [".", "\n", " ", "\t", "FAILED ", "Failed ", "a:1:", "✓", "Traceback ", "<a", "> ", "("]
)
def test_no_text_keeps_a_reader_busy_for_good(piece: str, tmp_path: Path) -> None:
    """Whoever is quadratic in one of these does not end in a day."""
    long = piece * MANY
    signs.went_wrong("pytest", long)
    signs.went_wrong("pytest", f"Error: {long}x")
    codex_items.words_of([{"text": long}, {"text": f"<a{long}</b>"}, {"text": f"## My request:{long}x"}])
    codex_items.came_back(long)
    codex_items.given({"type": "custom_tool_call", "name": "apply_patch", "input": f"*** Add File: a{long}b"})
    document = {
        "trajectory": [
            {"action": f"pytest {long}", "observation": long},
            {"action": long, "observation": f"[File: {long}"},
        ],
        "history": [{"role": "user", "content": f"ISSUE:{long}\n{long}"}],
        "info": {"exit_status": "submitted", "submission": f"+++ b/a{long}b"},
    }
    (tmp_path / "a.traj").write_text(json.dumps(document))
    (tmp_path / "a.md").write_text(f"> {long}\n⏺ Bash({long}\n⏺ Update({long}x)…\n  ⎿  {long}\n⏺ {long}\n")
    for file, module in (("a.traj", swe_agent), ("a.md", console)):
        with (tmp_path / file).open("rb") as stream:
            assert list(module.adapter(Limits(), str).read(stream, {}, line=0))
