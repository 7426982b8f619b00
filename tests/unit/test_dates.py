"""Which day a statement looks forward to."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.contradicting.dates import day_ahead

WEDNESDAY = date(2026, 3, 4)


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("We deploy tomorrow", "2026-03-05"),
        ("An appointment in 3 days", "2026-03-07"),
        ("The switch comes in two weeks", "2026-03-18"),
        ("Renewal in a month", "2026-04-04"),
        ("The audit is next Friday", "2026-03-13"),
        ("Finish it by Friday", "2026-03-06"),
        ("Finish it by Wednesday", "2026-03-04"),
        ("Ship it by end of March", "2026-03-31"),
        ("Ship it by end of February", "2027-02-28"),
        ("Done by the end of next month", "2026-04-30"),
        ("Done by the end of this quarter", "2026-03-31"),
        ("The certificate expires on 2026-10-15", "2026-10-15"),
        ("Due on Oct 15", "2026-10-15"),
        ("Due on Jan 15", "2027-01-15"),
        ("The lease ends 1 May 2027", "2027-05-01"),
        ("Uploads are allowed until 2026-10-15", "2026-10-15"),
    ],
)
def test_a_day_is_named_from_the_day_on_which_it_was_said(text, on):
    ahead = day_ahead(text, WEDNESDAY)
    assert ahead is not None and str(ahead.on) == on


@pytest.mark.parametrize(
    "text",
    [
        "It comes this quarter",
        "Due soon",
        "The freeze will begin on Friday",
        "Due in Q3",
        "Later this year",
        "By Feb 31",
    ],
)
def test_what_can_be_read_in_several_ways_names_no_day(text):
    ahead = day_ahead(text, WEDNESDAY)
    assert ahead is not None and ahead.on is None


@pytest.mark.parametrize(
    "text",
    [
        "Deploys on Friday are not allowed",
        "Released on March 3",
        "In a week of work it was done",
        "The May release",
        "",
    ],
)
def test_a_rule_and_a_day_that_was_look_forward_to_nothing(text):
    assert day_ahead(text, WEDNESDAY) is None


TEXTS = st.builds(
    "{} {}".format,
    st.sampled_from(["in 3", "next", "by", "due", "by end of", "the end of next", "in a", "by 31", "expires on"]),
    st.sampled_from(["days", "Friday", "March", "quarter", "year", "Feb", "9999-12-31", "Feb 29", "months"]),
)


@given(TEXTS, st.one_of(st.dates(), st.just(date.max)))
def test_any_day_of_any_age_is_read_without_failing(text, said_on):
    ahead = day_ahead(text, said_on)
    assert ahead is None or ahead.on is None or isinstance(ahead.on, date)
