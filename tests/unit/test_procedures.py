"""Procedures: the same steps in the same order, in at least two sessions; what failed is no step."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.procedures import Procedure, procedures
from dreamd.reflection.practice.values import Told
from tests.builders import an_event, day

BUMP, BUILD, TAG = "Bumped the version", "Built the wheel", "Tagged the release"
WORKS = "The release is out"


def step(text: str, at: float, session: str, kind: EventKind = EventKind.ACTION, **fields: Any) -> Told:
    fields = {"target": "release"} | fields
    return Told(event=an_event(text, day(at), kind=kind, session=session, **fields), stream=fields["target"])


def course(at: int, *texts: str, session: str | None = None, **fields: Any) -> list[Told]:
    said = [(text, EventKind.RESULT if text == WORKS else EventKind.ACTION) for text in texts]
    return [
        step(text, at + minute / 1440, session or f"s{at}", kind, **fields) for minute, (text, kind) in enumerate(said)
    ]


def found(*told: Told) -> tuple[Procedure, ...]:
    return procedures(told, {each.stream for each in told if each.stream is not None})


def texts(*told: Told) -> list[str]:
    return [procedure.text for procedure in found(*told)]


def test_steps_that_two_sessions_share_are_a_procedure_that_cites_each_of_them() -> None:
    told = [*course(1, BUMP, BUILD, TAG, WORKS), *course(8, BUMP, BUILD, TAG, WORKS)]
    (procedure,) = found(*told)
    assert procedure.text == (
        f'Steps that worked in this order: "{BUMP}", then "{BUILD}", then "{TAG}", then "{WORKS}" (2 sessions)'
    )
    assert {event.id for time in procedure.times for event in time} == {each.event.id for each in told}
    assert all(one.at < other.at for time in procedure.times for one, other in pairwise(time))


def test_a_failed_step_and_a_step_of_one_session_alone_drop_out() -> None:
    failed = step("Uploaded the wheel", 1.001, "s1", outcome=0.0)
    error = step("The upload was refused", 1.0012, "s1", EventKind.ERROR)
    told = [*course(1, BUMP, BUILD, WORKS), failed, error, *course(8, BUMP, "Asked Ada", BUILD, WORKS)]
    assert texts(*told) == [f'Steps that worked in this order: "{BUMP}", then "{BUILD}", then "{WORKS}" (2 sessions)']


def test_steps_of_one_session_alone_are_no_procedure_however_often_they_come() -> None:
    assert not texts(*course(1, BUMP, BUILD, WORKS), *course(1, BUMP, BUILD, WORKS))
    assert not texts(*course(1, BUMP, BUILD, WORKS, session="s"), *course(2, BUMP, BUILD, WORKS, session="s"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((BUMP, WORKS), (BUILD, WORKS)),
        ((BUMP, BUILD, WORKS), (WORKS, BUILD, BUMP)),
        ((WORKS,), (WORKS,)),
        ((BUMP, "Waited 3 minutes"), (BUMP, "Waited 4 minutes")),
    ],
)
def test_other_steps_or_another_order_are_no_procedure(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    assert not texts(*course(1, *first), *course(8, *second))


def test_checks_that_pass_one_after_the_other_are_no_procedure() -> None:
    told = [
        step(f"`{tool}` passes", at + minute / 1440, f"s{at}", EventKind.RESULT, target=tool, tags=("command",))
        for at in (1, 8)
        for minute, tool in enumerate(("ruff check", "pytest"))
    ]
    assert not texts(*told)


def test_a_procedure_spans_streams_and_belongs_to_that_of_its_last_step() -> None:
    told = []
    for at, passed in ((1, "`pytest -q` passes"), (8, "`pytest` passes again after changes to a.py; before: no")):
        told.append(step("Ran `uv sync`", at, f"s{at}", target="uv sync", tags=("command",)))
        told.append(step(passed, at + 0.01, f"s{at}", EventKind.RESULT, target="pytest", tags=("command",)))
    (procedure,) = found(*told)
    assert procedure.stream == "pytest"
    assert procedure.text == 'Steps that worked in this order: "Ran `uv sync`", then "`pytest -q` passes" (2 sessions)'


def test_a_longer_procedure_takes_the_place_of_its_parts() -> None:
    told = [*course(1, BUMP, BUILD, TAG, WORKS), *course(4, BUMP, BUILD, TAG, WORKS), *course(8, BUILD, WORKS)]
    assert [text.count("then") for text in texts(*told)] == [3]


def test_what_one_session_did_afterwards_is_no_part_of_it() -> None:
    told = [*course(1, BUMP, BUILD, WORKS), *course(8, BUMP, BUILD, WORKS, "Told the others")]
    assert [text.count("then") for text in texts(*told)] == [2]


def test_what_lies_more_than_a_day_before_the_last_step_is_no_part_of_it() -> None:
    told = [
        step(text, at + later, f"s{at}", kind)
        for at in (1, 8)
        for text, later, kind in ((BUMP, 0, EventKind.ACTION), (WORKS, 1.1, EventKind.RESULT))
    ]
    assert not texts(*told)


POOL = [each for at in (1, 3, 5) for each in course(at, BUMP, BUILD, "Asked Ada", TAG, WORKS)]


@given(st.permutations(POOL), st.integers(0, len(POOL)))
def test_procedures_are_a_function_of_the_set_of_events(told: list[Told], size: int) -> None:
    some = told[:size]
    in_order = sorted(some, key=lambda each: (each.event.at, each.event.id))
    assert found(*some) == found(*in_order, *in_order[:2])
