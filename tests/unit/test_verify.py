"""`verify` finds nothing in what dreamd writes, and names the rule for each way to break it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dreamd.lifecycle.words import ClaimStatus, EventKind, Phase, Status
from dreamd.repo_export.index import HeadClaim, IndexInput, render_index
from dreamd.repo_export.manifest import MANIFEST_PATH, render_manifest
from dreamd.repo_export.page import PAGE_FORMAT, Origin, Page, render_page
from dreamd.repo_export.slug import path_of
from dreamd.repo_export.verify import Known, verify
from tests.unit.export_rows import a_claim, a_stream, at

REDIS, STYLE = "knowledge/redis-caching.md", "preferences/style.md"


def the_tree(count: int = 0) -> tuple[dict[str, bytes], Known]:
    redis, style = (
        a_stream(phase=Phase.CANONICAL),
        a_stream("style", shelf="preferences", headline="Tabs, never spaces"),
    )
    ci = a_stream("old_ci", status=Status.FADED, crossed_at=at(1, 19))
    streams = [
        redis,
        style,
        ci,
        *(a_stream(f"t{number}") for number in range(count)),
        a_stream("y", phase=Phase.PATTERN),
    ]
    old = a_claim("Cache in memcached [x: y]", redis, status=ClaimStatus.SUPERSEDED, valid_to=at(1, 9))
    tabs = a_claim("Tabs, never spaces", style, origin=EventKind.PREFERENCE)
    claims = [old, a_claim("Cache sessions in Redis", redis, supersedes=old.id), tabs]
    claims += [a_claim("Once said", stream) for stream in streams[2:-1]]
    origins = {claim.stated_in: Origin(source="session:s1", at=at(1, 2), because=None) for claim in claims}
    files: dict[str, bytes] = {}
    paths: dict[str, str] = {}
    for stream in streams:
        if (path := path_of(stream)) is not None:
            own = tuple(claim for claim in claims if claim.stream == stream.id)
            files[path] = render_page(Page(stream=stream, claims=own, origins=origins))
            paths[path] = stream.id
    head = HeadClaim(claim=tabs, path=STYLE, is_pinned=False, corrects=False, origin=origins[tabs.stated_in])
    files |= render_index(IndexInput(space="ops", streams=streams, head_claims=[head]))[0]
    known = Known(
        claims={claim.id: claim.status for claim in claims}, sources=frozenset({"session:s1"}), streams=dict(paths)
    )
    return files | {MANIFEST_PATH: render_manifest("ops", files, paths, page_format=PAGE_FORMAT)}, known


def rules_broken(path: str, old: str, new: str) -> set[str]:
    """The rules that `verify` names once `old` is replaced in a file."""
    files, known = the_tree()
    text = files[path].decode()
    assert old in text
    files[path] = text.replace(old, new).encode()
    return {finding.rule for finding in verify(files, known)} - {"manifest"}


@pytest.mark.parametrize("count", [0, 300])
def test_what_dreamd_writes_is_clean(count: int) -> None:
    files, known = the_tree(count)
    assert verify(files, known) == ()
    assert verify(files) == ()


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        ("MEMORY.md", "# Memory: ops", "Memory", "memory"),
        ("MEMORY.md", "## Index", "## Contents", "memory"),
        ("MEMORY.md", "2 of 2 files", "3 of 3 files", "sentinel"),
        ("MEMORY.md", "1 pattern watched.", "1 pattern", "sentinel"),
        ("MEMORY.md", "[[knowledge/redis-caching]]", "[[knowledge/gone]]", "link"),
        ("MEMORY.md", "[[knowledge/redis-caching]]", "[[../knowledge/redis-caching]]", "link"),
        ("MEMORY.md", "- [[knowledge/redis-caching]]", "[[knowledge/redis-caching]]", "reach"),
        ("MEMORY.md", "Redis caching: Cache sessions in Redis", "R: Cache in memcached \\[x: y]", "superseded"),
        ("MEMORY.md", "Tabs, never spaces [", "Cache in memcached \\[x: y] [", "superseded"),
        ("MEMORY.md", "# Memory: ops", "# Memory: ops" + "\n" * 200, "caps"),
        ("MEMORY.md", "Tabs, never spaces [", "x" * 2_001 + " [", "head"),
        (REDIS, "permalink: knowledge/redis-caching", "permalink: knowledge/other", "front-matter"),
        (REDIS, "type: reference\n", "", "front-matter"),
        (REDIS, "---\n# ", "---\n---\nb: 1\n---\n# ", "front-matter"),
        (REDIS, "created: ", "created: [", "readable"),
        (REDIS, "source: session:s1; ", "", "statement"),
        (REDIS, "added: 2026-01-02", "added: yesterday", "statement"),
        (REDIS, "supersedes: cl_", "supersedes: cl_0", "supersedes"),
        (REDIS, "## Superseded", "## Retracted", "store"),
        (REDIS, "session:s1", "session:s2", "store"),
        (REDIS, "stream: st_", "stream: st_0", "store"),
        (REDIS, "- Cache sessions", "* Cache sessions", "round-trip"),
        (REDIS, "\n", "\r\n", "round-trip"),
    ],
)
def test_each_break_is_named_by_its_rule(path: str, old: str, new: str, rule: str) -> None:
    assert rule in rules_broken(path, old, new)


def test_an_id_that_comes_twice_is_found() -> None:
    files, known = the_tree()
    line = next(line for line in files[REDIS].split(b"\n") if b"Cache sessions in Redis [" in line)
    files[STYLE] += line + b"\n"
    assert "unique-id" in {finding.rule for finding in verify(files, known)}


def test_what_a_person_had_forgotten_is_nowhere_as_known() -> None:
    files, known = the_tree()
    found = verify(files, replace(known, is_tombstoned=lambda text: text == "Tabs, never spaces"))
    assert [(each.path, each.rule, each.check) for each in found] == [
        ("MEMORY.md", "tombstoned", "provenance"),
        (STYLE, "tombstoned", "provenance"),
    ]


def test_a_page_that_says_other_than_the_store_is_found() -> None:
    files, known = the_tree()
    claim = next(id_ for id_, status in known.claims.items() if f"id: {id_}".encode() in files[STYLE])
    assert (
        verify(files, replace(known, texts={claim: "Tabs, never spaces"}, states={STYLE: {"phase": "emergent"}})) == ()
    )
    (other,) = verify(files, replace(known, texts={claim: "Spaces"}))
    assert (other.path, other.rule, other.message) == (STYLE, "store", f"{claim} says something else in the store")
    assert verify(files, replace(known, texts={claim: "Spaces"}, hide=lambda _: "Tabs, never spaces")) == ()
    (phase,) = verify(files, replace(known, states={STYLE: {"phase": "canonical"}}))
    assert phase.message == "the page says phase 'emergent'; the store says 'canonical'"


def test_a_page_two_indexes_away_is_reached() -> None:
    files, known = the_tree(300)
    far = "knowledge/index/t9.md"
    del files[MANIFEST_PATH]
    lines = files["knowledge/INDEX.md"].splitlines(keepends=True)
    files[far] = b"# Index of knowledge\n\n" + b"".join(lines[-9:])
    files["knowledge/INDEX.md"] = b"".join([*lines[:-9], b"- [[knowledge/index/t9]] more\n"])
    assert verify(files, known) == ()


def test_a_missing_page_is_found() -> None:
    files, known = the_tree()
    del files[REDIS]
    assert {"manifest", "store", "link", "sentinel"} <= {finding.rule for finding in verify(files, known)}


def test_a_changed_file_is_named_and_a_broken_line_has_its_number() -> None:
    files, known = the_tree()
    files[REDIS] = files[REDIS].replace(b"source: session:s1; ", b"", 1)
    found = {finding.rule: finding for finding in verify(files, known)}
    assert found["manifest"].level == "warning"
    assert b"Cache sessions" in files[REDIS].split(b"\n")[found["statement"].line - 1]


def test_files_that_dreamd_never_wrote_are_not_looked_at() -> None:
    files, known = the_tree()
    files |= {
        "notes.md": b"\xff",
        "knowledge/mine.md": b"- anything [[nowhere]]\n",
        "reports/2026/01/000001.md": b"[[x]]",
    }
    assert verify(files, known) == ()


def test_an_empty_repository_lacks_its_memory() -> None:
    assert [finding.rule for finding in verify({})] == ["memory"]


HOSTILE = st.one_of(
    st.sampled_from(
        [
            "# x",
            "[[gone]]",
            "x [id: cl_0000000000000000]",
            "---",
            "a: b: c",
            "<!--",
            "```",
            "\u202e",
            "@x",
            "x\n## Index\n",
        ]
    ),
    st.text(max_size=90),
)


@settings(max_examples=60, deadline=None)
@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
def test_whatever_was_said_the_repository_is_clean(said: str, title: str, source: str, target: str) -> None:
    source = source or "x"
    stream = a_stream(target, title=title, headline=said, shelf="preferences")
    claim = a_claim(said, stream, origin=EventKind.CORRECTION)
    origin = Origin(source=source, at=at(1, 2), because=title)
    path = path_of(stream)
    assert path is not None
    head = HeadClaim(claim=claim, path=path, is_pinned=True, corrects=True, origin=origin)
    index = render_index(IndexInput(space=title, streams=[stream], head_claims=[head]))[0]
    page = render_page(Page(stream=stream, claims=(claim,), origins={claim.stated_in: origin}, aliases=(target, title)))
    known = Known(claims={claim.id: claim.status}, sources=frozenset({source}), streams={path: stream.id})
    assert verify(index | {path: page}, known) == ()
    kinds = [token.type for token in MarkdownIt("commonmark").parse(index["MEMORY.md"].decode()) if token.nesting == 1]
    assert kinds.count("heading_open") == 3
    assert set(kinds) == {"heading_open", "paragraph_open", "bullet_list_open", "list_item_open"}
