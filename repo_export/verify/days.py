"""Days as metadata and front matter write them."""

from datetime import date


def is_day(text: str) -> bool:
    """True for `YYYY-MM-DD`, and only for a day that there is."""
    try:
        return str(date.fromisoformat(text)) == text
    except ValueError:
        return False
