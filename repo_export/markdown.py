r"""Text that people and agents wrote, as one inert line of Markdown, and the entries of the open memory format.

A stored text may hold anything: headings, HTML, links, fences, `@file` imports, invisible characters. In a file it
shows as what it is and does nothing. Only what Markdown would act on gets a backslash, so that plain sentences stay
plain; invisible characters show as `\u{202E}`, a line break as ` ⏎ `. `unescape_text` gives back the same text. An
entry is one bullet on one line with `[key: value; key: value]` at its end; in a value, what could act or end it is
percent-encoded.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

# Explicit ranges, not the categories of `unicodedata`, which change with the Python that runs, and the bytes with them.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f"
    "\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U00013430-\U0001345f\U00016fe4\U0001d159\U000e0000-\U000e0fff"
)
LINE_BREAK = " ⏎ "
LAST_CODE_POINT = 0x10FFFF
_VISIBLE = re.compile(f"[{_HIDDEN}⏎]")
UNSEEN = re.compile(f"[{_HIDDEN}]")  # what cannot be seen, or steers a terminal
# Emoji and signs that have a picture; without ⏎ and the blank of Braille, which are shown as escapes.
_PICTURE = re.compile("[©®‼⁉™ℹ〰〽㊗㊙\u2190-\u23cd\u23cf-\u27ff\u2900-\u2bff\U0001f000-\U0001faff]")

_PUNCTUATION = re.escape("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# Of all white space only a space and a line break (shown as ` ⏎ `) still are some beside what they stood by.
_ACTIVE = re.compile(
    r"(?P<escape>"
    rf"\\(?=[{_PUNCTUATION}{_HIDDEN}⏎]|u\{{|\Z)"  # would escape what follows
    r"|^[>#=]|^[-+](?=\s|$)|^-(?=--)"  # quote, heading, underline, list, rule
    r"|(?<=\s)#(?!\d+(?:[\s.,;:!?)'\"]|$))"  # closes a heading, makes a tag
    r"|\[|`|(?<![ \n])\*|\*(?![ \n])"  # links, images, references, metadata; code; emphasis
    r"|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])"  # emphasis, but not inside a name
    r"|(?<![ \n])(?<!^)~|~(?![/0-9])"  # struck out, fences
    r"|<(?![\s\d=])|&(?=#?[0-9A-Za-z]+;)|%(?=%)|(?<=%)%"  # HTML, entities, hidden comments
    r"|(?<![0-9A-Za-z])@"  # imports of files
    r"|:(?=//)|(?<=[Ww][Ww][Ww])\."  # bare addresses, which some readers make links of
    r"|\$(?![0-9])"  # mathematics: what opens it may stay, such as $5, as long as nothing can close it
    r"|\^(?=[0-9A-Za-z-]+$)"  # the name of a block, which hides
    r")|^(?P<number>\d{1,9})(?=[.)](?:\s|$))"  # numbered list
)
# What most texts are: words in which nothing is active. It finds no more than `_ACTIVE` and is several times as fast.
_HARMLESS = re.compile(
    r"""[A-Za-z](?:[A-Za-z0-9 ,;'"()?!/=-]++|(?<![Ww])\.|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*+(?<! )"""
)
_ESCAPED = re.compile(rf"\\u\{{([0-9A-F]{{1,6}})\}}|\\([{_PUNCTUATION}])|( ⏎ )")
_ENCODED_IN_VALUE = re.compile(
    rf"[;\[\]%<>`*~\\&${_HIDDEN}]|(?<![0-9A-Za-z])[_@]|_(?![0-9A-Za-z])|^\s+|\s+$|^#|(?<=\s)#"
    r"|:(?=//)|(?<=[Ww][Ww][Ww])\."
)

_BULLET = re.compile(r"(?P<indent> *)[-*+] (?P<body>.*)")
_LEADING_LINK = re.compile(r"\[\[(?P<path>[^\[\]|]+)\]\](?: |$)")
_KEY = re.compile(r"[^\s:;\[\]]+")
_LINK = re.compile(r"(?<![\\!])\[\[([^\[\]]+)\]\]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    text: str  # as it was said, not escaped; may be empty if there is a link
    metadata: tuple[tuple[str, str], ...] = ()  # in order; a key may come more than once
    link: str | None = None  # a path from the root without `.md`, shown before the text
    depth: int = 0  # 0 at the margin; 1 under another entry


def value_of(entry: Entry, key: str) -> str | None:
    """The first value of `key`, or None."""
    return next((value for name, value in entry.metadata if name == key), None)


def visible(text: str) -> str:
    r"""`text` on one line: line breaks as ` ⏎ `, what cannot be seen as `\u{202E}`. For YAML, terminals and commits."""
    return _VISIBLE.sub(_shown, text.strip())


def seen(line: str) -> str:
    """`line` with what cannot be seen as in `visible`, and all else as it is: for what may be made visible already."""
    return line if line.isascii() and line.isprintable() else UNSEEN.sub(_shown, line)


def escape_text(text: str) -> str:
    """`text` as one line of Markdown that shows the same words and does nothing."""
    if _HARMLESS.fullmatch(text):
        return text
    lead, middle, trail = _parts(text)
    # First what Markdown acts on, then what cannot be seen: the backslash of `\u{...}` must not be escaped again.
    escaped = _ACTIVE.sub(_backslashed, middle)
    if not (escaped.isascii() and escaped.isprintable()):
        escaped = _VISIBLE.sub(_shown, escaped)
    return _all_shown(lead) + escaped + _all_shown(trail)


def unescape_text(line: str) -> str:
    """The text that `escape_text` made `line` from."""
    return _ESCAPED.sub(_unescaped, line)


def shorten(text: str, max_length: int) -> str:
    """`text` on one line with at most `max_length` characters, cut between words and then ending in `…`."""
    words = " ".join(text.split())
    if len(words) <= max_length:
        return words
    cut = words[:max_length]
    head = cut[: cut.rfind(" ")] if " " in cut[max_length // 2 :] else cut[:-1]
    return head.rstrip(" ,;:.-") + "…"


def render_entry(entry: Entry) -> str:
    """One line, without the line break. A key that comes again opens a new group of brackets."""
    parts = [f"[[{entry.link}]]"] if entry.link is not None else []
    if entry.text:
        parts.append(escape_text(entry.text))
    group: dict[str, str] = {}
    for key, value in entry.metadata:
        if key in group:
            parts.append(_brackets(group))
            group = {}
        group[key] = value
    if group:
        parts.append(_brackets(group))
    return "  " * entry.depth + "- " + " ".join(parts)


def _brackets(group: Mapping[str, str]) -> str:
    return "[" + "; ".join([f"{key}: {encode_value(value)}" for key, value in group.items()]) + "]"


def parse_entry(line: str) -> Entry | None:
    """The entry on `line`, or None if it is no bullet.

    Brackets are metadata only at the end of the line and only if each part between `;` is `key: value`: `[TODO]`, a
    leading `[decision]`, `[[a link]]` and `[text](url)` are text.
    """
    bullet = _BULLET.fullmatch(line.removeprefix("\ufeff").rstrip("\r\n"))
    if bullet is None:
        return None
    body = bullet["body"].strip(" ")
    groups: list[tuple[tuple[str, str], ...]] = []
    while (
        body.endswith("]") and (start := _start_of_group(body)) is not None and (pairs := _pairs(body[start + 1 : -1]))
    ):
        groups.append(pairs)
        body = body[:start].rstrip(" ")
    link = _LEADING_LINK.match(body)
    return Entry(
        text=unescape_text(body[link.end() :] if link else body),
        metadata=tuple(pair for group in reversed(groups) for pair in group),
        link=link["path"] if link else None,
        depth=len(bullet["indent"]) // 2,
    )


def _start_of_group(body: str) -> int | None:
    """Where the brackets begin that end `body`; None if they are part of a word, or hold brackets."""
    start = body.rfind("[")
    is_apart = start == 0 or (start > 0 and (body[start - 1].isspace() or body[start - 1] == "]"))
    return start if is_apart and "]" not in body[start:-1] else None


def encode_value(value: str) -> str:
    if value.isalnum() and value.isascii():  # a number, a word, a day: most values
        return value
    return _ENCODED_IN_VALUE.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace")), value
    )


def decode_value(value: str) -> str:
    return unquote(value, errors="replace") if "%" in value else value


def command_line(*words: str, **options: str) -> str:
    """A `dreamd` command as a person types it, quoted for the shell."""
    quoted = [shlex.quote(word) for word in words]
    for name, value in options.items():
        # One word: a value that begins with `-` would else be taken for an option.
        joint = " " if re.fullmatch(r"[0-9A-Za-z][\w.:-]*", value, re.ASCII) else "="
        quoted.append(f"--{name}{joint}{shlex.quote(value)}")
    return " ".join(("dreamd", *quoted))


def command(*words: str, **options: str) -> str:
    """A command in Markdown: code where its words are plain, else escaped text."""
    line = command_line(*words, **options)
    return f"`{line}`" if re.fullmatch(r"[^`\\]+", line) and not _VISIBLE.search(line) else escape_text(line)


def links_in(line: str) -> tuple[str, ...]:
    """The targets of the `[[links]]` on a line."""
    return tuple(target.split("|")[0] for target in _LINK.findall(line))


def lines_outside_fences(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not in a fenced block, with their numbers from 1."""
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        found = _FENCE.match(line)
        if fence:
            if found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            continue
        if found:
            fence = found[1]
            continue
        yield number, line


def _parts(text: str) -> tuple[str, str, str]:
    """White space before, what is between, white space after; Markdown drops the outer two or takes them for code."""
    middle = text.strip()
    start = text.find(middle) if middle else len(text)
    return text[:start], middle, text[start + len(middle) :]


def _all_shown(space: str) -> str:
    return "".join(f"\\u{{{ord(character):X}}}" for character in space)


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    if character == "\n":
        return LINE_BREAK
    if character in "\ufe0f\u200d" and _belongs_to_emoji(found.string, found.start()):
        return character
    return f"\\u{{{ord(character):X}}}"


def _belongs_to_emoji(text: str, at: int) -> bool:
    """Whether the selector or joiner at `at` is part of a picture that is seen: ❤\ufe0f, 👩\u200d💻, 1\ufe0f\u20e3."""
    before, after = text[max(at - 2, 0) : at], text[at + 1 : at + 2]
    if text[at] == "\ufe0f":
        return _PICTURE.fullmatch(before[-1:]) is not None or after == "\u20e3"
    return _PICTURE.fullmatch(before.removesuffix("\ufe0f")[-1:]) is not None and _PICTURE.fullmatch(after) is not None


def _backslashed(found: re.Match[str]) -> str:
    return f"{found['number']}\\" if found["number"] else f"\\{found['escape']}"


def _unescaped(found: re.Match[str]) -> str:
    code, punctuation, line_break = found.groups()
    if line_break:
        return "\n"
    if punctuation:
        return str(punctuation)
    number = int(code, 16)
    return chr(number) if number <= LAST_CODE_POINT else found[0]


def _pairs(group: str) -> tuple[tuple[str, str], ...]:
    """The pairs between brackets; empty if any part is not `key: value`."""
    pairs = []
    for part in group.split(";"):
        key, colon, value = part.strip().partition(":")
        if not colon or _KEY.fullmatch(key) is None:
            return ()
        pairs.append((key, decode_value(value.strip())))
    return tuple(pairs)
