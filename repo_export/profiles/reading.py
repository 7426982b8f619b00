"""The memory of a space as its repository shows it: what MEMORY.md says to every session, and the pages it lists.

Read from the newest commit of the branch, so that a profile says what the repository says, no more: MEMORY.md has
settled already what comes first, what is cut and what is not told. That also bounds the cost: no more pages are read
than an index has lines.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from dreamd.repo_export.document import Document, Heading, parse_document
from dreamd.repo_export.index import INDEX_HEADING, INDEX_NAME, MEMORY_PATH, TITLE_LENGTH
from dreamd.repo_export.manifest import Manifest, digest_of_file
from dreamd.repo_export.markdown import Entry, shorten, value_of, visible
from dreamd.repo_export.page import TYPE_OF_SHELF, page_of
from dreamd.repo_export.profiles.port import Memory, MemoryPage
from dreamd.repo_export.slug import SHELVES

Read = Callable[[Collection[str]], Mapping[str, bytes]]  # contents of the newest commit by path, of those it has
Redact = Callable[[str], str]

NOT_LISTED = "MEMORY.md has no room for it"
GONE = "its page is not in the newest commit"
_TAGS = ("phase", "vitality", "last", "doubtful")


class MemoryUnreadable(Exception):
    """MEMORY.md is not what it was when dreamd wrote it, and cannot be read; the profile stays as it is."""


def read_memory(space: str, manifest: Manifest | None, read: Read, redact: Redact) -> Memory:
    """What a profile is made of. Raises MemoryUnreadable.

    What a person committed since may hold a secret, so it is redacted; what dreamd wrote has been already.
    """
    files = manifest.files if manifest is not None else {}
    content = read([MEMORY_PATH]).get(MEMORY_PATH)
    if content is None:
        if MEMORY_PATH in files:
            raise MemoryUnreadable(f"{MEMORY_PATH} is not in the newest commit; dreamd export writes it again")
        return Memory(space=space)
    hide = _hiding(manifest, redact)
    try:
        head, index = _sections(parse_document(hide(MEMORY_PATH, content)))
    except ValueError as problem:
        raise MemoryUnreadable(f"{MEMORY_PATH} of the newest commit cannot be read: {problem}") from None
    listed = {f"{entry.link}.md": entry for entry in index if entry.link is not None and _is_page(f"{entry.link}.md")}
    pages, left_out = _pages(listed, read(list(listed)), hide)
    live = sorted(path for path, entry in files.items() if entry.stream is not None and _is_page(path))
    left_out += [(path, NOT_LISTED) for path in live if path not in listed]
    return Memory(space=space, head=tuple(head), pages=tuple(pages), left_out=tuple(left_out))


def _hiding(manifest: Manifest | None, redact: Redact) -> Callable[[str, bytes], bytes]:
    def hide(path: str, content: bytes) -> bytes:
        known = None if manifest is None else manifest.files.get(path)
        if known is not None and known.sha256 == digest_of_file(content):
            return content
        return redact(content.decode("utf-8")).encode("utf-8")  # UnicodeDecodeError is a ValueError

    return hide


def _is_page(path: str) -> bool:
    shelf, _, name = path.partition("/")
    return shelf in SHELVES and not name.rpartition("/")[2].startswith(INDEX_NAME.removesuffix(".md"))


def _sections(memory: Document) -> tuple[list[Entry], list[Entry]]:
    """The entries of the head, and those of the index."""
    found: dict[str, list[Entry]] = {"": [], INDEX_HEADING: []}
    section = ""
    for line in memory.lines:
        match line:
            case Heading(level=level, text=text) if level > 1:
                section = text
            case Entry(depth=0) if section in found:
                found[section].append(line)
    return found[""], found[INDEX_HEADING]


def _pages(
    listed: Mapping[str, Entry], contents: Mapping[str, bytes], hide: Callable[[str, bytes], bytes]
) -> tuple[list[MemoryPage], list[tuple[str, str]]]:
    pages, left_out = [], []
    for path, entry in listed.items():
        if path not in contents:
            left_out.append((path, GONE))
            continue
        try:
            pages.append(_page(path, entry, parse_document(hide(path, contents[path]))))
        except ValueError as problem:
            left_out.append((path, f"its page cannot be read: {problem}"))
    return pages, left_out


def _page(path: str, line: Entry, document: Document) -> MemoryPage:
    parsed, told = page_of(document), document.front_matter
    about = told.get("metadata")
    about = about if isinstance(about, dict) else {}
    slug = path.rpartition("/")[2].removesuffix(".md")
    title = _text(told, "title") or parsed.title or slug
    kind = _text(told, "type")
    aliases = about.get("aliases")
    return MemoryPage(
        path=path,
        slug=slug,
        stream=_text(about, "stream"),
        target=_text(about, "target"),
        title=visible(title),
        description=visible(_text(told, "description") or title),
        hook=_hook(line.text, title),
        type=kind if kind in TYPE_OF_SHELF.values() else TYPE_OF_SHELF[path.partition("/")[0]],
        tags=tuple((key, value) for key, value in line.metadata if key in _TAGS),
        aliases=tuple(visible(str(each)) for each in aliases) if isinstance(aliases, list) else (),
        is_pinned=about.get("pinned") is True,
        is_doubtful=about.get("doubtful") is True,
        statements=_corrections_first(entry for entry in parsed.current if entry.depth == 0 and entry.text),
    )


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _hook(text: str, title: str) -> str:
    """What a line of the index says beyond the title."""
    shown = shorten(visible(title), TITLE_LENGTH)
    return "" if text == shown else text.removeprefix(f"{shown}: ")


def _corrections_first(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Where a reader cuts a file, nothing is left that was corrected below the cut."""
    return tuple(
        sorted((replace(entry, link=None) for entry in entries), key=lambda it: not value_of(it, "supersedes"))
    )
