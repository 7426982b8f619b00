"""Made-up rollouts of Codex, record by record, as its CLI writes them."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

STARTED = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
NAME = "rollout-2026-03-02T09-00-00-{session}.jsonl"


@dataclass
class Rollout:
    """Records with rising times: `rollout.person("...")` adds what the CLI writes for a turn of the person."""

    session: str = "0199-aaaa"
    header: dict[str, object] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    calls: int = 0
    seconds: int = 0

    def __post_init__(self) -> None:
        meta = {"id": self.session, "timestamp": _stamp(0), "cwd": "/home/ada/shop", "originator": "codex_cli_rs"}
        self.record("session_meta", {**meta, "cli_version": "0.60.0", "source": "cli", **self.header})

    def record(self, kind: str, payload: dict[str, object], **more: object) -> None:
        self.seconds += 5
        self.lines.append(json.dumps({"timestamp": _stamp(self.seconds), "type": kind, "payload": payload, **more}))

    def item(self, kind: str, **fields: object) -> None:
        self.record("response_item", {"type": kind, **fields})

    def event(self, kind: str, **fields: object) -> None:
        self.record("event_msg", {"type": kind, **fields})

    def message(self, role: str, *texts: str, **fields: object) -> None:
        sort = "output_text" if role == "assistant" else "input_text"
        self.item("message", role=role, content=[{"type": sort, "text": text} for text in texts], **fields)

    def person(self, text: str) -> None:
        self.message("user", text)
        self.event("user_message", message=text, images=[])

    def agent(self, text: str, phase: str | None = None) -> None:
        self.message("assistant", text, phase=phase)
        self.event("agent_message", message=text, phase=phase)

    def call(self, name: str, arguments: object) -> str:
        self.calls += 1
        self.item("function_call", name=name, arguments=json.dumps(arguments), call_id=f"call_{self.calls}")
        return f"call_{self.calls}"

    def shell(self, command: str, output: str, code: int) -> None:
        """A command in the form of 2025: a list, and JSON in a text."""
        call = self.call("shell", {"command": ["bash", "-lc", command], "workdir": "/home/ada/shop"})
        answer = json.dumps({"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.1}})
        self.item("function_call_output", call_id=call, output=answer)

    def exec(self, command: str, output: str, ending: str) -> str:
        """A command in the form of 2026; `ending` is a line such as "Process exited with code 1"."""
        call = self.call("exec_command", {"cmd": command})
        text = f"Chunk ID: 1\nWall time: 0.1 seconds\n{ending}\nOriginal token count: 3\nOutput:\n{output}"
        self.item("function_call_output", call_id=call, output=text)
        return call

    def patch(self, file: str, output: str = "Success. Updated the following files:\nM x\n", code: int = 0) -> None:
        self.calls += 1
        body = f"*** Begin Patch\n*** Update File: {file}\n@@\n-a\n+b\n*** End Patch\n"
        self.item("custom_tool_call", name="apply_patch", input=body, call_id=f"call_{self.calls}", status="completed")
        answer = json.dumps({"output": output, "metadata": {"exit_code": code}})
        self.item("custom_tool_call_output", call_id=f"call_{self.calls}", output=answer)

    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def laid_out(self, folder: Path) -> Path:
        file = folder / "2026" / "03" / "02" / NAME.format(session=self.session)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(self.text())
        return file


def a_days_work() -> Rollout:
    """Two errors, one fix, one correction, one preference, a commit and an answer; each turn in two forms."""
    rollout = Rollout()
    rollout.message("developer", "<permissions instructions>\nSandbox is on.\n</permissions instructions>")
    rollout.message(
        "user",
        "# AGENTS.md instructions for /home/ada/shop\n\n<INSTRUCTIONS>\nAlways be nice.\n</INSTRUCTIONS>",
        "<environment_context>\n  <cwd>/home/ada/shop</cwd>\n</environment_context>",
    )
    rollout.record("turn_context", {"cwd": "/home/ada/shop", "model": "m"})
    rollout.person("Please make the login refresh its token before it expires")
    rollout.item("reasoning", summary=[], encrypted_content="gAAA")
    rollout.agent("I'll look at the tests first.", phase="commentary")
    rollout.shell("sed -n '1,20p' src/token.ts", "export const a = 1;", 0)
    rollout.shell("npm test", "TypeError: refresh is not a function\n", 1)
    rollout.event("token_count", info=None)
    rollout.person("no, use pnpm instead of npm")
    rollout.exec("pnpm test", "TypeError: refresh is not a function\n", "Process exited with code 1")
    rollout.patch("src/token.ts")
    rollout.event("patch_apply_end", call_id="call_4", success=True)
    rollout.exec("pnpm test", "4 passed\n", "Process exited with code 0")
    rollout.person("Always run the linter before you commit.")
    rollout.exec(
        "git commit -am 'fix(auth): refresh the token once'",
        "[main 1234567] fix(auth): refresh the token once\n 1 file changed\n",
        "Process exited with code 0",
    )
    rollout.agent("The token is refreshed one minute before it expires, and the tests pass.", phase="final_answer")
    rollout.event("task_complete", last_agent_message="The token is refreshed")
    return rollout


def _stamp(seconds: int) -> str:
    return (STARTED + timedelta(seconds=seconds)).isoformat().replace("+00:00", ".000Z")
