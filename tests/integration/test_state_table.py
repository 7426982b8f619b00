"""Every edge of the state table (design, section 5), through the real store: each is reached, and none too soon."""

import shutil
from dataclasses import replace
from datetime import timedelta

import pytest

from dreamd.lifecycle.ageing import crossings_ahead
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, DecayClass, EventKind, Phase, Status, Vitality, rank
from tests.builders import an_event, day
from tests.histories import empty_store
from tests.live import LiveSpace

TICK = timedelta(microseconds=1)
CALENDAR = Policy(silence="calendar")
OUTRIGHT = (EventKind.DECISION, EventKind.PREFERENCE, EventKind.INTERVENTION)


@pytest.fixture
def live(tmp_path):
    """Makes spaces of their own, each with a policy."""
    opened: list[LiveSpace] = []

    def make(policy=CALENDAR):
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        shutil.copy(empty_store() / "dreamd.db", folder / "dreamd.db")
        opened.append(LiveSpace(folder, with_git=False, policy=policy))
        return opened[-1]

    yield make
    for space in opened:
        space.close()


def seen(at, **fields):
    """Evidence of its own day and session."""
    return an_event(f"Seen at {at.isoformat()}", at, session=f"s{at:%Y%m%d}", **fields)


def dreamt(space, *events, at=None):
    """The stream after a dream at the last of `events`, or at `at`."""
    space.add(*events)
    space.dream(at or max(event.at for event in events))
    return space.stream("cache")


@pytest.mark.parametrize(
    ("ages", "phase"),
    [
        ((0, 2), Phase.PATTERN),
        ((0, 0.5, 1), Phase.PATTERN),
        ((0, 0.5, 1 + 1e-9), Phase.EMERGENT),
        ((0, 0.1, 0.2, 0.3, 0.9), Phase.PATTERN),
        ((0, 1, 2), Phase.EMERGENT),
    ],
)
def test_pattern_to_emergent_by_frequency(live, ages, phase):
    assert dreamt(live(), *(seen(day(age)) for age in ages)).phase is phase


def test_pattern_to_emergent_by_removal_cost(live):
    space = live(replace(CALENDAR, emergent_min_frequency=1_000))
    phases = []
    for number in range(12):
        stream = dreamt(space, seen(day(number)))
        assert (stream.phase is not Phase.PATTERN) is (stream.removal_cost >= 0.4)
        phases.append(stream.phase)
    assert phases[0] is Phase.PATTERN
    assert Phase.EMERGENT in phases


def test_what_is_costly_within_a_day_waits_for_the_day_to_pass(live):
    costly = [seen(day(n / 30), kind=EventKind.COMMIT, tags=("fix",), scope="infra") for n in range(30)]
    space = live(replace(CALENDAR, emergent_min_frequency=1_000))
    stream = dreamt(space, *costly, seen(day(1)))
    assert stream.removal_cost >= 0.4
    assert stream.phase is Phase.PATTERN
    assert dreamt(space, seen(day(1) + TICK)).phase is Phase.EMERGENT


@pytest.mark.parametrize(
    ("kind", "actor", "phase"),
    [
        (EventKind.DECISION, Actor.AGENT, Phase.EMERGENT),
        (EventKind.PREFERENCE, Actor.AGENT, Phase.EMERGENT),
        (EventKind.INTERVENTION, Actor.USER, Phase.EMERGENT),
        (EventKind.INTERVENTION, Actor.AGENT, Phase.PATTERN),
        *((kind, actor, Phase.PATTERN) for kind in OUTRIGHT for actor in (Actor.TOOL, Actor.EXTERNAL)),
    ],
)
def test_an_explicit_birth_is_emergent_at_once_and_no_other_is(live, kind, actor, phase):
    assert dreamt(live(), seen(day(0), kind=kind, actor=actor)).phase is phase


def daily(count, **fields):
    return [seen(day(number), **fields) for number in range(count)]


def test_emergent_to_canonical_by_coverage_last(live):
    """Nine days are exactly 0.3 of the window, which has to be exceeded; all else is passed long before."""
    space = live()
    stream = dreamt(space, *daily(10, kind=EventKind.COMMIT, tags=("fix",)))
    assert (stream.coverage, stream.phase) == (pytest.approx(0.3), Phase.EMERGENT)
    assert stream.stability > 0.6
    assert stream.removal_cost > 0.5
    assert dreamt(space, seen(day(9) + TICK)).phase is Phase.CANONICAL


def test_emergent_to_canonical_by_stability_last(live):
    space = live()
    burst = [seen(day(n / 30), kind=EventKind.COMMIT, tags=("fix",)) for n in range(30)]
    stream = dreamt(space, *burst, seen(day(20)))
    assert stream.coverage > 0.3
    assert stream.removal_cost > 0.5
    assert stream.phase == "emergent"
    for number in (4, 8, 12, 16):
        assert (stream.phase is Phase.CANONICAL) is (stream.stability > 0.6)
        stream = dreamt(space, seen(day(number)), at=day(20 + number / 100))
    assert stream.stability > 0.6
    assert stream.phase is Phase.CANONICAL


def test_emergent_to_canonical_by_removal_cost_last(live):
    space = live()
    for number in range(20):
        stream = dreamt(space, seen(day(7 * number)))
        is_passed = stream.coverage > 0.3 and stream.stability > 0.6 and stream.removal_cost > 0.5
        assert (stream.phase is Phase.CANONICAL) is is_passed
    assert stream.canonical_at == day(7 * 10)


def test_active_to_decaying_to_dormant_to_faded_each_on_its_instant(live):
    space = live()
    last = dreamt(space, *daily(10, kind=EventKind.COMMIT)).last_seen
    crossings = crossings_ahead(space.stream("cache"), last, (), CALENDAR)
    assert [kind for kind, _ in crossings] == ["vitality:decaying", "vitality:dormant", "status:faded"]
    states = []
    for _, instant in crossings:
        for now in (instant - TICK, instant):
            space.dream(now)
            stream = space.stream("cache")
            states.append((stream.vitality, stream.status))
            assert stream.crossed_at is None or stream.crossed_at <= now
        assert stream.crossed_at == instant
    active, gone = Status.ACTIVE, Status.FADED
    assert states == [
        (Vitality.ACTIVE, active),
        (Vitality.DECAYING, active),
        (Vitality.DECAYING, active),
        (Vitality.DORMANT, active),
        (Vitality.DORMANT, active),
        (Vitality.DORMANT, gone),
    ]
    assert [instant - last for _, instant in crossings][:2] == [timedelta(days=7), timedelta(days=30)]
    assert crossings[-1][1] > crossings[-2][1]


@pytest.mark.parametrize(("silent", "vitality"), [(8, "decaying"), (31, "dormant"), (400, "dormant")])
def test_new_evidence_wakes_at_once_from_each(live, silent, vitality):
    space = live()
    before = dreamt(space, *daily(10, kind=EventKind.COMMIT))
    space.dream(before.last_seen + timedelta(days=silent))
    asleep = space.stream("cache")
    assert asleep.vitality == vitality
    assert (asleep.status is Status.FADED) is (silent == 400)
    awake = dreamt(space, seen(before.last_seen + timedelta(days=silent)))
    assert (awake.vitality, awake.status, awake.crossed_at) == (Vitality.ACTIVE, Status.ACTIVE, None)
    assert awake.id == before.id
    assert rank(awake.phase) >= rank(before.phase)


def test_a_preference_protects_while_it_is_current_and_not_longer(live):
    space = live()
    stream = dreamt(space, an_event("Always show the diff", day(0), kind=EventKind.PREFERENCE, actor=Actor.USER))
    assert (stream.is_protected, stream.decay_class) == (True, DecayClass.PERMANENT)
    space.dream(day(4_000))
    assert (space.stream("cache").vitality, space.stream("cache").status) == (Vitality.DORMANT, Status.ACTIVE)
    taken_back = an_event("No longer: always show the diff", day(4_000), kind=EventKind.RETRACTION, actor=Actor.USER)
    assert not dreamt(space, taken_back).is_protected
    space.dream(day(8_000))
    assert space.stream("cache").status is Status.FADED


def test_an_intervention_and_a_pin_protect(live):
    ordered, pinned = live(), live()
    order = an_event("Never deploy without a backup", day(0), kind=EventKind.INTERVENTION, actor=Actor.USER)
    assert dreamt(ordered, order).is_protected
    dreamt(pinned, seen(day(0)))
    pinned.pin("cache", day(1))
    for space in (ordered, pinned):
        space.dream(day(4_000))
        assert (space.stream("cache").vitality, space.stream("cache").status) == (Vitality.DORMANT, Status.ACTIVE)
    pinned.unpin("cache", day(4_001))
    pinned.dream(day(4_001))
    assert pinned.stream("cache").status is Status.FADED


@pytest.mark.parametrize(
    ("asked", "expected", "years"),
    [
        (None, DecayClass.ACTIVE, None),
        (DecayClass.STABLE, DecayClass.STABLE, 1),
        (DecayClass.PERMANENT, DecayClass.PERMANENT, None),
    ],
)
def test_a_writer_may_ask_for_a_decay_class(live, asked, expected, years):
    """Stable takes four times as long to lose the same; permanent loses nothing, and is not protected for that."""
    plain, asking = live(), live()
    usual = dreamt(plain, *(seen(day(n)) for n in range(5)))
    stream = dreamt(asking, *(seen(day(n), decay=asked) for n in range(5)))
    assert (stream.decay_class, stream.is_protected) == (expected, False)
    fades = dict(crossings_ahead(stream, stream.last_seen, (), CALENDAR)).get("status:faded")
    usually = dict(crossings_ahead(usual, usual.last_seen, (), CALENDAR))["status:faded"]
    if expected is DecayClass.PERMANENT:
        assert fades is None
        asking.dream(day(4_000))
        assert asking.stream("cache").status is Status.ACTIVE
    else:
        assert (fades > usually) is (expected is DecayClass.STABLE)


@pytest.mark.parametrize(("asked", "hours"), [(DecayClass.SESSION, 24), (DecayClass.CHECKPOINT, 4)])
def test_a_claim_for_a_while_is_over_on_its_instant_and_not_before(live, asked, hours):
    space = live()
    dreamt(space, an_event("Tests are red", day(0), decay=asked), an_event("The cache is on", day(0)))
    end = day(0) + timedelta(hours=hours)
    for now, status in ((end - TICK, "current"), (end, "superseded")):
        space.dream(now)
        (claim,) = [claim for claim in space.store.claims() if claim.text == "Tests are red"]
        assert (claim.status, claim.valid_to) == (status, end)


def failures(first, count):
    return [
        an_event(f"It broke, {n}", day(first + n / 4), kind=EventKind.ERROR, outcome=0.0, session=f"f{n}")
        for n in range(count)
    ]


def test_a_doubtful_decision_never_becomes_canonical_and_one_that_is_stays(live):
    decision = an_event("Use the cache", day(0), kind=EventKind.DECISION)
    young, old = live(), live()
    stream = dreamt(young, decision, *failures(1, 30), *(seen(day(n)) for n in range(9, 36)))
    assert (stream.phase, stream.is_doubtful, stream.opposed) == (Phase.EMERGENT, True, 30)
    assert stream.coverage > 0.3
    assert stream.stability > 0.6
    assert stream.removal_cost > 0.5
    reached = dreamt(old, decision, *(seen(day(n)) for n in range(1, 28)))
    assert (reached.phase, reached.is_doubtful) == (Phase.CANONICAL, False)
    doubted = dreamt(old, *failures(30, 40))
    assert (doubted.phase, doubted.is_doubtful) == (Phase.CANONICAL, True)
    assert doubted.frequency == reached.frequency


def test_as_many_failures_as_support_leave_no_doubt_and_one_more_does(live):
    space = live()
    decision = an_event("Use the cache", day(0), kind=EventKind.DECISION)
    assert not dreamt(space, decision, seen(day(0.5)), *failures(1, 2)).is_doubtful
    assert dreamt(space, seen(day(2), kind=EventKind.ERROR, outcome=0.0)).is_doubtful
    assert not dreamt(space, seen(day(3))).is_doubtful
