"""What one event states."""

import pytest

from dreamd.lifecycle.words import Actor, ClaimKind, EventKind
from dreamd.reflection.read import statement_of, statements_of
from tests.builders import an_event


def test_a_statement_is_verbatim():
    text = "  Use `SQLite`  for the task queue.\n"
    assert statement_of(an_event(text, kind=EventKind.DECISION)).text == text


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        (EventKind.OBSERVATION, ClaimKind.FACT),
        (EventKind.ERROR, ClaimKind.FACT),
        (EventKind.RESULT, ClaimKind.FACT),
        (EventKind.COMMIT, ClaimKind.FACT),
        (EventKind.MESSAGE, ClaimKind.FACT),
        (EventKind.ACTION, ClaimKind.FACT),
        (EventKind.CORRECTION, ClaimKind.FACT),
        (EventKind.HYPOTHESIS, ClaimKind.HYPOTHESIS),
        (EventKind.DECISION, ClaimKind.DECISION),
        (EventKind.PREFERENCE, ClaimKind.PREFERENCE),
        (EventKind.INTERVENTION, ClaimKind.PREFERENCE),
    ],
)
def test_the_kind_of_an_event_is_the_kind_of_its_claim(kind, claim):
    assert statement_of(an_event(kind=kind)).kind is claim


@pytest.mark.parametrize(
    ("kind", "outright_by"),
    [
        (EventKind.DECISION, {Actor.USER, Actor.AGENT}),
        (EventKind.PREFERENCE, {Actor.USER, Actor.AGENT}),
        (EventKind.CORRECTION, {Actor.USER, Actor.AGENT}),
        (EventKind.INTERVENTION, {Actor.USER}),
        (EventKind.OBSERVATION, set()),
        (EventKind.COMMIT, set()),
        (EventKind.HYPOTHESIS, set()),
    ],
)
def test_only_some_may_say_something_outright(kind, outright_by):
    assert {actor for actor in Actor if statement_of(an_event(kind=kind, actor=actor)).is_explicit} == outright_by


def test_slot_and_value_are_read_for_an_observation_too():
    statement = statement_of(an_event("The access token lifetime is 1 hour"))
    assert (statement.slot, statement.value) == ("is:access token lifetime", "1 hour")
    assert not statement.is_explicit


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The queue is probably slow because of the index", ClaimKind.HYPOTHESIS),
        ("I suspect the index", ClaimKind.HYPOTHESIS),
        ("Perhaps the index is too large", ClaimKind.HYPOTHESIS),
        ("The crash may be caused by the index", ClaimKind.HYPOTHESIS),
        ("The queue may hold 40 jobs", ClaimKind.FACT),  # it is allowed to
        ("The index makes the queue slow", ClaimKind.FACT),
    ],
)
def test_what_somebody_only_supposes_is_a_hypothesis(text, kind):
    assert statement_of(an_event(text)).kind is kind
    assert statement_of(an_event(text, kind=EventKind.DECISION)).kind is ClaimKind.DECISION


def test_of_a_text_each_statement_has_its_own_kind():
    both = statements_of(an_event("The queue is slow today. The index is probably too large."))
    assert [one.kind for one in both] == [ClaimKind.FACT, ClaimKind.HYPOTHESIS]
