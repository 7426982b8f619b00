"""How long a file may be that readers load as a whole: MEMORY.md by itself, an index below it when they ask for it.

Claude Code loads 200 lines and 25,000 bytes of MEMORY.md and drops the rest without a word (design, section 8). What
an agent opens is cut by its tool only beyond 2,000 lines or 25,000 tokens, of which one takes three bytes and more.
"""

MAX_LINES, HARD_MAX_LINES = 180, 200
MAX_BYTES, HARD_MAX_BYTES = 22_000, 24_000
CHILD_MAX_LINES, CHILD_MAX_BYTES = 1_000, 70_000


def fits(line_count: int, size_bytes: int) -> bool:
    return line_count <= MAX_LINES and size_bytes <= MAX_BYTES
