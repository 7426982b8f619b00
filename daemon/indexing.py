"""What an index is made of: the statements for the head, and the lines that still stand from the commit before.

A line of an index is a function of one row. So of a stream that a run did not touch the line is taken as it was, if the
file it stands in is the one that dreamd wrote; what a night costs here follows what it changed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.storage.reading import Origin as FoundOrigin
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.values import Claim, Pin, Row
from dreamd.lifecycle.words import ClaimKind, ClaimStatus, EventKind, Status
from dreamd.repo_export.child_index import is_index
from dreamd.repo_export.index import HeadClaim, lines_of
from dreamd.repo_export.manifest import Manifest, digest_of_file
from dreamd.repo_export.page import Origin
from dreamd.repo_export.slug import Placed, path_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexes:
    files: Mapping[str, bytes] = field(default_factory=dict)  # those that the branch has, by path
    lines: Mapping[str, str] = field(default_factory=dict)  # what they say of each file, by its path

    def without(self, paths: Iterable[str | None]) -> "Indexes":
        """Without the lines of these files."""
        gone = set(paths)
        return replace(self, lines={path: line for path, line in self.lines.items() if path not in gone})


def indexes_at(manifest: Manifest, committed: Mapping[str, bytes]) -> Indexes:
    """Of the files `committed` those that are indexes; only what is as dreamd wrote it has lines that stand."""
    written = {path for path, entry in manifest.files.items() if entry.stream is None}
    files = {path: content for path, content in committed.items() if path in written and is_index(path)}
    lines: dict[str, str] = {}
    for path, content in files.items():
        if digest_of_file(content) == manifest.files[path].sha256:
            lines |= {file: line for file, line in lines_of(path, content) if file in manifest.files}
    return Indexes(files=files, lines=lines)


def is_laid_out(manifest: Manifest, stream: Placed) -> bool:
    """Whether its file is in the commit before under this very name: then there is nothing in it to hide."""
    path = path_of(stream)
    known = None if path is None else manifest.files.get(path)
    return path is None or (known is not None and known.stream == stream.id)


def head_claims(streams: Mapping[str, Placed], pins: Iterable[Row], outright: Iterable[Row]) -> tuple[HeadClaim, ...]:
    """What every session needs: preferences, corrections and pinned rules of the live streams that have a file.

    Nothing is hidden in them yet: most of a long list is never shown. See `told_by`.
    """
    pinned = {row.subject for row in pins if isinstance(row, Pin)}
    current = [row for row in outright if isinstance(row, Claim) and _is_outright(row, pinned)]
    heads = []
    for claim in sorted(current, key=lambda claim: claim.id):
        stream = streams.get(claim.stream)
        path = path_of(stream) if stream is not None and stream.status is Status.ACTIVE else None
        if path is not None:
            heads.append(
                HeadClaim(
                    claim=claim,
                    path=path,
                    is_pinned=claim.id in pinned,
                    corrects=claim.origin is EventKind.CORRECTION or claim.supersedes is not None,
                )
            )
    return tuple(heads)


def told_by(store: SpaceStore, redact: Redact) -> Callable[[Sequence[HeadClaim]], Sequence[HeadClaim]]:
    """What makes statements fit to be shown: their secrets hidden, and where they come from."""

    def told(heads: Sequence[HeadClaim]) -> Sequence[HeadClaim]:
        origins = store.origins({head.claim.stated_in for head in heads})
        return [
            replace(
                head,
                claim=hidden(head.claim, redact),
                origin=origin_shown(origins[head.claim.stated_in], redact),
            )
            for head in heads
        ]

    return told


def origin_shown(found: FoundOrigin, redact: Redact) -> Origin:
    because = redact(found.because) if found.because else found.because
    return Origin(source=redact(found.source), at=found.at, because=because)


def _is_outright(claim: Claim, pins: Collection[str]) -> bool:
    if claim.status is not ClaimStatus.CURRENT:
        return False
    return claim.kind is ClaimKind.PREFERENCE or claim.origin is EventKind.CORRECTION or claim.id in pins
