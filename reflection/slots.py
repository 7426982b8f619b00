"""Which question a statement answers, and with what: its slot and value.

Only functional predicates have a slot: those that hold for one value at a time, such as the port of a server. All
else may stand side by side, and by default a statement has none: "Use PostgreSQL" and "Add JSONB columns" never
conflict, and a test is not a setting. The registry below is data: one row per wording with an example, tried in
order, the first that fits decides. Subject and value are compared without case, articles and quotes.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

MAX_CLAUSE_LENGTH = 240  # characters; a longer first sentence is prose, not a setting
MAX_SUBJECT_WORDS = 7
MAX_VALUE_WORDS = 6


class Slot(NamedTuple):
    name: str  # predicate and subject, such as "use:task queue"
    value: str  # as written


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    predicate: str  # statements of one predicate and subject fill one slot, whatever their wording
    pattern: re.Pattern[str]  # groups: s (subject), v (value), old (the value that it ends)
    example: str


def _wording(predicate: str, pattern: str, example: str) -> Wording:
    return Wording(predicate=predicate, pattern=re.compile(pattern, re.IGNORECASE), example=example)


_UNIT = r"(?:ms|s|sec(?:onds?)?|min(?:utes?)?|h|hours?|d|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|%|percent|workers?|retries|times|replicas?|threads?|requests?(?: per \w+)?)"
# A value that fills its subject alone: a number with its unit, a time, a version, a switch, or something quoted.
_SCALAR = rf"(?:[~^v]?\d[\w.:/-]*(?: ?{_UNIT})?|(?:one|two|three|four|five|six|ten|twelve) {_UNIT}|enabled|disabled|on|off|true|false|`[^`]+`|\"[^\"]+\")"
# A subject that has one value whatever the value looks like.
_ATTRIBUTE = (
    r"(?:address|branch|broker|database|default|engine|format|host|interval|language|leader|level|license|lifetime|limit"
    r"|location|maintainer|name|owner|path|port|primary|provider|queue|region|schedule|size|timeout|timezone|ttl|url|version|window)"
)
_SHORT = r"[^\s,;]+(?: [^\s,;]+){0,5}?"

WORDINGS = (
    _wording("use", rf"(?:use|adopt|choose|pick|prefer) (?P<v>{_SHORT}) (?:for|as) (?P<s>.+)", "Use SQLite for the task queue"),
    _wording("use", rf"(?:go|went) with (?P<v>{_SHORT}) (?:for|as) (?P<s>.+)", "Go with Redis for sessions"),
    _wording("use", r"(?P<v>\S+(?: \S+)?) is (?:now )?used (?:for|as) (?P<s>.+)", "PostgreSQL is used for the task queue"),
    _wording(
        "use", rf"(?:switch|migrate|move) (?P<s>(?:the|our) .+?) (?:(?:over )?from (?P<old>{_SHORT}) )?to (?P<v>{_SHORT})",
        "Switch the task queue from SQLite to PostgreSQL",
    ),
    _wording(
        "use", rf"(?:switch(?:ed)?|migrated?|moved?) (?:from (?P<old>{_SHORT}) )?to (?P<v>{_SHORT}) (?:for|as) (?P<s>.+)",
        "Switch from SQLite to PostgreSQL for the task queue",
    ),
    _wording(
        "use", rf"replace (?P<old>{_SHORT}) (?:with|by) (?P<v>{_SHORT}) (?:for|as) (?P<s>.+)",
        "Replace SQLite with PostgreSQL for the task queue",
    ),
    _wording("with", r"(?P<s>(?:run|manage|do)(?: \w+)? migrations) with (?P<v>\S+)", "Run migrations with Alembic"),
    _wording(
        "with", r"(?P<s>(?:render|build|deploy|serve|parse|bundle|compile) [\w .-]+?) with (?P<v>(?!\S+ing$)\S+)", "Render PDFs with wkhtml"
    ),
    _wording("is", rf"(?:set|change|raise|lower|reduce|increase|limit|cap) (?P<s>.+?) (?:from (?P<old>{_SHORT}) )?to (?P<v>{_SCALAR})",
             "Raise the pool size from 10 to 20"),
    _wording("is", r"set (?!up )(?P<s>.+?) to (?P<v>(?!use |run |be )\S+(?: \S+){0,2})", "Set the log level to debug"),
    _wording("is", rf"change (?P<s>(?:the |our )?(?:.+ )?{_ATTRIBUTE}) to (?P<v>{_SHORT})", "Change the default branch to main"),
    _wording("is", rf"(?:keep|leave) (?P<s>.+?) at (?P<v>{_SCALAR})", "Keep the pool size at 20"),
    _wording("is", rf"(?P<s>[\w.-]+(?: [\w.-]+){{0,4}}) ?= ?(?P<v>{_SHORT})", "max_connections = 50"),
    _wording("starts at", r"(?P<s>.+?) (?:now )?(?:starts|runs|begins) at (?P<v>\d[\w:.]*(?: ?[ap]m)?(?: UTC)?)", "The import starts at 03:00"),
    _wording("listens on", r"(?P<s>.+?) (?:now )?listens on (?:port )?(?P<v>\S+)", "The API listens on port 8080"),
    _wording("expires after", rf"(?P<s>.+?) (?:now )?(?:expires?|times? out) after (?P<v>{_SCALAR})", "Sessions expire after 30 minutes"),
    _wording("is", rf"(?P<s>.+?) (?:is|are)(?: now| set to)* (?P<v>{_SCALAR})(?:,? not (?P<old>{_SHORT}))?",
             "The access token lifetime is 2 hours"),
    _wording("is", rf"(?P<s>(?:the|our) (?:.+ )?{_ATTRIBUTE}(?: (?:of|for) .+?)?) is (?:now )?(?P<v>(?!not\b|too\b|very\b){_SHORT})",
             "The default branch is main"),
    _wording("version", r"(?:bump|upgrade|update|pin)(?: dependency)? (?P<s>\S+)(?: from (?P<old>\S+))? to (?P<v>[\^~v]?\d\S*)",
             "Bump ruff from 0.4.10 to 0.5.0"),
)  # fmt: skip

# Words before the statement proper, which say that it is one.
_LEAD = re.compile(
    r"(?:no[,:.!]\s+|(?:decision|decided|correction|update|from now on|going forward|please|now|so|ok(?:ay)?|actually)[:,]?\s+"
    r"|(?:that|this|it|i) (?:was|is) (?:wrong|incorrect|not (?:correct|right|true))\s?[-–—:;,.]\s+"
    r"|(?:we|i)(?:'ll| will| should| must| now| have)?(?: decided to| agreed to| want to| are going to)?\s+(?=use|adopt|choose|pick|"
    r"prefer|switch|migrate|move|replace|set|keep|run|render|build|go\b|went|deploy)|let's\s+|to\s+(?=use)|always\s+)+",
    re.IGNORECASE,
)
# Where the statement ends and its reason or its next sentence begins.
_END = re.compile(
    r"[.!](?=\s|$)|;|\n|\s[-–—]\s|\s\(|,?\s(?:because|since|so that|so we|as it|as we|due to|which|until|unless|when|while)\s",
    re.IGNORECASE,
)
# ", not V" is one of two things that are weighed, unless it only narrows what was said.
_AND_NOT = r",\s(?:and\s)?not\s(?!(?:as|because|before|even|for|if|in|just|necessarily|on|only|to|until|when|while|with|yet)\b)"
_INSTEAD = re.compile(
    rf"(?:,?\s(?:instead of|rather than|over|in place of)\s|{_AND_NOT})(?P<old>[^\s,;]+(?: [^\s,;]+){{0,4}}?)"
    r"(?:,(?=\s(?:for|as)\s)|(?=\s(?:for|as|in|on)\s|[.,;!]|$))",
    re.IGNORECASE,
)
_NAMES_OLD = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer use|stop using|replaces?|replaced|(?:switch|switched|migrate|migrated|"
    r"move|moved)(?: \w+){0,5}? from)\s+(?:the\s+)?(?P<old>[^\s,;]+(?: [^\s,;]+){0,4}?)"
    r"(?=\s(?:with|by|to|for|as|in|on|because|since)\s|[.,;!]|\s*$)",
    re.IGNORECASE,
)
_ADOPTS_NOT = re.compile(
    rf"\b(?:use|adopt|choose|pick|prefer|go with)\s[^,;.]+{_AND_NOT}(?:the\s)?(?P<old>[^\s,;]+(?: [^\s,;]+){{0,4}}?)"
    r"(?=,?\s(?:for|as|in|on|because|since)\s|[.,;!]|\s*$)",
    re.IGNORECASE,
)
_ADOPTS = re.compile(
    rf"(?:use|adopt|choose|pick|prefer|go with|(?:switch|migrate|move)(?: from {_SHORT})? to|replace {_SHORT} (?:with|by)) "
    rf"(?P<v>{_SHORT})",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"\b(?:also|too|as well|additionally|in addition|(?<!, )not|never|n't|don't|no longer)\b", re.IGNORECASE
)
_PRONOUNS = frozenset({"he", "it", "she", "that", "there", "these", "they", "this", "those", "we", "which", "you"})
_NO_SUBJECT = re.compile(
    r":(?:\s|$)|\b(?:if|when|that|whether|should|must)\b"
)  # more than a thing: a clause of its own
_ARTICLE = re.compile(r"\b(?:the|our|an?|all)\s+", re.IGNORECASE)
_SIGNS = re.compile(r" for | as | is | are | to | at | with | on | after |=")  # every wording holds one of these


def slot_of(text: str) -> Slot | None:
    """The slot that `text` fills and its value; None for what may stand beside anything."""
    clause = _clause(text)
    if clause is None or _SIGNS.search(clause) is None or _BESIDE.search(clause) is not None:
        return None
    plain = _INSTEAD.sub("", clause)
    for wording in WORDINGS:
        match = wording.pattern.fullmatch(plain)
        if match is not None and (slot := _filled(wording.predicate, match)) is not None:
            return slot
    return None


def adopted_value(text: str) -> str | None:
    """What `text` takes into use: the value of its slot, or X of a bare "Use X"; as `value_key`."""
    slot = slot_of(text)
    if slot is not None:
        return value_key(slot.value)
    clause = _clause(text)
    if clause is None or _BESIDE.search(clause) is not None:
        return None
    match = _ADOPTS.fullmatch(_INSTEAD.sub("", clause))
    return value_key(match["v"]) if match else None


def ended_values(text: str) -> tuple[str, ...]:
    """The values that `text` names as given up ("instead of V", "from V to", "use X, not V"), as `value_key`, sorted."""
    found = {value_key(match["old"]) for names in (_NAMES_OLD, _ADOPTS_NOT) for match in names.finditer(text)}
    return tuple(sorted(value for value in found if value))


def value_key(value: str) -> str:
    """Equal keys are one value: without case, articles, quotes and end signs."""
    return " ".join(_ARTICLE.sub("", value.casefold()).strip(" .,;:!'\"`").split())


def _clause(text: str) -> str | None:
    """The first sentence without its lead and its reason; None if it is too long to be a setting."""
    start = text[: MAX_CLAUSE_LENGTH + 1].strip()
    lead = _LEAD.match(start)
    if lead is not None:
        start = start[lead.end() :]
    end = _END.search(start)
    clause = start[: end.start()] if end else start
    return " ".join(clause.split()) if 0 < len(clause) <= MAX_CLAUSE_LENGTH else None


def _filled(predicate: str, match: re.Match[str]) -> Slot | None:
    subject = value_key(match["s"])
    value = match["v"].strip(" .,;")
    if not subject or subject in _PRONOUNS or _NO_SUBJECT.search(subject) or not value_key(value):
        return None
    if len(subject.split()) > MAX_SUBJECT_WORDS or len(value.split()) > MAX_VALUE_WORDS:
        return None
    return Slot(f"{predicate}:{subject}", value)
