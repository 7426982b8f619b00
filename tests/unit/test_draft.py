"""A draft's changes are what differs at the end, whatever happened on the way."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.codec import subject_of
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.values import Pin
from tests.builders import day


def a_pin(name="a", at=0.0):
    return Pin(id=f"pn_{name}", space="default", subject="st_1", stream="st_1", pinned_at=day(at))


def test_what_is_put_back_changes_nothing():
    draft = Draft([a_pin()])
    draft.put(a_pin(at=1), "moved")
    draft.put(a_pin(), "moved back")
    assert draft.changes() == ()


def test_what_is_put_and_dropped_again_changes_nothing():
    draft = Draft([])
    draft.put(a_pin())
    draft.drop(a_pin(), "after all not")
    assert draft.changes() == ()


def test_a_change_holds_both_rows_and_the_reason():
    draft = Draft([a_pin()])
    draft.put(a_pin(at=1), "moved by a person")
    (change,) = draft.changes()
    assert (change.before, change.after) == (a_pin(), a_pin(at=1))
    assert (change.because, change.kinds) == ("moved by a person", ("update",))


def test_a_dropped_row_is_removed_with_its_reason():
    draft = Draft([a_pin()])
    draft.drop(a_pin(), "unpinned")
    (change,) = draft.changes()
    assert (change.before, change.after, change.because, change.kinds) == (a_pin(), None, "unpinned", ("remove",))


pins = st.builds(a_pin, st.sampled_from("abc"), st.integers(0, 2))


@given(st.lists(pins, unique_by=lambda pin: pin.id), st.lists(st.tuples(st.booleans(), pins)))
def test_the_changes_lead_from_the_rows_before_to_the_rows_after_and_back(before, steps):
    draft, after = Draft(before), {row.id: row for row in before}
    for puts, row in steps:
        if puts:
            draft.put(row)
            after[row.id] = row
        else:
            draft.drop(row, "gone")
            after.pop(row.id, None)
    changes = draft.changes()
    assert [change.subject for change in changes] == sorted({change.subject for change in changes})
    rows = {subject_of(row): row for row in before}
    for change in changes:
        assert rows.pop(change.subject, None) == change.before
        if change.after is not None:
            rows[change.subject] = change.after
    assert {row.id: row for row in rows.values()} == after
    for change in changes:
        rows.pop(change.subject, None)
        if change.before is not None:
            rows[change.subject] = change.before
    assert sorted(rows.values(), key=lambda row: row.id) == sorted(before, key=lambda row: row.id)


def test_the_last_note_counts():
    draft = Draft([a_pin()])
    draft.put(replace(a_pin(), pinned_at=day(2)), "first")
    draft.put(replace(a_pin(), pinned_at=day(3)), "second")
    assert [change.because for change in draft.changes()] == ["second"]
