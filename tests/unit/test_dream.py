"""The dream and a person's orders, over a space in memory."""

from dataclasses import replace

import pytest

from dreamd.lifecycle.claims import is_explicit
from dreamd.lifecycle.dream import dream
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import (
    Actor,
    Bearing,
    Birth,
    ClaimStatus,
    DecayClass,
    EventKind,
    Phase,
    Status,
    Trigger,
    Vitality,
    Waiting,
)
from tests.builders import an_event, day
from tests.memory_space import MemorySpace, plain_rule


def decision(text, at, **fields):
    return an_event(text, at, kind=EventKind.DECISION, **fields)


@pytest.fixture
def space():
    return MemorySpace()


def test_nothing_new_gives_no_run(space):
    plan = space.dream(day(0))
    assert (plan.changes, plan.run) == ((), "")


def test_one_observation_is_enough_to_watch(space):
    space.told(day(0), an_event())
    assert (space.stream().phase, space.stream().birth) == (Phase.PATTERN, Birth.REFLECTION)


def test_a_decision_is_emergent_at_once_but_not_a_tools(space):
    space.told(day(0), decision("use a", day(0)), decision("use a", day(0), target="queue", actor=Actor.TOOL))
    assert (space.stream().phase, space.stream().birth) == (Phase.EMERGENT, Birth.EXPLICIT)
    assert (space.stream("queue").phase, space.stream("queue").birth) == (Phase.PATTERN, Birth.REFLECTION)


def test_a_persons_intervention_is_emergent_at_once(space):
    space.told(day(0), an_event("Never on Friday", kind=EventKind.INTERVENTION, actor=Actor.USER))
    stream = space.stream()
    assert (stream.phase, stream.birth, stream.is_protected) == (Phase.EMERGENT, Birth.INTERVENTION, True)
    assert stream.base_confidence >= 0.7
    assert stream.removal_cost >= 0.8


def test_a_future_event_waits_and_comes_when_its_time_has(space):
    plan = space.told(day(0), an_event(at=day(0)), an_event("Later", day(5)))
    assert plan.counts.waiting == 1
    assert space.stream().frequency == 1
    assert space.dream(day(4.99)).counts.waiting == 1
    space.dream(day(5))
    assert space.stream().frequency == 2


def test_an_event_without_a_target_is_linked_to_nothing_and_counted(space):
    plan = space.told(day(0), an_event(target=None))
    (link,) = space.store.table("link").values()
    assert (link.stream, link.rule, plan.counts.examined, plan.counts.untargeted) == (None, "untargeted", 1, 1)


def test_another_spelling_of_the_target_is_an_alias_of_the_one_stream(space):
    def folding(events):
        found = plain_rule(events)
        assignments = tuple(replace(one, target=one.target.casefold()) for one in found.assignments)
        return replace(found, assignments=assignments)

    new = [an_event(at=day(0), target="Cache"), an_event(at=day(1), target="cache")]
    space.add(*new)
    snapshot = space.store.snapshot(new, {space.stream_id("cache")}, day(2), space.policy)
    space.store.apply(dream(snapshot, folding(new), day(2), space.policy))
    (alias,) = space.store.table("alias").values()
    assert (alias.spelling, alias.target, alias.stream) == ("Cache", "cache", space.stream_id("cache"))
    assert (space.stream().title, space.stream().frequency) == ("Cache", 2)


def test_a_failure_opposes_the_decision_that_is_older(space):
    space.add(an_event("It broke", day(0), kind=EventKind.ERROR), decision("use a", day(1)))
    space.told(day(3), an_event("It broke again", day(2), kind=EventKind.ERROR))
    bearings = [link.bearing for link in sorted(space.store.table("link").values(), key=lambda row: _at(space, row))]
    assert bearings == [Bearing.SUPPORTS, Bearing.SUPPORTS, Bearing.OPPOSES]
    assert (space.stream().frequency, space.stream().opposed) == (2, 1)


def _at(space, link):
    return space.store.events[link.event].at


def test_a_failure_after_the_decision_was_superseded_opposes_the_one_in_its_place(space):
    space.add(decision("use a", day(0)), decision("use b", day(1)))
    space.told(day(3), an_event("It broke", day(2), kind=EventKind.ERROR))
    assert space.stream().opposed == 1


def test_thirty_failures_make_a_decision_doubtful_and_never_canonical(space):
    space.add(decision("use a", day(0)))
    space.add(*(an_event("It broke", day(n), kind=EventKind.ERROR, session=f"s{n}") for n in range(1, 31)))
    space.dream(day(31))
    assert space.stream().is_doubtful
    assert space.stream().phase is Phase.EMERGENT


def test_every_change_says_why(space):
    plans = [space.told(day(0), decision("use a", day(0)), an_event(target=None))]
    plans.append(space.told(day(3), decision("use b", day(2)), an_event("No", day(2.5), kind=EventKind.RETRACTION)))
    plans.append(space.pin(space.stream(), day(3)))
    assert all(change.because and change.kinds for plan in plans for change in plan.changes)


def test_new_evidence_wakes_a_faded_stream(space):
    space.told(day(0), an_event())
    space.add(*(an_event("work", day(n), target="other", session=f"s{n}") for n in range(1, 130)))
    space.dream(day(129))
    assert (space.stream().status, space.stream().vitality) == (Status.FADED, Vitality.DORMANT)
    space.told(day(130), an_event(at=day(129.5), session="s2"))
    assert (space.stream().status, space.stream().vitality, space.stream().crossed_at) == (
        Status.ACTIVE,
        Vitality.ACTIVE,
        None,
    )


def test_a_crossing_has_its_true_instant_whenever_the_dream_comes(space):
    space.told(day(0), an_event())
    space.add(*(an_event("work", day(n), target="other", session=f"s{n}") for n in range(1, 40)))
    space.dream(day(12.3))
    assert (space.stream().vitality, space.stream().crossed_at) == (Vitality.DECAYING, day(7))
    plan = space.dream(day(39))
    assert (space.stream().vitality, space.stream().crossed_at) == (Vitality.DORMANT, day(30))
    (change,) = [change for change in plan.changes if change.subject.id == space.stream().id]
    assert "2026-02-04 09:00" in change.because


@pytest.mark.parametrize(("decay", "end"), [(DecayClass.SESSION, day(1)), (DecayClass.CHECKPOINT, day(4 / 24))])
def test_a_claim_for_a_while_expires_with_its_true_instant(space, decay, end):
    space.told(day(0.01), an_event("Tests are red", day(0), decay=decay))
    assert space.current() == ["Tests are red"]
    space.dream(day(9))
    claim = space.claim("Tests are red")
    assert (claim.status, claim.valid_to, claim.closed_by) == (ClaimStatus.SUPERSEDED, end, None)
    assert space.stream().headline is None


def test_a_claim_that_expired_is_current_again_when_it_is_said_again(space):
    space.told(day(0.01), an_event("Tests are red", day(0), decay=DecayClass.SESSION))
    space.dream(day(3))
    space.told(day(4.01), an_event("Tests are red", day(4), decay=DecayClass.SESSION, session="s2"))
    assert space.current() == ["Tests are red"]


def test_a_pinned_claim_is_not_ended_and_the_report_says_so(space):
    space.told(day(0), decision("use a", day(0)))
    space.pin(space.claim("use a"), day(0))
    plan = space.told(day(2), decision("use b", day(1)))
    assert space.current() == ["use a", "use b"]
    (problem,) = plan.problems
    assert problem.source == space.claim("use a").id
    assert "pinned" in problem.message
    assert plan.proposals == ()


def test_a_pinned_stream_keeps_all_its_claims(space):
    space.told(day(0), decision("use a", day(0)))
    space.pin(space.stream(), day(0))
    assert len(space.told(day(2), decision("use b", day(1))).problems) == 1
    assert space.current() == ["use a", "use b"]


def test_unpinning_lets_the_evidence_speak(space):
    space.told(day(0), decision("use a", day(0)))
    space.pin(space.claim("use a"), day(0))
    space.told(day(2), decision("use b", day(1)))
    space.unpin(space.claim("use a"), day(3))
    assert space.current() == ["use b"]


def test_pin_then_unpin_leaves_the_rows_as_they_were(space):
    space.told(day(0), decision("use a", day(0)), an_event("Red", day(0), decay=DecayClass.SESSION))
    space.dream(day(9))
    before = space.digest()
    space.pin(space.stream(), day(9))
    assert space.digest() != before
    space.unpin(space.stream(), day(9))
    assert space.digest() == before


def test_a_pin_on_a_claim_that_had_ended_leaves_its_end(space):
    space.add(decision("use a", day(0)), decision("use b", day(5)))
    space.told(day(6.5), an_event("It broke", day(6), kind=EventKind.ERROR))
    opposed = space.stream().opposed
    space.pin(space.claim("use a"), day(7))
    claim = space.claim("use a")
    assert (claim.status, claim.valid_to) == (ClaimStatus.SUPERSEDED, day(5))
    assert space.stream().opposed == opposed


def test_a_pinned_claim_for_a_while_does_not_expire(space):
    space.told(day(0.01), an_event("Tests are red", day(0), decay=DecayClass.SESSION))
    space.pin(space.claim("Tests are red"), day(0.1))
    space.dream(day(9))
    assert space.current() == ["Tests are red"]
    assert space.claim("Tests are red").decay is DecayClass.PERMANENT


def test_a_pinned_stream_never_fades_but_falls_silent(space):
    space.told(day(0), an_event())
    space.pin(space.stream(), day(0))
    space.add(*(an_event("work", day(n), target="other", session=f"s{n}") for n in range(1, 130)))
    space.dream(day(129))
    assert (space.stream().status, space.stream().vitality) == (Status.ACTIVE, Vitality.DORMANT)


def test_a_pin_does_not_age_its_stream_nor_take_new_events_in(space):
    space.told(day(0), an_event())
    space.add(an_event("Later", day(1)))
    plan = space.pin(space.stream(), day(20))
    assert (plan.trigger, plan.counts.examined) == (Trigger.PIN, 0)
    assert space.stream().vitality is Vitality.ACTIVE


def test_who_is_trusted_less_asks_and_a_person_answers(space):
    space.told(day(0), decision("use a", day(0), actor=Actor.USER))
    space.told(day(2), decision("use b", day(1)))
    (question,) = space.questions()
    assert (question.status, question.asked_from) == (Waiting.OPEN, day(1))
    assert space.current() == ["use a", "use b"]
    space.resolve(question, space.claim("use b").id, day(3))
    assert space.current() == ["use b"]
    assert space.dream(day(3)).changes == ()
    space.told(day(5), decision("use b", day(4), session="s2"))
    assert space.current() == ["use b"]
    assert [one.status for one in space.questions()] == [Waiting.RESOLVED]


def test_the_answer_that_the_old_one_holds_ends_the_new_one(space):
    space.told(day(0), decision("use a", day(0), actor=Actor.USER))
    space.told(day(2), decision("use b", day(1)))
    space.resolve(space.questions()[0], space.claim("use a").id, day(3))
    assert space.current() == ["use a"]


def test_the_answer_both_leaves_both(space):
    space.told(day(0), decision("use a", day(0), actor=Actor.USER))
    space.told(day(2), decision("use b", day(1)))
    space.resolve(space.questions()[0], "both", day(3))
    assert space.current() == ["use a", "use b"]
    space.told(day(5), decision("use b", day(4), session="s2"))
    assert space.current() == ["use a", "use b"]


def test_later_evidence_settles_an_open_question(space):
    space.told(day(0), decision("use a", day(0)))
    space.told(day(1), decision("use b", day(0)))
    assert len(space.questions()) == 1
    space.told(day(3), decision("use c", day(2), actor=Actor.USER))
    assert space.current() == ["use c"]


def test_an_agent_does_not_bring_back_in_a_later_run_what_a_person_took_back(space):
    """T71, in several runs."""
    space.told(day(0), an_event("The port is 80", day(0)))
    space.told(day(1), an_event("No", day(1), kind=EventKind.RETRACTION, actor=Actor.USER))
    for number in range(2, 6):
        space.told(day(number), an_event("The port is 80", day(number), session=f"s{number}"))
    assert space.current() == []
    space.told(day(7), an_event("The port is 80", day(7), actor=Actor.USER))
    assert space.current() == ["The port is 80"]


def test_a_policy_is_named_in_the_plan(space):
    policy = Policy(decaying_after_days=3.0)
    assert MemorySpace(policy=policy).told(day(0), an_event()).policy_digest == policy.digest()
    assert policy.digest() != Policy().digest()


def test_near_misses_come_closest_first(space):
    space.add(an_event(target="far"), *(an_event(at=day(n / 10), target="near", session=f"{n}") for n in range(3)))
    plan = space.dream(day(1))
    assert [miss.target for miss in plan.near_misses] == ["near", "far"]
    assert {miss.next_phase for miss in plan.near_misses} == {"emergent"}


def test_the_headline_is_the_strongest_current_claim(space):
    space.told(day(2), decision("use a", day(0)), an_event("It is warm", day(1)))
    assert space.stream().headline == "use a"
    assert is_explicit(space.claim("use a"))
