"""Signs and units of a text: what stands about a number and is no word, `>= 17`, `-5`, `30 ms`, `5 %`."""

import re
from collections import Counter
from functools import lru_cache

_SIGN = re.compile(r"[=-]+>|<-+|[<>=!]=+|[<>=~≈±≠≤≥]|\+/-|(?<![^\s(\[])!(?=\w)")
_SIGNS = {"≠": "!=", "≤": "<=", "≥": ">=", "≈": "~", "+/-": "±", "==": "=", "===": "=", "!==": "!="}
# A minus or plus belongs to its number unless something stands right before it, as in `5-10` and `v-5`.
_MEASURE = re.compile(
    r"(?:(?<![\w)\]+.-])([-+]))?(?<![\w.])(\d+(?:[.,]\d+)*)[ -]?(°[CF]?|[%‰€$£]|per cent(?!\w)|[^\W\d_]+(?!\w))?"
)
# fmt: off
_UNITS = frozenset(
    {
        "ns", "us", "µs", "μs", "ms", "s", "m", "min", "h", "d", "w", "y", "k", "K", "M", "G", "T", "P", "B",
        "b", "kB", "KB", "MB", "GB", "TB", "PB", "kb", "Kb", "Mb", "Gb", "Tb", "KiB", "MiB", "GiB", "TiB",
        "Ki", "Mi", "Gi", "Ti", "kbps", "Mbps", "Gbps", "mm", "cm", "km", "ft", "nm", "kg", "g", "mg", "t",
        "lb", "oz", "l", "ml", "L", "mL", "Hz", "kHz", "MHz", "GHz", "V", "mV", "W", "kW", "kWh", "MW", "A",
        "mA", "dB", "px", "pt", "em", "rem", "vh", "vw", "fps", "rpm", "rps", "qps", "x", "am", "pm", "C",
        "F", "bp", "bps", "pp",
    }
)
# fmt: on
_SPELLED = {
    form: unit
    for unit, forms in {
        "%": "percent pct percentage",
        "ns": "nanosecond nanoseconds",
        "µs": "us μs microsecond microseconds",
        "ms": "msec msecs millisecond milliseconds",
        "s": "sec secs second seconds",
        "min": "mins minute minutes",
        "h": "hr hrs hour hours",
        "d": "day days",
        "w": "week weeks",
        "y": "yr yrs year years",
        "month": "months",
        "B": "byte bytes",
        "kB": "KB kilobyte kilobytes",
        "MB": "megabyte megabytes",
        "GB": "gigabyte gigabytes",
        "TB": "terabyte terabytes",
        "bit": "bits",
        "°": "degree degrees",
        "pm": "p.m",
    }.items()
    for form in (unit, *forms.split())
} | {"per cent": "%"}


@lru_cache(maxsize=16_384)
def signs_of(text: str) -> Counter[str]:
    """The signs that compare or negate, each in one form; not to be changed."""
    return Counter(_SIGNS.get(sign, sign) for sign in _SIGN.findall(text))


@lru_cache(maxsize=16_384)
def measures_of(text: str) -> dict[str, frozenset[str]]:
    """Each number with its signs and units, `""` for one that stands bare; not to be changed."""
    found: dict[str, set[str]] = {}
    for sign, number, unit in _MEASURE.findall(text):
        found.setdefault(number.replace(",", ""), set()).add(("-" if sign == "-" else "") + _unit(unit))
    return {number: frozenset(measures) for number, measures in found.items()}


def _unit(word: str) -> str:
    if word in _UNITS or word == "per cent" or not word.isalpha():
        return _SPELLED.get(word, word)
    lowered = word.lower()
    return _SPELLED.get(lowered, lowered if lowered in ("am", "pm") else "")
