"""A changed policy: what it changes is shown, applied within the fuses, and can be taken back."""

from dataclasses import replace

import pytest

from dreamd.daemon import orders
from dreamd.daemon.publish import tell
from dreamd.daemon.storage.log import plan_of
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import EventKind, Phase, Status, Vitality, Waiting
from dreamd.repo_export.report import render_report
from tests.builders import an_event, day
from tests.live import LiveSpace

TOPICS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu")
LENIENT = Policy()
STRICT = replace(LENIENT, emergent_min_frequency=9)
FORGETFUL = replace(LENIENT, decaying_after_days=1.0, dormant_after_days=2.0)


def seen(topic, *days):
    return [an_event(f"seen on {number}", day(number), target=topic, session=f"s{number}") for number in days]


@pytest.fixture
def space(tmp_path):
    """Seven streams that three days of evidence made emergent under the default policy."""
    live = LiveSpace(tmp_path, with_git=False)
    for topic in TOPICS:
        live.add(*seen(topic, 0, 1, 2))
    live.dream(day(3))
    yield live
    live.close()


def phases(space):
    return [space.stream(topic).phase for topic in TOPICS]


def patterns(space):
    return {topic for topic in TOPICS if space.stream(topic).phase is Phase.PATTERN}


def report(space):
    record = space.store.runs()[-1]
    whole = plan_of(record, space.store.changes(record.number))
    return render_report(tell(space.store, whole, str)).decode()


def test_a_change_is_named_with_both_values_and_applied_within_the_fuse(space):
    space.policy = STRICT
    plan = space.dream(day(3.1))
    assert len(patterns(space)) == 3
    assert (plan.fused, len(plan.policy_change.held_back)) == (3, 4)
    (proposal,) = space.store.proposals()
    assert set(proposal.subjects) == set(plan.policy_change.held_back)
    text = report(space)
    assert "## Policy changed" in text
    assert "`emergent_min_frequency`: 3 → 9" in text
    assert "3 streams changed by it" in text
    assert "4 streams held back until you say so" in text
    assert "phase recomputed from emergent to pattern; the policy changed" in text
    assert f"dreamd accept {proposal.id}" in text


def test_a_dream_after_it_changes_nothing_at_once_or_later(space):
    space.policy = STRICT
    space.dream(day(3.1))
    for later in (3.1, 3.2, 8.9):
        assert space.dream(day(later)).changes == ()


def test_what_a_few_streams_make_of_it_is_applied_whole(space):
    space.policy = replace(STRICT, fuse_min_changes=7)
    plan = space.dream(day(3.1))
    assert patterns(space) == set(TOPICS)
    assert space.store.proposals() == []
    assert len(plan.policy_change.streams) == 7


def test_the_result_is_that_of_a_dream_that_knew_the_policy_from_the_start(space, tmp_path):
    (tmp_path / "other").mkdir()
    other = LiveSpace(tmp_path / "other", with_git=False, policy=replace(STRICT, fuse_min_changes=7))
    for topic in TOPICS:
        other.add(*seen(topic, 0, 1, 2))
    other.dream(day(4))
    space.policy = other.policy
    space.dream(day(4))
    assert space.digest() == other.digest()
    other.close()


def test_accepting_applies_it_to_the_rest(space):
    space.policy = STRICT
    space.dream(day(3.1))
    (proposal,) = space.store.proposals()
    space.order(lambda: orders.accept(space.store, proposal), day(3.2))
    assert patterns(space) == set(TOPICS)
    assert space.store.holds() == []
    assert space.dream(day(3.2)).changes == ()


def test_rejecting_leaves_the_rest_until_new_evidence(space):
    space.policy = STRICT
    space.dream(day(3.1))
    (proposal,) = space.store.proposals()
    before = phases(space)
    space.order(lambda: orders.reject(proposal), day(3.2))
    assert space.dream(day(3.3)).changes == ()
    assert phases(space) == before
    held = space.store.stream(proposal.subjects[0]).target
    space.add(*seen(held, 4))
    space.dream(day(5))
    assert space.stream(held).phase is Phase.PATTERN
    assert len(space.store.holds()) == 3


def test_taking_it_back_restores_every_row_and_stays(space):
    before = space.digest()
    space.policy = replace(STRICT, fuse_min_changes=7)
    space.dream(day(3.1))
    after = space.digest()
    assert before != after
    space.revert(2, day(3.2))
    assert space.digest() == before
    assert space.dream(day(3.2)).changes == ()
    space.revert(3, day(3.3))
    assert space.digest() == after
    assert space.dream(day(3.3)).changes == ()


@pytest.mark.parametrize("policy", [FORGETFUL, replace(LENIENT, dormant_after_days=90.0)])
def test_a_change_of_ageing_taken_back_is_not_made_again_by_age(space, policy):
    space.add(*(an_event("other work", day(number), target="work") for number in range(3, 36, 3)))
    space.dream(day(36))
    before = space.digest()
    space.policy = replace(policy, fuse_min_changes=99)
    changed = space.dream(day(36))
    assert space.digest() != before
    space.revert(changed.number, day(36))
    assert space.digest() == before
    assert space.dream(day(36)).changes == ()


def test_age_under_the_new_policy_is_held_back_too_but_time_is_not(space):
    """Seven would be dormant at once; under the old policy they are only decaying, by time."""
    space.add(*(an_event("other work", day(number), target="work") for number in range(3, 12)))
    space.dream(day(8))
    space.policy = FORGETFUL
    plan = space.dream(day(11))
    states = [space.stream(topic).vitality for topic in TOPICS]
    assert states.count(Vitality.DORMANT) == 3
    assert states.count(Vitality.DECAYING) == 4
    assert len(plan.policy_change.held_back) == 4
    assert space.dream(day(60)).policy_change is None


def test_streams_that_a_kinder_policy_brings_back_are_counted(space):
    space.policy = replace(LENIENT, silence="calendar", fuse_min_changes=99)
    space.dream(day(400))
    assert {space.stream(topic).status for topic in TOPICS} == {Status.FADED}
    space.policy = replace(space.policy, faded_below_confidence=0.0, fuse_min_changes=3)
    plan = space.dream(day(408))
    assert [space.stream(topic).status for topic in TOPICS].count(Status.ACTIVE) == 3
    assert len(plan.policy_change.held_back) == 4


def test_changing_it_back_overtakes_what_was_held(space):
    space.policy = STRICT
    space.dream(day(3.1))
    space.policy = LENIENT
    space.dream(day(20))
    assert phases(space) == [Phase.EMERGENT] * 7
    assert space.store.holds() == []
    assert [row for row in space.store.proposals() if row.status is Waiting.OPEN] == []


def test_a_pin_in_between_does_not_slip_past_the_hold(space):
    space.policy = STRICT
    space.dream(day(3.1))
    held = space.store.stream(space.store.proposals()[0].subjects[0]).target
    before = space.digest()
    space.pin(held, day(3.2))
    assert space.stream(held).phase is Phase.EMERGENT
    space.unpin(held, day(3.3))
    assert space.digest() == before


def test_new_evidence_explains_itself(space):
    space.policy = STRICT
    for topic in TOPICS:
        space.add(*seen(topic, 4))
    plan = space.dream(day(5))
    assert patterns(space) == set(TOPICS)
    assert (plan.fused, space.store.proposals()) == (0, [])


def test_fuses_and_reports_change_no_stream(space):
    space.policy = replace(LENIENT, fuse_min_changes=5, near_miss_count=2)
    space.add(an_event("new", day(3.05), target="new", kind=EventKind.DECISION))
    plan = space.dream(day(3.1))
    assert [each.name for each in plan.policy_change.settings] == ["fuse_min_changes", "near_miss_count"]
    assert plan.policy_change.streams == ()
    assert "no stream changed by it" in report(space)


def test_the_next_dream_does_not_tell_it_again(space):
    space.policy = STRICT
    space.dream(day(3.1))
    space.add(an_event("new", day(3.2), target="new"))
    assert space.dream(day(3.3)).policy_change is None
