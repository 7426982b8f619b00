"""Whether the files of a memory repository do nothing but say: what readers make of them, apart from our own parser.

A reader is CommonMark with GitHub's tables and strikethrough (markdown-it), and by pattern what it does not know: bare
addresses, mathematics, Obsidian's comments, tags and blocks, and Claude Code's imports.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from dreamd.repo_export.document import parse_document, render_document

OWN_HEADINGS = frozenset(
    ("Index", "Watching", "Superseded", "Retracted", "Related", "Faded", "Changes by stream", "Events without a stream")
    + ("What nearly changed", "Waiting for your answer", "Problems", "Room in MEMORY.md", "Files that wait for you")
    + (
        "Gone quiet",
        "Edited by people",
        "No longer true",
        "Merged",
        "Learnt",
        "Matured",
        "In quarantine",
        "Not sure of",
    )
    + ("Held back by a revert", "Policy changed", "Back and forth", "By stream, from first to last", "The dreams")
    + ("How to undo", "Made with", "Summary by a model", "Asked of a model", "Says the same", "Alike, but kept apart")
)
OWN_CODE = re.compile(r"dreamd [a-z]+( .*)?")
READER = MarkdownIt("gfm-like", {"linkify": False})
READER.core.ruler.disable("text_join")  # an escaped character stays a token of its own, as GitHub's reader sees it
BLOCKS = frozenset({"heading", "paragraph", "inline", "bullet_list", "list_item"})
# What an extension of some reader acts on, in a piece of text that holds no escaped character.
ACTS = re.compile(
    r"(?:https?|ftp)://\S"  # linked by GitHub
    r"|\bwww\.\S"
    r"|(?:^|(?<=[\s(]))@\S"  # imported by Claude Code
    r"|%%|(?:^|(?<=\s))#(?=\w*[^\W\d])"  # hidden, tagged by Obsidian
    r"|\[\[|\[\^|\$\$|\$(?=\S)[^$]*\S\$(?!\d)"  # linked by Obsidian, a footnote, mathematics
    r"|(?:^|(?<=\s))\^[0-9A-Za-z-]+$",  # a block of Obsidian
)
OWN_LINK = re.compile(r"^\[\[([a-z0-9/-]+(?:INDEX)?)\]\]", re.MULTILINE)
VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0000-\U000e0fff"
    + "".join(
        re.escape(char)
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs") and char not in VISIBLE_FORMATS | {"\n"}
    )
    + "]"
)
JOINER, EMOJI_STYLE = "\u200d", "\ufe0f"


def problems_in(files: Mapping[str, bytes]) -> Iterator[str]:
    """What in `files` (content by path) is not inert, not visible or does not come back, each with its path."""
    for path, content in files.items():
        if path.endswith(".md"):
            yield from (f"{path}: {problem}" for problem in _problems_of_markdown(path, content, files))


def files_of(repository: Path) -> dict[str, bytes]:
    """The files of a memory repository, without `.git`."""
    paths = (
        path for path in repository.rglob("*") if path.is_file() and ".git" not in path.relative_to(repository).parts
    )
    return {path.relative_to(repository).as_posix(): path.read_bytes() for path in paths}


def _problems_of_markdown(path: str, content: bytes, files: Mapping[str, bytes]) -> Iterator[str]:
    text = content.decode("utf-8")
    yield from (f"shows nothing for U+{ord(char):04X} in {text[at - 20 : at + 20]!a}" for at, char in unseen(text))
    if not path.startswith("reports/"):
        document = parse_document(content)
        if render_document(document) != content:
            yield "reading and rendering it gives other bytes"
        if parse_document(render_document(document)) != document:
            yield "reading, rendering and reading it gives other values"
    body = text
    if not path.startswith("reports/") and text.startswith("---\n"):
        block, _, body = text.removeprefix("---\n").partition("\n---\n")
        values = yaml.safe_load(block)
        if sorted(values) != sorted(set(values) & FRONT_KEYS):
            yield f"front matter has {sorted(values)}"
        if found := re.search(r"(?:^|\s)@\S", block):
            yield f"front matter imports {found[0]!a}"
    yield from _problems_of_tree(body, files)


FRONT_KEYS = frozenset(("name", "title", "description", "type", "permalink", "tags", "created", "modified", "metadata"))


def unseen(text: str) -> Iterator[tuple[int, str]]:
    """What in `text` cannot be seen or steers a terminal, with its place; line breaks and parts of emoji aside."""
    for found in UNSEEN.finditer(text):
        if not (found[0] in (JOINER, EMOJI_STYLE) and _is_in_picture(text, found.start())):
            yield found.start(), found[0]


def _is_in_picture(text: str, at: int) -> bool:
    if text[at] == EMOJI_STYLE:
        return _is_picture(text[at - 1]) or text[at + 1] == "\u20e3"
    return _is_picture(text[at - 1]) and _is_picture(text[at + 1])


def _is_picture(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk", "Sm") or char in "‼⁉〰" or char == EMOJI_STYLE


def _problems_of_tree(body: str, files: Mapping[str, bytes]) -> Iterator[str]:
    lines = body.split("\n")
    root = SyntaxTreeNode(READER.parse(body))
    nodes = [node for node in root.walk() if node is not root]
    for node in nodes:
        if node.type == "inline":
            yield from _problems_of_inline(node, files)
        elif node.type not in BLOCKS and not _is_within_inline(node):
            yield f"has a {node.type}: {_shown(node)}"
    headings = [(node.tag, _text_of(node)) for node in nodes if node.type == "heading"]
    if [tag for tag, _ in headings].count("h1") != 1:
        yield f"has not one title but {headings}"
    for tag, title in headings:
        if tag == "h2" and title not in OWN_HEADINGS:
            yield f"has a heading {title!a}"
    # Nothing but a line of ours begins a heading, an item or a paragraph.
    counted = sum(1 for node in nodes if node.type == "list_item")
    written = sum(1 for line in lines if re.match(r" *- ", line))
    if counted != written:
        yield f"has {counted} items in {written} lines"
    if len(headings) != sum(1 for line in lines if re.match(r"#{1,3} ", line)):
        yield f"has {len(headings)} headings"


def _is_within_inline(node: SyntaxTreeNode) -> bool:
    parent = node.parent
    return parent is not None and (parent.type == "inline" or _is_within_inline(parent))


def _problems_of_inline(inline: SyntaxTreeNode, files: Mapping[str, bytes]) -> Iterator[str]:
    for node in inline.children:
        is_own_code = node.type == "code_inline" and OWN_CODE.fullmatch(node.content)
        if node.type not in ("text", "text_special", "softbreak") and not is_own_code:
            yield f"has a {node.type} in {inline.content!a}"
    # NUL stands for an escaped character: it is shown, and no pattern of a reader goes over it.
    said = "".join({"text": node.content, "softbreak": "\n"}.get(node.type, "\0") for node in inline.children)
    for found in ACTS.finditer(OWN_LINK.sub(lambda link: "" if f"{link[1]}.md" in files else link[0], said)):
        yield f"acts by {found[0]!a} in {said!a}"


def _text_of(node: SyntaxTreeNode) -> str:
    return "".join(child.content for child in node.walk() if child.type in ("text", "text_special"))


def _shown(node: SyntaxTreeNode) -> str:
    return ascii(node.content if not node.children else _text_of(node))[:200]
