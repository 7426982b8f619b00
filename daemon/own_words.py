"""Our own wording: every text in our code that can get into a file or a report, read from the code itself.

So a new section of a report can't be forgotten. Of the folders that write files each literal counts, and each name of
a field; elsewhere what is put together, or is a phrase: there a single word is often one of those that are looked for.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

WRITES_FILES = ("lifecycle", "repo_export")
GIVES_REASONS = ("daemon", "reflection")
NOT_IN_FILES = ("commands", "example", "simulate", "demo.py")  # below `daemon`: help, and made-up memories
PLURAL = "counted"  # the function that makes "2 rows" of "row"
LISTED = ("split", "splitlines")  # a text that is taken apart at once is a list of words


@cache
def own_texts() -> tuple[str, ...]:
    """The texts, as often as they stand there."""
    root = Path(__file__).resolve().parent.parent
    found: list[str] = []
    for folder in (*WRITES_FILES, *GIVES_REASONS):
        for file in sorted((root / folder).rglob("*.py")):
            if not {*file.relative_to(root).parts[1:]}.intersection(NOT_IN_FILES):
                code = ast.parse(file.read_text(encoding="utf-8"))
                found += _texts_of(code, is_every=folder in WRITES_FILES)
    return tuple(found)


def _texts_of(code: ast.Module, *, is_every: bool) -> Iterator[str]:
    left_out = {id(node) for node in ast.walk(code) for node in _not_told(node)}
    composed = {id(part) for node in ast.walk(code) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(code):
        match node:
            case ast.Constant(value=str() as text) if id(node) not in left_out:
                if is_every or id(node) in composed or " " in text.strip():
                    yield text
            case ast.AnnAssign(target=ast.Name(id=name)) if is_every:
                yield name
            case ast.Call(func=ast.Name(id=function), args=[_, noun, *_]) if function == PLURAL:
                yield from (f"{text}s" for text in _constants(noun))


def _not_told(node: ast.AST) -> Iterator[ast.AST]:
    """Documentation, and lists of words."""
    match node:
        case ast.Expr(value=ast.Constant() as text):
            yield text
        case ast.Call(func=ast.Attribute(value=ast.Constant() as text, attr=name)) if name in LISTED:
            yield text


def _constants(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
