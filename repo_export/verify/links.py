"""Level `format`, of links: that each leads to a file that is there, and that every file can be reached.

The open format links by `[[path]]` from the root, without `.md` (AMR-15). Others write `[text](path)`, or `[[name]]` by
the name, the title or the stem of a file, which only some readers follow: what still leads somewhere is a warning, what
leads nowhere an error. What stands in code, fences and comments is no link.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

from dreamd.repo_export.child_index import is_index
from dreamd.repo_export.document import Words
from dreamd.repo_export.index import MEMORY_PATH
from dreamd.repo_export.markdown import Entry, links_in
from dreamd.repo_export.note import Kind, Note, NoteLine, body_of
from dreamd.repo_export.slug import ARCHIVE
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.tree import NO_MEMORY, Tree, is_memory

_CODE = re.compile(r"(?<!`)(`+)(?!`)(?:.*?[^`])?\1(?!`)")
_WIKI = re.compile(r"(?<!\\)!?\[\[([^\[\]\n]+)\]\]")
_MARKDOWN = re.compile(
    r"(?<![\w\\\]])!?\[[^\[\]\n]*+\]"
    r"\((?P<to><[^<>\n]*+>|[^\s()]++(?:\([^\s()]*+\)[^\s()]*+)*+)[^()\n]*+\)"
)
_AFTER_PATH = re.compile(r"[|#^]")  # what is shown, or a place in the file
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|/|~|\?")
_IS_FILE = re.compile(r"\.[A-Za-z0-9]{1,5}$|/")
_FOLDED = re.compile(r"[\s_-]+")
_LEADING = re.compile(r"[ \t]*[-*+][ \t]+(?:\*\*|__)?(?:\[\[[^\[\]]+\]\]|\[[^\[\]]*\]\([^()\s]+\))")
_FOLDER_NOTES = ("README", "INDEX", "MEMORY")


def leading_link(line: NoteLine) -> bool:
    """Whether a bullet is a line of an index: it begins with a link."""
    return _LEADING.match(line.text) is not None


def leading_target(line: str) -> str | None:
    """Where the link leads that a bullet begins with; None: it begins with none, or with an address."""
    found = _LEADING.match(line)
    if found is None:
        return None
    wiki = _WIKI.search(found[0])
    markdown = None if wiki else _MARKDOWN.search(found[0])
    if wiki:
        return _AFTER_PATH.split(wiki[1], maxsplit=1)[0].strip() or None
    return _local_target(markdown["to"]) if markdown else None


def without_code(text: str) -> str:
    """`text` with blanks in place of code, at the same places."""
    return _CODE.sub(lambda found: " " * len(found[0]), text) if "`" in text else text


@dataclass(frozen=True, kw_only=True)
class Names:
    """By what the files of a repository can be called."""

    files: Mapping[str, bytes]
    folders: frozenset[str]
    stems: Mapping[str, list[str]]  # the name of a file without `.md`, lower case -> paths without `.md`
    told: Mapping[str, list[str]]  # what front matter calls it, lower case -> the same
    folded: Mapping[str, list[str]]  # a stem without regard to case, blanks, `-` and `_` -> the same


def names_of(tree: Tree) -> Names:
    stems: dict[str, list[str]] = defaultdict(list)
    told: dict[str, list[str]] = defaultdict(list)
    folded: dict[str, list[str]] = defaultdict(list)
    for path in tree.files:
        if not path.lower().endswith(".md"):
            stems[path.rpartition("/")[2].lower()].append(path)
            continue
        short = path[:-3]
        stem = short.rpartition("/")[2]
        stems[stem.lower()].append(short)
        folded[fold(stem)].append(short)
        for name in _names_in(tree.notes[path].front_matter if path in tree.notes else {}):
            if short not in told[name.lower()]:
                told[name.lower()].append(short)
    folders = {folder for path in tree.files for folder in _folders_of(path)}
    return Names(files=tree.files, folders=frozenset(folders), stems=stems, told=told, folded=folded)


def fold(name: str) -> str:
    return _FOLDED.sub("-", name.strip().casefold())


def own_links(tree: Tree) -> Iterator[Finding]:
    """Links of ours go from the root to a file that is there, and leave `.md` out."""
    for path in tree.documents:
        for number, line in tree.numbered(path):
            if isinstance(line, Entry):
                targets = links_in(f"[[{line.link}]]") if line.link else ()
            else:
                targets = links_in(line.line) if isinstance(line, Words) and "[[" in line.line else ()
            for target in targets:
                if target.startswith("/") or ".." in target.split("/") or target.endswith(".md"):
                    yield error(path, number, "link", f"[[{target}]] is no path from the root without .md")
                elif f"{target}.md" not in tree.files and target not in tree.files:
                    yield error(path, number, "link", f"[[{target}]] leads nowhere")


def other_links(tree: Tree) -> Iterator[Finding]:
    """Those of others lead to a file that is there; how they are written is a matter of which reader follows them."""
    if not tree.notes:
        return
    names = names_of(tree)
    for path, note in tree.notes.items():
        yield from _wiki_faults(path, note, names)
        yield from _markdown_faults(path, note, names)


def _wiki_faults(path: str, note: Note, names: Names) -> Iterator[Finding]:
    loose: list[tuple[int, str]] = []
    for line, text in _open_lines(note):
        for found in _WIKI.finditer(text):
            match wiki_fault(found[1], path, names):
                case ("dead", message):
                    yield error(path, line.number, "link", message)
                case ("ambiguous", message):
                    yield warning(path, line.number, "link", message)
                case ("loose", message):
                    loose.append((line.number, message))
    if loose:
        more = f"; {len(loose) - 1} more like it" if len(loose) > 1 else ""
        yield warning(path, loose[0][0], "link-form", f"{loose[0][1]}{more}")


def _markdown_faults(path: str, note: Note, names: Names) -> Iterator[Finding]:
    good: list[int] = []
    for line, text in _open_lines(note):
        for found in _MARKDOWN.finditer(text):
            if (target := _local_target(found["to"])) is None:
                continue
            if _resolved(target, path, names) is not None:
                good += [line.number] if target.lower().endswith(".md") else []
            elif ".." not in target.split("/"):  # what lies outside cannot be seen from here
                yield error(path, line.number, "link", f"({found['to'][:120]}) leads nowhere")
    if good:
        links = f"{len(good)} links" if len(good) > 1 else "a link"
        message = f"{links} to files of the repository written as [text](path); the open format has [[path]] (AMR-15)"
        yield warning(path, good[0], "link-form", message)


def wiki_fault(inside: str, path: str, names: Names) -> tuple[Literal["dead", "ambiguous", "loose"], str] | None:
    """What is wrong with `[[inside]]` in the file `path`, and how much so; None: nothing is."""
    target = _AFTER_PATH.split(inside, maxsplit=1)[0].strip()
    is_other_file = target in names.files and not target.lower().endswith(".md")
    if not target or f"{target}.md" in names.files or is_other_file:
        return None
    shown = f"[[{inside[:120]}]]"
    if target.startswith("/") or ".." in target.split("/"):
        return "dead", f"{shown} is no path from the root of this repository (AMR-15, AMR-17)"
    if (found := _meant(target, path, names)) is None:
        alike = names.folded.get(fold(target.rpartition("/")[2]), ())
        return "dead", f"{shown} leads nowhere" + (f"; a file is called alike: [[{alike[0]}]]" if alike else "")
    meant, why = found
    if len(meant) > 1:
        return "ambiguous", f"{shown} is {why} of {len(meant)} files: {', '.join(meant[:3])}"
    return "loose", f"{shown} is {why}; the open format has [[{meant[0]}]]"


def _meant(target: str, path: str, names: Names) -> tuple[list[str], str] | None:
    """What a link that is no path from the root can mean, without `.md`, and what it is; None: it leads nowhere."""
    if target in names.files:
        return [target[:-3]], "a path with .md (AMR-15)"
    for note in _FOLDER_NOTES:
        if f"{target.rstrip('/')}/{note}.md" in names.files:
            return [f"{target.rstrip('/')}/{note}"], "a folder (AMR-16)"
    short = target.removesuffix(".md")
    near = posixpath.normpath(posixpath.join(posixpath.dirname(path), short))
    if f"{near}.md" in names.files:
        return [near], "a path from its folder, not from the root (AMR-15)"
    called = _called(short, names)
    return (called, "a name, no path from the root (AMR-15)") if called else None


def own_reach(tree: Tree) -> Iterator[Finding]:
    """Every page can be reached from MEMORY.md or the archive's index, by links of indexes alone."""
    roots = [MEMORY_PATH, *(path for path in tree.documents if path.startswith(f"{ARCHIVE}/") and is_index(path))]
    reached = set(roots)
    waiting = roots
    while waiting:
        for entry in tree.entries(waiting.pop()):
            path = f"{entry.link}.md"
            if path not in reached and path in tree.documents:
                reached.add(path)
                if is_index(path):
                    waiting.append(path)
    for path in tree.documents:
        if path not in reached and path.split("/")[0] != ARCHIVE and is_index(path):
            yield error(path, 0, "reach", "MEMORY.md does not link to it")
        elif path not in reached:
            yield error(path, 0, "reach", "no index links to it; looked at MEMORY.md and the indexes it links to")


def other_reach(tree: Tree) -> Iterator[Finding]:
    """Every file of others can be reached from MEMORY.md by links of any kind."""
    if MEMORY_PATH not in tree.notes:
        return
    names = names_of(tree)
    reached = {MEMORY_PATH}
    waiting = [MEMORY_PATH]
    while waiting:
        path = waiting.pop()
        for _, text in _open_lines(tree.notes[path]):
            targets = [_AFTER_PATH.split(found[1], maxsplit=1)[0].strip() for found in _WIKI.finditer(text)]
            targets += filter(None, (_local_target(found["to"]) for found in _MARKDOWN.finditer(text)))
            for target in targets:
                for found in _resolved(target, path, names) or ():
                    if found in tree.notes and found not in reached:
                        reached.add(found)
                        waiting.append(found)
    for path in tree.notes:
        if path not in reached and path.rpartition("/")[2][:-3].upper() not in NO_MEMORY and is_memory(path):
            yield warning(path, 0, "reach", "no link leads from MEMORY.md to it, so nobody finds it but by searching")


def _open_lines(note: Note) -> Iterator[tuple[NoteLine, str]]:
    """The lines that are shown as text and may hold a link, with blanks in place of their code."""
    for line in body_of(note):
        if "[" in line.text and line.kind not in {Kind.CODE, Kind.COMMENT}:
            yield line, without_code(line.text)


def _local_target(written: str) -> str | None:
    """The path that a Markdown link names; None if it is an address, a place in the file, or no name of a file."""
    target = written.strip("<>")
    if _SCHEME.match(target):
        return None
    target = unquote(target.split("#")[0].split("?")[0], errors="replace")
    return target if target and _IS_FILE.search(target) else None


def _resolved(target: str, path: str, names: Names) -> list[str] | None:
    """The files that `target` means in the file `path`; None if it leads nowhere."""
    folder = posixpath.dirname(path)
    for base in (folder, ""):
        joined = posixpath.normpath(posixpath.join(base, target))
        for each in (joined, f"{joined}.md", f"{joined}/README.md", f"{joined}/INDEX.md"):
            if each in names.files:
                return [each]
        if joined in names.folders:
            return []
    called = _called(target.removesuffix(".md"), names) if "/" not in target else []
    return [f"{each}.md" for each in called] or None


def _called(target: str, names: Names) -> list[str]:
    """The paths, without `.md`, of the files that are called `target` somewhere."""
    lower = target.lower()
    by_stem = names.stems.get(lower.rpartition("/")[2], [])
    if "/" in lower:
        by_stem = [each for each in by_stem if each.lower().endswith(f"/{lower}")]
    return by_stem or names.told.get(lower, [])


def _folders_of(path: str) -> Iterator[str]:
    while path := path.rpartition("/")[0]:
        yield path


def _names_in(front_matter: Mapping[str, Any]) -> Iterator[str]:
    for key in ("name", "title", "permalink"):
        if isinstance(value := front_matter.get(key), str):
            yield value.strip()
    aliases = front_matter.get("aliases")
    if isinstance(aliases, list):
        yield from (each.strip() for each in aliases if isinstance(each, str))


CHECKS = (own_links, other_links, own_reach, other_reach)
