"""Which statement comes first (design, sections 6 and 8)."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.ranking import FRESHER_DAYS, Ranked, group_strength, strength
from dreamd.lifecycle.words import Actor, EventKind
from tests.builders import day


@dataclass(frozen=True)
class Said:
    id: str = "cl_a"
    origin: EventKind = EventKind.OBSERVATION
    trust: Actor = Actor.AGENT
    support: int = 1
    days: int = 1
    last_at: datetime = day(100)


def first(*some: Ranked) -> Ranked:
    return min(some, key=strength)


OFTEN = Said("cl_b", support=40, days=20, last_at=day(200))


@pytest.mark.parametrize(
    ("ahead", "behind"),
    [
        (Said(origin=EventKind.DECISION), OFTEN),  # said outright
        (Said(trust=Actor.USER), OFTEN),  # said by a person
        (Said(trust=Actor.TOOL), replace(OFTEN, trust=Actor.EXTERNAL)),
        (Said(origin=EventKind.PREFERENCE), Said(origin=EventKind.DECISION, support=9, days=9)),
        (Said(days=3, support=3), Said()),  # said on more days
        (Said(support=3), Said()),  # said more often on its day
        (Said(last_at=day(101)), Said()),  # said later
        (Said(days=4, support=4), Said(last_at=day(100 + FRESHER_DAYS))),  # old, but twice doubled
        (Said(last_at=day(101 + 2 * FRESHER_DAYS)), Said(days=4, support=4)),  # far newer
        (Said(days=3, support=3), Said(support=500)),  # a flood within a day counts no more than two days
    ],
)
def test_what_comes_first(ahead: Said, behind: Said) -> None:
    assert first(replace(behind, id="cl_0"), ahead) == ahead


def test_several_wordings_make_a_statement_more_central() -> None:
    other = Said("cl_b", support=2, days=2)
    assert group_strength([Said(), Said("cl_c"), Said("cl_d")]) < group_strength([other])


claims = st.builds(
    Said,
    id=st.sampled_from(["cl_a", "cl_b", "cl_c"]),
    origin=st.sampled_from(EventKind),
    trust=st.sampled_from(Actor),
    support=st.integers(1, 300),
    days=st.just(1),
    last_at=st.integers(0, 400).map(day),
)


@given(st.lists(claims, min_size=1, max_size=5), claims)
def test_a_group_that_is_told_more_never_gets_weaker(members: list[Said], more: Said) -> None:
    """So a page can be made from the one before: what was not told again keeps its place among its like."""
    before = group_strength(members)
    assert group_strength([*members, replace(more, id="cl_z")])[:4] <= before[:4]
    again = replace(members[0], support=members[0].support + 1, days=2, last_at=members[0].last_at + timedelta(days=1))
    assert group_strength([again, *members[1:]]) <= before


@given(st.lists(claims, min_size=1, max_size=5), st.randoms())
def test_the_order_of_members_does_not_matter(members: list[Said], chance: object) -> None:
    shuffled = list(members)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert group_strength(shuffled) == group_strength(members)
