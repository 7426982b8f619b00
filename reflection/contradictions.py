"""Which statement of a stream ends which: superseded (the world changed) or retracted (it was never true).

One sweep over the stream in the order of time, with an index of what stands: by slot, by words without negation, by
value, by word. What is said outright looks itself up and ends what it finds; so each ending costs what it ends. Equal
instants never end each other: which of them came last is not known, that is a question for a person. Nothing found
means nothing ended: silence of the rules keeps both statements.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from dreamd.lifecycle.findings import Closure, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.polarity import Polarity, polarity_of, stem
from dreamd.reflection.slots import adopted_value, ended_values, value_key
from dreamd.reflection.statements import said_outright
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key

# What a correction or retraction shares with the claim it is about, as a share of the claim's content words.
MIN_OVERLAP = 0.6
MIN_SHARED_WORDS = 2
MIN_MARGIN = 0.15  # over the second best; below it nobody can tell which one was meant
MIN_CONTAINED_WORDS = 3  # a shorter text is contained by chance

_CLAIM_ID = re.compile(r"\bcl_[0-9a-f]{16}\b")
_WORD = re.compile(r"[^\W_]+(?:[.:/+#'-]+[^\W_]+)*[+#%]*")
_QUOTE = re.compile(r"[\"“”„`]([^\"“”„`]+)[\"“”„`]")
_ENDS = re.compile(
    r"\b(?:instead of|rather than|replac\w+|supersed\w+|overrul\w+|revok\w+|withdraw\w*|obsolete|no longer|not any ?more"
    r"|dropp?(?:s|ed)?|wrong)\b",
    re.IGNORECASE,
)
_STOP_WORDS = frozenset(
    "a about after all an and any are as at be because been but by did do does for from had has have if in into is it its "
    "never no not of on or our so than that the their then there these they this to too until was we were when which while "
    "will with would".split()
)
# Words with which a target is let go; what is left of the text besides them and the target says what else is meant.
_LETTING_GO = frozenset(
    stem(word)
    for word in "abandoned anymore dead delete deleted deprecated discard done drop dropped everything forget gone ignore "
    "known longer more need needed obsolete please project remove removed retire retired retracted retract stop stopped "
    "target thing use used using withdrawn yet now you what us been".split()
)


def closures(events: Sequence[Event], statements: Sequence[Statement]) -> tuple[Closure, ...]:
    """What the events of ONE stream end, sorted; `statements` are theirs.

    A function of the two as sets: their order does not matter. A text that was ended and stated again stands again.
    """
    stated = {statement.event: statement for statement in statements}
    enders = {event.id for event in events if said_outright(event)}
    if not enders or len(events) == 1:
        return ()
    standing = _Standing()
    found: list[Closure] = []
    in_time = sorted({event.id: event for event in events}.values(), key=lambda event: (event.at, event.id))
    for _, instant in groupby(in_time, key=lambda event: event.at):
        together = list(instant)
        ended = [
            closure for event in together if event.id in enders for closure in _ended_by(event, stated, standing)
        ]
        for closure in ended:
            standing.remove(closure.text_key)
        found += ended
        for event in together:
            if (statement := stated.get(event.id)) is not None:
                standing.add(statement)
    return tuple(sorted(found, key=lambda closure: (closure.by, closure.text_key)))


def named_claim_ids(text: str) -> tuple[str, ...]:
    """The claim ids that `text` names, sorted; a correction or retraction that names any is about these alone."""
    return tuple(sorted(set(_CLAIM_ID.findall(text))))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A statement that stands, as the rules look at it."""

    text_key: str
    group_key: str
    slot: str | None
    value: str | None  # value_key
    adopted: str | None
    polarity: Polarity
    words: frozenset[str]  # content words, stemmed

    @classmethod
    def of(cls, statement: Statement) -> "_Read":
        return cls(
            text_key=statement.text_key,
            group_key=statement.group_key,
            slot=statement.slot,
            value=None if statement.value is None else value_key(statement.value),
            adopted=adopted_value(statement.text),
            polarity=polarity_of(statement.text_key),
            words=_content_words(statement.text),
        )


class _Standing:
    """The statements that are current during the sweep, with their indexes."""

    def __init__(self) -> None:
        self._read: dict[str, _Read] = {}  # each text is read once, however often it comes back
        self._current: set[str] = set()
        self._by: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)  # (index, key) -> text keys

    def add(self, statement: Statement) -> None:
        if statement.text_key not in self._read:
            self._read[statement.text_key] = _Read.of(statement)
        if statement.text_key not in self._current:
            self._current.add(statement.text_key)
            for entry in _entries(self._read[statement.text_key]):
                self._by[entry][statement.text_key] = None

    def remove(self, key: str) -> None:
        if key in self._current:
            self._current.remove(key)
            for entry in _entries(self._read[key]):
                self._by[entry].pop(key, None)

    def all(self) -> list[_Read]:
        return [self._read[key] for key in self._current]

    def under(self, index: str, key: str) -> list[_Read]:
        return [self._read[found] for found in self._by.get((index, key), ())]


def _entries(read: _Read) -> list[tuple[str, str]]:
    """The places of a statement in the indexes."""
    places = [("word", word) for word in read.words]
    places.append(("opening", _opening(read.text_key)))
    if read.slot is not None:
        places.append(("slot", read.slot))
    if read.adopted is not None:
        places.append(("value", read.adopted))
    if read.polarity.words:
        places.append((f"negated {read.polarity.is_negated}", read.polarity.words))
    return places


def _ended_by(event: Event, stated: dict[str, Statement], standing: _Standing) -> list[Closure]:
    """What `event` ends of what stands, each text once, with the first rule that says so."""
    statement = stated.get(event.id)
    if event.kind is EventKind.RETRACTION:
        return _closures(event, "retract", [("retraction", read) for read in _retracted(event, standing)], None)
    if statement is None:
        return []
    read = _Read.of(statement)
    by_rule = _by_rule(read, event.text, standing)
    if event.kind is not EventKind.CORRECTION:
        return _closures(event, "supersede", by_rule, read)
    corrected = [each for _, each in by_rule]
    if not corrected and not named_claim_ids(event.text):
        corrected = _contained(event.text, standing) or _best_overlap(read.words, standing, read)
    return _closures(event, "retract", [("correction", each) for each in corrected], read)


def _closures(event: Event, verb: str, ended: list[tuple[str, _Read]], newer: _Read | None) -> list[Closure]:
    rules: dict[str, str] = {}
    for rule, older in ended:
        if newer is None or older.group_key != newer.group_key:  # what says the same ends nothing
            rules.setdefault(older.text_key, rule)
    return [Closure(by=event.id, text_key=key, verb=verb, rule=rule) for key, rule in sorted(rules.items())]


def _by_rule(newer: _Read, text: str, standing: _Standing) -> list[tuple[str, _Read]]:
    """What a statement ends by one of the three rules."""
    found: list[tuple[str, _Read]] = []
    if _ENDS.search(text) is not None:
        found += [("names it", older) for older in _contained(text, standing)]
    for value in ended_values(text):
        found += [
            ("names it", older)
            for older in standing.under("value", value)
            if newer.slot is None or older.slot is None or newer.slot == older.slot
        ]
    if newer.slot is not None:
        found += [("same slot", older) for older in standing.under("slot", newer.slot) if older.value != newer.value]
    if newer.polarity.words:
        opposite = f"negated {not newer.polarity.is_negated}"
        found += [("negates it", older) for older in standing.under(opposite, newer.polarity.words)]
    return found


def _retracted(event: Event, standing: _Standing) -> list[_Read]:
    """What a retraction takes back: what it names by id (nothing here), the whole target, a text, the nearest."""
    if named_claim_ids(event.text):
        return []  # ids are known to the store alone
    words = _content_words(event.text)
    if words - _target_words(event) <= _LETTING_GO:
        return standing.all()
    return _contained(event.text, standing) or _best_overlap(words - _LETTING_GO, standing, None)


def _contained(text: str, standing: _Standing) -> list[_Read]:
    """The statements whose text stands in `text`, or which it quotes."""
    key = text_key(text)
    lowered = key.lower()
    words = lowered.split()
    openings = {" ".join(words[at : at + 2]) for at in range(len(words))} | {word.strip("\"'`“”(:,") for word in words}
    for quoted in _QUOTE.findall(key):
        openings.add(_opening(quoted))
    found: dict[str, _Read] = {}
    stripped = {opening.strip("\"'`“”(:,") for opening in openings}
    for opening in sorted(openings | stripped):
        for read in standing.under("opening", opening):
            if _holds(lowered, read.text_key):
                found[read.text_key] = read
    return list(found.values())


def _holds(lowered: str, older_key: str) -> bool:
    older = older_key.lower().rstrip(" .!")
    if older in {quoted.strip().rstrip(".!") for quoted in _QUOTE.findall(lowered)}:
        return True
    if len(older.split()) < MIN_CONTAINED_WORDS or older == lowered.rstrip(" .!"):
        return False
    return re.search(rf"(?<!\w){re.escape(older)}(?!\w)", lowered) is not None


def _best_overlap(words: frozenset[str], standing: _Standing, newer: _Read | None) -> list[_Read]:
    """The one statement (with those that say the same) that shares most of its content words; [] if none stands out.

    A number of the statement must be among `words`, else it is about something else.
    """
    shared = Counter(read.text_key for word in words for read in standing.under("word", word))
    candidates = {read.text_key: read for word in words for read in standing.under("word", word)}
    scored: list[tuple[float, _Read]] = []
    for key, count in shared.items():
        read = candidates[key]
        share = count / len(read.words)
        numbers = {word for word in read.words if any(char.isdigit() for char in word)}
        is_itself = newer is not None and read.group_key == newer.group_key
        if count >= MIN_SHARED_WORDS and share >= MIN_OVERLAP and numbers <= words and not is_itself:
            scored.append((share, read))
    if not scored:
        return []
    best = max(share for share, _ in scored)
    near = [read for share, read in scored if share > best - MIN_MARGIN]
    return near if len({read.group_key for read in near}) == 1 else []


def _opening(text: str) -> str:
    """The first two words, lowered: where a text can be looked up that another one contains."""
    return " ".join(text.lower().rstrip(" .!").split()[:2])


def _content_words(text: str) -> frozenset[str]:
    words: Iterable[str] = (match.lower() for match in _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in _STOP_WORDS)


def _target_words(event: Event) -> frozenset[str]:
    if event.target is None:
        return frozenset()
    spelled = _content_words(event.target)
    return spelled | _content_words(canonical_form(event.target).replace("_", " "))
