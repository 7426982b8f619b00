"""How a command ended, told by its output alone: for transcripts that hold no exit code.

Precise, not greedy: a program that prints the word "error" has not failed, and a test run whose end was cut off has
not passed. What counts is how an output begins (a shell's or a tool's own message), a trace at its end, what a check
counts.
"""

import re

from dreamd.daemon.intake.adapters import work
from dreamd.daemon.intake.adapters.commands import COMMIT, LOOKED_AT_CHARACTERS, command_of, plain, says_failed
from dreamd.daemon.intake.adapters.port import Hide

NOT_SHOWN = "how it ended is not shown"

END_LINES = 12  # of an output, in which a trace ends

_BEGINS = re.compile(
    r"(?:Error: |error: |\(eval\):(?:cd:)?\d+: |fatal: |usage: |E: |ERROR: |curl: \(\d+\)|make: \*\*\* |"
    r"npm (?:ERR!|error) |(?:-?bash|zsh|/bin/(?:ba)?sh|sh)(?:: line \d+)?: [^\n]+: "
    r"(?:command not found|No such file or directory|[Pp]ermission denied|not found)|"
    r"zsh: command not found|EXECUTION FAILED|COMMAND TIMED OUT|Traceback \(most recent call last\)|Exit code:? [1-9])"
)
# Of checks: single tests, hooks and findings of linters, where the line that counts them may be cut off.
_FAILED = re.compile(
    r"\sFAILED(?: +\[ *\d+%\]| *$)|^\S+:\d+:(?:\d+:)? (?:[A-Z]{1,4}\d{2,4}\b|error\b)|"
    r"\bcollected 0 items\b|^[ \t]*✗ ",
    re.MULTILINE,
)
_HOOK_FAILED = re.compile(r"(?<=\.\.\.)Failed *$", re.MULTILINE)
_SAYS_ERROR = re.compile(r"^(?:error|ERROR|fatal): ", re.MULTILINE)
_PASSED = re.compile(
    r"\b[1-9]\d* (?:tests? |specs? |examples? )?(?:passed|passing)\b|(?<=\.\.\.)Passed *$|\bPASSED\b|^[ \t]*[✓✔] |"
    r"\ball (?:checks |tests |files )?(?:passed|formatted)|\bsuccess(?:ful(?:ly)?)?\b|^OK\b|\b0 (?:errors|failures)\b|"
    r"\btest result: ok\b|\b(?:already|left) (?:formatted|unchanged)|\bno issues found\b|"
    r"\b\d+ files? reformatted|\b0 remaining\b",
    re.MULTILINE | re.IGNORECASE,
)
_MENDED = re.compile(r"\b[1-9]\d* fixed, 0 remaining\b")
_COMMITTED = re.compile(r"^\[[^\]\n]+ (?:\(root-commit\) )?[0-9a-f]{7,40}\] \S", re.MULTILINE)
_TRACE = re.compile(r"^[ \t]*Traceback \(most recent call last\)", re.MULTILINE)
_RAISED = re.compile(r"^\s*(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception)\b(?::|$)")


def went_wrong(command: str, output: str) -> bool:
    """Whether `command`, given its `output`, has failed."""
    shown = _looked_at(output)
    if _BEGINS.match(shown):
        return True
    if _TRACE.search(shown) and any(_RAISED.match(line) for line in shown.splitlines()[-END_LINES:]):
        return True
    doing = command_of(command)
    if _MENDED.search(shown):
        return False
    if (doing.label and _HOOK_FAILED.search(shown)) or (doing.is_install and _SAYS_ERROR.search(shown)):
        return True
    return (doing.is_check or doing.is_commit) and (says_failed(shown) or _FAILED.search(shown) is not None)


def ended(state: work.Work, call: str, command: str, output: str, hide: Hide) -> work.Done | work.Ignored:
    """What came of the shell call `call`; a check or a commit counts as passed only if its output shows it."""
    if went_wrong(command, output):
        return work.end(state, call, re.sub(r"\A\s*Error: ", "", output), hide, is_error=True)
    doing = command_of(command)
    shown = _looked_at(output)
    is_commit = doing.label == COMMIT
    is_open = doing.is_check and shown and not _PASSED.search(shown)
    if (is_commit and not _COMMITTED.search(shown)) or (is_open and not is_commit):
        work.drop(state, call)
        return work.Ignored(why=NOT_SHOWN)
    return work.end(state, call, output, hide, is_error=False)


def _looked_at(output: str) -> str:
    """The beginning and the end of `output`: how a command ended stands there."""
    if len(output) > 2 * LOOKED_AT_CHARACTERS:
        output = f"{output[:LOOKED_AT_CHARACTERS]}\n{output[-LOOKED_AT_CHARACTERS:]}"
    return plain(output).strip()
