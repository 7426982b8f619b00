"""Which words of a statement carry content: what a correction or retraction must repeat of it."""

import re

from dreamd.reflection.polarity import stem

_WORD = re.compile(r"[^\W_]+(?:[.:/+#'-]+[^\W_]+)*[+#%]*")
# Words that carry no content of a statement.
_PLAIN = frozenset(
    {
        "a", "about", "after", "all", "an", "and", "any", "are", "as", "at", "be", "because", "been", "but",
        "by", "did", "do", "does", "for", "from", "had", "has", "have", "if", "in", "into", "is", "it", "its",
        "never", "no", "not", "of", "on", "or", "our", "ours", "so", "than", "that", "the", "their", "then",
        "there", "these", "they", "this", "to", "too", "until", "was", "we", "were", "when", "which", "while",
        "will", "with", "would",
    }
)  # fmt: skip


def content(text: str) -> frozenset[str]:
    """The words of `text` without those that carry nothing, folded and stemmed."""
    words = (word.casefold() for word in _WORD.findall(text.replace("_", " ")))
    return frozenset(stem(word) for word in words if word not in _PLAIN)
