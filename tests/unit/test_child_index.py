"""Long indexes as pages: all names once, within the caps, and steady when a name comes or goes."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.repo_export.caps import CHILD_MAX_BYTES, CHILD_MAX_LINES
from dreamd.repo_export.child_index import child_indexes, is_index
from dreamd.repo_export.document import parse_document, render_document

NAMES = st.sets(st.from_regex(r"[a-z0-9]{1,3}(-[a-z0-9]{1,8})?", fullmatch=True), max_size=60)
LINK = re.compile(r"^- \[\[([^\]]+)\]\]", re.MULTILINE)


def lines(names: set[str], width: int = 200) -> dict[str, str]:
    return {name: f"- [[knowledge/{name}]] {'word ' * (width // 5)}[phase: emergent]" for name in names}


def many(count: int) -> set[str]:
    return {f"service-{number:05}" for number in range(count)}


def told(files: dict[str, bytes]) -> list[str]:
    """The names that can be reached from the index of the folder, once for each link."""
    found, new = [], ["knowledge/INDEX.md"]
    while new:
        for link in LINK.findall(files[new.pop()].decode()):
            path = f"{link}.md"
            if path in files:
                new.append(path)
            else:
                found.append(link.removeprefix("knowledge/"))
    return found


def fits(content: bytes) -> bool:
    return content.count(b"\n") <= CHILD_MAX_LINES and len(content) <= CHILD_MAX_BYTES


def test_a_short_index_is_one_file() -> None:
    files = child_indexes("knowledge", "Index of knowledge", lines({"b", "a"}))
    assert list(files) == ["knowledge/INDEX.md"]
    assert sorted(told(files)) == ["a", "b"]


def test_ten_thousand_files_are_reached_in_two_steps_and_every_page_keeps_the_caps() -> None:
    files = child_indexes("knowledge", "Index of knowledge", lines(many(10_000)))
    assert sorted(told(files)) == sorted(many(10_000))
    assert all(fits(content) for content in files.values())
    assert all(is_index(path) for path in files)
    assert max(path.count("/") for path in files) == 2  # INDEX.md, then index/...
    assert all(render_document(parse_document(content)) == content for content in files.values())
    assert len({path.lower() for path in files}) == len(files)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 9_999), NAMES)
def test_a_name_that_comes_or_goes_moves_little(gone: int, come: set[str]) -> None:
    names = many(2_000)
    before = child_indexes("knowledge", "Index of knowledge", lines(names))
    for name in [f"service-{gone:05}", *sorted(come)[:1]]:
        after = child_indexes("knowledge", "Index of knowledge", lines(names ^ {name}))
        moved = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
        # Its page, the line that tells of it, and where a page is cut in two or goes one more; seldom a cut moves.
        assert len(moved) <= 16
        assert sorted(told(after)) == sorted(names ^ {name})


@settings(max_examples=50, deadline=None)
@given(NAMES, st.integers(20, 5_000))
def test_every_name_is_told_once_whatever_the_names_and_the_length_of_their_lines(names: set[str], width: int) -> None:
    files = child_indexes("knowledge", "Index of knowledge", lines(names, width))
    assert sorted(told(files)) == sorted(names)
    assert all(fits(content) for content in files.values())
