"""Whether a text is a complete statement, told by its shape alone.

A memory of command lines, headings, log lines and our own output is rubbish however often it was seen: it would
mature like anything else. An event of such a shape still counts as evidence for a target that it names; it states no
claim. What a user or agent says outright (a decision, a preference, a correction) is taken from one word on.
"""

import json
import re

from dreamd.lifecycle.words import EventKind

_OUTRIGHT = frozenset(
    {EventKind.DECISION, EventKind.PREFERENCE, EventKind.CORRECTION, EventKind.RETRACTION, EventKind.INTERVENTION}
)
# A person who takes something back may paste our own line to say what.
_MAY_QUOTE_US = frozenset({EventKind.CORRECTION, EventKind.RETRACTION})
_OWN_ENTRY = re.compile(r"\[(?=[^\]\n]*\bsource: )(?=[^\]\n]*\b(?:added: |id: cl_[0-9a-f]{16}))[^\]\n]*\]")

_SINGLE = re.compile(r"\S+")
_URL_OR_PATH = re.compile(r"(?:[a-z][a-z0-9+.-]*://\S+|[\w.~@-]*(?:[/\\][\w.@+-]*)+|[A-Za-z]:\\\S*)", re.IGNORECASE)
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")  # scripts without spaces
MIN_UNSPACED_LENGTH = 4  # characters of such a script that can be a statement

_HEADING = re.compile(r"#{1,6}(?:\s|$)|(\*\*|__)[^*_]+\1:?$|[^.!?]*:$")
_LOG = re.compile(
    r"\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d(?::\d\d)?[\d.,Z+:-]*\]?\s+\S*?(?:DEBUG|INFO|WARN|ERROR|FATAL|TRACE|CRITICAL|NOTICE)"
    r"|\[(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL|NOTICE)\]"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*(?:\s+\S+){0,3}?\s+\[?(?:debug|info|warn|warning|error|fatal|trace)\b",
)
_DIFF = re.compile(r"^(?:diff --git |@@ -\d|--- a/|\+\+\+ b/|index [0-9a-f]{7,}\.\.)")
_FRAME = re.compile(
    r'^\s*(?:File "[^"]*", line \d+|at \S.*[:(]\S*:?\d+\)?$|Traceback \(most recent call last\))', re.MULTILINE
)
_PROMPT = re.compile(r"(?:\$|❯|>>>|PS [A-Z]:\\[^>]*>|\S+@\S+:\S*[$#])\s+\S")
_SETTING_FIRST = re.compile(r"(?:(?:sudo|env|time)\s+|[A-Z_][A-Z0-9_]*=\S*\s+)+")
_SHELL_SIGN = re.compile(r"\s(?:&&|\|\|?|>>?|2>&1|<<?)\s?|\s--?[A-Za-z][\w-]*|;\s*(?:do|then)\b")
_ARGUMENT = re.compile(r"(?:\S*[/=*]\S*|\S+\.(?:py|js|ts|sh|rs|go|md|txt|json|ya?ml|toml|sql|c|cpp|rb))$")

# Tools whose name is no ordinary word, and the first words after them that make a command.
_TOOLS = {
    "apt": "install remove update upgrade", "apt-get": "install remove update upgrade", "brew": "install upgrade",
    "cargo": "build test run check clippy fmt install add", "docker": "build run exec ps pull push compose logs rm stop",
    "git": "add am apply branch checkout cherry-pick clone commit diff fetch init log merge pull push rebase reset restore "
    "revert show stash status switch tag worktree",
    "go": "build test run mod get install vet fmt", "helm": "install upgrade", "kubectl": "apply get delete describe logs",
    "make": "all build check clean install lint run test", "npm": "ci i install run start test audit publish exec",
    "pip": "install uninstall freeze list", "pip3": "install uninstall", "pnpm": "add build dev i install run test",
    "poetry": "add install run lock", "systemctl": "start stop restart status enable disable", "terraform": "apply plan init",
    "uv": "add pip run sync lock", "yarn": "add build dev install run test", "npx": "", "pytest": "", "ruff": "check format",
}  # fmt: skip
_COMMANDS = frozenset(
    ["awk", "bash", "cat", "cd", "chmod", "chown", "cp", "curl", "echo", "export", "find", "grep", "head", "journalctl", "kill", "ls", "mkdir", "mv", "mypy", "node", "psql", "python", "python3", "redis-cli", "rg", "rm", "rsync", "scp", "sed", "sh", "source", "sqlite3", "ssh", "tail", "tar", "touch", "tsc", "wget", "xargs"]
) | frozenset(_TOOLS)  # fmt: skip
# One of these makes it a sentence about a command.
_SENTENCE_WORDS = frozenset(
    [
        "a",
        "after",
        "an",
        "and",
        "are",
        "as",
        "because",
        "before",
        "breaks",
        "broke",
        "but",
        "by",
        "can",
        "cannot",
        "crashed",
        "crashes",
        "does",
        "doesn't",
        "exits",
        "fail",
        "failed",
        "failing",
        "fails",
        "for",
        "from",
        "gives",
        "had",
        "hangs",
        "has",
        "if",
        "instead",
        "is",
        "isn't",
        "it",
        "must",
        "needed",
        "needs",
        "no",
        "not",
        "now",
        "of",
        "on",
        "only",
        "or",
        "passed",
        "passes",
        "reports",
        "requires",
        "returned",
        "returns",
        "runs",
        "should",
        "shows",
        "since",
        "so",
        "takes",
        "that",
        "the",
        "this",
        "to",
        "until",
        "used",
        "uses",
        "was",
        "were",
        "when",
        "which",
        "will",
        "with",
        "without",
        "won't",
        "work",
        "works",
    ]
)
MAX_BARE_COMMAND_WORDS = 6  # a longer one without any shell sign is taken as a sentence


def inadmissible(text: str, kind: EventKind) -> str | None:
    """Why `text` is not a complete statement; None if it is one."""
    stripped = text.strip()
    if not stripped:
        return "empty"
    if is_own_output(stripped, kind):
        return "own output"
    if not any(char.isalnum() for char in stripped):
        return "no words"
    if kind in _OUTRIGHT:
        return None
    return _block_reason(stripped) or _lines_reason(stripped)


def is_own_output(text: str, kind: EventKind) -> bool:
    """Whether dreamd itself wrote `text`, told by its marks and never by equal words (design, section 10)."""
    if kind in _MAY_QUOTE_US:
        return False
    if "<!-- dreamd" in text or "Dreamd-Run:" in text:
        return True
    return "source: " in text and _OWN_ENTRY.search(text) is not None


def _block_reason(text: str) -> str | None:
    """What the text is as a whole: data, a diff, a stack trace."""
    if text[0] in "{[" and text[-1] in "}]" and _is_json(text):
        return "data"
    if "\n" not in text:
        return None
    if _DIFF.match(text):  # at its start: what says something and then shows a trace is a statement
        return "diff"
    return "stack trace" if _FRAME.match(text) else None


def _lines_reason(text: str) -> str | None:
    """None as soon as one line is a statement."""
    if "\n" not in text:
        return _line_reason(text)
    reason = None
    for line in text.splitlines():
        if stripped := line.strip():
            found = _line_reason(stripped)
            if found is None:
                return None
            reason = reason or found
    return reason


def _line_reason(line: str) -> str | None:
    if _SINGLE.fullmatch(line):
        return _single_reason(line)
    first = line[0]
    if not any(char.isalnum() for char in line):
        return "no words"
    if (first in "#*_" or line[-1] == ":") and _HEADING.match(line):
        return "heading"
    if (first == "[" or first.isdigit()) and _LOG.match(line):
        return "log line"
    if _FRAME.match(line):
        return "stack trace"
    return "command line" if _is_command(line) else None


def is_of_a_machine(line: str) -> bool:
    """Whether `line`, without white space around it, is a command, a log line or a frame of a stack trace."""
    if _SINGLE.fullmatch(line) or not line:
        return False
    is_log = (line[0] == "[" or line[0].isdigit()) and _LOG.match(line) is not None
    return is_log or _FRAME.match(line) is not None or _is_command(line)


def _single_reason(word: str) -> str | None:
    if _URL_OR_PATH.fullmatch(word):
        return "path or URL alone"
    if _UNSPACED.search(word) and len(word) >= MIN_UNSPACED_LENGTH:
        return None
    return "one word" if any(char.isalnum() for char in word) else "no words"


def _is_command(line: str) -> bool:
    if _PROMPT.match(line) or line.startswith("./"):
        return True
    start = _SETTING_FIRST.match(line)
    words = line[start.end() if start else 0 :].split()
    if not words or words[0] not in _COMMANDS:
        return False
    rest = words[1:]
    if any(word.lower().rstrip(".,") in _SENTENCE_WORDS for word in rest):
        return False
    if _SHELL_SIGN.search(line) or start:
        return True
    if len(words) > MAX_BARE_COMMAND_WORDS or not rest:
        return not rest
    return _has_command_words(words[0], rest)


def _has_command_words(tool: str, rest: list[str]) -> bool:
    """`make clean` and `git push origin main` are commands; `make hmr work` and `git history lies` are not."""
    if tool == "make":
        return len(rest) == 1 and rest[0] in _TOOLS["make"].split()
    if rest[0] in _TOOLS.get(tool, "").split():
        return True
    return all(_ARGUMENT.match(word) for word in rest)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return bool(re.search(r'[{,]\s*"[^"]*"\s*:', text))
    return True
