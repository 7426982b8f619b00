"""Which names are kin, what proves them one, and which words say that something was renamed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.kinship import is_proof, name_key, old_and_new, renaming, shared
from dreamd.reflection.targets import canonical_form

KNOWN = ("billing", "billing_service", "invoicing", "job_queue", "queue", "db2", "db3")


def known_as(name):
    form = canonical_form(name)
    return form if form in KNOWN else None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("payment", "payments"),
        ("auth", "Auth Service"),
        ("auth-service", "auth svc"),
        ("platform-node", "nodePlatform"),
        ("bundledDev", "bundleddev"),
        ("dependency", "dependencies"),
        ("batch", "batches"),
    ],
)
def test_names_of_the_same_words_are_kin(one, other):
    assert name_key(canonical_form(one)) == name_key(canonical_form(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("db2", "db3"),
        ("api-v1", "api-v2"),
        ("node-18", "node-20"),
        ("upload", "download"),
        ("sync", "async"),
        ("service", "svc"),
        ("bus", "bu"),
        ("aws", "aw"),
        ("access", "acces"),
        ("auth", "author"),
        ("queue", "queue-worker"),
        ("eu-queue", "us-queue"),
    ],
)
def test_names_that_differ_in_a_number_a_version_or_a_word_are_no_kin(one, other):
    assert name_key(canonical_form(one)) != name_key(canonical_form(other))


@given(st.lists(st.sampled_from(["auth", "auths", "auth_service", "a_b", "b_a", "ab"]), min_size=2, max_size=2))
def test_which_of_two_names_stays_is_told_by_the_names_alone(names):
    one, other = names
    assert old_and_new(one, other) == old_and_new(other, one)


def test_a_name_without_what_kind_of_thing_it_is_stays():
    assert old_and_new("auth", "auth_service") == ("auth_service", "auth")


def test_what_both_state_is_found_in_any_capitals_and_without_the_full_stop():
    assert shared(["Retries stop after 5 attempts."], ["retries stop after 5 attempts"]) == (
        "Retries stop after 5 attempts.",
    )


@pytest.mark.parametrize(
    "other", ["Retries stop after 6 attempts", "Retries do not stop after 5 attempts", "Retries stop after 5 minutes"]
)
def test_a_statement_that_differs_in_a_number_a_negation_or_a_word_is_not_shared(other):
    assert shared(["Retries stop after 5 attempts"], [other]) == ()


def test_what_is_said_of_anything_proves_nothing():
    assert not is_proof(shared(["Clean up", "fix tests"], ["clean up", "Fix tests"]))
    assert not is_proof(())
    assert is_proof(("Retries stop after 5 attempts",))


@given(st.lists(st.text("ab ", max_size=12), max_size=5), st.lists(st.text("ab ", max_size=12), max_size=5))
def test_more_evidence_never_takes_a_proof_away(texts, more):
    if is_proof(shared(texts, texts)):
        assert is_proof(shared([*texts, *more], [*texts, *more]))


@pytest.mark.parametrize(
    "text",
    [
        "We renamed billing to invoicing last week",
        "rename `billing` to `invoicing`",
        "refactor: rename billing to invoicing",
        "Billing was renamed to Invoicing.",
        "The billing project is now called invoicing",
        "Invoicing (formerly billing) sends the mails",
        "Invoicing, previously known as billing, sends the mails",
    ],
)
def test_a_renaming_that_is_said_outright_names_both(text):
    assert renaming(text, known_as) == ("billing", "invoicing")


@pytest.mark.parametrize(
    "text",
    [
        "We should rename billing to invoicing",
        "Billing was not renamed to invoicing",
        "Was billing renamed to invoicing?",
        "If we rename billing to invoicing, links break",
        'Revert "rename billing to invoicing"',
        "We renamed the table rows to invoicing",
        "Renamed billing to accounting",  # one that nobody has heard of
        "Billing calls invoicing",
    ],
)
def test_a_renaming_that_did_not_happen_or_is_of_something_else_is_none(text):
    assert renaming(text, known_as) is None


@pytest.mark.parametrize("text", ["renamed " + "a" * 100_000, "a-" * 50_000 + " renamed", "renamed a b " * 10_000])
def test_a_renaming_is_looked_for_in_one_pass_over_hostile_words(text):
    """Quadratic it would take hours; the test has no clock, and ends."""
    assert renaming(text, known_as) is None
