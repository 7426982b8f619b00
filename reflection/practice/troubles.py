"""When two troubles are the same, and which of them are the command's own fault.

A trouble keeps its words and its numbers, for code 137 is not code 1; what differs from run to run (folders, lines,
durations, shares, digests) does not count.
"""

import re

MAX_KEY_CHARACTERS = 200

_SHELL_NAMES_ITSELF = re.compile(r"^(?:\(eval\):(?:cd:)?\d+:|(?:-?bash|zsh|sh|/bin/(?:ba)?sh):(?: line \d+:)?)\s*")
_VARYING = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*"), "<time>"),
    (re.compile(r"\b(?=[0-9a-f]*\d)[0-9a-f]{7,}\b"), "<id>"),
    (re.compile(r":\d+(?::\d+)?(?=[:\s]|$)"), ":<line>"),
    (re.compile(r"\b\d+(?:\.\d+)?\s?(?:ms|s|m|min|sec|seconds|minutes|%)(?=\W|$)"), "<n>"),
    (re.compile(r"\[\s*\d+%\]?"), ""),
    (re.compile(r"(?:[\w.@~-]*/)+(?=[\w.@-])"), ""),
    (re.compile(r"\.{3,}"), "..."),
)
# What the command needs is not there.
_LACKS = re.compile(
    r"command not found|: not found\b|no module named|modulenotfounderror|not recognized as|not installed|"
    r"` not found\b|activate your virtual ?env|externally-managed",
    re.IGNORECASE,
)
# Its words are wrong.
_WORDS = re.compile(
    r"un(?:expected|recognized|recognised|known|supported) (?:argument|option|command|flag|subcommand|switch)|"
    r"invalid (?:option|choice|argument)|\busage:|no such (?:command|option)|did you mean|"
    r"missing (?:required )?(?:argument|option)|requires? an? (?:argument|value)|no interpreter found|"
    r"has no upstream branch",
    re.IGNORECASE,
)
# What it is to work on is not there.
_PLACE = re.compile(
    r"no such file|permission denied|collected 0 items|no tests? (?:ran|found)|could not determine|does not exist|"
    r"does not contain|not a git repository|bad source|pathspec",
    re.IGNORECASE,
)


# What says that something went wrong; a line without it was picked for want of a better one.
_TELLING = re.compile(
    r"error|fail|\bnot?\b|\bno\b|n't\b|cannot|denied|refused|invalid|missing|un(?:expected|known|able|defined|recogni[sz]ed)"
    r"|conflict|reject|timed? ?out|exception|panic|abort|fatal|broken|bad\b|usage:|exceed|collected 0|warning as|"
    r"\b[A-Z]{1,4}\d{2,4}\b",
    re.IGNORECASE,
)


def is_telling(line: str) -> bool:
    """Whether `line` says that something went wrong."""
    return _TELLING.search(line) is not None


def trouble_key(text: str) -> str:
    """Equal for the same trouble."""
    key = _SHELL_NAMES_ITSELF.sub("", text.strip())
    for pattern, stands in _VARYING:
        key = pattern.sub(stands, key)
    return " ".join(key.lower().split())[:MAX_KEY_CHARACTERS]


def lacks_tool(line: str) -> bool:
    """Whether a command failed with `line` for want of a tool or package: preparing it is the remedy."""
    return _LACKS.search(line) is not None


def blames_words(line: str) -> bool:
    """Whether a command failed with `line` because it was put wrongly."""
    return _WORDS.search(line) is not None


def is_own_fault(line: str) -> bool:
    """Whether a command that failed with `line` was wrong itself or lacked something: another command is the remedy."""
    return lacks_tool(line) or blames_words(line) or _PLACE.search(line) is not None
