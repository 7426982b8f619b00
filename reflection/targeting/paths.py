"""Paths as names: which parts of a path say what it is about, by a fixed function of the path.

`path_target` is the fixed rule: the first telling part that most files agree on. `places` gives all telling parts of
a path, from which a layout of the whole space can choose (see layout.py).
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.path_words import ASIDES, COMPANIONS, CONTAINERS, MANIFESTS, SELF_STEMS, STOP_NAMES

MIN_FOUND_NAME_LENGTH = 3  # of a name that dreamd finds itself; a name that the event gives counts from 1 on
MIN_PATH_SHARE = 0.5  # of the files; must be exceeded

_MANIFEST_ENDINGS = ("_cabal", "_csproj", "_fsproj", "_gemspec")
_TEST_MARK = re.compile(r"^test[_-]|[._-](?:test|spec)s?$", re.IGNORECASE)
_LOCK = re.compile(r"(?:^|_)lock(?:_(?:json|ya?ml|toml|hcl))?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A path as the names along it."""

    parts: tuple[str, ...]  # all folders, then the file
    telling: tuple[int, ...]  # indices of the parts that say something; the last one may be the file's
    stem: str  # of the file, without test marks
    is_aside: bool  # a test, document or example: it speaks about something else
    is_manifest: bool  # it declares its folder to be a unit of its own

    def name(self, index: int) -> str:
        """What the part at `index` is called."""
        return self.stem if index == len(self.parts) - 1 else self.parts[index]


def path_target(files: Iterable[str]) -> str | None:
    """The canonical target on which more than half of the files agree, by a fixed function of their paths."""
    found = path_vote(files)
    return canonical_form(found[0]) if found else None


def path_vote(files: Iterable[str]) -> tuple[str, float] | None:
    """The title that most files agree on and the share that do; None without a clear majority."""
    names = [name for path in files if (name := _first_telling(path)) is not None]
    forms = Counter(canonical_form(name) for name in names if name)
    if not forms:
        return None
    form, votes = forms.most_common(1)[0]
    if votes / len(names) <= MIN_PATH_SHARE or len(form) < MIN_FOUND_NAME_LENGTH or form in STOP_NAMES:
        return None
    return min(name for name in names if canonical_form(name) == form), votes / len(names)


@lru_cache(maxsize=32768)
def place_of(path: str) -> Place | None:
    """`path` as the names along it; None for a companion, and where no part says anything."""
    *folders, file = parts_of(path) or ("",)
    if not file or is_companion(file):
        return None
    named = file.lstrip(".").split(".")[0]
    stem = _TEST_MARK.sub("", named) or named
    forms = [canonical_form(folder) for folder in folders]
    asides = [form in ASIDES for form in forms]
    is_test = stem != named or _TEST_MARK.search(file.rsplit(".", 1)[0]) is not None
    telling = [index for index, form in enumerate(forms) if form not in CONTAINERS and not asides[index]]
    if stem.lower() not in SELF_STEMS or not folders:
        telling.append(len(folders))
    if not telling and stem.lower() == "readme":
        telling.append(len(folders))  # of the whole: as if it were at the root
    if not telling:
        return None
    form = canonical_form(file)
    return Place(
        parts=(*folders, file),
        telling=tuple(telling),
        stem=stem,
        is_aside=any(asides) or is_test or form.endswith(("_md", "_rst", "_adoc")),
        is_manifest=bool(folders) and not any(asides) and (form in MANIFESTS or form.endswith(_MANIFEST_ENDINGS)),
    )


def parts_of(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.replace("\\", "/").split("/") if part not in ("", ".", ".."))


def is_container(folder: str) -> bool:
    """Whether a folder of this name only says how a repository is laid out."""
    form = canonical_form(folder)
    return form in CONTAINERS or form in ASIDES


def is_companion(file: str) -> bool:
    """Whether a file of this name changes along with anything."""
    form = canonical_form(file)
    return form in COMPANIONS or _LOCK.search(form) is not None


@lru_cache(maxsize=16384)
def _first_telling(path: str) -> str | None:
    """The first telling part of `path`; "" if it has none; None for a companion, which has no vote."""
    *folders, file = parts_of(path) or ("",)
    if is_companion(file):
        return None
    for folder in folders:
        if canonical_form(folder) not in CONTAINERS:
            return folder
    stem = file.lstrip(".").split(".")[0]
    return _TEST_MARK.sub("", stem)
