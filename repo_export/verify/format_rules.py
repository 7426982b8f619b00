"""Level `format`: what the open format (Agent Memory Repo) asks of a repository and of its entries.

The numbers are those of the rules, as `docs/verify.md` lists them. An error is what a reader of the format gets wrong;
a warning is what it asks for and readers do without.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import zip_longest

from dreamd.repo_export.document import Heading
from dreamd.repo_export.index import INDEX_HEADING, MEMORY_PATH
from dreamd.repo_export.markdown import Entry
from dreamd.repo_export.note import Kind, Note, NoteLine, body_of
from dreamd.repo_export.verify.days import is_day
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.forms import is_memory_file
from dreamd.repo_export.verify.links import fold, leading_link, without_code
from dreamd.repo_export.verify.tree import Tree, holds_entries

_GROUP = re.compile(r"(?<![\[\]\\])\[(?P<inside>[^\[\]]*)\](?![\](])")
_KNOWN_PAIR = re.compile(r"\s*(?:source|added|id|supersedes)\s*:", re.IGNORECASE)
_BEGUN = re.compile(r"(?<![\[\\])\[\s*(source|added|id|supersedes)\s*:", re.IGNORECASE)
_OPEN_GROUP = re.compile(r"(?<![\[\\])\[\s*(?:source|added)\s*:[^\[\]]*$")


def memory(tree: Tree) -> Iterator[Finding]:
    """MEMORY.md is there, with a title and an index (AMR-2, AMR-6, AMR-7)."""
    if MEMORY_PATH not in tree.files:
        if tree.known is None or tree.known.streams:
            yield error(MEMORY_PATH, 0, "memory", "there is no MEMORY.md at the root (AMR-2)")
        return
    if MEMORY_PATH in tree.documents:
        headings = [line for line in tree.documents[MEMORY_PATH].lines if isinstance(line, Heading)]
        if not headings or headings[0].level != 1 or not headings[0].text.startswith("Memory"):
            yield error(MEMORY_PATH, 1, "memory", "it does not begin with a title '# Memory'")
        if not any(heading.level > 1 and heading.text == INDEX_HEADING for heading in headings):
            yield error(MEMORY_PATH, 0, "memory", f"there is no heading '## {INDEX_HEADING}'")
    if MEMORY_PATH in tree.notes:
        yield from _other_memory(tree.notes[MEMORY_PATH])


def _other_memory(note: Note) -> Iterator[Finding]:
    first = next((line for line in body_of(note) if line.kind not in {Kind.BLANK, Kind.COMMENT}), None)
    if first is None or first.kind is not Kind.HEADING or first.level != 1:
        yield warning(
            MEMORY_PATH, first.number if first else 0, "title", "it does not begin with a title '# ...' (AMR-7)"
        )
    if not any(line.kind is Kind.HEADING and line.title.casefold() == INDEX_HEADING.casefold() for line in note.lines):
        message = f"there is no heading '## {INDEX_HEADING}' over the links to other files (AMR-6)"
        yield warning(MEMORY_PATH, 0, "index-heading", message)
    if note.front_matter or note.problem:
        yield warning(MEMORY_PATH, 1, "title", "it begins with front matter, which a loader shows as text (AMR-7)")


def entries(tree: Tree) -> Iterator[Finding]:
    """Of others: one bullet is one line, with its metadata at the end and in a form that is read (AMR-9 to AMR-12)."""
    for path, note in tree.notes.items():
        if not has_entries(path, note):
            continue
        lines = list(body_of(note))
        for line, following in zip_longest(lines, lines[1:]):
            if line.kind is not Kind.BULLET:
                continue
            if following is not None and following.kind is Kind.WORDS:
                message = "an entry goes on in the next line; a reader of one line does not see it (AMR-9)"
                yield error(path, line.number, "one-line", message)
            yield from _metadata_faults(path, line)


def has_entries(path: str, note: Note) -> bool:
    """Whether the bullets of a file are entries: not in a README, nor where the file as a whole is one memory."""
    return holds_entries(path) and not is_memory_file(note)


def _metadata_faults(path: str, line: NoteLine) -> Iterator[Finding]:
    text = without_code(line.text)
    if "[" not in text:
        return
    entry = line.entry
    assert isinstance(entry, Entry)  # noqa: S101 - of a bullet
    read = sum(1 for key, _ in entry.metadata if _KNOWN_PAIR.fullmatch(f"{key}:"))
    written = sum(
        1 for group in _GROUP.finditer(text) for part in group["inside"].split(";") if _KNOWN_PAIR.match(part)
    )
    begun = Counter(found[1].lower() for found in _BEGUN.finditer(text))
    if _OPEN_GROUP.search(text):
        yield error(path, line.number, "metadata", "the brackets of its metadata are not closed (AMR-10)")
    elif written > read or begun - Counter(key.lower() for key, _ in entry.metadata):
        message = (
            "metadata that no reader takes for it: it stands at the end of the line, `[key: value; key: value]`, and"
            " a value holds no ';', '[' or ']' (AMR-10, AMR-12)"
        )
        yield error(path, line.number, "metadata", message)
    for key, value in entry.metadata:
        if key == "added" and not is_day(value):
            yield error(path, line.number, "added", f"added {value[:80]!r} is no day YYYY-MM-DD (AMR-11)")


def once(tree: Tree) -> Iterator[Finding]:
    """Of others: no entry stands twice (AMR-16), and no two files have one name on some system."""
    places: dict[str, tuple[str, int]] = {}
    for path, note in tree.notes.items():
        if not has_entries(path, note):
            continue
        for line in body_of(note):
            if line.kind is not Kind.BULLET or line.entry is None or leading_link(line):
                continue
            said = " ".join(line.entry.text.split())
            if len(said) < _TELLING_CHARACTERS:
                continue
            if said in places:
                where = f"{places[said][0]}:{places[said][1]}"
                yield warning(path, line.number, "twice", f"the same entry is in {where} (AMR-16)")
            else:
                places[said] = (path, line.number)


_TELLING_CHARACTERS = 20  # a shorter text may well stand twice


def names(tree: Tree) -> Iterator[Finding]:
    """No two files have the same path for a system without case; of others, no two are told apart by a blank only."""
    by_case: dict[str, list[str]] = defaultdict(list)
    by_fold: dict[str, list[str]] = defaultdict(list)
    for path in sorted(tree.files):
        by_case[path.casefold()].append(path)
        if path in tree.notes:
            folder, _, name = path.rpartition("/")
            by_fold[f"{folder.casefold()}/{fold(name)}"].append(path)
    for paths in by_case.values():
        if len(paths) > 1:
            yield error(paths[1], 0, "same-name", f"on a system without case it is {paths[0]}")
    for paths in by_fold.values():
        if len(paths) > 1 and len({path.casefold() for path in paths}) > 1:
            yield warning(paths[1], 0, "same-name", f"it is called like {paths[0]} but for blanks, '-' and '_'")


CHECKS = (memory, entries, once, names)
