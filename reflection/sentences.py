"""The statements of a text: which of its pieces stand for themselves.

A text is taken apart into blocks (paragraphs, list items, code, headings) and those into sentences; each piece is a
part of the text, character for character. One that cannot be understood alone (it begins with "It", "This" or "But",
is a question, or holds fewer than three words) stays with the one before it. What is said outright is taken apart only
where the next sentence is a rule or a decision of its own: a reason belongs to what it is given for. A text of one
sentence is one statement, as it is.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.blocks import Block, Shape, blocks_of
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.slots import slot_of

MAX_PARTS = 24  # statements of one event; of a longer text the first ones
MAX_LENGTH = 600  # characters to which a piece grows by what leans on it
MAX_SHORTENED = 40  # characters; a longer word is no abbreviation
MIN_WORDS = 3
MIN_LISTED = 2  # numbers in a row make a list
MIN_UNSPACED = 6  # characters of a script without spaces that can stand alone

# A correction or retraction is about what it ends as a whole, an intervention is a person's word.
_WHOLE = frozenset({EventKind.CORRECTION, EventKind.RETRACTION, EventKind.INTERVENTION})
_OUTRIGHT = frozenset({EventKind.DECISION, EventKind.PREFERENCE})

_MAY_HAVE_PARTS = re.compile(r"[\r\n\u2028\u2029。！？]|[.!?…][\"'”’)\]*_`]*\s+\S")
_END = re.compile(r"(?P<signs>[.!?…]+)[\"'”’)\]*_]*(?=\s)|[。！？]+[」』”’）]*")
_INLINE = re.compile(r"(?<!\S)(\d{1,2})\.(?=\s+[^\W_a-z])")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_WORD = re.compile(r"[^\W_]+(?:['’.:/+#-]+[^\W_]+)*")
# What is never taken apart: code, addresses, what is quoted, what stands in brackets.
_CLOSED = re.compile(
    r"(`+)(?:(?!\1)[^\n]){1,400}\1|[a-z][a-z0-9+.-]*://\S+|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|\([^()\n]{1,400}\)|\[[^\[\]\n]{1,400}\]",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s*")
_CLOSING = "\"'”’」』）)*_` "
_LAST_WORD = re.compile(r"[^\s(\[\"'“]+$")
# fmt: off
_SHORTENED = frozenset(
    {
        "adm", "al", "approx", "apr", "assn", "aug", "ave", "bros", "bzw", "ca", "capt", "cf", "ch", "co", "col",
        "corp", "d.h", "dec", "dept", "dr", "e.g", "ed", "eq", "est", "etc", "feb", "fig", "figs", "fri", "gen",
        "ggf", "gov", "hon", "i.e", "inc", "incl", "jan", "jr", "jul", "jun", "lt", "ltd", "maj", "mar", "max",
        "messrs", "min", "misc", "mon", "mr", "mrs", "ms", "mt", "no", "nos", "nov", "oct", "op", "orig", "p",
        "pfc", "pp", "pres", "prof", "pvt", "ref", "rep", "resp", "rev", "sat", "sec", "sen", "sens", "reps", "sep",
        "sept", "sgt", "sr", "st", "sun", "thu", "tue", "usw", "v", "vgl", "vol", "vs", "wed", "z.b",
    }
)
# Words that, at the start of a sentence, point back to the one before.
_POINTS_BACK = frozenset(
    {
        "accordingly", "additionally", "afterwards", "also", "although", "and", "because", "besides", "both", "but",
        "consequently", "conversely", "either", "else", "equally", "finally", "furthermore", "he", "hence", "her",
        "here", "his", "however", "instead", "it", "it's", "its", "likewise", "meanwhile", "moreover", "namely",
        "neither", "nevertheless", "nonetheless", "nor", "or", "otherwise", "rather", "same", "she", "similarly",
        "since", "so", "such", "that", "that's", "thats", "their", "them", "then", "thereby", "therefore", "these",
        "they", "they're", "this", "those", "though", "thus", "whereas", "which", "who", "whose", "yet",
    }
)
# Openings whose first words may hide such a pronoun: "To fix this", "If it fails".
_CLAUSE_STARTS = frozenset(
    {
        "after", "as", "at", "before", "besides", "by", "despite", "during", "even", "for", "from", "if", "in",
        "like", "on", "once", "only", "to", "unless", "until", "when", "whenever", "where", "wherever", "while",
        "with", "without",
    }
)
_PRONOUNS = frozenset({"he", "it", "she", "so", "that", "them", "these", "they", "this", "those"})
_LEANING = re.compile(
    r"(?:as a result|for (?:example|instance|now)|in (?:addition|that case|this case|turn|other words|fact|particular)|"
    r"on the other hand|the (?:former|latter|same|other|others|reason|rest)|that said|not only|one of (?:them|these)|"
    r"e\.g\.|i\.e\.|(?:no|yes|ok|okay|done|fixed|sure|right|correct|wrong)[.!,])(?=\W|$)",
    re.IGNORECASE,
)
# What begins a decision or a rule of its own.
_DIRECTS = frozenset(
    {
        "add", "adopt", "allow", "always", "ask", "avoid", "choose", "commit", "create", "deploy", "disable",
        "don't", "drop", "enable", "ensure", "forbid", "go", "include", "keep", "let", "make", "migrate", "move",
        "never", "only", "pick", "pin", "prefer", "put", "raise", "remove", "rename", "replace", "require", "retry",
        "run", "set", "show", "split", "stop", "store", "switch", "treat", "use", "validate", "verify", "write",
    }
)
# fmt: on
_DIRECTIVE = re.compile(
    r"(?:we|you|all|every|each|no)\b.{0,60}?\b(?:must|should|shall|may|will|never|always)\b", re.IGNORECASE
)
_OPENS_SENTENCE = re.compile(r"[\"'“‘(\[*_`]*[^\W_a-z]|[\"'“‘(\[*_]*`|[-*•]\s")


@dataclass(frozen=True, slots=True)
class _Piece:
    start: int  # in the text
    end: int
    leans: bool  # it needs the piece before it
    asks: bool = False  # a question states nothing: it is kept only with what answers it


@lru_cache(maxsize=8_192)
def parts_of(text: str, kind: EventKind) -> tuple[str, ...]:
    """The statements of `text`, pieces of it in their order; at least one, and at most MAX_PARTS."""
    if kind in _WHOLE or _MAY_HAVE_PARTS.search(text) is None:
        return (text,)
    pieces = list(_pieces(text, kind))
    if kind in _OUTRIGHT:
        joined = [text[start:end] for start, end in _joined(pieces)]
    else:
        spans = (text[start:end] for start, end in _joined(pieces))
        joined = [part for part in spans if inadmissible(part, kind) is None]
    return tuple(joined[:MAX_PARTS]) if len(joined) > 1 or (joined and kind not in _OUTRIGHT) else (text,)


def _pieces(text: str, kind: EventKind) -> Iterator[_Piece]:
    """The sentences of all blocks of `text`; what is no prose is left out."""
    introduced = False
    for block in blocks_of(text):
        if block.shape is Shape.CODE:
            if introduced:
                yield _Piece(block.start, block.end, leans=True)
            introduced = False
            continue
        if block.shape is Shape.HEADING:
            introduced = False
            continue
        sentences = list(_sentences(text, block))
        is_lead = bool(sentences) and text[sentences[0][1] - 1] == ":"  # of a list in the same line
        for number, (start, end) in enumerate(sentences):
            is_listed = number == 0 and block.shape is Shape.ITEM
            sentence = text[start:end]
            leans = introduced if is_listed else _leans(sentence, kind, is_first=number == 0 and not introduced)
            leans = leans or (is_lead and number > 0)
            yield _Piece(start, end, leans=leans, asks=sentence.rstrip(_CLOSING).endswith(("?", "？")))
        if block.shape is not Shape.ITEM:
            introduced = bool(sentences) and text[block.end - 1] == ":"


def _joined(pieces: Iterable[_Piece]) -> Iterator[tuple[int, int]]:
    """Where the statements begin and end: each piece with those that lean on it."""
    start, end, is_open = -1, -1, False
    for piece in pieces:
        if start >= 0 and piece.asks and not is_open:
            continue
        if start >= 0 and (piece.leans or is_open) and piece.end - start <= MAX_LENGTH:
            end = piece.end
            is_open = is_open and piece.asks
            continue
        if start >= 0:
            yield start, end
        start, end = piece.start, piece.end
        is_open = piece.leans or piece.asks  # nothing stands before it: the next one has to carry it
    if start >= 0:
        yield start, end


def _sentences(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Where the sentences of `block` begin and end."""
    closed = [match.span() for match in _CLOSED.finditer(text, block.start, block.end)]
    closings = [high for _, high in closed]
    start = block.start
    marks = _inline_marks(text, block)
    for match in _END.finditer(text, block.start, block.end):
        end = match.end()
        if end in marks:
            if start < marks[end]:
                yield start, marks[end]
            start = _next_word(text, end, block.end)
            continue
        around = bisect_right(closings, match.start() + 1)  # the first that ends behind the sign
        if around < len(closed) and closed[around][0] < match.start():
            continue
        if _is_end(text, start, match, block.end):
            yield start, end
            start = _next_word(text, end, block.end)
    if start < block.end:
        yield start, block.end


def _next_word(text: str, at: int, stop: int) -> int:
    space = _SPACE.match(text, at, stop)
    return at if space is None else space.end()


def _inline_marks(text: str, block: Block) -> dict[int, int]:
    """The numbers of a list that runs on in one line ("needs: 1. A tag 2. A note"), where each ends and begins."""
    found = [(int(mark[1]), mark) for mark in _INLINE.finditer(text, block.start, block.end)]
    numbers = [number for number, _ in found]
    first = numbers[0] if numbers else 0
    if len(numbers) < MIN_LISTED or first > MIN_LISTED or numbers != list(range(first, first + len(numbers))):
        return {}
    return {mark.end(): len(text[: mark.start()].rstrip()) for _, mark in found}


def _is_end(text: str, start: int, match: re.Match[str], stop: int) -> bool:
    signs = match["signs"]
    if signs is None:  # of a script without spaces
        return True
    follows = _next_word(text, match.end(), stop)
    if follows == stop or _OPENS_SENTENCE.match(text, follows, stop) is None:
        return False
    if signs != ".":
        return True
    last = _LAST_WORD.search(text, max(start, match.start() - MAX_SHORTENED), match.start())
    if last is None:
        return False
    word = last[0].lower().rpartition("-")[2]
    is_initial = len(word) == 1 and word.isalpha() or re.fullmatch(r"(?:[a-z]\.)+[a-z]", word) is not None
    return not (is_initial or word in _SHORTENED or (word.isdigit() and match.start() - len(word) == start))


def _leans(sentence: str, kind: EventKind, *, is_first: bool) -> bool:
    """Whether `sentence` cannot be understood without the one before it."""
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(sentence)]
    if _UNSPACED.search(sentence):
        return len(sentence) < MIN_UNSPACED
    if len(words) < MIN_WORDS:
        return True
    if is_first:  # the text opens with it: it points at the target
        return _LEANING.match(sentence) is not None and words[0] in {"no", "yes", "ok", "okay", "done", "fixed"}
    if words[0] in _POINTS_BACK or _LEANING.match(sentence) is not None:
        return True
    if words[0] in _CLAUSE_STARTS and not _PRONOUNS.isdisjoint(words[1:4]):
        return True
    return kind in _OUTRIGHT and not _directs(sentence, words[0])


def _directs(sentence: str, first: str) -> bool:
    """Whether `sentence` is a decision or rule by itself."""
    return first in _DIRECTS or _DIRECTIVE.match(sentence) is not None or slot_of(sentence) is not None
