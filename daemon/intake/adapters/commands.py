"""What a shell command is and how it ended, read from its text: which tool it runs, whether it only looks, its error.

Agents run the same check in many spellings (`cd app && CI=1 npx jest -t x 2>&1 | tail -20`). Its `words` are what is
left without folders, settings, wrappers, options, redirections and pipes; its `label` is the tool with its task. Equal
words are the same check. The shell is not parsed in full; what cannot be read is an ordinary command.
"""

import re
from dataclasses import dataclass
from hashlib import sha256

from dreamd.daemon.intake.adapters.cutting import bounded
from dreamd.daemon.intake.adapters.port import Hide
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.shape import inadmissible

MAX_COMMAND_CHARACTERS = 160  # shown of a command
MAX_LINE_CHARACTERS = 240  # shown of its output
LOOKED_AT_CHARACTERS = 20_000  # of an output, from either end
COMMIT = "git commit"
LOOKED_AT_COMMAND = 4_000  # characters of a command
LOOKED_AT_LINE = 1_000  # characters of one line of it
MAX_WORDS = 12  # that make two commands one

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_HEREDOC = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?(?:^\s*\1\s*$|\Z)", re.DOTALL | re.MULTILINE)
_BETWEEN = re.compile(r"&&|\|\||;|\n|\|")
_REDIRECTION = re.compile(r"\s?\d?(?:>>?|<)&?\s*\S+|\s?2>&1")
_SETTING = re.compile(r"[A-Za-z_]\w*=\S*$")
_WRAPPERS = frozenset("sudo env time nohup npx bunx pnpx xvfb-run command exec then do stdbuf nice".split())  # noqa: SIM905
_WRAPPER_PAIRS = frozenset(
    [("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("npm", "exec"), ("hatch", "run"), ("pdm", "run"), ("rye", "run"), ("python", "-m"), ("python3", "-m")]
)  # fmt: skip
_WHERE = frozenset(
    ("-C", "--prefix", "--filter", "-F", "--cwd", "--dir", "--directory", "--manifest-path", "--workspace")
)
_SHELL_IN_SHELL = re.compile(r"\s*(?:bash|sh|zsh) -l?c (['\"])(?P<inner>.*)\1\s*", re.DOTALL)
_INTERPRETERS = frozenset("python python3 node bash sh zsh ruby perl php deno tsx ts-node bun".split())  # noqa: SIM905
_INLINE = frozenset(("-c", "-e", "-", "--eval", "-p"))
_TASKED = frozenset(
    """
    npm pnpm yarn bun cargo go git make docker docker-compose podman kubectl terraform tofu poetry uv pip pip3 gradle
    gradlew mvn mvnw dotnet rails rake just task helm gh hatch pdm nx turbo lerna ng vite next astro prisma alembic
    flask django-admin manage.py systemctl brew apt apt-get fly flyctl vercel netlify wrangler aws gcloud az mix sbt
    lein stack cabal swift flutter dart composer artisan ruff deno expo eas tox nox conda
    """.split()  # noqa: SIM905
)
_LOOKERS = frozenset(
    """
    ls ll cat bat head tail less more grep rg egrep fgrep ag ack find fd tree pwd which type whereis echo printf wc sort
    uniq cut awk sed diff cmp file stat du df ps top env printenv date whoami uname hostname jq yq cd true false test [
    [[ sleep history man export set source . read xxd od strings basename dirname realpath readlink column tr lsof netstat
    ss nl tee xargs dreamd for while if fi done else wait pgrep kill pkill
    """.split()  # noqa: SIM905
)
_SEARCHERS = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "["))
_MASKS = re.compile(r"(?<!\|)\|(?!\|)|\|\|\s*(?:true|:|echo)|[;\n]\s*\S")
_LOOKING_TASKS = re.compile(
    r"(?:git (?:status|log|diff|show|branch|remote|blame|rev-parse|ls-files|grep|describe|reflog|config|fetch|shortlog|cat-file|ls-remote)"
    r"|(?:npm|pnpm|yarn|pip3?|brew|apt|cargo|uv|conda|poetry) (?:ls|list|view|show|info|freeze|search|outdated|why|tree|metadata)"
    r"|(?:docker|podman|kubectl|docker-compose) (?:ps|logs|images|get|describe|inspect|top|version)|gh (?:pr|issue|run|api|repo|auth)|systemctl status)$"
)
_CHECK = re.compile(
    r"(?:^|[ :/_-])(?:tests?|check|lint|build|typecheck|type-check|types|tsc|mypy|pyright|ruff|flake8|pylint|black|prettier|eslint|biome|pytest|jest|vitest|mocha|ava|"
    r"tox|nox|ctest|clippy|vet|verify|deploy|release|publish|compile|e2e|spec|rspec|phpunit|unittest|playwright|cypress|apply|upgrade|migrate|bench|validate|ci)(?:$|[ :._-])"
)
_INSTALL = re.compile(
    r"(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|brew|apt|apt-get|composer|conda|gem|dotnet)(?: pip)? (?:install|add|i|get|remove|uninstall)$"
)

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-B0])")
_NO_TEXT = re.compile("[\0-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_EXIT = re.compile(
    r"\s*(?:Error: )?(?:(?:Command failed with |Process )?(?:[Ee]xit code:?|exited with code)) (\d{1,3})\b[ \t]*\n?"
)
_FAILED_COUNT = re.compile(
    r"\b[1-9]\d* (?:tests? |suites? |examples? |specs? )?(?:failed|failing|failures?|errors?)\b|^FAIL(?:ED)?\b|^E {3}|\btest result: FAILED|\berror TS\d+|\bBUILD FAILED\b|npm ERR!|\bELIFECYCLE\b",
    re.MULTILINE,
)
# From the most to the least telling; of the first, the last line counts, since a trace ends with its error.
_LAST_OF = re.compile(
    r"^(?:E +)?(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Failure|Panic|Warning as error)\b:? ?"
)
_FIRST_OF = (
    re.compile(r"\berror(?:\[\w+\])?:|\berror TS\d+|^error\b|\bpanicked at\b|^fatal:|\bAssertionError\b|^E {3,}\S", re.IGNORECASE),
    re.compile(r"\w+(?:Error|Exception): "),
    re.compile(r"^(?:FAIL(?:ED)?|not ok|✕|✗|×|✖|●|--- FAIL)[: ]|\bFAILED\b|^\s*(?:✕|✗|×|✖) ", re.IGNORECASE),
    re.compile(r"\b(?:cannot|can't|could not|couldn't|not found|no such|undefined|denied|refused|invalid|unknown|missing|failed|unable|conflict|rejected|timed out)\b", re.IGNORECASE),
)  # fmt: skip
_EMPTY_TALK = re.compile(
    r"npm (?:ERR!|error) (?:A complete log|code |errno |path |command |Lifecycle script|in workspace|location)|\bcomplete log of this run\b|^=+|^-+$"
)
_MARKS = re.compile(r"^(?:E {2,}|npm (?:ERR!|error) |[✕✗×✖●] +|\s+)+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    shown: str  # as given, bounded, on one line
    label: str  # the tool and its task: "npm test", "pytest", "python migrate.py"; "" if it only looks
    words: tuple[str, ...]  # label and arguments, without options
    is_check: bool  # a test, build, lint or deployment: that it passes is worth an event
    is_install: bool
    is_inline: bool  # a script that was written for this once
    is_masked: bool  # its exit code may be that of what follows: a pipe, `; echo`, `|| true`
    is_searched: bool  # what follows looks for something, and says 1 where it finds nothing
    is_commit: bool  # it makes a commit, perhaps among other things


def command_of(text: str) -> Command:
    """What the shell command `text` runs: its first part that checks, commits or does something."""
    text = bounded(text, LOOKED_AT_COMMAND)
    wrapped = _SHELL_IN_SHELL.fullmatch(text)
    text = wrapped["inner"] if wrapped else text
    shown = bounded(" ".join(_HEREDOC.sub("<<...", text).split()), MAX_COMMAND_CHARACTERS)
    parts = [words for part in _parts(text) if (words := _unwrapped(part.split()))]
    doings = [(_label(words), words) for words in parts if not _only_looks(words)]
    is_commit = any(label == COMMIT for label, _ in doings)
    # Of several, the check is what fails or passes; the commit counts as such if all went well.
    label, doing = next(
        (each for each in doings if _CHECK.search(each[0])),
        next((each for each in doings if each[0] == COMMIT), doings[0] if doings else ("", [])),
    )
    return Command(
        shown=shown or label,
        label=bounded(label, MAX_COMMAND_CHARACTERS),
        words=tuple(_telling(doing, label)) if doing else (),
        is_check=bool(label) and _CHECK.search(label) is not None,
        is_install=_INSTALL.match(label) is not None,
        is_inline=bool(doing)
        and doing[0] in _INTERPRETERS
        and (len(doing) == 1 or doing[1] in _INLINE or "<<" in text),
        is_masked=_MASKS.search(_masked(text)) is not None,
        is_searched=len(parts) > 1 and parts[-1][0] in _SEARCHERS,
        is_commit=is_commit,
    )


def plain(text: str) -> str:
    """`text` without escapes of terminals and without what no text may hold."""
    return _NO_TEXT.sub("\ufffd", _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n"))


def exit_code_in(text: str) -> tuple[int | None, str]:
    """The exit code that an output begins with, and the output without it."""
    match = _EXIT.match(text)
    return (int(match[1]), text[match.end() :]) if match else (None, text)


def says_failed(output: str) -> bool:
    """Whether an output whose exit code says nothing tells of failed tests or a failed build."""
    return _FAILED_COUNT.search(_ends(output)) is not None


def telling_line(output: str, hide: Hide) -> str:
    """The line that says best what went wrong, bounded; "" if none says anything.

    The secrets of the whole output are hidden first: what gives one away may stand on another line.
    """
    lines = [line[:LOOKED_AT_LINE].rstrip() for line in _ends(hide(plain(output))).splitlines()]
    lines = [line for line in lines if line.strip() and not _EMPTY_TALK.search(line)]
    found = next((line for line in reversed(lines) if _LAST_OF.match(line)), None)
    for pattern in _FIRST_OF:
        found = found or next((line for line in lines if pattern.search(line)), None)
    found = found or next((line for line in reversed(lines) if inadmissible(line, EventKind.ERROR) is None), "")
    return bounded(" ".join(_MARKS.sub("", found).split()), MAX_LINE_CHARACTERS)


def key_of(words: tuple[str, ...]) -> str:
    """Equal for commands of equal words; tells nothing of a secret among them that could be read back at sight."""
    return sha256("\0".join(words).encode("utf-8", "replace")).hexdigest()[:16]


def _ends(output: str) -> str:
    if len(output) <= 2 * LOOKED_AT_CHARACTERS:
        return output
    return f"{output[:LOOKED_AT_CHARACTERS]}\n{output[-LOOKED_AT_CHARACTERS:]}"


def _masked(text: str) -> str:
    """`text` with what is quoted or a here-document blotted out, of the same length."""

    def blot(match: re.Match[str]) -> str:
        return "_" * len(match[0])

    return _QUOTED.sub(blot, _HEREDOC.sub(blot, text))


def _parts(text: str) -> list[str]:
    """The commands of a line, without what is redirected where."""
    masked = _masked(text)
    parts: list[str] = []
    start = 0
    for match in _BETWEEN.finditer(masked):
        parts.append(text[start : match.start()])
        start = match.end()
    parts.append(text[start:])
    return [_REDIRECTION.sub("", part).strip() for part in parts]


def _unwrapped(words: list[str]) -> list[str]:
    while words:
        if _SETTING.match(words[0]) or words[0] in _WRAPPERS:
            words = words[1:]
        elif words[0] == "timeout" or tuple(words[:2]) in _WRAPPER_PAIRS:
            words = words[2:]
        elif words[0].startswith("#"):
            return []
        else:
            return _placed([words[0].rpartition("/")[2] or words[0], *words[1:]])
    return []


def _placed(words: list[str]) -> list[str]:
    """`words` without the options that say where a tool with tasks works: `git -C app commit` is `git commit`."""
    if words[0] not in _TASKED:
        return words
    kept = words[:1]
    rest = iter(words[1:])
    for word in rest:
        if word in _WHERE:
            next(rest, None)
        else:
            kept.append(word)
    return kept


def _only_looks(words: list[str]) -> bool:
    if words[0] == "sed" and any(word.startswith("-i") for word in words[1:]):
        return False
    if words[0] in _LOOKERS or words[-1] in {"--version", "--help", "-V"}:
        return True
    return _LOOKING_TASKS.match(" ".join(words[:2])) is not None


def _label(words: list[str]) -> str:
    tool, *rest = words
    arguments = [word for word in rest if not word.startswith("-")]
    if tool in _INTERPRETERS and arguments and tool not in _TASKED:
        return f"{tool} {arguments[0].rpartition('/')[2]}"
    if tool not in _TASKED or not arguments or not re.fullmatch(r"[\w:.-]+", arguments[0]):
        return tool
    if arguments[0] in {"run", "pip", "compose"} and len(arguments) > 1 and re.fullmatch(r"[\w:.-]+", arguments[1]):
        return f"{tool} {arguments[0]} {arguments[1]}"
    return f"{tool} {arguments[0]}"


def _telling(words: list[str], label: str) -> list[str]:
    if label == COMMIT:
        return label.split()  # with other words in its message it is the same deed
    skipped = len(label.split()) - 1
    arguments = [word for word in words[1:] if not word.startswith(("-", "&"))][skipped:]
    arguments = [part for word in arguments for part in word.split("::")]  # a test is a part of its file
    return [*label.split(), *arguments][:MAX_WORDS]
