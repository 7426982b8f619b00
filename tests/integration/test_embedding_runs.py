"""A run asks an embedder only where its rules leave a pair open, says so, and asks for nothing twice."""

import subprocess
import sys

import pytest

from dreamd.daemon import nearness
from tests.cli import NOON, command_in, lines
from tests.embedders import LettersEmbedder

OPEN = (  # no guard stops them, and enough words are shared to ask
    "The nightly upload of the search index is retried by the worker after every network timeout",
    "After each network timeout the worker retries uploading the nightly search index to storage quickly",
)
CLOSED = ("The port is 8080 for the console", "The port is 9090 for the console")


def said(*texts, target="uploads"):
    return lines(
        *(
            {
                "at": f"2026-03-0{day}T08:00:00Z",
                "text": text,
                "kind": "observation",
                "target": target,
                "id": f"{target}{day}",
            }
            for day, text in enumerate(texts, start=1)
        )
    )


@pytest.fixture
def embedder(monkeypatch):
    """The embedder that every run of the test is given."""
    made = LettersEmbedder()
    monkeypatch.setattr(nearness, "chosen", lambda _: "minilm")
    monkeypatch.setattr(nearness, "make_embedder", lambda _, **__: made)
    return made


@pytest.fixture
def dreamd(tmp_path, capsys):
    command = command_in(tmp_path / "home", capsys)
    assert command("init").code == 0
    return command


@pytest.fixture
def ingest(dreamd, tmp_path):
    def taken_in(text):
        file = tmp_path / "events.jsonl"
        file.write_text(text)
        assert dreamd("ingest", "events", str(file)).code == 0

    return taken_in


def test_a_run_embeds_the_open_pair_and_names_the_embedder(dreamd, ingest, embedder):
    ingest(said(*OPEN) + said(*CLOSED, target="console"))
    value = dreamd("run", "--json", "--now", NOON).value
    assert sorted(embedder.asked) == sorted(OPEN)
    assert value["models"] == ["embedder minilm (letters)"]
    assert "- embedder minilm (letters)" in dreamd("report").out
    assert dreamd("report", "--json").value["models"] == value["models"]


def test_a_run_that_leaves_nothing_open_asks_no_embedder_and_names_none(dreamd, ingest, embedder):
    ingest(said(*CLOSED) + said("The cache is warmed at noon", target="cache"))
    assert dreamd("run", "--json", "--now", NOON).value["models"] == []
    assert embedder.asked == []
    assert "embedder" not in dreamd("report").out


def test_a_dry_run_leaves_nothing_behind_and_the_run_after_it_finds_the_same(dreamd, ingest, embedder):
    ingest(said(*OPEN))
    dry = dreamd("run", "--dry-run", "--json", "--now", NOON).value
    ran = dreamd("run", "--json", "--now", NOON).value
    assert (ran["counts"]["changes"], ran["models"]) == (len(dry["changes"]), dry["models"])
    assert dreamd("report", "--json").value["id"] == dry["run"]  # a hash of all changes
    assert len(embedder.asked) == 2 * len(OPEN)


def test_what_was_embedded_in_one_run_is_not_embedded_in_the_next(dreamd, ingest, embedder):
    ingest(said(*OPEN))
    dreamd("run", "--json", "--now", NOON)
    ingest(said(*OPEN, OPEN[0] + " and logged", target="uploads"))
    dreamd("run", "--json", "--now", "2026-03-21T12:00:00Z")
    assert len(embedder.asked) == len(set(embedder.asked))


def test_an_embedder_that_is_set_and_not_installed_ends_a_run_with_what_to_do(dreamd, ingest, monkeypatch):
    monkeypatch.setattr("dreamd.reflection.embedding.minilm.find_spec", lambda _: None)
    monkeypatch.setenv("DREAMD_EMBEDDING__EMBEDDER", "minilm")
    ingest(said(*OPEN))
    answer = dreamd("run", "--json", "--now", NOON)
    assert answer.code == 78
    assert answer.error["error"].startswith("embedder minilm needs onnxruntime")
    assert answer.error["hint"] == "pip install 'dreamd[minilm]'"


def test_without_any_extra_the_words_decide_alone(dreamd, ingest, monkeypatch):
    monkeypatch.setenv("DREAMD_EMBEDDING__EMBEDDER", "lexical")
    ingest(said(*OPEN))
    assert dreamd("run", "--json", "--now", NOON).value["models"] == []


@pytest.mark.parametrize("words", [("--help",), ("--now", NOON, "run")])
def test_nothing_heavy_is_imported_by_help_nor_by_a_run_that_leaves_nothing_open(dreamd, ingest, tmp_path, words):
    ingest(said(*CLOSED))
    heavy = ("numpy", "sklearn", "scipy", "onnxruntime", "tokenizers", "torch", "sentence_transformers")
    program = (
        "import sys\n"
        "from dreamd.daemon.cli import main\n"
        f"code = main(['--home', {str(tmp_path / 'home')!r}, *{words!r}])\n"
        f"sys.stderr.write(' '.join(name for name in {heavy!r} if name in sys.modules))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
