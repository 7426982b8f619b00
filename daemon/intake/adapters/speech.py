"""What a person's turn says: a correction, a lasting preference, a decision, a request, or nothing to keep.

One turn may say several things, so it is read sentence by sentence. One that corrects, prefers or decides is kept
verbatim, as a statement of its own; what is left of the turn is the request. Precise, not greedy: what a rule cannot
tell stays part of the request, and a question is never a statement. The rules are English.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.daemon.intake.adapters import quoting, turns, wordings
from dreamd.daemon.intake.adapters.cutting import bounded
from dreamd.lifecycle.words import EventKind

MAX_STATEMENT_CHARACTERS = 400  # a longer sentence is a description
MAX_REQUEST_CHARACTERS = 1_000  # kept of a request, cut at the end of a word
MAX_STATEMENTS = 12  # of one turn; a turn with more is a document that was pasted
AGREEMENTS = "working agreements"  # the target of what a person says about how to work, so that it can be superseded


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing that a turn says; `kind` None: nothing to keep, and `why`."""

    kind: EventKind | None
    text: str
    why: str | None = None

    @property
    def target(self) -> str | None:
        """What it is about, where the words alone can say so: how to work."""
        return AGREEMENTS if self.kind in STATEMENTS else None


STATEMENTS = frozenset({EventKind.CORRECTION, EventKind.PREFERENCE, EventKind.DECISION})

_SENTENCE_END = re.compile(
    r"(?<![.\s](?:e\.g|i\.e))(?<!\bvs)(?<!\betc)(?<!\be\.g)(?<!\bi\.e)(?<=[.!?])[\"')\]]*\s+(?=\S)"
)
_BULLET = re.compile(r"^(?:[-*•]|\d{1,2}[.)])\s+")
_GREETED = re.compile(r"[\s,.;:!—–-]+$")


def told(text: str) -> tuple[Told, ...]:
    """What the turn `text` of a person says, statements before the request; at least one."""
    if (noted := turns.note_in(text)) and not turns.is_own_memory(noted):
        return (Told(kind=EventKind.PREFERENCE, text=bounded(noted, MAX_STATEMENT_CHARACTERS)),)
    typed, why = turns.own_words(text)
    if why is not None:
        return (Told(kind=None, text="", why=why),)
    prose = turns.prose_of(typed)
    if not prose:
        return (Told(kind=None, text="", why=turns.OWN_MEMORY if turns.is_own_memory(typed) else turns.PASTED),)
    states_nothing = quoting.asks_whether(prose) or quoting.is_document(turns.lines_of(typed))
    stated: list[Told] = []
    rest: list[str] = []
    for sentence, is_own in _sentences(typed):
        may_state = is_own and not states_nothing and len(stated) < MAX_STATEMENTS
        kind = statement_kind(sentence) if may_state else None
        if kind is None:
            rest.append(sentence)
        else:
            stated.append(Told(kind=kind, text=_without_greeting(sentence)))
    return (*stated, *_request(" ".join(rest), is_alone=not stated))


def statement_kind(sentence: str) -> EventKind | None:
    """Whether one sentence corrects, prefers for good or decides; None if it does not."""
    if len(sentence) > MAX_STATEMENT_CHARACTERS or wordings.BARE_OPENER.fullmatch(sentence):
        return None
    plain = _plain(quoting.masked(sentence))
    if quoting.reported(plain, _is_stated) is not None:
        return None
    lead = wordings.LEAD.match(plain)
    core = plain[lead.end() :] if lead else plain
    if (tag := wordings.TAG.search(plain)) and not wordings.QUESTION.match(core):
        is_doubt = wordings.ASKING_TAG.fullmatch(tag[0]) is not None  # "we use uv here, right?" asks
        if not is_doubt or wordings.ORDERS.match(core):
            plain, core = plain[: tag.start()], core[: len(core) - len(tag[0])]
    if _is_question(plain, core):
        return EventKind.PREFERENCE if wordings.ASKS_FOR_GOOD.match(core) else None
    if turns.is_own_memory(sentence):  # a person who corrects us may quote us
        return EventKind.CORRECTION if _matches(wordings.CORRECTS, plain) else None
    return _kind_of(plain, core)


def _kind_of(plain: str, core: str) -> EventKind | None:
    is_for_now = wordings.FOR_NOW.search(plain) is not None
    if wordings.REMEMBER.match(plain) and not is_for_now:
        return EventKind.PREFERENCE
    for start in dict.fromkeys((plain, core)):
        if not is_for_now and _matches(wordings.LASTING, start):
            return EventKind.PREFERENCE
        if _matches(wordings.CORRECTS, start):
            return EventKind.CORRECTION
    choices = (match for pattern in wordings.CHOICE if (match := pattern.match(core)))
    is_choice = any(not wordings.ELSEWHERE.match(match["what"]) for match in choices)
    return EventKind.DECISION if is_choice else None


def _matches(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(pattern.match(text) for pattern in patterns)


def _is_question(plain: str, core: str) -> bool:
    if plain.endswith("?") or plain.endswith('?"'):
        return True
    return wordings.QUESTION.match(core) is not None and not core.endswith((".", "!")) and "," not in core


def _sentences(typed: str) -> Iterator[tuple[str, bool]]:
    """The sentences as they stand in `typed`, and whether each may be the person's; a bare "No." is part of the next.

    A report of what somebody asks for, or after a colon, makes the rest of its paragraph somebody else's.
    """
    opener = ""
    is_reporting = False
    for line, is_own in quoting.own_lines(turns.lines_of(typed)):
        is_reporting = is_reporting and bool(line)  # an empty line ends it
        for sentence in _split(_BULLET.sub("", line.strip(), count=1)):
            whole = f"{opener} {sentence}".strip()
            if wordings.BARE_OPENER.fullmatch(whole) and not opener:
                opener = whole
                continue
            opener = ""
            if whole:
                yield whole, is_own and not is_reporting
                is_reporting = is_reporting or _is_report_of_more(whole)
    if opener:
        yield opener, True


def _split(line: str) -> Iterator[str]:
    """The sentences of `line`; none ends within quotes."""
    start = 0
    for end in _SENTENCE_END.finditer(quoting.masked(line)):
        yield line[start : end.start()]
        start = end.end()
    yield line[start:]


def _is_report_of_more(sentence: str) -> bool:
    said = quoting.reported(_plain(sentence), _is_stated)
    if said is None:
        return False
    return said.lstrip().startswith((":", '"')) or _is_stated(said.lstrip(" ,:").removeprefix("that "))


def _is_stated(words: str) -> bool:
    plain = words.strip()
    lead = wordings.LEAD.match(plain)
    return _kind_of(plain, plain[lead.end() :] if lead else plain) is not None


def _plain(sentence: str) -> str:
    return sentence.strip().replace("’", "'").rstrip(" *_").lstrip("*_ ")


def _without_greeting(sentence: str) -> str:
    return _GREETED.sub("", sentence.strip()) if sentence.rstrip().endswith((",", ";", ":")) else sentence.strip()


def _request(rest: str, *, is_alone: bool) -> Iterator[Told]:
    if turns.is_own_memory(rest):
        yield Told(kind=None, text="", why=turns.OWN_MEMORY)
    elif not rest or turns.is_chatter(rest):
        if is_alone:
            yield Told(kind=None, text="", why=turns.CHATTER)
    elif kept := bounded(rest, MAX_REQUEST_CHARACTERS):
        yield Told(kind=EventKind.MESSAGE, text=kept)
    else:
        yield Told(kind=None, text="", why=turns.PASTED)
