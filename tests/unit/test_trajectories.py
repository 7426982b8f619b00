"""Trajectories: the same two decisions, one after the other, in at least two sessions and about two targets."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.practice.procedures import sessions_of
from dreamd.reflection.practice.trajectories import MAX_APART, trajectories
from dreamd.reflection.practice.values import SHORT_GAP, Told, when
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


def by_definition(told: list[Told]) -> set[tuple[str, str, tuple[str, ...]]]:
    """Each two decisions of a session held against each two of the others."""
    pairs: dict[tuple[str, str], dict[str, tuple[Told, Told]]] = {}
    for session in sessions_of(told):
        for second in session:
            for first in session:
                gap = second.event.at - first.event.at
                if timedelta() < gap <= SHORT_GAP and first.event.text != second.event.text:
                    pair = pairs.setdefault((first.event.text, second.event.text), {})
                    pair.setdefault(second.event.session or "", (first, second))
    found = set()
    for in_sessions in pairs.values():
        ordered = sorted(in_sessions.values(), key=lambda pair: when(pair[1].event))
        if len(ordered) > 1 and len({each.stream for pair in ordered for each in pair}) > 1:
            cited = {each.event.id: each.event for pair in ordered for each in pair}
            evidence = tuple(event.id for event in sorted(cited.values(), key=when))
            found.add((ordered[0][1].stream or "", ordered[0][1].event.id, evidence))
    return found


A_DECISION = st.builds(
    decided,
    st.sampled_from([f"Keep part {place} of the log" for place in range(5)]),
    st.sampled_from([place + later / 40 for place in (1, 3, 5) for later in range(39)]),
    st.sampled_from(["api", "web"]),
)


@given(st.lists(A_DECISION, max_size=40))
def test_a_session_is_read_once_for_what_each_two_of_its_decisions_would_tell(told: list[Told]) -> None:
    found = {(each.stream, each.by.id, tuple(event.id for event in each.evidence)) for each in trajectories(told)}
    assert found == by_definition(told)


def of_many(decisions: int, at: int, target: str) -> list[Told]:
    return [decided(f"Keep part {place} of the log", at + place / 10_000, target) for place in range(decisions)]


def test_what_is_decided_long_after_in_a_session_does_not_follow() -> None:
    many = 4 * MAX_APART
    found = trajectories([*of_many(many, 1, "api"), *of_many(many, 3, "web")])
    assert len(found) == MAX_APART * many - MAX_APART * (MAX_APART + 1) // 2
    assert not trajectories([*of_many(2_000, 1, "api"), decided(JSON, 3.1, "web"), decided(KEPT, 3.2, "web")])
