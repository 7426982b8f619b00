"""The rows of a space as one run left them, rendered to files.

What a later run changed is walked back by its `before`s, so that a repository that lags is caught up run by run with
the bytes it would have had.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.storage.reading import Origin as FoundOrigin
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.codec import subject_of
from dreamd.lifecycle.further import CITED
from dreamd.lifecycle.plan import Change, Subject
from dreamd.lifecycle.values import Alias, Claim, Link, Pin, Row, Stream
from dreamd.lifecycle.words import ClaimKind, ClaimStatus, EventKind, Status
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.happenings import stream_of
from dreamd.repo_export.index import HeadClaim, IndexOutcome
from dreamd.repo_export.manifest import MANIFEST_PATH, Manifest, parse_manifest
from dreamd.repo_export.page import Origin, Page, told_on_page
from dreamd.repo_export.slug import path_of
from dreamd.repo_export.tree import TreeInput, render_tree


def manifest_of(repository: MemoryRepository) -> Manifest | None:
    """The manifest of the newest commit; None if there is none that can be read."""
    head = repository.head()
    files = {} if head is None else repository.tree_files(head, lambda path: path == MANIFEST_PATH)
    try:
        return parse_manifest(files[MANIFEST_PATH]) if files else None
    except ValueError:
        return None


def render_state(
    store: SpaceStore,
    manifest: Manifest | None,
    *,
    later: Sequence[Change],
    changes: Sequence[Change] | None,
    redact: Redact,
) -> tuple[dict[str, bytes | None], IndexOutcome]:
    """Files by path (None: the file goes) for the state before the `later` changes, ascending.

    What `redact` would hide does not get into a file, whatever the store holds (`changes` come with it hidden).
    Only the pages of streams that `changes` are about are rendered; None renders all of them.
    """
    standing = _as_of(store.streams(), later)
    streams = {row.id: hidden(row, redact) for row in standing if isinstance(row, Stream)}
    wanted = set(streams) if changes is None or manifest is None else _streams_of(changes) & streams.keys()
    if changes is None or manifest is None:
        left = frozenset(manifest.files) if manifest is not None else frozenset[str]()
    else:
        left = frozenset(filter(None, (path_of(row) for row in _streams_before(changes))))
    with_file = {id_ for id_ in wanted if path_of(streams[id_]) is not None}
    rows = _Rows.of(store, with_file, later, redact)
    given = TreeInput(
        space=store.space,
        streams=[streams[id_] for id_ in sorted(streams)],
        pages=[rows.page(streams[id_]) for id_ in sorted(with_file)],
        left=left,
        head_claims=_head_claims(store, streams, later, redact),
        manifest=manifest if changes is not None else None,
    )
    return render_tree(given)


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
    links: Mapping[str, Sequence[Link]]  # by stream, of those with claims that say the same
    aliases: Mapping[str, Sequence[Alias]]  # by stream
    pins: frozenset[str]
    origins: Mapping[str, Origin]  # by event id

    @staticmethod
    def of(store: SpaceStore, streams: Collection[str], later: Sequence[Change], redact: Redact) -> "_Rows":
        standing = _as_of((*store.claims(streams), *store.aliases(), *store.pins()), later)
        claims: dict[str, list[Claim]] = defaultdict(list)
        aliases: dict[str, list[Alias]] = defaultdict(list)
        pins: set[str] = set()
        for row in standing:
            if isinstance(row, Claim) and row.stream in streams:
                claims[row.stream].append(row)
            elif isinstance(row, Alias) and row.stream in streams:
                aliases[row.stream].append(hidden(row, redact))
            elif isinstance(row, Pin):
                pins.add(row.subject)
        shared = [stream for stream, rows in claims.items() if len({claim.group for claim in rows}) < len(rows)]
        links = {
            stream: [
                row for row in _as_of(store.links(stream), later) if isinstance(row, Link) and row.stream == stream
            ]
            for stream in shared
        }
        told = {claim.id: claim for rows in claims.values() for claim in told_on_page(rows)}
        shown = {
            stream: [hidden(row, redact) if row.id in told else row for row in rows] for stream, rows in claims.items()
        }
        events = {event for claim in told.values() for event in (claim.stated_in, claim.closed_by) if event is not None}
        events |= {link.event for rows in links.values() for link in rows if link.claim is not None}
        origins = {event: _origin(found, redact) for event, found in store.origins(events).items()}
        return _Rows(claims=shown, links=links, aliases=aliases, pins=frozenset(pins), origins=origins)

    def page(self, stream: Stream) -> Page:
        claims = tuple(sorted(self.claims.get(stream.id, ()), key=lambda claim: claim.id))
        return Page(
            stream=stream,
            claims=claims,
            origins=self.origins,
            aliases=tuple(sorted(alias.spelling for alias in self.aliases.get(stream.id, ()))),
            is_pinned=stream.id in self.pins,
            pinned_claims=frozenset(claim.id for claim in claims if claim.id in self.pins),
            group_days=self._group_days(stream.id, claims),
        )

    def _group_days(self, stream: str, claims: Sequence[Claim]) -> Mapping[str, int]:
        group_of = {claim.id: claim.group for claim in claims if claim.status is ClaimStatus.CURRENT}
        days: dict[str, set[object]] = defaultdict(set)
        for link in self.links.get(stream, ()):
            if link.claim in group_of and link.rule != CITED:
                days[group_of[link.claim]].add(self.origins[link.event].at.date())
        return {group: len(seen) for group, seen in days.items()}


def _head_claims(
    store: SpaceStore, streams: Mapping[str, Stream], later: Sequence[Change], redact: Redact
) -> tuple[HeadClaim, ...]:
    """What every session needs: preferences, corrections and pinned rules of the live streams that have a file."""
    pins = {row.subject for row in _as_of(store.pins(), later) if isinstance(row, Pin)}
    standing = [row for row in _as_of(store.outright_claims(), later) if isinstance(row, Claim)]
    current = [claim for claim in standing if claim.status is ClaimStatus.CURRENT and _is_outright(claim, pins)]
    origins = store.origins([claim.stated_in for claim in current])
    heads = []
    for claim in sorted(current, key=lambda claim: claim.id):
        stream = streams.get(claim.stream)
        path = path_of(stream) if stream is not None and stream.status is Status.ACTIVE else None
        if path is not None:
            found = origins[claim.stated_in]
            heads.append(
                HeadClaim(
                    claim=hidden(claim, redact),
                    path=path,
                    is_pinned=claim.id in pins,
                    corrects=claim.origin is EventKind.CORRECTION or claim.supersedes is not None,
                    origin=_origin(found, redact),
                )
            )
    return tuple(heads)


def _is_outright(claim: Claim, pins: Collection[str]) -> bool:
    return claim.kind is ClaimKind.PREFERENCE or claim.origin is EventKind.CORRECTION or claim.id in pins


def _origin(found: FoundOrigin, redact: Redact) -> Origin:
    because = redact(found.because) if found.because else found.because
    return Origin(source=redact(found.source), at=found.at, because=because)
