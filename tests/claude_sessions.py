"""Made-up sessions of Claude Code: records as it writes them, with ids and times that follow from their place."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SHOP = "/home/ada/shop"

Record = dict[str, object]


class Talk:
    """A session that is being told: each method adds a record."""

    def __init__(self, session: str = "s1", cwd: str = SHOP, agent: str | None = None) -> None:
        self.session = session
        self.cwd = cwd
        self.agent = agent
        self.records: list[Record] = []

    def add(self, kind: str, **fields: object) -> "Talk":
        place = len(self.records)
        at = START + timedelta(minutes=place)
        common: Record = {
            "type": kind,
            "uuid": f"{self.session}-{self.agent or 'main'}-{place:04}",
            "sessionId": self.session,
            "timestamp": at.isoformat().replace("+00:00", "Z"),
            "cwd": self.cwd,
            "isSidechain": self.agent is not None,
            "version": "2.1.14",
            "gitBranch": "main",
        }
        if self.agent:
            common["agentId"] = self.agent
        self.records.append({**common, **fields})
        return self

    def says(self, text: str, **fields: object) -> "Talk":
        """The person, or in a subagent the agent that called it."""
        return self.add("user", message={"role": "user", "content": text}, **fields)

    def answers(self, text: str, **fields: object) -> "Talk":
        return self._assistant({"type": "text", "text": text}, **fields)

    def calls(self, name: str, **given: object) -> "Talk":
        return self._assistant({"type": "tool_use", "id": f"toolu_{len(self.records)}", "name": name, "input": given})

    def gets(self, output: object, *, is_error: bool = False, **fields: object) -> "Talk":
        """The result of the call before."""
        block = {"type": "tool_result", "tool_use_id": f"toolu_{len(self.records) - 1}", "content": output}
        if is_error:
            block["is_error"] = True
        return self.add("user", message={"role": "user", "content": [block]}, **fields)

    def runs(self, command: str, output: str = "") -> "Talk":
        """A shell command; an output that begins with an exit code is that of a failure."""
        return self.calls("Bash", command=command).gets(output, is_error=output.startswith("Exit code"))

    def edits(self, path: str) -> "Talk":
        edited = self.calls("Edit", file_path=path, old_string="a", new_string="b")
        return edited.gets(f"The file {path} has been updated")

    def _assistant(self, block: Record, **fields: object) -> "Talk":
        message = {"role": "assistant", "id": "msg_1", "content": [block], "stop_reason": None}
        return self.add("assistant", message=message, **fields)

    def text(self) -> str:
        return "".join(json.dumps(record) + "\n" for record in self.records)


def a_days_work(session: str = "s1", cwd: str = SHOP) -> Talk:
    """Two errors, one fix, one correction, one preference, one commit; and what surrounds them."""
    talk = Talk(session, cwd)
    talk.says("Please make the login refresh its token before it expires")
    talk.answers("Let me look at the code first.").calls("Read", file_path=f"{cwd}/src/auth.ts").gets("     1\tcode")
    talk.edits(f"{cwd}/src/auth.ts")
    talk.runs(
        "npm test", "Exit code 1\nFAIL src/auth.test.ts\nTypeError: refresh is not a function\n1 failed, 3 passed"
    )
    talk.says("no, use pnpm instead of npm")
    talk.edits(f"{cwd}/src/auth.ts")
    talk.runs("pnpm test", "Exit code 1\nTypeError: refresh is not a function")
    talk.edits(f"{cwd}/src/token.ts").runs("pnpm test", "4 passed")
    talk.says("Always run the linter before you commit.")
    talk.runs("git status", "M src/auth.ts")
    talk.runs("git commit -am 'fix(auth): refresh the token once'", "[main 1a2b3c4] fix(auth): refresh the token once")
    talk.answers("Done. The token is refreshed one minute before it expires, and the tests pass.")
    talk.says("thanks")
    talk.add("system", subtype="turn_duration", durationMs=1)
    return talk


def laid_out(root: Path, files: Iterable[tuple[str, str]]) -> Path:
    for name, text in files:
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root
