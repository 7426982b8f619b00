r"""The block of YAML at the head of a page: keys that Claude Code, Obsidian and basic-memory read, in one fixed order.

PyYAML writes it without Unicode, which alone brings every code point back; keys that we do not know come after ours,
as they were. An `@` that Claude Code could follow to a file is written `\x40`. The emitter in C is used where it is
built in; a test holds it and the pure one to the same bytes, for the same state has to give the same tree anywhere.
"""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from dreamd.repo_export.plain_yaml import read_plain, write_plain

KEYS = ("name", "title", "description", "type", "permalink", "tags", "created", "modified", "metadata")
FENCE = "---\n"
MAX_VALUES = 10_000  # of a block, with all aliases written out
_WIDTH = 1_000_000  # never fold: simple readers take a key and its value from one line

_IMPORT = re.compile(r"(?<![0-9A-Za-z])@")


# What PyYAML raises for a block that it cannot make values of: its constructors check little (`!!timestamp x`).
_REFUSED = (yaml.YAMLError, ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


class FrontMatterError(ValueError):
    """The block is not closed, is no YAML, or is no mapping."""


def render_front_matter(values: Mapping[str, Any]) -> str:
    """The block with its two fences: known keys in order, then the others as they come."""
    ordered = {key: values[key] for key in KEYS if key in values}
    ordered |= {key: value for key, value in values.items() if key not in ordered}
    block = write_plain(ordered)
    if block is None:
        block = yaml.dump(
            ordered, Dumper=_Dumper, sort_keys=False, default_flow_style=False, width=_WIDTH, allow_unicode=False
        )
    return FENCE + _IMPORT.sub(r"\\x40", block) + FENCE


def parse_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The values and what follows the block; no values if `text` does not begin with one."""
    if not text.startswith(FENCE):
        return {}, text
    block, fence, body = text.removeprefix(FENCE).partition("\n" + FENCE)
    if not fence:
        raise FrontMatterError("the front matter is not closed by a line ---")
    return load_block(block), body


def load_block(block: str) -> dict[str, Any]:
    """The values of a block without its fences; raises FrontMatterError.

    YAML can name a value many times, and itself inside itself; what would not end when written out is refused.
    """
    plain = read_plain(block)
    if plain is not None:
        return plain
    try:
        values = yaml.load(block, Loader=_Loader)
    except _REFUSED as problem:
        raise FrontMatterError(f"the front matter is not YAML: {' '.join(str(problem).split())}") from problem
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise FrontMatterError("the front matter is no mapping of names to values")
    if "*" in block and _is_endless(values):
        raise FrontMatterError("the front matter repeats itself by its aliases")
    return values


def _is_endless(values: object) -> bool:
    """Whether more than MAX_VALUES values come of it once all aliases are written out."""
    left = [values]
    for _ in range(MAX_VALUES):
        if not left:
            return False
        value = left.pop()
        if isinstance(value, dict):
            left += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set):
            left += value
    return True


# In C where it is built in: several times as fast.
_Loader: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SafeDumper: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Dumper(_SafeDumper):  # type: ignore[misc]
    """Without anchors: a value that comes twice is written twice."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _text(dumper: Any, text: str) -> Any:
    # Only between double quotes is there an escape for a sign that can be seen.
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if _IMPORT.search(text) else None)


_Dumper.add_representer(str, _text)
