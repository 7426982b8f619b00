"""Ids are derived from keys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle import ids

parts = st.lists(st.none() | st.text(max_size=4), max_size=4)


@given(parts, parts)
def test_only_equal_parts_have_an_equal_digest(one, other):
    assert (ids.digest_of(*one) == ids.digest_of(*other)) == (one == other)


def test_a_given_id_is_an_identity_within_its_source_whatever_the_content():
    assert ids.event_id("s", "a", "7", "x") == ids.event_id("s", "a", "7", "y")
    assert ids.event_id("s", "a", "7", "x") != ids.event_id("s", "b", "7", "x")


def test_without_a_given_id_the_content_is_the_identity():
    assert ids.event_id("s", "a", None, "x") == ids.event_id("s", "b", None, "x")
    assert ids.event_id("s", "a", None, "x") != ids.event_id("s", "a", None, "y")


def test_a_given_id_is_never_taken_for_a_digest():
    assert ids.event_id("s", "digest", "x", "x") != ids.event_id("s", "digest", None, "x")


@pytest.mark.parametrize("make", [ids.stream_id, ids.alias_id, ids.pin_id])
def test_spaces_do_not_share_ids(make):
    assert make("one", "cache") != make("two", "cache")


def test_each_interval_of_a_claim_has_an_id_of_its_own():
    assert len({ids.claim_id("st", "text", occurrence) for occurrence in range(3)}) == 3


def test_an_id_shows_its_kind_and_sixteen_hex_digits():
    prefix, digits = ids.stream_id("default", "cache").split("_")
    assert prefix == "st"
    assert len(digits) == 16
    assert int(digits, 16) >= 0


def test_ids_stay_what_they_are():
    """They are in stores and repositories: a change of the recipe would orphan them all."""
    assert ids.stream_id("default", "cache") == "st_b1fbe2380d15bf60"
    assert ids.claim_id("st_1", "The cache is warm", 0) == "cl_c1dfcbac2e9df94d"
    assert ids.link_id("ev_1", None) == "ln_aaf710fa1ece0d57"
