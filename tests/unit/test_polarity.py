"""Whether one of many texts is the negation of another, told by letters first."""

from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.polarity import has_opposite, polarity_of

WORDS = (
    "queue", "Queue", "QUEUE", "starts", "started", "allowed", "denied", "forbidden", "with", "without", "not", "never",
    "can't", "can", "cannot", "isn't", "isn’t", "is", "user’s", "user's", "ünïcode", "İstanbul", "a", "327",
    "disable", "enabled", "running", "runs", "no", "doesn't", "do", "does",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)


@given(one=TEXTS, others=st.lists(TEXTS, max_size=6))
def test_the_letters_hide_no_negation(one, others):
    polarity = polarity_of(one)
    is_there = any(
        other.words == polarity.words and other.is_negated != polarity.is_negated for other in map(polarity_of, others)
    )
    assert has_opposite(polarity, others) == is_there


def test_a_negation_is_found_among_other_statements():
    said = ("Replayed 12 requests with loss", "Replayed 327 requests with loss")
    assert has_opposite(polarity_of("Replayed 327 requests without loss"), said)
    assert not has_opposite(polarity_of("Replayed 328 requests without loss"), said)
