"""Whether a memory repository is what it should be: the open format's rules, our caps, and agreement with the store.

It only reads: files in, findings out. A file that dreamd never wrote and that holds no entry id of ours is nobody's
business; so are reports and `.dreamd/` but for the manifest. Each rule is one small function, so that a finding names
the rule that raised it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from dreamd.lifecycle.words import ClaimStatus, Phase
from dreamd.repo_export.child_index import INDEX_NAME, is_index
from dreamd.repo_export.document import Document, Heading, Words, parse_document, render_document
from dreamd.repo_export.front_matter import KEYS
from dreamd.repo_export.index import (
    HARD_MAX_BYTES,
    HARD_MAX_LINES,
    HEAD_MAX_CHARACTERS,
    HEADLINE_LENGTH,
    INDEX_HEADING,
    MAX_BYTES,
    MAX_LINES,
    MEMORY_PATH,
    SENTINEL_START,
    sentinel,
)
from dreamd.repo_export.manifest import MANIFEST_PATH, Manifest, digest_of_file, parse_manifest
from dreamd.repo_export.markdown import Entry, links_in, render_entry, shorten, value_of, visible
from dreamd.repo_export.page import MORE_MARK, TYPE_OF_SHELF, ParsedPage, page_of
from dreamd.repo_export.slug import ARCHIVE, SHELVES

ENTRY_ID = re.compile(rb"\bid: cl_[0-9a-f]{16}\b")
_COUNTS = re.compile(
    rf"{SENTINEL_START}(?P<listed>\d+) of (?P<live>\d+) files? listed, (?P<watched>\d+) patterns? watched\."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    level: Literal["error", "warning"]
    path: str
    line: int  # from 1; 0: the file as a whole
    rule: str  # a name that a baseline can hold
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the store says; with it, files are held against it."""

    claims: Mapping[str, ClaimStatus]  # all claims of the space, by id
    sources: frozenset[str]  # of all its events
    streams: Mapping[str, str]  # path -> stream id, of every stream that has a file


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    files: Mapping[str, bytes]
    known: Known | None
    manifest: Manifest | None
    documents: Mapping[str, Document]  # of ours, readable
    pages: Mapping[str, ParsedPage]  # those among them that are of one stream
    offsets: Mapping[str, int] = field(
        default_factory=dict
    )  # lines of front matter before the first line of a document


def verify(files: Mapping[str, bytes], known: Known | None = None) -> tuple[Finding, ...]:
    """What is wrong in `files` (content by path from the root), sorted by path, line and rule; empty if nothing is."""
    findings: list[Finding] = []
    tree = _read(files, known, findings)
    for check in _CHECKS:
        findings += check(tree)
    return tuple(sorted(findings, key=lambda finding: (finding.path, finding.line, finding.rule, finding.message)))


def is_entry_file(path: str) -> bool:
    """True for a Markdown file that could hold entries: not a report, not our own state."""
    return path.endswith(".md") and not path.startswith(("reports/", ".dreamd/"))


def _read(files: Mapping[str, bytes], known: Known | None, findings: list[Finding]) -> _Tree:
    manifest = None
    if MANIFEST_PATH in files:
        try:
            manifest = parse_manifest(files[MANIFEST_PATH])
        except ValueError as problem:
            findings.append(_error(MANIFEST_PATH, 0, "manifest", str(problem)))
    documents: dict[str, Document] = {}
    pages: dict[str, ParsedPage] = {}
    offsets: dict[str, int] = {}
    for path in sorted(filter(is_entry_file, files)):
        content = files[path]
        if not (is_index(path) or (manifest and path in manifest.files) or ENTRY_ID.search(content)):
            continue
        try:
            documents[path] = parse_document(content)
            offsets[path] = content.count(b"\n") - len(documents[path].lines)
            if not is_index(path):
                pages[path] = page_of(documents[path])
        except ValueError as problem:
            findings.append(_error(path, 0, "readable", str(problem)))
    return _Tree(files=files, known=known, manifest=manifest, documents=documents, pages=pages, offsets=offsets)


def _memory(tree: _Tree) -> Iterator[Finding]:
    """MEMORY.md is there, has its title and its index, and stays within its caps."""
    content = tree.files.get(MEMORY_PATH)
    if content is None:
        if tree.known is None or tree.known.streams:
            yield _error(MEMORY_PATH, 0, "memory", "there is no MEMORY.md at the root")
        return
    lines, size = content.count(b"\n"), len(content)
    if lines > HARD_MAX_LINES or size > HARD_MAX_BYTES:
        allowed = f"{HARD_MAX_LINES} lines and {HARD_MAX_BYTES} bytes"
        yield _error(MEMORY_PATH, 0, "caps", f"{lines} lines and {size} bytes; readers take {allowed}")
    elif lines > MAX_LINES or size > MAX_BYTES:
        yield _warning(
            MEMORY_PATH, 0, "caps", f"{lines} lines and {size} bytes; planned are {MAX_LINES} and {MAX_BYTES}"
        )
    if MEMORY_PATH not in tree.documents:
        return
    headings = [line for line in tree.documents[MEMORY_PATH].lines if isinstance(line, Heading)]
    if not headings or headings[0].level != 1 or not headings[0].text.startswith("Memory"):
        yield _error(MEMORY_PATH, 1, "memory", "it does not begin with a title '# Memory'")
    if not any(heading.level > 1 and heading.text == INDEX_HEADING for heading in headings):
        yield _error(MEMORY_PATH, 0, "memory", f"there is no heading '## {INDEX_HEADING}'")
    head, _ = _head_and_index(tree)
    characters = sum(len(render_entry(entry)) + 1 for _, entry in head)
    if characters > HEAD_MAX_CHARACTERS:
        message = f"the head has {characters} characters; allowed are {HEAD_MAX_CHARACTERS}"
        yield _error(MEMORY_PATH, 0, "head", message)


def _sentinel(tree: _Tree) -> Iterator[Finding]:
    """The last line of MEMORY.md is there and counts what is there."""
    document = tree.documents.get(MEMORY_PATH)
    if document is None:
        return
    last = document.lines[-1] if document.lines else None
    found = _COUNTS.fullmatch(last.line) if isinstance(last, Words) else None
    number = tree.offsets[MEMORY_PATH] + len(document.lines)
    if found is None:
        yield _error(
            MEMORY_PATH, number, "sentinel", "the last line is not the one with the counts: the file was cut or changed"
        )
        return
    _, index = _head_and_index(tree)
    listed = sum(1 for _, entry in index if f"{entry.link}.md" in tree.pages)
    expected = sentinel(listed, len(_live(tree)), int(found["watched"]))
    if found[0] != expected:
        yield _error(MEMORY_PATH, number, "sentinel", f"it says {found[0]!r}; counted is {expected!r}")


def _coverage(tree: _Tree) -> Iterator[Finding]:
    """Every page and index can be reached from MEMORY.md, or from the index of the archive, over indexes alone."""
    reached = {MEMORY_PATH, f"{ARCHIVE}/{INDEX_NAME}"}
    new = [path for path in reached if path in tree.documents]
    while new:
        found = {f"{entry.link}.md" for path in new for entry in _entries(tree, path) if entry.link} - reached
        reached |= found
        new = [path for path in found if path in tree.documents and is_index(path)]
    for path in sorted(tree.documents.keys() - reached):
        yield _error(path, 0, "reach", "no index that can be reached from MEMORY.md links to it")


def _links(tree: _Tree) -> Iterator[Finding]:
    """Links go from the root to a file that is there, and leave `.md` out."""
    for path in tree.documents:
        for number, line in _numbered(tree, path):
            shown = f"[[{line.link}]]" if isinstance(line, Entry) and line.link else ""
            if isinstance(line, Words):
                shown = line.line
            for target in links_in(shown):
                if target.startswith("/") or ".." in target.split("/") or target.endswith(".md"):
                    yield _error(path, number, "link", f"[[{target}]] is no path from the root without .md")
                elif f"{target}.md" not in tree.files and target not in tree.files:
                    yield _error(path, number, "link", f"[[{target}]] leads nowhere")


def _front_matter(tree: _Tree) -> Iterator[Finding]:
    """A page has one block with our keys, and these agree with where it lies."""
    for path, page in tree.pages.items():
        values, permalink = page.front_matter, path.removesuffix(".md")
        missing = [key for key in KEYS if key not in values]
        if missing:
            yield _error(path, 1, "front-matter", f"missing: {', '.join(missing)}")
            continue
        first = next(iter(page.document.lines), None)
        if isinstance(first, Words) and first.line == "---":
            yield _error(path, tree.offsets[path] + 1, "front-matter", "there is a second block")
        if values["permalink"] != permalink or values["name"] != permalink.rpartition("/")[2]:
            yield _error(path, 1, "front-matter", f"name and permalink do not say {permalink!r}")
        if values["type"] not in TYPE_OF_SHELF.values():
            yield _error(
                path, 1, "front-matter", f"type {values['type']!r} is none of {', '.join(TYPE_OF_SHELF.values())}"
            )
        metadata = values["metadata"]
        if not isinstance(metadata, dict) or metadata.get("phase") not in {Phase.EMERGENT, Phase.CANONICAL}:
            yield _error(path, 1, "front-matter", "metadata does not name a phase that has a page")


def _statements(tree: _Tree) -> Iterator[Finding]:
    """Each statement names its source, day and id; ids are unique; what it supersedes is somewhere."""
    places: dict[str, str] = {}
    replaced: list[tuple[str, int, str]] = []
    for path in tree.pages:
        for number, entry, _ in _claims_of(tree, path):
            for key in ("source", "added", "id"):
                if not value_of(entry, key):
                    yield _error(path, number, "statement", f"it has no {key}")
            if (added := value_of(entry, "added")) and not _is_day(added):
                yield _error(path, number, "statement", f"added {added!r} is no day YYYY-MM-DD")
            claim = value_of(entry, "id")
            if claim and claim in places:
                yield _error(path, number, "unique-id", f"{claim} is also in {places[claim]}")
            if claim:
                places.setdefault(claim, path)
            if (older := value_of(entry, "supersedes")) is not None:
                replaced.append((path, number, older))
    stored = tree.known.claims if tree.known else {}
    for path, number, older in replaced:
        if older not in places and older not in stored and not _is_cut(tree.pages[path]):
            yield _error(path, number, "supersedes", f"{older} is nowhere")


def _closed_in_memory(tree: _Tree) -> Iterator[Finding]:
    """MEMORY.md shows nothing that was superseded or retracted."""
    current: set[str] = set()
    closed: set[str] = set()
    closed_ids: set[str | None] = set()
    for page in tree.pages.values():
        current |= {entry.text for entry in page.current}
        closed |= {entry.text for entry in (*page.superseded, *page.retracted)}
        closed_ids |= {value_of(entry, "id") for entry in (*page.superseded, *page.retracted)}
    closed -= current
    shortened = {shorten(visible(text), HEADLINE_LENGTH) for text in closed} - {
        shorten(visible(text), HEADLINE_LENGTH) for text in current
    }
    head, index = _head_and_index(tree)
    for number, entry in head:
        if entry.text in closed or value_of(entry, "id") in closed_ids - {None}:
            yield _error(MEMORY_PATH, number, "superseded", "it shows a statement that is no longer current")
    for number, entry in index:
        # A title may hold ": " itself, so each end of the line that could be the headline is tried.
        parts = entry.text.split(": ")
        if any(": ".join(parts[start:]) in shortened for start in range(1, len(parts))):
            yield _error(MEMORY_PATH, number, "superseded", "its headline is a statement that is no longer current")


def _round_trip(tree: _Tree) -> Iterator[Finding]:
    """Read and rendered again, a file of ours has the same bytes."""
    for path, document in tree.documents.items():
        content, again = tree.files[path], render_document(document)
        if content != again:
            pairs = enumerate(zip(content.split(b"\n"), again.split(b"\n"), strict=False), start=1)
            number = next((number for number, (old, new) in pairs if old != new), 0)
            yield _warning(path, number, "round-trip", "it is not as dreamd would write it")


def _written(tree: _Tree) -> Iterator[Finding]:
    """Every file of the manifest is there as it was written."""
    for path, entry in (tree.manifest.files if tree.manifest else {}).items():
        if path not in tree.files:
            yield _error(path, 0, "manifest", "it is in the manifest and not there")
        elif digest_of_file(tree.files[path]) != entry.sha256:
            yield _warning(path, 0, "manifest", "it was changed since dreamd wrote it; see: dreamd adopt")


def _agreement(tree: _Tree) -> Iterator[Finding]:
    """Pages, statements and sources are those of the store."""
    known = tree.known
    if known is None:
        return
    for path in sorted(known.streams.keys() - tree.pages.keys()):
        yield _error(path, 0, "store", f"stream {known.streams[path]} has no page; see: dreamd export")
    for path, page in tree.pages.items():
        metadata = page.front_matter.get("metadata")
        stream = metadata.get("stream") if isinstance(metadata, dict) else None
        if known.streams.get(path) != stream:
            yield _error(
                path, 0, "store", f"the store has stream {known.streams.get(path)} here, the page says {stream}"
            )
        for number, entry, status in _claims_of(tree, path):
            claim, source = value_of(entry, "id"), value_of(entry, "source")
            stored = known.claims.get(claim or "")
            if stored is not status:
                says = stored.value if stored else "nothing"
                yield _error(path, number, "store", f"{claim} stands under {status.value}; the store says {says}")
            if source not in known.sources:
                yield _error(path, number, "store", f"source {source!r} is of no event")


_CHECKS: tuple[Callable[[_Tree], Iterator[Finding]], ...] = (
    _memory,
    _sentinel,
    _coverage,
    _links,
    _front_matter,
    _statements,
    _closed_in_memory,
    _round_trip,
    _written,
    _agreement,
)


def _live(tree: _Tree) -> list[str]:
    return [path for path in tree.pages if path.split("/")[0] in SHELVES]


def _numbered(tree: _Tree, path: str) -> Iterator[tuple[int, Heading | Entry | Words]]:
    return enumerate(tree.documents[path].lines, start=tree.offsets[path] + 1)


def _entries(tree: _Tree, path: str) -> list[Entry]:
    document = tree.documents.get(path)
    return [line for line in document.lines if isinstance(line, Entry)] if document else []


def _head_and_index(tree: _Tree) -> tuple[list[tuple[int, Entry]], list[tuple[int, Entry]]]:
    """The numbered entries of MEMORY.md before its index, and those from there on."""
    head: list[tuple[int, Entry]] = []
    index: list[tuple[int, Entry]] = []
    into = head
    if MEMORY_PATH in tree.documents:
        for number, line in _numbered(tree, MEMORY_PATH):
            if isinstance(line, Heading) and line.text == INDEX_HEADING:
                into = index
            if isinstance(line, Entry):
                into.append((number, line))
    return head, index


def _claims_of(tree: _Tree, path: str) -> Iterator[tuple[int, Entry, ClaimStatus]]:
    """The statements of a page with their line and the status of the section they stand in."""
    page = tree.pages[path]
    sections = (
        (page.current, ClaimStatus.CURRENT),
        (page.superseded, ClaimStatus.SUPERSEDED),
        (page.retracted, ClaimStatus.RETRACTED),
    )
    status_of = {id(entry): status for entries, status in sections for entry in entries}
    for number, line in enumerate(page.document.lines, start=tree.offsets[path] + 1):
        if isinstance(line, Entry) and id(line) in status_of:
            yield number, line, status_of[id(line)]


def _is_cut(page: ParsedPage) -> bool:
    """True if the page says that it does not show all."""
    return any(isinstance(line, Words) and MORE_MARK in line.line for line in page.document.lines)


def _is_day(text: str) -> bool:
    try:
        return str(date.fromisoformat(text)) == text
    except ValueError:
        return False


def _error(path: str, line: int, rule: str, message: str) -> Finding:
    return Finding(level="error", path=path, line=line, rule=rule, message=message)


def _warning(path: str, line: int, rule: str, message: str) -> Finding:
    return Finding(level="warning", path=path, line=line, rule=rule, message=message)
