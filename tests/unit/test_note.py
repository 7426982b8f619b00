"""Any Markdown file is read for what it is, and written with the same bytes."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dreamd.repo_export.markdown import parse_entry, render_entry
from dreamd.repo_export.note import Kind, parse_note, write_note
from tests.memory_folders import FLAT, NESTED, TRAPS

PIECES = st.sampled_from(
    [
        *(
            "---",
            "...",
            "name: x",
            "a: [",
            "a: &x [*x]",
            "metadata:",
            "  type: user",
            "- a",
            "* b [source: x]",
            "+",
            "-",
        ),
        *("  - c", "\t- d", "1. e", "# T", "#", "## Index", "```", "~~~~", "    code", "<!--", "-->", "> q", "| a |"),
        *(
            "[[x]]",
            "[[x",
            "x]]",
            "[t](y.md)",
            "`[[z]]`",
            "",
            " ",
            "words",
            "===",
            "\u2028",
            "\x0b",
            "\ufeff",
            "é",
            "\x00",
        ),
    ]
)
ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""])
FILES = st.lists(st.tuples(PIECES, ENDS), max_size=14).map(lambda parts: "".join(map("".join, parts)).encode())


@settings(max_examples=300, deadline=None)
@given(FILES)
@example(b"\xef\xbb\xbf---\r\nname: x\r\n---\r\n- a\r\n- b")
def test_what_was_read_is_written_with_the_same_bytes(content: bytes) -> None:
    assert write_note(parse_note(content)) == content


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_as_no_utf_8(content: bytes) -> None:
    try:
        note = parse_note(content)
    except UnicodeDecodeError:
        return
    assert write_note(note) == content


@pytest.mark.parametrize(
    ("line", "text", "link", "metadata"), [row[1:] for row in TRAPS], ids=[row[0] for row in TRAPS]
)
def test_a_trap_of_the_format_is_read_as_what_it_is(
    line: str, text: str, link: str | None, metadata: tuple[tuple[str, str], ...]
) -> None:
    (read,) = parse_note(f"{line}\n".encode()).lines
    assert read.kind is Kind.BULLET
    assert read.entry is not None
    assert (read.entry.text, read.entry.link, read.entry.metadata) == (text, link, metadata)
    assert parse_entry(render_entry(read.entry)) == read.entry


def kinds(text: str) -> list[Kind]:
    return [line.kind for line in parse_note(text.encode()).lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\n- a\n```\n- b\n", [Kind.CODE, Kind.CODE, Kind.CODE, Kind.BULLET]),
        ("~~~\n```\n- a\n~~~\n", [Kind.CODE] * 4),
        ("- a\n  ```\n  - b\n  ```\n", [Kind.BULLET, Kind.CODE, Kind.CODE, Kind.CODE]),
        ("x\n\n    - a\n", [Kind.WORDS, Kind.BLANK, Kind.CODE]),
        ("- x\n\n    - a\n", [Kind.BULLET, Kind.BLANK, Kind.BULLET]),
        ("<!--\n- a\n-->\n- b\n", [Kind.COMMENT, Kind.COMMENT, Kind.COMMENT, Kind.BULLET]),
        ("1. a\n2) b\n", [Kind.NUMBERED, Kind.NUMBERED]),
        ("# a\n#b\n", [Kind.HEADING, Kind.WORDS]),
        ("---\n\nwords\n\n---\n", [Kind.RULE, Kind.BLANK, Kind.WORDS, Kind.BLANK, Kind.RULE]),
        ("---\na: b\n---\n- c\n", [Kind.FRONT_MATTER] * 3 + [Kind.BULLET]),
        ("---\na: b\n...\n- c", [Kind.FRONT_MATTER] * 3 + [Kind.BULLET]),
        ("-5 degrees\n", [Kind.WORDS]),
        ("<rules>\n- a\n</rules>\n", [Kind.TAG, Kind.BULLET, Kind.TAG]),
        ("<https://a.b>\n<b>x</b>\n", [Kind.WORDS, Kind.WORDS]),
        ("**bold** x\n", [Kind.WORDS]),
    ],
)
def test_each_line_is_known_for_what_it_is(text: str, expected: list[Kind]) -> None:
    assert kinds(text) == expected
    assert kinds(text.replace("\n", "\r\n")) == expected
    assert kinds("\ufeff" + text) == expected


def test_both_forms_of_front_matter_are_read() -> None:
    assert parse_note(FLAT.encode()).front_matter["type"] == "feedback"
    assert parse_note(NESTED.encode()).front_matter["metadata"]["type"] == "project"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("---\na: b\n", "not closed"),
        ("---\na: [\n---\n", "not YAML"),
        ("---\na: !!timestamp x\n---\n", "not YAML"),
        ("---\na: &x [*x]\n---\n", "repeats itself"),
        ("---\na: &x [b]\nc: [*x, *x]\n---\n", None),
        ("---\n1: b\n---\n", "no mapping"),
        ("---\n---\n", None),
        ("---\n", None),
    ],
)
def test_front_matter_that_cannot_be_read_is_told(text: str, problem: str | None) -> None:
    found = parse_note(text.encode()).problem
    assert (found is None) if problem is None else (found is not None and problem in found)


def test_aliases_that_grow_without_end_are_refused() -> None:
    rows = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9))]
    problem = parse_note("\n".join(["---", *rows, "---", ""]).encode()).problem
    assert problem is not None
    assert "repeats itself" in problem
