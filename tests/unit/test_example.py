"""The shipped example holds what the walk through it promises."""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from importlib.resources import files

import pytest

from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.lifecycle.evidence import evidence_of
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import fold
from dreamd.lifecycle.words import Actor, Bearing, EventKind, Phase

NOW = datetime(2026, 2, 16, 9, tzinfo=UTC)  # the `--now` that the example is dreamt at


@pytest.fixture(scope="module")
def deliveries():
    channel = Channel(
        name="service.jsonl",
        space="example",
        recorded_at=NOW,
        redactor=Redactor(b"k" * 32),
        actor_cap=Actor.USER,
        default_actor=Actor.USER,
    )
    example = files("dreamd.daemon") / "example" / "service.jsonl"
    with example.open("rb") as lines:
        outcomes = list(read_events(lines, channel))
    assert [outcome for outcome in outcomes if isinstance(outcome, Rejection)] == []
    return outcomes


@pytest.fixture(scope="module")
def events(deliveries):
    """Each delivery once."""
    return list({event.id: event for event in deliveries}.values())


@pytest.fixture(scope="module")
def maturities(events):
    by_target = defaultdict(list)
    for event in events:
        if event.target is not None:
            by_target[event.target].append(evidence_of(event, Bearing.SUPPORTS))
    return {
        target: fold(evidence, Policy(), question_open_from=None, decisions=())
        for target, evidence in by_target.items()
    }


def texts(events, target, kind):
    return [event.text for event in events if event.target == target and event.kind is kind]


def test_it_covers_six_weeks_in_order_and_ends_before_it_is_dreamt(events):
    instants = [event.at for event in events]
    assert instants[0] == datetime(2026, 1, 5, 8, 40, tzinfo=UTC)
    assert timedelta(weeks=5) < instants[-1] - instants[0] < timedelta(weeks=6)
    assert instants == sorted(instants)
    assert instants[-1] < NOW
    assert 150 <= len(events) <= 220


def test_some_events_are_delivered_twice_with_the_same_content(deliveries, events):
    repeated = len(deliveries) - len(events)
    assert repeated == 4
    assert len({(event.id, event.digest) for event in deliveries}) == len(events)


def test_it_has_errors_fixes_decisions_hypotheses_noise_and_an_outside_voice(events):
    kinds = Counter(event.kind for event in events)
    assert kinds[EventKind.ERROR] >= 25
    assert kinds[EventKind.COMMIT] >= 25
    assert kinds[EventKind.DECISION] >= 5
    assert kinds[EventKind.HYPOTHESIS] >= 3
    assert kinds[EventKind.INTERVENTION] == 1
    assert sum(event.target is None for event in events) >= 10
    assert {event.target for event in events if event.actor is Actor.EXTERNAL} == {"dependency_news"}


def test_nothing_in_it_is_taken_for_a_secret(events):
    assert not any("[redacted:" in repr(event) for event in events)


def test_a_mind_is_changed_a_user_prefers_and_corrects_and_a_number_changes(events):
    decisions = texts(events, "job_queue", EventKind.DECISION)
    assert decisions == ["Use SQLite for the job queue", "Use PostgreSQL for the job queue"]
    preferences = [event for event in events if event.kind is EventKind.PREFERENCE]
    assert preferences
    assert {event.actor for event in preferences} == {Actor.USER}
    assert "The invoice run starts at 06:00" in texts(events, "invoice_run", EventKind.OBSERVATION)
    correction = "That was wrong: the invoice run never started at 06:00, it starts at 05:30"
    assert texts(events, "invoice_run", EventKind.CORRECTION) == [correction]
    remarks = texts(events, "rate_limiter", EventKind.OBSERVATION)
    assert {f"The rate limit is {number} requests a minute" for number in (100, 120)} < set(remarks)


def test_an_error_is_fixed_and_proved_within_one_session_many_times(events):
    sessions = defaultdict(list)
    for event in events:
        if event.target is not None:
            sessions[event.session, event.target].append(event.kind)
    lesson = [EventKind.ERROR, EventKind.COMMIT, EventKind.RESULT]
    whole = [kinds for kinds in sessions.values() if [kind for kind in kinds if kind in lesson] == lesson]
    assert len(whole) >= 15


def test_by_its_evidence_one_target_is_canonical_others_are_emergent_or_young(maturities):
    phases = defaultdict(set)
    for target, maturity in maturities.items():
        phases[maturity.phase].add(target)
    assert {"invoice_pdf", "login_flow"} <= phases[Phase.CANONICAL]
    assert {"csv_import", "invoice_run", "search_index", "webhooks"} <= phases[Phase.EMERGENT]
    assert phases[Phase.PATTERN] == {"dependency_news", "invoice_archive", "price_list", "status_page"}


def test_some_targets_have_long_been_silent_and_others_have_not(maturities):
    policy = Policy()
    silent = {
        target: (NOW - maturity.signals.last_seen) / timedelta(days=1) / maturity.signals.stretch
        for target, maturity in maturities.items()
    }
    assert {target for target, days in silent.items() if days >= policy.dormant_after_days} == {
        "csv_import",
        "flaky_report_test",
    }
    assert policy.decaying_after_days <= silent["search_index"] < policy.dormant_after_days
    assert silent["invoice_pdf"] < policy.decaying_after_days
