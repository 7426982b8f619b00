"""The embedder that is always there, and which one a setting means."""

import subprocess
import sys
from importlib.util import find_spec
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.errors import Configuration
from dreamd.daemon.home import Home
from dreamd.daemon.settings import load
from dreamd.reflection.embedding import minilm, semantic
from dreamd.reflection.embedding.choice import chosen, make_embedder
from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.files import folder_digest
from dreamd.reflection.embedding.lexical import DIMENSION, Lexical
from dreamd.reflection.embedding.vectors import cosine, rounded

TEXTS = st.lists(st.text(max_size=60), min_size=1, max_size=6)


@given(TEXTS, st.randoms())
def test_a_lexical_vector_is_a_function_of_its_text_whatever_the_batch(texts, chance):
    alone = {text: list(Lexical().embed([text])[0]) for text in texts}
    mixed = list(texts)
    chance.shuffle(mixed)
    assert [list(vector) for vector in Lexical().embed(mixed)] == [alone[text] for text in mixed]


@given(TEXTS)
def test_a_lexical_vector_has_length_one_or_says_nothing(texts):
    for vector in Lexical().embed(texts):
        assert len(vector) == DIMENSION
        assert sqrt(sum(each * each for each in vector)) == pytest.approx(1) or not any(vector)


def test_no_text_has_no_vector():
    assert list(Lexical().embed([])) == []


def test_a_restated_sentence_is_lexically_nearer_than_another_one():
    said, restated, other = (
        rounded(vector)
        for vector in Lexical().embed(
            [
                "The worker retries a failed upload three times.",
                "A failed upload is retried three times by the worker.",
                "The header of the page stays in sight while scrolling.",
            ]
        )
    )
    assert cosine(said, restated) > 0.5
    assert cosine(said, other) < 0.3


@pytest.fixture
def installed(monkeypatch):
    """Say which packages are there."""

    def install(*names):
        def find(name):
            return find_spec("json") if name in names else None

        monkeypatch.setattr(minilm, "find_spec", find)
        monkeypatch.setattr(semantic, "find_spec", find)

    return install


@pytest.mark.parametrize(
    ("packages", "expected"),
    [
        ((), "lexical"),
        (minilm.PACKAGES, "minilm"),
        (minilm.PACKAGES[:2], "lexical"),
        (("sentence_transformers",), "lexical"),
        ((*minilm.PACKAGES, "sentence_transformers"), "minilm"),
    ],
)
def test_auto_is_the_best_that_is_installed_with_its_weights(installed, packages, expected):
    installed(*packages)
    assert chosen("auto") == expected


def test_auto_takes_semantic_if_its_weights_are_installed_too(installed, monkeypatch, tmp_path):
    installed("sentence_transformers")
    monkeypatch.setattr(semantic, "packaged_model", lambda: tmp_path)
    assert chosen("auto") == "semantic"


@pytest.mark.parametrize(
    ("setting", "absent"), [("minilm", "onnxruntime, tokenizers"), ("semantic", "sentence_transformers")]
)
def test_an_embedder_that_is_not_installed_says_what_is_missing_and_how_to_get_it(installed, setting, absent):
    installed()
    with pytest.raises(NoEmbedder, match=f"needs {absent}") as raised:
        make_embedder(setting)
    assert raised.value.hint == f"pip install 'dreamd[{setting}]'"


@pytest.mark.parametrize("content", [b"something else", None])
def test_a_file_that_is_not_the_one_that_was_checked_is_not_loaded(installed, tmp_path, content):
    installed(*minilm.PACKAGES)
    tokenizer = tmp_path / "tokenizer.json"
    if content is not None:
        tokenizer.write_bytes(content)
    with pytest.raises(NoEmbedder, match="has sha256 .*; allowed: be50c362|No such file") as raised:
        minilm.MiniLM(tokenizer=tokenizer).embed(["a text"])
    assert str(tokenizer) in raised.value.message


def test_the_tokenizer_is_shipped_as_it_was_checked():
    assert minilm.checked(minilm.TOKENIZER, minilm.TOKENIZER_SHA256)


def test_a_model_is_known_by_all_its_files(tmp_path):
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "config.json").write_text("{}")
    before = folder_digest(tmp_path)
    (tmp_path / ".cache").write_text("x")
    assert folder_digest(tmp_path) == before
    (tmp_path / "1_Pooling" / "config.json").write_text("{}")
    assert folder_digest(tmp_path) != before


@pytest.mark.parametrize("value", ["auto", "lexical", "minilm", "semantic", "semantic:org/model", "semantic:/a b/c"])
def test_an_embedder_can_be_set(tmp_path, value):
    assert load(Home(tmp_path), {"DREAMD_EMBEDDING__EMBEDDER": value}).settings.embedding.embedder == value


@pytest.mark.parametrize("value", ["", "openai", "lexical:x", "semantic:", "semantic: x", "auto\n"])
def test_what_is_no_embedder_is_refused_with_what_is_allowed(tmp_path, value):
    with pytest.raises(Configuration, match="allowed: auto, lexical, minilm, semantic or semantic:MODEL"):
        load(Home(tmp_path), {"DREAMD_EMBEDDING__EMBEDDER": value})


def test_nothing_heavy_is_imported_to_choose_an_embedder():
    heavy = ("numpy", "sklearn", "onnxruntime", "tokenizers", "torch", "sentence_transformers", "huggingface_hub")
    program = (
        "import sys\n"
        "from dreamd.daemon import nearness\n"
        "from dreamd.reflection.embedding.choice import make_embedder\n"
        "make_embedder('auto')\n"
        f"print(*[name for name in {heavy!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")
