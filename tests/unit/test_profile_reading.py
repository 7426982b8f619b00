"""What a profile is made of: the newest commit as it is, whatever a person made of it since."""

from collections.abc import Collection

import pytest

from dreamd.repo_export.manifest import Manifest, ManifestEntry, digest_of_file
from dreamd.repo_export.profiles.port import Memory
from dreamd.repo_export.profiles.reading import GONE, NOT_LISTED, MemoryUnreadable, read_memory

INDEX = b"""# Memory: shop

Words.

- No: port 2525 [source: s; added: 2026-03-12; id: cl_1]

## Index

- [[knowledge/INDEX]] all of knowledge; 1 not listed below
- [[projects/cache]] the cache: Use Redis 8 [phase: emergent; vitality: active; last: 2026-03; doubtful: yes]
- [[knowledge/queue]] the queue [phase: emergent; vitality: active; last: 2026-03]

## Watching

- [[projects/other]] is in no index
"""
CACHE = b"""---
name: cache
title: the cache
description: Use Redis 8
type: project
permalink: projects/cache
metadata:
  stream: st_0000000000000001
  target: cache
  doubtful: true
  pinned: true
  aliases:
  - the redis
---
# the cache

- Use Redis 9 [source: s; added: 2026-03-14; id: cl_3]
- Use Redis 8 [source: s; added: 2026-03-13; id: cl_2; supersedes: cl_0]
  - another wording [source: s; added: 2026-03-13; id: cl_9; variant_of: cl_2]

## Superseded

- Use Redis 7 [source: s; added: 2026-03-02; id: cl_0]
"""
QUEUE = b"""---
name: queue
title: the queue
description: One queue
type: reference
---
# the queue

- One [added: 2026-03-02]
"""
FILES = {"MEMORY.md": INDEX, "projects/cache.md": CACHE, "knowledge/queue.md": QUEUE}


def a_memory(changed: dict[str, bytes | None] | None = None) -> Memory:
    """What is read where dreamd committed FILES, and a page that has no line, and somebody changed some since."""
    entries = {
        path: ManifestEntry(stream=None if path == "MEMORY.md" else f"st_{path}", sha256=digest_of_file(content))
        for path, content in {**FILES, "knowledge/more.md": b"more"}.items()
    }
    manifest = Manifest(format_version=1, space="shop", page_format=1, files=entries)
    there = {**FILES, **(changed or {})}

    def read(paths: Collection[str]) -> dict[str, bytes]:
        return {path: content for path in paths if (content := there.get(path)) is not None}

    return read_memory("shop", manifest, read, lambda text: text.replace("hunter2", "[redacted]"))


def test_the_memory_is_what_memory_md_says_and_the_pages_that_it_lists() -> None:
    memory = a_memory()
    assert [entry.text for entry in memory.head] == ["No: port 2525"]
    cache, queue = memory.pages
    assert (cache.slug, cache.stream, cache.target, cache.type) == ("cache", "st_0000000000000001", "cache", "project")
    assert (cache.hook, queue.hook, cache.aliases) == ("Use Redis 8", "", ("the redis",))
    assert (cache.is_doubtful, cache.is_pinned, queue.is_doubtful, queue.is_pinned) == (True, True, False, False)
    assert cache.tags[-1] == ("doubtful", "yes")
    assert memory.left_out == (("knowledge/more.md", NOT_LISTED),)


def test_a_correction_comes_first_and_what_is_superseded_or_another_wording_not_at_all() -> None:
    assert [entry.text for entry in a_memory().pages[0].statements] == ["Use Redis 8", "Use Redis 9"]


@pytest.mark.parametrize("broken", [b"---\nname: [\n---\n# x\n", b"\xff\n", b"---\nno: end\n"])
def test_a_page_that_cannot_be_read_is_left_out_with_the_reason(broken: bytes) -> None:
    memory = a_memory({"projects/cache.md": broken})
    assert [page.slug for page in memory.pages] == ["queue"]
    (path, reason) = memory.left_out[0]
    assert path == "projects/cache.md" and reason.startswith("its page cannot be read: ")


def test_a_page_that_a_person_deleted_is_left_out() -> None:
    assert ("projects/cache.md", GONE) in a_memory({"projects/cache.md": None}).left_out


@pytest.mark.parametrize(
    ("index", "reason"), [(None, "is not in the newest commit; dreamd export"), (b"\xff", "cannot be read: ")]
)
def test_without_memory_md_nothing_is_concluded(index: bytes | None, reason: str) -> None:
    with pytest.raises(MemoryUnreadable, match=reason):
        a_memory({"MEMORY.md": index})


def test_where_nothing_was_ever_known_there_is_nothing() -> None:
    assert read_memory("shop", None, lambda paths: {}, str) == Memory(space="shop")


def test_what_a_person_wrote_is_redacted_and_what_dreamd_wrote_is_not_looked_at_again() -> None:
    said = CACHE.replace(b"Use Redis 9", b"The password is hunter2")
    assert a_memory({"projects/cache.md": said}).pages[0].statements[1].text == "The password is [redacted]"


def test_a_page_without_front_matter_is_read_by_its_path() -> None:
    """A person may have written it, in the open format."""
    (page, _) = a_memory({"projects/cache.md": b"# The cache\n\n- Use Redis [added: 2026-03-02]\n"}).pages
    assert (page.title, page.type, page.stream, page.slug) == ("The cache", "project", "", "cache")
