"""The indexes below MEMORY.md: every file of a folder by name, on as many pages as the caps ask for.

One that fits is `<folder>/INDEX.md`. A longer one is cut into pages `<folder>/index/<first name>.md`, and INDEX.md
lists those; should that list not fit either, it is cut in the same way (`index/2/`). Where a list is cut depends on the
hashes of the names near its middle, not on places in it, so that a file that comes or goes changes one page and the
line that tells of it, and no other page gets another name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate

from dreamd.repo_export.caps import CHILD_MAX_BYTES, CHILD_MAX_LINES
from dreamd.repo_export.document import BLANK, Document, Heading, Words, render_document
from dreamd.repo_export.markdown import Entry, render_entry

INDEX_NAME = "INDEX.md"
PAGES = "index"  # folder; no file of a stream is called that, see `slug`
FIRST_PAGE = "0"  # the least of all names, so no page is cut there
HEAD_LINES, HEAD_BYTES = 4, 200  # what a page has above its list, at most


@dataclass(frozen=True, slots=True)
class _Item:
    name: str  # of a file, without folder and ending
    line: str
    files: int  # how many files it stands for
    last: str  # the name of the last of them


def is_index(path: str) -> bool:
    """Whether `path` is that of an index: MEMORY.md, an INDEX.md or a page of one."""
    folder, _, name = path.rpartition("/")
    return name in ("MEMORY.md", INDEX_NAME) or PAGES in folder.split("/")[1:]


def child_indexes(folder: str, title: str, lines: Mapping[str, str]) -> dict[str, bytes]:
    """The index of `folder` and its pages, by path. `lines` has an entry of a list for each file, by its name."""
    items = [_Item(name, line, 1, name) for name, line in sorted(lines.items())]
    files: dict[str, bytes] = {}
    level = 1
    while len(pages := _pages(items)) > 1:
        where = f"{folder}/{PAGES}" if level == 1 else f"{folder}/{PAGES}/{level}"
        above = []
        for place, page in enumerate(pages):
            path = f"{where}/{page[0].name if place else FIRST_PAGE}"
            files[f"{path}.md"] = _rendered(f"{title}: {page[0].name} to {page[-1].last}", page)
            above.append(_link(path, page))
        items = above
        level += 1
    files[f"{folder}/{INDEX_NAME}"] = _rendered(title, items)
    return files


def _link(path: str, page: Sequence[_Item]) -> _Item:
    first, last, count = page[0].name, page[-1].last, sum(item.files for item in page)
    entry = Entry(text=f"{first} to {last}", link=path, metadata=(("files", str(count)),))
    return _Item(first, render_entry(entry), count, last)


def _rendered(title: str, items: Sequence[_Item]) -> bytes:
    count = sum(item.files for item in items)
    words = Words(line="1 file." if count == 1 else f"{count} files.")
    head = render_document(Document(lines=(Heading(level=1, text=title), BLANK, words, BLANK)))
    return head + "".join([f"{item.line}\n" for item in items]).encode("utf-8")


def _pages(items: Sequence[_Item]) -> list[Sequence[_Item]]:
    """`items` in order, cut until each part fits on a page."""
    ends = [0, *accumulate(len(item.line.encode("utf-8")) + 1 for item in items)]
    marks = [] if _fits(ends, 0, len(items)) else [sha256(item.name.encode("utf-8")).digest() for item in items]
    cuts = [0]
    _cut(ends, marks, 0, len(items), cuts)
    return [items[start:end] for start, end in zip(cuts, [*cuts[1:], len(items)], strict=True)]


def _cut(ends: Sequence[int], marks: Sequence[bytes], start: int, end: int, cuts: list[int]) -> None:
    """Appends where the part from `start` to `end` is cut, ascending: at the least hash in the middle half of it."""
    if _fits(ends, start, end):
        return
    quarter = (end - start) // 4
    middle = range(start + max(quarter, 1), max(end - quarter, start + 2))
    place = min(middle, key=marks.__getitem__)
    _cut(ends, marks, start, place, cuts)
    cuts.append(place)
    _cut(ends, marks, place, end, cuts)


def _fits(ends: Sequence[int], start: int, end: int) -> bool:
    return end - start <= CHILD_MAX_LINES - HEAD_LINES and ends[end] - ends[start] <= CHILD_MAX_BYTES - HEAD_BYTES
