"""Streams that are one under two names: merged at once by proof, else proposed; kept apart where a person said so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon import orders
from dreamd.daemon.aliasing import alias
from dreamd.daemon.planning import plan_dream
from dreamd.daemon.storage.apply import Stale
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, EventKind, Phase, Status, Waiting
from tests.builders import an_event, day
from tests.histories import SAID
from tests.integration.test_laws import a_space, assert_same, rows

SHARED = "Retries stop after 5 attempts"
FORMS = ("payment", "payments_service")
OWN = {"payment": "The card was declined twice", "payments-service": "The refund took an hour"}


def a_week_of(target, first=0.0, text=None):
    return [an_event(f"{text or OWN[target]} {n}", day(first + 2 * n), target=target) for n in range(3)]


def proved(first=0.0):
    """Evidence under two names, with one statement in both."""
    both = [an_event(SHARED, day(first + 6 + n), target=target) for n, target in enumerate(OWN)]
    return [*a_week_of("payment", first), *a_week_of("payments-service", first + 0.5), *both]


def open_proposals(space):
    return [row for row in space.store.proposals() if row.status is Waiting.OPEN]


def merged(space):
    return {row.target for row in space.store.streams() if row.status is Status.MERGED}


def accept(space, proposal, now):
    return space.order(lambda: orders.accept(space.store, proposal), now)


def test_what_name_and_text_prove_to_be_one_is_merged_at_once():
    with a_space(Policy()) as space:
        space.add(*proved())
        plan = space.dream(day(8))
        assert merged(space) == {"payments_service"}
        assert space.stream("payment").frequency == 8
        assert {claim.stream for claim in space.store.claims()} == {space.stream("payment").id}
        (row,) = [row for row in space.store.aliases() if row.rule == "merge"]
        assert (row.spelling, row.target) == ("payments_service", "payment")
        (change,) = [change for change in plan.changes if change.subject.id == row.id]
        assert SHARED in change.because
        (change,) = [change for change in plan.changes if change.subject.id == space.stream("payments_service").id]
        assert f'another name of payment: their names are the same words, and both state "{SHARED}"' in change.because
        assert space.dream(day(8)).changes == ()


def test_a_proof_that_comes_in_a_later_run_merges_what_was_there():
    with a_space(Policy()) as space:
        *before, last = proved()
        space.add(*before)
        space.dream(day(7))
        assert merged(space) == set()
        space.add(last)
        plan = space.dream(day(8))
        assert merged(space) == {"payments_service"}
        assert plan.fused == 1
        assert space.stream("payment").frequency == 8


@settings(max_examples=8)
@given(
    st.lists(
        st.builds(
            lambda said, at, **more: an_event(said[1], day(at), kind=said[0], **more),
            said=st.sampled_from([*SAID, (EventKind.OBSERVATION, SHARED)]),
            at=st.integers(0, 800).map(lambda tenth: tenth / 10),
            target=st.sampled_from(["payment", "payments-service", "Payments", "refund"]),
            actor=st.sampled_from([Actor.AGENT, Actor.USER, Actor.EXTERNAL]),
            session=st.sampled_from(["s1", "s2"]),
        ),
        min_size=2,
        max_size=14,
        unique_by=lambda event: event.id,
    ),
    st.data(),
)
def test_any_order_and_any_split_into_runs_merges_the_same(events, data):
    with a_space() as space:
        space.add(*events)
        space.dream(day(90))
        at_once = rows(space)
    with a_space() as space:
        for place, event in enumerate(data.draw(st.permutations(events))):
            space.add(event)
            if data.draw(st.booleans()):
                space.dream(day(82 + place / 2))
        space.dream(day(90))
        assert_same(rows(space), at_once)


@pytest.mark.parametrize(
    ("one", "other"), [("db2", "db3"), ("api-v1", "api-v2"), ("upload", "download"), ("eu-queue", "us-queue")]
)
def test_the_same_words_about_targets_that_differ_in_more_than_wording_merge_nothing(one, other):
    with a_space(Policy()) as space:
        space.add(*a_week_of(one, text=SHARED), *a_week_of(other, 0.5, text=SHARED))
        space.dream(day(8))
        assert (merged(space), open_proposals(space)) == (set(), [])


def test_names_alone_are_a_question_once_both_are_read():
    with a_space(Policy()) as space:
        space.add(an_event("It is slow", day(0), target="builder"), *a_week_of("builders", text="It broke"))
        space.dream(day(8))
        assert open_proposals(space) == []
        space.add(*a_week_of("builder", 9, text="It is slow again"))
        space.dream(day(16))
        (proposal,) = open_proposals(space)
        assert "no statement is in both" in proposal.text
        assert merged(space) == set()


def test_what_a_person_accepts_is_merged_and_an_undo_brings_both_back():
    with a_space(Policy()) as space:
        space.add(*a_week_of("builder", text="It is slow"), *a_week_of("builders", 0.5, text="It broke"))
        space.dream(day(8))
        before, known = space.digest(), rows(space)
        (proposal,) = open_proposals(space)
        plan = accept(space, proposal, day(9))
        assert len(merged(space)) == 1
        space.revert(plan.number, day(10))
        assert (space.digest(), rows(space)) == (before, known)
        assert space.dream(day(10)).changes == ()


def test_what_a_person_rejects_is_not_offered_again():
    with a_space(Policy()) as space:
        space.add(*a_week_of("builder", text="It is slow"), *a_week_of("builders", 0.5, text="It broke"))
        space.dream(day(8))
        (proposal,) = open_proposals(space)
        space.order(lambda: orders.reject(proposal), day(8))
        space.add(*a_week_of("builder", 9, text=SHARED), *a_week_of("builders", 9.5, text=SHARED))
        space.dream(day(16))
        assert (merged(space), open_proposals(space)) == (set(), [])


def test_a_merge_that_was_taken_back_stays_refused_until_a_person_accepts_it():
    with a_space(Policy()) as space:
        space.add(*proved())
        before = space.dream(day(8))
        space.revert(before.number, day(9))
        assert space.dream(day(9)).changes == ()
        space.add(*a_week_of("payment", 10), *a_week_of("payments-service", 10.5))
        space.dream(day(16))
        assert merged(space) == set()
        assert {space.stream(name).frequency for name in FORMS} == {7}
        (proposal,) = open_proposals(space)
        accept(space, proposal, day(16))
        assert merged(space) == {"payments_service"}
        assert space.stream("payment").frequency == 14


def test_taking_one_merge_back_leaves_each_event_with_its_own_name():
    with a_space(Policy()) as space:
        *before, last = proved()
        space.add(*before)
        space.dream(day(7))
        known = rows(space)
        space.add(last)
        plan = space.dream(day(8))
        space.revert(plan.number, day(9))
        assert rows(space) == known
        space.add(an_event("The card works", day(10), target="payment"))
        space.dream(day(10))
        assert space.dream(day(10)).changes == ()
        assert {name: space.stream(name).frequency for name in FORMS} == {"payment": 5, "payments_service": 3}
        space.add(an_event("The refund works", day(11), target="payments-service"))
        space.dream(day(11))  # lifts what was held under that name
        assert {name: space.stream(name).frequency for name in FORMS} == {"payment": 5, "payments_service": 5}


def test_merges_over_the_fuse_wait_for_a_person():
    with a_space(Policy(fuse_min_changes=2)) as space:
        names = [f"{letter * 4}er" for letter in "abcd"]
        first = [event for name in names for event in a_week_of(name, text=f"The {name} broke")]
        first += [event for name in names for event in a_week_of(f"{name}s", 0.5, text=f"All {name}s broke")]
        space.add(*first)
        space.dream(day(7))
        for proposal in open_proposals(space):
            assert "no statement is in both" in proposal.text
        said = [an_event(f"{SHARED} of {name}", day(8), target=each) for name in names for each in (name, f"{name}s")]
        space.add(*said)
        plan = space.dream(day(9))
        assert (len(merged(space)), plan.fused) == (2, 2)
        assert space.dream(day(9)).changes == ()


def test_a_pin_keeps_a_stream_from_being_merged():
    with a_space(Policy()) as space:
        *before, last = proved()
        space.add(*before)
        space.dream(day(7))
        space.pin("payments_service", day(7))
        space.add(last)
        space.dream(day(8))
        assert merged(space) == set()


def test_what_only_outsiders_repeat_proves_nothing():
    with a_space(Policy()) as space:
        said = [an_event(SHARED, day(n), target=target, actor=Actor.EXTERNAL) for n, target in enumerate(OWN)]
        space.add(*a_week_of("payment"), *a_week_of("payments-service"), *said)
        space.dream(day(8))
        assert merged(space) == set()


@pytest.mark.parametrize("actor", [Actor.USER, Actor.AGENT])
def test_a_renaming_that_is_said_outright_is_proposed_with_its_words(actor):
    with a_space(Policy()) as space:
        space.add(an_event("It sends mails", day(0), target="billing"))
        space.dream(day(1))
        space.add(an_event("We renamed billing to invoicing", day(2), actor=actor, target="invoicing"))
        space.dream(day(3))
        (proposal,) = open_proposals(space)
        assert "We renamed billing to invoicing" in proposal.text
        accept(space, proposal, day(4))
        space.add(an_event("It sends letters", day(5), target="Billing"))
        space.dream(day(6))
        assert (merged(space), space.stream("invoicing").frequency) == ({"billing"}, 3)


@pytest.mark.parametrize("actor", [Actor.TOOL, Actor.EXTERNAL])
def test_a_renaming_that_somebody_else_tells_of_is_not_proposed(actor):
    with a_space(Policy()) as space:
        space.add(an_event("It sends mails", day(0), target="billing"))
        space.add(an_event("We renamed billing to invoicing", day(2), actor=actor, target="invoicing"))
        space.dream(day(3))
        assert open_proposals(space) == []


def test_a_merged_stream_keeps_the_higher_phase_by_proof_too():
    with a_space(Policy()) as space:
        space.add(*proved(), an_event("Use the card API", day(0), kind=EventKind.DECISION, target="payments-service"))
        space.dream(day(8))
        assert space.stream("payment").phase is not Phase.PATTERN


def test_a_dream_that_was_planned_before_an_alias_is_planned_again():
    """P21: what it would have written to the stream that is merged away is not written."""
    with a_space(Policy()) as space:
        space.add(an_event("It waits", day(0), target="worker"), an_event("It runs", day(0), target="queue"))
        space.dream(day(1))
        space.add(an_event("It waits again", day(2), target="worker"))
        planned = plan_dream(space.store, day(3), space.policy)
        space.order(lambda: alias(space.store, "worker", "queue"), day(3))
        outcome = space.store.apply(planned.plan, due=planned.due, checkpoints=planned.checkpoints)
        assert isinstance(outcome, Stale)
        space.dream(day(3))
        assert space.stream("queue").frequency == 3
        assert space.store.links(space.stream("worker").id) == []
