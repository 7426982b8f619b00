"""A stream that is taken further night by night ends where one that is grown whole does, bit by bit."""

import shutil
import tempfile
from pathlib import Path
from unittest.mock import patch

from hypothesis import event as seen
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor, ClaimStatus, DecayClass, EventKind, Status, Vitality
from dreamd.reflection.read import statement_of
from tests.builders import an_event, day
from tests.histories import MEMORY_DISK, empty_store
from tests.live import LiveSpace

NO_FUSES = Policy(fuse_min_changes=10_000)
PLAIN = (
    (EventKind.OBSERVATION, "The queue holds 40 jobs"),
    (EventKind.OBSERVATION, "The queue holds  40 jobs"),
    (EventKind.HYPOTHESIS, "The queue is slow because of the index"),
    (EventKind.OBSERVATION, "The jobs that the queue holds are 40"),
    (EventKind.OBSERVATION, "The slow queue holds 40 jobs"),
    (EventKind.OBSERVATION, "The queue holds 41 jobs"),
    (EventKind.OBSERVATION, "Use SQLite for the task queue"),
    (EventKind.ERROR, "The queue lost its connection"),
    (EventKind.RESULT, "The queue took up its work again"),
    (EventKind.COMMIT, "fix(queue): retry with backoff"),
    (EventKind.ACTION, "$ npm run build"),
    (EventKind.OBSERVATION, "Use PostgreSQL for the task queue"),
    (EventKind.OBSERVATION, "Deploys on Friday are allowed"),
    (EventKind.RESULT, "Deploys on Friday are not allowed"),
    (EventKind.COMMIT, "build(deps): bump ruff from 0.4.10 to 0.5.0"),
    (EventKind.COMMIT, "build(deps): bump ruff to 0.6.0"),
    (EventKind.OBSERVATION, "The audit of the queue is next Friday"),
    (EventKind.MESSAGE, "The queue holds 40 jobs. It is small.\n\n- The queue is slow because of the index"),
)
OUTRIGHT = (
    (EventKind.DECISION, "Use SQLite for the task queue"),
    (EventKind.DECISION, "Use PostgreSQL for the task queue. Run migrations with Alembic. Servers are cheap."),
    (EventKind.CORRECTION, "That was wrong: the queue holds 40 jobs"),
    (EventKind.PREFERENCE, "Always show the failing test first"),
    (EventKind.RETRACTION, "The queue is no longer used"),
)
moments = st.integers(0, 400).map(lambda tenth: tenth / 10)


def told(said, delay):
    return st.builds(
        lambda said, at, delay, **more: (an_event(said[1], day(at), kind=said[0], **more), at + delay),
        said=st.sampled_from(said),
        at=moments,
        delay=delay,
        target=st.sampled_from(["queue", "queue", "Queue", "deploys"]),
        actor=st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.TOOL, Actor.USER, Actor.EXTERNAL]),
        outcome=st.sampled_from([None, None, 0.0, 1.0]),
        session=st.sampled_from(["s1", "s2", "s3", None]),
        scope=st.sampled_from([None, "infra", "web"]),
        decay=st.sampled_from([None] * 12 + [DecayClass.SESSION]),
    )


# Most come the night after, some late; few say anything outright, so that most nights can extend.
in_time, late = st.just(0.0), st.sampled_from([0.0, 0.0, 3.0, 20.0])
histories = st.builds(
    lambda plain, other: plain + other,
    st.lists(told(PLAIN, in_time), min_size=1, max_size=40),
    st.lists(st.one_of(told(PLAIN, late), told(OUTRIGHT, late)), max_size=4),
)


class Counting(LiveSpace):
    """A space that tells how many streams its dreams extended."""

    def dream(self, now):
        take = self.store.snapshot
        self.extended = getattr(self, "extended", 0)

        def watched(*arguments):
            snapshot = take(*arguments)
            self.extended += len(snapshot.extensions)
            return snapshot

        with patch.object(self.store, "snapshot", watched):
            return super().dream(now)


def spaces():
    folder = Path(tempfile.mkdtemp(dir=MEMORY_DISK if MEMORY_DISK.is_dir() else None))
    found = []
    for name in ("nightly", "at-once"):
        (folder / name).mkdir()
        shutil.copy(empty_store() / "dreamd.db", folder / name / "dreamd.db")
        found.append(Counting(folder / name, with_git=False, policy=NO_FUSES))
    return folder, found


@given(histories, st.sampled_from([1, 1, 3]))
def test_night_by_night_or_all_at_once_gives_the_same_rows(history, every):
    folder, (nightly, at_once) = spaces()
    try:
        delivered = sorted(history, key=lambda pair: (pair[1], pair[0].id))
        for night in range(every, 65, every):
            batch = [event for event, at in delivered if night - every <= at < night]
            if batch or night % 14 == 0:
                nightly.add(*batch)
                nightly.dream(day(night))
        at_once.add(*(event for event, _ in delivered))
        for space in (nightly, at_once):
            space.dream(day(66))
        seen(f"extended: {min(nightly.extended, 10)}")
        assert nightly.digest() == at_once.digest()
    finally:
        for space in (nightly, at_once):
            space.close()
        shutil.rmtree(folder)


def test_what_a_person_did_in_between_is_not_overlooked(tmp_path):
    space = Counting(tmp_path, with_git=False, policy=NO_FUSES)
    for number in range(8):
        space.add(an_event(f"The queue holds {number} jobs", day(number), target="queue"))
        if number == 3:
            space.pin("queue", day(number))
        if number == 5:
            space.unpin("queue", day(number))
        if number == 7:
            space.revert(space.store.head().number, day(number))
        space.dream(day(number + 0.5))
    assert space.extended == 4  # the second and third, and the two after the pin was lifted
    assert {claim.text for claim in space.store.claims()} == {f"The queue holds {number} jobs" for number in range(8)}
    space.close()


def test_a_late_event_moves_the_instant_at_which_a_stream_had_faded(tmp_path):
    space = LiveSpace(tmp_path, with_git=False)
    space.add(an_event("It holds 40 jobs", day(0), target="queue"))
    space.add(*(an_event(f"Release {n}", day(n), target="releases") for n in (13, 16, 23, 29)))
    space.dream(day(42))
    faded = space.stream("queue")
    assert faded.status is Status.FADED
    space.add(an_event("It was quiet", day(9), target="releases"))  # so the space was awake for longer
    space.dream(day(43))
    assert space.stream("queue").crossed_at < faded.crossed_at
    space.close()


def test_a_stream_without_a_checkpoint_that_serves_is_grown_whole(tmp_path):
    space = LiveSpace(tmp_path, with_git=False)
    space.add(an_event("It holds 40 jobs", day(0), target="queue"))
    space.dream(day(1))
    stream = space.stream("queue")

    def extensions(first_at, policy, meets=()):
        news = {
            stream.id: PlainNews(
                first_at=day(first_at), sessions=frozenset(), restatable=frozenset(), meets=frozenset(meets)
            )
        }
        return space.store.snapshot([], {stream.id}, day(9), policy, news).extensions.keys()

    assert extensions(0.1, Policy()) == {stream.id}
    assert extensions(0, Policy()) == set()  # no later than what is in it
    assert extensions(0.1, NO_FUSES) == set()  # made under other rules
    space.add(an_event("It is not in use", day(1.5), target="queue"))
    space.dream(day(2))
    assert extensions(1.6, Policy(), meets={"another"}) == {stream.id}
    opposite = statement_of(an_event("It is in use", day(1.6), target="queue"))
    assert extensions(1.6, Policy(), meets=opposite.meets) == set()  # it may end what was said
    space.close()


def test_a_negation_is_added_unless_what_it_negates_was_said(tmp_path):
    space = Counting(tmp_path, with_git=False, policy=NO_FUSES)
    space.add(an_event("Replayed 12 requests with loss", day(0), target="queue"))
    space.dream(day(1))
    space.add(an_event("Replayed 327 requests without loss", day(1.5), target="queue"))
    space.dream(day(2))
    assert space.extended == 1
    space.add(an_event("Replayed 12 requests without loss", day(2.5), target="queue"))
    space.dream(day(3))
    by_text = {claim.text: claim.status for claim in space.store.claims()}
    assert by_text == {
        "Replayed 12 requests with loss": ClaimStatus.SUPERSEDED,
        "Replayed 327 requests without loss": ClaimStatus.CURRENT,
        "Replayed 12 requests without loss": ClaimStatus.CURRENT,
    }
    space.close()


def test_a_stream_that_only_grew_quiet_is_taken_further_when_it_is_told_again(tmp_path):
    space = Counting(tmp_path, with_git=False, policy=NO_FUSES)
    space.add(an_event("The queue holds 1 job", day(0), target="queue"))
    space.add(*(an_event(f"Release {n}", day(n), target="releases") for n in range(1, 13)))
    space.dream(day(1))
    before = space.extended
    space.dream(day(13))  # the queue is DECAYING now
    assert space.stream("queue").vitality is Vitality.DECAYING
    space.add(an_event("The queue holds 2 jobs", day(13.5), target="queue"))
    quiet = space.extended
    space.dream(day(14))
    assert (before, space.extended - quiet) == (0, 1)
    space.close()
