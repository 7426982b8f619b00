"""Reading streams of events: the parts together."""

from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.read import read
from dreamd.reflection.targets import assign
from tests.builders import an_event, day

EVENTS = [
    an_event("Use SQLite for the jobs", kind=EventKind.DECISION, target="jobs"),
    an_event("Use MySQL for the jobs", at=day(2), kind=EventKind.DECISION, target="jobs"),
    an_event("npm run build", at=day(1), target="jobs"),
    an_event("Uploads are allowed", target="uploads", kind=EventKind.DECISION),
    an_event("Uploads are not allowed", at=day(3), target="uploads", kind=EventKind.DECISION),
    an_event("Use Oracle for the jobs", at=day(3), target="other", kind=EventKind.DECISION),
    an_event("forget it", at=day(4), target="other", kind=EventKind.RETRACTION),
    an_event("git push origin main", target=None),
]


def findings_of(events):
    assignments = assign(events, {})
    target_of = {assignment.event: assignment.target for assignment in assignments}
    streams: dict[str, list[Event]] = {}
    for event in events:
        if target_of[event.id] is not None:
            streams.setdefault(f"st_{target_of[event.id]}", []).append(event)
    return read(streams, assignments)


def test_statements_of_one_stream_never_end_those_of_another():
    words = {event.id: event.text for event in EVENTS}
    found = findings_of(EVENTS)
    assert {(words[end.by], end.text_key) for end in found.closures} == {
        ("Use MySQL for the jobs", "Use SQLite for the jobs"),
        ("Uploads are not allowed", "Uploads are allowed"),
        ("forget it", "Use Oracle for the jobs"),
    }


def test_an_event_under_a_name_that_states_nothing_is_told_with_its_reason():
    (noise,) = findings_of(EVENTS).noise
    assert noise == (EVENTS[2].id, "command line")


def test_a_retraction_states_nothing_and_is_no_noise():
    found = findings_of(EVENTS)
    assert EVENTS[6].id not in {statement.event for statement in found.statements} | {event for event, _ in found.noise}


def test_each_event_of_a_stream_states_something_or_is_noise_or_takes_back():
    found = findings_of(EVENTS)
    told = {statement.event for statement in found.statements} | {event for event, _ in found.noise}
    assert told == {event.id for event in EVENTS[:6]}


@given(st.permutations(EVENTS))
def test_findings_do_not_depend_on_the_order_of_events(events):
    assert findings_of(events) == findings_of(EVENTS)
