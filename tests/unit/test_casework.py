"""Which streams a dream takes up, and with what."""

from dreamd.lifecycle.casework import casework, events_by_stream
from tests.builders import an_event, day
from tests.memory_space import MemorySpace, plain_rule


def taken_up(space, now):
    new = space.store.unexamined(now)
    streams = {space.stream_id(event.target) for event in new if event.target is not None}
    snapshot = space.store.snapshot(new, streams, now, space.policy)
    work = casework(snapshot, plain_rule(snapshot.events.values()), None)
    return snapshot, (work.cases, work.lifted)


def test_only_streams_with_new_evidence_are_taken_up_and_with_all_of_it():
    space = MemorySpace()
    space.told(day(1), an_event(), an_event(target="queue"))
    space.add(an_event(at=day(2)))
    _, (cases, lifted) = taken_up(space, day(3))
    assert [(case.target, len(case.events), len(case.links)) for case in cases] == [("cache", 2, 1)]
    assert lifted == ()


def test_what_was_held_comes_back_with_the_new():
    space = MemorySpace()
    space.told(day(1), an_event(), an_event(target="queue"))
    space.revert(1, day(1))
    space.add(an_event(at=day(2)))
    snapshot, (cases, lifted) = taken_up(space, day(3))
    assert [(case.target, len(case.events), len(case.links)) for case in cases] == [("cache", 2, 0)]
    assert {hold.stream for hold in lifted} == {space.stream_id("cache")}
    by_stream = events_by_stream(snapshot, plain_rule(snapshot.events.values()).assignments)
    assert {event.at for event in by_stream[space.stream_id("cache")]} == {day(0), day(2)}


def test_an_order_takes_up_what_it_names_and_lifts_nothing():
    space = MemorySpace()
    space.told(day(1), an_event())
    stream = space.stream_id("cache")
    snapshot = space.store.snapshot([], {stream}, day(3), space.policy)
    work = casework(snapshot, plain_rule(snapshot.events.values()), (stream,))
    cases, lifted = work.cases, work.lifted
    assert [case.id for case in cases] == [stream]
    assert lifted == ()
