"""What is one claim, and what says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.text_keys import group_key, text_key


def test_one_claim_is_equal_but_for_composition_and_white_space():
    assert text_key(" The  cafe\u0301\n is open ") == text_key("The caf\u00e9 is open")
    assert text_key("x² grows") != text_key("x2 grows")
    assert text_key("The cache") != text_key("the cache")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The cache is warm.", "the cache is warm"),
        ("Deploy On Friday!", "deploy on friday"),
        ("It\u2019s 3\u20135 ms", "It's 3-5 ms"),
        ("Say \u201cyes\u201d first", 'say "yes" first'),
    ],
)
def test_case_of_plain_words_and_typography_do_not_make_another_statement(first, second):
    assert group_key(first) == group_key(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Deploys are allowed", "Deploys are not allowed"),
        ("Due on Oct 15", "Due on Oct 16"),
        ("Use version 1.2", "Use version 1.3"),
        ("x² grows", "x2 grows"),
        ("The US build", "The us build"),
        ("Call getUser first", "Call getuser first"),
        ('Say "Yes" first', 'Say "yes" first'),
        ("Set `Port` first", "Set `port` first"),
        ("Is it warm?", "Is it warm"),
        ("feat: drop it", "revert: drop it"),
        ("Read src/Auth.py", "Read src/auth.py"),
        ("Maße fehlen", "Masse fehlen"),
        ("Go to --Force", "Go to --force"),
        ("Set MAX_Size to 1", "Set max_size to 1"),
    ],
)
def test_a_number_name_polarity_or_identifier_makes_another_statement(first, second):
    assert group_key(first) != group_key(second)


@given(st.text())
def test_keys_are_their_own_keys(text):
    assert text_key(text_key(text)) == text_key(text)


@given(st.text())
def test_equal_claims_are_in_one_group(text):
    assert group_key(text_key(text)) == group_key(text)
