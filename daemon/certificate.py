"""The certificate of a purge: what was looked through and reached, and what dreamd cannot reach.

`<home>/purges/<number>.json` and `.md`, without a word of what was purged. While a place is open, it does not say that
everything is gone.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = "purges"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One place where it was or may be."""

    name: str
    left: int | None  # how much of it still tells of what was purged; None: it cannot be looked at from here
    note: str = ""  # what was done, or what a person has to do


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    number: int
    space: str
    kind: str  # what was named: a target, claim, event, session or source
    at: str  # RFC 3339
    counts: Mapping[str, int]  # what was erased
    reached: tuple[Place, ...]  # looked through, with what is left there
    out_of_reach: tuple[Place, ...]

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left in any place that dreamd reaches."""
        return all(place.left == 0 for place in self.reached)

    def as_json(self) -> dict[str, Any]:
        return {
            "purge": self.number,
            "space": self.space,
            "kind": self.kind,
            "at": self.at,
            "complete": self.is_complete,
            "erased": dict(self.counts),
            "reached": [{"place": place.name, "left": place.left, "note": place.note} for place in self.reached],
            "not_reached": [{"place": place.name, "note": place.note} for place in self.out_of_reach],
        }

    def in_markdown(self) -> str:
        lines = [f"# Purge {self.number} of space {self.space}", "", f"A {self.kind} was purged at {self.at}."]
        lines += ["", "Erased:", "", *(f"- {name}: {count}" for name, count in self.counts.items() if count)]
        lines += ["", "## Looked through", ""]
        lines += [f"- {place.name}: {_left(place)}{f'; {place.note}' if place.note else ''}" for place in self.reached]
        lines += ["", "## Not reached", "", "It may still be there, and dreamd cannot take it away:", ""]
        lines += [f"- {place.name}: {place.note}" for place in self.out_of_reach]
        return "\n".join([*lines, ""])

    def in_words(self) -> list[str]:
        erased = ", ".join(f"{count} {name}" for name, count in self.counts.items() if count)
        lines = [f"Purge {self.number} of space {self.space}: erased {erased or 'nothing'}."]
        lines += [
            f"  Still there: {place.name} ({_left(place)}){f'; {place.note}' if place.note else ''}"
            for place in self.reached
            if place.left != 0
        ]
        return [*lines, *(f"  Not reached: {place.name}: {place.note}" for place in self.out_of_reach)]


def write_certificate(home: Path, certificate: Certificate) -> Path:
    """The Markdown file; both are whole or not there."""
    folder = home / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    texts = {
        "json": json.dumps(certificate.as_json(), indent=1, ensure_ascii=False) + "\n",
        "md": certificate.in_markdown(),
    }
    for ending, text in texts.items():
        file = folder / f"{certificate.number:04}.{ending}"
        beside = file.with_name(f".{file.name}.new")
        beside.write_text(text, encoding="utf-8")
        os.chmod(beside, 0o600)  # noqa: PTH101
        beside.replace(file)
    return folder / f"{certificate.number:04}.md"


def last_number(home: Path) -> int:
    """The number of the last purge that has a certificate; 0 if none has."""
    return max((int(file.stem) for file in (home / FOLDER).glob("*.json") if file.stem.isdigit()), default=0)


def _left(place: Place) -> str:
    if place.left is None:
        return "not looked at"
    return f"{place.left or 'nothing'} left"
