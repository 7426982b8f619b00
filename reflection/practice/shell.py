"""What tells two runs of a command apart: what was put before it, and what it does.

`cd app && source .venv/bin/activate && pytest -q | tail` does `pytest -q`, prepared by `source .venv/bin/activate`.
Where one stands and what one looks at on the way does not count. Read from the command as an event shows it.
"""

import re
from dataclasses import dataclass

MIN_PART = 3  # characters of a word that makes two commands akin

_QUOTED = re.compile(r"'[^']*(?:'|$)|\"(?:[^\"\\]|\\.)*(?:\"|$)", re.DOTALL)
_BETWEEN = re.compile(r"&&|\|\||;|\n")
_SETTING = re.compile(r"[A-Za-z_]\w*=\S*$")
_LOOKS = frozenset(
    """
    cd ls ll pwd echo printf cat head tail less grep rg find which type tree wc true sleep date set test [ clear
    """.split()  # noqa: SIM905
)
_WRAPPERS = frozenset(("python", "python3", "npx", "uvx", "bunx", "sudo", "env", "time"))
_WRAPPER_PAIRS = frozenset(
    (tool, "exec" if tool in {"bundle", "pnpm", "npm"} else "run")
    for tool in ("uv", "poetry", "pipenv", "hatch", "pdm", "rye", "bundle", "pnpm", "npm")
)
_LOOKING = re.compile(
    r"git (?:-C \S+ )?(?:status|diff|log|show|branch|remote|rev-parse|ls-files|config)\b|\S+ (?:--version|--help)$"
)
_PREPARES = re.compile(r"(?:source|\.|export|nvm use|conda activate|pyenv (?:shell|local)|eval)\s")
_RESULT_ONLY = re.compile(r"\s*(?:2>&1|>\s*/dev/null|2>\s*/dev/null)")
_PART = re.compile(r"[^\W_]+")
_PATHLIKE = re.compile(r"[./\\~]|^[\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A command line by its parts, each with its white space collapsed."""

    prepared: tuple[str, ...]  # what makes the tools there: `source ...`, `export PATH=...`, `NAME=value` before a tool
    before: tuple[str, ...]  # what is done before the last part
    does: str  # the last part; "" if it only looks

    @property
    def line(self) -> str:
        """The command line without where one stands and what one looks at."""
        return " && ".join(part for part in (*self.prepared, *self.before, self.does) if part)


def run_of(command: str) -> Run:
    """The parts of `command`."""
    prepared: list[str] = []
    does: list[str] = []
    for part in _parts(command):
        text = _RESULT_ONLY.sub("", _piped(part)).strip()
        words = text.split()
        settings = [word for word in words if _SETTING.match(word)]
        while words and _SETTING.match(words[0]):
            words = words[1:]
        prepared += settings[: len(text.split()) - len(words)]
        rest = " ".join(words)
        if not words or words[0] in _LOOKS or _LOOKING.match(rest):
            continue
        if _PREPARES.match(f"{rest} "):
            prepared.append(rest)
        else:
            does.append(rest)
    return Run(prepared=tuple(prepared), before=tuple(does[:-1]), does=does[-1] if does else "")


def deed_of(part: str) -> str:
    """The tool and its task, without what it is done to: `git add README.md` is `git add`."""
    words = part.split()
    if len(words) > 1 and re.fullmatch(r"[a-z][a-z-]*", words[1]) and not _PATHLIKE.search(words[1]):
        return " ".join(words[:2])
    return words[0] if words else ""


def bare(part: str) -> str:
    """`part` without wrappers and options: two spellings of one run are equal."""
    words = [word for word in part.split() if not word.startswith("-")]
    while words:
        if tuple(words[:2]) in _WRAPPER_PAIRS:
            words = words[2:]
        elif words[0] in _WRAPPERS:
            words = words[1:]
        else:
            return " ".join((words[0].rpartition("/")[2] or words[0], *words[1:]))
    return part


def akin(one: str, other: str) -> bool:
    """Whether two command lines are about the same: a part of a path or a word besides the tool is in both."""
    first, second = run_of(one).does, run_of(other).does
    parts = {part for part in _PART.findall(bare(first)) if len(part) >= MIN_PART and part not in deed_of(first)}
    return bool(parts & set(_PART.findall(bare(second))))


def preparation_of(part: str) -> str:
    """What prepares, without the folder: `source venv/bin/activate` and `source .venv/bin/activate` are one."""
    return "activate" if "activate" in part else part.split("=", maxsplit=1)[0].removeprefix("export ")


def _parts(command: str) -> list[str]:
    masked = _QUOTED.sub(lambda match: "_" * len(match[0]), command)
    parts: list[str] = []
    start = 0
    for match in _BETWEEN.finditer(masked):
        parts.append(command[start : match.start()])
        start = match.end()
    return [*parts, command[start:]]


def _piped(part: str) -> str:
    """`part` without the pipes behind it."""
    masked = _QUOTED.sub(lambda match: "_" * len(match[0]), part)
    end = masked.find("|")
    return part if end < 0 else part[:end]
