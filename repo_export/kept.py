"""What people set on a page that no statement says: its name, tags, own keys, folder, and lines that are no entries.

Each edit adds a step, and a step counts as long as the edit's event is linked: what is taken back is on no page.
"""

from collections.abc import Iterable, Mapping
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


def named(name: str, value: object, was: object) -> dict[str, Any]:
    """The step by which a person set a key of the front matter; None: took it away."""
    return {"named": name, "yaml": render_front_matter({"value": value, "was": was})}


def kept_by(steps: Iterable[Mapping[str, Any]]) -> Kept:
    """What is kept of a page after `steps`, in their order."""
    kept = NOTHING_KEPT
    for step in steps:
        kept = _after(kept, step)
    return kept


def _after(kept: Kept, step: Mapping[str, Any]) -> Kept:
    if "named" in step:
        values = parse_front_matter(step["yaml"])[0]
        kept = _with_named(kept, step["named"], values["value"], values["was"])
    if "title" in step:
        kept = replace(kept, title=step["title"])
    if "shelf" in step:
        kept = replace(kept, shelf=step["shelf"])
    if "stays" in step:  # where it is, unless a person put it elsewhere before
        kept = replace(kept, shelf=kept.shelf or step["stays"])
    if "gone" in step:
        kept = replace(kept, gone=tuple(dict.fromkeys((*kept.gone, *step["gone"]))))
    if "notes" in step:
        kept = replace(kept, notes=tuple(step["notes"]))
    if "left" in step:
        kept = replace(kept, notes=(*kept.notes, *([""] if kept.notes else []), *step["left"]))
    return kept


def _with_named(kept: Kept, name: str, value: object, was_value: object) -> Kept:
    if name == "title":
        return replace(kept, title=str(value or "").strip() or None)
    if name == "description":
        return replace(kept, description=str(value or "").strip() or None)
    if name == "tags":
        was, is_now = _tags(was_value), _tags(value)
        came, went = [tag for tag in is_now if tag not in was], [tag for tag in was if tag not in is_now]
        more = dict.fromkeys(tag for tag in (*kept.tags_more, *came) if tag not in went)
        less = dict.fromkeys(tag for tag in (*kept.tags_less, *went) if tag not in came)
        return replace(kept, tags_more=tuple(more), tags_less=tuple(less))
    keys = {other: own for other, own in kept.keys.items() if other != name}
    return replace(kept, keys=keys if value is None else {**keys, name: value})


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
