"""What an agent's text tells: the first paragraph that says something, not what it is about to do.

Agents say on the way what they do next ("Let me look at the tests:"), and begin answers with praise and headings. What
is left is bounded: a memory wants the finding, not the essay.
"""

import re

from dreamd.daemon.intake.adapters import turns
from dreamd.daemon.intake.adapters.speech import bounded

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
_MARKUP = re.compile(r"^\s*(?:#{1,6}\s|\||[-=*_]{3,}\s*$|<)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def telling_part(text: str) -> str | None:
    """The part of an agent's `text` that a memory could keep; None if it only accompanies its work."""
    for paragraph in re.split(r"\n\s*\n", turns.FENCE.sub("", text[:MAX_LOOKED_AT])):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not _MARKUP.match(line)]
        told = _told(" ".join(lines))
        if told:
            return bounded(told, MAX_ANSWER_CHARACTERS) or None
    return None


def _told(paragraph: str) -> str:
    """`paragraph` from its first sentence on that says something."""
    sentences = _SENTENCE.split(paragraph)
    while sentences and (
        _ABOUT_TO.match(sentences[0].replace("’", "'").lstrip("*_✅🎉 ")) or turns.is_chatter(sentences[0])
    ):
        sentences.pop(0)
    told = " ".join(sentences).strip()
    return "" if told.endswith(":") and len(sentences) == 1 or len(told.split()) < MIN_TELLING_WORDS else told
