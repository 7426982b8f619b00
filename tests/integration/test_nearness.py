"""Vectors in a real store: made once, kept a batch at a time, and made anew for another model without any loss."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dreamd.daemon.errors import Configuration
from dreamd.daemon.nearness import BATCH, Nearness, nearness_for, vector_input
from dreamd.daemon.settings import Embedding
from dreamd.daemon.storage.store import Store
from tests.embedders import LettersEmbedder

ROOT = Path(__file__).parents[2]
TEXTS = [f"statement number {number} is about {'abcdefghij'[number % 10] * 3}" for number in range(2 * BATCH + 10)]


def nothing(_failpoint):
    """The failpoint of a process that nobody wants to fail."""


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "dreamd.db", window_days=7.0)
    yield opened.space("ops")
    opened.close()


def a_nearness(store, embedder, **given):
    return Nearness(embedder, store, nothing, name="test", **given)


def test_a_text_is_embedded_once_however_often_it_is_compared(store):
    embedder = LettersEmbedder()
    nearness = a_nearness(store, embedder)
    first = nearness("abc", "abd")
    assert (nearness("abd", "abc"), nearness("abc", "abc")) == (first, 1.0)
    assert sorted(embedder.asked) == ["abc", "abd"]


def test_the_next_run_reads_what_the_last_one_kept(store):
    before = a_nearness(store, LettersEmbedder())
    before.prepare(TEXTS)
    silent = LettersEmbedder(may_answer=False)
    after = a_nearness(store, silent)
    assert after(TEXTS[0], TEXTS[1]) == before(TEXTS[0], TEXTS[1])
    after.prepare(TEXTS)
    assert (before.made, after.made, after.read) == (len(TEXTS), 0, len(TEXTS))


@pytest.mark.parametrize("size", [1, 7, BATCH, len(TEXTS)])
def test_what_is_near_depends_on_no_batch(store, size):
    alone = a_nearness(store, LettersEmbedder(), keeps=False)
    batched = a_nearness(store, LettersEmbedder())
    for start in range(0, len(TEXTS), size):
        batched.prepare(TEXTS[start : start + size])
    assert [batched(TEXTS[0], text) for text in TEXTS] == [alone(TEXTS[0], text) for text in TEXTS]


def test_a_kill_in_the_middle_redoes_only_what_was_not_kept(tmp_path):
    program = (
        "import sys\n"
        "from dreamd.daemon.failpoints import reach\n"
        "from dreamd.daemon.nearness import Nearness\n"
        "from dreamd.daemon.storage.store import Store\n"
        "from tests.embedders import LettersEmbedder\n"
        "from tests.integration.test_nearness import TEXTS\n"
        "store = Store.open(sys.argv[1], window_days=7.0).space('ops')\n"
        "Nearness(LettersEmbedder(), store, reach, name='test').prepare(TEXTS)\n"
    )
    database = tmp_path / "dreamd.db"
    environ = {**os.environ, "DREAMD_FAILPOINT": "embed-after-batch:2:kill"}
    done = subprocess.run([sys.executable, "-c", program, str(database)], cwd=ROOT, env=environ, check=False)
    assert done.returncode == -signal.SIGKILL
    opened = Store.open(database, window_days=7.0)
    embedder = LettersEmbedder()
    a_nearness(opened.space("ops"), embedder).prepare(TEXTS)
    assert len(embedder.asked) == len(TEXTS) - 2 * BATCH
    assert len(set(embedder.asked)) == len(embedder.asked)
    opened.close()


def test_another_model_with_another_dimension_embeds_anew_and_loses_nothing(store):  # P59
    small, large = LettersEmbedder("small", 384), LettersEmbedder("large", 1_024)
    a_nearness(store, small).prepare(TEXTS)
    changed = a_nearness(store, large)
    changed.prepare(TEXTS)
    assert sorted(large.asked) == sorted(TEXTS)
    assert store.finding_counts() == {("vector.1", "small"): len(TEXTS), ("vector.1", "large"): len(TEXTS)}
    back = a_nearness(store, LettersEmbedder("small", 384, may_answer=False))
    assert back(TEXTS[0], TEXTS[1]) == a_nearness(store, small)(TEXTS[0], TEXTS[1])


def test_a_model_that_changed_its_dimension_under_its_name_is_noticed_and_asked_again(store):
    a_nearness(store, LettersEmbedder("m", 384)).prepare(TEXTS[:5])
    grown = LettersEmbedder("m", 1_024)
    a_nearness(store, grown).prepare(TEXTS[:6])
    assert sorted(grown.asked) == sorted(TEXTS[:6])
    again = LettersEmbedder("m", 1_024, may_answer=False)
    a_nearness(store, again).prepare(TEXTS[:6])


def test_a_kept_vector_that_cannot_be_read_is_made_again(store, tmp_path):
    before = a_nearness(store, LettersEmbedder())
    near = before("abc", "abd")
    before.keep()
    with sqlite3.connect(tmp_path / "dreamd.db") as database:
        database.execute("UPDATE finding SET value = x'00'")
    after = a_nearness(store, LettersEmbedder())
    assert (after("abc", "abd"), after.made) == (near, 2)
    after.keep()
    assert a_nearness(store, LettersEmbedder(may_answer=False))("abc", "abd") == near


def test_a_dry_run_keeps_nothing_and_finds_the_same(store):
    dry = a_nearness(store, LettersEmbedder(), keeps=False)
    wet = a_nearness(store, LettersEmbedder())
    assert dry("abc", "abd") == wet("abc", "abd")
    dry.keep()
    assert store.finding_counts() == {}
    wet.keep()
    assert store.finding_counts() == {("vector.1", "letters"): 2}


def test_a_vector_that_costs_less_than_its_row_is_not_kept(store):
    nearness = nearness_for(Embedding(embedder="lexical"), store, nothing)
    assert 0 < nearness("a failed upload", "the upload failed") < 1
    assert store.finding_counts() == {}


def test_the_report_names_the_embedder_only_if_something_was_compared(store):
    nearness = nearness_for(Embedding(embedder="lexical"), store, nothing)
    assert nearness.told is None
    nearness("same", "same")
    assert nearness.told is None
    nearness("one", "another")
    assert nearness.told == "embedder lexical (lexical-1)"


def test_a_text_that_differs_in_white_space_alone_has_the_same_vector(store):
    embedder = LettersEmbedder()
    assert a_nearness(store, embedder)("a  failed\nupload", " a failed upload") == 1.0
    assert embedder.asked == []


def test_an_erased_text_leaves_no_vector(store):
    nearness = a_nearness(store, LettersEmbedder())
    nearness.prepare(["a secret", "no secret"])
    assert store.erase_findings([vector_input("a secret")]) == 1
    again = LettersEmbedder()
    a_nearness(store, again).prepare(["a secret", "no secret"])
    assert again.asked == ["a secret"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([[0.6, 0.8]], "answered 1 vectors of \\[2\\] components for 2 texts"),
        ([[0.6, 0.8], [1.0]], "answered 2 vectors of \\[1, 2\\] components"),
        ([[1.0], [1.0]], "allowed: one of 2 for each"),
        ([[0.6, 0.8], [float("nan"), 0.0]], "a component of a vector is nan"),
        ([[0.6, 0.8], [60.0, 80.0]], "a component of a vector is 60.0"),
    ],
)
def test_an_answer_that_is_no_vector_for_each_text_stops_the_run_with_its_reason(store, answer, expected):
    with pytest.raises(Configuration, match=expected):
        a_nearness(store, LettersEmbedder(dimension=2, answer=answer))("abc", "abd")
    assert store.finding_counts() == {}
