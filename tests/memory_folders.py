"""Small memory folders as others keep them, for `verify` and the intake of Markdown."""

from collections.abc import Mapping
from pathlib import Path

# One bullet a row: what it is, the line, and what a reader of the open format makes of it (text, link, metadata).
TRAPS: tuple[tuple[str, str, str, str | None, tuple[tuple[str, str], ...]], ...] = (
    ("a category in front is text", "- [decision] Use REST", "[decision] Use REST", None, ()),
    ("a Markdown link ends the line", "- See [the doc](notes.md)", "See [the doc](notes.md)", None, ()),
    ("a double bracket is a link", "- see [[team_structure]]", "see [[team_structure]]", None, ()),
    ("a link, then metadata", "- [[a]] [source: x]", "", "a", (("source", "x"),)),
    (
        "only the first colon splits",
        "- x [source: https://h/p?x=1:2; added: 2026-09-03]",
        "x",
        None,
        (("source", "https://h/p?x=1:2"), ("added", "2026-09-03")),
    ),
    ("a note in brackets is text", "- note [TODO]", "note [TODO]", None, ()),
    ("a number in brackets is text", "- note [1]", "note [1]", None, ()),
    ("an encoded bracket is decoded", "- x [source: a%5B1%5D%3B]", "x", None, (("source", "a[1];"),)),
    ("unicode in a value", "- x [owner: Zoë 漢]", "x", None, (("owner", "Zoë 漢"),)),
    ("an empty value", "- x [source: ]", "x", None, (("source", ""),)),
    ("a key that comes twice", "- x [a: 1; a: 2]", "x", None, (("a", "1"), ("a", "2"))),
    ("a key nobody knows", "- x [mood: calm]", "x", None, (("mood", "calm"),)),
    ("groups one after the other", "- x [source: a] [source: b]", "x", None, (("source", "a"), ("source", "b"))),
    ("another sign for a bullet", "* x [a: 1]", "x", None, (("a", "1"),)),
    ("a third sign for a bullet", "+ x [a: 1]", "x", None, (("a", "1"),)),
)

# One memory a file, in the form that Claude Code wrote first, and in the one with `metadata`.
FLAT = """---
name: No mocks in tests
description: Tests use a real database
type: feedback
---

Tests use a real database, never a mock.

**Why:** A mock hid a broken migration.

**How to apply:** Start the database that the compose file names.
"""
NESTED = """---
name: queue-choice
description: "Why the queue is in PostgreSQL: one thing less to run"
metadata:
  node_type: memory
  type: project
  originSessionId: 4f1c2aa0
---

The queue lives in PostgreSQL.

- Workers take jobs with SKIP LOCKED
  in one transaction.

| a | b |
|---|---|
| 1 | 2 |

```sh
- no bullet
```

See [[feedback_no_mocks]].
"""
MEMORY = """# Memory: team

- Prefers short answers [source: session:s1; added: 2026-02-03; mood: calm]

## Build tools
- Builds run with ninja

## Index
- [[feedback_no_mocks]] tests and databases
- [Queue](project_queue.md) — where the queue is
"""
CLEAN_MEMORY = """# Memory: team

- Prefers short answers [source: session:s1; added: 2026-02-03; mood: calm]

## Index

- [[feedback_no_mocks]] tests and databases
- [[project_queue]] where the queue is
"""
FOLDER: Mapping[str, str] = {"MEMORY.md": MEMORY, "feedback_no_mocks.md": FLAT, "project_queue.md": NESTED}
CLEAN: Mapping[str, str] = {**FOLDER, "MEMORY.md": CLEAN_MEMORY}


def lay_out(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """`files` below `root`, which is made."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root
