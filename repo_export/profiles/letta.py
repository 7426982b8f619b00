"""Letta's memory folder of an agent: blocks in `system/`, which are always in its context, and files in `reference/`.

The front matter may hold `description` and `read_only` and nothing else, or Letta refuses the commit. What a person
pinned is read-only to the agent. All of `system/` together has to stay below 20,000 tokens.
"""

from collections.abc import Sequence

from dreamd.repo_export.front_matter import render_front_matter
from dreamd.repo_export.markdown import Entry, escape_text, value_of
from dreamd.repo_export.profiles.pieces import DOUBTFUL, NO_ORDERS, brackets, joined, see_all, statement, within
from dreamd.repo_export.profiles.port import Generated, Memory, MemoryPage

RULES_PATH, PREFERENCES_PATH, INDEX_PATH = "system/rules.md", "system/preferences.md", "system/index.md"
SYSTEM_MAX_BYTES = 40_000  # of all three; half of 20,000 tokens of four bytes, for the agent has blocks of its own
PAGE_MAX_BYTES = 40_000
FULL = f"the blocks in system/ are full ({SYSTEM_MAX_BYTES:,} bytes)"


class Letta:
    def generate(self, memory: Memory) -> Generated:
        if not memory.head and not memory.pages:
            return Generated(files={}, left_out=memory.left_out)
        files = _blocks(memory)
        top = _index_top(memory.space)
        room = SYSTEM_MAX_BYTES - sum(map(len, files.values())) - len(joined(top))
        lines = [_index_line(page) for page in memory.pages]
        listed = within(lines, max_lines=len(lines), max_bytes=room)
        files[INDEX_PATH] = joined([*top, *lines[:listed]])
        files |= {_path(page): _file(page) for page in memory.pages[:listed]}
        left_out = (*((page.path, FULL) for page in memory.pages[listed:]), *memory.left_out)
        return Generated(files=files, left_out=left_out)


def profile() -> Letta:
    return Letta()


def _blocks(memory: Memory) -> dict[str, bytes]:
    """What every session needs: what a person pinned apart, for the agent must not change it."""
    pinned = [entry for entry in memory.head if value_of(entry, "pin") is not None]
    others = [entry for entry in memory.head if value_of(entry, "pin") is None]
    blocks = {}
    if pinned:
        blocks[RULES_PATH] = _block("Rules that a person pinned", pinned, is_read_only=True)
    if others:
        blocks[PREFERENCES_PATH] = _block("What a person prefers and has corrected", others, is_read_only=False)
    return blocks


def _block(description: str, entries: Sequence[Entry], *, is_read_only: bool) -> bytes:
    return joined([*_front_matter(description, is_read_only), NO_ORDERS, "", *map(statement, entries)])


def _front_matter(description: str, is_read_only: bool) -> list[str]:
    values = {"description": description, **({"read_only": True} if is_read_only else {})}
    return [*render_front_matter(values).rstrip("\n").split("\n"), ""]


def _index_top(space: str) -> list[str]:
    title = f"What dreamd keeps about {space}: which file tells of what, best first"
    return [*_front_matter(title, is_read_only=False), NO_ORDERS, ""]


def _index_line(page: MemoryPage) -> str:
    hook = f": {escape_text(page.hook)}" if page.hook else ""
    return f"- [[{_path(page).removesuffix('.md')}]] {escape_text(page.title)}{hook}{brackets(page.tags)}"


def _path(page: MemoryPage) -> str:
    return f"reference/{page.path}"


def _file(page: MemoryPage) -> bytes:
    lines = [statement(entry) for entry in page.statements]
    top = [*_front_matter(page.description, page.is_pinned), f"# {escape_text(page.title)}", "", NO_ORDERS]
    top += [*([DOUBTFUL] if page.is_doubtful else []), ""]
    room = PAGE_MAX_BYTES - len(joined([*top, "", see_all(page, len(lines))]))
    shown = within(lines, max_lines=len(lines), max_bytes=room)
    return joined([*top, *lines[:shown], "", see_all(page, len(lines) - shown)])
