"""Which statement ends which: three verbs kept apart (design, section 6).

*supersede*: the world changed. *retract*: it was never true, or was taken back. Only what was said outright ends
anything, and only what it names, what fills the same slot with another value, or what it negates. All else stands
side by side. The closures of a stream are a function of the set of its events; the cost is near-linear, for
statements meet only in their slot, their polarity or their value.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.findings import Closure, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.polarity import polarity_of, stem
from dreamd.reflection.slots import adopted_value, ended_values, value_key
from dreamd.reflection.text_keys import text_key

CORRECTED_SHARE = 0.6  # of the content words of a statement that a correction must repeat to be about it
CORRECTED_MARGIN = 0.15  # by which it must repeat more of it than of the second best
MIN_QUOTED_WORDS = 2  # a quotation shorter than this names no statement

_WORD = re.compile(r"[^\W_]+(?:[.:'/-][^\W_]+)*")
_QUOTE = re.compile(r"\"([^\"]+)\"|“([^”]+)”|`([^`]+)`")
_CLAIM_ID = re.compile(r"\bcl_[0-9a-f]{16}\b")
_PLAIN = frozenset(
    [
        "a",
        "all",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "did",
        "do",
        "does",
        "drop",
        "dropped",
        "forget",
        "forgotten",
        "for",
        "from",
        "gone",
        "had",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "longer",
        "need",
        "needed",
        "never",
        "no",
        "not",
        "obsolete",
        "of",
        "on",
        "or",
        "our",
        "outdated",
        "ours",
        "retire",
        "retired",
        "so",
        "stale",
        "that",
        "the",
        "their",
        "then",
        "there",
        "they",
        "this",
        "to",
        "too",
        "use",
        "used",
        "was",
        "we",
        "were",
        "will",
        "with",
        "wrong",
    ]
)
_ENDERS = (EventKind.DECISION, EventKind.PREFERENCE, EventKind.INTERVENTION, EventKind.CORRECTION)


def closures(events: Sequence[Event], statements: Sequence[Statement]) -> tuple[Closure, ...]:
    """What the events of one stream end, sorted. `statements` are theirs; a retraction has none."""
    if not any(event.kind in _ENDERS or event.kind is EventKind.RETRACTION for event in events):
        return ()
    by_event = {statement.event: statement for statement in statements}
    told = _Told()
    found: set[Closure] = set()
    waiting: list[Statement] = []  # of the instant being read: what is said at once ends nothing of it
    instant = None
    for event in sorted(events, key=lambda event: (event.at, event.id)):
        if event.at != instant:
            instant = event.at
            for said in waiting:
                told.add(said)
            waiting.clear()
        statement = by_event.get(event.id)
        if event.kind is EventKind.RETRACTION:
            found.update(_retracted(event, told))
        elif statement is not None and statement.is_explicit and event.kind in _ENDERS:
            found.update(_ended(event, statement, told))
        if statement is not None:
            waiting.append(statement)
    return tuple(sorted(found, key=lambda closure: (closure.by, closure.text_key, closure.verb)))


def named_claim_ids(text: str) -> tuple[str, ...]:
    """The ids of claims that `text` names."""
    return tuple(sorted(set(_CLAIM_ID.findall(text))))


@dataclass(frozen=True, slots=True)
class _Old:
    statement: Statement
    words: frozenset[str]
    is_negated: bool


class _Told:
    """What was said so far, found by slot, polarity and value."""

    def __init__(self) -> None:
        self.by_key: dict[str, _Old] = {}
        self.by_slot: dict[str, list[Statement]] = defaultdict(list)
        self.by_polarity: dict[str, list[_Old]] = defaultdict(list)
        self.by_value: dict[str, list[Statement]] = defaultdict(list)

    def add(self, statement: Statement) -> None:
        if statement.text_key in self.by_key:
            return
        polarity = polarity_of(statement.text)
        old = _Old(statement, _content(statement.text), polarity.is_negated)
        self.by_key[statement.text_key] = old
        self.by_polarity[polarity.words].append(old)
        if statement.slot is not None:
            self.by_slot[statement.slot].append(statement)
        if (value := adopted_value(statement.text)) is not None:
            self.by_value[value].append(statement)


def _ended(event: Event, statement: Statement, told: _Told) -> Iterable[Closure]:
    verb = "retract" if event.kind is EventKind.CORRECTION else "supersede"
    hits: dict[str, str] = {}
    for old in _quoted(event.text, told):
        hits.setdefault(old, "names it")
    for value in ended_values(event.text):
        for named in told.by_value.get(value, ()):
            hits.setdefault(named.text_key, "names it")
    if statement.slot is not None:
        for other in told.by_slot.get(statement.slot, ()):
            if value_key(other.value or "") != value_key(statement.value or ""):
                hits.setdefault(other.text_key, "same slot")
    polarity = polarity_of(statement.text)
    if polarity.words:
        for opposite in told.by_polarity.get(polarity.words, ()):
            if opposite.is_negated != polarity.is_negated:
                hits.setdefault(opposite.statement.text_key, "negates it")
    if event.kind is EventKind.CORRECTION and not hits and (best := _best(event.text, told)) is not None:
        hits[best] = "correction"
    for key, rule in hits.items():
        if key != statement.text_key:
            yield Closure(by=event.id, text_key=key, verb=verb, rule=rule)


def _retracted(event: Event, told: _Told) -> Iterable[Closure]:
    """What a retraction names; if it only names the target, all that was said about it."""
    keys = list(_quoted(event.text, told))
    if not keys and not (_content(event.text) <= _content(event.target or "")):
        polarity = polarity_of(event.text)
        keys = [
            old.statement.text_key
            for old in told.by_polarity.get(polarity.words, ())
            if old.is_negated != polarity.is_negated
        ]
        if not keys and (best := _best(event.text, told)) is not None:
            keys = [best]
    for key in keys or list(told.by_key):
        yield Closure(by=event.id, text_key=key, verb="retract", rule="retraction")


def _quoted(text: str, told: _Told) -> Iterable[str]:
    for match in _QUOTE.finditer(text):
        key = text_key(next(group for group in match.groups() if group is not None))
        if key in told.by_key and len(key.split()) >= MIN_QUOTED_WORDS:
            yield key
    whole = text_key(text)
    if whole in told.by_key:
        yield whole


def _best(text: str, told: _Told) -> str | None:
    """The one statement most of whose words `text` repeats, by a clear margin; None if there is no such one."""
    words = _content(text)
    ranked = sorted(
        ((len(old.words & words) / len(old.words), key) for key, old in told.by_key.items() if old.words), reverse=True
    )
    if not ranked or ranked[0][0] < CORRECTED_SHARE:
        return None
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CORRECTED_MARGIN:
        return None
    return ranked[0][1]


def _content(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text.replace("_", " ")))
    return frozenset(stem(word) for word in words if word not in _PLAIN)
