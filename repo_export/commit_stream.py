"""One commit as the text that `git fast-import` reads, and which paths may be in it.

Nothing here depends on where or when it runs: equal files, message, time, author and parent give the same bytes, and
so the same commit id in any repository. The committer is dreamd, but of a person's edit that it commits for them: that
is how its own commits are told from a person's.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache

PENDING_REF = "refs/dreamd/pending"
DREAMD_EMAIL = "dreamd@localhost"
DREAMD = f"dreamd <{DREAMD_EMAIL}>"

_PLAIN_PATH = re.compile(r"(?:[a-z0-9-]+/)+[a-z0-9-]+\.md")  # most are; nothing of what Git could take begins so
AUTHOR = re.compile(r"[^<>\n\0]+ <[^<>\n\0 ]*>")


@lru_cache(maxsize=8_192)  # the same few thousand paths, several times a night
def is_safe_path(path: str) -> bool:
    """Whether `path` may be laid out: relative, no step upwards, nothing that Git could take for its own."""
    if _PLAIN_PATH.fullmatch(path):
        return True
    if not path or path.startswith('"') or any(ord(letter) < ord(" ") or letter == "\\" for letter in path):
        return False
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return False
    ours = {".gitignore", ".gitattributes"}
    # Also spellings that some file systems fold to .git: invisible letters, trailing dots, short names.
    plain = (re.sub(r"[^\x21-\x7e]", "", part).lower() for part in parts if part not in ours)
    return not any(part.startswith((".git", "git~")) for part in plain)


def import_stream(  # noqa: PLR0913 - what a commit is made of
    files: Mapping[str, bytes | None],
    *,
    message: str,
    when: datetime,
    author: str,
    parent: str | None,
    committer: str = DREAMD,
) -> bytes:
    unsafe = sorted(path for path in files if not is_safe_path(path))
    if unsafe:
        raise ValueError(f"not a path for a memory repository: {unsafe[0]!r}")
    if when.tzinfo is None or when.timestamp() < 0:
        raise ValueError(f"a commit needs an aware time from 1970 on: {when.isoformat()}")
    for person in (author, committer):
        if not AUTHOR.fullmatch(person):
            raise ValueError(f"an author is 'Name <address>': {person!r}")
    stamp = f"{int(when.timestamp())} +0000"
    text = message.encode("utf-8")
    parts = [
        f"feature done\ncommit {PENDING_REF}\nauthor {author} {stamp}\ncommitter {committer} {stamp}\n".encode(),
        b"data %d\n%s\n" % (len(text), text),
        b"" if parent is None else b"from %s\n" % parent.encode("ascii"),
    ]
    for path, content in sorted(files.items()):
        name = path.encode("utf-8")
        if content is None:
            parts.append(b"D %s\n" % name)
        else:
            parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (name, len(content), content))
    return b"".join([*parts, b"done\n"])
