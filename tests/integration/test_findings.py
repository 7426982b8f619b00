"""Findings: what a model answered is kept under what it was asked, by space, until the text itself is erased."""

import pytest

from dreamd.daemon.storage.findings import Finding, finding_key
from dreamd.daemon.storage.store import Store


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "dreamd.db", window_days=7.0)
    yield opened
    opened.close()


def a_finding(**given):
    return Finding(
        **{"version": "vector.1", "model": "m", "input": "d1", "dimension": 2, "value": b"\x00\x01", **given}
    )


def test_what_was_answered_comes_back_byte_for_byte(store):
    vector = a_finding(value=bytes(range(256)))
    text = a_finding(version="title.1", input="d2", parts=("d1", "d3"), dimension=None, value="Größe".encode())
    store.space("ops").add_findings([vector, text])
    assert store.space("ops").findings([vector.key, text.key, "none"]) == {vector.key: vector, text.key: text}


@pytest.mark.parametrize("field", ["version", "model", "input"])
def test_another_question_model_or_input_is_another_finding(store, field):
    first, second = a_finding(), a_finding(**{field: "other"})
    store.space("ops").add_findings([first, second])
    assert set(store.space("ops").findings([first.key, second.key]).values()) == {first, second}


def test_the_first_answer_stays_whoever_else_writes_one(store):
    first = a_finding()
    store.space("ops").add_findings([first])
    store.space("ops").add_findings([a_finding(value=b"late"), a_finding(input="d2")])
    assert store.space("ops").findings([first.key]) == {first.key: first}
    assert store.space("ops").finding_counts() == {("vector.1", "m"): 2}


def test_no_space_sees_the_findings_of_another(store):
    store.space("ops").add_findings([a_finding()])
    assert store.space("web").findings([finding_key("d1", "vector.1", "m")]) == {}
    assert store.space("web").erase_findings(["d1"]) == 0


def test_erasing_a_text_reaches_whatever_was_made_of_it_and_nothing_else(store):
    of_it = [a_finding(), a_finding(model="n"), a_finding(version="title.1", input="d9", parts=("d1", "d2"))]
    others = [a_finding(input="d2"), a_finding(version="title.1", input="d8", parts=("d2",))]
    space = store.space("ops")
    space.add_findings([*of_it, *others])
    assert space.erase_findings(["d1", "unknown"]) == 3
    assert set(space.findings([each.key for each in (*of_it, *others)]).values()) == set(others)


def test_thousands_are_read_and_erased_at_once(store):
    many = [a_finding(input=f"d{number}") for number in range(2_001)]
    space = store.space("ops")
    space.add_findings(many)
    assert len(space.findings([each.key for each in many])) == 2_001
    assert space.erase_findings([each.input for each in many]) == 2_001


def test_findings_are_in_no_digest(store):
    space = store.space("ops")
    before = space.digest()
    space.add_findings([a_finding()])
    assert space.digest() == before
