"""What in a person's turn is somebody else's words: reported, quoted or pasted, so no statement of the person.

Precise, not greedy: where the person's own words cannot be told from quoted ones, nothing is taken for a statement; the
words stay in the request. The person's own report ("I said: ...") is the person's word.
"""

import re
from collections.abc import Callable, Iterator, Sequence

QUOTED_BLOCK = "```"  # stands for a fence or quoted lines among the lines of a turn

MIN_QUOTED_WORDS = 3  # fewer between quotes are a name: use "pnpm"
MIN_DOCUMENT_LINES = 3
MAX_REPORT_CHARACTERS = 400  # of a sentence in which a report is looked for

_QUOTES = re.compile(
    r"\"[^\"]+\"|“[^”]{1,2000}”|«[^»]{1,2000}»|„[^“”]{1,2000}[“”]|`[^`\n]+`|(?<![\w'])'(?=\S)[^'\n]*(?:\w'\w[^'\n]*)*'(?!\w)|(?<!\w)‘[^’\n]+’(?!\w)"
)
_BROKEN = re.compile(r"(?<!\w)\"(?=\S)[^\"\n]*(?:\n(?!\n)[^\"\n]*){1,20}(?<=\S)\"(?!\w)|“[^”]{1,2000}”")
_NOUN = (
    r"(?:readme|[\w/-]+\.(?:md|mdx|txt|rst|html?|ya?ml|toml|json|log)|docs?|documentation|(?:web ?)?page|website|site|error|warning|"
    r"logs?|output|messages?|e-?mails?|mail|issue|ticket|thread|post|review(?:er)?|wiki|stack ?overflow|blog|article|tutorial|guide|manual|"
    r"changelog|linter|compiler|slack|chatgpt|gemini|copilot|colleague|coworker|book|handbook|spec|instructions?|text|quote|internet|web|reddit)"
)
_SAYS = re.compile(
    r"(?P<who>[\w.'’-]+)(?: (?:already|just|also|even|still|only|clearly|then|once|has|have|had|would|did|does|do|\w+ly))*"
    r" (?:(?:says?|said|saying|states?|stated|claims?|claimed|recommends?|recommended|suggests?|suggested|advises?|advised|warns?|warned|"
    r"insists?|insisted|told (?:me|us|them)|tells (?:me|us|you|people))\b|(?:reads?|writes?|wrote|shows?|prints?|printed|goes|has|had|mentions?|"
    r"is|was|replied|answered|added|commented|posted)(?= ?:))(?P<after>.*)",
    re.IGNORECASE,
)
# Not somebody else who speaks: the person, or a word before a verb that is no report.
_OWN = frozenset(
    """
    i we i'd we'd i've we've i'm as me let's lets to not never always don't please should must shall can could will may might and or but that's
    what convention rule policy preference decision standard default rules conventions policies standards
    """.split()  # noqa: SIM905 - as a text it is read at a glance
)
_REPORTS = re.compile(
    rf"(?:(?:.*[,;] )?(?:according to|as per|per) (?!me\b|my\b|our\b|us\b)\S|.*\bi (?:just )?(?:read|heard|saw|was told|found|got|copied|pasted)\b(?! out)(?=.*(?::| that | you | it |\")).|"
    rf"(?:apparently|supposedly|allegedly)\b|(?:from |in |on )?(?:the |their |its |a |this )(?:\w+ ){{0,2}}{_NOUN}(?: \w+)? ?:|"
    rf"(?:from |quote from |quoting )(?:the |their |its |a |this )?(?:\w+ ){{0,2}}{_NOUN}(?: \w+)? ?:|"
    r"(?:readme|[\w/-]+\.(?:md|mdx|txt|rst|html?|ya?ml|toml|json|log)|errors?|warnings?|output|logs?|quote|e-?mail|stack ?overflow|chatgpt|from|subject)(?: \(?\w+\)?)? ?:)(?P<after>.*)",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(
    rf".*\b(?:{_NOUN}|found|copied|pasted|read|saw|got|(?:this|the) (?:one|following|snippet|paragraph|section|part|quote))\b.*:",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"(?:when(?:ever)?|if|unless|until|before|after|once|as soon as|every time|each time)\b", re.IGNORECASE
)
_ASKS_WHETHER = re.compile(
    r"\b(?:(?:is|are|was|were) (?:that|this|it|they|these|those|any of (?:that|this|it))(?: \w+)?? (?:really |actually |still |even )*"
    r"(?:right|correct|true|ok|okay|safe|wise|sensible|sound|legit|valid|accurate|up to date|good advice|a good idea|good practice|best practice)\b|"
    r"(?:check|verify|confirm|tell me|know|see|say|sure|explain) (?:whether|if|why) (?:that|this|it|they|these|those|any|all|the)\b|"
    r"(?:do|would) you agree\b|what do you (?:think|make)\b|"
    r"(?:should|shall|can|do|must) (?:i|we) (?:really |actually )?(?:follow|believe|trust|obey|heed|care about|do) (?:that|this|it|them|these|those)\b)",
    re.IGNORECASE,
)
_ASKING_END = re.compile(r"(?<=[.?!\n])")
_HEADING = re.compile(r"#{1,6} \S")
_CHAT_LINE = re.compile(r"\S.{0,40}?\s\[?(?:at )?\d{1,2}:\d{2}(?: ?[AP]M)?\]?:?", re.IGNORECASE)


def masked(text: str) -> str:
    """`text`, as long as before, with "x" for all that stands in quotes or backticks and is more than a name."""
    return _QUOTES.sub(lambda match: _mask(match[0]), text)


def asks_whether(text: str) -> bool:
    """Whether the turn `text` asks if what it holds is right: then it states nothing of it."""
    asking = (each for each in _ASKING_END.split(text) if each.endswith("?") or "whether" in each.lower())
    return any(_ASKS_WHETHER.search(each[-MAX_REPORT_CHARACTERS:]) for each in asking)


def is_document(lines: Sequence[str]) -> bool:
    """Whether a turn of these lines is a text that was pasted whole: it begins with its heading."""
    shown = [line for line in lines if line.strip()]
    return len(shown) >= MIN_DOCUMENT_LINES and _HEADING.match(shown[0].strip()) is not None


def own_lines(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each line, "" for one that is empty or quoted, and whether it may be the person's: not so below an introduction.

    A quotation of several lines is given as one.
    """
    is_quoted = is_just_introduced = False
    for line in _BROKEN.sub(lambda match: match[0].replace("\n", " "), "\n".join(lines)).splitlines():
        stripped = line.strip()
        if stripped == QUOTED_BLOCK:
            is_quoted = is_quoted and not is_just_introduced  # the block is all that was introduced
            stripped = ""
        if not stripped:
            yield "", False
            continue
        yield line, not is_quoted
        is_just_introduced = not is_quoted and _introduces(stripped)
        is_quoted = is_quoted or is_just_introduced


def reported(sentence: str, is_stated: Callable[[str], bool]) -> str | None:
    """What `sentence` reports that somebody else says; None if it reports nothing. `is_stated`: whether words state.

    "Always do what the linter says" states before it reports, and "if the linter says so, ..." is a condition.
    """
    sentence = sentence[:MAX_REPORT_CHARACTERS]
    if _CONDITION.match(sentence):
        return None
    if found := _REPORTS.match(sentence):
        return found["after"]
    for match in _SAYS.finditer(sentence):
        if match["who"].replace("’", "'").lower() in _OWN:
            return None
        return None if is_stated(sentence[: match.end("who")]) else match["after"]
    return None


def _introduces(line: str) -> bool:
    """Whether what follows `line` is somebody else's: it ends with a colon and names a source, or is a chat's header."""
    line = line[-MAX_REPORT_CHARACTERS:]
    if _CHAT_LINE.fullmatch(line):
        return True
    if not line.endswith(":"):
        return False
    said = [match["who"].lower() for match in _SAYS.finditer(line)]
    return not set(said) & _OWN and (
        bool(said) or _REPORTS.match(line) is not None or _INTRODUCES.match(line) is not None
    )


def _mask(quoted: str) -> str:
    return re.sub(r"[^\n]", "x", quoted) if len(quoted.split()) >= MIN_QUOTED_WORDS else quoted
