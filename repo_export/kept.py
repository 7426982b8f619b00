"""What people set on a page that no statement says: its name, tags, own keys, folder, and the lines that are no entries.

It is kept beside the rows (one value a page) and goes into every later rendering of that page. It is not reverted with
a run: it is changed by the next edit.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dreamd.lifecycle.values import Stream
from dreamd.repo_export.front_matter import parse_front_matter, render_front_matter
from dreamd.repo_export.slug import SHELVES

NOTES_HEADING = "Notes"  # what people wrote that is no entry stays below it


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    title: str | None = None
    description: str | None = None
    shelf: str | None = None  # the folder that a person put the page in
    tags_more: tuple[str, ...] = ()
    tags_less: tuple[str, ...] = ()
    keys: Mapping[str, Any] = field(default_factory=dict)  # of the front matter, that dreamd does not know
    notes: tuple[str, ...] = ()  # lines, as they stand
    gone: tuple[str, ...] = ()  # paths of files that were taken into this page


NOTHING_KEPT = Kept()


def kept_to_text(kept: Kept) -> str:
    """As YAML: it brings back every value that a front matter can hold."""
    values = {
        "title": kept.title,
        "description": kept.description,
        "shelf": kept.shelf,
        "tags_more": list(kept.tags_more),
        "tags_less": list(kept.tags_less),
        "notes": list(kept.notes),
        "gone": list(kept.gone),
    }
    return json.dumps({"values": values, "keys": render_front_matter(kept.keys) if kept.keys else ""}, sort_keys=True)


def kept_from_text(text: str) -> Kept:
    whole = json.loads(text)
    values = whole["values"]
    return Kept(
        title=values["title"],
        description=values["description"],
        shelf=values["shelf"],
        tags_more=tuple(values["tags_more"]),
        tags_less=tuple(values["tags_less"]),
        keys=parse_front_matter(whole["keys"])[0],
        notes=tuple(values["notes"]),
        gone=tuple(values["gone"]),
    )


def with_named(kept: Kept, name: str, value: object, was_value: object) -> Kept:
    """`kept` with a key of the front matter as a person set it; None: taken away."""
    if name == "title":
        return replace(kept, title=str(value or "").strip() or None)
    if name == "description":
        return replace(kept, description=str(value or "").strip() or None)
    if name == "tags":
        was, is_now = _tags(was_value), _tags(value)
        more = [
            *(tag for tag in kept.tags_more if tag in is_now or tag not in was),
            *(t for t in is_now if t not in was),
        ]
        less = [*(tag for tag in kept.tags_less if tag not in is_now), *(t for t in was if t not in is_now)]
        return replace(
            kept,
            tags_more=tuple(dict.fromkeys(tag for tag in more if tag not in less)),
            tags_less=tuple(dict.fromkeys(less)),
        )
    keys = {other: own for other, own in kept.keys.items() if other != name}
    return replace(kept, keys=keys if value is None else {**keys, name: value})


def with_notes(kept: Kept, lines: Sequence[str]) -> Kept:
    """`kept` with further lines after those that are there."""
    if not lines:
        return kept
    return replace(kept, notes=(*kept.notes, *([""] if kept.notes else []), *lines))


def as_shown(stream: Stream, kept: Mapping[str, Kept]) -> Stream:
    """`stream` under the name and in the folder that a person gave its page."""
    own = kept.get(stream.id)
    if own is None:
        return stream
    shelf = own.shelf if own.shelf in SHELVES else None
    return replace(stream, title=own.title or stream.title, shelf=shelf or stream.shelf)


def front_matter_with(values: Mapping[str, Any], kept: Kept | None) -> dict[str, Any]:
    """The front matter of a page with what a person set in it."""
    if kept is None:
        return dict(values)
    tags = [*(tag for tag in values["tags"] if tag not in kept.tags_less), *kept.tags_more]
    own = {"description": kept.description} if kept.description else {}
    more = {name: value for name, value in kept.keys.items() if name not in values}
    return {**values, **own, "tags": list(dict.fromkeys(tags)), **more}


def notes_section(kept: Kept | None) -> bytes:
    """The lines that are no entries, below their heading; nothing if there are none."""
    if kept is None or not kept.notes:
        return b""
    return "".join(f"{line}\n" for line in ("", f"## {NOTES_HEADING}", "", *kept.notes)).encode("utf-8", "replace")


def _tags(value: object) -> list[str]:
    found = value if isinstance(value, list) else [value] if value is not None else []
    return [str(tag) for tag in found]
