"""The files of a memory folder: where its root is, which of them are read, and which are our own.

The root is the nearest folder with a MEMORY.md, so that a part of a memory gives the same events as the whole. Links
are not followed, nor hidden folders looked into. What dreamd wrote is known by its manifest, by the stream that a page
names, and by the last line of its index; never by equal words.
"""

import errno
import os
import posixpath
import re
import shlex
import stat
from dataclasses import dataclass
from pathlib import Path

from dreamd.daemon.errors import BadData
from dreamd.daemon.home import space_name
from dreamd.daemon.intake.adapters.finding import closed_under
from dreamd.daemon.owners import whose
from dreamd.daemon.session import Session
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.origin import is_our_writing
from dreamd.repo_export.index import MEMORY_PATH, SENTINEL_START
from dreamd.repo_export.manifest import MANIFEST_PATH, parse_manifest
from dreamd.repo_export.note import Note
from dreamd.repo_export.verify.forms import nested

HEAD_LINES = 8  # by which a report is known
NO_MARKDOWN = "no Markdown"
NO_MEMORY = "instructions to an agent, no memory; name the file itself to have it read"
_INSTRUCTIONS = frozenset({"claude.md", "agents.md", "gemini.md", "skill.md", "license.md", "changelog.md"})
_NOT_MARKDOWN = frozenset({".jsonl", ".json", ".ndjson"})
_SKIPPED = frozenset({"node_modules"})
_OUR_STREAM = re.compile(r"st_[0-9a-f]{16}")
_NAMELESS = frozenset({"memory", "memories", "docs", "notes", "projects"})  # folders that say nothing of the project


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    root: Path
    files: tuple[tuple[str, Path], ...]  # path from the root, and where it is; sorted
    passed_over: tuple[tuple[Path, str], ...]  # and why
    closed: tuple[tuple[Path, str], ...]  # what may not be read, and why
    ours: frozenset[str]  # paths that our manifest lists
    is_in_home: bool  # it is a memory repository of this home

    def space(self, opened: Session) -> str:
        """The space that was asked for, else the project that the folder is kept in, else the folder's name."""
        from dreamd.daemon.intake import git  # noqa: PLC0415 - imports GitPython

        if opened.asked.space is not None:
            return opened.space_for_new
        try:
            return space_name(git.project_name(self.root))
        except git.IntakeProblem:
            pass
        named = (folder.name for folder in (self.root, *self.root.parents))
        telling = (name for name in named if name and name.lower() not in _NAMELESS and not name.startswith("."))
        return space_name(next(telling, "memory"))

    def holds(self, link: str, path: str) -> bool:
        """Whether `link`, as it stands in the file `path`, leads to a Markdown file of this folder."""
        for base in (path.rpartition("/")[0], ""):
            joined = posixpath.normpath(posixpath.join(base, link))
            name = joined if joined.lower().endswith(".md") else f"{joined}.md"
            if ".." not in name.split("/") and (self.root / name).is_file():
                return True
        return False

    def is_own(self, path: str, note: Note) -> bool:
        """Whether dreamd wrote the file."""
        if self.is_in_home or path in self.ours or (self.ours and path.startswith("reports/")):
            return True
        stream = nested(note.front_matter).get("stream")
        if isinstance(stream, str) and _OUR_STREAM.fullmatch(stream):
            return True
        # Of entries, each is told by its own id: others write brackets as we do.
        head = [line.text for line in note.lines[:HEAD_LINES] if line.entry is None or not line.entry.metadata]
        is_ours = is_our_writing("\n".join(head), EventKind.OBSERVATION)
        return is_ours or any(line.text.startswith(SENTINEL_START) for line in note.lines)


def folder_of(path: Path, own_memories: Path) -> Folder:
    """What is at `path`: a folder, or one file. Raises BadData if there is no Markdown."""
    if not os.path.exists(path):  # Path.exists raises for a name that is too long
        raise BadData(f"cannot read {path}: there is no such file or folder", "name a memory folder, or files in it")
    if path.suffix.lower() in _NOT_MARKDOWN and path.is_file():
        raise BadData(f"{path} is no Markdown", f"did you mean: dreamd ingest events {shlex.quote(str(path))}")
    here = path.resolve()
    below = here if here.is_dir() else here.parent
    root = next((folder for folder in (below, *below.parents) if (folder / MEMORY_PATH).is_file()), below)
    if here.is_dir():
        found, passed_over = _found_under(here)
        closed = tuple((each, f"cannot be read: {whose(each)}; read it as its owner") for each in closed_under(here))
    else:
        found, passed_over, closed = [here], [], ()
    if not found and not closed:
        raise BadData(f"{path} holds no Markdown", "name a memory folder, or files in it")
    own = own_memories.resolve()
    return Folder(
        root=root,
        files=tuple((file.relative_to(root).as_posix(), file) for file in found),
        passed_over=tuple(passed_over),
        closed=closed,
        ours=_manifested(root),
        is_in_home=here == own or own in here.parents,
    )


def _found_under(top: Path) -> tuple[list[Path], list[tuple[Path, str]]]:
    found: list[Path] = []
    passed_over: list[tuple[Path, str]] = []
    for folder, below, names in os.walk(top):
        below[:] = sorted(name for name in below if not name.startswith(".") and name not in _SKIPPED)
        for name in sorted(names):
            file = Path(folder) / name
            if name.startswith("."):
                continue
            if os.path.islink(file):
                passed_over.append((file, "a symbolic link, which is not followed"))
            elif not name.lower().endswith(".md"):
                passed_over.append((file, NO_MARKDOWN))
            elif name.lower() in _INSTRUCTIONS:
                passed_over.append((file, NO_MEMORY))
            else:
                found.append(file)
    return found, passed_over


def _manifested(root: Path) -> frozenset[str]:
    try:
        return frozenset(parse_manifest((root / MANIFEST_PATH).read_bytes()).files)
    except (OSError, ValueError):
        return frozenset()


def read_bounded(file: Path, most: int) -> bytes:
    """The bytes of `file`; raises OSError for what is no regular file, ValueError for one of more than `most` bytes."""
    status = os.stat(file)
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    with file.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it has more than {most} bytes, which document_bytes allows")
    return content
