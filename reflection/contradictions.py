"""Which statement ends which: three verbs kept apart (design, section 6).

*supersede*: the world changed. *retract*: it was never true, or was taken back. Only what was said outright ends
anything, and only what it names, what fills the same slot with another value, or what it negates. All else stands
side by side: silence of the rules keeps both. The closures of a stream are a function of the set of its events; the
cost is near-linear, for statements meet only in their slot, their polarity, their value or their opening words.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from dreamd.lifecycle import ids
from dreamd.lifecycle.findings import Closure, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.polarity import Polarity, polarity_of, stem
from dreamd.reflection.slots import adopted_value, ended_values, value_key
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key

# What a correction or retraction must repeat of a statement's content words to be about it.
MIN_OVERLAP = 0.6  # share of them
MIN_SHARED_WORDS = 2
MIN_MARGIN = 0.15  # over the second best; below it nobody can tell which one was meant
MIN_CONTAINED_WORDS = 3  # an unquoted text shorter than this is contained by chance

_WORD = re.compile(r"[^\W_]+(?:[.:/+#'-]+[^\W_]+)*[+#%]*")
_QUOTE = re.compile(r"\"([^\"]+)\"|“([^”]+)”|`([^`]+)`")
_CLAIM_ID = re.compile(r"\bcl_[0-9a-f]{16}\b")
_ENDS = re.compile(
    r"\b(?:instead of|rather than|replac\w+|supersed\w+|overrul\w+|revok\w+|withdraw\w*|obsolete|no longer"
    r"|not any ?more|drop(?:s|ped)?|wrong)\b",
    re.IGNORECASE,
)
_QUOTE_SIGNS = "\"'`“”(),:;"
# Whatever a slot held before this many outright statements was ended by one of them, unless all were refused.
MAX_REFUSED = 32
MAX_OCCURRENCE = 8  # a statement that came back more often than this is not found by the id of its later claims
# Words that carry no content of a statement.
# fmt: off
_PLAIN = frozenset(
    {
        "a", "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "because", "been", "but",
        "by", "did", "do", "does", "for", "from", "had", "has", "have", "if", "in", "into", "is", "it", "its",
        "never", "no", "not", "of", "on", "or", "our", "ours", "so", "than", "that", "the", "their", "then",
        "there", "these", "they", "this", "to", "too", "until", "was", "we", "were", "when", "which", "while",
        "will", "with", "would",
    }
)
# Words with which a target as a whole is let go; what else a retraction says tells which statement it means.
_LETTING_GO = frozenset(
    stem(word)
    for word in (
        "abandoned", "anymore", "dead", "delete", "deleted", "deprecated", "discard", "drop", "dropped",
        "everything", "forget", "forgotten", "gone", "ignore", "known", "longer", "more", "need", "needed",
        "obsolete", "outdated", "please", "remove", "removed", "retire", "retired", "retract", "retracted",
        "stale", "stop", "stopped", "thing", "use", "used", "using", "what", "withdrawn", "wrong", "you",
    )
)
# fmt: on
_MAY_END = frozenset({EventKind.DECISION, EventKind.PREFERENCE, EventKind.INTERVENTION, EventKind.CORRECTION})
_MAY_RETRACT = frozenset({Actor.USER, Actor.AGENT})


def closures(
    events: Sequence[Event], statements: Sequence[Statement], stream: str | None = None
) -> tuple[Closure, ...]:
    """What the events of one stream end, sorted. `statements` are theirs; a retraction has none.

    Everything that an event speaks against is named, also what an earlier one had ended: whether it is current then is
    for the lifecycle to say, which may have refused the earlier end. What is said at one instant ends nothing of it.
    With the id of the `stream`, a correction or retraction may name claims by id.
    """
    enders = {event.id for event in events if _may_end(event)}
    if not enders or len(events) == 1:
        return ()
    stated: dict[str, list[Statement]] = defaultdict(list)
    for statement in sorted(statements, key=lambda statement: statement.part):
        stated[statement.event].append(statement)
    in_time = sorted({event.id: event for event in events}.values(), key=lambda event: event.at)
    told = _Told()
    found: list[Closure] = []
    for _, instant in groupby(in_time, key=lambda event: event.at):
        together = list(instant)
        for event in together:
            if event.id in enders:
                found += _ended(event, stated[event.id], told, stream)
        for event in together:
            for statement in stated[event.id]:
                told.add(statement)
    return tuple(sorted(found, key=lambda closure: (closure.by, closure.text_key, closure.verb)))


def named_claim_ids(text: str) -> tuple[str, ...]:
    """The ids of claims that `text` names, sorted."""
    return tuple(sorted(set(_CLAIM_ID.findall(text))))


def _may_end(event: Event) -> bool:
    if event.kind is EventKind.RETRACTION:
        return event.actor in _MAY_RETRACT
    return event.kind in _MAY_END  # whether it was said outright is in its statement


@dataclass(frozen=True, slots=True)
class _Old:
    statement: Statement
    words: frozenset[str]  # content words, stemmed
    numbers: frozenset[str]  # those of them that hold a digit
    polarity: Polarity
    adopted: str | None

    @classmethod
    def of(cls, statement: Statement) -> "_Old":
        text, words = statement.text, _content(statement.text)
        numbers = frozenset(word for word in words if any(char.isdigit() for char in word))
        return cls(statement, words, numbers, polarity_of(text), adopted_value(text))


class _Told:
    """What was said so far, found by slot, polarity, value and opening words."""

    def __init__(self) -> None:
        self.by_key: dict[str, _Old] = {}
        self.by_slot: dict[str, list[_Old]] = defaultdict(list)  # in time, each time it was told
        self.by_polarity: dict[Polarity, list[_Old]] = defaultdict(list)
        self.by_value: dict[str, list[_Old]] = defaultdict(list)
        self.by_opening: dict[str, list[_Old]] = defaultdict(list)

    def add(self, statement: Statement) -> None:
        known = self.by_key.get(statement.text_key)
        old = known or _Old.of(statement)
        if statement.slot is not None:
            self.by_slot[statement.slot].append(replace(old, statement=statement))
        if known is not None:
            return
        self.by_key[statement.text_key] = old
        self.by_polarity[old.polarity].append(old)
        self.by_opening[_opening(statement.text_key)].append(old)
        if old.adopted is not None:
            self.by_value[old.adopted].append(old)


def _ended(event: Event, statements: Sequence[Statement], told: _Told, stream: str | None) -> list[Closure]:
    """One closure for each text that `event` ends, by the first of its statements that does."""
    if event.kind is EventKind.RETRACTION:
        return _closures(event, "retract", [("retraction", old) for old in _retracted(event, told, stream)], None)
    first: dict[str, Closure] = {}
    for statement in statements:
        for closure in _ended_by(event, statement, told, stream) if statement.is_explicit else ():
            first.setdefault(closure.text_key, closure)
    return list(first.values())


def _ended_by(event: Event, statement: Statement, told: _Told, stream: str | None) -> list[Closure]:
    new = _Old.of(statement)
    by_rule = _by_rule(new, told)
    if event.kind is not EventKind.CORRECTION:
        return _closures(event, "supersede", by_rule, statement)
    if named_claim_ids(event.text):
        corrected = _named_by_id(event.text, told, stream)
    else:
        corrected = [old for _, old in by_rule] or _contained(statement.text, told)
        corrected = corrected or _other_numbers(new, told) or _best(new.words, told, statement)
    return _closures(event, "retract", [("correction", old) for old in corrected], statement)


def _closures(event: Event, verb: str, ended: list[tuple[str, _Old]], new: Statement | None) -> list[Closure]:
    """One closure for each text, with the first rule that found it."""
    rules: dict[str, str] = {}
    for rule, old in ended:
        if new is None or old.statement.group_key != new.group_key:  # what says the same ends nothing
            rules.setdefault(old.statement.text_key, rule)
    part = None if new is None else new.part
    return [Closure(by=event.id, text_key=key, verb=verb, rule=rule, part=part) for key, rule in rules.items()]


def _by_rule(new: _Old, told: _Told) -> list[tuple[str, _Old]]:
    """What a statement ends by one of the three rules."""
    statement = new.statement
    found: list[tuple[str, _Old]] = []
    if _ENDS.search(statement.text) is not None:  # "Use X for Y in production" contains "Use X for Y" and keeps it
        found += [("names it", old) for old in _contained(statement.text, told)]
    for value in ended_values(statement.text):
        found += [("names it", old) for old in told.by_value.get(value, ()) if _may_share(statement, old.statement)]
    if statement.slot is not None:
        found += [("same slot", old) for old in _other_values(statement, told.by_slot.get(statement.slot, []))]
    if new.polarity.words:
        opposite = Polarity(new.polarity.words, not new.polarity.is_negated)
        found += [("negates it", old) for old in told.by_polarity.get(opposite, ())]
    return found


def _other_values(new: Statement, told: list[_Old]) -> Iterator[_Old]:
    """What fills the slot of `new` with another value, latest first, as far back as it may still be current."""
    filled = value_key(new.value or "")
    outright = 0
    for old in reversed(told):
        if value_key(old.statement.value or "") != filled:
            yield old
        outright += old.statement.is_explicit
        if outright == MAX_REFUSED:
            return


def _may_share(new: Statement, old: Statement) -> bool:
    """Whether the value that `new` gives up can be the one of `old`: it is not if they fill different slots."""
    return new.slot is None or old.slot is None or new.slot == old.slot


def _retracted(event: Event, told: _Told, stream: str | None) -> list[_Old]:
    """What a retraction takes back: the claims it names by id, all of the target, or the text that it is about."""
    if named_claim_ids(event.text):
        return _named_by_id(event.text, told, stream)
    words = _content(event.text)
    if words - _content(event.target or "") - _content(canonical_form(event.target or "")) <= _LETTING_GO:
        return list(told.by_key.values())
    return _contained(event.text, told) or _denied(event.text, told) or _best(words, told, None)


def _denied(text: str, told: _Told) -> list[_Old]:
    polarity = polarity_of(text)
    return told.by_polarity.get(Polarity(polarity.words, not polarity.is_negated), []) if polarity.words else []


def _named_by_id(text: str, told: _Told, stream: str | None) -> list[_Old]:
    """Nothing without the stream: ids are made from it."""
    named = set(named_claim_ids(text))
    if stream is None:
        return []
    return [
        old
        for key, old in told.by_key.items()
        if any(ids.claim_id(stream, key, occurrence) in named for occurrence in range(MAX_OCCURRENCE))
    ]


def _contained(text: str, told: _Told) -> list[_Old]:
    """The statements that `text` quotes, or whose whole text stands in it."""
    whole = text_key(text).lower()
    quoted = {quote.strip(" .!") for match in _QUOTE.findall(whole) for quote in match if quote}
    words = [word.strip(_QUOTE_SIGNS) for word in whole.split()]
    openings = {_opening(quote) for quote in quoted} | {" ".join(words[at : at + 2]) for at in range(len(words))}
    return [
        old
        for opening in sorted(openings)
        for old in told.by_opening.get(opening, ())
        if _holds(whole, quoted, old.statement.text_key.lower().rstrip(" .!"))
    ]


def _holds(whole: str, quoted: set[str], old: str) -> bool:
    if old in quoted or old == whole.rstrip(" .!"):
        return True
    if len(old.split()) < MIN_CONTAINED_WORDS:
        return False
    at = whole.find(old)
    while at >= 0:
        if not whole[max(at - 1, 0) : at].isalnum() and not whole[at + len(old) :][:1].isalnum():
            return True
        at = whole.find(old, at + 1)
    return False


def _other_numbers(new: _Old, told: _Told) -> list[_Old]:
    """The statements that say the same as `new` but for their numbers; [] if they do not all say the same."""
    found = [
        old
        for old in told.by_key.values()
        if old.numbers != new.numbers
        and len(old.numbers) == len(new.numbers)
        and len(said := old.words - old.numbers) >= MIN_SHARED_WORDS
        and said <= new.words
        and old.statement.group_key != new.statement.group_key
    ]
    return found if len({old.statement.group_key for old in found}) == 1 else []


def _best(words: frozenset[str], told: _Told, new: Statement | None) -> list[_Old]:
    """The statement of whose words most are in `words`, with those that say the same; [] if none stands out.

    Its numbers must be among them, else something else is meant.
    """
    ranked = [
        (shared / len(old.words), old)
        for old in told.by_key.values()
        if (shared := len(old.words & words)) >= MIN_SHARED_WORDS
        and old.numbers <= words
        and (new is None or old.statement.group_key != new.group_key)
    ]
    best = max((share for share, _ in ranked), default=0.0)
    if best < MIN_OVERLAP:
        return []
    near = [old for share, old in ranked if share > best - MIN_MARGIN]
    return near if len({old.statement.group_key for old in near}) == 1 else []


def _opening(text: str) -> str:
    """The first two words: where a statement is looked up that another one may contain."""
    return " ".join(text.lower().rstrip(" .!").split()[:2])


def _content(text: str) -> frozenset[str]:
    words = (word.casefold() for word in _WORD.findall(text.replace("_", " ")))
    return frozenset(stem(word) for word in words if word not in _PLAIN)
