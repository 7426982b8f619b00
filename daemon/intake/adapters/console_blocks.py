"""A copied console of Claude Code, cut into its blocks: turns of the person, answers, tool calls with their results.

A block begins at the left edge with its sign: `> ` the person, `⏺ ` the agent or a tool, `✻ ` thought, a box the
program. A result begins with `⎿`. What is indented belongs to the block above it; lines that the console wrapped are
joined again. A transcript within a result is indented too, so it opens no block.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

WRAPPED_FROM = 100  # characters from which on a line was broken by the console, not by whoever wrote it
MAX_BLOCK_LINES = 5_000  # kept of one block; the rest is output that nobody reads

_CALL = re.compile(r"([A-Z]\w*(?: [A-Z]\w*)?)\((.*)", re.DOTALL)
_NAMED_CALL = re.compile(r"(?:Update|Read) Todos\b")
_RESULT = re.compile("[ \u00a0]{0,3}⎿[ \u00a0]{0,2}")
_BOX = ("╭", "│", "╰", "┌", "└")
_THOUGHT = ("✻", "∴")
_PROGRAM = ("·", "✢", "✳", "✶", "✽", "※", "✔", "⏵", "====", "? for shortcuts")
_CUT = re.compile(r"^\s*… (?:\+\d+ lines )?\(ctrl\+\w to \w+(?: \w+)*\)\s*$")  # how much is not shown


class Sort(StrEnum):
    """What a block is; the words are those of the tables of what was left out."""

    PERSON = "turn of the person"
    ANSWER = "answer"
    CALL = "tool call"
    THOUGHT = "thought"
    PROGRAM = "line of the program"


@dataclass(slots=True, kw_only=True)
class Block:
    """One block; its lines are without the sign and the indentation."""

    sort: Sort
    line: int  # of the transcript, from 1
    lines: list[str] = field(default_factory=list)
    results: list[list[str]] = field(default_factory=list)  # one for each `⎿`: of a tool, or of a slash command

    @property
    def text(self) -> str:
        return unwrapped(self.lines)

    @property
    def call(self) -> tuple[str, str]:
        """The tool and what it was given, without the brackets."""
        text = self.text
        match = _CALL.match(text)
        if match is None:
            return text.split("(", 1)[0].strip(), ""
        given = match[2].rstrip().removesuffix("…").removesuffix("...").removesuffix(")")
        return match[1], given.replace("…\n", "\n")

    @property
    def result(self) -> str:
        return "\n".join("\n".join(lines).strip("\n") for lines in self.results).strip()


def blocks(lines: Iterable[tuple[int, str]]) -> Iterator[Block]:
    """The blocks of the numbered `lines`, in their order."""
    block: Block | None = None
    for number, line in lines:
        opened = _opened(number, line)
        if opened is not None:
            if block is not None:
                yield block
            block = opened
        elif block is not None:
            _continue(block, line)
        elif line.strip():
            yield Block(sort=Sort.PROGRAM, line=number, lines=[line])
    if block is not None:
        yield block


def unwrapped(lines: list[str]) -> str:
    """The lines as one text: a line that the console broke is joined to the one before it."""
    text = ""
    before = ""
    for line in lines:
        is_wrapped = len(before) >= WRAPPED_FROM and line.strip() and before.strip()
        joint = "" if not text and not before else " " if is_wrapped else "\n"
        text += joint + (line.strip() if is_wrapped else line.rstrip())
        before = line
    return text.strip()


def _opened(number: int, line: str) -> Block | None:
    """The block that `line` opens, if it opens one."""
    if line.startswith("> ") or line.rstrip() == ">":
        return Block(sort=Sort.PERSON, line=number, lines=[line[2:]])
    if line.startswith("⏺"):
        text = line[1:].strip()
        is_call = _CALL.match(text) is not None or _NAMED_CALL.match(text) is not None
        return Block(sort=Sort.CALL if is_call else Sort.ANSWER, line=number, lines=[text])
    if line.startswith(_THOUGHT):
        return Block(sort=Sort.THOUGHT, line=number, lines=[line])
    if line.lstrip(" ").startswith(("※", "✔")) or line.startswith(_BOX + _PROGRAM):
        return Block(sort=Sort.PROGRAM, line=number, lines=[line])
    return None


def _continue(block: Block, line: str) -> None:
    result = _RESULT.match(line)
    if result is not None:
        block.results.append([line[result.end() :]])
        if block.sort is Sort.ANSWER:  # a sign of a tool that we do not know: its result shows it
            block.sort = Sort.CALL
        return
    if _CUT.match(line):
        return
    part = block.results[-1] if block.results else block.lines
    if len(part) < MAX_BLOCK_LINES:
        indentation = 5 if block.results else 2
        part.append(line[indentation:] if not line[:indentation].strip() else line.strip())
