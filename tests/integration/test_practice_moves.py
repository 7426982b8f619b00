"""Lessons and procedures when evidence goes to another stream: by an alias, by proof, or looked at again."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.aliasing import alias
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import ClaimKind, EventKind, Status
from tests.builders import an_event, day
from tests.integration.test_laws import a_space, assert_same, rows
from tests.integration.test_retarget import BILLING, LEDGER, WORK

END = 30.0
MINUTE = 1 / 1440


def release(at, session, wheel="wheel", release="release"):
    """Steps about three targets; the procedure belongs to the last one."""
    said = (
        (EventKind.ACTION, "Bumped the version", "version"),
        (EventKind.ACTION, "Built it from a clean tree", wheel),
        (EventKind.RESULT, "The release is out", release),
    )
    return [
        an_event(text, day(at + n * MINUTE), kind=kind, target=target, session=session)
        for n, (kind, text, target) in enumerate(said)
    ]


def repair(at, session, target="mailer"):
    said = (
        (EventKind.ERROR, "The mailer ran into its timeout"),
        (EventKind.ACTION, "Restarted the relay of the mailer"),
        (EventKind.RESULT, f"The mailer sent {int(at)} mails"),
    )
    return [
        an_event(text, day(at + n * MINUTE), kind=kind, target=target, session=session)
        for n, (kind, text) in enumerate(said)
    ]


def decided(at, session, first, second):
    said = (("Write logs as JSON", first), ("Keep logs for 30 days", second))
    return [
        an_event(text, day(at + n * MINUTE), kind=EventKind.DECISION, target=target, session=session)
        for n, (text, target) in enumerate(said)
    ]


def practice(space, kind=ClaimKind.PROCEDURE):
    names = {stream.id: stream.target for stream in space.store.streams()}
    return {(names[claim.stream], claim.text) for claim in space.store.claims() if claim.kind is kind}


def name(space, old, new, now):
    return space.order(lambda: alias(space.store, old, new), now)


def test_a_lesson_goes_with_its_evidence_to_the_survivor_of_an_alias():
    with a_space() as space:
        space.add(*repair(1, "s1"), *repair(2, "s2", "post"))
        space.dream(day(3))
        assert {target for target, _ in practice(space, ClaimKind.LESSON)} == {"mailer", "post"}
        name(space, "post", "mailer", day(4))
        ((target, text),) = practice(space, ClaimKind.LESSON)
        assert target == "mailer" and text.endswith("worked (2 of 2)")
        plan = space.revert(space.store.head().number, day(5))
        assert plan is not None
        space.dream(day(5))
        assert {target for target, _ in practice(space, ClaimKind.LESSON)} == {"mailer", "post"}


def test_an_alias_of_a_step_on_the_way_makes_a_procedure_of_a_stream_that_it_does_not_name():
    with a_space() as space:
        space.add(*release(1, "s1")[1:], *release(2, "s2", "bdist")[1:])
        space.dream(day(3))
        assert not practice(space)
        name(space, "bdist", "wheel", day(4))
        ((target, text),) = practice(space)
        assert target == "release" and "Built it from a clean tree" in text


def test_targets_that_become_one_unmake_what_was_decided_at_two_of_them():
    with a_space() as space:
        space.add(*decided(1, "s1", "api", "api"), *decided(2, "s2", "web", "web"))
        space.dream(day(3))
        assert {target for target, _ in practice(space)} == {"api"}
        name(space, "web", "api", day(4))
        assert not practice(space)


def test_a_merge_by_proof_takes_practice_along():
    with a_space(Policy(fuse_min_changes=1_000)) as space:
        _, step, success = release(2, "s2", "wheel-jobs")
        space.add(*release(1, "s1", "wheel-job")[1:], success)
        space.dream(day(3))
        assert not practice(space)
        space.add(step)
        space.dream(day(4))
        assert any(stream.status is Status.MERGED for stream in space.store.streams())
        assert {target for target, _ in practice(space)} == {"release"}


SCENES = [
    *(tuple(release(n, f"r{n}", wheel)) for n, wheel in ((1, "wheel"), (2, "bdist"), (3, "package"))),
    *(tuple(release(n, f"r{n}", "wheel", last)) for n, last in ((4, "release"), (5, "publishing"))),
    *(tuple(repair(n, f"m{n}", target)) for n, target in ((6, "mailer"), (7, "post"))),
    *(tuple(decided(n, f"d{n}", *two)) for n, two in ((8, ("api", "api")), (9, ("web", "api")), (10, ("web", "web")))),
]
ALIASES = [("bdist", "wheel"), ("package", "bdist"), ("publishing", "release"), ("post", "mailer"), ("web", "api")]


def told(steps, dreams):
    """The rows after `steps` (scenes and aliases) in their order; `dreams`: before which of them there is a dream."""
    with a_space() as space:
        now = END - len(steps) / 10
        for place, step in enumerate(steps):
            if place in dreams:
                space.dream(day(now))
            if isinstance(step[0], str):
                name(space, step[0], step[1], day(now))
            else:
                space.add(*step)
            now += 0.1
        space.dream(day(END))
        assert space.dream(day(END)).changes == ()
        return rows(space)


@settings(max_examples=10)
@given(st.data())
def test_practice_is_the_same_wherever_aliases_take_their_place_among_the_evidence(data):
    places = data.draw(st.sets(st.integers(0, len(SCENES) - 1), min_size=3))
    scenes = [SCENES[place] for place in sorted(places)]
    aliases = data.draw(st.lists(st.sampled_from(ALIASES), min_size=1, unique=True))
    late = data.draw(st.sets(st.integers(0, len(scenes) - 1), max_size=2))  # scenes that the first event came late of
    come = [scene[1:] if place in late else scene for place, scene in enumerate(scenes)]
    come += [scenes[place][:1] for place in sorted(late)]
    mixed = data.draw(st.permutations([*come, *aliases]))
    every = range(1, len(mixed) + 1)
    dreams = data.draw(st.just(set(every)) | st.sets(st.sampled_from(every), max_size=8))
    assert_same(told(mixed, dreams), told([*aliases, *scenes], ()))


@pytest.mark.parametrize("kind", [ClaimKind.LESSON, ClaimKind.PROCEDURE])
def test_no_practice_belongs_to_a_stream_that_was_merged_away(kind):
    with a_space() as space:
        space.add(*(event for scene in SCENES for event in scene))
        space.dream(day(END))
        for n, (old, new) in enumerate(ALIASES, 1):
            name(space, old, new, day(END + n))
        away = {stream.target for stream in space.store.streams() if stream.status is Status.MERGED}
        assert len(away) == len(ALIASES)
        assert practice(space, kind) and not away & {target for target, _ in practice(space, kind)}


def test_a_step_whose_target_is_learned_later_makes_a_procedure_of_a_stream_without_news():
    def closing(at, session):
        step = an_event(LEDGER.text, day(at), kind=EventKind.ACTION, target=None, session=session)
        out = an_event("The release is out", day(at + MINUTE), kind=EventKind.RESULT, target="release", session=session)
        return [step, out]

    with a_space() as space:
        space.add(*WORK, *closing(24, "s1"), *closing(25, "s2"))
        space.dream(day(26))
        assert not practice(space)
        space.add(*BILLING)
        space.dream(day(32))
        ((target, text),) = practice(space)
        assert target == "release" and LEDGER.text in text
        space.revert(space.store.head().number, day(33))
        assert not practice(space)
