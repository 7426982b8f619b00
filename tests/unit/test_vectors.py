"""Vectors at rest: exact in any order and batch, and no further from the model's floats than it matters."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.embedding.vectors import SCALE, cosine, packed, rounded, unpacked

COMPONENTS = st.lists(st.floats(-1, 1), min_size=1, max_size=24)


def of_length_one(components):
    length = sqrt(sum(each * each for each in components))
    return [each / length for each in components]


@given(COMPONENTS)
def test_a_vector_is_read_as_it_was_kept(components):
    vector = rounded(components)
    assert unpacked(packed(vector), len(components)) == vector


def test_a_vector_is_kept_in_the_same_bytes_on_any_machine():
    assert (
        packed(rounded([1.0, -1.0, 0.0]))
        == (SCALE).to_bytes(2, "little") + (-SCALE).to_bytes(2, "little", signed=True) + b"\0\0"
    )


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=24), st.randoms())
def test_the_cosine_is_the_same_in_any_order_of_its_sum(pairs, chance):
    other = list(pairs)
    chance.shuffle(other)
    first, second = ([rounded(column) for column in zip(*each, strict=True)] for each in (pairs, other))
    assert cosine(*first) == cosine(*second) == cosine(*reversed(first))


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=8, max_size=400))
def test_rounding_moves_a_cosine_by_less_than_a_thousandth(pairs):
    lengths = [sum(each * each for each in column) for column in zip(*pairs, strict=True)]
    if min(lengths) < 0.01:
        return
    first, second = (of_length_one(column) for column in zip(*pairs, strict=True))
    exact = sum(a * b for a, b in zip(first, second, strict=True))
    assert cosine(rounded(first), rounded(second)) == pytest.approx(exact, abs=0.001)


def test_a_text_that_says_nothing_is_near_to_nothing():
    assert cosine(rounded([0.0, 0.0]), rounded([0.6, 0.8])) == 0.0


def test_a_vector_is_the_same_direction_as_itself_and_opposite_to_its_negative():
    vector, opposite = rounded([0.6, 0.8]), rounded([-0.6, -0.8])
    assert (cosine(vector, vector), cosine(vector, opposite)) == (1.0, -1.0)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 1.5, -2.0])
def test_what_is_no_component_is_refused(wrong):
    with pytest.raises(ValueError, match="allowed: from -1 to 1"):
        rounded([0.0, wrong])


def test_a_vector_of_another_dimension_is_refused():
    with pytest.raises(ValueError, match="384 components has 768 bytes, this one 2048"):
        unpacked(bytes(2_048), 384)
    with pytest.raises(ValueError, match="zip"):
        cosine(rounded([1.0]), rounded([0.6, 0.8]))
