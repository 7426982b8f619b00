"""What an agent's text tells: the first paragraph that says something, not what it is about to do.

Agents say on the way what they do next ("Let me look at the tests:"), and begin answers with praise and headings. What
is left is bounded: a memory wants the finding, not the essay.
"""

import re

from dreamd.daemon.intake.adapters import turns
from dreamd.daemon.intake.adapters.cutting import bounded

ON_THE_WAY = "said on the way"
MAX_ANSWER_CHARACTERS = 600
MIN_TELLING_WORDS = 5
MAX_LOOKED_AT = 20_000

_ABOUT_TO = re.compile(
    r"(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|excellent|alright|right|so|and|sure)\b[,.!:; —–-]*)*"
    r"(?:let me\b|let's\b|i'll\b|i will\b|i'm going to\b|i am going to\b|i need to\b|i should\b|i want to\b|now i\b|i can now\b|"
    r"i'm (?:now )?\w+ing\b|(?:looking|checking|searching|reading|running|updating|fixing|adding|creating|continuing|moving|testing|trying|"
    r"starting|implementing|verifying|exploring|investigating)\b|here(?:'s| is| are)\b|would you like\b|do you want\b|"
    r"shall i\b|should i\b|is there anything\b|(?:ready|done)[.!]|you're (?:absolutely |completely )?right\b|i (?:see|understand|apologize)\b|good (?:catch|point|question)\b)",
    re.IGNORECASE,
)
# An answer of one such sentence says only that what other events tell is done, or is polite.
_COURTESY = re.compile(
    r"thank(?:s| you)\b|that(?:'s| is| makes) (?:a )?(?:\w+ (?:and )?){0,3}(?:understandable|prudent|sense|idea|plan)\b|"
    r"(?:all )?(?:the |your |these |my |our )?(?:changes|tasks|tests|checks|files|fixes) (?:have been|were|are) (?:all |now |successfully )*"
    r"(?:committed|completed|passing|pushed|done|made|saved|applied)(?: successfully)?[.!]$",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?…:;)\]\"'”’`*_]$")
MAX_HEADING_WORDS = 9
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$|<)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def telling_part(text: str) -> str | None:
    """The part of an agent's `text` that a memory could keep; None if it only accompanies its work."""
    for paragraph in re.split(r"\n\s*\n", turns.FENCE.sub("", bounded(text, MAX_LOOKED_AT))):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not _MARKUP.match(line)]
        told = _told(" ".join(lines))
        if told:
            return bounded(told, MAX_ANSWER_CHARACTERS) or None
    return None


def _told(paragraph: str) -> str:
    """`paragraph` from its first sentence on that says something."""
    sentences = _SENTENCE.split(paragraph)
    while sentences and (
        _ABOUT_TO.match(plain := sentences[0].replace("’", "'").lstrip("*_✅🎉 "))
        or _COURTESY.match(plain)
        or turns.is_chatter(sentences[0])
    ):
        sentences.pop(0)
    while sentences and sentences[-1].endswith(":"):  # it announces what is not kept
        sentences.pop()
    told = " ".join(sentences).strip()
    words = len(told.split())
    is_heading = words <= MAX_HEADING_WORDS and not _ENDED.search(told)
    return "" if words < MIN_TELLING_WORDS or is_heading else told
