"""Numbers and tables as people are shown them."""

import os
import shutil
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon import terminal
from dreamd.daemon.wording import did_you_mean, some_of
from dreamd.lifecycle.told import counted, told_apart

floats = st.floats(min_value=0, max_value=1_000_000, allow_nan=False)


@pytest.mark.parametrize(
    ("value", "threshold", "passed", "shown"),
    [
        (0.45, 0.6, False, ("0.45", "0.60")),
        (0.6, 0.6, False, ("0.60", "over 0.60")),
        (0.6, 0.6, True, ("0.60", "0.60")),
        (0.5996, 0.6, False, ("0.5996", "0.6000")),
        (3, 3, True, ("3.00", "3.00")),
        (0.1 + 0.5000000000000001, 0.6, True, ("just over 0.60", "0.60")),
        (0.6 - 1e-15, 0.6, False, ("just under 0.60", "0.60")),
    ],
)
def test_a_value_is_told_apart_from_its_threshold(value, threshold, passed, shown):
    assert told_apart(value, threshold, is_passed=passed) == shown


@given(value=floats, threshold=floats)
def test_a_closed_gate_never_shows_two_equal_numbers(value: float, threshold: float) -> None:
    first, second = told_apart(value, threshold, is_passed=False)
    assert first != second


def test_a_noun_fits_its_number():
    assert [counted(number, "event") for number in (0, 1, 2)] == ["0 events", "1 event", "2 events"]


def test_names_that_are_near_or_longer_are_offered():
    names = ["rate_limiter", "mailer", "queue"]
    assert did_you_mean("mailr", names) == ("mailer",)
    assert did_you_mean("rate", names) == ("rate_limiter",)
    assert did_you_mean("zzz", names) == ()
    assert some_of([str(number) for number in range(10)]) == "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda fallback=(80, 24): os.terminal_size((60, 24)))


def test_a_table_fits_the_terminal_and_says_where_it_was_cut(wide):
    lines = terminal.table(("space", "target", "text"), [("shop", "t" * 300, "w" * 90), ("shop", "queue", "short")])
    assert [len(line) for line in lines[1:]][0] == 60 and all(len(line) <= 60 for line in lines[1:])
    assert lines[1].count("…") == 2 and lines[2].endswith("short")


def test_a_table_in_a_pipe_is_whole_and_one_wide_cell_moves_only_its_row():
    lines = terminal.table(("target", "text"), [("t" * 300, "whole"), ("queue", "short")])
    assert lines[1] == f"{'t' * 300}  whole" and len(lines[2]) == 60 + 2 + len("short")
