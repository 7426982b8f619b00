"""What a change says of itself, to machines and to people."""

from dataclasses import replace

import pytest

from dreamd.lifecycle.reasons import kinds_of, reason
from dreamd.lifecycle.values import Pin
from dreamd.lifecycle.words import ClaimStatus, DecayClass, EventKind, Phase, Status, Vitality
from tests.builders import an_event, day
from tests.memory_space import MemorySpace
from tests.stories import a_stream


@pytest.fixture
def claim():
    space = MemorySpace()
    space.told(day(0), an_event(decay=DecayClass.SESSION, kind=EventKind.DECISION))
    return space.claim("The cache is warm")


STREAM = a_stream(evidence_digest="a")


@pytest.mark.parametrize(
    ("fields", "kinds"),
    [
        ({"phase": Phase.EMERGENT}, ("phase:emergent",)),
        ({"evidence_digest": "b", "phase": Phase.CANONICAL}, ("evidence", "phase:canonical")),
        ({"vitality": Vitality.DORMANT, "status": Status.FADED}, ("vitality:dormant", "status:faded")),
        ({"headline": "Another"}, ("update",)),
    ],
)
def test_a_stream_says_each_thing_that_happened_to_it(fields, kinds):
    assert kinds_of(STREAM, replace(STREAM, **fields)) == kinds


def test_a_phase_that_falls_was_recomputed():
    before = replace(STREAM, phase=Phase.CANONICAL)
    after = replace(STREAM, phase=Phase.EMERGENT, evidence_digest="b")
    assert kinds_of(before, after) == ("evidence", "phase_recomputed")
    assert "from canonical to emergent" in reason(before, after, "")


def test_a_new_stream_may_be_emergent_at_once():
    assert kinds_of(None, replace(STREAM, phase=Phase.EMERGENT)) == ("create", "phase:emergent")


def test_a_crossing_names_its_instant():
    after = replace(STREAM, vitality=Vitality.DECAYING, crossed_at=day(7))
    assert "decaying since 2026-01-12 09:00" in reason(STREAM, after, "")


def test_a_claim_that_runs_out_expires_and_one_that_is_ended_is_superseded(claim):
    over = replace(claim, status=ClaimStatus.SUPERSEDED)
    ended = replace(over, closed_by="ev_1", valid_to=day(2))
    assert kinds_of(claim, over) == ("expire",)
    assert kinds_of(claim, ended) == ("supersede",)
    assert reason(claim, over, "") == "its time is over"
    assert reason(claim, ended, "same slot") == "superseded by ev_1, valid to 2026-01-07 09:00; same slot"


def test_a_claim_says_that_it_was_retracted_stated_again_or_reopened(claim):
    gone = replace(claim, status=ClaimStatus.RETRACTED, retracted_at=day(1), closed_by="ev_1")
    assert kinds_of(claim, gone) == ("retract",)
    assert kinds_of(gone, claim) == ("reopen",)
    assert kinds_of(claim, replace(claim, support=2)) == ("support",)
    assert reason(claim, replace(claim, support=2), "") == "stated 2 times, 1 before"


def test_other_rows_are_added_changed_or_taken_back():
    pin = Pin(id="pn_1", space="default", subject="st_1", stream="st_1", pinned_at=day(0))
    later = replace(pin, pinned_at=day(1))
    assert [kinds_of(None, pin), kinds_of(pin, later), kinds_of(pin, None)] == [("create",), ("update",), ("remove",)]
    assert [reason(None, pin, ""), reason(pin, later, ""), reason(pin, None, "")] == [
        "pin added",
        "pin changed",
        "pin taken back",
    ]
    assert reason(None, pin, "by a person") == "by a person"
