"""Every field that holds text, against every character that some reader, database or terminal stumbles over."""

import json
from datetime import UTC, datetime

import pytest

from dreamd.daemon.intake.events import Rejection, read_events
from dreamd.daemon.intake.record import Channel
from dreamd.daemon.intake.redaction import Redactor
from dreamd.lifecycle.values import Event

CHANNEL = Channel(
    name="f.jsonl", space="default", recorded_at=datetime(2026, 3, 1, tzinfo=UTC), redactor=Redactor(b"k" * 32)
)
GOOD = {"at": "2026-01-05T09:00:00Z", "text": "The queue is slow"}
TEXTS = ("text", "because", "target", "session", "source", "scope", "id")
LISTS = ("files", "tags")
REFUSED = {"NUL": "a\0b", "half a surrogate pair": "a\ud800b", "the other half": "a\udc00b"}
KEPT = {
    "BOM": "\ufeffa\ufeffb",
    "CRLF": "a\r\nb",
    "CR": "a\rb",
    "NEL": "a\u0085b",
    "line separator": "a\u2028b",
    "paragraph separator": "a\u2029b",
    "escape": "a\x1b[31mb",
    "C1": "a\x9bb",
    "override": "a\u202eb",
    "tags": "a\U000e0041b",
    "no character": "a\uffffb",
    "outer space": " a\u00a0 ",
    "two ways": "e\u0301\u00e9",
    "pair": "\U0001f600",
}


def with_field(name: str, value: str) -> dict[str, object]:
    if name == "a key":
        return GOOD | {value: 1}
    if name == "a value":
        return GOOD | {"more": {"deep": [value]}}
    return GOOD | {name: [value] if name in LISTS else value}


def outcome_of(name: str, value: str, *, is_escaped: bool) -> Event | Rejection:
    line = json.dumps(with_field(name, value), ensure_ascii=is_escaped).encode("utf-8", "surrogatepass")
    (outcome,) = read_events([line], CHANNEL)
    return outcome


@pytest.mark.parametrize("what", REFUSED)
@pytest.mark.parametrize(
    "name", [*TEXTS, *LISTS, "a key", "a value", "kind", "actor", "decay", "outcome", "at", "space"]
)
def test_what_no_database_holds_is_refused_in_every_field(name: str, what: str) -> None:
    for is_escaped in (True, False):
        outcome = outcome_of(name, REFUSED[what], is_escaped=is_escaped)
        assert isinstance(outcome, Rejection)
        assert outcome.reason.isprintable()


@pytest.mark.parametrize("what", KEPT)
@pytest.mark.parametrize("name", [*TEXTS, *LISTS, "a key", "a value"])
def test_whatever_else_is_kept_as_it_came(name: str, what: str) -> None:
    value = KEPT[what]
    for is_escaped in (True, False):
        event = outcome_of(name, value, is_escaped=is_escaped)
        assert isinstance(event, Event), event
        found = {
            "a key": next(iter(event.extra), None),
            "a value": event.extra.get("more"),
            "id": event.given_id,
        }.get(name) or getattr(event, name, None)
        assert found == {"files": (value,), "tags": (value,), "a value": {"deep": [value]}}.get(name, value)


@pytest.mark.parametrize("what", KEPT)
def test_a_space_is_a_plain_name_or_refused(what: str) -> None:
    outcome = outcome_of("space", KEPT[what], is_escaped=True)
    assert isinstance(outcome, Rejection)
    assert outcome.field == "space"
    assert "is no name of a space" in outcome.reason


@pytest.mark.parametrize("name", [*TEXTS, "kind", "actor", "decay", "outcome", "at", "space"])
@pytest.mark.parametrize("value", [10**400, -1e308, [], {}, [["x"]], True, 0])
def test_another_kind_of_value_is_refused_or_means_what_it_says(name: str, value: object) -> None:
    (outcome,) = read_events([json.dumps(GOOD | {name: value}).encode()], CHANNEL)
    means_something = (name, repr(value)) in {("id", repr(10**400)), ("id", "0"), ("outcome", "0")}
    assert isinstance(outcome, Event if means_something else Rejection)
