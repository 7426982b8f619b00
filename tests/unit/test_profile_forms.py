"""Each profile as a pure function: the form that its reader asks for, its caps, and text that does nothing."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.origin import is_our_writing
from dreamd.repo_export.markdown import Entry, visible
from dreamd.repo_export.profiles import claude_code, codex, letta
from dreamd.repo_export.profiles.port import Generated, Memory, MemoryPage
from dreamd.repo_export.profiles.registry import PROFILES, load
from tests.inert import ACTS, READER, unseen

TYPES = ("user", "feedback", "project", "reference")
TAGS = (("phase", "emergent"), ("vitality", "active"), ("last", "2026-03"))
LOADED_LINES, LOADED_BYTES = 200, 25_000  # of MEMORY.md, by Claude Code


def an_entry(text: str, place: int = 0, **more: str) -> Entry:
    metadata = (("source", "session:s1"), ("added", "2026-03-10"), ("id", f"cl_{place:016x}"), *more.items())
    return Entry(text=text, metadata=metadata)


def a_page(place: int, **given_: Any) -> MemoryPage:
    values: dict[str, Any] = {
        "path": f"knowledge/target-{place}.md",
        "slug": f"target-{place}",
        "stream": f"st_{place:016x}",
        "target": f"target_{place}",
        "title": f"target {place}",
        "description": f"The target {place} is kept",
        "hook": f"The target {place} is kept",
        "type": TYPES[place % 4],
        "tags": TAGS,
        "aliases": (),
        "is_pinned": False,
        "is_doubtful": False,
        "statements": (an_entry(f"The target {place} is kept", place),),
    }
    return MemoryPage(**{**values, **given_})


def a_memory(*pages: MemoryPage, head: tuple[Entry, ...] = ()) -> Memory:
    return Memory(space="shop", head=head, pages=pages)


def pages(count: int, **given_: Any) -> list[MemoryPage]:
    return [a_page(place, **given_) for place in range(count)]


def front_matter(content: bytes) -> dict[str, Any]:
    _, block, _ = content.decode().split("---\n", 2)
    values: dict[str, Any] = yaml.safe_load(block)
    return values


def body_of(text: str) -> str:
    """What is below the front matter."""
    return text.split("---\n", 2)[2] if text.startswith("---\n") else text


def links_shown(text: str) -> list[str]:
    """Where a reader is led by links and pictures, and HTML as it stands."""
    tokens = [child for token in READER.parse(body_of(text)) for child in (token.children or [token])]
    html = [token.content for token in tokens if token.type.startswith("html")]
    return [str(it) for token in tokens for it in (token.attrGet("href"), token.attrGet("src")) if it] + html


def acting(text: str) -> list[str]:
    """What an extension of some reader acts on: imports, tags, bare addresses, mathematics, hidden comments."""
    inlines = [token.children or [] for token in READER.parse(body_of(text)) if token.type == "inline"]
    said = [
        "".join({"text": child.content, "softbreak": "\n"}.get(child.type, "\0") for child in children)
        for children in inlines
    ]
    return [found[0] for words in said for found in ACTS.finditer(words)]


def texts(generated: Generated) -> Mapping[str, str]:
    return {path: content.decode() for path, content in generated.files.items()}


def test_claude_code_gets_a_flat_folder_whose_index_links_every_file() -> None:
    files = claude_code.profile().generate(a_memory(*pages(6))).files
    assert all("/" not in path for path in files)
    for path, content in files.items():
        if path != "MEMORY.md":
            values = front_matter(content)
            assert {"name", "description", "type"} <= set(values) and values["type"] in TYPES
            assert path.startswith(f"dreamd_{values['type']}_")
    assert sorted(links_shown(files["MEMORY.md"].decode())) == sorted(files.keys() - {"MEMORY.md"})


def test_codex_gets_a_summary_of_its_version_and_a_handbook_of_task_groups() -> None:
    files = texts(codex.profile().generate(a_memory(*pages(6), head=(an_entry("Use tabs"),))))
    assert set(files) == {"memory_summary.md", "MEMORY.md"}
    assert files["memory_summary.md"].startswith("v1\n")
    assert "## User preferences\n\n- Use tabs [" in files["memory_summary.md"]
    groups = re.split(r"^# Task Group: ", files["MEMORY.md"], flags=re.MULTILINE)[1:]
    assert len(groups) == 6
    for group in groups:
        assert re.search(r"^scope: .+\napplies_to: cwd=shop; reuse_rule=.+$", group, re.MULTILINE)
        assert group.index("## Task 1: ") < group.index("### rollout_summary_files") < group.index("### keywords")
        assert sum(f"\n## {section}\n" in group for section in set(codex.SECTION_OF_TYPE.values())) == 1


def test_letta_gets_blocks_with_two_keys_at_most_and_pins_are_read_only() -> None:
    pinned = a_page(1, is_pinned=True, path="knowledge/rule.md")
    head = (an_entry("Never force-push", pin="yes"), an_entry("Use tabs", 1))
    files = letta.profile().generate(a_memory(pinned, a_page(2), head=head)).files
    for path, content in files.items():
        values = front_matter(content)
        assert {"description"} <= set(values) <= {"description", "read_only"} and values["description"], path
    read_only = {path for path, content in files.items() if front_matter(content).get("read_only") is True}
    assert read_only == {"system/rules.md", "reference/knowledge/rule.md"}
    assert b"Never force-push" in files["system/rules.md"] and b"Use tabs" in files["system/preferences.md"]


@pytest.mark.parametrize("name", PROFILES)
def test_where_nothing_is_known_there_is_no_file(name: str) -> None:
    assert load(name).generate(Memory(space="shop")).files == {}


@pytest.mark.parametrize("name", PROFILES)
def test_what_does_not_fit_is_named_once_and_has_no_file(name: str) -> None:
    """More pages than any form holds, each with a long line in its index."""
    memory = a_memory(*pages(700, hook="wide " * 60))
    generated = load(name).generate(memory)
    left_out = [path for path, _ in generated.left_out]
    assert len(left_out) == len(set(left_out)) > 0
    shown = "".join(texts(generated).values())
    for place in range(700):
        is_told = f"\nThe target {place} is kept [" in shown.replace("\n- ", "\n")
        # Codex only loses it from the summary: the handbook, which is searched, still has it.
        assert is_told == (f"knowledge/target-{place}.md" not in left_out) or name == "codex"


def test_the_loaded_files_stay_within_what_is_loaded() -> None:
    wide = pages(300, hook="ü" * 150)
    index = claude_code.profile().generate(a_memory(*wide)).files["MEMORY.md"]
    assert index.count(b"\n") <= LOADED_LINES and len(index) <= LOADED_BYTES
    assert index.decode().splitlines()[-1].startswith("End of memory: ")
    short = claude_code.profile().generate(a_memory(*pages(300))).files["MEMORY.md"]
    assert 150 < short.count(b"\n") <= LOADED_LINES
    summary = codex.profile().generate(a_memory(*wide)).files["memory_summary.md"]
    assert len(summary) <= codex.SUMMARY_MAX_BYTES
    system = letta.profile().generate(a_memory(*wide)).files
    assert sum(len(content) for path, content in system.items() if path.startswith("system/")) <= letta.SYSTEM_MAX_BYTES


def test_a_long_page_is_cut_at_the_end_of_a_statement_and_says_so() -> None:
    entries = tuple(an_entry(f"Statement {place} " + "word " * 60, place) for place in range(400))
    for module in (claude_code, letta):
        files = module.profile().generate(a_memory(a_page(2, statements=entries))).files
        (page,) = (content for content in files.values() if b"Statement 0 " in content)
        last = page.decode().splitlines()[-1]
        left = int(last.split(" ", 1)[0])
        assert page.count(b"\n- Statement ") + left == 400 and "had no room here; see: `dreamd show target_2`" in last
        assert len(page) <= module.MAX_BYTES if module is claude_code else len(page) <= letta.PAGE_MAX_BYTES


@pytest.mark.parametrize("name", PROFILES)
def test_the_head_is_whole_and_in_its_order(name: str) -> None:
    head = (an_entry("No: it is port 2525", 1), an_entry("Use tabs", 2))
    for content in texts(load(name).generate(a_memory(*pages(700), head=head))).values():
        if "port 2525" in content:
            assert content.index("port 2525") < content.index("Use tabs")
            return
    raise AssertionError("no file has the head")


@pytest.mark.parametrize("name", PROFILES)
def test_dreamd_knows_each_file_again_as_its_own(name: str) -> None:
    """Else an agent that reads its memory aloud would confirm it."""
    memory = a_memory(*pages(3), head=(an_entry("Use tabs"),))
    for path, content in texts(load(name).generate(memory)).items():
        assert is_our_writing(content, EventKind.MESSAGE), path
        for line in content.splitlines():
            if line.startswith("- ") and "[" in line:
                assert is_our_writing(line, EventKind.MESSAGE), line


TELLING = st.sampled_from(
    ["@~/x", "#tag", "www.x.org", "https://x", "%%", "$a$", "[[x]]", "](y)", "`", "<b>", "_", "*", "\n"]
)
anything = st.lists(TELLING | st.text(max_size=8), min_size=1, max_size=6).map("".join)


@given(title=anything, text=anything)
def test_no_text_becomes_a_link_or_a_line_of_its_own(title: str, text: str) -> None:
    page = a_page(0, title=visible(title) or "x", hook=visible(text), statements=(an_entry(text),))
    plain = a_page(0, title="x", hook="x", statements=(an_entry("x"),))
    for name in PROFILES:
        files = texts(load(name).generate(a_memory(page)))
        expected = texts(load(name).generate(a_memory(plain)))
        for path, content in files.items():
            assert links_shown(content) == links_shown(expected[path]) and not list(unseen(content))
            assert acting(content) == acting(expected[path])
            assert len(content.splitlines()) == len(expected[path].splitlines())


@pytest.mark.parametrize(
    "title", ["a](http://evil.example) [b", "[x]: http://evil.example", "](dreamd_x.md)", "`](x)`"]
)
def test_a_title_cannot_lead_elsewhere(title: str) -> None:
    index = claude_code.profile().generate(a_memory(a_page(0, title=title))).files["MEMORY.md"].decode()
    assert links_shown(index) == ["dreamd_user_target-0.md"]
