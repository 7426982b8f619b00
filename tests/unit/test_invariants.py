"""What must hold between the rows, each seen when it is broken."""

from dataclasses import replace

import pytest

from dreamd.lifecycle.invariants import Neighbourhood, broken
from dreamd.lifecycle.values import Pin
from dreamd.lifecycle.words import ClaimStatus, EventKind, Phase, Status
from tests.builders import an_event, day
from tests.memory_space import MemorySpace


def rows() -> Neighbourhood:
    space = MemorySpace()
    space.told(day(2), *(an_event(f"use {one}", day(n), kind=EventKind.DECISION) for n, one in enumerate("ab")))
    return space.store.neighbourhood()


def with_stream(**fields) -> Neighbourhood:
    whole = rows()
    return replace(whole, streams=(replace(whole.streams[0], **fields),))


def with_claims(change) -> Neighbourhood:
    whole = rows()
    return replace(whole, claims=tuple(change(claim) for claim in whole.claims))


def with_links(**fields) -> Neighbourhood:
    whole = rows()
    return replace(whole, links=tuple(replace(link, **fields) for link in whole.links))


def current_again(claim):
    return replace(claim, status=ClaimStatus.CURRENT, closed_by=None)


def retracted_at_no_time(claim):
    return replace(claim, status=ClaimStatus.RETRACTED, retracted_at=None)


PIN = Pin(id="pn_1", space="default", subject="st_0", stream="st_0", pinned_at=day(0))


def test_what_a_dream_makes_is_whole():
    assert broken(rows()) == []
    assert broken(Neighbourhood(streams=())) == []


@pytest.mark.parametrize(
    ("neighbourhood", "sentence"),
    [
        (replace(rows(), pins=(PIN,)), "pin pn_1 belongs to stream st_0, which is not there"),
        (replace(rows(), streams=()), "which is not there"),
        (replace(rows(), events=frozenset()), "leads from event"),
        (with_links(claim="cl_0"), "states claim cl_0, which is not in stream"),
        (replace(rows(), links=()), "has no evidence"),
        (replace(rows(), links=()), "is stated by no linked event"),
        (with_stream(status=Status.MERGED), "has status merged and is merged into None"),
        (with_stream(status=Status.MERGED, merged_into="st_0"), "which is not another stream"),
        (with_stream(phase=Phase.EMERGENT, emergent_at=None), "no evidence made it emergent"),
        (with_stream(phase=Phase.CANONICAL, canonical_at=None), "no evidence made it so"),
        (with_stream(status=Status.FADED, is_protected=True), "is protected, yet faded"),
        (with_stream(coverage=1.1), "has coverage 1.1, allowed are 0 to 1"),
        (with_stream(base_confidence=float("nan")), "has base_confidence nan"),
        (with_claims(current_again), "which is still current"),
        (with_claims(lambda claim: replace(claim, supersedes="cl_0")), "which is not in its stream"),
        (with_claims(retracted_at_no_time), "is retracted, but not since when"),
    ],
)
def test_a_broken_invariant_is_said_in_a_sentence(neighbourhood, sentence):
    assert any(sentence in said for said in broken(neighbourhood))


def test_a_stream_merged_into_itself_is_broken():
    stream = rows().streams[0]
    assert any(
        "not another stream" in said for said in broken(with_stream(status=Status.MERGED, merged_into=stream.id))
    )
