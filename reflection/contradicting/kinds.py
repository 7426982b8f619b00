"""A move from one thing to another of its kind, in many languages: "migrated to MySQL" after "the stack is Postgres".

Names of products are the same in every language, and a small table says which of them take each other's place. What
was used and what was moved to are told apart by a few words in a dozen languages; in any other language a move is not
seen. Nothing is ended by that: a target may well use two of a kind, so it is a question.
"""

import re
from functools import lru_cache

from dreamd.reflection.contradicting.registry import Registry

MAX_ASKED = 3  # statements that one move asks about, the latest

_MOVES = re.compile(
    r"migrat|migrier|migré|migrad|мигрир|\bswitch(?:ed|ing)?\b|\bmov(?:e|ed|ing)\b(?=.*\bto\b)|\breplac"
    r"|\bchanged? (?:over )?to\b|umgestellt|umgestiegen|wechsel|\bpass(?:é|ons|er)\b|remplac|bascul|cambi(?:ad|ó|amos)"
    r"|reemplaz|substitu|mudamos|passat[io]\b|overgestapt|перешл|перех|переезд|переключ|замен|przesz|przenie"
    r"|迁移|迁到|遷移|切换|切換|改用|改成|换成|換成|换到|换用|替换|移行|乗り換|切り替|置き換|이전|전환|교체|마이그레이션",
    re.IGNORECASE,
)
_USES = re.compile(
    r"\bus(?:e|es|ed|ing|a|amos|ando|iamo)\b|\bstack\b|\bruns? on\b|\bbased on\b|\bbuilt on\b|\bstored? in\b"
    r"|\bnutz|verwend|\bsetzen auf\b|utilis|utiliz|emple|gebruik|использ|работает на|używ"
    r"|使用|采用|採用|用的是|用了|技术栈|技術棧|基于|基於|スタック|使って|使い|利用|採っ|사용|기반|스택",
    re.IGNORECASE,
)


def used_thing(text: str, registry: Registry) -> tuple[str, str] | None:
    """(kind, member) if `text` says that one thing of a kind is in use, or was moved to; None otherwise."""
    if not _may_name(text, registry):
        return None
    moved = moved_to(text, registry)
    if moved is not None:
        return moved
    if _USES.search(text) is None:
        return None
    named = _named(text, registry)
    return named[0][:2] if len({name[:2] for name in named}) == 1 else None


def moved_to(text: str, registry: Registry) -> tuple[str, str] | None:
    """(kind, member) if `text` says that something was moved to it; None otherwise."""
    move = _MOVES.search(text) if _may_name(text, registry) else None
    if move is None:
        return None
    named = _named(text, registry)
    if len({kind for kind, _, _ in named}) != 1:
        return None
    after = [name for name in named if name[2] >= move.start()]
    # "从 A 迁移到 B", "migrated from A to B": the last one after the verb, else, as in Japanese, the last before it.
    return (after or named)[-1][:2] if len(named) <= 2 else None  # noqa: PLR2004 - from one to another


def _may_name(text: str, registry: Registry) -> bool:
    """Whether a member may be named: looked for first, since most texts name none."""
    lowered = text.lower()
    return any(name in lowered for name in _members(registry)[1])


def _named(text: str, registry: Registry) -> list[tuple[str, str, int]]:
    """The members that `text` names, with kind and place, in its order."""
    pattern, of = _members(registry)
    if pattern is None:
        return []
    found = ((match[0].casefold(), match.start()) for match in pattern.finditer(text))
    return [(*of[name], place) for name, place in found]


@lru_cache(maxsize=8)
def _members(registry: Registry) -> tuple[re.Pattern[str] | None, dict[str, tuple[str, str]]]:
    of = {member.casefold(): (kind.name, member) for kind in registry.kinds for member in kind.members}
    if not of:
        return None, of
    longest_first = sorted(of, key=lambda name: (-len(name), name))
    # No ASCII letter or digit beside it; a sign of another script may touch it.
    edges = r"(?<![A-Za-z0-9_./-])(?:{})(?![A-Za-z0-9_/-])"
    return re.compile(edges.format("|".join(map(re.escape, longest_first))), re.IGNORECASE), of
