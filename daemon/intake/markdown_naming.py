"""What a statement of a memory file is about, and of what kind it is, by the names that file, section and line carry.

Nothing is guessed from a text but what the rules for a person's turns know as a lasting preference or a decision.
"""

import re
from collections.abc import Mapping
from typing import Any

from dreamd.daemon.intake.adapters import speech
from dreamd.daemon.intake.markdown_reading import Statement
from dreamd.lifecycle.words import EventKind
from dreamd.repo_export.index import INDEX_HEADING
from dreamd.repo_export.markdown import value_of
from dreamd.repo_export.verify.forms import MEMORY_TYPES, is_memory_form, memory_type, nested

KIND_OF_TYPE: Mapping[object, EventKind] = {"user": EventKind.PREFERENCE, "feedback": EventKind.PREFERENCE}
# Categories that basic-memory's users lead an observation with, as far as they name a kind.
KIND_OF_CATEGORY: Mapping[str, EventKind] = {
    "decision": EventKind.DECISION,
    "preference": EventKind.PREFERENCE,
    "rule": EventKind.PREFERENCE,
    "hypothesis": EventKind.HYPOTHESIS,
    "observation": EventKind.OBSERVATION,
    "fact": EventKind.OBSERVATION,
    "note": EventKind.OBSERVATION,
    "technique": EventKind.OBSERVATION,
    "tip": EventKind.OBSERVATION,
}
_KIND_OF_SECTION = (
    (re.compile(r"\b(?:preferences?|conventions?|guidelines?|agreements?)\b", re.IGNORECASE), EventKind.PREFERENCE),
    (re.compile(r"\bdecisions?\b", re.IGNORECASE), EventKind.DECISION),
)
_CATEGORY = re.compile(r"\[(?P<category>[A-Za-z][\w-]{1,30})\][ \t]+(?P<text>\S.*)", re.DOTALL)
_NAMES_NOTHING = frozenset(
    {"memory", "index", "readme", "notes", "note", "claude", "agents", "gemini", "skill", "summary"}
)
_DATED_NAME = re.compile(r"\d{4}-?\d\d(?:-?\d\d)?\b.*")
_BESIDES = re.compile(r"\s*\([^()]*\)\s*$")
_MARKS = re.compile(r"[`*]+|^\d+[.)]\s+|^[^\w`(]+")
_OF_MEMORY = re.compile(r"\b(?:project\s+)?memory\b:?|\bmemories\b|\bindex\b", re.IGNORECASE)
MAX_TARGET_CHARACTERS = 80  # a longer heading is a sentence


def file_target(path: str, front_matter: Mapping[str, Any]) -> str | None:
    """What the file at `path` as a whole is about; None: its name says nothing, as that of MEMORY.md or of a day."""
    if isinstance(target := nested(front_matter).get("target"), str) and target.strip():
        return target.strip()
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0]
    kind = memory_type(front_matter) if is_memory_form(front_matter) else None
    if kind in MEMORY_TYPES and re.match(rf"{kind}[_-]\w", stem, re.IGNORECASE):
        stem = stem[len(str(kind)) + 1 :]
    if stem.lower() == "readme" and folder:
        return folder.rpartition("/")[2]
    return None if stem.lower() in _NAMES_NOTHING or _DATED_NAME.fullmatch(stem) else stem


def target_of(statement: Statement, of_file: str | None, otherwise: str) -> str:
    """What a statement is about: what it says itself, its file, the heading above it, the title, or the folder."""
    entry = statement.entry
    if entry is not None and (named := value_of(entry, "target")):
        return named
    if entry is not None and entry.link:
        return entry.link.rpartition("/")[2]
    if of_file is not None:
        return of_file
    for heading in (statement.section, statement.title):
        plain = _heading(heading)
        if plain and plain.casefold() != INDEX_HEADING.casefold():
            return plain
    return otherwise


def _heading(text: str) -> str:
    """A heading as a name: without marks, what stands in brackets behind it, and the word memory."""
    plain = _MARKS.sub("", _BESIDES.sub("", text)).strip()
    plain = " ".join(_OF_MEMORY.sub(" ", plain).split()).strip(" :-")
    return plain if len(plain) <= MAX_TARGET_CHARACTERS else ""


def kind_of(statement: Statement, front_matter: Mapping[str, Any]) -> EventKind:
    """As the line says, else its category, the type of the file, the heading above it, or its words."""
    entry = statement.entry
    named = value_of(entry, "kind") if entry is not None else None
    if named in set(EventKind):
        return EventKind(named)
    if (category := category_of(statement)) is not None:
        return KIND_OF_CATEGORY[category[0]]
    if is_memory_form(front_matter) and (kind := KIND_OF_TYPE.get(_plain_type(front_matter))) is not None:
        return kind
    for pattern, kind in _KIND_OF_SECTION:
        if pattern.search(statement.section):
            return kind
    said = speech.statement_kind(statement.text)
    return said if said in {EventKind.PREFERENCE, EventKind.DECISION} else EventKind.OBSERVATION


def _plain_type(front_matter: Mapping[str, Any]) -> str | None:
    kind = memory_type(front_matter)
    return kind if isinstance(kind, str) else None


def category_of(statement: Statement) -> tuple[str, str] | None:
    """The leading category of a bullet that names a kind, and the text behind it."""
    found = _CATEGORY.fullmatch(statement.text) if statement.entry is not None else None
    if found is None or found["category"].lower() not in KIND_OF_CATEGORY:
        return None
    return found["category"].lower(), found["text"]
