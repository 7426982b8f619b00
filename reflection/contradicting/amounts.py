"""Equal values in other words: `2 hours`, `2h` and `120 minutes` are one value, `v1.2` and `1.2` are one version.

Only what fills a slot is compared so; claims and groups never are.
"""

import re

_SECONDS = {
    "ms": 0.001, "s": 1, "sec": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "d": 86_400,
    "day": 86_400, "week": 604_800,
}  # fmt: skip
_BYTES = {
    "byte": 1,
    "kb": 1e3,
    "mb": 1e6,
    "gb": 1e9,
    "tb": 1e12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "twelve": 12, "a": 1, "an": 1}
_AMOUNT = re.compile(r"(?P<number>\d+(?:\.\d+)?|[a-z]+) ?(?P<unit>[a-z%]+)")
_ARTICLE = re.compile(r"\b(?:the|our|an?|all)\s+")
_VERSION = re.compile(r"v(?=\d)")


def value_key(value: str) -> str:
    """Equal keys are one value: without case, articles, quotes and end signs; amounts in one unit."""
    plain = value.casefold().strip(" .,;:!'\"`")
    amount = _AMOUNT.fullmatch(plain)
    if amount is not None and (measured := _measured(amount["number"], amount["unit"])) is not None:
        return measured
    return _words(plain).removeprefix("v") if _VERSION.match(plain) else _words(plain)


def _words(plain: str) -> str:
    return " ".join(_ARTICLE.sub("", plain).split())


def _measured(number: str, unit: str) -> str | None:
    count = _NUMBERS.get(number)
    if count is None and not number[0].isdigit():
        return None
    amount = float(number) if count is None else count
    single = unit if unit in _SECONDS or unit in _BYTES else unit.removesuffix("s")
    if single in _SECONDS:
        return f"{amount * _SECONDS[single]:g} s"
    if single in _BYTES:
        return f"{amount * _BYTES[single]:.12g} bytes"
    return f"{amount:g} {single}" if number[0].isdigit() or count else None
