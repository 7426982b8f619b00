"""A stream as a file: readable, the same for the same state, and read back."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dreamd.lifecycle.words import Actor, ClaimStatus, EventKind, Phase, Status
from dreamd.repo_export.document import parse_document, render_document
from dreamd.repo_export.markdown import value_of
from dreamd.repo_export.page import MAX_GROUPS, Origin, Page, parse_page, render_page, render_parsed
from dreamd.repo_export.slug import path_of
from tests.unit.export_rows import a_claim, a_stream, at

GOLDEN = Path(__file__).parents[1] / "golden" / "repo_export"


def the_redis_page() -> Page:
    stream = a_stream(
        phase=Phase.CANONICAL, canonical_at=at(1, 17), headline="Sessions are cached in Redis 7", is_doubtful=True
    )
    old = a_claim(
        "Sessions are cached in memcached", stream, status=ClaimStatus.SUPERSEDED, valid_to=at(1, 9), closed_by="ev_c"
    )
    new = a_claim(
        "Sessions are cached in Redis 7",
        stream,
        origin=EventKind.DECISION,
        supersedes=old.id,
        support=4,
        days=3,
        group="gr_new",
    )
    variant = a_claim("sessions are cached in redis 7.", stream, group="gr_new", valid_from=at(1, 12), support=2)
    pinned = a_claim(
        "Never run `FLUSHALL` on *prod*\n# ask [ops] first", stream, trust=Actor.USER, origin=EventKind.INTERVENTION
    )
    wrong = a_claim("Redis needs 64 GB", stream, status=ClaimStatus.RETRACTED, retracted_at=at(1, 15), closed_by="ev_d")
    origins = {
        claim.stated_in: Origin(source=f"session:s{claim.support}", at=at(1, 2), because=None)
        for claim in (old, new, pinned)
    }
    origins["ev_c"] = Origin(source="git:4f1c2aa", at=at(1, 9), because="memcached lost\nall sessions; twice")
    origins["ev_d"] = Origin(source="session:s9", at=at(1, 15), because=None)
    return Page(
        stream=stream, claims=(old, new, variant, pinned, wrong), origins=origins, aliases=("Redis", "redis-caching"),
        pinned_claims=frozenset({pinned.id}), related=("lessons/timeouts.md",),
    )  # fmt: skip


def test_a_page_reads_as_agreed() -> None:
    assert render_page(the_redis_page()).decode() == (GOLDEN / "page.md").read_text(encoding="utf-8")


def test_a_page_comes_back_byte_for_byte() -> None:
    content = render_page(the_redis_page())
    parsed = parse_page(content)
    assert render_parsed(parsed) == content
    assert [entry.text for entry in parsed.current if entry.depth == 0] == [
        "Never run `FLUSHALL` on *prod*\n# ask [ops] first",
        "Sessions are cached in Redis 7",
    ]
    assert value_of(parsed.current[1], "seen") == "6"
    assert parsed.related == ("lessons/timeouts",)


def test_the_order_of_rows_does_not_matter() -> None:
    page = the_redis_page()
    turned = replace(page, claims=page.claims[::-1], aliases=page.aliases[::-1], related=page.related[::-1])
    assert render_page(turned) == render_page(page)


def test_superseded_text_stands_only_in_its_section() -> None:
    parsed = parse_page(render_page(the_redis_page()))
    assert not any("memcached" in entry.text for entry in parsed.current)
    assert [entry.text for entry in parsed.superseded] == ["Sessions are cached in memcached"]
    assert value_of(parsed.superseded[0], "superseded_by") == value_of(parsed.current[1], "id")


def test_a_long_page_says_how_many_statements_it_leaves_out() -> None:
    stream = a_stream()
    claims = tuple(a_claim(f"statement {number}", stream) for number in range(MAX_GROUPS + 2))
    content = render_page(Page(stream=stream, claims=claims, origins={})).decode()
    assert "2 more statements not shown; see: `dreamd claims --target redis_caching`" in content
    assert len(parse_page(content.encode()).current) == MAX_GROUPS


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.text(max_size=20))
def test_no_text_can_add_to_the_structure_of_a_page(texts: list[str], title: str) -> None:
    stream = a_stream(title=title, headline=texts[0])
    claims = tuple(a_claim(text, stream) for text in dict.fromkeys(texts))
    content = render_page(Page(stream=stream, claims=claims, origins={}))
    assert render_parsed(parse_page(content)) == content
    assert {entry.text for entry in parse_page(content).current} == set(texts)
    body = content.decode().split("\n---\n", 1)[1]
    opened = [token.type for token in MarkdownIt("commonmark").parse(body) if token.nesting == 1]
    assert opened.count("heading_open") == 1
    assert opened.count("list_item_open") == len(claims)
    assert set(opened) <= {"heading_open", "paragraph_open", "bullet_list_open", "list_item_open"}


def test_a_faded_stream_lies_in_the_archive_of_its_year() -> None:
    assert path_of(a_stream(status=Status.FADED, crossed_at=at(3, 1))) == "archive/2026/redis-caching.md"
    assert path_of(a_stream(phase=Phase.PATTERN)) is None


def test_a_pattern_has_no_page() -> None:
    with pytest.raises(ValueError, match="pattern"):
        render_page(Page(stream=a_stream(phase=Phase.PATTERN), claims=(), origins={}))


def test_unknown_keys_of_a_person_stay() -> None:
    content = b"---\nname: x\ncssclass: wide\n---\n# Title\n\n- a [zeta: 1]\n\n```\n- code [k: v]\n```\n"
    assert render_document(parse_document(content)) == content
