"""What reflection may be given from outside: an embedder and a distiller.

Both make sentences better and never decide what is true. Without either, everything works (design, section 6).
"""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns texts into vectors.

    Law: a function of (text, model), whatever the batch; vectors have length 1 or are all zeros; an input never leaves
    this machine unless the settings say so. Another `model` makes every cached vector stale: they are made again from
    the texts, resumably, and nothing else is lost.
    """

    @property
    def model(self) -> str:
        """The id of the model and its version; part of the key of every cached vector."""

    @property
    def dimension(self) -> int:
        """The length of each vector, at least 1."""

    @property
    def is_kept(self) -> bool:
        """Whether a vector costs more to make than to keep."""

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """One vector per text, in the order of `texts`."""


class Distiller(Protocol):
    """Turns statements into one shorter sentence for a person to read.

    Law: its answer is validated before use. It may name only ids that it was shown, and no number or name that the
    statements do not hold. It costs against a token budget and is checkpointed per call. It can never delete, promote,
    merge or raise trust: what it says is text beside the evidence, never instead of it.
    """

    @property
    def model(self) -> str:
        """The id of the model and its version; part of the key of every cached answer."""

    def distil(self, statements: Mapping[str, str], budget_tokens: int) -> str | None:
        """One paragraph about `statements` (claim id -> text); None if the budget is spent or it has nothing to say."""
