"""Secrets are hidden before anything is stored: `[redacted:kind:tag]` stands where one was (design, section 10).

The tag is keyed by the home's key file, so equal secrets stay recognisable and nobody can try out passwords on it. What
only mentions a secret stays: "No API key in the build", a variable's name, a placeholder, a commit's hash. Plain text
pays for one look per anchor; a pattern runs only where one of its anchors is. Redacting twice changes nothing.
"""

import re
from dataclasses import dataclass

from dreamd.daemon.home import keyed_tag
from dreamd.daemon.intake.secret_contexts import CONTEXT_SHAPES, SENSITIVE_KEY
from dreamd.daemon.intake.secret_shapes import TOKEN_SHAPES, Shape

SHAPES: tuple[Shape, ...] = TOKEN_SHAPES + CONTEXT_SHAPES
MARK = "[redacted:"
MAX_ROUNDS = 4  # a redaction may lay bare the edge of another secret; a third round never found one

_MARKED = re.compile(r"(\[redacted:[a-z0-9-]+:[0-9a-f]{4}\])")


def _shapes_by_anchor(*, is_cased: bool) -> tuple[tuple[str, tuple[int, ...]], ...]:
    anchors = sorted({anchor for shape in SHAPES if shape.is_cased == is_cased for anchor in shape.anchors})
    return tuple((anchor, tuple(n for n, shape in enumerate(SHAPES) if anchor in shape.anchors)) for anchor in anchors)


_CASED_ANCHORS = _shapes_by_anchor(is_cased=True)
_FOLDED_ANCHORS = _shapes_by_anchor(is_cased=False)


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
            wanted = _wanted_shapes(text)
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
                return {self.redact(key): self.redact_field(key, item) for key, item in value.items()}
            case _:
                return value

    def _one_round(self, text: str, wanted: list[int]) -> tuple[str, int]:
        hidden = 0
        for number in wanted:
            shape = SHAPES[number]
            pieces = _MARKED.split(text) if MARK in text else [text]
            for place in range(0, len(pieces), 2):  # the odd ones are marks
                pieces[place], found = self._hide(pieces[place], shape)
                hidden += found
            text = "".join(pieces)
        return text, hidden

    def _hide(self, text: str, shape: Shape) -> tuple[str, int]:
        parts: list[str] = []
        end = 0
        for match in shape.pattern.finditer(text):
            if shape.judge is not None and not shape.judge(match):
                continue
            start, stop = match.span("secret") if "secret" in shape.pattern.groupindex else match.span()
            parts += (text[end:start], self._mark(shape.kind, text[start:stop].strip("\"'")))
            end = stop
        if not parts:
            return text, 0
        return "".join(parts) + text[end:], len(parts) // 2

    def _mark(self, kind: str, secret: str) -> str:
        return f"{MARK}{kind}:{keyed_tag(self.key, secret)}]"


def may_hold_a_secret(text: str) -> bool:
    """Whether some anchor is in `text`; if not, redacting it or any part of it changes nothing."""
    folded = text.lower()
    return any(anchor in text for anchor, _ in _CASED_ANCHORS) or any(anchor in folded for anchor, _ in _FOLDED_ANCHORS)


def _wanted_shapes(text: str) -> list[int]:
    folded = text.lower()
    wanted = {n for anchor, shapes in _CASED_ANCHORS if anchor in text for n in shapes}
    wanted.update(n for anchor, shapes in _FOLDED_ANCHORS if anchor in folded for n in shapes)
    return sorted(wanted)
