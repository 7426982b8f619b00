"""Whether a text is a complete statement, told by its shape alone.

A memory of command lines, headings, log lines and our own output is rubbish however often it was seen: it would
mature like anything else. An event of such a shape still counts as evidence for a target that it names; it states no
claim. What a user or agent says outright (a decision, a preference, a correction) is taken from one word on.
"""

import json
import re
from functools import lru_cache

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.origin import is_our_writing

_OUTRIGHT = frozenset(
    {EventKind.DECISION, EventKind.PREFERENCE, EventKind.CORRECTION, EventKind.RETRACTION, EventKind.INTERVENTION}
)
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
# What builds, package managers and test runners print about their own work.
_BUILD = re.compile(
    r"\[\d+/\d+\] \S|Step \d+/\d+ :|make(?:\[\d+\])?: (?:\*\*\*|Entering|Leaving|Nothing)|> (?:Task )?[:@\w./-]+@?[\d.]* \w+$"
    r"|(?:Compiling|Checking|Downloading|Downloaded|Fetching|Installing|Unpacking|Bundling|Building|Linking) \S+ v?\d[\w.-]*(?: \(\S*\))?(?:\.{3})?$"
    r"|(?:Finished|Collecting|Requirement already satisfied:?) (?:`?\w+`? (?:profile )?\[|\S+[=<>~!]=|\S+ in /)"
    r"|Success(?:fully)? (?:built|installed|tagged) \S+[:-]?[\d.]*|added \d+ packages?\b|BUILD (?:SUCCESSFUL|FAILED)\b"
    r"|webpack [\d.]+ compiled|[✓✔√✗✘] \d+ \w+ \w+\.?$|\S+ +\d[\d.,]* [kM]i?B(?: [│|].*)?$"
    r"|(?:PASS|FAIL|ok|---) +\S+[./]\S+(?: [\d.(]+m?s\)?)?$|--- (?:PASS|FAIL|SKIP): |=== (?:RUN|PAUSE|CONT) "
    r"|={3,} .*(?:passed|failed|error|session starts|warnings).* ={3,}$|\S+\.\w+ [.FEsx]+ +\[ *\d+%\]$"
)
MAX_PRINTED = 400  # characters of a line that a build prints; a longer one is not looked at for that
# Figures that other memories hang on what they recall.
_SCORE = re.compile(
    r"\b(?:score|recalls?|avg|confidence|similarity|relevance|rank|weight|hits?|promoted|tokens)[=:] ?-?\.?\d[\d.,%]*",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[({][^\[\](){}]*[\])}]\s*$")
MIN_SCORES = 2
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
    "bazel": "build run test", "bun": "install run test", "cmake": "", "deno": "run test", "dotnet": "build run test restore",
    "eslint": "", "gcc": "", "g++": "", "gh": "pr issue run release", "gradle": "build test", "jest": "", "mvn": "clean install test package",
    "ninja": "", "prettier": "", "rustc": "", "tox": "", "vitest": "run",
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


@lru_cache(maxsize=8_192)
def inadmissible(text: str, kind: EventKind) -> str | None:
    """Why `text` is not a complete statement; None if it is one."""
    stripped = text.strip()
    if not stripped:
        return "empty"
    if is_our_writing(stripped, kind):
        return "own output"
    if not any(char.isalnum() for char in stripped):
        return "no words"
    if kind in _OUTRIGHT:
        return None
    return _block_reason(stripped) or _lines_reason(stripped)


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
    if not any(char.isalnum() for char in line):
        return "no words"
    if (line[0] in "#*_" or line[-1] == ":") and _HEADING.match(line):
        return "heading"
    return _machine_reason(line) or ("score metadata" if _is_score(line) else None)


def _machine_reason(line: str) -> str | None:
    """What kind of line of a program or for a shell `line` is."""
    if (line[0] == "[" or line[0].isdigit()) and _LOG.match(line):
        return "log line"
    if _FRAME.match(line):
        return "stack trace"
    if len(line) <= MAX_PRINTED and _BUILD.match(line):
        return "build line"
    return "command line" if _is_command(line) else None


def is_of_a_machine(line: str) -> bool:
    """Whether `line`, without white space around it, is a command, a line of a log or build, or a frame of a trace."""
    return bool(line) and _SINGLE.fullmatch(line) is None and _machine_reason(line) is not None


def _is_score(line: str) -> bool:
    """Whether `line` is figures, or ends with some: another memory's account of what it recalled."""
    if len(line) > MAX_PRINTED or ("=" not in line and ":" not in line) or len(_SCORE.findall(line)) < MIN_SCORES:
        return False
    tail = _BRACKETED.search(line)
    if tail is not None and len(_SCORE.findall(tail[0])) >= MIN_SCORES:
        return True
    left = re.findall(r"[^\W\d_]{2,}", re.sub(r"\b[\w.-]+[=:] ?\S+", "", line))
    return len(left) < MIN_SCORES


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
