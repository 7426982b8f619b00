"""The top of a page is not one thing ten times."""

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.ranking import Strength
from dreamd.repo_export.variety import MAX_ALIKE, varied

TEXTS = [
    "Part 1 of the gateway needs an owner",
    "Part 2 of the gateway needs an owner",
    "The cache is warm",
]


def by_rank(*texts: str, explicit: int = 1, trust: int = 1) -> list[tuple[Strength, str, str]]:
    return [((explicit, trust, 1, float(place), f"cl_{place}"), text, text) for place, text in enumerate(texts)]


def test_statements_that_are_worded_alike_do_not_push_all_others_down() -> None:
    parts = [f"Part {number} of the gateway needs an owner" for number in range(5)]
    others = ["The cache is warm", "Deploys take an hour on Mondays"]
    assert varied(by_rank(*parts, *others)) == [*parts[:MAX_ALIKE], *others, *parts[MAX_ALIKE:]]


def test_what_is_worded_otherwise_keeps_its_rank() -> None:
    texts = ["The cache is warm", "Deploys take an hour on Mondays", "The port is 8080", "Nobody owns the gateway"]
    assert varied(by_rank(*texts)) == texts


def test_what_was_said_outright_keeps_its_order_and_its_place() -> None:
    rules = [f"Use port {number} for the gateway" for number in range(6)]
    others = by_rank("The cache is warm")
    assert varied([*by_rank(*rules, explicit=0), *others]) == [*rules, "The cache is warm"]


def test_nobody_less_trusted_comes_first_for_the_sake_of_variety() -> None:
    alike = [f"Part {number} of the gateway needs an owner" for number in range(4)]
    assert varied([*by_rank(*alike), *by_rank("The cache is warm", trust=3)]) == [*alike, "The cache is warm"]


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3), st.sampled_from(TEXTS)), max_size=20))
def test_nothing_is_lost_and_nothing_is_added(given_: list[tuple[int, int, str]]) -> None:
    ranked = sorted(
        ((explicit, trust, 1, float(place), f"cl_{place}"), text, place)
        for place, (explicit, trust, text) in enumerate(given_)
    )
    assert sorted(varied(ranked)) == list(range(len(given_)))
    assert varied(ranked)[:1] == [place for _, _, place in ranked][:1]  # the headline stays the first
