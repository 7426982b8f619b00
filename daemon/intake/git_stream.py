"""The bytes of a `git log -z` stream as the fields and paths of each commit, in bounded memory.

What is too long is cut at the end of a word: half a secret has no shape by which it would be known.
"""

from collections.abc import Iterator
from typing import IO

MAX_FIELD_BYTES = 16_384  # of a subject or body; the rest is cut, and a path of so many bytes is left out
CUT = b"..."
MAX_FILES = 200  # paths kept of one commit
CHUNK_BYTES = 65_536
HEADER_FIELDS = ("%H", "%P", "%at", "%ct", "%an", "%ae", "%s", "%b")


def tokens_in(out: IO[bytes]) -> Iterator[bytes]:
    """The NUL-separated tokens of a stream, each cut at MAX_FIELD_BYTES (and a chunk at most)."""
    rest = b""
    while chunk := out.read(CHUNK_BYTES):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
        rest = rest[:MAX_FIELD_BYTES]
    if rest:
        yield rest


def records_in(tokens: Iterator[bytes], mark: bytes) -> Iterator[tuple[list[bytes], list[bytes], int]]:
    """(header fields, paths up to the cap, number of paths) of each commit. Memory is bounded by one commit's caps."""
    header: list[bytes] = []
    paths: list[bytes] = []
    count = 0
    for token in tokens:
        if token == mark:
            if header:
                yield header, paths, count
            header, paths, count = [mark], [], 0
        elif len(header) <= len(HEADER_FIELDS):
            header.append(_cut(token))
        elif token:
            # Git puts a line end between a header and the first path, also with -z.
            path = token[1:] if count == 0 and token.startswith(b"\n") else token
            count += 1
            if count <= MAX_FILES and len(path) < MAX_FIELD_BYTES:
                paths.append(path)
    if header:
        yield header, paths, count


def _cut(token: bytes) -> bytes:
    """`token` if it is within MAX_FIELD_BYTES; else its beginning, without the word that was cut."""
    if len(token) < MAX_FIELD_BYTES:
        return token
    words = token[:MAX_FIELD_BYTES].rsplit(maxsplit=1)
    return b" ".join((*words[:-1], CUT))
