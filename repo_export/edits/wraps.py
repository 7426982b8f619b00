"""The body of a file as its lines, with what is wrapped joined, and without what stands between conflict markers.

A bullet or numbered item goes on with the words below it, as `ingest markdown` reads it. Below an entry that ends with
brackets only indented words do: whoever writes at the end of a page begins anew.
"""

import re
from dataclasses import replace

from dreamd.repo_export.document import BLANK, Line, Words, parse_document
from dreamd.repo_export.index import SENTINEL_START
from dreamd.repo_export.markdown import Entry, lines_outside_fences, parse_entry, unescape_text
from dreamd.repo_export.note import Kind, parse_note

_NUMBER = re.compile(r"[ \t]*\d{1,9}[.)][ \t]+(?=\S)")
_BEGINS, _ENDS = re.compile(r"<{7}(?: .*)?"), re.compile(r">{7}(?: .*)?")


def lines_of_body(body: str) -> list[tuple[Line, str]]:
    """Each line of `body` with how it stands there; of one that is wrapped, that has several lines."""
    if not body:
        return []
    content = f"\n{body}".encode("utf-8", errors="replace")
    raws = body.removesuffix("\n").split("\n")
    found: list[tuple[Line, str]] = []
    goes_on = False
    for line, note, raw in zip(parse_document(content).lines[1:], parse_note(content).lines[1:], raws, strict=False):
        is_words = note.kind is Kind.WORDS and isinstance(line, Words) and not raw.startswith(SENTINEL_START)
        head = found[-1][0] if found else BLANK
        if goes_on and is_words and isinstance(head, Entry) and (raw[:1].isspace() or not head.metadata):
            found[-1] = (_joined(head, found[-1][1], raw), f"{found[-1][1]}\n{raw}")
            continue
        item = _item(raw) if note.kind is Kind.NUMBERED and isinstance(line, Words) else None
        found.append((item or line, raw))
        goes_on = isinstance(found[-1][0], Entry)
    return found


def is_numbered(raw: str) -> bool:
    return _NUMBER.match(raw) is not None


def without_conflicts(text: str) -> tuple[str, bool]:
    """`text` without the lines from one conflict marker to the last of its conflict; whether there were any."""
    lines = text.split("\n")
    had = False
    while (span := _conflict(lines)) is not None:
        lines[span[0] : span[1]] = []
        had = True
    return "\n".join(lines), had


def _conflict(lines: list[str]) -> tuple[int, int] | None:
    begins = (number - 1 for number, line in lines_outside_fences("\n".join(lines)) if _BEGINS.fullmatch(line))
    for start in begins:
        for end in range(start + 1, len(lines)):
            if _ENDS.fullmatch(lines[end]):
                return start, end + 1
    return None


def _item(raw: str) -> Entry | None:
    """A numbered item as the entry that it would be with a bullet."""
    return parse_entry(f"- {_NUMBER.sub('', raw, count=1)}") if is_numbered(raw) else None


def _joined(head: Entry, before: str, raw: str) -> Entry:
    if head.metadata:
        return replace(head, text=f"{head.text} {unescape_text(raw.strip())}")
    first, *rest = f"{before}\n{raw}".split("\n")
    bullet = f"- {_NUMBER.sub('', first, count=1)}" if is_numbered(first) else first
    return parse_entry(" ".join([bullet.rstrip(), *(line.strip() for line in rest)])) or head
