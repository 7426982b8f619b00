"""What each embedder costs and what it sees: start, sentences a CPU second, memory; graded relatedness, paraphrases.

Each runs in a process of its own, one that is not installed is named. Quality is measured on labelled pairs in
DATA/pairs (`pairs_sick.jsonl`: graded by people, Spearman's rank correlation; `pairs_mrpc.jsonl`: paraphrase or not,
area under the curve), every third pair, without any threshold: what is merged is the matter of `bench/pairs`.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.calibration import calibration_seconds
from bench.measure import BYTES_PER_UNIT, MEBIBYTE
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.storage.store import Store
from dreamd.reflection.embedding import minilm, semantic
from dreamd.reflection.embedding.choice import make_embedder
from dreamd.reflection.embedding.vectors import cosine, rounded
from dreamd.reflection.ports import Embedder

EMBEDDERS = ("lexical", "minilm", "semantic")
TEXTS = {"lexical": 4_000, "minilm": 400, "semantic": 200}  # how many sentences are timed
KEPT = 2_000  # vectors that are written and read back
EVERY = 3  # of the labelled pairs
SAID = """
service worker upload retries timeout cache redis port build lock file fails since because after the old new config
schema index table session token header page sort query slow fast three times nightly release rolled back
"""
WORDS = SAID.split()


def main(data_dir: Path) -> None:
    missing = {"lexical": (), "minilm": minilm.missing(), "semantic": semantic.missing()}
    for name in EMBEDDERS:
        if missing[name]:
            print(f"{name:<9} skipped: {', '.join(missing[name])} is not installed")
            continue
        program = f"from bench.embedding import measure_one; measure_one({name!r}, {str(data_dir)!r})"
        subprocess.run((sys.executable, "-c", program), check=True)


def measure_one(name: str, data: str) -> None:
    """Print the figures of one embedder; to be called in a fresh process."""
    before = _peak_mb()
    started = time.process_time()
    embedder = make_embedder(name)
    embedder.embed(["the first sentence"])
    start = time.process_time() - started
    loaded = _peak_mb()
    short, long = _sentences(TEXTS[name], 14), _sentences(TEXTS[name] // 4, 72)
    rates = [len(texts) / _cpu_seconds(embedder, texts) for texts in (short, long)]
    print(
        f"{name:<9} {embedder.model}, {embedder.dimension} components; calibration {calibration_seconds():.3f} CPU s\n"
        f"          start {start:.2f} CPU s; peak {before:.0f} MB before, {loaded:.0f} loaded; "
        f"{rates[0]:.0f} sentences of 14 words a CPU s, {rates[1]:.0f} of 72 words, {_peak_mb():.0f} MB then"
    )
    if embedder.is_kept:
        _print_keeping(embedder)
    _print_quality(embedder, Path(data) / "pairs")


def _print_keeping(embedder: Embedder) -> None:
    """What a vector costs that is there already, against one that has to be made."""
    texts = _sentences(KEPT, 14)
    vectors = {text: [float(len(text) % 7 == place % 7) / 20 for place in range(embedder.dimension)] for text in texts}
    with TemporaryDirectory() as folder:
        store = Store.open(Path(folder) / "dreamd.db", window_days=7.0)
        given = _Given(embedder.model, embedder.dimension, vectors)
        seconds = []
        for _ in range(2):
            nearness = Nearness(given, store.space("bench"), lambda _: None, name="bench")
            started = time.process_time()
            nearness.prepare(texts)
            seconds.append(time.process_time() - started)
        store.close()
    print(f"          {KEPT} vectors: keeping them {seconds[0]:.2f} CPU s, reading them back {seconds[1]:.2f} CPU s")


class _Given:
    """Answers from a table, so that only the keeping is timed."""

    is_kept = True

    def __init__(self, model: str, dimension: int, vectors: dict[str, list[float]]) -> None:
        self.model, self.dimension, self._vectors = model, dimension, vectors

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._vectors[text] for text in texts]


def _print_quality(embedder: Embedder, folder: Path) -> None:
    from scipy.stats import spearmanr  # noqa: PLC0415 - after the memory was read
    from sklearn.metrics import roc_auc_score  # noqa: PLC0415

    for file, field in (("pairs_sick.jsonl", "relatedness"), ("pairs_mrpc.jsonl", "label")):
        if not (folder / file).is_file():
            print(f"          skipped: there is no {folder / file}")
            continue
        pairs = _pairs(folder / file)
        near = [_near(embedder, pair) for pair in pairs]
        if field == "relatedness":
            told = f"rank correlation with people {spearmanr(near, [pair[field] for pair in pairs])[0]:.3f}"
        else:
            told = f"area under the curve {roc_auc_score([pair[field] == 'duplicate' for pair in pairs], near):.3f}"
        print(f"          {file}, {len(pairs)} pairs: {told}", flush=True)


def _pairs(file: Path) -> list[dict[str, Any]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines[::EVERY]]


def _near(embedder: Embedder, pair: dict[str, Any]) -> float:
    first, second = (rounded(vector) for vector in embedder.embed([pair["a"], pair["b"]]))
    return cosine(first, second)


def _cpu_seconds(embedder: Embedder, texts: list[str]) -> float:
    started = time.process_time()
    for start in range(0, len(texts), 64):
        embedder.embed(texts[start : start + 64])
    return time.process_time() - started


def _sentences(number: int, words: int) -> list[str]:
    """Sentences of `words` words that all differ."""
    return [
        " ".join(WORDS[(place * place + (place + 3) * each) % len(WORDS)] for place in range(words - 1)) + f" {each}"
        for each in range(number)
    ]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * BYTES_PER_UNIT / MEBIBYTE
