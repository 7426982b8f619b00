"""Level `round-trip`: read and written again, a file is the same, so that an edit by a program loses nothing in it.

A file of ours has the same bytes. A file of another keeps its bytes where nothing is changed, and what it says where a
line or the front matter has to be written anew: text, metadata in order, keys that dreamd does not know.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from dreamd.repo_export.document import render_document
from dreamd.repo_export.front_matter import FrontMatterError, parse_front_matter, render_front_matter
from dreamd.repo_export.markdown import parse_entry, render_entry
from dreamd.repo_export.note import body_of, write_note
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.tree import Tree


def own_bytes(tree: Tree) -> Iterator[Finding]:
    """Read and rendered again, a file of ours has the same bytes."""
    for path, document in tree.documents.items():
        content, again = tree.files[path], render_document(document)
        if content != again:
            pairs = enumerate(zip(content.split(b"\n"), again.split(b"\n"), strict=False), start=1)
            number = next((number for number, (old, new) in pairs if old != new), 0)
            yield warning(path, number, "round-trip", "it is not as dreamd would write it")


def other_words(tree: Tree) -> Iterator[Finding]:
    """What another wrote can be written again without loss."""
    for path, note in tree.notes.items():
        if write_note(note) != tree.files[path]:
            yield error(path, 0, "round-trip", "read and written again it has other bytes")
        if note.front_matter and not _survives(note.front_matter):
            yield warning(path, 1, "round-trip", "its front matter would not be the same when written again")
        for line in body_of(note):
            entry = line.entry
            if entry is not None and entry.metadata and parse_entry(render_entry(entry)) != entry:
                yield warning(path, line.number, "round-trip", "the entry would not be the same when written again")


def _survives(values: Mapping[str, Any]) -> bool:
    try:
        again, _ = parse_front_matter(render_front_matter(values))
    except (FrontMatterError, yaml.YAMLError):
        return False
    return repr(again) == repr({**again, **values}) and again.keys() == values.keys()


CHECKS = (own_bytes, other_words)
