"""MEMORY.md: within its caps, most useful first, safe to cut at any line."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.words import ClaimStatus, EventKind, Phase, Status, Vitality
from dreamd.repo_export import index
from dreamd.repo_export.document import parse_document, render_document
from dreamd.repo_export.index import HeadClaim, IndexInput, IndexTooLargeError, render_index
from dreamd.repo_export.page import Origin
from tests.unit.export_rows import a_claim, a_stream, at

GOLDEN = Path(__file__).parents[1] / "golden" / "repo_export"


def streams(count: int, shelf: str = "knowledge", **changed: object) -> list[Stream]:
    return [a_stream(f"target_{number:04d}", shelf=shelf, **changed) for number in range(count)]


def a_head(text: str, *, corrects: bool = False, path: str = "preferences/style.md", **changed: object) -> HeadClaim:
    claim = a_claim(text, origin=EventKind.CORRECTION if corrects else EventKind.PREFERENCE, **changed)
    return HeadClaim(claim=claim, path=path, is_pinned=False, corrects=corrects)


def the_small_space() -> IndexInput:
    rows = [
        a_stream("redis_caching", phase=Phase.CANONICAL, base_confidence=0.7),
        a_stream(
            "db_timeouts", shelf="lessons", vitality=Vitality.DECAYING, headline="Raise the pool to 20 <b>first</b>"
        ),
        a_stream("style", shelf="preferences", headline="Tabs, never spaces", is_doubtful=True),
        a_stream("young_thing", phase=Phase.PATTERN),
        a_stream("old_ci", status=Status.FADED, vitality=Vitality.DORMANT, crossed_at=at(1, 19)),
    ]
    origin = Origin(source="session:s04", at=at(1, 4), because=None)
    head = [
        a_head("Tabs, never spaces"),
        a_head("Deploys go through staging", corrects=True, path="knowledge/redis-caching.md"),
    ]
    return IndexInput(space="ops", streams=rows, head_claims=[replace(entry, origin=origin) for entry in head])


def test_the_index_reads_as_agreed() -> None:
    files, outcome = render_index(the_small_space())
    assert sorted(files) == ["MEMORY.md", "archive/INDEX.md"]
    assert files["MEMORY.md"].decode() == (GOLDEN / "MEMORY.md").read_text(encoding="utf-8")
    assert files["archive/INDEX.md"].decode() == (GOLDEN / "archive_INDEX.md").read_text(encoding="utf-8")
    assert outcome.left_out == ()


def test_an_empty_space_has_a_valid_index() -> None:
    files, _ = render_index(IndexInput(space="ops", streams=(), head_claims=()))
    assert list(files) == ["MEMORY.md"]
    assert files["MEMORY.md"].decode().endswith("End of memory: 0 of 0 files listed, 0 patterns watched.\n")


def test_the_order_of_rows_does_not_matter() -> None:
    given_rows = the_small_space()
    turned = replace(given_rows, streams=given_rows.streams[::-1], head_claims=given_rows.head_claims[::-1])
    assert render_index(turned) == render_index(given_rows)


@pytest.mark.parametrize("count", [1, 100, 165, 180, 400])
def test_the_index_stays_within_its_caps_and_nothing_is_lost(count: int) -> None:
    rows = streams(count // 2) + streams(count - count // 2, "lessons", base_confidence=0.3)
    rows = [replace(row, target=f"{row.shelf}_{row.target}", headline="ü" * 100) for row in rows]
    files, outcome = render_index(
        IndexInput(space="ops", streams=rows, head_claims=[a_head("x" * 900), a_head("y" * 900)])
    )
    memory = files["MEMORY.md"]
    assert memory.count(b"\n") == outcome.line_count <= 180
    assert len(memory) == outcome.size_bytes <= 22_000
    together = b"".join(files.values()).decode()
    assert all(f"[[{row.shelf}/{row.shelf}-target-{row.target[-4:]}]]" in together for row in rows)
    assert all(render_document(parse_document(content)) == content for content in files.values())
    assert (outcome.live, outcome.left_out != ()) == (count, outcome.listed < count)
    assert f"End of memory: {outcome.listed} of {count} file" in memory.decode()


def test_as_many_files_as_fit_are_listed() -> None:
    rows = [replace(row, headline=None) for row in streams(400)]
    memory = render_index(IndexInput(space="ops", streams=rows, head_claims=()))[0]["MEMORY.md"]
    assert memory.count(b"\n") == 180


def test_the_best_come_first() -> None:
    rows = [
        a_stream("e", vitality=Vitality.DORMANT, phase=Phase.CANONICAL, base_confidence=0.9),
        a_stream("d", vitality=Vitality.DECAYING, phase=Phase.CANONICAL),
        a_stream("c", base_confidence=0.4),
        a_stream("b", base_confidence=0.6),
        a_stream("a", phase=Phase.CANONICAL, base_confidence=0.2),
    ]
    paths = [path for path, _ in index.best_first(rows)]
    assert paths == [f"knowledge/{name}.md" for name in "abcde"]


def test_a_correction_comes_before_everything_else_and_what_does_not_fit_is_named() -> None:
    heads = [a_head(f"preference {number} " + "x" * 300, path=f"preferences/p{number}.md") for number in range(9)]
    fix = a_head("No: port 5433", corrects=True, path="knowledge/db.md")
    files, outcome = render_index(IndexInput(space="ops", streams=(), head_claims=[*heads, fix]))
    bullets = [line for line in files["MEMORY.md"].decode().split("\n") if line.startswith("- ")]
    assert "port 5433" in bullets[0]
    assert sum(len(bullet) + 1 for bullet in bullets) <= 2_000
    assert len(bullets) + len(outcome.left_out) == 10
    assert "the head of MEMORY.md is full" in outcome.left_out[0][1]


def test_nothing_of_a_page_is_told_whose_correction_did_not_fit() -> None:
    page = a_stream("db", headline="The port is 5432")
    heads = [
        a_head("No: the port is 5433 " + "x" * 2_000, corrects=True, path="knowledge/db.md"),
        a_head("The port is 5432", path="knowledge/db.md"),
    ]
    files, outcome = render_index(IndexInput(space="ops", streams=[page], head_claims=heads))
    assert "5432" not in files["MEMORY.md"].decode()
    assert len(outcome.left_out) == 2


def test_superseded_statements_never_reach_the_head() -> None:
    head = a_head("Spaces, never tabs", status=ClaimStatus.SUPERSEDED)
    files, _ = render_index(IndexInput(space="ops", streams=(), head_claims=[head]))
    assert "Spaces" not in files["MEMORY.md"].decode()


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 300), st.integers(0, 12), st.text(max_size=100))
def test_cut_at_any_line_end_no_entry_stands_without_the_correction_before_it(
    count: int, heads: int, text: str
) -> None:
    rows = [replace(row, headline=text) for row in streams(count)]
    head_claims = [
        a_head(f"{number} x{text}", corrects=number % 3 == 0, path=f"knowledge/target-{number:04d}.md")
        for number in range(heads)
    ]
    files, _ = render_index(IndexInput(space="ops", streams=rows, head_claims=head_claims))
    lines = files["MEMORY.md"].decode().split("\n")
    head = [line for line in lines[: lines.index("## Index")] if line.startswith("- ")]
    corrections = [int(line.split("]] ")[1].split(" ")[0]) % 3 == 0 for line in head]
    assert corrections == sorted(corrections, reverse=True)


def test_an_index_over_the_hard_cap_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "HARD_MAX_LINES", 5)
    with pytest.raises(IndexTooLargeError, match="allowed are 5"):
        render_index(the_small_space())
