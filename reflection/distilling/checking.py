"""Whether an answer may be shown: its form, its lengths, the ids it names, and that it says nothing new.

An answer is refused whole, with one reason; nothing of it is repaired. What passes is text for a person beside the
statements: it says nothing that is not in those it cites, as far as words can be compared (novelty.py), and it is no
order to whoever reads it.
"""

import json
import re
import unicodedata
from dataclasses import dataclass

from dreamd.reflection.distilling.asking import Asked
from dreamd.reflection.distilling.novelty import novelty
from dreamd.reflection.instructions import instruction_like

TITLE_LENGTH = (3, 60)  # characters, from and to
DESCRIPTION_LENGTH = (10, 140)
SUMMARY_LENGTH = (20, 700)
KEYS = frozenset({"title", "description", "summary", "ids"})
QUOTED_LENGTH = 40  # characters of an answer that a reason may hold

_FENCED = re.compile(r"```(?:json)?\s*\n(?P<body>.*)\n\s*```", re.DOTALL)
_THOUGHT = re.compile(r"\s*<think>.*?</think>", re.DOTALL)  # what a reasoning model says to itself first
_NOT_TEXT = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})  # controls, invisible signs, line breaks, surrogates


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """An answer that may be shown."""

    title: str
    description: str
    summary: str
    ids: tuple[str, ...]  # of the statements that it was made from; sorted, at least one


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    reason: str  # a clause for a person, such as "the number 17 is in no statement that it cites"


def checked(answer: str, asked: Asked) -> Distilled | Refused:
    """`answer`, if it may stand beside the statements that were shown."""
    values = _values(answer)
    if isinstance(values, Refused):
        return values
    ids = _ids(values["ids"], asked)
    if isinstance(ids, Refused):
        return ids
    texts: dict[str, str] = {}
    for key, bounds in (("title", TITLE_LENGTH), ("description", DESCRIPTION_LENGTH), ("summary", SUMMARY_LENGTH)):
        text = values[key]
        reason = _form(key, text, bounds)
        if reason is not None:
            return Refused(reason=reason)
        texts[key] = str(text).strip()
    cited = [asked.statements[id_] for id_ in ids]
    for key, text in texts.items():
        reason = novelty(text, (asked.title, *cited), is_whole=key != "title") or _order(text)
        if reason is not None:
            return Refused(reason=f"{key}: {reason}")
    return Distilled(title=texts["title"], description=texts["description"], summary=texts["summary"], ids=ids)


def _values(answer: str) -> dict[str, object] | Refused:
    """The JSON object that the answer is, alone or in a fence."""
    body = _THOUGHT.sub("", answer, count=1).strip()
    fenced = _FENCED.fullmatch(body)
    try:
        values = json.loads(fenced["body"] if fenced else body)
    except (ValueError, RecursionError):
        return Refused(reason="it is not JSON")
    if not isinstance(values, dict):
        return Refused(reason="it is no JSON object")
    if values.keys() != KEYS:
        missing, extra = sorted(KEYS - values.keys()), sorted(values.keys() - KEYS)
        said = [f"without {', '.join(missing)}"] if missing else []
        said += [f"with {_quoted(', '.join(extra))}"] if extra else []
        return Refused(reason=f"its JSON is {' and '.join(said)}")
    return values


def _ids(given: object, asked: Asked) -> tuple[str, ...] | Refused:
    if not isinstance(given, list) or not given or not all(isinstance(each, str) for each in given):
        return Refused(reason="ids is no list of the statements that it was made from")
    unknown = sorted({each for each in given if each not in asked.statements})
    if unknown:
        return Refused(reason=f"it names {_quoted(unknown[0])}, an id that was not shown")
    return tuple(sorted(set(given)))


def _form(key: str, text: object, bounds: tuple[int, int]) -> str | None:
    """Why `text` is no single plain paragraph within `bounds`; None if it is one."""
    if not isinstance(text, str):
        return f"{key} is no text"
    stripped = text.strip()
    if not bounds[0] <= len(stripped) <= bounds[1]:
        return f"{key} has {len(stripped)} characters; allowed are {bounds[0]} to {bounds[1]}"
    if any(unicodedata.category(character) in _NOT_TEXT for character in stripped):
        return f"{key} holds a line break or a sign that cannot be seen"
    return None


def _order(text: str) -> str | None:
    reason = instruction_like(text)
    return None if reason is None else f"it reads like an order to an agent ({reason})"


def _quoted(text: str) -> str:
    """A piece of the answer as it may stand in a report."""
    plain = "".join(character if character.isprintable() else "?" for character in text)
    return f"“{plain[:QUOTED_LENGTH]}”"
