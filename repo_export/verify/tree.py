"""The files of a repository as the checks see them: read once, each for what it is.

Of a repository that dreamd keeps (it has our manifest, or the store is at hand), a file that dreamd never wrote and
that holds no entry id of ours is nobody's business; so are reports and `.dreamd/` but for the manifest. Of any other,
every Markdown file is looked at, but for hidden folders and for templates and examples, whose links are no links.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from dreamd.lifecycle.words import ClaimStatus
from dreamd.repo_export.child_index import is_index
from dreamd.repo_export.document import Document, Heading, Words, parse_document
from dreamd.repo_export.index import INDEX_HEADING, MEMORY_PATH
from dreamd.repo_export.manifest import MANIFEST_PATH, Manifest, parse_manifest
from dreamd.repo_export.markdown import Entry
from dreamd.repo_export.note import Note, parse_note
from dreamd.repo_export.page import MORE_MARK, ParsedPage, page_of
from dreamd.repo_export.slug import SHELVES
from dreamd.repo_export.verify.finding import Finding, Known, error

ENTRY_ID = re.compile(rb"\bid: cl_[0-9a-f]{16}\b")
NO_MEMORY = frozenset({"README", "CHANGELOG", "LICENSE", "CONTRIBUTING", "AGENTS", "CLAUDE", "GEMINI", "SKILL"})
_EXAMPLES = frozenset({"templates", "template", "_templates", "examples", "example", "node_modules"})


@dataclass(frozen=True, kw_only=True)
class Tree:
    files: Mapping[str, bytes]  # content by path from the root; of what is no Markdown, its name may be all that counts
    known: Known | None
    manifest: Manifest | None
    documents: Mapping[str, Document]  # of ours, readable
    pages: Mapping[str, ParsedPage]  # those among them that are of one stream
    offsets: Mapping[str, int] = field(default_factory=dict)  # lines before the first line of a document
    notes: Mapping[str, Note] = field(default_factory=dict)  # of a repository that dreamd does not keep

    @cached_property
    def head_and_index(self) -> tuple[list[tuple[int, Entry]], list[tuple[int, Entry]]]:
        """The numbered entries of MEMORY.md before its index, and those from there on."""
        head: list[tuple[int, Entry]] = []
        index: list[tuple[int, Entry]] = []
        into = head
        if MEMORY_PATH in self.documents:
            for number, line in self.numbered(MEMORY_PATH):
                if isinstance(line, Heading) and line.text == INDEX_HEADING:
                    into = index
                if isinstance(line, Entry):
                    into.append((number, line))
        return head, index

    @cached_property
    def claims(self) -> Mapping[str, list[tuple[int, Entry, ClaimStatus]]]:
        """The statements of each page with their line and the status of the section they stand in."""
        return {path: list(self._claims_of(path)) for path in self.pages}

    def live(self) -> list[str]:
        return [path for path in self.pages if path.split("/")[0] in SHELVES]

    def numbered(self, path: str) -> Iterator[tuple[int, Heading | Entry | Words]]:
        return enumerate(self.documents[path].lines, start=self.offsets[path] + 1)

    def entries(self, path: str) -> list[Entry]:
        document = self.documents.get(path)
        return [line for line in document.lines if isinstance(line, Entry)] if document else []

    def _claims_of(self, path: str) -> Iterator[tuple[int, Entry, ClaimStatus]]:
        page = self.pages[path]
        sections = (
            (page.current, ClaimStatus.CURRENT),
            (page.superseded, ClaimStatus.SUPERSEDED),
            (page.retracted, ClaimStatus.RETRACTED),
        )
        status_of = {id(entry): status for entries, status in sections for entry in entries}
        for number, line in enumerate(page.document.lines, start=self.offsets[path] + 1):
            if isinstance(line, Entry) and id(line) in status_of:
                yield number, line, status_of[id(line)]


def read_tree(files: Mapping[str, bytes], known: Known | None, findings: list[Finding]) -> Tree:
    """What is in `files`; what cannot be read is added to `findings`."""
    manifest = None
    if MANIFEST_PATH in files:
        try:
            manifest = parse_manifest(files[MANIFEST_PATH])
        except ValueError as problem:
            findings.append(error(MANIFEST_PATH, 0, "manifest", str(problem)))
    if known is None and MANIFEST_PATH not in files:
        return Tree(files=files, known=None, manifest=None, documents={}, pages={}, notes=_notes_in(files, findings))
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
            findings.append(error(path, 0, "readable", _in_words(problem)))
    return Tree(files=files, known=known, manifest=manifest, documents=documents, pages=pages, offsets=offsets)


def is_entry_file(path: str) -> bool:
    """True for a Markdown file that could hold entries: not a report, not our own state."""
    return path.endswith(".md") and not path.startswith(("reports/", ".dreamd/"))


def is_memory(path: str) -> bool:
    """True for a Markdown file of a repository that others keep, in which memories may stand."""
    folders = path.split("/")[:-1]
    is_hidden = any(part.startswith(".") for part in path.split("/"))
    return path.lower().endswith(".md") and not is_hidden and not _EXAMPLES.intersection(map(str.lower, folders))


def holds_entries(path: str) -> bool:
    """True for one whose bullets are entries by its name: a README and its like are not."""
    return _name_of(path).upper() not in NO_MEMORY


def is_cut(page: ParsedPage) -> bool:
    """True if the page says that it does not show all."""
    return any(isinstance(line, Words) and MORE_MARK in line.line for line in page.document.lines)


def _notes_in(files: Mapping[str, bytes], findings: list[Finding]) -> dict[str, Note]:
    notes: dict[str, Note] = {}
    for path in sorted(filter(is_memory, files)):
        try:
            notes[path] = parse_note(files[path])
        except ValueError as problem:
            findings.append(error(path, _line_of(problem), "readable", _in_words(problem)))
    return notes


def _in_words(problem: ValueError) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return f"it is not UTF-8: {problem.reason} at byte {problem.start + 1}"
    return str(problem)


def _line_of(problem: ValueError) -> int:
    """The line of the first byte that is no UTF-8."""
    return problem.object[: problem.start].count(b"\n") + 1 if isinstance(problem, UnicodeDecodeError) else 0


def _name_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]
