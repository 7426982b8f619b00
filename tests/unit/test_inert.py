"""The reader that looks at exported files sees what it is there to see."""

import pytest

from tests.inert import problems_in

FILE = "# Title\n\n- {} [source: events; id: cl_1]\n"


def test_a_plain_file_has_no_problem() -> None:
    for text in (
        "Use Redis, not memcached (see #12) for $5 & more",
        "a\\*b",
        "\\[x](y) \\<b>",
        "❤\ufe0f 👩\u200d💻",
        "https\\://a.b",
    ):
        assert list(problems_in({"a.md": FILE.format(text).encode()})) == []


@pytest.mark.parametrize(
    "text",
    [
        "x\n\n# heading",
        "x\n  ===\n",
        "x\n  ---\n",
        "x\n\n---\n",
        "x\n  1. item",
        "x\n\n> quote",
        "x\n\n      code",
        "x\n\n```\ncode\n```",
        "x\n\n| a |\n|---|\n| b |",
        "<b>x</b>",
        "x\n\n<div>",
        "<!-- x -->",
        "<http://a.b>",
        "![x](y)",
        "[x](y)",
        "[x]\n\n[x]: y\n",
        "*x*",
        "_x_",
        "`x`",
        "~~x~~",
        "x\\\ny",
        "see https://a.b",
        "www.a.b",
        "@import.md",
        "see @import.md",
        "%%x%%",
        "a #tag",
        "a #1a",
        "[[x]]",
        "x[^1]",
        "$x$",
        "$$x$$",
        "a\u202eb",
        "a\u200bb",
        "a\U000e0041b",
        "a\x1b[31m",
        "a\x85b",
        "a\u3000\ufe0f",
    ],
)
def test_what_acts_or_hides_is_seen(text: str) -> None:
    assert list(problems_in({"a.md": FILE.format(text).encode()}))
