"""What is left of a file of the memory repository once something is purged from it.

A file that is about what was purged goes; of any other one the lines go that tell of it, for in our format one line is
one entry, and of JSON the entries. What a person wrote beside our files loses only lines with a whole phrase of it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

OURS = re.compile(rb"MEMORY\.md$|(?:preferences|projects|knowledge|lessons|archive|reports|profiles|\.dreamd)/")
ERASED_SUBJECT = "erased by a purge"
HIDDEN_AUTHOR = b"erased"
_FRONT_MATTER = re.compile(rb"\A---\n.*?\n---\n", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrub:
    """What tells of it."""

    hit: Callable[[str], bool]  # whether a line of ours does
    hit_elsewhere: Callable[[str], bool]  # whether a line of a person's own file does
    erased: Callable[[object], object]  # a JSON value without it
    goes: Callable[[str], bool]  # whether a file of ours with that name is about it

    def file(self, content: bytes, path: bytes) -> bytes | None:
        """What is left of the file at `path`; None: it goes."""
        is_ours = OURS.match(path) is not None
        if is_ours and self.goes(path.rpartition(b"/")[2].decode("utf-8", "replace")):
            return None
        hit = self.hit if is_ours else self.hit_elsewhere
        if not hit(content.decode("utf-8", "replace")):
            return content
        if path.endswith(b".json") and (left := self._json(content)) is not None:
            return left
        front = _FRONT_MATTER.match(content) if is_ours and path.endswith(b".md") else None
        if front is not None and self._is_page_of(front[0]):
            return None
        return b"".join(line for line in content.splitlines(keepends=True) if not hit(line.decode("utf-8", "replace")))

    def message(self, text: bytes) -> bytes:
        """What is left of the message of a commit or tag; its first line is never empty."""
        lines = text.split(b"\n")
        kept = [line for line in lines[1:] if not self.hit_elsewhere(line.decode("utf-8", "replace"))]
        subject = lines[0]
        if self.hit_elsewhere(subject.decode("utf-8", "replace")):
            subject = ERASED_SUBJECT.encode()
        return b"\n".join([subject, *kept])

    def _is_page_of(self, front: bytes) -> bool:
        """Whether the page with this front matter is about what was purged: its title or name says so."""
        named = [line for line in front.splitlines() if line.startswith((b"name:", b"title:", b"permalink:"))]
        return any(self.hit(line.decode("utf-8", "replace")) for line in named)

    def _json(self, content: bytes) -> bytes | None:
        try:
            value = json.loads(content)
        except ValueError:
            return None
        indent = 1 if content.startswith((b"{\n", b"[\n")) else None
        left = json.dumps(self.erased(value), indent=indent, ensure_ascii=False, sort_keys=False).encode()
        left += b"\n" if content.endswith(b"\n") else b""
        return None if self.hit(left.decode("utf-8", "replace")) else left
