"""All files of one commit: the pages of the streams that changed, the indexes, the manifest.

Pages of other streams are not rendered: their bytes are the same functions of the same rows. The manifest carries their
digests over from the commit before.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dreamd.repo_export.child_index import INDEX_NAME
from dreamd.repo_export.grown_page import GrownPage, render_grown_page
from dreamd.repo_export.index import MEMORY_PATH, IndexInput, IndexOutcome, render_index
from dreamd.repo_export.kept import Kept, notes_section
from dreamd.repo_export.manifest import MANIFEST_PATH, Manifest, render_manifest
from dreamd.repo_export.page import PAGE_FORMAT, Page, render_page
from dreamd.repo_export.slug import ARCHIVE, SHELVES, path_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeInput:
    index: IndexInput  # of all streams of the space, as the run left them
    pages: Sequence[Page | GrownPage]  # of the streams that the run changed and that have a file
    left: frozenset[str]  # paths that a stream of the run had before it
    manifest: Manifest | None  # of the commit before, with pages of our format; None: `pages` are all there are
    indexes: Mapping[str, bytes]  # the indexes of that commit as the branch has them now
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)  # by path of an index: people's lines


def render_tree(given: TreeInput) -> tuple[dict[str, bytes | None], IndexOutcome]:
    """Content by path, None where a file goes, and how the index came out. An index that stays is not among them."""
    pages = {path: page for page in given.pages if (path := path_of(page.stream)) is not None}
    indexes, outcome = render_index(given.index)
    indexes |= {
        path: indexes[path] + notes_section(Kept(notes=tuple(lines)))
        for path, lines in given.notes.items()
        if path in indexes and path != MEMORY_PATH
    }
    files: dict[str, bytes | None] = {path: _rendered(page) for path, page in pages.items()}
    files |= dict.fromkeys(given.left - pages.keys())
    files |= {f"{folder}/{INDEX_NAME}": None for folder in (*SHELVES, ARCHIVE)} | dict.fromkeys(given.indexes)
    # Where nothing is known there is no index either: a first run that is taken back leaves what was before it.
    files |= indexes if given.index.streams else {MEMORY_PATH: None}
    stays = {path: it for path, it in files.items() if it is not None and given.indexes.get(path) == it}
    files = {path: it for path, it in files.items() if path not in stays}
    known = given.manifest.files if given.manifest is not None else {}
    files[MANIFEST_PATH] = render_manifest(
        given.index.space,
        # One that stays may be other than the last manifest has it: a person's `git revert` led it back.
        {path: content for path, content in {**files, **stays}.items() if content is not None},
        {path: page.stream.id for path, page in pages.items()},
        page_format=PAGE_FORMAT,
        kept={path: entry for path, entry in known.items() if path not in files},
    )
    return files, outcome


def _rendered(page: Page | GrownPage) -> bytes:
    return render_page(page) if isinstance(page, Page) else render_grown_page(page)
