"""What dreamd wrote into a profile's folder: the record by which it knows its own files again.

It lies outside of that folder, so that nobody who writes there can make dreamd take a file for its own. Before files
are written it says what they held and what they are about to hold, so a kill in between leaves no doubt.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

RECORD_FORMAT = 1
HOME = "."  # in place of the base, of a folder below the home


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A profile's folder: `below` the folder `base`, which is trusted; no link is followed from there on."""

    base: Path  # absolute
    below: str  # with slashes, not empty

    @property
    def path(self) -> Path:
        return self.base / self.below


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A file of ours."""

    digests: tuple[str, ...]  # sha256 of what it may hold: one, or before and after while it is written
    is_pending: bool = False  # it is being written, and may not be there yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    profile: str
    place: Place
    files: Mapping[str, Known] = field(default_factory=dict)  # by path from the folder
    waiting: tuple[tuple[str, str], ...] = ()  # (path, reason) as of the last time
    left_out: int = 0  # pages that had no room, as of the last time


def render_record(record: Record, home: Path) -> bytes:
    """A folder below `home` is written down from there, so that a home that is moved or copied means its own."""
    whole = {
        "format": RECORD_FORMAT,
        "profile": record.profile,
        "base": HOME if record.place.base == home else str(record.place.base),
        "below": record.place.below,
        "files": {
            path: {"sha256": list(known.digests)} | ({"pending": True} if known.is_pending else {})
            for path, known in record.files.items()
        },
        "waiting": [list(each) for each in record.waiting],
        "left_out": record.left_out,
    }
    return (json.dumps(whole, indent=1, sort_keys=True) + "\n").encode("utf-8")


def parse_record(content: bytes, home: Path) -> Record | None:
    """None if it is no record that this dreamd can read: then no file is taken for ours unless it holds our bytes."""
    try:
        whole = json.loads(content)
        if whole["format"] != RECORD_FORMAT:
            return None
        return Record(
            profile=str(whole["profile"]),
            place=Place(base=home if whole["base"] == HOME else Path(whole["base"]), below=str(whole["below"])),
            files={
                str(path): Known(
                    digests=tuple(str(each) for each in entry["sha256"]), is_pending=bool(entry.get("pending"))
                )
                for path, entry in whole["files"].items()
            },
            waiting=tuple((str(path), str(reason)) for path, reason in whole["waiting"]),
            left_out=int(whole["left_out"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
