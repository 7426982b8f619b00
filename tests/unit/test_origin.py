"""Our own output is never evidence, told by where it comes from (design, section 10)."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.origin import is_ours
from tests.acceptance.homes import a_home
from tests.builders import an_event, day
from tests.live import LiveSpace

NOW = day(30)


@pytest.fixture
def space(tmp_path: Path) -> Iterator[LiveSpace]:
    live = LiveSpace(tmp_path)
    live.add(
        an_event("Use SQLite for the task queue", day(0), kind=EventKind.DECISION, target="queue"),
        an_event("The queue was slow. It waits on the disk.", day(2), target="queue", session="s2"),
        an_event("Always show the failing test first", day(3), kind=EventKind.PREFERENCE, target="queue"),
        an_event("Use PostgreSQL for the task queue", day(6), kind=EventKind.DECISION, target="queue", session="s3"),
    )
    live.dream(day(7))
    yield live
    live.close()


def files(space: LiveSpace) -> dict[str, str]:
    assert space.repository is not None
    head = space.repository.head()
    assert head is not None
    found = space.repository.tree_files(head, lambda path: path.endswith(".md"))
    return {path: content.decode() for path, content in found.items()}


def known(space: LiveSpace) -> object:
    stream = space.stream("queue")
    claims = [claim for claim in space.store.claims() if claim.stream == stream.id]
    return stream.frequency, stream.evidence_digest, claims


def test_exported_memory_that_is_fed_back_whole_or_line_by_line_is_no_evidence(space: LiveSpace) -> None:
    """Field failures P30, P38, T31: output that becomes input confirms itself, night after night."""
    before, told = known(space), files(space)
    assert {path.split("/")[0] for path in told} == {"MEMORY.md", "preferences", "reports"}
    for night in range(3):
        for path, text in told.items():
            said = [text, *(line for line in text.splitlines() if "id: cl_" in line or "[[" in line)]
            for place, one in enumerate(said):
                at = day(8 + night) + timedelta(minutes=place)
                space.add(an_event(one, at, target="queue", session=f"read-{night}-{path}"))
        plan = space.dream(day(9 + night))
        assert plan.counts.noise == plan.counts.examined > 0
    assert known(space) == before


@pytest.mark.parametrize("source", ["dreamd", "dreamd:report", "dreamd/distiller"])
def test_what_names_dreamd_as_its_source_is_its_own_whatever_it_says(source: str) -> None:
    """Field failure P68: reflection's own prompts stored as history and reflected on again."""
    assert is_ours(an_event("The cache holds 5 entries", source=source, kind=EventKind.CORRECTION))
    assert not is_ours(an_event("The cache holds 5 entries", source="dreamding"))


def test_equal_words_alone_are_never_our_own_output() -> None:
    assert not is_ours(an_event("Use SQLite for the task queue", target="queue"))
    assert not is_ours(an_event("dreamd run failed on node 3", target="dreamd"))


def test_a_person_who_corrects_us_may_quote_our_line(space: LiveSpace) -> None:
    (line,) = [line for line in files(space)["preferences/queue.md"].splitlines() if "was slow" in line]
    assert is_ours(an_event(line))
    assert not is_ours(an_event(f"That is wrong: {line}", kind=EventKind.CORRECTION, actor=Actor.USER))


def test_answers_of_the_command_line_that_come_back_are_no_evidence(tmp_path: Path) -> None:
    home = a_home(tmp_path)
    event = '{"at": "2026-01-05T09:00:00Z", "kind": "decision", "text": "Use SQLite for the queue", "target": "queue"}'
    home.dreamd("--now", "2026-01-06T00:00:00Z", "ingest", "events", "-", stdin=event)
    for command in (
        "run",
        "show queue",
        "why queue",
        "claims",
        "show queue --json",
        "claims --json",
        "report",
        "report --since 9d",
    ):
        answer = home.ok("--now", "2026-01-06T00:00:00Z", *command.split()).out
        assert is_ours(an_event(answer)), (command, answer)
