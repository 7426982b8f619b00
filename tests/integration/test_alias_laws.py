"""The laws of aliases through the real store: what is known is a function of the evidence and the alias table.

An alias is a person's decision that takes its place among the deliveries at any point, before or after the evidence
that it is about; the rows come out the same. Taken back, everything is as it was.
"""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.aliasing import alias
from dreamd.daemon.orders import pin
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, DecayClass, EventKind, Phase, Status
from tests.builders import an_event, day
from tests.histories import SAID
from tests.integration.test_laws import a_space, assert_same, rows

END = 90.0
NAMES = ["queue", "Job-Queue", "job queue", "worker", "Worker", "deploys"]
ALIASES = [("worker", "job queue"), ("job-queue", "queue")]  # a chain

evidence = st.builds(
    lambda said, at, **more: an_event(said[1], day(at), kind=said[0], **more),
    said=st.sampled_from(SAID),
    at=st.integers(0, 800).map(lambda tenth: tenth / 10),
    target=st.sampled_from(NAMES),
    actor=st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.USER, Actor.TOOL, Actor.EXTERNAL]),
    outcome=st.sampled_from([None, 0.0, 1.0]),
    session=st.sampled_from(["s1", "s2", None]),
    decay=st.sampled_from([None, None, None, DecayClass.SESSION]),
)
histories = st.lists(evidence, min_size=1, max_size=20, unique_by=lambda event: event.id)
some = settings(max_examples=8)


def name(space, old, new, now):
    return space.order(lambda: alias(space.store, old, new), now)


def told(steps, *, dreams):
    """The rows after `steps` (events and aliases) in their order; `dreams`: before which of them there is a dream."""
    with a_space() as space:
        now = END - len(steps)
        for place, step in enumerate(steps):
            if place in dreams:
                space.dream(day(now))
            if isinstance(step, tuple):
                name(space, step[0], step[1], day(now))
            else:
                space.add(step)
            now += 1
        space.dream(day(END))
        assert space.dream(day(END)).changes == ()
        return rows(space)


@some
@given(histories, st.data())
def test_any_order_of_the_same_evidence_and_aliases_gives_the_same_rows(events, data):
    steps = data.draw(st.permutations([*events, *ALIASES]))
    dreams = data.draw(st.sets(st.integers(0, len(steps) - 1)))
    assert_same(told(steps, dreams=dreams), told([*events, *ALIASES], dreams=set()))


@some
@given(histories, st.data())
def test_an_alias_that_is_taken_back_leaves_the_memory_as_it_was(events, data):
    with a_space() as space:
        cut = data.draw(st.integers(0, len(events)))
        space.add(*events[:cut])
        space.dream(day(END - 10))
        if data.draw(st.booleans()):
            name(space, "deploys", "worker", day(END - 9))
        for stream in space.store.streams()[:2]:
            space.pin(stream.target, day(END - 8))
        for claim in space.store.claims()[:2]:
            space.order(lambda claim=claim: pin(space.store, claim, day(END - 8)), day(END - 8))
        before, rows_before = space.digest(), rows(space)
        old, new = data.draw(st.sampled_from(ALIASES))
        plan = name(space, old, new, day(END - 7))
        undoing = space.revert(plan.number, day(END - 6))
        assert undoing.blocked == ()
        assert rows(space) == rows_before
        assert space.digest() == before


@some
@given(histories, histories, st.data())
def test_an_alias_taken_back_with_what_later_runs_built_on_it_is_as_if_neither_had_been(events, later, data):
    known = {event.id for event in events}
    with a_space() as space:
        space.add(*events)
        space.dream(day(END - 10))
        before = space.digest()
        old, new = data.draw(st.sampled_from(ALIASES))
        plan = name(space, old, new, day(END - 9))
        space.add(*(event for event in later if event.id not in known))
        grew = space.dream(day(END - 8))
        undoing = space.revert(plan.number, day(END - 7))
        if undoing.blocked:
            assert {blocked.by_run for blocked in undoing.blocked} == {plan.number + 1}
            space.revert(plan.number, day(END - 7), cascade=True)
        taken_back = {stream.id for stream in space.store.streams() if stream.merged_into is not None}
        assert taken_back == set()
        if not grew.changes:  # else what is new, and what only grew older, stays
            assert space.digest() == before
        space.dream(day(END - 7))


def a_merge_of(space, old_events, new_events, now=None):
    space.add(*old_events, *new_events)
    last = max(event.at for event in (*old_events, *new_events))
    space.dream(last)
    plan = name(space, "worker", "queue", now or last)
    return plan, space.stream("queue")


def weekly(target, first, weeks=7):
    """A life that ends canonical: a decision and work every week, in sessions of its own."""
    decision = an_event(f"Use the {target}", day(first), kind=EventKind.DECISION, target=target)
    work = [
        an_event(f"The {target} ran {n}", day(first + 5 * n), target=target, session=f"w{n}") for n in range(1, weeks)
    ]
    return [decision, *work]


@pytest.mark.parametrize("mature", ["worker", "queue"])
def test_a_merge_keeps_the_higher_phase_of_its_members(mature):
    """A burst of years before makes the spread of all the evidence poor; that takes nothing from what was reached."""
    other = {"worker": "queue", "queue": "worker"}[mature]
    with a_space() as space:
        lone = [an_event(f"It was slow {n}", day(-900 + n / 100), target=other) for n in range(3)]
        space.add(*lone, *weekly(mature, 0))
        space.dream(day(40))
        assert (space.stream(mature).phase, space.stream(other).phase) == (Phase.CANONICAL, Phase.PATTERN)
        reached = space.stream(mature).canonical_at
        name(space, "worker", "queue", day(40))
        survivor = space.stream("queue")
        assert (survivor.phase, survivor.canonical_at) == (Phase.CANONICAL, reached)
        space.add(an_event("It ran once more", day(45), target="queue"))
        space.dream(day(45))
        assert space.stream("queue").phase is Phase.CANONICAL


def test_a_merge_is_as_old_as_its_newest_evidence_and_not_as_the_merge():
    """P09: two facts of 200 days ago, merged now, are 200 days old."""
    with a_space(Policy(silence="calendar")) as space:
        plan, survivor = a_merge_of(
            space, [an_event("It waits", day(0), target="worker")], [an_event("It runs", day(3), target="queue")]
        )
        assert survivor.last_seen == day(3)
        assert plan.changes
        space.revert(plan.number, day(200))
        name(space, "worker", "queue", day(203))
        survivor = space.stream("queue")
        assert (survivor.last_seen, survivor.vitality) == (day(3), "dormant")
        assert survivor.status is not Status.ACTIVE
        assert {claim.last_at for claim in space.store.claims()} == {day(0), day(3)}


def test_retrying_a_merge_makes_no_second():
    """T60."""
    with a_space() as space:
        plan, _ = a_merge_of(
            space, [an_event("It waits", day(0), target="worker")], [an_event("It runs", day(3), target="queue")]
        )
        before = space.digest()
        assert name(space, "Worker", "QUEUE", day(4)).changes == ()
        assert (space.digest(), len(space.store.runs())) == (before, plan.number)


def test_a_late_write_to_what_was_merged_away_goes_to_the_survivor():
    """P21."""
    with a_space() as space:
        a_merge_of(
            space, [an_event("It waits", day(0), target="worker")], [an_event("It runs", day(3), target="queue")]
        )
        late = an_event("It still waits", day(4), target="Worker")
        space.add(late)
        space.dream(day(5))
        (link,) = space.store.links_of_event(late.id)
        assert link.stream == space.stream("queue").id
        assert {claim.stream for claim in space.store.claims()} == {link.stream}
        assert space.stream("worker").status is Status.MERGED


def test_a_merge_moves_every_link_and_a_revert_brings_each_back():
    """P60: edges, evidence and counters are what they were."""
    with a_space() as space:
        space.add(*[an_event(f"It waits {n}", day(n), target="worker") for n in range(3)])
        space.add(an_event("It runs", day(1), target="queue"))
        space.dream(day(4))
        links, streams = space.store.links(), space.store.streams()
        plan = name(space, "worker", "queue", day(4))
        assert space.store.links(space.stream("worker").id) == []
        assert space.stream("queue").frequency == len(links)
        space.revert(plan.number, day(5))
        assert (space.store.links(), space.store.streams()) == (links, streams)


def test_pins_and_answers_go_along_with_what_they_are_about():
    with a_space() as space:
        space.add(an_event("Use two workers", day(0), kind=EventKind.DECISION, target="worker"))
        space.add(an_event("It runs", day(1), target="queue"))
        space.dream(day(2))
        (claim,) = space.store.claims([space.stream("worker").id])
        space.order(lambda: pin(space.store, claim, day(2)), day(2))
        name(space, "worker", "queue", day(3))
        (moved,) = [row for row in space.store.claims() if row.text == claim.text]
        (row,) = space.store.pins()
        assert (row.subject, row.stream, row.pinned_at) == (moved.id, space.stream("queue").id, day(2))


def test_evidence_that_a_revert_took_back_does_not_come_back_through_an_alias():
    with a_space() as space:
        space.add(an_event("It runs", day(1), target="queue"))
        space.dream(day(1))
        space.add(an_event("It waits", day(2), target="worker"))
        plan = space.dream(day(2))
        space.revert(plan.number, day(3))
        name(space, "worker", "queue", day(4))
        space.dream(day(4))
        assert space.stream("queue").frequency == 1
        space.add(an_event("It waits again", day(5) + timedelta(hours=1), target="worker"))
        space.dream(day(6))
        assert space.stream("queue").frequency == 3
