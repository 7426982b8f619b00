"""Lessons: what is one, what is none, and how attempts add up."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.lessons import lessons, touched
from dreamd.reflection.practice.shell import run_of
from dreamd.reflection.practice.values import Told
from tests.builders import an_event, day

HOUR = 1 / 24
FULL = "The queue refused 12 jobs"
RAISED = "Raised the limit of the queue to 50"


def said(kind: EventKind, text: str, at: float, **fields: Any) -> Told:
    fields = {"target": "queue", "session": f"day {int(at)}"} | fields
    return Told(event=an_event(text, day(at), kind=kind, **fields), stream=fields["target"])


def mended(at: float, remedy: str = RAISED, trouble: str = FULL) -> list[Told]:
    return [
        said(EventKind.ERROR, trouble, at),
        said(EventKind.ACTION, remedy, at + HOUR),
        said(EventKind.RESULT, f"The queue took {int(at)} jobs", at + 2 * HOUR),
    ]


def in_vain(at: float, remedy: str = RAISED, trouble: str = FULL) -> list[Told]:
    return [*mended(at, remedy, trouble)[:2], said(EventKind.ERROR, trouble, at + 2 * HOUR)]


def texts(*told: Told) -> list[str]:
    return [lesson.text for lesson in lessons(told, {each.stream for each in told if each.stream})]


def failed(command: str, line: str, at: float, **fields: Any) -> Told:
    text = f"`{command}` failed with exit code 1: {line}"
    return said(EventKind.ERROR, text, at, **{"target": "pytest", "tags": ("command",), **fields})


def passed(before: Told, command: str, at: float, **after: list[str]) -> Told:
    since = {"failed": before.event.text, "ran": command, **after}
    text = f"`{command}` passes again"
    return said(
        EventKind.RESULT, text, at, target="pytest", tags=("command", "fix"), outcome=1.0, extra={"after": since}
    )


def test_what_was_done_between_an_error_and_a_success_is_a_lesson_that_cites_all_three() -> None:
    (lesson,) = lessons(mended(1), {"queue"})
    assert lesson.text == f'When "{FULL}", "{RAISED}" worked (1 of 1)'
    assert [event.kind for event in lesson.tried[0].evidence] == [EventKind.ERROR, EventKind.ACTION, EventKind.RESULT]


def test_a_fix_in_another_session_within_a_day_counts_and_one_a_day_later_does_not() -> None:
    error = said(EventKind.ERROR, FULL, 1, session="evening")
    fix = said(EventKind.COMMIT, "fix(queue): raise the limit", 1.5, session="morning")
    assert texts(error, fix, said(EventKind.RESULT, "All jobs ran", 1.9, session="morning"))
    assert not texts(error, fix, said(EventKind.RESULT, "All jobs ran", 2.1, session="morning"))


def test_the_same_remedy_of_the_same_trouble_adds_up() -> None:
    assert texts(*mended(1), *mended(5), *mended(9)) == [f'When "{FULL}", "{RAISED}" worked (3 of 3)']


def test_counter_evidence_lowers_a_lesson_and_half_of_it_ends_it() -> None:
    assert texts(*mended(1), *mended(5), *in_vain(9)) == [f'When "{FULL}", "{RAISED}" worked (2 of 3)']
    assert not texts(*mended(1), *in_vain(9))


@pytest.mark.parametrize(
    ("other", "lessons_found"),
    [("The queue refused 13 jobs", 2), ("The queue refused 12 jobs", 1), ("The queue stopped with code 12", 2)],
)
def test_a_number_makes_another_trouble(other: str, lessons_found: int) -> None:
    assert len(texts(*mended(1), *mended(5, trouble=other))) == lessons_found


def test_what_differs_from_run_to_run_makes_no_other_trouble() -> None:
    before, after = "Timeout after 30 s in /srv/a/queue.py:12", "Timeout after 31 s in /home/b/queue.py:14"
    assert len(texts(*mended(1, trouble=before), *mended(5, trouble=after))) == 1


@pytest.mark.parametrize(
    "between",
    [
        [],
        [said(EventKind.OBSERVATION, "The queue holds 4 jobs", 1 + HOUR)],
        [said(EventKind.COMMIT, "feat(queue): show its length", 1 + HOUR)],
        [said(EventKind.HYPOTHESIS, "The queue is too short", 1 + HOUR)],
        [said(EventKind.ACTION, "Restarted the queue", 1 + HOUR, outcome=0.0)],
        [said(EventKind.ACTION, RAISED, 1 + HOUR, target="mailer")],
        [said(EventKind.ACTION, f"Tried a limit of {place}", 1 + HOUR, session=f"s{place}") for place in range(4)],
    ],
)
def test_a_success_without_something_that_was_done_about_it_teaches_nothing(between: list[Told]) -> None:
    error, _, success = mended(1)
    assert not texts(error, *between, success)


def test_a_success_before_the_remedy_teaches_nothing() -> None:
    error, remedy, success = mended(1)
    early = said(EventKind.RESULT, "All jobs ran", 1 + HOUR / 2)
    assert not texts(error, early, remedy, success)


def test_a_rerun_that_happened_to_pass_is_no_lesson() -> None:
    failure = failed("pytest tests", "AssertionError: 3 != 4", 1)
    assert not texts(failure, passed(failure, "pytest tests", 1 + HOUR))
    assert not texts(failure, passed(failure, "pytest -v tests | tail -3", 1 + HOUR))


def test_a_command_that_lacked_its_tool_teaches_what_prepares_it() -> None:
    failure = failed("cd app && pytest tests", "zsh: command not found: pytest", 1)
    ran = passed(failure, "cd app && source .venv/bin/activate && pytest -q tests", 1 + HOUR)
    (text,) = texts(failure, ran)
    assert text == (
        "When `pytest tests` failed: zsh: command not found: pytest, "
        "`source .venv/bin/activate` before it worked (1 of 1)"
    )


def test_each_tool_that_was_missed_on_the_way_is_a_lesson() -> None:
    first = failed("python -m pytest", "bash: python: command not found", 1)
    second = failed("python3 -m pytest", "No module named pytest", 1 + HOUR)
    ran = passed(second, "source .venv/bin/activate && python -m pytest", 1 + 2 * HOUR)
    assert len(texts(first, second, ran)) == 2


def test_words_that_were_wrong_teach_the_words_that_worked() -> None:
    failure = failed("uv venv --path .env", "error: unexpected argument '--path' found", 1)
    (text,) = texts(failure, passed(failure, "uv venv .env", 1 + HOUR))
    assert "`uv venv .env` worked" in text


@pytest.mark.parametrize("other", ["uv run pytest tests", ".venv/bin/pytest tests", "python -m pytest tests"])
def test_a_tool_that_was_missed_and_called_otherwise_teaches_how(other: str) -> None:
    failure = failed("pytest tests", "bash: pytest: command not found", 1)
    result = said(EventKind.RESULT, f"`{other}` passes", 1 + HOUR, target="pytest", tags=("command",))
    (text,) = texts(failure, result)
    assert f"`{other}` worked" in text


def test_another_test_that_passes_does_not_bring_a_missing_module() -> None:
    failure = failed("pytest tests/a.py", "ModuleNotFoundError: No module named 'redis'", 1)
    other = said(EventKind.RESULT, "`pytest tests/b.py` passes", 1 + HOUR, target="pytest", tags=("command",))
    assert not texts(failure, other)


@pytest.mark.parametrize(("other", "is_lesson"), [("pytest tests/db/test_a.py", True), ("pytest docs/b.py", False)])
def test_where_nothing_was_found_what_is_akin_and_passes_is_a_lesson(other: str, is_lesson: bool) -> None:
    failure = failed("pytest tests/test_a.py", "ERROR: file or directory not found: no such file", 1)
    result = said(EventKind.RESULT, f"`{other}` passes", 1 + HOUR, target="pytest", tags=("command",))
    assert bool(texts(failure, result)) == is_lesson


@pytest.mark.parametrize(
    ("before", "after"), [("ruff check .", "ruff check --fix ."), ("prettier --check src", "prettier --write src")]
)
def test_a_check_that_is_told_to_mend_what_it_finds_is_a_lesson(before: str, after: str) -> None:
    failure = failed(before, "a.py:1:1: F401 `os` imported but unused", 1)
    (text,) = texts(failure, passed(failure, after, 1 + HOUR))
    assert f"`{after}` worked" in text


@pytest.mark.parametrize(
    "evasion", ["git commit --no-verify -m it", "SKIP=ruff git commit -m it", "git reset --hard && git commit -m it"]
)
def test_what_gets_around_a_failure_is_not_taught(evasion: str) -> None:
    failure = failed("git commit -m it", "`pre-commit` not found. Did you forget to activate your virtualenv?", 1)
    assert not texts(failure, passed(failure, evasion, 1 + HOUR))


def test_a_step_between_is_a_lesson_and_several_are_none() -> None:
    failure = failed("pytest", "ModuleNotFoundError: No module named 'redis'", 1)
    (text,) = texts(failure, passed(failure, "pytest", 1 + HOUR, steps=["uv sync --all-extras"]))
    assert "`uv sync --all-extras` before the same command worked" in text
    assert not texts(failure, passed(failure, "pytest", 1 + HOUR, steps=["uv sync", "make db", "redis-cli flushall"]))


def test_steps_on_other_files_are_one_lesson_that_names_the_step_alone() -> None:
    told = []
    for at, file in ((1, "a.md"), (3, "b.md")):
        failure = failed("git commit -m it", "trim trailing whitespace....Failed", at)
        told += [failure, passed(failure, "git commit -m it", at + HOUR, steps=[f"git add {file}"])]
    (text,) = texts(*told)
    assert text == (
        "When `git commit` failed: trim trailing whitespace...Failed, `git add` before the same command worked (2 of 2)"
    )


def test_an_edit_is_a_lesson_only_where_a_commit_soon_after_says_what_it_mended() -> None:
    failure = failed("ruff check", "TOML parse error", 1)
    ran = passed(failure, "ruff check", 1 + HOUR, edits=["pyproject.toml"])

    def commit(text: str, at: float, file: str = "pyproject.toml") -> Told:
        return said(EventKind.COMMIT, text, at, target="settings", files=(file,))

    fix = "Fix the table of ignored rules"
    assert texts(failure, ran, commit(fix, 1 + 2 * HOUR)) == [
        f'When `ruff check` failed: TOML parse error, "{fix}" (pyproject.toml) worked (1 of 1)'
    ]
    assert not texts(failure, ran)
    assert not texts(failure, ran, commit(fix, 1 + 4 * HOUR))
    assert not texts(failure, ran, commit(fix, 1 + 2 * HOUR, "README.md"))
    assert not texts(failure, ran, commit("Add an option", 1 + 2 * HOUR), commit(fix, 1 + 2.5 * HOUR))


def test_a_commit_that_would_explain_two_troubles_explains_none() -> None:
    one, two = failed("ruff check", "TOML parse error", 1), failed("pytest", "KeyError: 'tool'", 1 + HOUR / 4)
    told = [one, two, passed(one, "ruff check", 1 + HOUR, edits=["a.toml"])]
    told.append(passed(two, "pytest", 1.01 + HOUR, edits=["a.toml"]))
    assert not texts(*told, said(EventKind.COMMIT, "Fix it", 1 + 2 * HOUR, files=("a.toml",)))


def test_a_remedy_after_which_the_command_fails_alike_counts_against_it() -> None:
    told = []
    for at in (1.0, 3.0, 5.0):
        failure = failed("pytest", "No module named 'redis'", at)
        told += [failure, passed(failure, "pytest", at + HOUR, steps=["uv sync"])]
    failure = failed("pytest", "No module named 'redis'", 7)
    since = {"failed": failure.event.text, "ran": "pytest", "steps": ["uv sync"]}
    again = failed("pytest", "No module named 'redis'", 7 + HOUR, extra={"after": since})
    (text,) = texts(*told, failure, again)
    assert text.endswith("(3 of 4)")


def test_steps_that_did_not_help_count_against_them_also_beside_edits() -> None:
    first = failed("git commit -m it", "ruff....Failed", 1)
    since = {"failed": first.event.text, "ran": "git commit -m  it", "steps": ["git add a.py"], "edits": ["a.py"]}
    again = failed("git commit -m  it", "ruff....Failed", 1 + HOUR, extra={"after": since})
    assert not texts(first, again, passed(again, "git commit -m it", 1 + 2 * HOUR, steps=["git add a.py"]))


@pytest.mark.parametrize(
    ("command", "prepared", "does"),
    [
        ("cd a && PATH=b:$PATH make test 2>&1 | tail -3", ("PATH=b:$PATH",), "make test"),
        ('git add a && git commit -m "x && y"', (), 'git commit -m "x && y"'),
        ("git status; ls", (), ""),
    ],
)
def test_a_command_line_is_read_by_its_parts(command: str, prepared: tuple[str, ...], does: str) -> None:
    run = run_of(command)
    assert (run.prepared, run.does) == (prepared, does)


POOL = [each for at in (1, 2, 3) for each in (*mended(at), *in_vain(at + 0.3), *mended(at + 0.6, "Restarted it"))]


@given(st.permutations(POOL), st.integers(0, len(POOL)))
def test_lessons_are_a_function_of_the_set_of_events(told: list[Told], size: int) -> None:
    found = told[:size]
    in_order = sorted(found, key=lambda each: (each.event.at, each.event.id))
    assert lessons(found, {"queue"}) == lessons([*in_order, *in_order[:3]], {"queue"})


@given(st.lists(st.sampled_from(POOL), unique_by=lambda each: each.event.id, min_size=2))
def test_what_new_events_change_is_touched(told: list[Told]) -> None:
    before, new = told[:-1], told[-1].event
    changes = lessons(before, {"queue"}) != lessons(told, {"queue"})
    assert not changes or touched(told, {new.id}) == {"queue"}


def test_a_commit_elsewhere_touches_the_stream_of_the_failure() -> None:
    failure = failed("ruff check", "TOML parse error", 1)
    ran = passed(failure, "ruff check", 1 + HOUR, edits=["a.toml"])
    commit = said(EventKind.COMMIT, "Fix it", 1 + 2 * HOUR, target="settings", files=("a.toml",))
    assert touched([failure, ran, commit], {commit.event.id}) == {"pytest"}
    assert touched([failure, ran], {event_id(ran)}) == frozenset()


def event_id(told: Told) -> str:
    event: Event = told.event
    return event.id


def test_what_lies_more_than_a_day_apart_is_no_attempt_in_one_session_either() -> None:
    told = [Told(event=each.event, stream=each.stream) for each in mended(1)]
    late = an_event("All jobs ran", day(1) + timedelta(hours=25), kind=EventKind.RESULT, session="day 1")
    assert not texts(*told[:2], Told(event=late, stream="queue"))
