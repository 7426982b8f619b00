"""Classes of targets about what is one and what is two: twins, restated, spelled."""

from dataclasses import replace
from datetime import date, timedelta

from dreamd.daemon.simulate.calendar import START
from dreamd.daemon.simulate.course import Hand
from dreamd.daemon.simulate.names import made_up, spelled
from dreamd.daemon.simulate.values import Course, Says, Truth

# What two statements about one thing differ in, and a template with the place of the difference.
NUMBER = ("{n} keeps {v} days of logs", "{n} starts {v} workers at night", "The pool of {n} holds {v} connections")
NAME = ("{n} belongs to team {v}", "The alerts of {n} go to {v}", "{n} sends its invoices to {v}")
VERSION = ("{n} ships with libfrel {v}", "The build of {n} needs gelt {v}", "{n} speaks version {v} of the protocol")
DATE = ("The certificate of {n} ends on {v}", "{n} was moved to the new rack on {v}", "{n} loses support on {v}")
NEGATION = (
    ("{n} may be restarted during the day", "{n} may not be restarted during the day"),
    ("{n} can read the orders of {t}", "{n} cannot read the orders of {t}"),
    ("{n} is encrypted at rest", "{n} is not encrypted at rest"),
)
# One statement in five wordings that keep every number, name, polarity and content word.
WORDINGS = (
    (
        "{n} retries failed uploads {a} times before it gives up",
        "{n} retries the failed uploads {a} times before it gives up.",
        "Before it gives up, {n} retries failed uploads {a} times",
        "{n}: retries failed uploads {a} times, before it gives up",
        "It gives up after {n} retries failed uploads {a} times",
    ),
    (
        "{n} sends daily reports of {a} pages to {t}",
        "{n} sends the daily reports of {a} pages to {t}.",
        "To {t}, {n} sends daily reports of {a} pages",
        "Daily reports of {a} pages: {n} sends them to {t}",
        "{n} sends {t} its daily reports of {a} pages",
    ),
    (
        "{n} checks {a} passwords against the {t} list",
        "{n} checks its {a} passwords against the {t} list.",
        "Against the {t} list, {n} checks {a} passwords",
        "{n}: checks {a} passwords against {t} list",
        "It is {n} that checks {a} passwords against the {t} list",
    ),
)
AGAIN = (0, 2)  # how often each statement is repeated as it is
SPACING = (1, 9)  # days between two statements


def twins(hand: Hand) -> Course:
    """A pair of statements that differ in one number, negation, name, version or date."""
    pair = _pair(hand)
    said = [text for text in pair for _ in range(1 + hand.chance.randint(*AGAIN))]
    hand.chance.shuffle(said)
    _spread(hand, said)
    return hand.course(Truth(says=Says.APART, texts=pair))


def restated(hand: Hand) -> Course:
    """One statement in five wordings."""
    values = {"n": hand.name, "a": hand.chance.randint(2, 99), "t": made_up(hand.chance)}
    texts = tuple(wording.format(**values) for wording in hand.chance.choice(WORDINGS))
    said = list(texts)
    hand.chance.shuffle(said)
    _spread(hand, said)
    return hand.course(Truth(says=Says.TOGETHER, texts=texts, most=2))


def spelled_apart(hand: Hand) -> Course:
    """One target under three spellings."""
    names = spelled(hand.name)
    day = hand.start(30)
    for place in range(hand.chance.randint(3, 9)):
        hand.work(day, ["observation"])
        hand.written[-1] = replace(hand.written[-1], target=names[place % len(names)])
        day = hand.later(day, *SPACING)
    return hand.course(Truth(says=Says.ONE_STREAM, texts=names))


def _pair(hand: Hand) -> tuple[str, str]:
    differs = hand.chance.choice(("number", "negation", "name", "version", "date"))
    if differs == "negation":
        other = made_up(hand.chance)
        first, second = hand.chance.choice(NEGATION)
        return first.format(n=hand.name, t=other), second.format(n=hand.name, t=other)
    if differs == "version":
        major, minor, patch = (hand.chance.randint(1, 19) for _ in range(3))
        values: tuple[object, object] = (f"{major}.{minor}.{patch}", f"{major}.{minor + 1}.{patch}")
        return _filled(hand, VERSION, values)
    if differs == "date":
        first_day = date(START.year, 1, 1) + timedelta(days=hand.chance.randint(0, 300))
        return _filled(hand, DATE, (first_day, first_day + timedelta(days=hand.chance.randint(1, 60))))
    if differs == "name":
        return _filled(hand, NAME, hand.voice.two_names())
    return _filled(hand, NUMBER, hand.voice.two_numbers())


def _filled(hand: Hand, templates: tuple[str, ...], values: tuple[object, object]) -> tuple[str, str]:
    template = hand.chance.choice(templates)
    return template.format(n=hand.name, v=values[0]), template.format(n=hand.name, v=values[1])


def _spread(hand: Hand, said: list[str]) -> None:
    day = hand.start(40)
    for text in said:
        hand.session(day, [("observation", text)])
        day = hand.later(day, *SPACING)
