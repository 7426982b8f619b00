"""Classes of targets about which something is said outright.

They are: decision, changed, corrected, preference, rare rule, doubtful.
"""

from dataclasses import replace

from dreamd.daemon.simulate.calendar import Calendar, day_of
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.values import Course, Happening, Says, Truth

FAILURES = 30
KEPT_DAYS = 75  # of a decision: from its delivery, and from its last evidence on
DECISIONS = (
    "Use {v} for the {n} cache",
    "Use {v} for the jobs of {n}",
    "Set the {n} timeout to {d} seconds",
    "Set the {n} retention to {d} days",
    "Go with {v} for the storage of {n}",
    "Deploy {n} with {v}",
)
FACTS = (
    "{n} listens on port {d}",
    "{n} stores its sessions in {v}",
    "The {n} backups are kept for {d} days",
    "The {n} leader is elected by {v}",
    "The {n} limit is {d} retries",
)
RULES = (
    "Never deploy {n} on a Friday without asking team {t}",
    "Always show {a} rows of {n} before changing any of them",
    "Answer questions about {n} with a link to {t}",
    "Run the {n} checks twice before telling {t}",
    "Keep the comments in {n} shorter than {a} words",
)
CONFIRMED = ("{n} has run with it for {a} hours", "The change to {n} held while {t} sent {a} requests")
USED = ("Followed the rule about {n} while working on {t}, step {a}", "Kept to the rule for {n} in {a} changes of {t}")
FAILED = ("{n} failed {b} of 1{a} requests of {t} with it", "{n} ran out of memory after {a} calls of {t}")


def decision(hand: Hand) -> Course:
    """One explicit decision, later confirmed 0 to 3 times."""
    first = _decide(hand, hand.start(60), hand.voice.pair(DECISIONS)[0])
    day = day_of(first.at)
    for _ in range(hand.chance.randint(0, 3)):
        day = hand.later(day, 3, 20)
        hand.session(day, [("result", hand.voice.fill(hand.chance.choice(CONFIRMED)))])
    return hand.course(
        _at_once(first),
        Truth(says=Says.KEPT_NIGHTLY, since=first.at, days=KEPT_DAYS),
        # 75 waking days; a pause only makes it longer.
        Truth(says=Says.LISTED, since=first.at, by=Calendar.end_of(day + KEPT_DAYS)),
    )


def changed(hand: Hand) -> Course:
    """A decision; 20 to 60 days later another value for the same slot."""
    old, new = hand.voice.pair(DECISIONS)
    first = _decide(hand, hand.start(61), old)
    second = _decide(hand, hand.later(day_of(first.at), 20, 60), new)
    return hand.course(
        _at_once(first),
        Truth(says=Says.CURRENT, texts=(new,), since=second.at),
        Truth(says=Says.NOT_CURRENT, texts=(old,), since=second.at),
        Truth(says=Says.SUPERSEDED, texts=(old,), since=second.at),
    )


def corrected(hand: Hand) -> Course:
    """A fact; later "that was wrong: ..." by the user."""
    old, new = hand.voice.pair(FACTS)
    (fact,) = hand.session(hand.start(41), [("observation", old)])
    day = hand.later(day_of(fact.at), 1, 40)
    (correction,) = hand.session(day, [("correction", f"That was wrong: {new}")], actor="user")
    return hand.course(
        Truth(says=Says.NOT_CURRENT, texts=(old,), since=correction.at),
        Truth(says=Says.RETRACTED, texts=(old,), since=correction.at),
    )


def preference(hand: Hand) -> Course:
    """One preference by the user, never repeated."""
    rule = _prefer(hand)
    return hand.course(
        _at_once(rule),
        Truth(says=Says.KEPT_NIGHTLY, since=rule.at),
        Truth(says=Says.CURRENT, texts=(rule.text,), since=rule.at),
    )


def rare_rule(hand: Hand) -> Course:
    """A preference by the user, then results that use it three times a month at random."""
    rule = _prefer(hand)
    first = day_of(rule.at) + 1
    for begin in range(first, hand.days + 1, 30):
        days = hand.calendar.working(begin, begin + 29)
        for day in sorted(hand.chance.sample(days, min(3, len(days)))):
            hand.session(day, [("result", hand.voice.fill(hand.chance.choice(USED)))])
    return hand.course(_at_once(rule), Truth(says=Says.KEPT_NIGHTLY, since=rule.at))


def doubtful(hand: Hand) -> Course:
    """A decision, then 30 failures over 15 to 45 days that oppose it, up to 8 successes among them."""
    first = _decide(hand, hand.start(53), hand.voice.pair(DECISIONS)[0])
    begin = hand.later(day_of(first.at), 1, 7)
    days = hand.calendar.working(begin, hand.later(begin, 15, 45))
    middle = ["failure"] * (FAILURES - 2) + ["success"] * hand.chance.randint(0, 8)
    hand.chance.shuffle(middle)
    places = sorted([days[0], days[-1], *(hand.chance.choice(days) for _ in middle)])
    for day, outcome in zip(places, ["failure", *middle, "failure"], strict=True):
        _tried(hand, day, outcome)
    return hand.course(
        _at_once(first),
        Truth(says=Says.NEVER_CANONICAL),
        Truth(says=Says.DOUBTFUL, since=max(happening.at for happening in hand.written)),
    )


def _tried(hand: Hand, day: int, outcome: str) -> None:
    template = FAILED if outcome == "failure" else CONFIRMED
    (tried,) = hand.session(day, [("result", hand.voice.fill(hand.chance.choice(template)))])
    hand.written[-1] = replace(tried, outcome=outcome)


def _decide(hand: Hand, day: int, text: str) -> Happening:
    return hand.session(day, [("decision", text)])[0]


def _prefer(hand: Hand) -> Happening:
    day = hand.start(2)
    return hand.session(day, [("preference", hand.voice.fill(hand.chance.choice(RULES)))], actor="user")[0]


def _at_once(first: Happening) -> Truth:
    """Named from its own evidence, though no night lies between."""
    return Truth(says=Says.EMERGENT, by=first.at)
