"""The shapes that a place in a wording can have: what fits into it, as a pattern, in words and with an example.

None has a group of its own, and none holds a repetition within a repetition that could fit in two ways.
"""

from dataclasses import dataclass

UNIT = (
    r"(?:ms|s|sec(?:onds?)?|min(?:utes?)?|h|hours?|d|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|%|percent|workers?"
    r"|retries|times|replicas?|threads?|requests?(?: per \w+)?)"
)
# A value that fills its subject alone: a number with its unit, a time, a version, a switch, or something quoted.
_SCALAR = (
    rf"(?:[~^v]?\d[\w.:/-]*(?: ?{UNIT})?|(?:one|two|three|four|five|six|ten|twelve) {UNIT}|enabled|disabled|on|off"
    r"|true|false|`[^`]+`|\"[^\"]+\")"
)
# A subject that has one value whatever the value looks like.
ATTRIBUTE = (
    r"(?:address|branch|broker|database|deadline|default|engine|format|host|interval|language|leader|level|license"
    r"|lifetime|limit|location|maintainer|name|owner|path|port|primary|provider|queue|region|schedule|size|timeout"
    r"|timezone|ttl|url|version|window)"
)
_SHORT = r"[^\s,;]+(?: [^\s,;]+){0,5}?"
_DEEDS = ("render", "build", "deploy", "serve", "parse", "bundle", "compile")
_VERSION = (
    r"(?:[\^~<>=v]*\d[\w.+-]*|(?=[a-f]*\d)[0-9a-f]{7,40})"
    r"(?: (?:alpha|beta|rc|next|prerelease|pre-release|final|stable|lts))?"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?: \d{{4}})?|\d{{1,2}}\.? {_MONTH}(?: \d{{4}})?|today"
    r"|tomorrow|(?:next |this |the )?(?:end of )?(?:next |this |the )?[a-z]+(?: quarter)?)"
)
_CAPITAL = r"(?-i:[A-Z0-9][\w.&+'-]*(?: (?:of|de|the|and|[A-Z0-9][\w.&+'-]*)){0,3})"


@dataclass(frozen=True, slots=True)
class Shape:
    pattern: str
    text: str  # what fits, for a person


SHAPES = {
    "any": Shape(".+?", "any words"),
    "short": Shape(_SHORT, "one to six words without comma"),
    "word": Shape(r"\S+", "one word"),
    "two": Shape(r"\S+(?: \S+)?", "one or two words"),
    "setting": Shape(r"(?!use |run |be )\S+(?: \S+){0,2}", "one to three words that are no verb"),
    "thing": Shape(r"(?!\S+ing$)\S+", "one word that is no deed (caching)"),
    "said": Shape(rf"(?!not\b|too\b|very\b|a\b|an\b){_SHORT}", "one to six words that do not say how much"),
    "scalar": Shape(_SCALAR, "a number with or without unit, a time, a version, a switch (on, disabled), a quotation"),
    "number": Shape(r"\d+", "a whole number"),
    "version": Shape(_VERSION, "a version, a range (^1.2) or the beginning of a digest"),
    "versions": Shape(rf"(?:\S+ )?{_VERSION}", "a version, with or without a name before it"),
    "package": Shape(r"(?!to )[^\s:]+(?: [^\s:]+){0,4}?", "one to five words"),
    "clock": Shape(r"\d[\w:.]*(?: ?[ap]m)?(?: UTC)?", "a time of day"),
    "date": Shape(_DATE, "a date, or a day named from now"),
    "name": Shape(_CAPITAL, "a name: one to four words with capitals"),
    "person": Shape(rf"(?:i|we|the user|{_CAPITAL})", "I, we, the user, or a name"),
    "one_person": Shape(rf"(?:i|the user|{_CAPITAL})", "I, the user, or a name"),
    "ours": Shape(r"(?:the|our) .+?", "words that begin with `the` or `our`"),
    "key": Shape(r"[\w.-]+(?: [\w.-]+){0,4}", "one to five plain words"),
    "no_up": Shape(r"(?!up ).+?", "any words but `up ...`"),
    "attribute": Shape(rf"(?:the |our )?(?:.+ )?{ATTRIBUTE}", "words that end with port, owner, timeout and the like"),
    "the_attribute": Shape(
        rf"(?:the|our) (?:.+ )?{ATTRIBUTE}(?: (?:of|for) .+?)?",
        "the same after `the` or `our`, also with `of` or `for` something",
    ),
    "deed": Shape(
        rf"(?:(?:run|manage|do)(?: \w+)? migrations|(?:{'|'.join(_DEEDS)}) [\w .-]+?)",
        "what is done: render, build, deploy, serve, parse, bundle, compile something, run migrations",
    ),
}


def anchored(shape: str) -> frozenset[str]:
    """Words of which one begins whatever has this `shape`; none for most."""
    return frozenset({*_DEEDS, "run", "manage", "do"}) if shape == "deed" else frozenset()
