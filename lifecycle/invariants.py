"""What must hold between the rows at any time, checked inside the transaction that writes them.

A broken invariant is a bug in dreamd: the run is rolled back and its plan is kept for a test.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from dreamd.lifecycle.values import Alias, Claim, Link, Pin, Proposal, Question, Stream
from dreamd.lifecycle.words import ClaimStatus, Phase, Status

DECIDED = ("merge", "person")  # the rules of aliases that lead from one target to another
SHARES = ("coverage", "stability", "removal_cost", "utility", "base_confidence")


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """Streams with what belongs to them, and the ids of further rows they point at.

    Of a stream that only grew or aged there may be less than all: the rows that were written and those they name.
    """

    streams: tuple[Stream, ...]
    claims: tuple[Claim, ...] = ()
    links: tuple[Link, ...] = ()
    aliases: tuple[Alias, ...] = ()
    pins: tuple[Pin, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    questions: tuple[Question, ...] = ()
    events: frozenset[str] = frozenset()  # ids of the linked events that exist
    with_evidence: frozenset[str] = frozenset()  # ids of streams that have links, whether those are here or not
    merge_targets: frozenset[str] = frozenset()  # ids of existing streams that others are merged into


def broken(rows: Neighbourhood) -> list[str]:
    """One sentence for each invariant that does not hold in `rows`; empty if all is well."""
    return [
        *_broken_references(rows),
        *_broken_streams(rows),
        *_broken_claims(rows),
    ]


def _broken_references(rows: Neighbourhood) -> Iterable[str]:
    streams = {stream.id for stream in rows.streams}
    claims = {claim.id: claim for claim in rows.claims}
    for table, belongings in (
        ("claim", rows.claims),
        ("link", rows.links),
        ("alias", rows.aliases),
        ("pin", rows.pins),
        ("proposal", rows.proposals),
        ("question", rows.questions),
    ):
        for row in belongings:
            if isinstance(row, Alias) and row.rule in DECIDED:
                continue  # a name may lead to a target that nothing was heard of yet
            if row.stream is not None and row.stream not in streams:
                yield f"{table} {row.id} belongs to stream {row.stream}, which is not there"
    for link in rows.links:
        if link.event not in rows.events:
            yield f"link {link.id} leads from event {link.event}, which is not there"
        if link.claim is not None and (link.claim not in claims or claims[link.claim].stream != link.stream):
            yield f"link {link.id} states claim {link.claim}, which is not in stream {link.stream}"


def _broken_streams(rows: Neighbourhood) -> Iterable[str]:
    linked = {link.stream for link in rows.links} | rows.with_evidence
    known = {stream.id for stream in rows.streams} | rows.merge_targets
    for stream in rows.streams:
        if stream.status is Status.MERGED:
            if stream.id in linked:
                yield f"stream {stream.id} ({stream.target}) is merged, yet has evidence of its own"
        elif stream.id not in linked:
            yield f"stream {stream.id} ({stream.target}) has no evidence"
        if (stream.status is Status.MERGED) != (stream.merged_into is not None):
            yield f"stream {stream.id} has status {stream.status} and is merged into {stream.merged_into}"
        if stream.merged_into is not None and (stream.merged_into not in known or stream.merged_into == stream.id):
            yield f"stream {stream.id} is merged into {stream.merged_into}, which is not another stream"
        if stream.phase is not Phase.PATTERN and stream.emergent_at is None:
            yield f"stream {stream.id} is {stream.phase}, but no evidence made it emergent"
        if stream.phase is Phase.CANONICAL and stream.canonical_at is None:
            yield f"stream {stream.id} is canonical, but no evidence made it so"
        if stream.status is Status.FADED and stream.is_protected:
            yield f"stream {stream.id} is protected, yet faded"
        for name in SHARES:
            if not 0.0 <= getattr(stream, name) <= 1.0:
                yield f"stream {stream.id} has {name} {getattr(stream, name)}, allowed are 0 to 1"


def _broken_claims(rows: Neighbourhood) -> Iterable[str]:
    claims = {claim.id: claim for claim in rows.claims}
    stated = {link.claim for link in rows.links}
    for claim in rows.claims:
        if claim.id not in stated:
            yield f"claim {claim.id} is stated by no linked event"
        if claim.supersedes is not None:
            old = claims.get(claim.supersedes)
            if old is None or old.stream != claim.stream:
                yield f"claim {claim.id} supersedes {claim.supersedes}, which is not in its stream"
            elif old.status is ClaimStatus.CURRENT:
                yield f"claim {claim.id} supersedes {claim.supersedes}, which is still current"
        if claim.status is ClaimStatus.RETRACTED and claim.retracted_at is None:
            yield f"claim {claim.id} is retracted, but not since when"
