"""A failpoint dies where it is told to, and only there."""

import os
import signal
import subprocess
import sys
from collections import Counter

import pytest

from dreamd.daemon import failpoints
from dreamd.daemon.errors import Configuration, Internal


def run(order, *names):
    code = f"from dreamd.daemon.failpoints import reach\nfor name in {names!r}: reach(name)\nprint('through')"
    environ = {**os.environ, failpoints.VARIABLE: order}
    return subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("apply-after-commit", ("apply-before-commit", "apply-after-commit")),
        ("apply-after-commit:kill", ("apply-after-commit",)),
        ("report-written,apply-after-commit:2:kill", ("apply-after-commit", "apply-after-commit")),
        ("export-after-ref:2", ("export-after-ref", "export-after-ref")),
    ],
)
def test_the_process_dies_by_sigkill_at_the_named_failpoint(order, names):
    done = run(order, *names)
    assert done.returncode == -signal.SIGKILL
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("", ("apply-after-commit",)),
        ("report-written", ("apply-after-commit",)),
        ("apply-after-commit:3:kill", ("apply-after-commit", "apply-after-commit")),
    ],
)
def test_all_else_goes_through(order, names):
    assert run(order, *names).stdout == "through\n"


def test_a_failpoint_can_raise_instead(monkeypatch):
    monkeypatch.setenv(failpoints.VARIABLE, "export-before-render:raise")
    monkeypatch.setattr(failpoints, "_reached", Counter())
    with pytest.raises(failpoints.FailpointReached, match="export-before-render"):
        failpoints.reach("export-before-render")
    failpoints.reach("export-before-render")  # only the first time


def test_a_name_that_is_not_in_the_list_is_an_error_on_either_side(monkeypatch):
    monkeypatch.delenv(failpoints.VARIABLE, raising=False)
    with pytest.raises(Internal, match="nowhere"):
        failpoints.reach("nowhere")
    for order in ("nowhere", "report-written:later", "report-written:1:2"):
        monkeypatch.setenv(failpoints.VARIABLE, order)
        with pytest.raises(Configuration):
            failpoints.reach("report-written")


def test_every_failpoint_says_what_is_done_and_what_is_not():
    assert set(failpoints.FAILPOINTS) == set(failpoints.FAILPOINT_MEANINGS)
    assert all(failpoints.FAILPOINT_MEANINGS.values())
