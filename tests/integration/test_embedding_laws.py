"""With an embedder, what is found is a function of the events and the model, not of nights, order or the cache."""

import shutil
from contextlib import contextmanager

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.nearness import Nearness
from dreamd.lifecycle.policy import Policy
from tests.builders import an_event, day
from tests.embedders import LettersEmbedder
from tests.histories import MEMORY_DISK, empty_store
from tests.live import LiveSpace

NO_FUSES = Policy(fuse_min_changes=10_000)
WORDINGS = (  # the letters of some are nearer than their words, and no guard stops them
    "The nightly upload of the search index is retried by the worker after every network timeout",
    "After each network timeout the worker retries uploading the nightly search index to storage quickly",
    "The worker retries the nightly upload of the search index after a network timeout",
    "The worker uploads the search index nightly and retries it quickly on network timeouts in storage",
    "Uploads of the search index by the worker are retried nightly on a network timeout",
    "The nightly upload of the search index is retried 3 times by the worker after a network timeout",
    "The search index lives in storage",
)
told = st.lists(
    st.tuples(st.sampled_from(WORDINGS), st.integers(0, 9), st.sampled_from(["worker", "worker", "index"])),
    min_size=2,
    max_size=14,
    unique=True,
)


@contextmanager
def a_space(folder, embedder):
    folder.mkdir()
    shutil.copy(empty_store() / "dreamd.db", folder / "dreamd.db")
    space = LiveSpace(folder, with_git=False, policy=NO_FUSES)
    space.near = Nearness(embedder, space.store, lambda _: None, name="test")
    try:
        yield space
    finally:
        space.close()


@settings(max_examples=10)
@given(told, st.sampled_from([1, 2, 4]), st.randoms())
def test_night_by_night_or_all_at_once_and_in_any_order_gives_the_same_rows(tmp_path_factory, history, every, chance):
    base = MEMORY_DISK if MEMORY_DISK.is_dir() else None
    folder = tmp_path_factory.mktemp("laws") if base is None else base / f"laws-{chance.getrandbits(64):x}"
    folder.mkdir(exist_ok=True)
    events = [an_event(text, day(at), target=target, session=f"s{at}") for text, at, target in history]
    try:
        with a_space(folder / "nightly", LettersEmbedder()) as nightly:
            for night in range(every, 13, every):
                nightly.add(*(event for event in events if day(night - every) <= event.at < day(night)))
                nightly.near = Nearness(LettersEmbedder(), nightly.store, lambda _: None, name="test")
                nightly.dream(day(night))
            nightly.dream(day(14))
            rows = nightly.digest()
        chance.shuffle(events)
        with a_space(folder / "at-once", LettersEmbedder()) as at_once:
            at_once.add(*events)
            at_once.dream(day(14))
            assert at_once.digest() == rows
    finally:
        shutil.rmtree(folder)


def test_the_texts_of_this_law_are_ones_that_an_embedder_is_asked_for(tmp_path):
    embedder = LettersEmbedder()
    with a_space(tmp_path / "home", embedder) as space:
        space.add(*(an_event(text, day(at)) for at, text in enumerate(WORDINGS)))
        plan = space.dream(day(14))
    assert len(set(embedder.asked)) >= 3
    assert plan.models == ("embedder test (letters)",)
