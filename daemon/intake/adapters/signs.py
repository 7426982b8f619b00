"""Whether a command went wrong, told by its output alone: for transcripts that hold no exit code.

Precise, not greedy: a program that prints the word "error" has not failed, and most output is of commands that passed.
What counts is how an output begins (a shell's or a tool's own message), a trace at its end, or a check that counts
failures.
"""

import re

from dreamd.daemon.intake.adapters.commands import command_of, plain, says_failed

END_LINES = 12  # of an output, in which a trace ends

_BEGINS = re.compile(
    r"(?:Error: |error: |fatal: |usage: |E: |ERROR: |curl: \(\d+\)|make: \*\*\* |npm (?:ERR!|error) |"
    r"(?:-?bash|zsh|/bin/(?:ba)?sh|sh)(?:: line \d+)?: [^\n]+: (?:command not found|No such file or directory|"
    r"[Pp]ermission denied|not found)|zsh: command not found|EXECUTION FAILED|COMMAND TIMED OUT|"
    r"Traceback \(most recent call last\)|Exit code:? [1-9])"
)
_TRACE = re.compile(r"^\s*Traceback \(most recent call last\):?\s*$", re.MULTILINE)
_RAISED = re.compile(r"^\s*(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception)\b(?::|$)")


def went_wrong(command: str, output: str) -> bool:
    """Whether `command`, given its `output`, has failed."""
    shown = plain(output).strip()
    if _BEGINS.match(shown):
        return True
    if _TRACE.search(shown) and any(_RAISED.match(line) for line in shown.splitlines()[-END_LINES:]):
        return True
    return command_of(command).is_check and says_failed(shown)
