"""Changes of a version, however a commit words them: which thing, and which version it has now.

What a commit changes is the same thing if its words are the same but for the versions. Only verbs that replace one
version by another count: to support, add or test with one more version ends none.
"""

import re

_VERSION = re.compile(
    r"[`'\"]?[<>=^~]*\bv?\d+(?:\.\d+)+[\w.+-]*[`'\"]?|\bv\d+\b|`?\b(?=[a-f]*\d)[0-9a-f]{7,40}\b`?"
)  # dotted, v-prefixed, or the beginning of a digest
_CHANGES = re.compile(
    r"(?:(?:auto(?:matically)?|manually|version)[ -])?"
    r"(?:bump|bumped|bumps|upgrade|upgraded|upgrades|update|updated|updates|downgrade|downgraded|pin|pinned|lock|roll"
    r"|rolled|sync|migrate|migrated|move|moved|switch|switched|release|released|relock|refresh|bumping|upgrading"
    r"|updating)\b(?P<what>.+)",
    re.IGNORECASE,
)
# Before the version these say that it is not what changes: "update the notes for 1.2".
_BESIDE = re.compile(
    r"\b(?:after|against|before|below|above|for|in|of|on|since|under|until|with|support|notes|changelog|docs?|tests?)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"->|→|=>|\s@\s?|\b(?:from|to|version|the|dependency)\b", re.IGNORECASE)
# Nothing but versions: what a release commit says after its prefix.
_ALONE = re.compile(
    rf"(?:(?:release|version|bump|new|prepare|to)\b:? ?)*(?:(?:{_VERSION.pattern}) ?(?:->|→|to) ?)?"
    rf"(?P<now>{_VERSION.pattern})",
    re.IGNORECASE,
)
MIN_SUBJECT = 2  # letters


def changed_version(clause: str) -> tuple[str, str] | None:
    """(what, its version now) if `clause` says that a version was changed; None otherwise."""
    if (alone := _ALONE.fullmatch(clause)) is not None:
        return "release", alone["now"].strip("`'\"")
    change = _CHANGES.fullmatch(clause)
    if change is None:
        return None
    what = change["what"]
    versions = list(_VERSION.finditer(what))
    if not versions or any(_BESIDE.search(what[: version.start()]) for version in versions):
        return None
    subject = " ".join(_SIGNS.sub(" ", _VERSION.sub(" ", what)).casefold().strip(" .,;:").split())
    if sum(char.isalpha() for char in subject) < MIN_SUBJECT:
        return None
    return subject, versions[-1][0].strip("`'\"")
