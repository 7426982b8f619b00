"""Which of the targets that reflection found alike are merged at once, and which a person is asked about.

A merge by proof is a change that evidence does not order by itself, so it counts against the fuse where an earlier run
had applied the stream that goes. A pin, an earlier refusal and a hold that a revert left keep streams apart.
"""

from collections.abc import Iterable, Mapping, Sequence

from dreamd.lifecycle import ids
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.findings import Findings, Likeness
from dreamd.lifecycle.fuses import allowance
from dreamd.lifecycle.merging import MERGE
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Alias, Proposal, Stream
from dreamd.lifecycle.words import Phase, Status, Waiting

_PROVED = "proved"  # in the id of a proposal: held back by the fuse or a hold, not for want of a proof
MAX_PROPOSALS = 5  # merges that one run proposes; a person reads no more, and what is alike stays so


def proved(snapshot: Snapshot, likenesses: Iterable[Likeness], policy: Policy) -> tuple[Likeness, ...]:
    """Those that are merged in this run, sorted; all streams that they are about are whole in `snapshot`."""
    left = allowance(snapshot, policy)
    merged: list[Likeness] = []
    gone: set[str] = set()
    for found in sorted(likenesses, key=lambda each: (each.new, each.old)):
        if not found.is_proof or found.old in gone or found.new in gone or _stays_apart(snapshot, found):
            continue
        costs = _was_there(snapshot, found)
        if costs <= left:
            left -= costs
            gone.add(found.old)
            merged.append(found)
    return tuple(merged)


def fused(snapshot: Snapshot, findings: Findings) -> int:
    """How many of the merges count against the fuse."""
    return sum(_was_there(snapshot, found) for found in findings.merges)


def aliases_of(snapshot: Snapshot, findings: Findings) -> Iterable[tuple[Alias, str]]:
    """The alias of each merge, with why."""
    ends = dict(findings.moved)
    for found in findings.merges:
        yield (
            Alias(
                id=ids.alias_id(snapshot.space, found.old),
                space=snapshot.space,
                spelling=found.old,
                target=found.new,
                stream=ids.stream_id(snapshot.space, ends.get(found.new, found.new)),
                rule=MERGE,
            ),
            found.reason,
        )


def explain(draft: Draft, snapshot: Snapshot, findings: Findings) -> None:
    """Say of each stream that goes what proved it to be another name."""
    streams = draft.streams() if findings.merges else {}
    for found in findings.merges:
        row = streams.get(_ids(snapshot, found)[0])
        if row is not None:
            draft.put(row, f"another name of {found.new}: {found.reason}")


def proposals(snapshot: Snapshot, findings: Findings, after: Mapping[str, Stream]) -> Sequence[Proposal]:
    """What a person is asked: `after` holds the streams as the run leaves them, by id."""
    streams = {**snapshot.alike, **after}
    asked = []
    for found in findings.likenesses:
        old, new = (streams.get(ids.stream_id(snapshot.space, name)) for name in (found.old, found.new))
        if old is None or new is None or not _is_worth_asking(found, old, new) or _is_pinned(snapshot, found):
            continue
        if not _asked(snapshot, found):
            if not found.is_said and not found.is_proof and old.frequency > new.frequency:
                old, new = new, old  # nothing but names tells which is the other's spelling: the one that is used less
            asked.append((-(old.frequency + new.frequency), _proposal(found, old, new)))
    return [proposal for _, proposal in sorted(asked, key=lambda pair: (pair[0], pair[1].id))[:MAX_PROPOSALS]]


def _is_worth_asking(found: Likeness, old: Stream, new: Stream) -> bool:
    """Names alone are asked about once both have grown into something that is read."""
    if old.status is not Status.ACTIVE or new.status not in (Status.ACTIVE, Status.FADED):
        return False
    return found.is_proof or found.is_said or found.is_backed or Phase.PATTERN not in (old.phase, new.phase)


def _stays_apart(snapshot: Snapshot, found: Likeness) -> bool:
    old, new = _ids(snapshot, found)
    is_held = any(
        hold.kind == MERGE and {hold.subject, hold.evidence_digest} == {old, new} for hold in snapshot.holds.values()
    )
    forgotten = any(snapshot.streams[id_].status is Status.FORGOTTEN for id_ in (old, new) if id_ in snapshot.streams)
    # What was asked before there was a proof does not keep it from counting; what the fuse held back waits.
    is_decided = any(row.status is not Waiting.OPEN or _is_held_back(row) for row in _asked(snapshot, found))
    return is_held or forgotten or is_decided or _is_pinned(snapshot, found)


def _is_pinned(snapshot: Snapshot, found: Likeness) -> bool:
    return any(pin.subject in _ids(snapshot, found) for pin in snapshot.pins.values())


def _asked(snapshot: Snapshot, found: Likeness) -> list[Proposal]:
    """What a person was asked about the two before."""
    pair = set(_ids(snapshot, found))
    return [row for row in snapshot.proposals.values() if row.kind == MERGE and set(row.subjects) == pair]


def _was_there(snapshot: Snapshot, found: Likeness) -> int:
    return int(_ids(snapshot, found)[0] in snapshot.streams)


def _ids(snapshot: Snapshot, found: Likeness) -> tuple[str, str]:
    return ids.stream_id(snapshot.space, found.old), ids.stream_id(snapshot.space, found.new)


def _is_held_back(proposal: Proposal) -> bool:
    return proposal.id == ids.proposal_id(proposal.space, MERGE, *proposal.subjects, _PROVED)


def _proposal(found: Likeness, old: Stream, new: Stream) -> Proposal:
    return Proposal(
        id=ids.proposal_id(old.space, MERGE, old.id, new.id, *([_PROVED] if found.is_proof else [])),
        space=old.space,
        kind=MERGE,
        stream=old.id,
        subjects=(old.id, new.id),
        text=f'merge "{old.title}" ({old.target}) into "{new.title}" ({new.target}): {found.reason}',
        status=Waiting.OPEN,
    )
