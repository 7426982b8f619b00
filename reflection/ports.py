"""What reflection may be given from outside: an embedder and a distiller.

Both make sentences better and never decide what is true. Without either, everything works (design, section 6).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    role: Literal["system", "user"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    text: str  # as the model gave it; nothing is believed of it before distilling/checking.py has read it
    tokens: int | None  # what question and answer cost, as the server says; None: it did not say


@dataclass(frozen=True, slots=True, kw_only=True)
class NoAnswer:
    """The model did not answer. What its server says about that is never taken for an answer."""

    reason: str  # one clause for a person; without the server's own words
    blames_input: bool  # the question may be why, so it counts against it; False: the server or its settings
    is_lasting: bool  # nobody else will be answered either, so this run asks no more


class Distiller(Protocol):
    """Answers a question about statements, in writing.

    Law: its answer is checked before use (distilling/checking.py). It may name only ids that it was shown, and no
    number or name that the statements do not hold. It costs against a token budget and is checkpointed per call. It
    can never delete, promote, merge or raise trust: what it says is text beside the evidence, never instead of it.
    """

    @property
    def model(self) -> str:
        """The id of the model and its version; part of the key of every cached answer."""

    def ask(self, messages: Sequence[Message], max_tokens: int) -> Answer | NoAnswer:
        """What the model makes of `messages`, in at most `max_tokens` tokens. Nothing a server does is raised."""
