"""What ends what, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle import ids
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.contradictions import closures, named_claim_ids
from dreamd.reflection.polarity import negation_pair
from dreamd.reflection.read import statement_of
from tests.builders import an_event, day

DECISION, CORRECTION, RETRACTION = EventKind.DECISION, EventKind.CORRECTION, EventKind.RETRACTION


def ended(*events, stream=None):
    """What `events` end, as (words of the event, what it ends, verb, rule)."""
    statements = [statement_of(event) for event in events if event.kind is not RETRACTION]
    words = {event.id: event.text for event in events}
    return [(words[end.by], end.text_key, end.verb, end.rule) for end in closures(events, statements, stream)]


def decided(*texts):
    return [an_event(text, at=day(number), kind=DECISION) for number, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Deploys on Friday are allowed", "Deploys on Friday are not allowed"),
        ("The endpoint allows uploads", "The endpoint doesn't allow uploads"),
        ("Always squash commits", "Never squash commits"),
        ("Uploads are allowed", "Uploads are forbidden"),
        ("Enable the cache", "Disable the cache"),
        ("You must sign it", "You must not sign it"),
        ("We support Python 3.10", "We no longer support Python 3.10"),
        ("Run it with coverage", "Run it without coverage"),
        ("It can wait", "It cannot wait"),
    ],
)
def test_a_statement_and_its_negation_are_a_pair(first, second):
    assert negation_pair(first, second)
    assert negation_pair(second, first)
    assert not negation_pair(first, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("We support Python 3.10", "We no longer support Python 3.11"),
        ("Deploys on Friday are allowed", "Deploys on Monday are not allowed"),
        ("Uploads are allowed", "Uploads are not forbidden"),
        ("not", "never"),
    ],
)
def test_other_words_or_an_even_number_of_negations_are_no_pair(first, second):
    assert not negation_pair(first, second)


def test_a_decision_supersedes_another_value_of_its_slot():
    old, new = "Use SQLite for the task queue", "Use PostgreSQL for the task queue"
    assert ended(*decided(old, new)) == [(new, old, "supersede", "same slot")]


def test_a_decision_supersedes_what_it_negates():
    old, new = "Deploys on Friday are allowed", "Deploys on Friday are not allowed"
    assert ended(*decided(old, new)) == [(new, old, "supersede", "negates it")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Use SQLite", "Use PostgreSQL instead of SQLite for the task queue"),
        ("Use SQLite", "Replace SQLite with PostgreSQL"),
        ("Use SQLite", "Migrate from SQLite to PostgreSQL"),
        ("Cache all pages", "This replaces the rule “Cache all pages”"),
        ("Cache every page of the shop", "Cache nothing; this supersedes cache every page of the shop"),
    ],
)
def test_a_decision_supersedes_what_it_names(old, new):
    assert ended(*decided(old, new)) == [(new, old, "supersede", "names it")]


@pytest.mark.parametrize(
    "texts",
    [
        ("Use PostgreSQL", "Add JSONB columns for the audit trail", "Run migrations with Alembic"),
        ("Dana is the CEO of Northwind", "Robin is the CTO of Northwind"),
        ("The summariser was tested with the 7b model", "The summariser was tested with the 3b model"),
        ("Use Redis for caching", "Use Redis for sessions"),
        ("Use SQLite for the task queue", "Use Redis instead of SQLite for the cache"),
        ("Use SQLite for the task queue", "Use SQLite for the task queue in production"),
        ("Use SQLite for the task queue", "use SQLite for the task queue."),
        ("Due on Oct 15", "Due on Oct 16"),
    ],
)
def test_what_no_rule_sets_against_each_other_stands_side_by_side(texts):
    assert ended(*decided(*texts)) == []


def test_a_plain_observation_only_asks_about_what_was_said_outright():
    old, new = "Use SQLite for the task queue", "Use PostgreSQL for the task queue"
    first = an_event(old, kind=DECISION)
    assert ended(first, an_event(new, at=day(1))) == [(new, old, "ask", "later value")]
    assert ended(first, an_event(new, at=day(1), kind=DECISION, actor=Actor.EXTERNAL)) == []
    assert ended(an_event(old), an_event(new, at=day(1), kind=EventKind.PREFERENCE)) != []


@pytest.mark.parametrize("kind", [DECISION, EventKind.OBSERVATION])
@pytest.mark.parametrize(
    "texts",
    [
        ("Use SQLite for the task queue", "Use MySQL for the task queue"),
        ("Deploys on Friday are allowed", "Deploys on Friday are not allowed"),
    ],
)
def test_what_is_said_at_one_instant_ends_nothing_of_it_and_is_asked_about_once(kind, texts):
    both = [an_event(text, kind=kind) for text in texts]
    ((by, what, verb, _),) = ended(*both)
    assert ({by, what}, verb) == (set(texts), "ask")
    assert ended(*reversed(both)) == ended(*both)


def test_a_change_back_ends_each_time_what_stood_before():
    one, two = "Use SQLite for the task queue", "Use MySQL for the task queue"
    events = [an_event(text, at=day(at), kind=DECISION) for at, text in enumerate((one, two, one))]
    assert set(ended(*events)) == {(two, one, "supersede", "same slot"), (one, two, "supersede", "same slot")}


def test_an_end_is_named_again_by_a_later_decision_since_the_first_may_have_been_refused():
    texts = [f"Use {name} for the task queue" for name in ("SQLite", "MySQL", "PostgreSQL")]
    assert [(by, what) for by, what, _, _ in ended(*decided(*texts))].count((texts[2], texts[0])) == 1


def test_a_decision_ends_every_value_that_was_only_observed():
    events = [an_event(f"The port is {number}", at=day(number)) for number in range(99)]
    by_it = ended(*events, an_event("The port is 443", at=day(100), kind=DECISION))
    assert len([what for by, what, _, rule in by_it if by == "The port is 443" and rule == "same slot"]) == 99


def test_a_slot_that_changes_every_day_for_years_is_read_in_linear_time():
    few, many = (decided(*(f"Use db{number} for the queue" for number in range(size))) for size in (100, 800))
    assert len(ended(*many)) < 10 * len(ended(*few))


def corrected(text, *older, actor=Actor.USER):
    events = [an_event(old, at=day(number)) for number, old in enumerate(older)]
    return [
        what for _, what, verb, _ in ended(*events, an_event(text, at=day(9), kind=CORRECTION, actor=actor))
        if verb == "retract"
    ]  # fmt: skip


def test_a_correction_retracts_what_it_repeats_and_denies():
    wrong = "The nightly import starts at 02:00"
    text = "That was wrong: the nightly import never started at 02:00, it starts at 03:00"
    assert corrected(text, wrong, "The nightly import writes to the archive") == [wrong]


def test_a_correction_retracts_the_other_value_of_its_slot():
    assert corrected("The nightly import starts at 03:00", "The nightly import starts at 02:00") != []


@pytest.mark.parametrize(
    "text",
    [
        "The weekly export needs a key",
        "PostgreSQL listens on 5433",
        "The nightly import is slow at 04:00",
    ],
)
def test_a_correction_that_is_about_nothing_known_ends_nothing(text):
    assert corrected(text, "Use PostgreSQL", "The nightly import starts at 02:00") == []


@pytest.mark.parametrize(
    ("old", "text"),
    [
        ("The broker listens on port 5432", "That was wrong: the broker listens on port 5433"),
        ("The backups are kept for 38 days", "That was wrong: The backups are kept for 39 days"),
        ("The broker gives up after 5 retries", "No, that is not right. The broker gives up after 7 retries"),
        ("The build needs gelt 2.4.1", "This is incorrect - the build needs gelt 2.5.1"),
        ("The lease ends on 2026-03-01", "I was wrong: the lease ends on 2026-04-01"),
    ],
)
def test_a_correction_of_a_number_alone_retracts_the_statement_with_the_other_number(old, text):
    assert corrected(text, old, "The broker needs 3 hosts in production", "The backups are kept in the cellar") == [old]


def test_a_correction_of_a_number_ends_nothing_if_two_statements_differ_in_theirs_alone():
    assert corrected("That was wrong: pool 9 holds 5 boats", "Pool 3 holds 5 boats", "Pool 4 holds 5 boats") == []


def test_a_correction_of_one_number_is_not_about_a_statement_with_two():
    assert corrected("The broker gives up after 7 retries", "The broker gives up after 5 retries of 10 seconds") == []


def test_a_correction_that_fits_two_statements_alike_ends_neither():
    assert (
        corrected("No, import jobs never lock tables", "Import jobs lock big tables", "Import jobs lock small tables")
        == []
    )


def test_a_correction_by_an_outsider_ends_nothing():
    assert corrected("The import starts at 03:00", "The import starts at 02:00", actor=Actor.EXTERNAL) == []


def retracted(text, *older, target="redis_caching", actor=Actor.USER, stream=None):
    events = [an_event(old, at=day(number), target=target) for number, old in enumerate(older)]
    taking_back = an_event(text, at=day(9), kind=RETRACTION, actor=actor, target=target)
    return {what for _, what, verb, _ in ended(*events, taking_back, stream=stream) if verb == "retract"}


OLDER = ("Keys expire after 5 minutes", "Use LRU eviction", "Pages are allowed in the cache")


@pytest.mark.parametrize(
    "text", ["Redis caching is no longer used", "forget it", "Dropped", "redis_caching was removed"]
)
def test_a_retraction_that_names_only_its_target_takes_back_all_of_it(text):
    assert retracted(text, *OLDER) == set(OLDER)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("Forget that keys expire after 5 minutes", OLDER[0]),
        ("I take back “Use LRU eviction”", OLDER[1]),
        ("Pages are not allowed in the cache", OLDER[2]),
        ("LRU eviction of keys: we never did use that", OLDER[1]),
    ],
)
def test_a_retraction_takes_back_what_it_is_about(text, taken):
    assert retracted(text, *OLDER) == {taken}


def test_a_retraction_that_nobody_understands_takes_back_nothing():
    assert retracted("The weekly mail to Dana was a mistake", *OLDER) == set()


def test_a_retraction_by_a_tool_or_an_outsider_takes_back_nothing():
    assert retracted("forget it", *OLDER, actor=Actor.TOOL) == set()
    assert retracted("forget it", *OLDER, actor=Actor.EXTERNAL) == set()


def test_a_retraction_that_names_a_claim_by_id_takes_back_that_one_alone():
    claim = ids.claim_id("st_1", OLDER[1], 0)
    assert named_claim_ids(f"drop {claim}, please") == (claim,)
    assert retracted(f"drop {claim}", *OLDER, stream="st_1") == {OLDER[1]}
    assert retracted(f"drop {claim}", *OLDER) == set()


TEXTS = st.sampled_from(
    [
        "Use SQLite for the task queue", "Use MySQL for the task queue", "Use SQLite", "Replace SQLite with MySQL",
        "Deploys are allowed", "Deploys are not allowed", "forget it", "The port is 80", "The port is 81",
    ]
)  # fmt: skip
EVENTS = st.lists(
    st.tuples(TEXTS, st.integers(0, 5), st.sampled_from([DECISION, CORRECTION, RETRACTION, EventKind.OBSERVATION])),
    max_size=9,
)


@given(EVENTS, st.randoms(use_true_random=False))
def test_what_ends_what_is_a_function_of_the_set_of_events(rows, random):
    events = [an_event(text, at=day(at), kind=kind) for text, at, kind in rows]
    shuffled = [*events, *events[:2]]
    random.shuffle(shuffled)
    assert ended(*events) == ended(*shuffled)


@given(EVENTS)
def test_nothing_ends_what_began_with_it_or_later(rows):
    events = {event.id: event for event in (an_event(text, at=day(at), kind=kind) for text, at, kind in rows)}
    statements = [statement_of(event) for event in events.values() if event.kind is not RETRACTION]
    for closure in closures(list(events.values()), statements):
        began = min(events[said.event].at for said in statements if said.text_key == closure.text_key)
        assert began <= events[closure.by].at if closure.verb == "ask" else began < events[closure.by].at


@pytest.mark.parametrize(
    "correction",
    [
        "Correction: Use PostgreSQL, not Redis, for the queue",
        "Use PostgreSQL for the queue, not Redis.",
        "No, use PostgreSQL, not Redis, for the queue",
    ],
)
def test_a_correction_that_says_x_not_y_ends_y(correction):
    wrong = an_event("Use Redis for the queue", at=day(0), kind=DECISION)
    other = an_event("Use Redis for the session cache", at=day(1), kind=DECISION)
    right = an_event(correction, at=day(2), kind=CORRECTION, actor=Actor.USER)
    assert {(text, verb) for _, text, verb, _ in ended(wrong, other, right)} == {("Use Redis for the queue", "retract")}


@pytest.mark.parametrize(
    "decision", ["Use PostgreSQL, not only Redis, for the queue", "Use PostgreSQL, not yet for the queue"]
)
def test_not_that_only_narrows_ends_nothing(decision):
    assert ended(*decided("Use Redis for the queue", decision)) == []
