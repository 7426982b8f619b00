"""The rows of a space as one run left them, rendered to files.

What a later run changed is walked back by its `before`s, so that a repository that lags is caught up run by run with
the bytes it would have had.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dreamd.daemon.distiller.shown import summaries
from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.indexing import Indexes, head_claims, indexes_at, is_laid_out, origin_shown, told_by
from dreamd.daemon.keeping import read_kept
from dreamd.daemon.regrowing import Contents, Regrowth, grown_page, regrowths, strengths_of
from dreamd.daemon.storage.reading import shelved, streams_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.claims import is_forgotten
from dreamd.lifecycle.codec import subject_of
from dreamd.lifecycle.further import CITED
from dreamd.lifecycle.plan import Change, Subject
from dreamd.lifecycle.values import Alias, Claim, Link, Pin, Question, Row, Stream
from dreamd.lifecycle.words import ClaimStatus, Waiting
from dreamd.repo_export.by_model import ByModel
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.happenings import stream_of
from dreamd.repo_export.index import MEMORY_PATH, IndexInput, IndexOutcome
from dreamd.repo_export.kept import Kept, as_shown
from dreamd.repo_export.manifest import MANIFEST_PATH, Manifest, parse_manifest
from dreamd.repo_export.page import PAGE_FORMAT, Origin, Page, told_on_page
from dreamd.repo_export.slug import Placed, path_of
from dreamd.repo_export.tree import TreeInput, render_tree


def manifest_of(repository: MemoryRepository, head: str | None) -> Manifest | None:
    """The manifest that dreamd wrote last at or before `head`; None if there is none that can be read.

    In a person's commit it may be another one: that of an older state, after a `git revert`.
    """
    own = None if head is None else repository.own_commit(head)
    files = {} if own is None else repository.files_at(own, [MANIFEST_PATH])
    try:
        return parse_manifest(files[MANIFEST_PATH]) if files else None
    except ValueError:
        return None


def render_state(  # noqa: PLR0913 - what a state is rendered from
    store: SpaceStore,
    manifest: Manifest | None,
    *,
    later: Sequence[Change],
    changes: Sequence[Change] | None,
    redact: Redact,
    contents: Contents = lambda paths: {},
    index_files: Callable[[], Mapping[str, bytes]] = dict,
    also: Collection[str] = (),
) -> tuple[dict[str, bytes | None], IndexOutcome]:
    """Files by path (None: the file goes) for the state before the `later` changes, ascending.

    What `redact` would hide does not get into a file, whatever the store holds (`changes` come with it hidden).
    Only the pages of streams that `changes` are about, or that `also` names, are rendered; None renders all of them.
    `contents` has the files of the commit before, from which pages are made further where nothing but new evidence
    came; `index_files` has what the branch holds of its indexes, whose lines stand where nothing came.
    """
    kept = read_kept(store, later)
    as_then = {row.id: row for row in _as_of(store.streams(), later) if isinstance(row, Stream)} if later else {}
    standing: Mapping[str, Placed] = as_then if later else {row.id: row for row in store.through(shelved)}
    rows_by_id = _Streams(store, as_then if later else None, lambda row: as_shown(hidden(row, redact), kept))
    further: Mapping[str, Regrowth] = {}
    # All of them also where the pages have an older format: no line of one may stand beside one of ours.
    if changes is None or manifest is None or manifest.page_format != PAGE_FORMAT:
        before, indexes = None, Indexes()
        whole = rows_by_id(standing)
        with_file = _with_file(whole, whole)
        left = frozenset(manifest.files) if manifest is not None else frozenset[str]()
    else:
        wanted = _with_merged(standing, _streams_of(changes) | {*also})
        before, indexes = manifest, indexes_at(manifest, index_files())
        unsure = [
            id_ for id_, row in standing.items() if id_ in wanted or id_ in kept or not is_laid_out(manifest, row)
        ]
        whole = rows_by_id(unsure)
        with_file = _with_file(whole, wanted)
        indexes = indexes.without(path_of(row) for row in whole.values())
        kept_before = read_kept(store, (*changes, *later))
        left = frozenset(filter(None, (path_of(as_shown(row, kept_before)) for row in _streams_before(changes))))
        # What a person moved or wrote elsewhere is on the page now.
        left |= {path for own in kept.values() for path in own.gone if path not in manifest.files}
        if not later:
            further = regrowths({id_: whole[id_] for id_ in with_file if id_ not in kept}, changes, manifest, contents)
    streams = {**standing, **whole}
    questions = [row for row in _as_of(store.questions(), later) if isinstance(row, Question)]
    asked = [hidden(row, redact) for row in questions if row.status is Waiting.OPEN]
    whole_pages = {id_: whole[id_] for id_ in with_file - further.keys()}
    rows = _Rows.of(store, whole_pages, further, later, redact, kept, asked)
    strengths = strengths_of(store, further)
    notes = {path: own.notes for path, own in kept.items() if path.endswith(".md") and own.notes}
    given = TreeInput(
        index=IndexInput(
            space=store.space,
            streams=[streams[id_] for id_ in sorted(streams)],
            head_claims=head_claims(streams, _as_of(store.pins(), later), _as_of(store.outright_claims(), later)),
            rows=rows_by_id,
            tell=told_by(store, redact),
            redact=redact,
            lines=indexes.lines,
            notes=tuple(notes.get(MEMORY_PATH, ())),
            open_questions=len(asked),
        ),
        pages=[
            grown_page(further[id_], rows.page(whole[id_], streams), strengths)
            if id_ in further
            else rows.page(whole[id_], streams)
            for id_ in sorted(with_file)
        ],
        left=left,
        manifest=before,
        indexes=indexes.files,
        notes=notes,
    )
    return render_tree(given)


class _Streams:
    """Whole streams as they may be shown, each read once."""

    def __init__(
        self, store: SpaceStore, standing: Mapping[str, Stream] | None, show: Callable[[Stream], Stream]
    ) -> None:
        self._store, self._standing, self._show = store, standing, show  # `standing` None: as the store has them
        self._shown: dict[str, Stream] = {}

    def __call__(self, ids: Collection[str]) -> dict[str, Stream]:
        unread = [id_ for id_ in ids if id_ not in self._shown]
        standing = self._standing
        found = self._store.through(streams_of(unread)) if standing is None else [standing[id_] for id_ in unread]
        self._shown |= {row.id: self._show(row) for row in found}
        return {id_: self._shown[id_] for id_ in ids}


def _with_file(streams: Mapping[str, Stream], wanted: Collection[str]) -> set[str]:
    return {id_ for id_ in wanted if id_ in streams and path_of(streams[id_]) is not None}


def _with_merged(streams: Mapping[str, Placed], wanted: Collection[str]) -> set[str]:
    """`wanted` with the streams that are merged into one of them: their pages name the path of its page."""
    return {*wanted, *(id_ for id_, row in streams.items() if row.merged_into in wanted)}


def _as_of(rows: Iterable[Row], later: Sequence[Change]) -> Iterable[Row]:
    """`rows` of one or more tables with the `later` changes of any table taken back."""
    standing: dict[Subject, Row] = {subject_of(row): row for row in rows}
    for change in reversed(later):
        if change.before is None:
            standing.pop(change.subject, None)
        else:
            standing[change.subject] = change.before
    return standing.values()


def _streams_of(changes: Iterable[Change]) -> set[str]:
    return {stream for change in changes if (stream := stream_of(change)) is not None}


def _streams_before(changes: Iterable[Change]) -> list[Stream]:
    return [change.before for change in changes if isinstance(change.before, Stream)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """What the pages of some streams are made of."""

    claims: Mapping[str, Sequence[Claim]]  # by stream
    aliases: Mapping[str, Sequence[Alias]]  # by stream
    pins: frozenset[str]
    origins: Mapping[str, Origin]  # by event id
    group_days: Mapping[str, int]  # on how many days a group was told, of those with several members
    asked: Sequence[Question]  # the open ones of the space
    by_model: Mapping[str, ByModel]  # by stream, of those `whole` with a summary of these very claims
    kept: Mapping[str, Kept]  # by stream: what a person set on its page

    @staticmethod
    def of(  # noqa: PLR0913, PLR0917 - all that pages are made of
        store: SpaceStore,
        whole: Mapping[str, Stream],
        further: Mapping[str, Regrowth],
        later: Sequence[Change],
        redact: Redact,
        kept: Mapping[str, Kept],
        asked: Sequence[Question],
    ) -> "_Rows":
        """All claims of the streams `whole`, and of those taken `further` the groups that were told."""
        told_groups = frozenset[str]().union(*(regrowth.told for regrowth in further.values()))
        streams = {*whole, *further}
        rows: tuple[Row, ...] = (
            *store.claims(whole.keys()),
            *store.claims_in(told_groups),
            *store.aliases(streams),
            *store.pins(),
        )
        claims: dict[str, list[Claim]] = defaultdict(list)
        aliases: dict[str, list[Alias]] = defaultdict(list)
        pins: set[str] = set()
        for row in _as_of(rows, later):
            if isinstance(row, Claim) and row.stream in streams:
                claims[row.stream].append(row)
            elif isinstance(row, Alias) and row.stream in streams:
                aliases[row.stream].append(hidden(row, redact))
            elif isinstance(row, Pin):
                pins.add(row.subject)
        claims = {stream: _without_forgotten(found) for stream, found in claims.items()}
        told = {claim.id: claim for found in claims.values() for claim in told_on_page(found)}
        shown = {
            stream: [hidden(row, redact) if row.id in told else row for row in found]
            for stream, found in claims.items()
        }
        shared = _of_shared_groups(claim for found in claims.values() for claim in found)
        stating = _as_of(store.links_of_claims(shared), later)
        links = [row for row in stating if isinstance(row, Link) and row.rule != CITED]
        events = {event for claim in told.values() for event in (claim.stated_in, claim.closed_by) if event is not None}
        events |= {link.event for link in links if link.claim in shared}
        origins = {event: origin_shown(found, redact) for event, found in store.origins(events).items()}
        days: dict[str, set[object]] = defaultdict(set)
        for link in links:
            if link.claim in shared and link.rule != CITED:
                days[shared[link.claim]].add(origins[link.event].at.date())
        return _Rows(
            claims=shown,
            aliases=aliases,
            pins=frozenset(pins),
            origins=origins,
            group_days={group: len(seen) for group, seen in days.items()},
            asked=asked,
            by_model=summaries(store, whole, shown, redact),
            kept=kept,
        )

    def page(self, stream: Stream, streams: Mapping[str, Placed]) -> Page:
        survivor = None if stream.merged_into is None else streams.get(stream.merged_into)
        claims = tuple(sorted(self.claims.get(stream.id, ()), key=lambda claim: claim.id))
        return Page(
            stream=stream,
            claims=claims,
            origins=self.origins,
            aliases=tuple(sorted(alias.spelling for alias in self.aliases.get(stream.id, ()))),
            is_pinned=stream.id in self.pins,
            pinned_claims=frozenset(claim.id for claim in claims if claim.id in self.pins),
            merged_into=None if survivor is None else path_of(survivor),
            group_days=self.group_days,
            by_model=self.by_model.get(stream.id),
            kept=self.kept.get(stream.id),
            questions=tuple(row for row in self.asked if row.stream == stream.id),
        )


def _without_forgotten(claims: Sequence[Claim]) -> list[Claim]:
    """`claims` as they may be shown: what a person forgot is not, nor that something took its place."""
    gone = {claim.id for claim in claims if is_forgotten(claim)}
    return [
        replace(claim, supersedes=None) if claim.supersedes in gone else claim
        for claim in claims
        if claim.id not in gone
    ]


def _of_shared_groups(claims: Iterable[Claim]) -> dict[str, str]:
    """The group of each current claim that shares it with another one."""
    current = [claim for claim in claims if claim.status is ClaimStatus.CURRENT]
    size = Counter(claim.group for claim in current)
    return {claim.id: claim.group for claim in current if size[claim.group] > 1}
