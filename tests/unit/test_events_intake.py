"""What of a JSONL file becomes an event, what is rejected and why, and that no secret passes."""

import io
import json
import time
from datetime import UTC, datetime

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.clock import now, parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.intake.events import Rejection, read_events, read_numbered
from dreamd.daemon.intake.identity import content_digest
from dreamd.daemon.intake.limits import Limits
from dreamd.daemon.intake.record import Channel, one_event
from dreamd.daemon.intake.redaction import Redactor
from dreamd.lifecycle.ids import event_id
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, DecayClass, EventKind

RECORDED = datetime(2026, 3, 1, tzinfo=UTC)
GOOD = {"at": "2026-01-05T09:00:00Z", "text": "The queue is slow"}


def a_channel(**changes):
    fields = {"name": "f.jsonl", "space": "default", "recorded_at": RECORDED, "redactor": Redactor(b"k" * 32)}
    return Channel(**{**fields, **changes})


def read(*lines, **changes):
    encoded = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    return list(read_events(encoded, a_channel(**changes)))


def the_event(line, **changes):
    (event,) = read(line, **changes)
    assert isinstance(event, Event), event
    return event


def the_rejection(line, **changes):
    (rejection,) = read(line, **changes)
    assert isinstance(rejection, Rejection), rejection
    return rejection


def test_an_event_with_time_and_text_is_enough():
    event = the_event(GOOD)
    assert event == Event(
        id=event_id("default", "events", None, event.digest),
        space="default",
        at=datetime(2026, 1, 5, 9, tzinfo=UTC),
        recorded_at=RECORDED,
        kind=EventKind.OBSERVATION,
        text="The queue is slow",
        actor=Actor.AGENT,
        source="events",
        digest=event.digest,
    )


def test_every_field_arrives_and_unknown_keys_are_kept():
    event = the_event(
        GOOD
        | {"kind": "error", "target": "Job Queue", "id": 17, "because": "b", "outcome": "failure", "actor": "tool"}
        | {"source": "ci:9", "session": "s1", "scope": "infra", "files": ["a.py"], "decay": "session", "tags": ["x"]}
        | {"space": "ops", "weight": 1.5, "nested": {"a": [None, True]}}
    )
    assert (event.kind, event.target, event.given_id, event.because) == (EventKind.ERROR, "Job Queue", "17", "b")
    assert (event.outcome, event.actor, event.source, event.session) == (0.0, Actor.TOOL, "ci:9", "s1")
    assert (event.scope, event.files, event.decay, event.tags) == ("infra", ("a.py",), DecayClass.SESSION, ("x",))
    assert (event.space, event.extra) == ("ops", {"weight": 1.5, "nested": {"a": [None, True]}})
    assert event.id == event_id("ops", "ci:9", "17", event.digest)


def test_the_source_of_an_event_that_names_none_is_its_session():
    assert the_event(GOOD | {"session": "s01"}).source == "session:s01"
    assert the_event(GOOD, default_source="cli").source == "cli"


@pytest.mark.parametrize(
    ("named", "cap", "default", "expected"),
    [
        ("user", Actor.AGENT, Actor.AGENT, Actor.AGENT),
        ("tool", Actor.AGENT, Actor.AGENT, Actor.TOOL),
        ("user", Actor.USER, Actor.USER, Actor.USER),
        ("external", Actor.USER, Actor.USER, Actor.EXTERNAL),
        (None, Actor.AGENT, Actor.AGENT, Actor.AGENT),
        (None, Actor.USER, Actor.USER, Actor.USER),
        (None, Actor.TOOL, Actor.AGENT, Actor.TOOL),
    ],
)
def test_an_actor_is_never_more_trusted_than_its_channel(named, cap, default, expected):
    event = the_event(GOOD | {"actor": named}, actor_cap=cap, default_actor=default)
    assert event.actor is expected


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/New_York"])
def test_the_same_instant_in_another_zone_is_the_same_event_on_any_host(zone, monkeypatch):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    one = the_event(GOOD | {"at": "2026-01-05T23:30:00Z"})
    other = the_event(GOOD | {"at": "2026-01-06T08:30:00+09:00"})
    monkeypatch.undo()
    time.tzset()
    assert (other.at, other.id) == (one.at, one.id)
    assert one.at == datetime(2026, 1, 5, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"at": "2026-01-05T09:00:00"}, "at", "has no time zone; add the zone"),
        ({"at": None}, "at", "is missing"),
        ({"at": 1767600000}, "at", "is a number; it must be a text"),
        ({"at": "yesterday"}, "at", "is no RFC 3339 instant"),
        ({"at": "0001-01-01T00:00:00Z"}, "at", "is in the year 1; earliest_year allows 1970"),
        ({"at": "1970-01-01T00:00:00+05:00"}, "at", "is in the year 1969; earliest_year allows 1970"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at", "is no instant"),
        ({"at": "9999-12-31T23:59:59Z"}, "at", "days ahead of 2026-03-01, the present; ahead_days allows 36525"),
        ({"at": "9999-12-31T23:59:59-14:00"}, "at", "is no instant"),
        ({"at": "2026-02-30T00:00:00Z"}, "at", "is no instant"),
        ({"at": "2026-01-05T24:00:00Z"}, "at", "is no RFC 3339 instant"),
        ({"text": ""}, "text", "is missing or empty"),
        ({"text": " \n"}, "text", "is missing or empty"),
        ({"text": ["a"]}, "text", "is a list; it must be a text"),
        ({"text": "x" * 100_001}, "text", "has 100001 characters; text_characters allows 100000"),
        ({"text": "a\0b"}, "text", "NUL"),
        ({"text": "a\ud800b"}, "text", "surrogate"),
        ({"extra": {"deep": ["\0"]}}, "extra", "NUL"),
        ({"kind": "remark"}, "kind", "is 'remark'; allowed: observation, error, result, commit"),
        ({"kind": 3}, "kind", "is a number; allowed:"),
        ({"actor": "root"}, "actor", "allowed: user, agent, tool, external"),
        ({"decay": "soon"}, "decay", "allowed: permanent, stable, active, session, checkpoint"),
        ({"outcome": 1.5}, "outcome", "is 1.5; allowed: 0 to 1"),
        ({"outcome": True}, "outcome", "is true or false; allowed: 0 to 1"),
        ({"outcome": "maybe"}, "outcome", "is 'maybe'; allowed"),
        ({"target": "t" * 501}, "target", "name_characters allows 500"),
        ({"target": 5}, "target", "is a number"),
        ({"files": "a.py"}, "files", "is a text; it must be a list of texts"),
        ({"files": [1]}, "files", "holds a number"),
        ({"files": ["p" * 5000]}, "files", "path_characters allows 4096"),
        ({"tags": ["a"] * 10_001}, "tags", "list_items allows 10000"),
        ({"space": "My Project"}, "space", "write it as 'my-project'"),
        ({"space": "../x"}, "space", "is no name of a space"),
        ({"id": True}, "id", "is true or false"),
    ],
)
def test_a_field_that_is_not_as_it_should_be_is_rejected_with_its_name_and_reason(changes, field, reason):
    rejection = the_rejection(GOOD | changes)
    assert (rejection.file, rejection.line, rejection.field) == ("f.jsonl", 1, field)
    assert reason in rejection.reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "no JSON"),
        (b"[1]", "no object"),
        (b'"text"', "no object"),
        (b"\xff{}", "not UTF-8"),
        (b'{"text": "a", "text": "b"}', "twice"),
        (b'{"x": {"a": 1, "a": 2}}', "twice"),
        (b'{"outcome": NaN}', "NaN is no JSON number"),
        (b'{"x": -Infinity}', "is no JSON number"),
        (b'{"x": 1e999}', "1e999 is no finite number; at most 1.8e+308 is allowed"),
        (b'{"x": ' + b"9" * 5000 + b"}", "a number has 5000 digits; 4300 are allowed"),
        (b'{1: "x"}', "no JSON"),
        (b'{"x": "a\tb"}', "no JSON"),
        (b'{"x": ' + b"[" * 33 + b"]" * 33 + b"}", "nested 34 deep; json_depth allows 32"),
        (b"[" * 200_000, "nested 200000 deep; json_depth allows 32"),
        (b'{"text": "' + b"x" * 1_000_000 + b'"}', "the line has 1000012 bytes; event_bytes allows 1000000"),
    ],
)
def test_a_line_that_is_no_event_is_rejected_with_a_reason(line, reason):
    assert reason in the_rejection(line).reason


@pytest.mark.parametrize(
    ("limit", "fields", "observed"),
    [
        ({"event_bytes": 1_000}, {"more": "x" * 1_000}, "bytes"),
        ({"text_characters": 100}, {"because": "x" * 101}, "has 101 characters"),
        ({"name_characters": 16}, {"scope": "x" * 17}, "has 17 characters"),
        ({"path_characters": 16}, {"files": ["x" * 17]}, "has 17 characters"),
        ({"list_items": 1}, {"tags": ["x", "y"]}, "has 2 entries"),
        ({"json_depth": 2}, {"more": {"a": []}}, "is nested 3 deep"),
        ({"earliest_year": 2027}, {}, "is in the year 2026"),
        ({"ahead_days": 1}, {"at": "2026-03-02T01:00:00Z"}, "is 1.04 days ahead"),
    ],
)
def test_each_limit_is_a_setting_that_a_line_and_a_single_event_obey_and_that_a_refusal_names(limit, fields, observed):
    ((name, allowed),) = limit.items()
    channel = a_channel(limits=Limits(**limit))
    (rejection,) = read_events([json.dumps(GOOD | fields).encode()], channel)
    with pytest.raises(BadData) as refused:
        one_event(GOOD | fields, channel)
    for reason in (rejection.reason, refused.value.message):
        assert f"{name} allows {allowed}" in reason
        assert observed in reason
    assert isinstance(next(iter(read_events([json.dumps(GOOD | fields).encode()], a_channel()))), Event)


def test_an_event_of_a_program_may_be_as_deep_as_it_likes_and_is_only_refused():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadData, match="nested 100002 deep"):
        one_event(GOOD | {"more": deep}, a_channel())


def test_what_a_rejection_quotes_is_short():
    rejection = the_rejection(b'{"' + b"n" * 9_000 + b'": 1, "' + b"n" * 9_000 + b'": 2}')
    assert len(rejection.field) <= 80
    assert len(the_rejection(GOOD | {"kind": "k" * 9_000}).reason) <= 300


def test_brackets_in_a_text_are_not_depth():
    assert the_event(GOOD | {"text": '[{"' * 100}).text == '[{"' * 100


def test_good_lines_are_kept_beside_bad_ones_and_lines_are_counted_with_blank_ones():
    lines = b'\xef\xbb\xbf{"at": "2026-01-05T09:00:00Z", "text": "a"}\r\n\n  \nnonsense\n' + json.dumps(GOOD).encode()
    read_back = list(read_numbered(io.BytesIO(lines), a_channel()))
    assert [(number, type(value)) for number, value in read_back] == [(1, Event), (4, Rejection), (5, Event)]


def test_a_line_over_the_limit_is_skipped_without_keeping_it_and_the_next_one_is_read():
    class Counting(io.BytesIO):
        largest = 0

        def readline(self, size=-1):
            assert size is not None
            assert size > 0
            piece = super().readline(size)
            self.largest = max(self.largest, len(piece))
            return piece

    limits = Limits(event_bytes=100)
    good = json.dumps(GOOD).encode()
    exact = good[:-1] + b" " * (100 - len(good)) + b"}"
    source = Counting(b"x" * 5_000 + b"\n" + good + b"\n" + exact + b"\r\n" + exact + b" \n" + b"y" * 101)
    outcome = [type(value) for value in read_events(source, a_channel(limits=limits))]
    assert outcome == [Rejection, Event, Event, Rejection, Rejection]
    assert source.largest <= 103


@pytest.mark.parametrize("escaped", [False, True])
def test_no_secret_passes_in_any_field(escaped):
    secret = "ghp_" + "aB3dE5fG7h" * 4
    line = GOOD | {name: f"see {secret}" for name in ("text", "because", "target", "source", "session", "scope", "id")}
    line |= {"files": [f"a/{secret}"], "tags": [secret], "more": {secret: [secret], "password": "swordfish"}}
    if escaped:
        line["text"] += '\n"'
    event = the_event(line)
    shown = repr(event)
    assert secret not in shown
    assert "swordfish" not in shown
    assert shown.count("[redacted:github-token:") == 11
    rejection = the_rejection(GOOD | {"kind": f"k {secret}"})
    assert secret not in rejection.reason
    assert secret[:12] not in the_rejection(GOOD | {"kind": "k" * 280 + " " + secret}).reason


def test_a_secret_behind_escapes_is_found():
    raw = b'{"at": "2026-01-05T09:00:00Z", "text": "\\u0070assword=hunter2 at postgres:\\/\\/u:pw@db"}'
    assert "hunter2" not in the_event(raw).text
    assert ":pw@" not in the_event(raw).text


def test_the_digest_is_taken_over_the_redacted_text():
    event = the_event(GOOD | {"text": "password=hunter2"})
    redacted = Redactor(b"k" * 32).redact("password=hunter2")
    assert event.text == redacted
    assert event.digest == content_digest(
        at=event.at,
        kind=event.kind,
        target=None,
        text=redacted,
        actor=event.actor,
        source="events",
        session=None,
        outcome=None,
    )


def test_odd_but_valid_characters_are_kept():
    text = "caf\u00e9 \u202eright\u202c \u200bzero \U0001f600 \U000e0041"
    assert the_event(GOOD | {"text": text}).text == text
    assert the_event(json.dumps(GOOD | {"text": text}, ensure_ascii=False).encode()).text == text


def test_one_event_by_hand_is_checked_and_redacted_like_a_line():
    channel = a_channel(name="record", actor_cap=Actor.USER, default_actor=Actor.USER, default_source="cli")
    event = one_event(GOOD | {"kind": "decision", "because": "password=hunter2"}, channel)
    assert (event.kind, event.actor, event.source) == (EventKind.DECISION, Actor.USER, "cli")
    assert "hunter2" not in (event.because or "")
    with pytest.raises(BadData, match="text: holds a NUL"):
        one_event(GOOD | {"text": "a\0"}, channel)
    with pytest.raises(BadData, match="at: .* has no time zone"):
        one_event(GOOD | {"at": "2026-01-05 09:00"}, channel)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-05T09:00:00Z", datetime(2026, 1, 5, 9, tzinfo=UTC)),
        ("2026-01-05 09:00:00.123456789+01:00", datetime(2026, 1, 5, 8, 0, 0, 123456, tzinfo=UTC)),
        ("2026-01-05t09:00z", datetime(2026, 1, 5, 9, tzinfo=UTC)),
        ("2026-01-05T09:00:00-0530", datetime(2026, 1, 5, 14, 30, tzinfo=UTC)),
    ],
)
def test_an_instant_with_a_zone_is_read_in_utc(text, expected):
    assert parse_instant(text) == expected
    assert parse_instant(text).tzinfo is UTC


def test_a_naive_instant_names_the_remedy():
    with pytest.raises(BadData) as raised:
        parse_instant("2026-01-05T09:00:00")
    assert "2026-01-05T09:00:00Z for UTC" in (raised.value.hint or "")


def test_now_is_aware_and_in_utc():
    with time_machine.travel(datetime(2026, 1, 5, 9, tzinfo=UTC), tick=False):
        assert now() == datetime(2026, 1, 5, 9, tzinfo=UTC)
    assert now().tzinfo is UTC


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from([*GOOD, "kind", "outcome", "actor", "files", "tags", "space", "id", "session", "other"])


@given(st.dictionaries(FIELDS, JSON, max_size=6), st.booleans())
def test_any_object_becomes_an_event_or_a_rejection(fields, is_based_on_a_good_one):
    line = (GOOD | fields) if is_based_on_a_good_one else fields
    (outcome,) = read(json.dumps(line).encode("utf-8", "surrogatepass"))
    assert isinstance(outcome, Event | Rejection)


@given(st.binary(max_size=40))
def test_any_bytes_become_events_or_rejections(content):
    for outcome in read_events(io.BytesIO(content), a_channel()):
        assert isinstance(outcome, Event | Rejection)
