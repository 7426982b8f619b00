"""Git objects read in bulk and written as one pack: what rewriting a history needs, and no git command offers.

Reading streams through `git cat-file --batch`; writing hands a pack to `git index-pack`, which checks it and puts it in
place in one step, so that a kill leaves all of the new objects or none.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence

from dreamd.repo_export.plumbing import SafeGit

KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}  # as a pack numbers them
FOLDER = b"40000"
SUBMODULE = b"160000"

Entry = tuple[bytes, bytes, str]  # mode, name, object


def object_id(kind: bytes, content: bytes, algorithm: str) -> str:
    """Git's name for an object; `algorithm` is "sha1" or "sha256"."""
    return hashlib.new(algorithm, b"%s %d\0" % (kind, len(content)) + content, usedforsecurity=False).hexdigest()


def algorithm_of(git: SafeGit) -> str:
    return git.read("rev-parse", "--show-object-format").decode("ascii").strip()


def all_objects(git: SafeGit) -> list[tuple[str, bytes]]:
    """(id, kind) of every object that is there, reachable or not."""
    listed = git.read("cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype)")
    return [(name.decode("ascii"), kind) for name, kind in (line.split(b" ") for line in listed.splitlines())]


def contents(git: SafeGit, ids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(id, content) of the objects `ids`, in their order, from one process; what is missing is left out."""
    if not ids:
        return
    with git.stream("cat-file", "--batch", stdin="".join(f"{name}\n" for name in ids).encode("ascii")) as out:
        for name in ids:
            _, _, size = [*out.readline().split(), b"", b"", b""][:3]
            if not size.isdigit():
                continue
            content = out.read(int(size))
            out.read(1)
            yield name, content


def entries_of(tree: bytes, algorithm: str) -> list[Entry]:
    """The entries of a tree object, in its order."""
    width = hashlib.new(algorithm, usedforsecurity=False).digest_size
    found, at = [], 0
    while at < len(tree):
        space = tree.index(b" ", at)
        end = tree.index(b"\0", space)
        found.append((tree[at:space], tree[space + 1 : end], tree[end + 1 : end + 1 + width].hex()))
        at = end + 1 + width
    return found


def tree_of(entries: Iterable[Entry]) -> bytes:
    return b"".join(b"%s %s\0%s" % (mode, name, bytes.fromhex(object_)) for mode, name, object_ in entries)


def write_objects(git: SafeGit, objects: Sequence[tuple[bytes, bytes]], algorithm: str) -> None:
    """Store (kind, content) of each of `objects`; those that are there already may be among them."""
    once = dict.fromkeys(objects)
    if not once:
        return
    pack = [b"PACK", struct.pack(">II", 2, len(once))]
    for kind, content in once:
        pack += [_header(KINDS[kind], len(content)), zlib.compress(content, 1)]
    whole = b"".join(pack)
    digest = hashlib.new(algorithm, whole, usedforsecurity=False).digest()
    git.read("index-pack", "--stdin", stdin=whole + digest)


def _header(kind: int, size: int) -> bytes:
    """Kind and size as a pack tells them: four bits of the size first, then seven a byte."""
    byte, size = (kind << 4) | (size & 0xF), size >> 4
    header = bytearray()
    while size:
        header.append(byte | 0x80)
        byte, size = size & 0x7F, size >> 7
    header.append(byte)
    return bytes(header)
