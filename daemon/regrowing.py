"""Which pages can be made from the ones before, and what that takes.

All that may have happened to the stream is that it was told more: new evidence, new statements, statements told again,
none of them ended, weakened or moved. The page before has to be the one that dreamd wrote.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.ranking import Strength, group_strength, strength
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import ClaimStatus
from dreamd.repo_export.grown_page import GrownPage, NotGrown, PageBefore, read_page_before
from dreamd.repo_export.happenings import stream_of
from dreamd.repo_export.manifest import Manifest, digest_of_file
from dreamd.repo_export.page import Page
from dreamd.repo_export.slug import path_of

Contents = Callable[[Collection[str]], Mapping[str, bytes]]  # of files of the commit before, by path


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrowth:
    """What a stream was told, and the page before."""

    before: PageBefore
    told: frozenset[str] = field(default_factory=frozenset)  # ids of groups
    created: frozenset[str] = field(default_factory=frozenset)  # ids of claims that are new


def regrowths(
    streams: Mapping[str, Stream], changes: Sequence[Change], manifest: Manifest, contents: Contents
) -> dict[str, Regrowth]:
    """By the id of a stream, those of `streams` whose page can be made further."""
    of_stream: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        stream = stream_of(change)
        if stream is not None and stream in streams:
            of_stream[stream].append(change)
    paths = {}
    for stream, own in of_stream.items():
        path = path_of(streams[stream])
        known = None if path is None else manifest.files.get(path)
        if path is not None and known is not None and known.stream == stream and all(map(_tells_more, own)):
            paths[stream] = path
    found: dict[str, Regrowth] = {}
    files = contents(paths.values())
    for stream, path in paths.items():
        content = files.get(path)
        if content is None or digest_of_file(content) != manifest.files[path].sha256:
            continue
        try:
            before = read_page_before(content)
        except NotGrown:
            continue
        claims = [(change.before, change.after) for change in of_stream[stream] if isinstance(change.after, Claim)]
        found[stream] = Regrowth(
            before=before,
            told=frozenset(after.group for _, after in claims),
            created=frozenset(after.id for before_, after in claims if before_ is None),
        )
    return found


def _tells_more(change: Change) -> bool:
    """Whether `change` takes nothing from a page and weakens nothing on it."""
    before, after = change.before, change.after
    match after:
        case Stream():
            return isinstance(before, Stream) and path_of(before) == path_of(after)
        case Claim():
            return _is_stated(before, after)
        case Link() | Alias():
            return before is None
        case _:  # what waits and what is held is not on the page; what became of a pin is
            return isinstance(after or before, Hold | Proposal | Question)


def _is_stated(before: Row | None, after: Claim) -> bool:
    if before is None:
        return after.status is ClaimStatus.CURRENT and after.supersedes is None
    if not isinstance(before, Claim) or before.status is not ClaimStatus.CURRENT:
        return False
    is_same = (before.status, before.group, before.supersedes) == (after.status, after.group, after.supersedes)
    return is_same and strength(after) <= strength(before)


def strengths_of(store: SpaceStore, regrowths: Mapping[str, Regrowth]) -> Mapping[str, Strength]:
    """By the claim that speaks for it, how strong each group is that was on a page and was not told."""
    told = frozenset[str]().union(*(regrowth.told for regrowth in regrowths.values()))
    voices = {voice for regrowth in regrowths.values() for voice in regrowth.before.blocks}
    members = defaultdict(list)
    for member in store.members_beside(voices):
        if member.group not in told:
            members[member.beside].append(member)
    return {voice: group_strength(group) for voice, group in members.items()}


def grown_page(regrowth: Regrowth, page: Page, strengths: Mapping[str, Strength]) -> GrownPage:
    """`page` holds the members of the groups that were told."""
    old = {claim.group for claim in page.claims if claim.id not in regrowth.created}
    return GrownPage(
        page=page,
        before=regrowth.before,
        strengths={voice: strengths[voice] for voice in regrowth.before.blocks if voice in strengths},
        new_groups=len(regrowth.told - old),
    )
