"""What counts as a success and what as a failure, where plain events tell it, and what is no remedy."""

from typing import Any

import pytest

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.endings import repeats, says_failure, says_success_too
from dreamd.reflection.practice.lessons import lessons
from dreamd.reflection.practice.procedures import procedures
from dreamd.reflection.practice.values import Told
from tests.builders import an_event, day

MINUTE = 1 / 1440
FAILED = "Build failed with code 137"
COFFEE = "Did nothing, took a coffee"
RAISED = "Raised the memory of the builder"
PASSED = "The build finished in 40 s"
FAILURES = (
    "The build did not work",
    "Login still fails with token expired",
    "Deploy failed: image not found",
    "It is broken",
    "Cannot connect to the database",
    "Exited with code 137",
    "make: exit status 2",
    "Same error as before",
    "It doesn’t help",
    "The queue is still full",
    "HTTP 500 on login",
    "Does not start",
    "CI is red",
    "The error was not fixed",
    "It crashed again",
    "Timed out after 30 s",
)
NO_FAILURES = (
    "12 passed, 0 failed",
    "The build works again",
    "Login no longer fails",
    "The error is gone",
    "The timeout has been fixed",
    "Fixed the broken link",
    "No client was rejected by mistake",
    "The run finished 402 invoices without an error",
    "exited with code 0",
    "It did not crash",
    "Still running fine",
    "0 of 3 jobs failed",
    "Failover took 3 seconds",
    "Rolled it out to 404 hosts",
)
EVASIONS = (
    "git commit --no-verify",
    "Ran `git push --force`",
    "git push -f origin main",
    "Force-pushed the branch",
    "Skipped the failing tests",
    "Bypassed the pre-commit hook",
    "SKIP=ruff git commit",
)


def said(kind: EventKind, text: str, at: float, **fields: Any) -> Told:
    event = an_event(text, day(at), kind=kind, target="build", session=f"day {int(at)}", **fields)
    return Told(event=event, stream="build")


def tried(at: float, action: str = RAISED, result: str = PASSED, error: str = FAILED, **ended: Any) -> list[Told]:
    return [
        said(EventKind.ERROR, error, at),
        said(EventKind.ACTION, action, at + MINUTE),
        said(EventKind.RESULT, result, at + 2 * MINUTE, **ended),
    ]


def texts(*told: Told) -> list[str]:
    return [lesson.text for lesson in lessons(told, {"build"})]


@pytest.mark.parametrize("result", FAILURES)
def test_a_result_that_speaks_of_failure_is_no_success_and_counts_against_the_remedy(result: str) -> None:
    assert says_failure(result) and not says_success_too(result)
    assert not texts(*tried(1, COFFEE, result))
    (text,) = texts(*tried(1), *tried(3), *tried(5, result=result))
    assert text == f'When "{FAILED}", "{RAISED}" worked (2 of 3)'


@pytest.mark.parametrize("result", NO_FAILURES)
def test_what_is_denied_or_over_is_no_failure(result: str) -> None:
    assert not says_failure(result)
    assert len(texts(*tried(1, result=result))) == 1


@pytest.mark.parametrize(
    ("error", "result", "is_same"),
    [
        ("Deploy failed: image not found", "Deploy failed: image not found", True),
        ("Payments charge customers twice", "Payments charge customers twice, also today", True),
        ("The queue drops jobs", "The queue drops no jobs", False),
        ("The queue drops jobs", "The queue takes jobs", False),
    ],
)
def test_a_result_in_the_words_of_the_error_is_no_success(error: str, result: str, is_same: bool) -> None:
    assert repeats(result, error) is is_same
    assert bool(texts(*tried(1, result=result, error=error))) is not is_same


def test_an_outcome_decides_whatever_the_words_say() -> None:
    assert texts(*tried(1, result="Saw that the old error is still in the log", outcome=1.0))
    assert not texts(*tried(1, outcome=0.0))


def test_failure_and_success_in_one_breath_count_for_nothing() -> None:
    assert not texts(*tried(1, result="The build works, but the tests still fail"))
    (text,) = texts(*tried(1), *tried(3, result="The build works, but the tests still fail"))
    assert text.endswith("(1 of 1)")


def test_after_a_failed_try_the_next_one_is_tried_on_the_same_trouble() -> None:
    for fields in ({}, {"outcome": 0.0}):
        then = [said(EventKind.ACTION, "Split the job", 1 + 3 * MINUTE), said(EventKind.RESULT, PASSED, 1 + 4 * MINUTE)]
        assert texts(*tried(1, COFFEE, "It did not work", **fields), *then) == [
            f'When "{FAILED}", "Split the job" worked (1 of 1)'
        ]


@pytest.mark.parametrize("worked", [1, 2])
def test_the_same_remedy_that_failed_later_counts_against_the_lesson(worked: int) -> None:
    before = [each for at in range(worked) for each in tried(1 + at)]
    error, action, _ = tried(9)
    failing = said(EventKind.ACTION, RAISED, 9 + MINUTE, outcome=0.0)
    expected = [] if worked == 1 else [f'When "{FAILED}", "{RAISED}" worked (2 of 3)']
    assert texts(*before, error, failing) == expected
    assert texts(*before, error, action, said(EventKind.RESULT, "Ran it", 9.01, outcome=0.0)) == expected
    assert texts(*before, error, action, said(EventKind.ERROR, FAILED, 9.01, outcome=0.0)) == expected


def test_an_action_in_vain_is_no_remedy() -> None:
    error, remedy, success = tried(1)
    vain = said(EventKind.ACTION, "Restarted the builder, did not help", 1 + MINUTE / 2)
    assert texts(error, vain, remedy, success) == [f'When "{FAILED}", "{RAISED}" worked (1 of 1)']


@pytest.mark.parametrize("evasion", EVASIONS)
def test_what_gets_around_a_failure_is_never_taught(evasion: str) -> None:
    assert not texts(*tried(1, evasion, outcome=1.0))
    told = [each for at in (1, 3) for each in (*tried(at, evasion), said(EventKind.ACTION, "Tagged it", at + 0.1))]
    assert not any(evasion in found.text for found in procedures(told, {"build"}))


@pytest.mark.parametrize("remedy", ["fix(ci): do not skip the tests", "Enabled the skipped tests", "Fixed the test"])
def test_what_looks_like_getting_around_a_failure_and_mends_it_is_taught(remedy: str) -> None:
    assert texts(*tried(1, remedy))


def test_a_result_that_speaks_of_failure_is_no_step_that_worked() -> None:
    told = [each for at in (1, 3) for each in tried(at, COFFEE, "The build did not work")]
    assert not procedures(told, {"build"})
