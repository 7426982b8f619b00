"""The embedder that is always there: which words and pieces of words a text has, hashed into a vector.

Words and pairs of words fill the first half, pieces of 3 to 5 letters the second; a piece counts for more than a word,
since it also meets its inflections. Nothing is learnt from other texts (no inverse document frequency): a vector is a
function of its text. More components, or counts as they are, came out no better on paraphrases and on graded
relatedness (docs/embedders.md). So cheap to make that keeping the vectors would cost more.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

MODEL = "lexical-1"
DIMENSION = 1_024
WORD_SHARE = 0.5  # how much the half of the words weighs against that of the pieces


class Lexical:
    model = MODEL
    dimension = DIMENSION
    is_kept = False

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        import numpy as np  # noqa: PLC0415 - only when a vector is wanted

        if not texts:
            return []
        halves = [
            share * _of_length_one(_damped(vectorizer.transform(texts).toarray()))
            for share, vectorizer in zip((WORD_SHARE, 1.0), _vectorizers(), strict=True)
        ]
        vectors: list[list[float]] = _of_length_one(np.hstack(halves)).tolist()
        return vectors


@lru_cache(maxsize=1)
def _vectorizers() -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import HashingVectorizer  # noqa: PLC0415 - costs 0.8 CPU s

    def counting(**given: Any) -> Any:
        return HashingVectorizer(n_features=DIMENSION // 2, norm=None, alternate_sign=True, **given)

    words = counting(analyzer="word", ngram_range=(1, 2), token_pattern=r"(?u)\b\w+\b")
    return words, counting(analyzer="char_wb", ngram_range=(3, 5))


def _damped(counts: Any) -> Any:
    """A word said ten times says little more than one said twice."""
    import numpy as np  # noqa: PLC0415

    return np.sign(counts) * np.log1p(np.abs(counts))


def _of_length_one(vectors: Any) -> Any:
    """Each row of length 1, or all zeros as it was."""
    import numpy as np  # noqa: PLC0415

    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return vectors / np.where(lengths > 0, lengths, 1)
