"""Which target an event belongs to, by rule: named, commit scope, file paths, else none.

A target is a canonical form, so that `Auth-Service`, `authService` and `auth service` are one and `db2` and `db3` are
two. Every rule is a function of the event and the alias table, never of other events: order and batch size change
nothing. What a rule cannot say stays untargeted; nothing is guessed here (design, section 6).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from types import MappingProxyType

from dreamd.lifecycle.findings import Assignment
from dreamd.lifecycle.quarantine import QUARANTINED, RELEASED
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.origin import is_ours
from dreamd.reflection.shape import inadmissible

NAMED_SCORE = 1.0
SCOPE_SCORE = 0.9  # a commit's scope is the author's word, but of a convention that is not always kept
MIN_FOUND_NAME_LENGTH = 3  # of a name that dreamd finds itself; a name that the event gives counts from 1 on
MIN_PATH_SHARE = 0.5  # of the files; must be exceeded

# Signs that make names differ (c++, c#, c*, r&d) although they are punctuation; + and $ are symbols anyway.
_KEPT_PUNCTUATION = frozenset("#%&*")
_SEPARATING_SYMBOLS = frozenset("<>=|~")
# Written with a hump inside, yet one word in every other spelling; listed in that spelling. Edit freely.
_ONE_WORD_NAMES = frozenset(
    [
        "DynamoDB",
        "FastAPI",
        "GitHub",
        "GitLab",
        "GraphQL",
        "JavaScript",
        "LaTeX",
        "MariaDB",
        "MongoDB",
        "MySQL",
        "NumPy",
        "OpenAI",
        "PostgreSQL",
        "PyPI",
        "PyTorch",
        "RabbitMQ",
        "SQLAlchemy",
        "SQLite",
        "TypeScript",
        "iOS",
        "macOS",
    ]
)
_WORD = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"(?<=[^\W\d_])(?=[^\W\d_])")

# `type(scope): text`, also inside `Revert "..."` and after `fixup!`.
_SCOPE = re.compile(r'\s*(?:(?:revert:?\s+"?|fixup!\s+|squash!\s+))*[a-z]+\(([^()\n]+)\)!?:', re.IGNORECASE)

# Folders that say how a repository is laid out, not what it is about; skipped at the front of a path.
_CONTAINERS = frozenset(
    [
        "app",
        "apps",
        "cmd",
        "components",
        "crates",
        "internal",
        "java",
        "kotlin",
        "lib",
        "libs",
        "main",
        "module",
        "modules",
        "package",
        "packages",
        "pkg",
        "pkgs",
        "python",
        "services",
        "source",
        "sources",
        "spec",
        "specs",
        "src",
        "test",
        "testing",
        "tests",
    ]
)
# Files that change along with anything: they have no vote.
_COMPANIONS = frozenset(
    [
        "bun_lock",
        "cargo_lock",
        "changelog",
        "changelog_md",
        "changes_md",
        "composer_lock",
        "gemfile_lock",
        "go_sum",
        "npm_shrinkwrap_json",
        "package_lock_json",
        "pnpm_lock_yaml",
        "poetry_lock",
        "uv_lock",
        "yarn_lock",
    ]
)
# Never a target when dreamd finds the name itself.
_STOP_NAMES = frozenset(
    [
        "common",
        "conftest",
        "data",
        "helper",
        "helpers",
        "index",
        "init",
        "license",
        "main",
        "misc",
        "mod",
        "new",
        "old",
        "package",
        "pyproject",
        "readme",
        "setup",
        "shared",
        "temp",
        "tmp",
        "tsconfig",
        "types",
        "util",
        "utils",
        "version",
    ]
)
_NO_SUSPECTS: Mapping[str, str] = MappingProxyType({})
_TEST_MARK = re.compile(r"^test_|_(?:test|spec)s?$")


@lru_cache(maxsize=8192)
def canonical_form(name: str) -> str:
    """The one form of every spelling of `name`: NFKC, case folded, humps and separators as a single `_`.

    Letters and digits are never split. A name of separators only gets a form made of its digest, so that only the empty
    name has an empty form. `canonical_form(canonical_form(n)) == canonical_form(n)`.
    """
    if not name:
        return ""
    plain = unicodedata.normalize("NFKC", _without_marks(name))
    folded = _folded(_WORD.sub(lambda word: _split_humps(word[0]), plain))
    form = "_".join("".join(" " if _separates(char) else char for char in folded).split())
    if form and not form.isspace():
        return form
    return f"sign_{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def assign(
    events: Sequence[Event],
    aliases: Mapping[str, str],
    suspects: Mapping[str, str] = _NO_SUSPECTS,
    released: Collection[str] = (),
) -> tuple[Assignment, ...]:
    """The target of each event, sorted by event id; `aliases` maps a canonical form to the target it stands for.

    Our own output is noise even when it names a target. Of several scopes (`fix(api,web): ...`) the first counts.
    `suspects` (event id -> reason) get no target; of what a person `released` from quarantine the rule says so.
    """
    return tuple(
        _suspected(event, suspects[event.id])
        if event.id in suspects
        else _assignment(event, aliases, is_released=event.id in released)
        for event in sorted(events, key=lambda event: event.id)
    )


def path_target(files: Iterable[str]) -> str | None:
    """The canonical target on which more than half of the files agree, by a fixed function of their paths."""
    found = _path_vote(files)
    return canonical_form(found[0]) if found else None


def resolve(form: str, aliases: Mapping[str, str]) -> str:
    """Where the aliases lead from a canonical form; a circle ends where it closes."""
    seen = {form}
    while (following := aliases.get(form)) is not None and following not in seen:
        seen.add(following)
        form = following
    return form


def _suspected(event: Event, reason: str) -> Assignment:
    return Assignment(event=event.id, target=None, title=None, rule=QUARANTINED, score=1.0, note=reason)


def _assignment(event: Event, aliases: Mapping[str, str], *, is_released: bool) -> Assignment:
    if is_ours(event):
        return Assignment(event=event.id, target=None, title=None, rule="noise", score=1.0)
    found = _found(event)
    if found is None:
        rule = "untargeted" if inadmissible(event.text, event.kind) is None else "noise"
        return Assignment(event=event.id, target=None, title=None, rule=rule, score=1.0 if rule == "noise" else 0.0)
    title, rule, score = found
    target = resolve(canonical_form(title), aliases)
    rule = RELEASED if is_released else rule
    return Assignment(event=event.id, target=target, title=title, rule=rule, score=score)


def _found(event: Event) -> tuple[str, str, float] | None:
    """Title, rule and score."""
    if event.target is not None and event.target.strip():
        return event.target.strip(), "named", NAMED_SCORE
    if event.kind is EventKind.COMMIT and (scope := _scope(event.text)) is not None:
        return scope, "scope", SCOPE_SCORE
    if event.files and (vote := _path_vote(event.files)) is not None:
        return vote[0], "path", vote[1]
    return None


def _scope(text: str) -> str | None:
    match = _SCOPE.match(text)
    if match is None:
        return None
    first = match[1].split(",")[0].strip()
    return first if any(char.isalnum() for char in first) else None  # `fix(*): ...` names nothing


def _path_vote(files: Iterable[str]) -> tuple[str, float] | None:
    """The title that most files agree on and the share that do; None without a clear majority."""
    names = [name for path in files if (name := _path_name(path)) is not None]
    forms = Counter(canonical_form(name) for name in names if name)
    if not forms:
        return None
    form, votes = forms.most_common(1)[0]
    if votes / len(names) <= MIN_PATH_SHARE or len(form) < MIN_FOUND_NAME_LENGTH or form in _STOP_NAMES:
        return None
    return min(name for name in names if canonical_form(name) == form), votes / len(names)


@lru_cache(maxsize=16384)
def _path_name(path: str) -> str | None:
    """The first telling component of `path`; "" if it has none; None for a companion, which has no vote."""
    *folders, file = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")] or [""]
    if canonical_form(file) in _COMPANIONS:
        return None
    for folder in folders:
        if canonical_form(folder) not in _CONTAINERS:
            return folder
    stem = file.lstrip(".").split(".")[0]
    return _TEST_MARK.sub("", stem)


def _without_marks(name: str) -> str:
    """Without invisible format characters, which no reader can see."""
    return name if name.isascii() else "".join(char for char in name if unicodedata.category(char) != "Cf")


def _folded(name: str) -> str:
    """Case folded and NFKC until neither changes anything: folding can denormalise, and the other way round."""
    while (folded := unicodedata.normalize("NFKC", _without_marks(name).casefold())) != name:
        name = folded
    return name


def _split_humps(word: str) -> str:
    """`authService` -> `auth_Service`, `HTTPServer` -> `HTTP_Server`; `PDFs` and `SQLite` stay."""
    if word in _ONE_WORD_NAMES or word.islower():
        return word
    return _HUMP.sub(lambda at: "_" if _is_hump(word, at.start()) else "", word)


def _is_hump(word: str, at: int) -> bool:
    if not _is_capital(word[at]):
        return False
    if word[at - 1].islower():
        return True
    # The last capital of a run begins the next word, unless only a plural `s` follows: HTTPServer, but PDFs.
    return _is_capital(word[at - 1]) and word[at + 1 : at + 3].islower() and len(word) > at + 2


def _is_capital(char: str) -> bool:
    return char.isupper() and char.casefold() != char  # Cherokee folds to capitals; those are no humps


def _separates(char: str) -> bool:
    if char.isalnum() or char in _KEPT_PUNCTUATION:
        return False
    category = unicodedata.category(char)
    return char in _SEPARATING_SYMBOLS or category == "Sk" or category[0] in "PZC"
