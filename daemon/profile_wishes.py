"""Which profiles a person wants and where to, as the setting `profiles.generated` says it.

A list separated by commas: `claude-code` for every space below the home, `shop:claude-code` for one space,
`shop:claude-code=/a/folder` into a folder of the person's, where `{space}` stands for the space. From `/`, or for `~/`
from the person's home on, no symbolic link is followed.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dreamd.daemon.home import SPACE_PATTERN, Home
from dreamd.repo_export.profiles.record import Place
from dreamd.repo_export.profiles.registry import PROFILES

FOLDER = "profiles"  # in the home: <space>/<profile>/, and <space>/<profile>.json beside it
SPACE_MARK = "{space}"
SETTING = "profiles.generated"

_WISH = re.compile(
    rf"(?:(?P<space>{SPACE_PATTERN.pattern}):)?(?P<name>[a-z0-9-]+)(?:=(?P<folder>\S(?:.*\S)?))?", re.ASCII
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """One entry of the setting."""

    name: str
    space: str | None  # None: every space
    folder: str | None  # as it was written; None: below the home


def wishes_of(text: str) -> tuple[Wish, ...]:
    """The entries of the setting; what is no entry is passed over, see `problems_with`."""
    found = (_WISH.fullmatch(part.strip()) for part in text.split(","))
    return tuple(Wish(name=it["name"], space=it["space"], folder=it["folder"]) for it in found if it is not None)


def problems_with(text: str, home: Home) -> list[str]:
    """All that is wrong with the setting, each with what is allowed."""
    problems = [
        f"{SETTING} holds {part.strip()!r}; allowed: [SPACE:]NAME[=FOLDER], several separated by commas"
        for part in text.split(",")
        if part.strip() and _WISH.fullmatch(part.strip()) is None
    ]
    wishes = wishes_of(text)
    for wish in wishes:
        problems += [f"{SETTING} names {problem}" for problem in _problems_of(wish, home)]
    folders = [wish.folder for wish in wishes if wish.folder is not None]
    pairs = [(wish.space, wish.name) for wish in wishes]
    problems += [
        f"{SETTING} names the folder {each!r} twice; allowed: one profile a folder" for each in _twice(folders)
    ]
    problems += [f"{SETTING} names {name!r} twice for one space; allowed: once" for _, name in _twice(pairs)]
    return problems


def _problems_of(wish: Wish, home: Home) -> Iterator[str]:
    if wish.name not in PROFILES:
        yield f"the profile {wish.name!r}; there are: {', '.join(PROFILES)}"
    if wish.folder is None:
        return
    if not wish.folder.startswith(("/", "~/")) or ".." in wish.folder.split("/") or not wish.folder.strip("/~."):
        yield f"the folder {wish.folder!r}; allowed: one that begins with / or ~/ and has no part .."
    elif wish.space is None and SPACE_MARK not in wish.folder:
        allowed = f"one with {SPACE_MARK} in it, or SPACE:{wish.name}=..."
        yield f"the folder {wish.folder!r} for every space; allowed: {allowed}"
    elif Path(wish.folder).expanduser().is_relative_to(home.memory):
        yield f"the folder {wish.folder!r} inside the memory repositories; allowed: one outside of {home.memory}"


def _twice(each: Iterable[Any]) -> list[Any]:
    seen: set[Any] = set()
    return [it for it in each if it in seen or seen.add(it)]  # type: ignore[func-returns-value]


def places_of(home: Home, text: str, space: str) -> dict[str, Place]:
    """By name, where the profiles of `space` go. An entry for the space counts before one for all."""
    wishes = [wish for wish in wishes_of(text) if wish.space in (None, space)]
    own = {wish.name: wish for wish in sorted(wishes, key=lambda wish: wish.space is not None)}
    return {name: _place(home, wish, space) for name, wish in sorted(own.items())}


def _place(home: Home, wish: Wish, space: str) -> Place:
    if wish.folder is None:
        return Place(base=real_path(home.path), below=f"{FOLDER}/{space}/{wish.name}")
    folder = wish.folder.replace(SPACE_MARK, space)
    if folder.startswith("~/"):
        return Place(base=real_path(Path.home()), below=_plain(folder[2:]))
    return Place(base=Path("/"), below=_plain(folder))


def _plain(path: str) -> str:
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def real_path(folder: Path) -> Path:
    """A person's own folder, where links are theirs."""
    return Path(os.path.realpath(folder))
