"""Names of services, teams and tools that nobody has: put together from syllables, no two targets alike."""

from random import Random

_FIRST = (
    *("Bra", "Cor", "Del", "Dra", "Fen", "Gal", "Hul", "Jor", "Kel", "Lum", "Mar", "Nor"),
    *("Orv", "Pel", "Quo", "Ras", "Sel", "Tam", "Ulv", "Vex", "Wen", "Yar", "Zem"),
)
_SECOND = ("ba", "chi", "da", "fi", "go", "ka", "li", "mo", "ni", "po", "ra", "su", "ti", "vo", "xa", "zu")
_THIRD = ("dar", "fex", "lin", "mir", "nok", "pan", "ros", "tal", "vik", "zon")
_PARTS = ("gateway", "ledger", "mailer", "indexer", "broker", "planner", "router", "archive", "catalog", "scheduler")


def service_names(seed: str, count: int) -> list[str]:
    """`count` different names such as "Norvix ledger", each with a first word of its own as long as there are such."""
    chance = Random(f"{seed}/names")
    words = [first + second + third for first in _FIRST for second in _SECOND for third in _THIRD]
    chance.shuffle(words)
    names = [f"{words[place % len(words)]} {_PARTS[(place // len(words) * 7 + place) % 10]}" for place in range(count)]
    if len({name.casefold() for name in names}) < count:
        raise ValueError(f"{count} names were wanted; there are only {len(words) * len(_PARTS)}")
    return names


def made_up(chance: Random, taken: tuple[str, ...] = ()) -> str:
    """The name of a tool or team, other than those `taken`."""
    while True:
        name = chance.choice(_THIRD).capitalize() + chance.choice(_SECOND) + chance.choice(("x", "l", "n", "r"))
        if name not in taken:
            return name


def spelled(name: str) -> tuple[str, str, str]:
    """Three spellings of a name of two words that differ in case, separators and humps only."""
    first, second = name.split(" ")
    return name, f"{first.lower()}-{second}", f"{first[0].lower()}{first[1:]}{second.capitalize()}"
