"""Level `readers`, of front matter: one block that YAML reads, with the fields that the readers of its form need."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from dreamd.lifecycle.words import Phase
from dreamd.repo_export.document import Words
from dreamd.repo_export.front_matter import KEYS
from dreamd.repo_export.index import INDEX_NAME, MEMORY_PATH
from dreamd.repo_export.note import Kind, Note, body_of
from dreamd.repo_export.page import TYPE_OF_SHELF
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.forms import MEMORY_TYPES, REQUIRED, is_memory_form, memory_type, nested
from dreamd.repo_export.verify.tree import Tree, holds_entries

_TOP_KEY = re.compile(r"^(?P<key>[\w-]+)[ \t]*:", re.MULTILINE)


def own_blocks(tree: Tree) -> Iterator[Finding]:
    """A page has one block with our keys, and these agree with where it lies."""
    for path, page in tree.pages.items():
        values, permalink = page.front_matter, path.removesuffix(".md")
        missing = [key for key in KEYS if key not in values]
        if missing:
            yield error(path, 1, "front-matter", f"missing: {', '.join(missing)}")
            continue
        first = next(iter(page.document.lines), None)
        if isinstance(first, Words) and first.line == "---":
            yield error(path, tree.offsets[path] + 1, "front-matter", "there is a second block")
        if values["permalink"] != permalink or values["name"] != permalink.rpartition("/")[2]:
            yield error(path, 1, "front-matter", f"name and permalink do not say {permalink!r}")
        if values["type"] not in TYPE_OF_SHELF.values():
            allowed = ", ".join(TYPE_OF_SHELF.values())
            yield error(path, 1, "front-matter", f"type {values['type']!r} is none of {allowed}")
        metadata = values["metadata"]
        if not isinstance(metadata, dict) or metadata.get("phase") not in {Phase.EMERGENT, Phase.CANONICAL}:
            yield error(path, 1, "front-matter", "metadata does not name a phase that has a page")


def other_blocks(tree: Tree) -> Iterator[Finding]:
    """Of others: the block can be read, is the only one, names nothing twice, and has what its form needs."""
    named: dict[str, list[str]] = defaultdict(list)
    forms = Counter(is_memory_form(note.front_matter) for path, note in tree.notes.items() if _may_be_memory(path))
    is_folder_of_memories = forms[True] > forms[False]
    for path, note in tree.notes.items():
        if note.problem is not None:
            yield error(path, 1, "front-matter", note.problem)
            continue
        yield from _block_faults(path, note)
        if is_memory_form(note.front_matter):
            yield from _field_faults(path, note)
            if isinstance(name := note.front_matter.get("name"), str):
                named[name.strip().casefold()].append(path)
        elif is_folder_of_memories and not note.front_matter and _may_be_memory(path):
            needed = ", ".join(REQUIRED)
            yield error(path, 1, "front-matter", f"it has none; the memories around it have {needed}")
    for paths in named.values():
        for path in paths[1:]:
            yield warning(path, line_of(tree.notes[path], "name"), "front-matter", f"{paths[0]} has the same name")


def _may_be_memory(path: str) -> bool:
    return path.rpartition("/")[2] not in {MEMORY_PATH, INDEX_NAME} and holds_entries(path)


def _block_faults(path: str, note: Note) -> Iterator[Finding]:
    for key, count in Counter(found["key"] for found in _TOP_KEY.finditer(note.block)).items():
        if count > 1:
            message = f"{key} is there {count} times, and all but the last are lost on readers"
            yield error(path, line_of(note, key), "front-matter", message)
    first = next((line for line in body_of(note) if line.kind is not Kind.BLANK), None)
    if note.block and first is not None and first.text.rstrip() == "---":
        rest = [line.text for line in note.lines[first.number :]]
        closing = next((place for place, text in enumerate(rest) if text.rstrip() == "---"), 0)
        if closing and all(_TOP_KEY.match(text) or text[:1] in " -#" or not text for text in rest[:closing]):
            yield error(path, first.number, "front-matter", "there is a second block; readers see one of the two")


def _field_faults(path: str, note: Note) -> Iterator[Finding]:
    values = note.front_matter
    have = {key: values.get(key) for key in ("name", "description")} | {"type": memory_type(values)}
    missing = [
        key for key in REQUIRED if have[key] is None or (isinstance(have[key], str) and not str(have[key]).strip())
    ]
    if missing:
        yield error(path, 1, "front-matter", f"missing: {', '.join(missing)}")
    kind = have["type"]
    if kind is not None and kind not in MEMORY_TYPES:
        shown = repr(kind)[:80]
        yield error(path, line_of(note, "type"), "front-matter", f"type {shown} is none of {', '.join(MEMORY_TYPES)}")
    top, below = values.get("type"), nested(values).get("type")
    if top is not None and below is not None and top != below:
        message = f"type is {str(top)[:40]!r} at the top and {str(below)[:40]!r} below metadata"
        yield error(path, line_of(note, "type"), "front-matter", message)
    for key in ("name", "description"):
        if have[key] is not None and not isinstance(have[key], str):
            message = f"{key} is no text for YAML; put it between quotes"
            yield error(path, line_of(note, key), "front-matter", message)


def line_of(note: Note, key: str) -> int:
    """The line on which the front matter names `key`, at the top or below; 1 if it is nowhere."""
    for line in note.lines:
        if line.kind is not Kind.FRONT_MATTER:
            break
        if line.text.strip().startswith(f"{key}:"):
            return line.number
    return 1


CHECKS = (own_blocks, other_blocks)
