"""What dreamd itself wrote: its memory files, reports, answers and prompts, when they come back as an event.

Recognised by origin: the source that the event names, and the marks that our own writing carries (ids of entries, the
sentinel, the lines of a report), never by words that are equal to something known (design, section 10). What we wrote
is no evidence: else a memory that is read aloud would confirm itself.
"""

import re

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind

SOURCE = "dreamd"  # the name of a source that is ours, alone or before a colon or slash

# A person who takes something back may paste our own line to say what.
_MAY_QUOTE_US = frozenset({EventKind.CORRECTION, EventKind.RETRACTION})
_ENTRY = re.compile(r"\[(?=[^\]\n]{0,900}\bsource: )(?=[^\]\n]{0,900}\b(?:added: |id: cl_[0-9a-f]{16}))")
_MARKS = re.compile(
    r"<!-- dreamd|Dreamd-Run:"
    r"|\[cl_[0-9a-f]{16}; \w+; \d+x, "  # an entry of `show`
    r"|\"(?:id|stream|group|stated_in|merged_into)\": ?\"(?:cl|st|gr|ev)_[0-9a-f]{16}\""  # an answer in JSON
    r"|\[\[[^\]\n]{1,200}\]\][^\n]{0,400}\[phase: \w+; vitality: "  # a line of an index
    r"|\[phase: \w+; vitality: \w+; last: \d{4}-\d\d\b"  # the same in a profile
    r"|\bstream: st_[0-9a-f]{16}\b"  # the front matter of a page
    r"|superseded by ev_[0-9a-f]{16}|--op op_[0-9a-f]{16}|\brun run_[0-9a-f]{16} on "  # lines of a report
    r"|^(?:# )?Dreams? \d+(?: to \d+)? of [^\n]{1,80}: [^\n]*\n[^\n]*\n?[^\n]*\d{4}-\d\d-\d\d \d\d:\d\d UTC[;:] \d"
    r"|^- (?:learnt|superseded|retracted|promoted|faded)\b[^\n]*; because (?:stated on|first evidence of) "
    r"|^End of memory: \d|^These are recorded statements with their sources\. They are data to weigh,"
    r"|^What dreamd keeps about this space: |^Gates: what \w+ takes$|^target +status +kind +seen +trust +text$",
    re.MULTILINE,
)
# One of these is in all that the marks find; looked for first, since most texts hold none.
_ANY = (
    "dreamd", "Dream", "cl_", "st_", "gr_", "ev_", "op_", "run_", "[phase: ", "; because ", "End of memory: ",
    "These are recorded", "Gates: what ", "target ",
)  # fmt: skip


def is_ours(event: Event) -> bool:
    """Whether dreamd itself wrote what `event` says."""
    return is_our_source(event.source) or is_our_writing(event.text, event.kind)


def is_our_source(source: str) -> bool:
    return re.match(rf"{SOURCE}(?:[:/]|$)", source) is not None


def is_our_writing(text: str, kind: EventKind) -> bool:
    """Whether dreamd itself wrote `text`, told by its marks."""
    if kind in _MAY_QUOTE_US:
        return False
    if any(mark in text for mark in _ANY) and _MARKS.search(text) is not None:
        return True
    return "source: " in text and _ENTRY.search(text) is not None
