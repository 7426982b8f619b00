"""Attempts that transcripts tell of: a command fails, something is done, the same tool passes or fails again.

What was done is one of: another command line (where the first was wrong itself, or lacked a tool), other commands in
between, or an edit that a commit soon after explains. A rerun that happens to pass is none of these, and an edit that
nobody explains teaches nothing.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.remedies import evades, says_fix, shown
from dreamd.reflection.practice.shell import akin, bare, deed_of, preparation_of, run_of
from dreamd.reflection.practice.troubles import blames_words, is_own_fault, is_telling, lacks_tool, trouble_key
from dreamd.reflection.practice.values import EXPLAINED_WITHIN, SHORT_GAP, Attempt, Told, when

EXPLAINED = "commit: "  # begins the key of a remedy that a commit tells
MAX_STEPS = 2  # with more between failure and success nobody can tell which it was
_SHUFFLES = frozenset(("mkdir", "touch", "mv", "cp", "rm", "ln"))  # of files: mends no test
_MENDS = frozenset(("--fix", "--write", "--apply", "--autofix", "--fix-all", "-w"))
_ONLY_LOOKS = frozenset(("--check", "--diff", "--check-only", "--list-different"))
_FAILED = re.compile(r"`(?P<command>.+?)` failed(?: with exit code \d+)?(?:: (?P<line>.*))?", re.DOTALL)
_PASSED = re.compile(r"(?:Ran )?`(?P<command>.+?)`(?: passes(?: again.*)?)?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    told: Told
    command: str
    line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Since:
    """What an event says of the time since its command failed: its field `after`, from an adapter."""

    failed: str
    ran: str
    steps: tuple[str, ...]
    edits: tuple[str, ...]


def command_attempts(session: Sequence[Told]) -> Iterator[Attempt]:
    """The attempts to get commands to pass, of one session in time.

    A commit that would explain how several troubles ended explains none of them.
    """
    found = list(_command_attempts(session))
    troubles: dict[str, set[str]] = defaultdict(set)
    for attempt in found:
        troubles[attempt.remedy_key].add(attempt.trouble_key)
    for attempt in found:
        if not attempt.remedy_key.startswith(EXPLAINED) or len(troubles[attempt.remedy_key]) == 1:
            yield attempt


def _command_attempts(session: Sequence[Told]) -> Iterator[Attempt]:
    known: dict[str, _Failure] = {}  # by the text of its event
    failing: dict[str, list[_Failure]] = defaultdict(list)  # by stream, since its last success
    for at, told in enumerate(session):
        since, ran = _since(told.event), _passed(told)
        last = None if since is None else _within_reach(known.get(since.failed), told)
        if since is not None and last is not None:
            remedy = _remedy(last, since, session, at)
            if remedy is not None and _tells(last, told) and not evades(remedy.text):
                yield _attempt(last, remedy, told.event)
            ran = None if told.event.kind is EventKind.ERROR else since.ran
        stream = told.stream if last is None else last.told.stream
        if ran is not None and stream is not None:
            for failure in failing.pop(stream, ()):
                if failure is last or _within_reach(failure, told) is None:
                    continue
                overcome = _overcome(failure, ran, is_last=last is None)
                if overcome is not None and not evades(overcome.text):
                    yield _attempt(failure, overcome, told.event)
        if (failed := _failure(told)) is not None and told.stream is not None:
            known[told.event.text] = failed
            failing[told.stream].append(failed)


def _within_reach(failure: _Failure | None, later: Told) -> _Failure | None:
    return None if failure is None or later.event.at - failure.told.event.at > SHORT_GAP else failure


def _tells(failure: _Failure, ended: Told) -> bool:
    """Whether how it ended says if the remedy worked: with another trouble than before nobody knows."""
    again = _failure(ended)
    return ended.event.kind is not EventKind.ERROR or (
        again is not None and trouble_key(again.line) == trouble_key(failure.line)
    )


def _overcome(failure: _Failure, ran: str, *, is_last: bool) -> "_Remedy | None":
    """What of `ran`, which passed later, mends an earlier failure of the same tool."""
    if lacks_tool(failure.line):
        return _prepared(failure.command, ran) or _by_other_means(failure.command, ran)
    if not is_last or not is_own_fault(failure.line) or not akin(failure.command, ran):
        return None
    return _other_command(failure.command, ran)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Remedy:
    text: str
    in_general: str  # without what differs from time to time
    key: str
    by: tuple[Event, ...] = ()  # events that say so, besides the failure and how it ended


def _remedy(failure: _Failure, since: _Since, session: Sequence[Told], at: int) -> _Remedy | None:
    """What was done between a failure and the next run of the same command."""
    if lacks_tool(failure.line) and (prepared := _prepared(failure.command, since.ran)) is not None:
        return prepared
    is_told = is_own_fault(failure.line) and (not since.edits or blames_words(failure.line))
    if is_told and (other := _other_command(failure.command, since.ran)) is not None:
        return other
    if (mender := _mender(failure.command, since.ran)) is not None:
        return mender
    if since.edits and session[at].event.kind is EventKind.COMMIT:
        return None  # a commit that passes at last tells of its own change, not of what kept it from passing
    if since.edits and session[at].event.kind is not EventKind.ERROR:
        return _explained(since.edits, session, at)
    # Where it fails alike, the steps did not help, whatever else was done.
    return _steps_between(failure, since)


def _steps_between(failure: _Failure, since: _Since) -> _Remedy | None:
    before, after = run_of(failure.command), run_of(since.ran)
    steps = [part for step in since.steps if (run := run_of(step)).does for part in (*run.before, run.does)]
    known = {deed_of(part) for part in before.before}
    steps += [part for part in after.before if deed_of(part) not in known]
    deeds = list(dict.fromkeys(map(deed_of, steps)))
    if not deeds or len(deeds) > MAX_STEPS:
        return None
    if not is_own_fault(failure.line) and all(deed.split()[0] in _SHUFFLES for deed in deeds):
        return None
    said = [next(step for step in reversed(steps) if deed_of(step) == deed) for deed in deeds]
    return _Remedy(
        text=f"{_listed(said)} before the same command",
        in_general=f"{_listed(deeds)} before the same command",
        key="steps:" + ";".join(deeds),
    )


def _prepared(failed: str, passed: str) -> _Remedy | None:
    """What prepares `passed` and did not prepare `failed`."""
    before = set(map(preparation_of, run_of(failed).prepared))
    new = [part for part in run_of(passed).prepared if preparation_of(part) not in before]
    if not new:
        return None
    text = f"{_listed(new)} before it"
    return _Remedy(text=text, in_general=text, key="prepared:" + ";".join(sorted(map(preparation_of, new))))


def _by_other_means(failed: str, passed: str) -> _Remedy | None:
    """`passed` if it does what `failed` was to do, called otherwise: `uv run pytest` for `pytest`."""
    before, after = run_of(failed), run_of(passed)
    if not after.does or after.does == before.does or bare(after.does) != bare(before.does):
        return None
    called = [word for word in after.does.split() if not word.startswith("-")]
    if called == [word for word in before.does.split() if not word.startswith("-")]:
        return None
    return _Remedy(text=f"`{shown(after.line)}`", in_general=f"`{shown(after.line)}`", key=f"called:{called[0]}")


def _mender(failed: str, passed: str) -> _Remedy | None:
    """`passed` if it is the same check, told to mend what it finds: `ruff check --fix`."""
    before, after = run_of(failed).does.split(), run_of(passed).does.split()
    told = any(word in _MENDS and word not in before for word in after)
    freed = any(word in _ONLY_LOOKS and word not in after for word in before)
    if not (told or freed):
        return None
    text = f"`{shown(' '.join(after))}`"
    return _Remedy(text=text, in_general=text, key=f"mends:{' '.join(after[:2])}")


def _other_command(failed: str, passed: str) -> _Remedy | None:
    """`passed` as the remedy of `failed`, if it is prepared otherwise or does something else."""
    prepared = _prepared(failed, passed)
    before, after = run_of(failed), run_of(passed)
    if not after.does or (prepared is None and after.does == before.does):
        return None
    if prepared is not None and bare(after.does) == bare(before.does):
        return prepared
    text = f"`{shown(after.line)}`"
    return _Remedy(text=text, in_general=text, key=f"does:{bare(after.does)}")


def _listed(commands: Sequence[str]) -> str:
    return " and ".join(f"`{shown(command)}`" for command in commands)


def _explained(edits: Sequence[str], session: Sequence[Told], at: int) -> _Remedy | None:
    """The first commit after the success that holds an edited file, if it says that it fixes something."""
    ended = session[at].event
    for told in session[at:]:
        event = told.event
        if event.at - ended.at > EXPLAINED_WITHIN:
            return None
        if event.kind is EventKind.COMMIT and set(edits) & set(event.files):
            if not says_fix(event.text):
                return None
            files = ", ".join(file for file in edits if file in event.files)
            text = f'"{shown(event.text)}" ({files})'
            return _Remedy(text=text, in_general=text, key=f"{EXPLAINED}{event.text}", by=(event,))
    return None


def _attempt(failure: _Failure, remedy: _Remedy, ended: Event) -> Attempt:
    events = {event.id: event for event in (failure.told.event, *remedy.by, ended)}
    line = shown(re.sub(r"\.{4,}", "...", failure.line))
    does = run_of(failure.command).does or failure.command
    command = "git commit" if does.startswith("git commit") else shown(run_of(failure.command).line)
    assert failure.told.stream is not None
    return Attempt(
        stream=failure.told.stream,
        trouble=f"`{command}` failed: {line}",
        trouble_key=f"{deed_of(does)}: {trouble_key(failure.line)}",
        remedy=remedy.text,
        remedy_in_general=remedy.in_general,
        remedy_key=remedy.key,
        has_worked=ended.kind is not EventKind.ERROR,
        evidence=tuple(sorted(events.values(), key=when)),
        at=ended.at,
    )


def _failure(told: Told) -> _Failure | None:
    event = told.event
    if event.kind is not EventKind.ERROR or "command" not in event.tags:
        return None
    match = _FAILED.fullmatch(event.text)
    if match is None or not is_telling(match["line"] or ""):  # there is nothing to know it by again
        return None
    return _Failure(told=told, command=match["command"], line=match["line"])


def _passed(told: Told) -> str | None:
    event = told.event
    if event.kind not in (EventKind.RESULT, EventKind.ACTION) or "command" not in event.tags:
        return None
    match = _PASSED.fullmatch(event.text)
    return None if match is None else match["command"]


def _since(event: Event) -> _Since | None:
    after = event.extra.get("after")
    if not isinstance(after, dict):
        return None
    failed, ran = after.get("failed"), after.get("ran")
    if not isinstance(failed, str) or not isinstance(ran, str):
        return None
    return _Since(failed=failed, ran=ran, steps=_texts(after.get("steps")), edits=_texts(after.get("edits")))


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()
