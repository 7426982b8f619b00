"""A person's edit in the memory repository, as the event that it became carries it (design, section 8).

The event's own words are what the person wrote. Beside them, under one key of `extra`, stands who edited what, which
claims that ends, and what kind of statement it is. An edit always wins: what it names ends, whatever a rule, a pin or a
fuse would say, and only taking the edit itself back undoes that.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimKind

EDIT = "edit"  # the key in `extra`
EDIT_SOURCE = "edit:"  # what the source of such an event begins with; the commit follows
BY_EDIT = "edited"  # the rule of what it ends


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    by: str  # name and address of who edited
    commit: str  # of the memory repository, whole
    path: str  # of the file, from the root
    what: str  # what was done, one of the words of the edits: "changed", "added", "removed", "pinned", ...
    was: str  # the words before; "" for what was added
    claims: tuple[str, ...]  # ids of those that it says are not true
    over: tuple[str, ...]  # ids of those that are true no longer: the same in other words, or what came meanwhile
    says: ClaimKind | None  # the kind of what its text states; None: it states nothing
    subject: str = ""  # id of the stream or claim that is pinned, laid to rest, brought back or named
    note: str = ""  # what the report has to say of it


def edit_of(event: Event) -> Edit | None:
    """The edit that `event` came from; None for any other event, and for one that no person stands behind."""
    told = event.extra.get(EDIT)
    if event.actor is not Actor.USER or not event.source.startswith(EDIT_SOURCE) or not isinstance(told, Mapping):
        return None
    says = told.get("says")
    return Edit(
        by=str(told.get("by", "")),
        commit=str(told.get("commit", "")),
        path=str(told.get("path", "")),
        what=str(told.get("what", "")),
        was=str(told.get("was", "")),
        claims=_texts(told.get("claims")),
        over=_texts(told.get("over")),
        says=ClaimKind(says) if says in set(ClaimKind) else None,
        subject=str(told.get("subject", "")),
        note=str(told.get("note", "")),
    )


def as_extra(edit: Edit) -> dict[str, object]:
    """What `edit_of` reads, as it stands in `extra`."""
    told: dict[str, object] = {"by": edit.by, "commit": edit.commit, "path": edit.path, "what": edit.what}
    told |= {"was": edit.was} if edit.was else {}
    told |= {"claims": list(edit.claims)} if edit.claims else {}
    told |= {"over": list(edit.over)} if edit.over else {}
    told |= {"says": edit.says.value} if edit.says is not None else {}
    told |= {"subject": edit.subject} if edit.subject else {}
    told |= {"note": edit.note} if edit.note else {}
    return {EDIT: told}


def is_aside(event: Event) -> bool:
    """Whether `event` is an edit that states nothing and ends nothing, such as a pin or a line that stays as it is."""
    edit = edit_of(event)
    return edit is not None and edit.says is None and not edit.claims and not edit.over


def _texts(found: object) -> tuple[str, ...]:
    if not isinstance(found, Sequence) or isinstance(found, str):
        return ()
    return tuple(str(one) for one in found)
