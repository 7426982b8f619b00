"""Cutting texts so that no half of a secret is left."""


def bounded(text: str, most: int) -> str:
    """`text` cut at the end of a word, so that no half of a secret is left that no shape would know."""
    if len(text) <= most:
        return text
    kept = text[: most + 1]
    end = max(kept.rfind(" "), kept.rfind("\n"))
    return kept[:end].rstrip() if end > 0 else ""
