"""What was ended by something that was never true holds again."""

from pathlib import Path

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, ClaimStatus, EventKind
from tests.builders import an_event, day
from tests.live import LiveSpace


def said(text: str, at: float, kind: EventKind = EventKind.DECISION) -> Event:
    return an_event(text, day(at), kind=kind, target="rate limit", actor=Actor.USER, session=f"s{at}")


def statuses(space: LiveSpace) -> dict[str, ClaimStatus]:
    return {claim.text: claim.status for claim in space.store.claims()}


def a_space(folder: Path) -> LiveSpace:
    space = LiveSpace(folder, with_git=False)
    space.add(said("Use 100 requests for the rate limit", 0))
    space.dream(day(1))
    space.add(said("Use 1000 requests for the rate limit", 2))
    space.dream(day(3))
    return space


def test_what_a_claim_took_the_place_of_holds_again_when_that_claim_is_taken_back(tmp_path: Path) -> None:
    space = a_space(tmp_path)
    first, second = "Use 100 requests for the rate limit", "Use 1000 requests for the rate limit"
    assert statuses(space) == {first: ClaimStatus.SUPERSEDED, second: ClaimStatus.CURRENT}
    before = space.digest()
    space.add(said(f'"{second}" was never true', 4, EventKind.RETRACTION))
    plan = space.dream(day(5))
    assert statuses(space) == {first: ClaimStatus.CURRENT, second: ClaimStatus.RETRACTED}
    assert {claim.supersedes for claim in space.store.claims()} == {None}
    assert space.store.claims()[0].closed_by is None or space.store.claims()[1].closed_by is None
    space.revert(plan.number, day(6))
    assert space.digest() == before
    space.close()


def test_in_one_go_it_comes_to_the_same(tmp_path: Path) -> None:
    space = LiveSpace(tmp_path, with_git=False)
    first, second = "Use 100 requests for the rate limit", "Use 1000 requests for the rate limit"
    space.add(said(first, 0), said(second, 2), said(f'"{second}" was never true', 4, EventKind.RETRACTION))
    space.dream(day(5))
    assert statuses(space) == {first: ClaimStatus.CURRENT, second: ClaimStatus.RETRACTED}
    space.close()
