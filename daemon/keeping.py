"""What people set on pages beside their statements, as it is stored: one cursor a page (see repo_export/kept.py)."""

from collections.abc import Mapping

from dreamd.daemon.storage.store import SpaceStore
from dreamd.repo_export.kept import Kept, kept_from_text, kept_to_text

KEPT = "kept:"  # what the names of the cursors begin with; a stream's id or a path follows


def read_kept(store: SpaceStore) -> dict[str, Kept]:
    """By stream, or by path of a file that is no page."""
    return {name.removeprefix(KEPT): kept_from_text(text) for name, text in store.cursors(KEPT).items()}


def moved_kept(kept: Mapping[str, Kept], before: Mapping[str, Kept]) -> list[tuple[str, str]]:
    """The cursors of those that changed."""
    return [(f"{KEPT}{key}", kept_to_text(own)) for key, own in kept.items() if own != before.get(key)]
