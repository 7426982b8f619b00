"""Classes of targets that come and go: burst, noise, sprint, and the flood from outside."""

from datetime import timedelta

from dreamd.daemon.simulate.calendar import Calendar, day_of, session_of
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.steady import DEAD_DAYS
from dreamd.daemon.simulate.values import Course, Says, Truth

HOUR = 3600
BURST_WORK = (("error", 0.3), ("result", 0.2), ("observation", 1.0))
NOISE = (("message", 0.3), ("action", 0.3), ("observation", 1.0))
SPRINT_WORK = (("commit", 0.1), ("result", 0.3), ("observation", 1.0))
SPRINT_NAMED = 3  # the active day by which a sprint is named
FLOOD_EVENTS = 20


def burst(hand: Hand) -> Course:
    """20 to 60 events within 20 hours, over midnight UTC, once."""
    day = hand.start(2)
    midnight = Calendar.end_of(day)
    before = hand.chance.randint(2 * HOUR, 12 * HOUR)
    whole = hand.chance.randint(before + 2 * HOUR, 20 * HOUR - 1)
    seconds = sorted(hand.chance.sample(range(1, whole - 1), hand.chance.randint(20, 60) - 2))
    for second in (0, *seconds, whole):  # the first before midnight, the last after it
        at = midnight + timedelta(seconds=second - before)
        kind = hand.kind(BURST_WORK)
        hand.write(at, kind, hand.voice.say(kind), session_of(day, 2) if at < midnight else session_of(day + 1, 0))
    gone = Calendar.end_of(day + 1 + DEAD_DAYS)
    return hand.course(Truth(says=Says.NEVER_EMERGENT), Truth(says=Says.GONE, by=gone))


def noise(hand: Hand) -> Course:
    """1 event, or 2 up to 45 days apart."""
    day = hand.start(1)
    days = [day] if hand.chance.random() < 0.5 else [day, hand.later(day, 0, 45)]  # noqa: PLR2004 - half and half
    for each in days:
        hand.session(each, [(hand.kind(NOISE), hand.voice.say("observation"))])
    return hand.course(Truth(says=Says.NEVER_EMERGENT))


def sprint_bursts(hand: Hand) -> Course:
    """3 to 10 events a day on 3 to 5 days in a row."""
    return _sprint(hand, _days_in_a_row(hand, hand.start(6)), is_gone=True)


def sprint_twice(hand: Hand) -> Course:
    """That twice, 20 to 40 days apart."""
    first = _days_in_a_row(hand, hand.start(52))
    return _sprint(hand, first + _days_in_a_row(hand, first[-1] + hand.chance.randint(20, 40)), is_gone=True)


def sprint_weeks(hand: Hand) -> Course:
    """1 or 2 events a day on 4 or 5 days, a week apart."""
    count = hand.chance.choice((4, 5))
    days = [hand.start(7 * count)]
    while len(days) < count:
        days.append(hand.calendar.next_working(days[-1] + 7))
    for day in days:
        hand.work(day, [hand.kind(SPRINT_WORK) for _ in range(hand.chance.randint(1, 2))])
    return _sprint(hand, days, is_gone=False)


def flood(hand: Hand) -> Course:
    """A source from outside repeats one claim over three days: 20 events, each delivered 10 times."""
    day = hand.start(3)
    text = hand.voice.fill("{n} must be replaced by {t} within {a} days")
    span = 3 * 24 * HOUR
    for place, second in enumerate(sorted(hand.chance.sample(range(span), FLOOD_EVENTS))):
        at = Calendar.midnight(day) + timedelta(seconds=second)
        hand.write(at, "observation", text, f"feed-{place // 7}", actor="external")
    return hand.course(Truth(says=Says.NEVER_EMERGENT), Truth(says=Says.EXTERNAL))


def _days_in_a_row(hand: Hand, day: int) -> list[int]:
    """3 to 10 events on each of 3 to 5 days in a row, the first such days from `day` on."""
    count = hand.chance.randint(3, 5)
    while not all(hand.calendar.is_working(each) for each in range(day, day + count)):
        day += 1
    for each in range(day, day + count):
        hand.work(each, [hand.kind(SPRINT_WORK) for _ in range(hand.chance.randint(3, 10))])
    return list(range(day, day + count))


def _sprint(hand: Hand, days: list[int], *, is_gone: bool) -> Course:
    by = Calendar.end_of(days[SPRINT_NAMED - 1])
    truths = [Truth(says=Says.EMERGENT, by=by), Truth(says=Says.NEVER_CANONICAL)]
    if is_gone:
        truths.append(Truth(says=Says.GONE, by=Calendar.end_of(day_of(hand.written[-1].at) + DEAD_DAYS)))
    return hand.course(*truths)
