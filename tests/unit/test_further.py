"""An event may state several claims, and a claim may need several events (design, sections 4 and 6)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from dreamd.daemon import planning
from dreamd.daemon.views import evidence_of_claims
from dreamd.lifecycle.checkpoint import is_plain
from dreamd.lifecycle.claims import PersonsWord, Told, tell
from dreamd.lifecycle.findings import Assignment, Findings, Statement
from dreamd.lifecycle.further import CITED, PART, first_links
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, Bearing, ClaimKind, EventKind
from dreamd.reflection.read import read
from tests.builders import an_event, day
from tests.live import LiveSpace

NOBODY_SPOKE = PersonsWord(is_refused=lambda verb, claim: False, answers={})
ERROR = an_event("The queue lost its connection", day(1), kind=EventKind.ERROR, target="queue", actor=Actor.TOOL)
FIX = an_event("Raise the idle timeout of the queue", day(1.1), kind=EventKind.ACTION, target="queue")
WORKED = an_event("The queue works again", day(1.2), kind=EventKind.RESULT, target="queue", outcome=1.0)
LESSON = "When the queue loses its connection, raise the idle timeout"


def said(event: Event, text: str, part: int = 0, cites: tuple[Event, ...] = ()) -> Statement:
    return Statement(
        event=event.id,
        text=text,
        text_key=text,
        group_key=text.lower(),
        kind=ClaimKind.LESSON if cites else ClaimKind.FACT,
        is_explicit=False,
        slot=None,
        value=None,
        part=part,
        cites=tuple(event.id for event in cites),
    )


def told(events: Sequence[Event], *statements: Statement, known: Sequence[Event] = ()) -> Told:
    by_event = {event.id: [one for one in statements if one.event == event.id] for event in events}
    return tell(
        "st_queue", events, by_event, (), word=NOBODY_SPOKE, policy=Policy(), known={event.id: event for event in known}
    )


def with_lesson(
    by_stream: dict[str, Sequence[Event]], assignments: Iterable[Assignment], *more: Any, **named: Any
) -> Findings:
    """As the product reads, and one lesson for each success that follows an error in its session."""
    found = read(by_stream, assignments, *more, **named)
    lessons = []
    for events in by_stream.values():
        errors = [event for event in sorted(events, key=lambda event: event.at) if event.kind is EventKind.ERROR]
        for event in events:
            before = [error for error in errors if error.session == event.session and error.at < event.at]
            if event.kind is EventKind.RESULT and before:
                lessons.append(said(event, LESSON, part=99, cites=tuple(before)))
    return replace(found, statements=(*found.statements, *lessons))


@pytest.fixture
def space(tmp_path: Path) -> Iterator[LiveSpace]:
    live = LiveSpace(tmp_path, policy=Policy(fuse_min_changes=1_000))
    with (
        patch.object(planning, "read", with_lesson),
        patch.object(planning, "with_practice", lambda store, snapshot, findings, whole: (snapshot, findings)),
        patch.object(planning, "is_plain", lambda event: is_plain(event) and event.kind is not EventKind.RESULT),
    ):
        yield live
    live.close()


def test_each_statement_of_an_event_is_a_claim_with_that_event_as_evidence() -> None:
    found = told([ERROR], said(ERROR, "It lost one"), said(ERROR, "It has two", 1))
    assert {claim.text for claim in found.claims.values()} == {"It lost one", "It has two"}
    assert [found.claims[id_].text for id_ in found.stated[ERROR.id]] == ["It lost one", "It has two"]


def test_an_event_that_says_the_same_twice_supports_it_once() -> None:
    found = told([ERROR], said(ERROR, "It is down"), said(ERROR, "It is down", 1))
    (claim,) = found.claims.values()
    assert (claim.support, found.stated[ERROR.id]) == (1, (claim.id,))


def test_a_claim_that_cites_events_has_the_least_of_their_trust_and_the_age_of_the_newest() -> None:
    late = replace(ERROR, recorded_at=day(7))
    found = told([late, FIX, WORKED], said(WORKED, LESSON, cites=(late, FIX)), known=[late, FIX])
    (claim,) = found.claims.values()
    assert (claim.trust, claim.last_at, claim.valid_from) == (Actor.TOOL, WORKED.at, WORKED.at)
    assert claim.recorded_at == day(7)  # nobody could know it before all of it was recorded
    assert found.cited == {late.id: (claim.id,), FIX.id: (claim.id,)}


def test_a_claim_is_not_told_without_the_events_that_it_cites() -> None:
    assert not told([WORKED], said(WORKED, LESSON, cites=(ERROR,))).claims


def test_a_lesson_seen_again_is_one_claim_with_the_support_of_both_times() -> None:
    again = [replace(event, id=f"{event.id}2", at=event.at + timedelta(days=3)) for event in (ERROR, WORKED)]
    statements = said(WORKED, LESSON, cites=(ERROR,)), said(again[1], LESSON, cites=(again[0],))
    (claim,) = told([ERROR, WORKED, *again], *statements, known=[ERROR, again[0]]).claims.values()
    assert (claim.support, claim.days) == (2, 2)


def test_the_evidence_of_a_lesson_is_all_that_it_cites_and_counts_once_in_the_signals(space: LiveSpace) -> None:
    space.add(ERROR, FIX)
    space.dream(day(1.15))
    space.add(WORKED)
    space.dream(day(2))
    (lesson,) = [claim for claim in space.store.claims() if claim.kind is ClaimKind.LESSON]
    assert evidence_of_claims(space.store)[lesson.id] == sorted([ERROR.id, WORKED.id])
    links = space.store.links(space.stream("queue").id)
    assert {link.rule for link in links if link.claim == lesson.id} == {PART, CITED}
    assert all(link.bearing is Bearing.MENTIONS for link in links if link.rule in (PART, CITED))
    assert len(first_links(links)) == space.stream("queue").frequency == 3


def test_a_revert_takes_a_lesson_with_its_links_and_later_evidence_brings_it_back(space: LiveSpace) -> None:
    space.add(ERROR, FIX)
    space.dream(day(1.15))
    before, tree = space.digest(), space.tree()
    space.add(WORKED)
    space.dream(day(2))
    whole = {claim.text for claim in space.store.claims()}
    space.revert(2, day(2))
    assert (space.digest(), space.tree()) == (before, tree)
    space.dream(day(3))
    assert LESSON not in {claim.text for claim in space.store.claims()}
    space.add(an_event("The queue holds 4 jobs", day(4), target="queue"))
    space.dream(day(5))
    assert {claim.text for claim in space.store.claims()} == {*whole, "The queue holds 4 jobs"}


def test_a_lesson_that_late_evidence_unmakes_goes_with_its_links(space: LiveSpace) -> None:
    space.add(WORKED, ERROR)
    space.dream(day(2))

    space.add(an_event("It was restarted meanwhile", day(1.15), kind=EventKind.RESULT, target="queue"))
    with patch.object(planning, "read", read):
        space.dream(day(3))
    assert LESSON not in {claim.text for claim in space.store.claims()}
    assert all(link.rule == "named" for link in space.store.links())


def test_further_links_are_no_events_in_a_report(space: LiveSpace) -> None:
    space.add(ERROR, FIX, WORKED)
    plan = space.dream(day(2))
    assert plan.counts.examined == 3
    assert space.repository is not None
    head = space.repository.head()
    assert head is not None
    (report,) = space.repository.tree_files(head, lambda path: path.startswith("reports/")).values()
    assert "3 events linked (3 supports)" in report.decode()
