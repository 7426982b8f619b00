"""Level `provenance`: where a statement is from, which one it is, and whether it still holds.

Every statement says its source and day and has an id of its own; what ended is not shown as though it held.
"""

from collections.abc import Iterator

from dreamd.lifecycle.words import ClaimStatus
from dreamd.repo_export.index import HEADLINE_LENGTH, MEMORY_PATH
from dreamd.repo_export.markdown import Entry, shorten, value_of, visible
from dreamd.repo_export.note import Kind, NoteLine, body_of
from dreamd.repo_export.slug import ARCHIVE
from dreamd.repo_export.verify.days import is_day
from dreamd.repo_export.verify.finding import Finding, error, warning
from dreamd.repo_export.verify.format_rules import has_entries
from dreamd.repo_export.verify.links import leading_link
from dreamd.repo_export.verify.tree import Tree, is_cut


def statements(tree: Tree) -> Iterator[Finding]:
    """Each statement of ours names its source, day and id; ids are unique; what it supersedes is somewhere."""
    places: dict[str, str] = {}
    replaced: list[tuple[str, int, str]] = []
    for path, claims in tree.claims.items():
        for number, entry, _ in claims:
            values = dict(reversed(entry.metadata))  # the first of a key counts
            for key in ("source", "added", "id"):
                if not values.get(key):
                    yield error(path, number, "statement", f"it has no {key}")
            if (added := values.get("added")) and not is_day(added):
                yield error(path, number, "statement", f"added {added!r} is no day YYYY-MM-DD")
            claim = values.get("id")
            if claim and claim in places:
                yield error(path, number, "unique-id", f"{claim} is also in {places[claim]}")
            if claim:
                places.setdefault(claim, path)
            if (older := values.get("supersedes")) is not None:
                replaced.append((path, number, older))
    stored = tree.known.claims if tree.known else {}
    for path, number, older in replaced:
        if older not in places and older not in stored and not is_cut(tree.pages[path]):
            yield error(path, number, "supersedes", f"{older} is nowhere")


def closed_in_memory(tree: Tree) -> Iterator[Finding]:
    """MEMORY.md shows nothing that was superseded or retracted."""
    current: set[str] = set()
    closed: set[str] = set()
    closed_ids: set[str | None] = set()
    for page in tree.pages.values():
        current |= {entry.text for entry in page.current}
        closed |= {entry.text for entry in (*page.superseded, *page.retracted)}
        closed_ids |= {value_of(entry, "id") for entry in (*page.superseded, *page.retracted)}
    closed -= current
    if not closed and not closed_ids:
        return
    shortened = {shorten(visible(text), HEADLINE_LENGTH) for text in closed}
    shortened -= {shorten(visible(text), HEADLINE_LENGTH) for text in current}
    head, index = tree.head_and_index
    for number, entry in head:
        if entry.text in closed or value_of(entry, "id") in closed_ids - {None}:
            yield error(MEMORY_PATH, number, "superseded", "it shows a statement that is no longer current")
    for number, entry in index:
        # A title may hold ": " itself, so each end of the line that could be the headline is tried.
        parts = entry.text.split(": ")
        if any(": ".join(parts[start:]) in shortened for start in range(1, len(parts))):
            yield error(MEMORY_PATH, number, "superseded", "its headline is a statement that is no longer current")


def tombstoned(tree: Tree) -> Iterator[Finding]:
    """What a person had forgotten or purged stands nowhere as something that is known."""
    if tree.known is None:
        return
    for path, claims in tree.claims.items():
        if path.split("/")[0] == ARCHIVE:
            continue
        for number, entry, status in claims:
            if status is ClaimStatus.CURRENT and tree.known.is_tombstoned(entry.text):
                yield error(path, number, "tombstoned", "a person had this statement forgotten")
    for number, entry in tree.head_and_index[0]:
        if tree.known.is_tombstoned(entry.text):
            yield error(MEMORY_PATH, number, "tombstoned", "a person had this statement forgotten")


def sourced(tree: Tree) -> Iterator[Finding]:
    """Of others: entries say their source and day (AMR-11), told once a file."""
    for path, note in tree.notes.items():
        if not has_entries(path, note):
            continue
        entries = [line for line in body_of(note) if line.entry is not None and _states(line)]
        without = {
            key: [line.number for line in entries if line.entry is not None and not value_of(line.entry, key)]
            for key in ("source", "added")
        }
        lacking = [f"{len(numbers)} without {key}" for key, numbers in without.items() if numbers]
        if lacking:
            first = min(numbers[0] for numbers in without.values() if numbers)
            entries_in_words = f"{len(entries)} entries" if len(entries) > 1 else "one entry"
            yield warning(path, first, "sourced", f"{entries_in_words}: {', '.join(lacking)} (AMR-11)")


def other_ids(tree: Tree) -> Iterator[Finding]:
    """Of others, where they give ids: each is unique, `supersedes` resolves, what ended is not in MEMORY.md."""
    places: dict[str, str] = {}
    replaced: list[tuple[str, int, str]] = []
    in_memory: list[tuple[int, str]] = []
    for path, note in tree.notes.items():
        for line in body_of(note):
            if line.entry is None or not line.entry.metadata:
                continue
            claim, older = value_of(line.entry, "id"), value_of(line.entry, "supersedes")
            if claim and path == MEMORY_PATH:
                in_memory.append((line.number, claim))
            elif claim and claim in places:
                yield error(path, line.number, "unique-id", f"{claim} is also in {places[claim]}")
            if claim:
                places.setdefault(claim, path)
            if older:
                replaced.append((path, line.number, older))
    for path, number, older in replaced:
        if older not in places:
            yield error(path, number, "supersedes", f"{older} is nowhere")
    ended = {older: path for path, _, older in replaced}
    for number, claim in in_memory:
        if claim in ended:
            message = f"it shows {claim}, which an entry in {ended[claim]} supersedes (AMR-14)"
            yield error(MEMORY_PATH, number, "superseded", message)


def _states(line: NoteLine) -> bool:
    """Whether a bullet says something itself: it is at the margin, and no line of an index."""
    entry = line.entry
    return line.kind is Kind.BULLET and isinstance(entry, Entry) and not entry.depth and not leading_link(line)


CHECKS = (statements, closed_in_memory, tombstoned, sourced, other_ids)
