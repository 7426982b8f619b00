"""Which statement ends which: three verbs kept apart (design, section 6).

*supersede*: the world changed. *retract*: it was never true, or was taken back. What was said outright ends what it
names, what fills the same slot with another value, and what it negates. A plain observation ends only another plain
one, by a later value of the same slot or by its negation; against what was said outright it only *asks*. All else
stands side by side: silence of the rules keeps both. The closures of a stream are a function of the set of its events;
the cost is near-linear, for statements meet only in their slot, their polarity, their value or their opening words.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from dreamd.lifecycle import ids
from dreamd.lifecycle.edits import BY_EDIT, edit_of
from dreamd.lifecycle.findings import ASK, RETRACT, SUPERSEDE, Closure, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind, rank
from dreamd.reflection.contradicting.plain import ended_plainly, may_end_plainly, others_of_kind
from dreamd.reflection.contradicting.registry import Registry, registry_of
from dreamd.reflection.contradicting.told import Old, Told, opening
from dreamd.reflection.contradicting.words import content
from dreamd.reflection.polarity import Polarity, polarity_of, stem
from dreamd.reflection.slots import ended_values, value_key
from dreamd.reflection.targets import canonical_form
from dreamd.reflection.text_keys import text_key

# What a correction or retraction must repeat of a statement's content words to be about it.
MIN_OVERLAP = 0.6  # share of them
MIN_SHARED_WORDS = 2
MIN_MARGIN = 0.15  # over the second best; below it nobody can tell which one was meant
MIN_CONTAINED_WORDS = 3  # an unquoted text shorter than this is contained by chance

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
# fmt: off
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
    events: Sequence[Event],
    statements: Sequence[Statement],
    stream: str | None = None,
    registry: Registry | None = None,
) -> tuple[Closure, ...]:
    """What the events of one stream end, sorted. `statements` are theirs; a retraction has none.

    Everything that an event speaks against is named, also what an earlier one had ended: whether it is current then is
    for the lifecycle to say, which may have refused the earlier end. What is said at one instant only asks about it.
    With the id of the `stream`, a correction or retraction may name claims by id. No `registry`: the shipped one.
    """
    registry = registry or registry_of("")
    if len(events) == 1 or not any(_may_end(event) or may_end_plainly(event) for event in events):
        return ()
    stated: dict[str, list[Statement]] = defaultdict(list)
    for statement in sorted(statements, key=lambda statement: statement.part):
        stated[statement.event].append(statement)
    in_time = sorted({event.id: event for event in events}.values(), key=lambda event: event.at)
    told = Told()
    found: list[Closure] = []
    for _, instant in groupby(in_time, key=lambda event: event.at):
        edited, together = _edited_and_others(instant)
        news = {
            event.id: [
                Old(statement, registry, may_end_plainly(event) and not statement.is_explicit)
                for statement in stated[event.id]
            ]
            for event in together
        }
        for event in together:
            found += _ended(event, news[event.id], told, stream)
        found += _asked_at_once(together, news) if len(together) > 1 else []
        for new in (new for several in news.values() for new in several):
            told.add(new)
        for event in edited:  # what a person edited had been told before, even if at the same instant
            said = [Old(statement, registry, False) for statement in stated[event.id]]
            found += _ended_by_edit(event, said, told, stream)
            for new in said:
                told.add(new)
    return tuple(sorted(found, key=lambda closure: (closure.by, closure.text_key, closure.verb)))


def _edited_and_others(events: Iterable[Event]) -> tuple[list[Event], list[Event]]:
    edited: list[Event] = []
    others: list[Event] = []
    for event in events:
        (others if edit_of(event) is None else edited).append(event)
    return sorted(edited, key=lambda event: event.id), others


def _ended_by_edit(event: Event, news: Sequence[Old], told: Told, stream: str | None) -> list[Closure]:
    """What a person's edit names ends, also the same in other words; what it states ends more by the three rules."""
    edit = edit_of(event)
    if edit is None or stream is None:
        return []
    found: dict[str, Closure] = {}
    for ids_, verb in ((edit.claims, RETRACT), (edit.over, SUPERSEDE)):
        for old in _with_ids(set(ids_), told, stream) if ids_ else ():
            key = old.statement.text_key
            if all(new.statement.text_key != key for new in news):
                part = news[0].statement.part if news else None
                found.setdefault(key, Closure(by=event.id, text_key=key, verb=verb, rule=BY_EDIT, part=part))
    for new in news:
        for closure in _closures(event, [(SUPERSEDE, rule, old) for rule, old in _by_rule(new, told)], new.statement):
            found.setdefault(closure.text_key, closure)
    return list(found.values())


def named_claim_ids(text: str) -> tuple[str, ...]:
    """The ids of claims that `text` names, sorted."""
    return tuple(sorted(set(_CLAIM_ID.findall(text))))


def _may_end(event: Event) -> bool:
    if event.kind is EventKind.RETRACTION:
        return event.actor in _MAY_RETRACT
    return event.kind in _MAY_END  # whether it was said outright is in its statement


def _asked_at_once(together: Sequence[Event], news: Mapping[str, Sequence[Old]]) -> list[Closure]:
    """What is said at one instant and conflicts is a question; in the order in which it is told."""
    found: list[Closure] = []
    beside = Told()
    for event in sorted(together, key=lambda event: (rank(event.actor), event.id)):
        for new in news[event.id]:
            if new.is_plain_end or (new.statement.is_explicit and _may_end(event)):
                conflicts = [(ASK, rule, old) for _, rule, old in ended_plainly(new, beside)]
                found += _closures(event, conflicts, new.statement)
        for new in news[event.id]:
            beside.add(new)
    return found


def _ended(event: Event, news: Sequence[Old], told: Told, stream: str | None) -> list[Closure]:
    """One closure for each text that `event` ends, by the first of its statements that does."""
    if event.kind is EventKind.RETRACTION:
        retracted = _retracted(event, told, stream) if event.actor in _MAY_RETRACT else []
        return _closures(event, [(RETRACT, "retraction", old) for old in retracted], None)
    first: dict[str, Closure] = {}
    for new in news:
        for closure in _ended_by(event, new, told, stream):
            first.setdefault(closure.text_key, closure)
    return list(first.values())


def _ended_by(event: Event, new: Old, told: Told, stream: str | None) -> list[Closure]:
    statement = new.statement
    if new.is_plain_end:
        return _closures(event, ended_plainly(new, told), statement)
    if not statement.is_explicit or not _may_end(event):
        return []
    by_rule = _by_rule(new, told)
    if event.kind is not EventKind.CORRECTION:
        superseded = [(SUPERSEDE, rule, old) for rule, old in by_rule]
        return _closures(event, superseded + others_of_kind(new, told), statement)
    if named_claim_ids(event.text):
        corrected = _named_by_id(event.text, told, stream)
    else:
        corrected = [old for _, old in by_rule] or _contained(statement.text, told)
        corrected = corrected or _other_numbers(new, told) or _best(new.words, told, statement)
    return _closures(event, [(RETRACT, "correction", old) for old in corrected], statement)


def _closures(event: Event, ended: list[tuple[str, str, Old]], new: Statement | None) -> list[Closure]:
    """One closure for each text, with the first rule that found it."""
    rules: dict[str, tuple[str, str]] = {}
    for verb, rule, old in ended:
        if new is None or old.statement.group_key != new.group_key:  # what says the same ends nothing
            rules.setdefault(old.statement.text_key, (verb, rule))
    part = None if new is None else new.part
    return [Closure(by=event.id, text_key=key, verb=verb, rule=rule, part=part) for key, (verb, rule) in rules.items()]


def _by_rule(new: Old, told: Told) -> list[tuple[str, Old]]:
    """What a statement ends by one of the three rules."""
    statement = new.statement
    found: list[tuple[str, Old]] = []
    if _ENDS.search(statement.text) is not None:  # "Use X for Y in production" contains "Use X for Y" and keeps it
        found += [("names it", old) for old in _contained(statement.text, told)]
    for value in ended_values(statement.text):
        found += [("names it", old) for old in told.adopting(value) if _may_share(statement, old.statement)]
    if statement.slot is not None:
        found += [("same slot", old) for old in _other_values(statement, told.by_slot.get(statement.slot, []))]
    if new.polarity.words:
        opposite = Polarity(new.polarity.words, not new.polarity.is_negated)
        found += [("negates it", old) for old in told.by_polarity.get(opposite, ())]
    return found


def _other_values(new: Statement, told: list[Old]) -> Iterator[Old]:
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


def _retracted(event: Event, told: Told, stream: str | None) -> list[Old]:
    """What a retraction takes back: the claims it names by id, all of the target, or the text that it is about."""
    if named_claim_ids(event.text):
        return _named_by_id(event.text, told, stream)
    words = content(event.text)
    if words - content(event.target or "") - content(canonical_form(event.target or "")) <= _LETTING_GO:
        return list(told.by_key.values())
    return _contained(event.text, told) or _denied(event.text, told) or _best(words, told, None)


def _denied(text: str, told: Told) -> list[Old]:
    polarity = polarity_of(text)
    return told.by_polarity.get(Polarity(polarity.words, not polarity.is_negated), []) if polarity.words else []


def _named_by_id(text: str, told: Told, stream: str | None) -> list[Old]:
    """Nothing without the stream: ids are made from it."""
    return [] if stream is None else _with_ids(set(named_claim_ids(text)), told, stream)


def _with_ids(named: set[str], told: Told, stream: str) -> list[Old]:
    return [
        old
        for key, old in told.by_key.items()
        if any(ids.claim_id(stream, key, occurrence) in named for occurrence in range(MAX_OCCURRENCE))
    ]


def _contained(text: str, told: Told) -> list[Old]:
    """The statements that `text` quotes, or whose whole text stands in it."""
    whole = text_key(text).lower()
    quoted = {quote.strip(" .!") for match in _QUOTE.findall(whole) for quote in match if quote}
    words = [word.strip(_QUOTE_SIGNS) for word in whole.split()]
    openings = {opening(quote) for quote in quoted} | {" ".join(words[at : at + 2]) for at in range(len(words))}
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


def _other_numbers(new: Old, told: Told) -> list[Old]:
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


def _best(words: frozenset[str], told: Told, new: Statement | None) -> list[Old]:
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
