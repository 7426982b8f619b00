"""The class of targets that broke and were fixed."""

from dreamd.daemon.simulate.calendar import SESSIONS, Calendar, instants, session_of
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.values import Course, Says, Truth

WEEK = 7
ERROR_DAYS = 3  # at least; after the third it is named
CAUSES = ("a stale lock of {t}", "a timeout of {a} ms", "a buffer of {a} bytes", "a missing index in {t}")


def fixed(hand: Hand) -> Course:
    """3 to 8 errors in a week, on three days or more; a fix in the session of the last; then success weekly."""
    first = hand.start(14)
    days: list[int] = []
    while len(days) < ERROR_DAYS:  # a week before a pause may be too short
        days = hand.calendar.working(first, first + WEEK - 1)
        first += 1
    count = hand.chance.randint(3, 8)
    of_errors = sorted(hand.chance.sample(days, hand.chance.randint(ERROR_DAYS, min(count, len(days)))))
    placed = sorted([*of_errors, *(hand.chance.choice(of_errors) for _ in range(count - len(of_errors)))])
    last = placed[-1]
    for day in of_errors[:-1]:
        hand.work(day, ["error"] * placed.count(day))
    fix = _repair(hand, last, placed.count(last))
    for monday in range(last - (last - 1) % WEEK + WEEK, hand.days + 1, WEEK):
        if week := hand.calendar.working(monday, monday + WEEK - 1):
            hand.work(hand.chance.choice(week), ["result"])
    return hand.course(
        Truth(says=Says.EMERGENT, by=Calendar.end_of(of_errors[ERROR_DAYS - 1] + 1)),
        Truth(says=Says.LESSON, texts=(fix,), since=Calendar.midnight(last)),
    )


def _repair(hand: Hand, day: int, errors: int) -> str:
    """The last errors, the fix and the first success, in one session; gives the fix."""
    part = hand.chance.randrange(len(SESSIONS))
    at = instants(hand.chance, day, part, errors + 2)
    session = session_of(day, part)
    for instant in at[:errors]:
        hand.write(instant, "error", hand.voice.say("error"), session)
    fix = hand.voice.fill(f"fix({{s}}): remove {hand.chance.choice(CAUSES)}")
    hand.write(at[-2], "commit", fix, session)
    hand.write(at[-1], "result", hand.voice.say("result"), session)
    return fix
