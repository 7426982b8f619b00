"""Trajectories: the same two decisions, one after the other, in at least two sessions and about two targets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.practice.trajectories import trajectories
from dreamd.reflection.practice.values import Told
from tests.builders import an_event, day

JSON, KEPT, SHIPPED = "Write logs as JSON", "Keep logs for 30 days", "Ship logs to the archive"


def decided(
    text: str, at: float, target: str, actor: Actor = Actor.AGENT, kind: EventKind = EventKind.DECISION
) -> Told:
    event = an_event(text, day(at), kind=kind, target=target, session=f"s{int(at)}", actor=actor)
    return Told(event=event, stream=target)


API = [decided(JSON, 1.1, "api"), decided(KEPT, 1.2, "api")]


def test_decisions_that_follow_each_other_in_two_places_are_a_trajectory_that_cites_all_of_them() -> None:
    told = [*API, decided(JSON, 8.1, "web"), decided(KEPT, 8.2, "logs")]
    (found,) = trajectories(told)
    assert found.text == f'After the decision "{JSON}" came "{KEPT}" (2 places)'
    assert (found.stream, found.by) == ("api", API[1].event)
    assert [event.id for event in found.evidence] == [each.event.id for each in told]


@pytest.mark.parametrize(
    "again",
    [
        [decided(KEPT, 8.1, "web"), decided(JSON, 8.2, "web")],  # the other way round
        [decided(JSON, 8.1, "api"), decided(KEPT, 8.2, "api")],  # about the same target
        [decided(JSON, 1.3, "web"), decided(KEPT, 1.4, "web")],  # in the same session
        [decided(JSON, 8.1, "web"), decided("Keep logs for 31 days", 8.2, "web")],
        [decided(JSON, 8.1, "web"), decided(KEPT, 8.2, "web", Actor.EXTERNAL)],
        [decided(JSON, 8.1, "web"), decided(KEPT, 8.2, "web", kind=EventKind.OBSERVATION)],
        [decided(JSON, 8.1, "web")],
    ],
)
def test_anything_else_is_none(again: list[Told]) -> None:
    assert not trajectories([*API, *again])


POOL = [
    decided(text, at + later, target)
    for at, target in ((1, "api"), (3, "web"), (5, "web"))
    for text, later in ((JSON, 0.1), (KEPT, 0.2), (SHIPPED, 0.3))
]


@given(st.permutations(POOL), st.integers(0, len(POOL)))
def test_trajectories_are_a_function_of_the_set_of_decisions(told: list[Told], size: int) -> None:
    some = told[:size]
    assert trajectories(some) == trajectories(sorted([*some, *some[:2]], key=lambda each: each.event.id))
