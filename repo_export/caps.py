"""How long a file may be that readers load as a whole: MEMORY.md, and each index below it.

Claude Code loads 200 lines and 25,000 bytes of such a file and drops the rest without a word (design, section 8).
"""

MAX_LINES, HARD_MAX_LINES = 180, 200
MAX_BYTES, HARD_MAX_BYTES = 22_000, 24_000


def fits(line_count: int, size_bytes: int) -> bool:
    return line_count <= MAX_LINES and size_bytes <= MAX_BYTES
