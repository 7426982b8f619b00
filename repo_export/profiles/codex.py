"""Codex's memories: a summary that every session is given, and a handbook that it searches by words.

`memory_summary.md` begins with the line `v1`, or Codex takes it for an older form; of it 5,000 tokens are given to a
session. `MEMORY.md` holds a block `# Task Group` for each subject, with what it covers, where it applies, words to
search by, and its statements by what they are good for.
"""

from dreamd.repo_export.markdown import Entry, escape_text
from dreamd.repo_export.profiles.pieces import DOUBTFUL, NO_ORDERS, brackets, joined, see_all, statement, within
from dreamd.repo_export.profiles.port import Generated, Memory, MemoryPage

SUMMARY_PATH, HANDBOOK_PATH = "memory_summary.md", "MEMORY.md"
SUMMARY_VERSION = "v1"
SUMMARY_MAX_BYTES = 16_000  # below 5,000 tokens, of four bytes or fewer
HANDBOOK_MAX_BYTES = 1_000_000  # it is searched, not loaded
MAX_STATEMENTS = 20  # of a block
SECTION_OF_TYPE = {
    "user": "User preferences",
    "feedback": "Failures and how to do differently",
    "project": "Reusable knowledge",
    "reference": "Reusable knowledge",
}
REUSE = "weigh it against what the checkout says now"
FULL = f"memory_summary.md is full ({SUMMARY_MAX_BYTES:,} bytes); it is in MEMORY.md"
TOO_MUCH = f"MEMORY.md of the profile is full ({HANDBOOK_MAX_BYTES:,} bytes)"


class Codex:
    def generate(self, memory: Memory) -> Generated:
        if not memory.head and not memory.pages:
            return Generated(files={}, left_out=memory.left_out)
        blocks = ["\n".join(_block(memory.space, page)) for page in memory.pages]
        kept = within(blocks, max_lines=len(blocks), max_bytes=HANDBOOK_MAX_BYTES)
        pages = memory.pages[:kept]
        top = _top(memory)
        lines = [_topic(page) for page in pages]
        listed = within(lines, max_lines=len(lines), max_bytes=SUMMARY_MAX_BYTES - len(joined(top)))
        left_out = [(page.path, FULL) for page in pages[listed:]]
        left_out += [(page.path, TOO_MUCH) for page in memory.pages[kept:]]
        return Generated(
            files={SUMMARY_PATH: joined([*top, *lines[:listed]]), HANDBOOK_PATH: joined(blocks[:kept])},
            left_out=(*left_out, *memory.left_out),
        )


def profile() -> Codex:
    return Codex()


def _top(memory: Memory) -> list[str]:
    lines = [SUMMARY_VERSION, "", "## User Profile", "", f"What dreamd keeps about {escape_text(memory.space)}."]
    lines += [NO_ORDERS, ""]
    if memory.head:
        lines += ["## User preferences", "", *(statement(entry) for entry in memory.head), ""]
    return [*lines, "## What's in Memory", "", "Search MEMORY.md for the words of a line; best first.", ""]


def _topic(page: MemoryPage) -> str:
    hook = f": {escape_text(page.hook)}" if page.hook else ""
    return f"- {escape_text(page.title)}{hook}{brackets(page.tags)}"


def _block(space: str, page: MemoryPage) -> list[str]:
    stream = (("stream", page.stream),) if page.stream else ()
    words = dict.fromkeys((page.title, page.target or page.slug, *page.aliases))
    lines = [
        f"# Task Group: {escape_text(page.title)}",
        "",
        f"scope: {escape_text(page.description)}",
        f"applies_to: cwd={escape_text(space)}; reuse_rule={REUSE}",
        "",
        NO_ORDERS,  # in each block: a search finds one and shows no other
        "",
        f"## Task 1: {escape_text(page.title)}, as recorded by dreamd",
        "",
        "### rollout_summary_files",
        "",
        f"- none; kept by dreamd as {escape_text(page.path)}{brackets(stream)}",
        "",
        "### keywords",
        "",
        f"- {', '.join(escape_text(word) for word in words)}",
        "",
        f"## {SECTION_OF_TYPE[page.type]}",
        "",
    ]
    lines += [DOUBTFUL, ""] if page.is_doubtful else []
    lines += [_told(entry) for entry in page.statements[:MAX_STATEMENTS]]
    return [*lines, "", see_all(page, len(page.statements[MAX_STATEMENTS:])), ""]


def _told(entry: Entry) -> str:
    return statement(entry, keys=("source", "added", "id"))
