"""Level `store`: files are what the manifest and the store say that they are."""

from collections.abc import Iterator

from dreamd.repo_export.manifest import digest_of_file
from dreamd.repo_export.verify.finding import Finding, Known, error, warning
from dreamd.repo_export.verify.tree import Tree


def written(tree: Tree) -> Iterator[Finding]:
    """Every file of the manifest is there as it was written."""
    for path, entry in (tree.manifest.files if tree.manifest else {}).items():
        if path not in tree.files:
            yield error(path, 0, "manifest", "it is in the manifest and not there")
        elif digest_of_file(tree.files[path]) != entry.sha256:
            yield warning(path, 0, "manifest", "it was changed since dreamd wrote it; see: dreamd adopt")


def agreement(tree: Tree) -> Iterator[Finding]:
    """Pages, statements and sources are those of the store."""
    known = tree.known
    if known is None:
        return
    for path in sorted(known.streams.keys() - tree.pages.keys()):
        yield error(path, 0, "store", f"stream {known.streams[path]} has no page; see: dreamd export")
    for path, page in tree.pages.items():
        metadata = page.front_matter.get("metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        stream = metadata.get("stream")
        if known.streams.get(path) != stream:
            stored = known.streams.get(path)
            yield error(path, 0, "store", f"the store has stream {stored} here, the page says {stream}")
        elif differing := [key for key, value in known.states.get(path, {}).items() if metadata.get(key) != value]:
            told = ", ".join(f"{key} {metadata.get(key)!r}" for key in differing)
            right = ", ".join(repr(known.states[path][key]) for key in differing)
            yield error(path, 1, "store", f"the page says {told}; the store says {right}")
        yield from _statements(tree, path, known)


def _statements(tree: Tree, path: str, known: Known) -> Iterator[Finding]:
    for number, entry, status in tree.claims[path]:
        values = dict(reversed(entry.metadata))  # the first of a key counts
        claim, source = values.get("id"), values.get("source")
        stored = known.claims.get(claim or "")
        if stored is not status:
            says = stored.value if stored else "nothing"
            yield error(path, number, "store", f"{claim} stands under {status.value}; the store says {says}")
        elif (said := known.texts.get(claim or "", entry.text)) != entry.text and known.hide(said) != entry.text:
            yield error(path, number, "store", f"{claim} says something else in the store")
        if source not in known.sources:
            yield error(path, number, "store", f"source {source!r} is of no event")


CHECKS = (written, agreement)
