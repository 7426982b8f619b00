"""What one item of a Codex rollout says: the words of a message, what a tool was given, what came back.

The shapes are those of `ResponseItem` in the sources of the Codex CLI, as its versions wrote them: arguments are JSON
in a text, a command is a list or a text, an output is a text, a list of content items, or JSON in a text.
"""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from dreamd.daemon.intake.adapters import turns, work
from dreamd.daemon.intake.adapters.records import text_of

IN_ITEM = "told by the tool call and its result"
STATE = "state of the program"
REASONING = "reasoning"

HEADER_CHARACTERS = 600  # of an output, in which the exit code stands before "Output:"
SHELLS = frozenset(("shell", "shell_command", "exec_command", "local_shell", "container.exec", "unified_exec", "bash"))
MAX_SESSION_CHARACTERS = 20  # of the id of a command that runs on
PATCH = "apply_patch"
WRITE_STDIN = "write_stdin"

# Of a turn's parts, those that the program wrote: whole blocks in tags, and texts by their beginning.
_BLOCK = re.compile(r"\s*<([A-Za-z][\w -]{0,40})(?: [^<>]*)?>.*</\1>\s*", re.DOTALL)
_STARTS = (
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<skill",
    "<image",
    "</image>",
    "<subagent_notification>",
    "Another language model started to solve this problem",
    "Warning: ",
    "## Code review guidelines:",
    "# Review guidelines:",
)
_REQUEST = re.compile(r"^## My request(?: for Codex)?:[ \t]*$", re.MULTILINE)
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$", re.MULTILINE)
_EXIT = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\s*$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\d{1,20})\s*$", re.MULTILINE)
_CWD = re.compile(r"<cwd>([^<\n]+)</cwd>")
_REJECTED = re.compile(r"(?:exec command |patch )?rejected by user|aborted by user", re.IGNORECASE)
_FAILED = re.compile(
    r"apply_patch verification failed|(?:exec_command|patch|execution|tool call) (?:failed|error)|failed in sandbox|"
    r"unsupported call|failed to parse function arguments|err(?:or)?: |command timed out|Traceback \(most recent call",
    re.IGNORECASE,
)


_PROGRAMS = frozenset(("exec", "mcp", "codex_exec"))  # sessions whose turns a program writes
STATE_RECORDS = frozenset(("turn_context", "world_state", "inter_agent_communication_metadata", "state"))
_ROLES = frozenset(("user", "assistant", "developer", "system"))
_TURNS = frozenset(("user_message", "agent_message"))
CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call"))
OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output"))
_LOOKING = frozenset(("view_image", "read_file", "list_dir", "grep_files", "list_mcp_resources", "read_mcp_resource"))
_PLANNING = frozenset(("update_plan", "request_user_input", "create_goal", "get_goal", "update_goal"))
_DELEGATING = frozenset(
    ("spawn_agent", "wait_agent", "wait", "send_input", "close_agent", "resume_agent", "list_agents")
)
ITEMS_LEFT_OUT = {
    "reasoning": REASONING,
    "compaction": "summary of what was compacted",
    "compaction_summary": "summary of what was compacted",
    "context_compaction": "summary of what was compacted",
    "web_search_call": "search",
    "tool_search_call": "search",
    "tool_search_output": "search",
    "image_generation_call": "image",
    "ghost_snapshot": STATE,
    "additional_tools": STATE,
}
EVENTS_LEFT_OUT = {
    **dict.fromkeys(("agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break"), REASONING),
    **dict.fromkeys(("patch_apply_end", "exec_command_end", "mcp_tool_call_end", "web_search_end"), IN_ITEM),
    **dict.fromkeys(("image_generation_end", "view_image_tool_call", "item_completed"), IN_ITEM),
    **dict.fromkeys(("turn_aborted", "thread_rolled_back"), turns.INTERRUPT),
    **dict.fromkeys(("task_started", "task_complete", "turn_started", "turn_complete", "token_count"), STATE),
    **dict.fromkeys(("context_compacted", "entered_review_mode", "exited_review_mode", "thread_name_updated"), STATE),
    **dict.fromkeys(("thread_goal_updated", "sub_agent_activity", "session_configured", "error", "warning"), STATE),
    **dict.fromkeys(("stream_error", "background_event", "plan_update", "turn_diff", "shutdown_complete"), STATE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a tool was given."""

    tool: str
    command: str | None = None  # of a shell
    files: tuple[str, ...] = ()  # that it writes


@dataclass(frozen=True, slots=True, kw_only=True)
class CameBack:
    """What a tool gave back."""

    text: str
    exit_code: int | None = None  # of a command that has ended
    running: str | None = None  # the id by which a command that still runs is asked again
    is_rejected: bool = False  # the person did not let it run

    @property
    def is_failure(self) -> bool:
        """Whether it went wrong: by the exit code where there is one, else by how the text begins."""
        if self.exit_code is not None:
            return self.exit_code != 0
        return _FAILED.match(self.text) is not None


def opened(value: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    """The type of a record and what it holds, with or without an envelope."""
    kind, payload = value.get("type"), value.get("payload")
    if isinstance(kind, str) and isinstance(payload, Mapping):
        return kind, payload
    if kind is None and isinstance(value.get("record_type"), str):
        return str(value["record_type"]), value
    if kind is None and "id" in value and "timestamp" in value:
        return "session_meta", value
    if isinstance(kind, str) and (kind in ITEMS_LEFT_OUT or kind in CALLS or kind in OUTPUTS or kind == "message"):
        return "response_item", value
    return text_of(kind), value


def named(kind: str, payload: Mapping[str, object]) -> str:
    """How a record of that kind is called where records are counted."""
    inner = text_of(payload.get("type"))
    if kind == "response_item":
        is_known = inner == "message" or inner in CALLS or inner in OUTPUTS or inner in ITEMS_LEFT_OUT
        role = text_of(payload.get("role")) if inner == "message" else ""
        shown = f"{inner} {role}" if role in _ROLES else inner
        return f"{kind}: {shown}" if is_known else f"{kind}: unknown"
    if kind == "event_msg":
        return f"{kind}: {inner}" if inner in EVENTS_LEFT_OUT or inner in _TURNS else f"{kind}: unknown"
    return kind if kind in STATE_RECORDS or kind in {"session_meta", "compacted"} else "unknown"


def is_persons(header: Mapping[str, object]) -> bool:
    """Whether a person sat at the session: not one that a program runs, nor a subagent's."""
    source = header.get("source")
    if isinstance(source, Mapping) or text_of(source) in _PROGRAMS or text_of(header.get("originator")) in _PROGRAMS:
        return False
    return header.get("thread_source") in (None, "user")


def how(given: Given) -> work.How:
    if given.command is not None:
        return "shell"
    if given.tool == PATCH:
        return "edit"
    if given.tool in _LOOKING:
        return "look"
    if given.tool in _PLANNING:
        return "plan"
    return "delegate" if given.tool in _DELEGATING else "other"


def folder_of(record: Mapping[str, object]) -> str | None:
    kind, payload = opened(record)
    folder = payload.get("cwd")
    if kind in {"session_meta", "turn_context"} and isinstance(folder, str) and folder:
        return folder
    if kind == "response_item" and payload.get("type") == "message":
        content = payload.get("content")
        parts = content if isinstance(content, list) else []
        texts = (part.get("text") for part in parts if isinstance(part, Mapping))
        return next((found for text in texts if isinstance(text, str) and (found := folder_in(text))), None)
    return None


def words_of(content: object) -> tuple[list[str], int]:
    """The texts of a message that somebody wrote, and how many of its parts the program put in."""
    parts = content if isinstance(content, list) else [content]
    texts: list[str] = []
    put_in = 0
    for part in parts:
        text = part.get("text") if isinstance(part, Mapping) else part
        if not isinstance(text, str) or not text.strip():
            continue
        if request := asked(text):
            texts.append(request)
        else:
            put_in += 1
    return texts, put_in


def asked(text: str) -> str:
    """What of a part of a turn a person wrote; empty if the program wrote it."""
    if heading := _REQUEST.search(text):
        return text[heading.end() :].strip()
    if text.lstrip().startswith(_STARTS) or _BLOCK.fullmatch(text):
        return ""
    return text


def folder_in(text: str) -> str | None:
    """The folder that an `<environment_context>` names."""
    found = _CWD.search(text) if "<environment_context>" in text else None
    return None if found is None else found[1].strip()


def given(item: Mapping[str, object]) -> Given:
    """What the tool call `item` asks for."""
    if item.get("type") == "local_shell_call":
        action = item.get("action")
        return _shell("local_shell", action.get("command") if isinstance(action, Mapping) else None)
    name = _text(item.get("name")) or "unknown"
    if item.get("type") == "custom_tool_call":
        return _patch(_text(item.get("input"))) if name == PATCH else Given(tool=name)
    arguments = _decoded(item.get("arguments"))
    if name == PATCH:
        return _patch(_text(arguments.get("input")))
    if name in SHELLS:
        return _shell(name, arguments.get("command", arguments.get("cmd")))
    return Given(tool=name)


def continued(item: Mapping[str, object]) -> str | None:
    """The id of the running command that the call `item` writes to or waits for."""
    if item.get("name") != WRITE_STDIN:
        return None
    session = _decoded(item.get("arguments")).get("session_id")
    is_id = isinstance(session, int | str) and not isinstance(session, bool)
    return str(session)[:MAX_SESSION_CHARACTERS] if is_id else None


def came_back(output: object) -> CameBack:
    """What the output of a tool call says."""
    if isinstance(output, list):
        texts = [part.get("text") for part in output if isinstance(part, Mapping)]
        return came_back("\n".join(text for text in texts if isinstance(text, str)))
    if isinstance(output, Mapping):
        content = output.get("content", output.get("output"))
        whole = came_back(content if isinstance(content, str | list) else "")
        code = _exit_code(output)
        if code is None and output.get("success") is False:
            code = 1
        return whole if code is None else CameBack(text=whole.text, exit_code=code, is_rejected=whole.is_rejected)
    text = output if isinstance(output, str) else ""
    if text.startswith("{"):
        inner = _decoded(text)
        if isinstance(inner.get("output"), str):
            return came_back(inner)
        if "Err" in inner:
            return CameBack(text=f"error: {inner['Err']}")
    head, mark, rest = text[:HEADER_CHARACTERS].partition("\nOutput:\n")
    body = rest + text[HEADER_CHARACTERS:] if mark else text
    ended = _EXIT.search(head)
    still = _RUNNING.search(head) if mark or text.startswith(("Chunk ID", "Wall time", "Process running")) else None
    return CameBack(
        text=body.strip("\n"),
        exit_code=int(ended[1]) if ended and (mark or _EXIT.match(text)) else None,
        running=still[1] if still else None,
        is_rejected=_REJECTED.match(text) is not None,
    )


def _exit_code(output: Mapping[str, object]) -> int | None:
    metadata = output.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, Mapping) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def _shell(tool: str, command: object) -> Given:
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        if len(words) == 2 and words[0] == PATCH:  # noqa: PLR2004 - the tool and its patch
            return _patch(words[1])
        is_script = len(words) == 3 and words[1] in {"-lc", "-c", "-Command"}  # noqa: PLR2004 - shell, option, script
        command = words[2] if is_script else shlex.join(words)
    text = _text(command)
    if text and f"{PATCH} <<" in text[:200] and (files := _files(text)):
        return Given(tool=PATCH, files=files)
    return Given(tool=tool, command=text)


def _patch(patch: str | None) -> Given:
    return Given(tool=PATCH, files=_files(patch or ""))


def _files(patch: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(file.strip() for file in _PATCHED.findall(patch)))


def _decoded(arguments: object) -> Mapping[str, object]:
    """The object in `arguments`, which is JSON in a text, or is the object; empty if it is neither."""
    if isinstance(arguments, Mapping):
        return arguments
    if not isinstance(arguments, str):
        return {}
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None
