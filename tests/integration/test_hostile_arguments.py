"""Arguments that no one means: each is answered with an exit code and a hint, none with a traceback."""

import json
from pathlib import Path

from tests.acceptance.homes import a_home
from tests.inert import unseen

NO_ONE_MEANS = ("\udcff", "a\0b", "", "-", "../../x", "\x1b[31m", "x" * 5_000, "a\nb", "\u202e", "9" * 30, "%", "'")
COMMANDS = (
    *(["show", "--"], ["why", "--"], ["pin", "--"], ["unhold", "--"], ["accept", "--"], ["events", "--target"]),
    *(["report", "--"], ["diff", "--"], ["revert", "--"], ["revert", "1", "--op"], ["report", "--since"]),
    *(["ingest", "events", "--"], ["ingest", "git", "--"], ["apply", "--"], ["show", "redis", "--as-of"]),
    *(["record", "x", "--target"], ["record", "x", "--kind"], ["record", "x", "--because"], ["status", "--space"]),
    ["status", "--now"],
)


def test_no_argument_ends_in_a_traceback_or_reaches_the_terminal_as_it_is(tmp_path: Path) -> None:
    home = a_home(tmp_path / "home")
    file = tmp_path / "events.jsonl"
    line = {"at": "2026-01-05T09:00:00Z", "text": "Use Redis", "kind": "decision", "target": "redis"}
    file.write_text(json.dumps(line) + "\n")
    home.ok("ingest", "events", str(file))
    home.ok("run")
    for command in COMMANDS:
        for argument in NO_ONE_MEANS:
            ended = home.dreamd(*command, argument)
            assert ended.code in (0, 1, 2, 65), (command, argument)
            assert list(unseen(ended.out + ended.err)) == [], (command, argument)
            assert ended.code == 0 or ended.err.startswith("error: "), (command, argument)
