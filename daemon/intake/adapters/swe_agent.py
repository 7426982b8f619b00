"""SWE-agent: a trajectory, one JSON document of the steps that an agent took: what it did and what it saw.

The task is a text from outside, an issue that anybody may have written; what the agent thought before a step is not
kept. A trajectory holds no time and no exit code: its events are dated by what the person says, and a step has failed
where what it saw says so. It is written anew after each step, so it is read as a whole each time; the ids are those of
the steps.
"""

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from dreamd.daemon.intake.adapters import signs, turns, work
from dreamd.daemon.intake.adapters.commands import plain
from dreamd.daemon.intake.adapters.cutting import bounded
from dreamd.daemon.intake.adapters.finding import files_under
from dreamd.daemon.intake.adapters.port import Draft, Found, Hide, LeftOut, Mark, Memory, Seen, Unread
from dreamd.daemon.intake.adapters.records import text_of
from dreamd.daemon.intake.adapters.speech import MAX_REQUEST_CHARACTERS
from dreamd.daemon.intake.limits import Limits

THOUGHT = "thought"
PROMPT = "prompt of the program"
DEMONSTRATION = "demonstration"
NO_CHANGE = "submission without a change"
TOLD_BY_STEPS = "told by the steps"
SHOWN_FILES = 3
MAX_TITLE_CHARACTERS = 160  # of the task, where it is named in passing

_TASK = re.compile(
    r"(?:^ISSUE:\s*\n|<pr_description>\s*\n?)(.*?)(?:^INSTRUCTIONS:|</pr_description>|\Z)", re.DOTALL | re.M
)
_BEFORE_INSTRUCTIONS = re.compile(r"\A(.*?)(?:^INSTRUCTIONS:|^IMPORTANT TIPS:|\Z)", re.DOTALL | re.MULTILINE)
_ROLES = frozenset(("user", "assistant", "system", "tool"))
_LOOKING = frozenset("open goto scroll_up scroll_down find_file search_file search_dir view windowed_open".split())  # noqa: SIM905
_EDITORS = frozenset(("edit", "create", "insert", "append"))
_NEW_SYNTAX_ERRORS = "Your proposed edit has introduced new syntax error(s)"
_SHOWN_EDIT = "This is how your edit would have looked"
_LISTED = re.compile(r"^- ", re.MULTILINE)
_OPEN_FILE = re.compile(r"^\[File: (.+?) \(\d+ lines total\)\]", re.MULTILINE)
_CHANGED = re.compile(r"^\+\+\+ b/(.+)$", re.MULTILINE)


def adapter(limits: Limits, hide: Hide) -> "SweAgent":
    return SweAgent(limits, hide)


class SweAgent:
    name = "swe-agent"
    reads = "trajectories of SWE-agent (*.traj)"

    def __init__(self, limits: Limits, hide: Hide) -> None:
        self.limits = limits
        self.hide = hide

    def find(self, path: Path) -> Iterator[Path]:
        return files_under(path, lambda file: file.suffix == ".traj")

    def project(self, file: Path) -> Path | None:  # noqa: ARG002 - the name of the container's folder says nothing
        return None

    def read(self, file: BinaryIO, memory: Memory, *, line: int) -> Iterator[Found]:  # noqa: ARG002 - read as a whole
        file.seek(0)
        content = file.read(self.limits.document_bytes + 1)
        digest = sha256(content).hexdigest()
        if memory.get("digest") == digest:
            yield Mark(offset=file.tell(), line=1)
            return
        memory["digest"] = digest
        document = _document(content, self.limits)
        if isinstance(document, str):
            yield Unread(line=1, field=None, reason=document)
        else:
            yield from _Trajectory(document, self.hide).events()
        yield Mark(offset=file.seek(0, 2), line=1)


class _Trajectory:
    """One trajectory; lines are the numbers of its steps, from 1, and 0 is what was before the first."""

    def __init__(self, document: Mapping[str, Any], hide: Hide) -> None:
        self.hide = hide
        self.history = [entry for entry in _list(document.get("history")) if isinstance(entry, Mapping)]
        self.steps = _list(document.get("trajectory"))
        info = document.get("info")
        self.info: Mapping[str, Any] = info if isinstance(info, Mapping) else {}
        self.task = _task_in(self.history)
        first = next((step for step in self.steps if isinstance(step, Mapping)), {})
        whole = json.dumps([document.get("environment"), self.task, first.get("action")])
        self.session = sha256(whole.encode("utf-8", "replace")).hexdigest()[:16]
        self.open_file = ""
        self.work: work.Work = {}

    def events(self) -> Iterator[Found]:
        yield from self._history()
        for line, step in enumerate(self.steps, start=1):
            yield Seen(line=line, record="step")
            if isinstance(step, Mapping) and isinstance(step.get("action"), str):
                yield from self._step(step, line)
            else:
                yield Unread(line=line, field="trajectory", reason="a step without an action")
        yield from self._end()

    def _history(self) -> Iterator[Found]:
        """The task; the rest of the history is the steps again, and what the program told the agent."""
        told = False
        for entry in self.history:
            role = text_of(entry.get("role"))
            record = f"history: {role if role in _ROLES else 'unknown'}"
            yield Seen(line=0, record=record)
            if entry.get("is_demo") or entry.get("message_type") == "demonstration":
                yield LeftOut(line=0, record=record, why=DEMONSTRATION)
            elif role == "user" and not told and self.task:
                told = True
                yield self._draft("task", 0, {"kind": "message", "text": self.task, "actor": "external"})
            else:
                yield LeftOut(line=0, record=record, why=PROMPT if role == "system" else TOLD_BY_STEPS)

    def _step(self, step: Mapping[str, Any], line: int) -> Iterator[Found]:
        action, seen = plain(str(step["action"])).strip(), text_of(step.get("observation"))
        if text_of(step.get("thought")):
            yield LeftOut(line=line, record="step: thought", why=THOUGHT)
        word = action.split(maxsplit=1)[0] if action else ""
        if word == "submit" or not action:
            yield LeftOut(line=line, record="step", why=TOLD_BY_STEPS if action else turns.EMPTY)
            return
        deed = self._deed(action, word)
        work.begin(self.work, str(line), deed, self.hide)
        if deed.how == "shell":
            done = signs.ended(self.work, str(line), action, seen, self.hide)
        else:
            shown = _LISTED.sub("", seen.partition(_SHOWN_EDIT)[0])
            done = work.end(self.work, str(line), plain(shown), self.hide, is_error=_edit_failed(seen))
        if opened := _OPEN_FILE.search(seen):
            self.open_file = _inside(opened[1])
        if isinstance(done, work.Ignored):
            yield LeftOut(line=line, record="step", why=done.why)
        else:
            said = sha256(f"{action}\0{seen}".encode("utf-8", "replace")).hexdigest()[:8]
            yield self._draft(f"step-{line}-{said}", line, {**done.fields(), "actor": "tool"})

    def _deed(self, action: str, word: str) -> work.Deed:
        words = action.split("\n", 1)[0].split()
        if word == "str_replace_editor":
            how: work.How = "look" if words[1:2] == ["view"] else "edit"
            return work.Deed(how=how, name=word, files=tuple(_inside(each) for each in words[2:3]))
        if word in _EDITORS:
            named = words[1] if word == "create" and len(words) > 1 else self.open_file
            return work.Deed(how="edit", name=word, files=(_inside(named),) if named else ())
        if word in _LOOKING:
            return work.Deed(how="look", name=word)
        return work.Deed(how="shell", name="bash", command=action)

    def _end(self) -> Iterator[Found]:
        """What the run came to: what was submitted, never whether it was right, which a trajectory does not say."""
        status, submission = text_of(self.info.get("exit_status")), text_of(self.info.get("submission"))
        line = len(self.steps) + 1
        files = tuple(dict.fromkeys(file.strip() for file in _CHANGED.findall(submission)))[: work.MAX_FILES]
        if not files and (submission or not status or status == "submitted"):
            yield LeftOut(line=line, record="info", why=NO_CHANGE if submission or status else turns.EMPTY)
            return
        title = bounded(self.task.splitlines()[0], MAX_TITLE_CHARACTERS) if self.task else ""
        about = f" for: {title}" if title else ""
        if files:
            named = f"{', '.join(files[:SHOWN_FILES])}{' and more' if files[SHOWN_FILES:] else ''}"
            text = f"Submitted a change to {named}{about}"
            fields: dict[str, object] = {"kind": "result", "text": text, "files": list(files)}
        else:
            fields = {
                "kind": "result",
                "text": f"Ended without a submission ({bounded(status, 60)}){about}",
                "outcome": 0.0,
            }
        said = sha256(f"{status}\0{submission}".encode("utf-8", "replace")).hexdigest()[:8]
        yield self._draft(f"end-{said}", line, {**fields, "actor": "agent"})

    def _draft(self, name: str, line: int, fields: Mapping[str, object]) -> Draft:
        return Draft(line=line, fields={"id": name, "session": self.session, **fields})


def _document(content: bytes, limits: Limits) -> Mapping[str, Any] | str:
    """The trajectory in `content`, or why it is none."""
    if len(content) > limits.document_bytes:
        return f"the document is too long; document_bytes allows {limits.document_bytes} bytes"
    try:
        value = json.loads(content.decode("utf-8"))
    except RecursionError:
        return "the JSON is nested too deep"
    except UnicodeDecodeError as error:
        return f"the document is not UTF-8: {error.reason} at byte {error.start + 1}"
    except ValueError as error:  # no JSON, or a number of thousands of digits
        return f"the document is no JSON: {error}"
    if not isinstance(value, dict) or not isinstance(value.get("trajectory"), list):
        return "the document is no trajectory: it has no list `trajectory`"
    return value


def _task_in(history: list[Mapping[str, Any]]) -> str:
    """What the agent was asked for, without code and without the program's instructions."""
    for entry in history:
        if entry.get("role") == "user" and not entry.get("is_demo"):
            said = entry.get("content")
            if isinstance(said, list):
                said = "\n".join(str(part.get("text", "")) for part in said if isinstance(part, Mapping))
            text = said.replace("\r\n", "\n") if isinstance(said, str) else ""
            match = _TASK.search(text) or _BEFORE_INSTRUCTIONS.search(text)
            return bounded(turns.prose_of(match[1] if match else text), MAX_REQUEST_CHARACTERS)
    return ""


def _edit_failed(seen: str) -> bool:
    return _NEW_SYNTAX_ERRORS in seen[:400] or seen.startswith(("ERROR:", "Error:", "No replacement was performed"))


def _inside(path: str) -> str:
    """`path` without the container's folder."""
    return path.strip().removeprefix("/testbed/")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
