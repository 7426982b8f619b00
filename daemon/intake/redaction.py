"""Secrets are hidden before anything is stored: `[redacted:kind:tag]` stands where one was (design, section 10).

The tag is keyed by the home's key file, so equal secrets stay recognisable and nobody can try out passwords on it. What
only mentions a secret stays: "No API key in the build", a variable's name, a placeholder, a commit's hash. Plain text
pays for one look per anchor; a pattern runs only where one of its anchors is. Redacting twice changes nothing.
"""

import re
from dataclasses import dataclass

from dreamd.daemon.home import keyed_tag
from dreamd.daemon.intake.secret_commands import COMMAND_SHAPES
from dreamd.daemon.intake.secret_contexts import CONTEXT_SHAPES, SENSITIVE_KEY, STRONG_KEY
from dreamd.daemon.intake.secret_shape import Shape
from dreamd.daemon.intake.secret_shapes import MIN_TOKEN, TOKEN_SHAPES
from dreamd.daemon.intake.secret_values import trimmed

SURROUNDED_SHAPES: tuple[Shape, ...] = CONTEXT_SHAPES + COMMAND_SHAPES
SHAPES: tuple[Shape, ...] = TOKEN_SHAPES + SURROUNDED_SHAPES
MARK = "[redacted:"
MAX_ROUNDS = 8  # a redaction may lay bare the edge of another secret; a fourth round never found one

_MARKED = re.compile(r"(\[redacted:[a-z0-9-]+:[0-9a-f]{4}\])")


Anchors = tuple[tuple[str, tuple[int, ...]], ...]  # an anchor, and the shapes it calls for, by their place in SHAPES

_FIRST_CONTEXT = len(TOKEN_SHAPES)
_LONG_RUN = re.compile(r"[A-Za-z0-9_~.-]{16}|\$").search
_DIGIT = re.compile("[0-9]").search
MIN_WORD = 8  # no shape asks for a shorter word
_NAMING = ("name", "key")  # beside a value, as in the environment of a container
_SURELY = 1_000  # more than any shape asks for: behind = a value may have no digit
_HEX = "0123456789abcdef"


def _by_anchor(first: int, shapes: tuple[Shape, ...]) -> Anchors:
    anchors = sorted({anchor for shape in shapes for anchor in shape.anchors})
    return tuple(
        (anchor, tuple(first + number for number, shape in enumerate(shapes) if anchor in shape.anchors))
        for anchor in anchors
    )


def _by_sign(anchors: Anchors) -> tuple[tuple[str, Anchors], ...]:
    """The anchors below the first sign in them (none: an empty text): without it they need no look."""
    signs = {anchor: next((letter for letter in anchor if letter in ':=./-@*"'), "") for anchor, _ in anchors}
    signs |= {anchor: anchor for anchor in signs if not anchor.isascii()}
    return tuple(
        (sign, tuple(each for each in anchors if signs[each[0]] == sign)) for sign in sorted({*signs.values()})
    )


_TOKEN_ANCHORS = _by_anchor(0, TOKEN_SHAPES)
_CONTEXT_ANCHORS = _by_sign(_by_anchor(_FIRST_CONTEXT, SURROUNDED_SHAPES))


@dataclass(frozen=True, slots=True)
class Redactor:
    """Hides secrets; `key` is what the tags are keyed by."""

    key: bytes

    def redact(self, text: str) -> str:
        """`text` with a mark in the place of each secret."""
        return self.redact_with_count(text)[0]

    def redact_with_count(self, text: str) -> tuple[str, int]:
        """`text` with a mark in the place of each secret, and how many were hidden in it now."""
        count = 0
        for _ in range(MAX_ROUNDS):
            wanted = _wanted(text)
            if not wanted:
                break
            text, hidden = self._one_round(text, wanted)
            count += hidden
            if not hidden:
                break
        return text, count

    def redact_field(self, name: str, value: object) -> object:
        """A JSON value, found under `name`, with its texts redacted; whole texts where `name` says it is a secret."""
        match value:
            case str():
                redacted = self.redact(value)
                is_secret = redacted == value and bool(value) and SENSITIVE_KEY.fullmatch(name) is not None
                return self._mark("secret", value) if is_secret and MARK not in value else redacted
            case list():
                return [self.redact_field(name, item) for item in value]
            case dict():
                named = next((value[key] for key in _NAMING if isinstance(value.get(key), str)), "")
                return {
                    self.redact(key): self.redact_field(str(named) if key == "value" and named else key, item)
                    for key, item in value.items()
                }
            case int() if not isinstance(value, bool) and STRONG_KEY.fullmatch(name):
                return self._mark("secret", str(value))
            case _:
                return value

    def _one_round(self, text: str, wanted: list[int]) -> tuple[str, int]:
        hidden = 0
        for number in wanted:
            shape = SHAPES[number]
            pieces = _MARKED.split(text) if MARK in text else [text]
            found = 0
            for place in range(0, len(pieces), 2):  # the odd ones are marks
                pieces[place], count = self._hide(pieces[place], shape, is_folded=number >= _FIRST_CONTEXT)
                found += count
            if found:
                text = "".join(pieces)
                hidden += found
        return text, hidden

    def _hide(self, text: str, shape: Shape, *, is_folded: bool) -> tuple[str, int]:
        searched = _folded(text) if is_folded else text
        parts: list[str] = []
        end = start = 0
        while found := shape.pattern.search(searched, start):
            span = _place(shape, text, found)
            if span is None or span[0] < end:
                start = found.start() + 1
                continue
            parts += (text[end : span[0]], self._mark(shape.kind, text[span[0] : span[1]]))
            end = span[1]
            start = max(found.start() + 1, end)
        if not parts:
            return text, 0
        return "".join(parts) + text[end:], len(parts) // 2

    def _mark(self, kind: str, secret: str) -> str:
        return f"{MARK}{kind}:{keyed_tag(self.key, secret)}]"


def may_hold_a_secret(text: str) -> bool:
    """Whether some anchor is in `text`; if not, redacting it or any part of it changes nothing."""
    return bool(_wanted(text))


def _place(shape: Shape, text: str, found: re.Match[str]) -> tuple[int, int] | None:
    """Where in `text` the secret of a match in its folded twin is."""
    if shape.place is not None:
        return shape.place(text, found)
    return trimmed(text, *found.span("secret" if "secret" in shape.pattern.groupindex else 0))


def _folded(text: str) -> str:
    """`text` in lower case, each character at its place."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(lower if len(lower := character.lower()) == 1 else character for character in text)


def _wanted(text: str) -> list[int]:
    """The shapes that an anchor in `text` calls for, in their order."""
    folded = _folded(text)
    wanted = [
        number
        for sign, anchors in _CONTEXT_ANCHORS
        if sign in folded
        for anchor, numbers in anchors
        if anchor in folded
        for number in numbers
    ]
    words = [word for word in text.split() if len(word) >= MIN_WORD]
    if wanted:
        longest = _SURELY if "=" in folded else max([len(word) for word in words if _DIGIT(word)], default=0)
        wanted = [number for number in sorted({*wanted}) if _also_there(SHAPES[number], folded, longest)]
    runs = [word for word in words if len(word) >= MIN_TOKEN and _LONG_RUN(word) and word.strip(_HEX)]
    if runs:
        together = "\n".join(runs)
        tokens = {number for anchor, numbers in _TOKEN_ANCHORS if anchor in together for number in numbers}
        wanted = [*sorted(tokens), *wanted]
    return wanted


def _also_there(shape: Shape, folded: str, longest: int) -> bool:
    return longest >= shape.least_word and (not shape.also or any(sign in folded for sign in shape.also))
