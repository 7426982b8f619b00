"""An embedder that needs no model: it counts letters, and remembers what it was asked."""

from collections.abc import Sequence
from math import sqrt


class LettersEmbedder:
    is_kept = True

    def __init__(
        self,
        model: str = "letters",
        dimension: int = 32,
        *,
        may_answer: bool = True,
        answer: Sequence[Sequence[float]] | None = None,
    ) -> None:
        """`may_answer`: False fails the test that asks; `answer`: what it says whatever it is asked."""
        self.model = model
        self.dimension = dimension
        self.asked: list[str] = []
        self._may_answer = may_answer
        self._answer = answer

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        assert self._may_answer, f"it was asked for {list(texts)}"
        self.asked += texts
        return [self._one(text) for text in texts] if self._answer is None else self._answer

    def _one(self, text: str) -> list[float]:
        counts = [0.0] * self.dimension
        for letter in text:
            counts[ord(letter) % self.dimension] += 1
        length = sqrt(sum(count * count for count in counts)) or 1.0
        return [count / length for count in counts]
