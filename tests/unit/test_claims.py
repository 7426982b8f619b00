"""The claims of one stream, told from its evidence."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.claims import PersonsWord, Told, expired, is_explicit, tell, trust_of
from dreamd.lifecycle.findings import Closure
from dreamd.lifecycle.growing import expire
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import strength
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind, ClaimStatus, DecayClass, EventKind
from tests.builders import an_event, day, plain_findings
from tests.memory_space import plain_rule

NOBODY_SPOKE = PersonsWord(is_refused=lambda verb, claim: False, answers={})
CURRENT, SUPERSEDED, RETRACTED = ClaimStatus.CURRENT, ClaimStatus.SUPERSEDED, ClaimStatus.RETRACTED


def told(*events: Event, word: PersonsWord = NOBODY_SPOKE) -> Told:
    found = plain_rule(events)
    statements = {statement.event: [statement] for statement in found.statements}
    return tell("st_cache", events, statements, found.closures, word=word, policy=Policy())


def story(*events: Event) -> list[tuple[str, ClaimStatus]]:
    claims = sorted(told(*events).claims.values(), key=lambda claim: (claim.valid_from, claim.text))
    return [(claim.text, claim.status) for claim in claims]


def decision(text, at, **fields) -> Event:
    return an_event(text, at, kind=EventKind.DECISION, **fields)


def retraction(at, **fields) -> Event:
    return an_event("Forget what I said", at, kind=EventKind.RETRACTION, **fields)


def test_the_same_text_twice_is_one_claim_with_evidence_2():
    """P40."""
    (claim,) = told(an_event(at=day(0)), an_event(at=day(1), session="s2")).claims.values()
    assert (claim.support, claim.days, claim.valid_from, claim.last_at) == (2, 2, day(0), day(1))


def test_facts_side_by_side_stay_current():
    assert story(an_event("Use PostgreSQL"), an_event("Add JSONB", day(1))) == [
        ("Use PostgreSQL", CURRENT),
        ("Add JSONB", CURRENT),
    ]


def test_love_then_hate_keeps_both_and_the_new_one_is_current():
    """T53, P39: the store never ends up empty."""
    loved = an_event("I love Chinese food", day(0), kind=EventKind.PREFERENCE, actor=Actor.USER)
    hated = an_event("I hate Chinese food", day(9), kind=EventKind.PREFERENCE, actor=Actor.USER)
    claims = {claim.text: claim for claim in told(loved, hated).claims.values()}
    old, new = claims["I love Chinese food"], claims["I hate Chinese food"]
    assert (old.status, old.valid_to, old.closed_by) == (SUPERSEDED, day(9), hated.id)
    assert (new.status, new.supersedes, new.valid_to) == (CURRENT, old.id, None)


def test_a_superseded_value_that_is_said_again_opens_a_second_interval():
    """P29: assigned in January, again in June."""
    claims = sorted(
        told(decision("Ana", day(0)), decision("Bob", day(30)), decision("Ana", day(60))).claims.values(),
        key=lambda claim: claim.valid_from,
    )
    assert [(claim.text, claim.valid_from, claim.valid_to) for claim in claims] == [
        ("Ana", day(0), day(30)),
        ("Bob", day(30), day(60)),
        ("Ana", day(60), None),
    ]
    assert len({claim.id for claim in claims}) == 3
    assert claims[2].supersedes == claims[1].id


def test_an_agent_that_repeats_a_retracted_claim_does_not_bring_it_back():
    """T71."""
    said, taken_back = an_event("The port is 80", day(0)), retraction(day(1), actor=Actor.USER)
    assert story(said, taken_back, an_event("The port is 80", day(2))) == [("The port is 80", RETRACTED)]


def test_a_person_may_bring_a_retracted_claim_back():
    said, taken_back = an_event("The port is 80", day(0)), retraction(day(1), actor=Actor.USER)
    again = an_event("The port is 80", day(2), actor=Actor.USER)
    assert story(said, taken_back, again) == [("The port is 80", RETRACTED), ("The port is 80", CURRENT)]


def test_a_retraction_says_when_we_learned_of_it_and_leaves_when_it_was_true():
    taken_back = retraction(day(1), recorded_at=day(4))
    (claim,) = told(an_event("The port is 80", day(0)), taken_back).claims.values()
    assert (claim.status, claim.retracted_at, claim.valid_to) == (RETRACTED, day(4), None)


@pytest.mark.parametrize("actor", [Actor.AGENT, Actor.TOOL, Actor.EXTERNAL])
def test_who_is_trusted_less_does_not_end_a_persons_claim_but_asks(actor):
    mine, theirs = decision("Use SQLite", day(0), actor=Actor.USER), decision("Use MySQL", day(1), actor=actor)
    outcome = told(mine, theirs)
    (question,) = outcome.questions
    assert {claim.status for claim in outcome.claims.values()} == {CURRENT}
    assert question.claims == tuple(sorted(outcome.claims))
    assert question.asked_from == day(1)
    assert "Use SQLite" in question.text
    assert "Use MySQL" in question.text


def test_two_words_of_the_same_instant_are_a_question():
    outcome = told(decision("Use SQLite", day(0)), decision("Use MySQL", day(0)))
    assert len(outcome.questions) == 1
    assert {claim.status for claim in outcome.claims.values()} == {CURRENT}


@pytest.mark.parametrize(
    ("chosen", "left"), [("Use SQLite", ["Use SQLite"]), ("Use MySQL", ["Use MySQL"]), ("both", None)]
)
def test_a_persons_answer_decides_the_question(chosen, left):
    events = decision("Use SQLite", day(0), actor=Actor.USER), decision("Use MySQL", day(1))
    asked = told(*events)
    by_text = {claim.text: claim.id for claim in asked.claims.values()}
    answers = {asked.questions[0].id: by_text.get(chosen, "both")}
    outcome = told(*events, word=PersonsWord(is_refused=lambda verb, claim: False, answers=answers))
    current = [claim.text for claim in outcome.claims.values() if claim.status is CURRENT]
    assert sorted(current) == (left or ["Use MySQL", "Use SQLite"])
    assert outcome.questions == ()


def test_what_a_person_refused_is_not_ended_and_is_said():
    word = PersonsWord(is_refused=lambda verb, claim: verb == "supersede", answers={})
    outcome = told(decision("Use SQLite", day(0)), decision("Use MySQL", day(1)), word=word)
    assert {claim.status for claim in outcome.claims.values()} == {CURRENT}
    assert outcome.endings == ()
    (refused,) = outcome.refused
    assert outcome.claims[refused.claim].text == "Use SQLite"


def test_an_event_never_ends_what_it_states_itself():
    event = decision("Use SQLite", day(0))
    itself = Closure(by=event.id, text_key="Use SQLite", verb="supersede", rule="same slot")
    found = plain_findings([event])
    outcome = tell("st_cache", [event], {event.id: [found.statements[0]]}, [itself], word=NOBODY_SPOKE, policy=Policy())
    assert [claim.status for claim in outcome.claims.values()] == [CURRENT]


@pytest.mark.parametrize(("decay", "hours"), [(DecayClass.SESSION, 24), (DecayClass.CHECKPOINT, 4)])
def test_a_claim_for_a_while_is_over_exactly_when_its_hours_are(decay, hours):
    (claim,) = told(an_event(at=day(0), decay=decay)).claims.values()
    end = day(0) + timedelta(hours=hours)
    assert claim.valid_to == end
    assert not expired(claim, end - timedelta(microseconds=1))
    assert expired(claim, end)
    assert expire(claim, end - timedelta(microseconds=1)).status is CURRENT
    over = expire(claim, end)
    assert (over.status, over.closed_by, over.valid_to) == (SUPERSEDED, None, end)


def test_the_hours_count_from_the_last_evidence():
    (claim,) = told(an_event(at=day(0), decay=DecayClass.SESSION), an_event(at=day(0.5))).claims.values()
    assert claim.valid_to == day(1.5)


def test_a_claim_for_a_while_that_is_superseded_later_was_true_no_longer_than_its_hours():
    first = decision("Use SQLite", day(0), decay=DecayClass.SESSION)
    claims = {claim.text: claim for claim in told(first, decision("Use MySQL", day(5))).claims.values()}
    assert claims["Use SQLite"].valid_to == day(1)


@pytest.mark.parametrize(
    ("kind", "actor", "claim_kind", "decay", "explicit"),
    [
        (EventKind.PREFERENCE, Actor.USER, ClaimKind.PREFERENCE, DecayClass.PERMANENT, True),
        (EventKind.DECISION, Actor.AGENT, ClaimKind.DECISION, DecayClass.STABLE, True),
        (EventKind.OBSERVATION, Actor.AGENT, ClaimKind.FACT, DecayClass.ACTIVE, False),
    ],
)
def test_the_kind_of_a_claim_sets_how_it_ages(kind, actor, claim_kind, decay, explicit):
    (claim,) = told(an_event(kind=kind, actor=actor)).claims.values()
    assert (claim.kind, claim.decay, is_explicit(claim)) == (claim_kind, decay, explicit)


def test_of_several_decay_classes_that_were_asked_for_the_slowest_holds():
    asked = [an_event(at=day(n), decay=decay) for n, decay in enumerate((DecayClass.SESSION, DecayClass.STABLE))]
    (claim,) = told(*asked).claims.values()
    assert (claim.decay, claim.valid_to) == (DecayClass.STABLE, None)


@pytest.mark.parametrize(
    ("actors", "trust"),
    [
        ([Actor.EXTERNAL, Actor.AGENT, Actor.AGENT], Actor.EXTERNAL),
        ([Actor.AGENT, Actor.TOOL], Actor.TOOL),
        ([Actor.EXTERNAL, Actor.USER], Actor.USER),
    ],
)
def test_repeating_never_raises_trust_but_a_person_does(actors, trust):
    assert trust_of(actors) is trust


def test_the_text_is_that_of_the_most_trusted_and_earliest_voice():
    events = an_event(at=day(0), actor=Actor.TOOL), an_event(at=day(2)), an_event(at=day(1))
    (claim,) = told(*events).claims.values()
    assert claim.stated_in == events[2].id


def test_what_was_said_outright_is_stronger_than_what_was_said_often():
    often = [an_event("It is warm", day(n)) for n in range(5)]
    outcome = told(*often, decision("Keep it warm", day(0)), an_event("We keep it", kind=EventKind.PREFERENCE))
    ranked = sorted(outcome.claims.values(), key=strength)
    assert [claim.text for claim in ranked] == ["We keep it", "Keep it warm", "It is warm"]


@given(st.permutations(range(6)))
def test_the_telling_does_not_depend_on_the_order_of_events(order):
    events = [
        decision("Ana", day(0)),
        decision("Bob", day(1), actor=Actor.TOOL),
        decision("Ana", day(1)),
        retraction(day(2)),
        decision("Ana", day(3), actor=Actor.USER),
        an_event("Ana", day(3), decay=DecayClass.SESSION),
    ]
    assert told(*[events[place] for place in order]) == told(*events)
