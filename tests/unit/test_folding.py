"""Laws of telling several runs as one: the net is what a single run would have changed."""

from dataclasses import replace
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.plan import Change, Plan, Subject
from dreamd.lifecycle.values import Row
from dreamd.lifecycle.words import Phase, Status, Vitality
from dreamd.repo_export.reports.folding import Fold, fold_of
from tests.unit.export_rows import a_plan, a_stream

EMPTY = a_plan()


def folded(*plans: Plan) -> Fold:
    return fold_of(plans, EMPTY, since=EMPTY.now, quiet=0, closest=(), begins=None)


def a_night(number: int, before: Row | None, after: Row | None) -> Plan:
    row = after or before
    changes: tuple[Change, ...] = ()
    if row is not None and before != after:
        because = f"night {number}"
        changes = (Change(subject=Subject("stream", row.id), before=before, after=after, because=because, kinds=()),)
    return replace(a_plan(*changes), number=number, now=EMPTY.now + timedelta(days=number))


states = st.one_of(
    st.none(),
    st.builds(
        lambda phase, vitality, status, frequency: replace(
            a_stream(), phase=phase, vitality=vitality, status=status, frequency=frequency
        ),
        st.sampled_from(Phase),
        st.sampled_from(Vitality),
        st.sampled_from((Status.ACTIVE, Status.FADED)),
        st.integers(1, 3),
    ),
)


@given(st.lists(states, min_size=2, max_size=8))
def test_the_net_of_any_nights_is_from_the_first_before_to_the_last_after(course: list[Row | None]) -> None:
    nights = [a_night(number, *pair) for number, pair in enumerate(zip(course, course[1:], strict=False), start=1)]
    net = folded(*nights).net.changes
    if course[0] == course[-1]:
        assert net == ()
    else:
        assert [(change.before, change.after) for change in net] == [(course[0], course[-1])]


@given(st.lists(states, min_size=3, max_size=8), st.data())
def test_a_fold_of_folds_is_the_fold_of_all(course: list[Row | None], data: st.DataObject) -> None:
    nights = [a_night(number, *pair) for number, pair in enumerate(zip(course, course[1:], strict=False), start=1)]
    cut = data.draw(st.integers(1, len(nights) - 1))
    halves = [folded(*nights[:cut]).net, folded(*nights[cut:]).net]
    two = [(change.before, change.after) for change in folded(*halves).net.changes]
    assert two == [(change.before, change.after) for change in folded(*nights).net.changes]


def test_what_went_there_and_back_is_told_by_its_steps_and_has_no_net() -> None:
    stream = a_stream()
    faded = replace(stream, status=Status.FADED, vitality=Vitality.DORMANT)
    fold = folded(a_night(3, stream, faded), a_night(5, faded, stream))
    assert fold.net.changes == ()
    assert [(it.subject.id, it.steps) for it in fold.wandering] == [(stream.id, ((3, "faded"), (5, "woken")))]
    assert fold.along_the_way == {"faded": 1, "woken": 1}
