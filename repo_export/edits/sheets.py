"""A file of the memory repository as what a person can have changed in it: its marks.

A mark has a key that stays the same while the words change (the id of an entry, a key of the front matter) or that is
the words themselves (a bullet without an id, a line of text), so that two versions of a file differ in marks however
their lines were ordered, wrapped or ended. White space, line ends, a byte order mark and what dreamd counts (`seen`,
`days`) are in none.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dreamd.repo_export.document import Heading, Line, Words
from dreamd.repo_export.edits.wraps import is_numbered, lines_of_body, without_conflicts
from dreamd.repo_export.front_matter import FENCE, FrontMatterError, parse_front_matter
from dreamd.repo_export.index import (
    INDEX_HEADING,
    INDEX_NAME,
    NOTES_ELSEWHERE,
    NOTHING_YET,
    SENTINEL_START,
)
from dreamd.repo_export.index import INTRODUCTION as INDEX_INTRODUCTION
from dreamd.repo_export.kept import NOTES_HEADING
from dreamd.repo_export.markdown import Entry
from dreamd.repo_export.page import INTRODUCTION, RETRACTED_HEADING, SUPERSEDED_HEADING

CLAIM = "claim"  # (, id): an entry of a claim
BULLET = "bullet"  # (, text): a bullet without an id
LINE = "line"  # (, line): a line that is no entry
INDEXED = "indexed"  # (, link): a line of the index
FRONT = "front"  # (, key): of the front matter
BESIDE = "beside"  # (, id, key): what stands in the brackets of an entry
TITLE, NOTES, FILE = "title", "notes", "file"
Key = tuple[str, ...]

_CLAIM_ID = re.compile(r"cl_[0-9a-f]{16}")
INDEX_STEM = INDEX_NAME.removesuffix(".md")
# What stands in MEMORY.md beside entries, as any version of it has it.
_DERIVED_WORDS = re.compile(
    r"(?:1 young pattern is|\d+ young patterns are) watched; see: .*"
    rf"|{re.escape(NOTHING_YET)}|{re.escape(INDEX_INTRODUCTION)}"
)
_CLOSED = (SUPERSEDED_HEADING, RETRACTED_HEADING)
_ON_ONE_LINE = ("title", "description", "name")  # of the front matter: white space says nothing
MAX_NODES, MAX_DEPTH = 1_000, 6  # of one value of a front matter
TOO_LARGE = "(a value that is too large or too deep to keep)"
# What dreamd tells of an entry; `pin` is the person's.
OURS = frozenset(
    {"source", "added", "id", "seen", "days", "trust", "valid_to", "supersedes", "variant_of", "retracted"}
    | {"superseded_by", "closed_by", "because", "pin"}
)
YES = frozenset({"true", "yes", "1", "on", "y"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One bullet. Equal if it says the same of the same, whatever stands beside it."""

    text: str  # in NFC with single spaces
    is_pinned: bool = False
    is_closed: bool = False  # it stands among what is superseded or retracted
    link: str | None = None
    verbatim: str = field(default="", compare=False)  # the text as it stands, unescaped
    line: str = field(default="", compare=False)  # as it stands in the file; of one that is wrapped, all its lines
    beside: str = field(default="", compare=False)  # what stands in its brackets, but for `pin`
    variant_of: str | None = field(default=None, compare=False)


Value = Any  # Said, a text, a tuple of lines, or a value of the front matter; None: not there
Marks = Mapping[Key, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    marks: Marks
    lines: tuple[str, ...]  # of the body before the notes, as they stand
    again: tuple[tuple[Said, str], ...] = ()  # (entry, id) of those whose id stands on a line above too
    has_conflict: bool = False  # it holds conflict markers; what stands between them is in no mark


NO_FILE = Sheet(marks={}, lines=())


def read_sheet(content: bytes | None) -> Sheet:
    """The marks of a file; every file can be read, with what is not understood as lines."""
    if content is None:
        return NO_FILE
    text, has_conflict = without_conflicts(_decoded(content).replace("\r\n", "\n").replace("\r", "\n"))
    front_matter, loose, body = _parts(text)
    lines = lines_of_body(body)
    marks: dict[Key, Value] = {(FILE,): True}
    again: list[tuple[Said, str]] = []
    for name, value in _flat(front_matter).items():
        marks[FRONT, name] = normal(value) if isinstance(value, str) and name in _ON_ONE_LINE else value
    section, notes = "", list[str]()
    for raw in loose:
        _put_line(marks, raw)
    for line, raw in lines:
        is_note = section == NOTES_HEADING and is_numbered(raw)
        is_statement = isinstance(line, Entry) and not is_note and not _is_no_statement(line, section)
        if isinstance(line, Entry) and line.link is not None and section == INDEX_HEADING:
            marks[INDEXED, line.link] = normal(line.text)
            if not _is_derived(line):
                _put_line(marks, raw)
        elif _is_derived(line) or raw.startswith(SENTINEL_START):
            continue
        elif isinstance(line, Entry) and is_statement:
            again += _put_entry(marks, line, raw, is_closed=section in _CLOSED)
        elif section == NOTES_HEADING:
            notes += [each.rstrip() for each in raw.split("\n")]
        elif isinstance(line, Heading) and line.text.strip() == NOTES_HEADING:
            section = NOTES_HEADING
        elif isinstance(line, Heading) and line.level == 1 and (TITLE,) not in marks:
            marks[TITLE,] = normal(line.text)
        else:
            section = line.text.strip() if isinstance(line, Heading) else section
            _put_line(marks, raw)
    _put_notes(marks, notes)
    whole = (*loose, *(raw for _, raw in lines))
    return Sheet(marks=marks, lines=whole, again=tuple(again), has_conflict=has_conflict)


def normal(text: str) -> str:
    """`text` in NFC with its white space collapsed."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def kept_lines(sheet: Sheet, keys: Sequence[Key]) -> tuple[str, ...]:
    """Those lines of `sheet` whose marks are among `keys`, in their order, with the empty lines between them."""
    wanted = {key[1] for key in keys if key[0] == LINE}
    found: list[str] = []
    was_blank = False
    for line in sheet.lines:
        if line.rstrip() in wanted:
            found += [*([""] if was_blank and found else []), *line.split("\n")]
            was_blank = False
        elif not line.strip():
            was_blank = True
    return tuple(found)


def _put_line(marks: dict[Key, Value], line: str) -> None:
    if line.strip() and line.strip() != INTRODUCTION:  # that one is ours on every page
        marks[LINE, line.rstrip()] = True


def _put_notes(marks: dict[Key, Value], notes: Sequence[str]) -> None:
    """The lines below their heading; where the others are elsewhere, what is here comes to them."""
    are_elsewhere = any(note.endswith(NOTES_ELSEWHERE) for note in notes)
    if are_elsewhere:
        for note in notes:
            _put_line(marks, "" if note.endswith(NOTES_ELSEWHERE) else note)
    marks[NOTES,] = () if are_elsewhere else _trimmed(notes)


def _put_entry(marks: dict[Key, Value], entry: Entry, raw: str, *, is_closed: bool) -> list[tuple[Said, str]]:
    """The entry, if its id was met before."""
    told = dict(reversed(entry.metadata))
    said = Said(
        text=normal(entry.text),
        is_pinned=told.get("pin", "").strip().lower() in YES,
        is_closed=is_closed,
        link=entry.link,
        verbatim=entry.text,
        line=raw.strip(),
        beside="; ".join(f"{name}: {value}" for name, value in entry.metadata if name != "pin"),
        variant_of=told.get("variant_of"),
    )
    id_ = told.get("id", "").strip()
    if _CLAIM_ID.fullmatch(id_) is None:
        marks[BULLET, said.text] = said
        return []
    if (CLAIM, id_) in marks:
        return [(said, id_)]
    marks[CLAIM, id_] = said
    marks.update({(BESIDE, id_, name): value for name, value in entry.metadata if name != "pin"})
    return []


def _is_no_statement(entry: Entry, section: str) -> bool:
    """A bullet that is only a link, or a line of the index."""
    return not entry.text.strip() or (section == INDEX_HEADING and entry.link is not None)


def _is_derived(line: Line) -> bool:
    """Whether dreamd wrote this line of an index, now or in an older file."""
    if isinstance(line, Words):
        return _DERIVED_WORDS.fullmatch(line.line.strip()) is not None
    if not isinstance(line, Entry) or line.link is None:
        return False
    names = {name for name, _ in line.metadata}
    return names >= {"phase", "vitality"} or names >= {"status", "last"} or line.link.endswith(f"/{INDEX_STEM}")


def _decoded(content: bytes) -> str:
    """As UTF-8 or UTF-16, else every byte as the letter of its number: nothing is lost."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            pass
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _parts(text: str) -> tuple[Mapping[str, Any], tuple[str, ...], str]:
    """The front matter, its comments or the lines of one that cannot be read, and the body."""
    try:
        front_matter, body = parse_front_matter(text)
        head = text[: len(text) - len(body)].split("\n")
        return front_matter, tuple(line for line in head if line.lstrip().startswith("#")), body
    except (FrontMatterError, RecursionError):
        block, fence, body = text.removeprefix(FENCE).partition("\n" + FENCE)
        return ({}, tuple(block.split("\n")), body) if fence else ({}, (), text.removeprefix(FENCE))


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    """Without empty lines at either end."""
    kept = list(lines)
    while kept and not kept[0].strip():
        kept.pop(0)
    while kept and not kept[-1].strip():
        kept.pop()
    return tuple(kept)


def _flat(front_matter: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of the front matter, those of `metadata` one by one."""
    found: dict[str, Any] = {}
    for name, value in front_matter.items():
        if name == "metadata" and isinstance(value, Mapping):
            found |= {f"metadata.{inner}": _bounded(each) for inner, each in value.items()}
        else:
            found[name] = _bounded(value)
    return found


def _bounded(value: object) -> object:
    """`value`, if it is no larger and no deeper than a person writes it; YAML can hold a list that holds itself."""
    nodes, level = 0, [value]
    for _ in range(MAX_DEPTH):
        nodes += len(level)
        inner = [each.values() if isinstance(each, Mapping) else each for each in level]
        level = [one for each in inner if isinstance(each, Collection) and not isinstance(each, str) for one in each]
        if nodes + len(level) > MAX_NODES:
            break
        if not level:
            return value
    return TOO_LARGE
