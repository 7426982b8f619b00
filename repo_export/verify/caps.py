"""Level `readers`, of MEMORY.md: what loaders take of it, and whether whoever sees it can tell that it is whole.

Claude Code and its like load 200 lines and 25,000 bytes and cut without a word (MEMORY_FORMAT, section 3); dreamd keeps
its own below that. An index line is to be one short line, for the bytes are shared by all of them.
"""

import re
from collections.abc import Iterator

from dreamd.repo_export.document import Words
from dreamd.repo_export.index import (
    HARD_MAX_BYTES,
    HARD_MAX_LINES,
    HEAD_MAX_CHARACTERS,
    MAX_BYTES,
    MAX_LINES,
    MEMORY_PATH,
    SENTINEL_START,
    sentinel,
)
from dreamd.repo_export.markdown import render_entry
from dreamd.repo_export.note import Kind
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.links import leading_link
from dreamd.repo_export.verify.tree import Tree

LOADED_LINES = 200  # of a MEMORY.md that another wrote
LOADED_BYTES = 25_000
INDEX_LINE_CHARACTERS = 200  # Claude Code's own advice where it says that it has cut the index

_COUNTS = re.compile(
    rf"{SENTINEL_START}(?P<listed>\d+) of (?P<live>\d+) files? listed, (?P<watched>\d+) patterns? watched\."
)


def size(tree: Tree) -> Iterator[Finding]:
    """MEMORY.md stays within its caps."""
    content = tree.files.get(MEMORY_PATH)
    if content is None:
        return
    lines, length = content.count(b"\n"), len(content)
    if tree.notes:
        lines += not content.endswith(b"\n") and bool(content)
        most_lines, most_bytes = LOADED_LINES, LOADED_BYTES
    else:
        most_lines, most_bytes = HARD_MAX_LINES, HARD_MAX_BYTES
    if lines > most_lines or length > most_bytes:
        allowed = f"{most_lines} lines and {most_bytes} bytes"
        yield error(MEMORY_PATH, 0, "caps", f"{lines} lines and {length} bytes; readers take {allowed}")
    elif lines > MAX_LINES or length > MAX_BYTES:
        message = f"{lines} lines and {length} bytes; " + (
            f"readers take {most_lines} and {most_bytes}, and cut without a word"
            if tree.notes
            else f"planned are {MAX_LINES} and {MAX_BYTES}"
        )
        yield warning(MEMORY_PATH, 0, "caps", message)


def head(tree: Tree) -> Iterator[Finding]:
    """The head of MEMORY.md has room for what every session needs, and no more."""
    entries, _ = tree.head_and_index
    characters = sum(len(render_entry(entry)) + 1 for _, entry in entries)
    if characters > HEAD_MAX_CHARACTERS:
        message = f"the head has {characters} characters; allowed are {HEAD_MAX_CHARACTERS}"
        yield error(MEMORY_PATH, 0, "head", message)


def sentinel_line(tree: Tree) -> Iterator[Finding]:
    """The last line of MEMORY.md is there and counts what is there."""
    document = tree.documents.get(MEMORY_PATH)
    if document is None:
        return
    last = document.lines[-1] if document.lines else None
    found = _COUNTS.fullmatch(last.line) if isinstance(last, Words) else None
    number = tree.offsets[MEMORY_PATH] + len(document.lines)
    if found is None:
        message = "the last line is not the one with the counts: the file was cut or changed"
        yield error(MEMORY_PATH, number, "sentinel", message)
        return
    _, index = tree.head_and_index
    listed = sum(1 for _, entry in index if f"{entry.link}.md" in tree.pages)
    expected = sentinel(listed, len(tree.live()), int(found["watched"]))
    if found[0] != expected:
        yield error(MEMORY_PATH, number, "sentinel", f"it says {found[0]!r}; counted is {expected!r}")


def index_lines(tree: Tree) -> Iterator[Finding]:
    """A line of the index that another wrote is short."""
    note = tree.notes.get(MEMORY_PATH)
    for line in note.lines if note else ():
        if line.kind is Kind.BULLET and len(line.text) > INDEX_LINE_CHARACTERS and leading_link(line):
            message = f"an index line of {len(line.text)} characters; readers ask for {INDEX_LINE_CHARACTERS} at most"
            yield warning(MEMORY_PATH, line.number, "index-line", message)


CHECKS = (size, head, sentinel_line, index_lines)
