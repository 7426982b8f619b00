"""Tool work as a fold: a call, later its result, and what of both is worth an event.

The state is JSON and bounded, so that it can be kept with the place up to which a transcript was read. A command that
fails is an error. When the same command passes later, that is its fix, with the files that were edited in between. A
check that passes, a commit and an installation are events of their own; looking around and edits are not: the files
that were edited go to the fix, the commit and the answer.
"""

import re
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any, Literal

from dreamd.daemon.intake.adapters.commands import (
    LOOKED_AT_COMMAND,
    Command,
    command_of,
    exit_code_in,
    key_of,
    plain,
    says_failed,
    telling_line,
)
from dreamd.daemon.intake.adapters.cutting import bounded
from dreamd.daemon.intake.adapters.port import Hide
from dreamd.lifecycle.words import EventKind

MAX_KEPT = 64  # calls without a result, and failing commands; the oldest go first
MAX_FILES = 20  # of one event
SHOWN_FILES = 3  # in the text of a fix
MAX_STEPS = 5  # commands that passed between a failure and the next run of the same command; the last ones are kept
MAX_NAME_CHARACTERS = 80  # of a tool
UNNAMED = "A tool"
MAX_PATH_CHARACTERS = 300  # a longer path is none that one would remember
MAX_SUBJECT_CHARACTERS = 300
LOOKED_AT_RULE = 2_000  # characters of what a tool says
MAX_SUBJECT_LOOKED_AT = 4_000  # characters of what `git commit` says

LOOKING = "looking around"
EDITING = "file edit (its files go to the fix, commit or answer)"
ORDINARY = "ordinary command that passed"
REPEATED = "check that passed before in the same turn"
INLINE = "one-off script"
UNPAIRED = "tool result without its call"
TOOL_RULE = "rule of the agent's own tool"
PLANNING = "planning"
NO_MATCH = "search without a match"
DELEGATED = "report of a subagent"
WORKED = "tool call that worked"
NOT_RUN = "call that was not run"
STILL_RUNS = "command that still runs"

How = Literal["shell", "edit", "look", "plan", "delegate", "other"]
Work = MutableMapping[str, Any]  # JSON: begin with an empty one

_TOOL_RULES = re.compile(
    r"has not been read yet|modified since read|InputValidationError|exceeds maximum allowed|sibling tool call|"
    r"No such tool|unexpected parameter|parallel tool call|Unknown skill|"
    r"is not (?:available|enabled)|no changes to make",
    re.IGNORECASE,
)
_NOT_RUN = re.compile(
    r"\s*(?:Permission (?:to use|for this)|This (?:Bash )?command (?:requires approval|contains)|Blocked:|"
    r"\S+ hook error|Hook \S+ denied|Cancelled:|Claude requested permissions)",
)
_STILL_RUNS = re.compile(r"\s*(?:Command (?:is )?running in (?:the )?background|Command was manually backgrounded)")
_MAKES = re.compile(r"build|compile|format|generate|migrat|upgrade|apply")  # a check that leaves something behind
_STEPS = 5  # where a failing command keeps them
_WRAPPED = re.compile(r"</?tool_use_error>")
_SUBJECT = re.compile(
    r"^\[(?P<branch>[^\]\n]+?) (?:\(root-commit\) )?(?P<sha>[0-9a-f]{7,40})\] (?P<subject>\S.*)$", re.MULTILINE
)
_CONVENTIONAL = re.compile(r"(?P<type>[A-Za-z][\w-]{0,30})(?:\([^()]{1,100}\))?!?:\s")
_FILE = re.compile(
    r"(?<![\w/.:-])((?:/|\./)?(?:[\w@.-]+/)*[\w@-]+(?:\.[\w-]+)*\."
    r"(?:py|pyi|ts|tsx|js|jsx|mjs|cjs|rs|go|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|scala|vue|svelte|css|sql|sh|toml|ya?ml|json|md))"
    r"\b(?=[:(,\s'\"\])`]|$)"
)
_FOREIGN = re.compile(r"(?:^|/)(?:node_modules|site-packages|dist-packages|\.venv|vendor|target/debug|usr/lib)/|^/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What a tool call asks for."""

    how: How
    name: str  # of the tool
    command: str = ""  # of a shell call
    files: tuple[str, ...] = ()  # that it reads or writes, relative to the project where inside


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a tool call, as the fields of an event."""

    kind: EventKind
    text: str
    outcome: float | None
    target: str | None
    files: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    after: Mapping[str, object] | None = None  # how the same command failed before, and what was done since

    def fields(self) -> dict[str, object]:
        given: dict[str, object] = {"kind": str(self.kind), "text": self.text, "outcome": self.outcome}
        given |= {"target": self.target, "after": self.after}
        lists = {"files": list(self.files), "tags": list(self.tags)}
        return {name: value for name, value in {**given, **lists}.items() if value not in (None, [])}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    why: str


def begin(work: Work, call: str, deed: Deed, hide: Hide) -> None:
    """A tool is called; `call` is the id that its result will name."""
    command = bounded(hide(plain(deed.command)), LOOKED_AT_COMMAND)
    files = _paths(tuple(map(plain, deed.files)))
    kept: list[Any] = [deed.how, plain(bounded(deed.name, MAX_NAME_CHARACTERS)) or UNNAMED, None, list(files)]
    if deed.how == "shell":
        kept[2] = _as_kept(command_of(command), command)
    _keep(work.setdefault("pending", {}), call, kept)


def end(  # noqa: PLR0913 - what a result says
    work: Work, call: str, output: str, hide: Hide, *, is_error: bool, exit_code: int | None = None
) -> Done | Ignored:
    """The result of `call` comes. `exit_code` None: not said apart from the output."""
    pending = work.get("pending", {}).pop(call, None)
    if pending is None:
        return _failed_tool("other", "A tool call", (), output, hide) if is_error else Ignored(why=UNPAIRED)
    how, name, command, files = pending
    if how == "shell":
        return _shell(work, command, output, hide, is_error=is_error, exit_code=exit_code)
    if is_error:
        return _failed_tool(how, name, tuple(files), output, hide)
    if how == "edit":
        _note_edit(work, tuple(files))
        return Ignored(why=EDITING)
    return Ignored(why={"look": LOOKING, "plan": PLANNING, "delegate": DELEGATED}.get(how, WORKED))


def drop(work: Work, call: str) -> None:
    """The call was refused or broken off: nothing came of it."""
    work.get("pending", {}).pop(call, None)


def new_turn(work: Work) -> None:
    """The person speaks: what is edited and passes from here on belongs to another turn."""
    work.pop("turn", None)
    work.pop("passed", None)


def edited_in_turn(work: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(work.get("turn", ()))


def relative(path: str, base: str | None) -> str:
    """`path` relative to the folder `base` where it is inside, else as it is; in either with forward slashes."""
    plain = path.replace("\\", "/")
    folder = (base or "").replace("\\", "/").rstrip("/")
    return plain[len(folder) + 1 :] if folder and plain.startswith(f"{folder}/") else plain


def _as_kept(command: Command, text: str) -> dict[str, Any]:
    kept: dict[str, Any] = {
        "shown": command.shown,
        "label": command.label,
        # Prefixes first to last: a check passes for what it holds.
        "keys": [key_of(command.words[:end]) for end in range(1, len(command.words) + 1)],
        "check": command.is_check,
        "install": command.is_install,
        "inline": command.is_inline,
        "masked": command.is_masked,
        "searched": command.is_searched,
    }
    if command.is_commit:
        kept["subject"] = _given_subject(text)
    return kept


def _shell(
    work: Work, command: dict[str, Any], output: str, hide: Hide, *, is_error: bool, exit_code: int | None
) -> Done | Ignored:
    found, said = exit_code_in(output)
    code = found if exit_code is None else exit_code
    if not command["label"]:
        return Ignored(why=LOOKING)
    if _STILL_RUNS.match(said) or (is_error and _NOT_RUN.match(_WRAPPED.sub("", said))):
        return Ignored(why=STILL_RUNS if _STILL_RUNS.match(said) else NOT_RUN)
    has_failed = is_error or code not in (None, 0)
    if command["masked"] and command["check"]:  # the code may be that of `tail`; what it shows counts
        has_failed = says_failed(said) or (has_failed and not (command["searched"] and code == 1))
    if command["inline"]:
        return Ignored(why=INLINE)
    return _failure(work, command, telling_line(said, hide), code) if has_failed else _success(work, command, said)


def _failure(work: Work, command: dict[str, Any], line: str, code: int | None) -> Done | Ignored:
    if command["searched"] and code == 1 and not line:
        return Ignored(why=NO_MATCH)
    ending = f"failed with exit code {code}" if code else "failed"
    files = _paths(tuple(match[1].removeprefix("./") for match in _FILE.finditer(f"{command['shown']} {line}")))
    files = tuple(file for file in files if not _FOREIGN.search(file))
    text = f"`{command['shown']}` {ending}"
    text = f"{text}: {line}" if line else text
    before = None
    if command["keys"]:
        before = work.setdefault("failing", {}).get(command["keys"][-1])
        _keep(work["failing"], command["keys"][-1], [command["keys"], line, list(files), [], text, []])
    return Done(
        kind=EventKind.ERROR,
        text=text,
        outcome=0.0,
        target=command["label"],
        files=files or edited_in_turn(work),
        tags=("command",),
        after=_after(command, before),
    )


def _success(work: Work, command: dict[str, Any], output: str) -> Done | Ignored:
    mended = _mended(work, command["keys"])
    if "subject" in command:
        return _commit(work, command, output, mended)
    if mended is not None:
        return _fix(command, mended)
    if command["install"]:
        _note_step(work, command["shown"])
        return Done(
            kind=EventKind.ACTION,
            text=f"Ran `{command['shown']}`",
            outcome=1.0,
            target=command["label"],
            tags=("command",),
        )
    if not command["check"]:
        _note_step(work, command["shown"])
        return Ignored(why=ORDINARY)
    if _MAKES.search(command["label"]):
        _note_step(work, command["shown"])
    passed = work.setdefault("passed", [])
    if command["keys"][-1] in passed:
        return Ignored(why=REPEATED)
    work["passed"] = [*passed, command["keys"][-1]][-MAX_KEPT:]
    text = f"`{command['shown']}` passes"
    return Done(
        kind=EventKind.RESULT,
        text=text,
        outcome=1.0,
        target=command["label"],
        files=edited_in_turn(work),
        tags=("command",),
    )


def _fix(command: dict[str, Any], mended: list[Any]) -> Done:
    _, line, files, edits, *_ = mended
    after = (
        f" after changes to {', '.join(edits[:SHOWN_FILES])}{' and more' if len(edits) > SHOWN_FILES else ''}"
        if edits
        else ""
    )
    before = f"; before: {line}" if line else ""
    return Done(
        kind=EventKind.RESULT,
        text=f"`{command['shown']}` passes again{after}{before}",
        outcome=1.0,
        target=command["label"],
        files=tuple(dict.fromkeys([*edits, *files]))[:MAX_FILES],
        tags=("command", "fix"),
        after=_after(command, mended),
    )


def _after(command: dict[str, Any], failed: list[Any] | None) -> dict[str, object] | None:
    """What a later run of a command that had `failed` says of the time between: material for lessons."""
    if failed is None or len(failed) < len(("keys", "line", "files", "edits", "text", "steps")):  # kept by an older one
        return None
    _, _, _, edits, text, steps = failed
    said = {"failed": text, "ran": command["shown"], "steps": list(steps), "edits": list(edits)}
    return {name: value for name, value in said.items() if value}


def _note_step(work: Work, shown: str) -> None:
    """An ordinary command passed: it may be what mends those that fail."""
    for failing in work.get("failing", {}).values():
        if len(failing) > _STEPS:
            failing[_STEPS] = [*failing[_STEPS], shown][-MAX_STEPS:]


def _mended(work: Work, keys: list[str]) -> list[Any] | None:
    """The failing command that a success of `keys` mends, taken out: it, or what it includes; the latest of several."""
    failing = work.get("failing", {})
    found = [key for key, (each, *_) in failing.items() if keys and keys[-1] in each]
    mended = [failing.pop(key) for key in found]
    return mended[-1] if mended else None


def _commit(work: Work, command: dict[str, Any], output: str, mended: list[Any] | None) -> Done | Ignored:
    match = _SUBJECT.search(output[:MAX_SUBJECT_LOOKED_AT])
    subject = bounded((match["subject"] if match else command.get("subject") or "").strip(), MAX_SUBJECT_CHARACTERS)
    files = tuple(work.pop("uncommitted", ()))
    if not subject:
        return Ignored(why=ORDINARY)
    shape = _CONVENTIONAL.match(subject)
    tags = (shape["type"].lower(),) if shape else ()
    after = _after(command, mended)
    return Done(kind=EventKind.COMMIT, text=subject, outcome=None, target=None, files=files, tags=tags, after=after)


def _given_subject(text: str) -> str:
    """The first line of the message that a `git commit` gives."""
    match = re.search(r"<<-?\s*['\"]?(\w+)['\"]?\s*\n\s*(?P<line>\S[^\n]*)", text) or re.search(
        r"(?:\s-\w*m|--message)[ =](?:\"(?P<line>[^\"\n]+)|'(?P<single>[^'\n]+))", text
    )
    if match is None:
        return ""
    found = match.groupdict()
    return bounded((found["line"] or found.get("single") or "").strip(), MAX_SUBJECT_CHARACTERS)


def _failed_tool(how: str, name: str, files: tuple[str, ...], output: str, hide: Hide) -> Done | Ignored:
    said = _WRAPPED.sub("", output)
    if _NOT_RUN.match(said) or _TOOL_RULES.search(said[:LOOKED_AT_RULE]):
        return Ignored(why=NOT_RUN if _NOT_RUN.match(said) else TOOL_RULE)
    if how in {"look", "plan"}:
        return Ignored(why=LOOKING if how == "look" else PLANNING)
    line = telling_line(said, hide)
    about = f" of {files[0]}" if files else ""
    text = f"{name}{about} failed: {line}" if line else f"{name}{about} failed"
    return Done(
        kind=EventKind.ERROR, text=text, outcome=0.0, target=None if files else name, files=files, tags=("tool",)
    )


def _note_edit(work: Work, files: tuple[str, ...]) -> None:
    for name in ("turn", "uncommitted"):
        work[name] = list(dict.fromkeys([*work.get(name, ()), *files]))[-MAX_FILES:]
    for failing in work.get("failing", {}).values():
        failing[3] = list(dict.fromkeys([*failing[3], *files]))[-MAX_FILES:]


def _paths(files: tuple[str, ...]) -> tuple[str, ...]:
    kept = (file for file in files if file and len(file) <= MAX_PATH_CHARACTERS)
    return tuple(dict.fromkeys(kept))[:MAX_FILES]


def _keep(kept: dict[str, Any], key: str, value: object) -> None:
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > MAX_KEPT:
        del kept[next(iter(kept))]
