"""Classes of targets that agents come back to: daily, weekly, monthly, seasonal, dropped."""

from dreamd.daemon.simulate.calendar import Calendar, day_of
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.values import Course, Happening, Says, Truth

ACTIVE_SHARE = 0.6  # of the working days of daily work
WORK = (("commit", 1 / 3), ("error", 0.1), ("result", 0.2), ("observation", 1.0))
RARE_WORK = (("result", 0.4), ("observation", 1.0))
DEAD_DAYS = 100  # after its last event, what is dead is gone
MONTH = 30
MONTHLY_NAMED = 3  # the active day by which a monthly target is named


def daily(hand: Hand) -> Course:
    """1 to 4 events on 60 % of working days, over the whole history; a third commits, 10 % errors."""
    _daily_work(hand, 1, hand.days, (1, 4))
    return hand.course(
        Truth(says=Says.CANONICAL, by=Calendar.end_of(45)), Truth(says=Says.KEPT, since=Calendar.midnight(1))
    )


def weekly(hand: Hand) -> Course:
    """2 to 4 events on one day a week, +-1 day, from the first week."""
    usual = hand.chance.randint(1, 3)  # Tuesday to Thursday
    for monday in range(1, hand.days + 1, 7):
        moved = hand.chance.choice((-1, 0, 1))
        if hand.calendar.is_working(monday + usual + moved):
            _work(hand, monday + usual + moved, (2, 4))
    return hand.course(
        Truth(says=Says.CANONICAL, by=Calendar.end_of(75)), Truth(says=Says.KEPT, since=Calendar.midnight(1))
    )


def monthly(hand: Hand) -> Course:
    """1 to 3 events on one day in 20 to 40, from the first month."""
    days = [hand.chance.choice(hand.calendar.working(1, MONTH))]
    while days[-1] < hand.days or len(days) < MONTHLY_NAMED:
        days.append(hand.later(days[-1], 20, 40))
    for day in days:
        hand.work(day, [hand.kind(RARE_WORK) for _ in range(hand.chance.randint(1, 3))])
    third = days[MONTHLY_NAMED - 1]
    return hand.course(
        Truth(says=Says.EMERGENT, by=Calendar.end_of(third)), Truth(says=Says.KEPT, since=Calendar.midnight(third))
    )


def seasonal(hand: Hand) -> Course:
    """Two active weeks, 75 to 100 days of silence, two active weeks."""
    first = hand.start(14 + 100 + 14)
    before = _daily_work(hand, first, first + 13, (1, 4))
    again = hand.later(day_of(before[-1].at), 75, 100)
    _work(hand, again, (1, 4))
    _daily_work(hand, again + 1, again + 13, (1, 4))
    texts = tuple(happening.text for happening in before[:3])
    return hand.course(Truth(says=Says.WAKES, since=Calendar.midnight(again), texts=texts))


def dropped(hand: Hand) -> Course:
    """Daily for 30 to 60 days from the first week on, then nothing; half of them with a retraction at the end."""
    first = hand.chance.choice(hand.calendar.working(1, 7))
    last = first + hand.chance.randint(30, 60) - 1
    # "Daily" is on all working days.
    for day in hand.calendar.working(first, last):
        hand.work(day, [hand.kind(RARE_WORK) for _ in range(hand.chance.randint(1, 3))])
    if hand.chance.random() < 0.5:  # noqa: PLR2004 - half of them
        end = hand.calendar.next_working(last + 1)
        hand.session(end, [("retraction", f"{hand.name} is retired; everything about {hand.name} is obsolete")])
    gone = Calendar.end_of(day_of(hand.written[-1].at) + DEAD_DAYS)
    return hand.course(Truth(says=Says.GONE, by=gone), Truth(says=Says.ARCHIVED, by=gone))


def _daily_work(hand: Hand, first: int, last: int, counts: tuple[int, int]) -> list[Happening]:
    """Work on 60 % of the working days from `first` to `last`, and on `first` itself if that is one."""
    for day in hand.calendar.working(first, last):
        if hand.chance.random() < ACTIVE_SHARE or not hand.written:
            _work(hand, day, counts)
    return list(hand.written)


def _work(hand: Hand, day: int, counts: tuple[int, int]) -> None:
    hand.work(day, [hand.kind(WORK) for _ in range(hand.chance.randint(*counts))])
