"""Events whose target is looked at again: the links that they give up, and what becomes of the streams that they leave.

A learned target is a decision of its day. When more is known, an event may go to another stream, or to one at all. It
then counts as new where it comes to, but for the holds, which only an event that was recorded later lifts.
"""

from collections.abc import Iterable
from dataclasses import replace

from dreamd.lifecycle import ids
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.findings import Findings, Split
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Proposal, Row
from dreamd.lifecycle.words import Waiting

SPLIT = "split"  # the kind of its proposals
NAMED = 3  # targets that a proposal names
NOTE = "its target was looked at again"


def given_up(snapshot: Snapshot) -> Snapshot:
    """`snapshot` without the links that its `again` names; their events are new."""
    if not snapshot.again:
        return snapshot
    gone = {link.id for link in snapshot.again.values()}
    return replace(
        snapshot,
        links={id_: link for id_, link in snapshot.links.items() if id_ not in gone},
        new=tuple(dict.fromkeys((*snapshot.new, *snapshot.again))),
    )


def left(snapshot: Snapshot) -> frozenset[str]:
    """The streams that events may leave."""
    return frozenset(link.stream for link in snapshot.again.values() if link.stream is not None)


def give_up(draft: Draft, snapshot: Snapshot) -> None:
    """Drop the links; one that comes back to the same stream is put again later."""
    for link in snapshot.again.values():
        draft.drop(link, NOTE)


def uproot(draft: Draft, snapshot: Snapshot, streams: Iterable[str]) -> None:
    """Drop `streams`, which all their evidence left, with everything that belongs to them but the holds."""
    gone = frozenset(streams)
    for stream in gone:
        draft.drop(snapshot.streams[stream], "all its evidence went to other targets")
    tables = (snapshot.links, snapshot.claims, snapshot.aliases, snapshot.proposals, snapshot.questions)
    for table in tables:
        rows: Iterable[Row] = table.values()
        for row in rows:
            if getattr(row, "stream", None) in gone:
                draft.drop(row, "its stream has no evidence any more")


def offer(draft: Draft, space: str, findings: Findings) -> None:
    """A proposal for each stream that has come to mix components. Its id is the stream's: it is offered once."""
    for split in findings.splits:
        stream = ids.stream_id(space, split.target)
        id_, text = split_id(space, split.target), _offer(split)
        proposal = Proposal(
            id=id_, space=space, kind=SPLIT, stream=stream, subjects=(stream,), text=text, status=Waiting.OPEN
        )
        draft.put(proposal, "it mixes components by now")


def split_id(space: str, target: str) -> str:
    return ids.proposal_id(space, SPLIT, ids.stream_id(space, target))


def _offer(split: Split) -> str:
    named = ", ".join(f"{target} ({count})" for target, count in split.into[:NAMED])
    more = f" and {len(split.into) - NAMED} more" if len(split.into) > NAMED else ""
    events = counted(sum(count for _, count in split.into), "event")
    return f"split {split.target}: {events} that no one named after it belong to {named}{more}"
