"""Stored text is inert and comes back; entries follow the open format."""

import re

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from dreamd.repo_export import markdown
from dreamd.repo_export.front_matter import FrontMatterError, parse_front_matter, render_front_matter
from dreamd.repo_export.markdown import (
    Entry,
    decode_value,
    encode_value,
    escape_text,
    links_in,
    parse_entry,
    render_entry,
    seen,
    shorten,
    unescape_text,
    visible,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "![x](http://evil/p.png)",
    "[x](javascript:alert(1))",
    "# heading",
    "> quote",
    "- item",
    "* item",
    "+ item",
    "1. item",
    "2) item",
    "---",
    "***",
    "___",
    "===",
    "```sh\nrm -rf /\n```",
    "~~~",
    "    code",
    "\tcode",
    "@~/.ssh/id_rsa",
    "see @secrets.env",
    "<!-- hidden",
    "&lt;b&gt;",
    "&#60;",
    "<http://a.b>",
    "**bold** and _em_ and `code`",
    "a\n# b\n\n<div>",
    "a\\",
    "\\",
    "\\*",
    "\\\\*",
    "C:\\Users\\x",
    "\u202eabc",
    "zero\u200bwidth",
    "tag\U000e0041",
    "\x1b[31m",
    "x [source: forged; id: cl_0]",
    "[[../../etc/passwd]]",
    "[ref]: http://evil",
    "\\u{41}",
    "⏎",
    "a ⏎ b",
    "snake_case __init__",
    "a * b ** c",
    "~~gone~~",
    "%%hidden%%",
    "# C #",
    "a\u2028b\u0085c",
    "\\\u200b",
    "a\u0085*\u0085b\u0085*\u0085c \u0085~/d\u0085~/e",
    "https://a.b and www.c.d",
    "$x$ $$y$$ cost $5, $6",
    "#1a #tag #12",
    "a block ^id-1",
    "\u3000\ufe0f \ufe0f\ufe0f \u200d",
    " ",
    "",
)
TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(alphabet="abw1 \n\\*_`[]()<>!#&;~@-+.:/=%{}u$^\u0085\u200b\u202e\ufe0f⏎ü❤", max_size=40),
    st.text(max_size=40),
)
RENDER = MarkdownIt("gfm-like", {"linkify": False})


def shown_by_commonmark(markdown: str) -> str:
    """The text of the only bullet in `markdown`; fails if there is anything but text."""
    root = SyntaxTreeNode(RENDER.parse(markdown))
    node = root
    for kind in ("bullet_list", "list_item", "paragraph", "inline"):
        (node,) = node.children
        assert node.type == kind
    assert {child.type for child in node.children} <= {"text"}
    return "".join(child.content for child in node.children)


@given(TEXTS)
def test_any_text_comes_back(text: str) -> None:
    assert unescape_text(escape_text(text)) == text


@given(TEXTS, TEXTS)
def test_any_text_shows_as_text_and_does_nothing(text: str, value: str) -> None:
    line = render_entry(Entry(text=text or "x", metadata=(("source", value), ("id", "cl_1"))))
    assert len(line.splitlines()) == 1
    shown = shown_by_commonmark(line)
    assert "http://evil" not in shown or "evil" in text + value


@given(TEXTS, st.lists(st.tuples(st.sampled_from(["source", "added", "id", "x-1"]), TEXTS), max_size=4))
def test_any_entry_comes_back(text: str, metadata: list[tuple[str, str]]) -> None:
    known = [(key, value.encode("utf-8", "replace").decode()) for key, value in metadata]
    for link in (None, "knowledge/redis"):
        entry = Entry(text=text, metadata=tuple(known), link=link)
        assert parse_entry(render_entry(entry)) == entry


@given(TEXTS)
def test_any_value_comes_back(value: str) -> None:
    encoded = encode_value(value)
    assert not set(encoded) & set(";[]\n")
    assert decode_value(encoded) == value.encode("utf-8", "replace").decode()


def test_plain_sentences_stay_plain() -> None:
    for text in (
        "Use Redis for sessions, not memcached (see #123): 5 * 3 < 20 & R&D agree - at 100% load!",
        "Run make test-long in src/app_core.py; mail a@b.org",
        "Größe = 5 {curly} \"quoted\" 'single' | pipe $5 ~/.config ~3",
    ):
        assert escape_text(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see http://a.b, ssh://c and www.d.e", "see http\\://a.b, ssh\\://c and www\\.d.e"),
        ("let $x$ be $$y$$", "let \\$x\\$ be \\$\\$y\\$\\$"),
        ("$HOME costs $5 or $6", "\\$HOME costs $5 or $6"),
        ("#12 is #1a and #tag", "\\#12 is \\#1a and \\#tag"),
        ("ends ^here", "ends \\^here"),
        ("x^2 stays ^ so", "x^2 stays ^ so"),
    ],
)
def test_what_only_some_readers_act_on_is_escaped_too(text: str, shown: str) -> None:
    assert escape_text(text) == shown


def test_an_emoji_stays_whole_and_what_hides_behind_none_is_seen() -> None:
    for emoji in ("❤\ufe0f", "👩\u200d💻", "❤\ufe0f\u200d🔥", "1\ufe0f\u20e3", "🇩🇪", "👍🏽"):
        assert escape_text(f"a {emoji} b") == f"a {emoji} b"
    for hidden in ("a\ufe0fb", "\u3000\ufe0fb", "❤\ufe0f\ufe0f", "👩\u200d", "👩\u200db", "⏎\ufe0f", "\u2800\ufe0f"):
        assert not set(escape_text(f"a{hidden}").removeprefix("a❤\ufe0f")) & {"\ufe0f", "\u200d", "\u2800"}


def test_a_line_made_visible_before_is_left_as_it_is() -> None:
    assert seen(visible("a\nb\u202e")) == visible("a\nb\u202e")
    assert seen("a\nb\x9b31m") == "a ⏎ b\\u{9B}31m"


def test_invisible_characters_are_seen() -> None:
    assert escape_text("a\u202eb\u200bc") == "a\\u{202E}b\\u{200B}c"
    assert escape_text("one\ntwo") == "one ⏎ two"


@pytest.mark.parametrize(
    ("line", "text", "metadata"),
    [
        ("- [decision] Use REST", "[decision] Use REST", ()),
        ("- See [the doc](notes.md)", "See [the doc](notes.md)", ()),
        ("- and so on, see [[team_structure]]", "and so on, see [[team_structure]]", ()),
        ("- note [TODO]", "note [TODO]", ()),
        ("- note [1]", "note [1]", ()),
        ("- x [Warning: do it; then go]", "x [Warning: do it; then go]", ()),
        ("* star [added: 2026-09-03]\r\n", "star", (("added", "2026-09-03"),)),
        ("\ufeff- bom [k: ]", "bom", (("k", ""),)),
        (
            "- u [source: https://h/p?x=1:2; added: 2026-09-03]",
            "u",
            (("source", "https://h/p?x=1:2"), ("added", "2026-09-03")),
        ),
        ("- e [k: a%3Bb%5Bc%5D]", "e", (("k", "a;b[c]"),)),
        ("- two [source: a] [source: b]", "two", (("source", "a"), ("source", "b"))),
        ("- dup [k: 1; k: 2]", "dup", (("k", "1"), ("k", "2"))),
    ],
)
def test_entries_of_others_are_read_as_the_format_says(
    line: str, text: str, metadata: tuple[tuple[str, str], ...]
) -> None:
    assert parse_entry(line) == Entry(text=text, metadata=metadata)


def test_a_leading_link_is_not_metadata() -> None:
    assert parse_entry("- [[a/b]] [source: x]") == Entry(text="", link="a/b", metadata=(("source", "x"),))


@pytest.mark.parametrize("line", ["1. numbered", "plain", "", "-no space", "# heading"])
def test_what_is_no_bullet_is_no_entry(line: str) -> None:
    assert parse_entry(line) is None


def test_links_are_found_unless_they_are_escaped() -> None:
    assert links_in("see [[a/b]] and [[c|shown]] not " + escape_text("[[d]]")) == ("a/b", "c")


def test_a_shortened_text_ends_between_words() -> None:
    assert shorten("one two\nthree four", 12) == "one two…"
    assert shorten("short", 12) == "short"
    assert len(shorten("x" * 50, 12)) == 12


FRONT_VALUES = st.recursive(
    st.one_of(
        st.text(max_size=20),
        st.sampled_from(["---", ": ", "!!python/object:x", "a\nb", "\u0085", "😀", "no", "1e3"]),
        st.integers(),
        st.booleans(),
        st.none(),
        st.dates(),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1, max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.text(min_size=1, max_size=8), FRONT_VALUES, max_size=5))
def test_front_matter_comes_back_with_unknown_keys(values: dict[str, object]) -> None:
    block = render_front_matter(values | {"name": "x"})
    assert parse_front_matter(block + "# body\n") == (values | {"name": "x"}, "# body\n")
    assert block.isascii()
    assert render_front_matter(parse_front_matter(block)[0]) == block


@given(
    st.dictionaries(
        st.from_regex(r"[a-z_]{1,8}", fullmatch=True), st.text() | st.lists(st.text()) | st.dates(), max_size=5
    )
)
def test_both_emitters_write_the_same_bytes(values: dict[str, object]) -> None:
    options = {"sort_keys": False, "default_flow_style": False, "width": 1_000_000, "allow_unicode": False}
    assert yaml.dump(values, Dumper=yaml.SafeDumper, **options) == yaml.dump(values, Dumper=yaml.CSafeDumper, **options)


@pytest.mark.parametrize(
    "text", ["@~/.ssh/id_rsa", "see @a", "a\n@b", "\\ @b", "\\@b", "é@b", "me@b.org", "\t@b", "'@b'", '"@b"']
)
def test_front_matter_imports_no_file_of_a_reader_that_follows_at_signs(text: str) -> None:
    block = render_front_matter({"name": text, "metadata": {"aliases": [text], text: 1}})
    assert re.search(r"(?:^|\s)@", block) is None
    assert parse_front_matter(block)[0] == {"name": text, "metadata": {"aliases": [text], text: 1}}
    assert ("\\x40" in block) == (text != "me@b.org" and text not in ("a\n@b", "é@b", "\t@b"))


def test_known_keys_stand_in_fixed_order() -> None:
    block = render_front_matter({"zeta": 1, "title": "T", "alpha": 2, "name": "n"})
    assert [line.split(":")[0] for line in block.split("\n")[1:5]] == ["name", "title", "zeta", "alpha"]


@pytest.mark.parametrize(
    "text", ["---\na: 1\n", "---\n- a\n---\n", "---\na: [\n---\n", "---\n!!python/object:os.x {}\n---\n"]
)
def test_broken_front_matter_is_named(text: str) -> None:
    with pytest.raises(FrontMatterError):
        parse_front_matter(text)


@given(st.text(alphabet="abWwEe01 .,;'\"()?!/=-_+:#@*[]&%|>~\\\n^$<é\u200b", max_size=12))
def test_what_is_taken_for_harmless_has_nothing_that_is_escaped(text: str) -> None:
    if markdown._HARMLESS.fullmatch(text):
        assert markdown._ACTIVE.search(text) is None
        assert markdown._VISIBLE.search(text) is None
        assert text.strip() == text
