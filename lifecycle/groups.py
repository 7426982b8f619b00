"""Groups: the connected parts of a run's changes, the unit of revert and of explanation (design, section 7).

Two changes belong together if they touch a row in common: their own subjects, and the decision rows that they need in
order to be whole. Events are not among them (with event ids one group held 99 % of a real run), nor the space, head
or run.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from dreamd.lifecycle import ids
from dreamd.lifecycle.moves import moves
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.quarantine import RELEASED
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Pin, Proposal, Question, Row, Stream, Tombstone


def touches(change: Change) -> frozenset[str]:
    """The ids of the rows that `change` is about or needs."""
    needed = {id_ for row in (change.before, change.after) if row is not None for id_ in _needs(row)}
    return frozenset({change.subject.id, *needed})


def groups_of(run: str, changes: Sequence[Change]) -> Mapping[str, tuple[Change, ...]]:
    """The groups of `run`'s changes by group id, sorted by smallest subject; the changes of each in their own order."""
    leader: dict[str, str] = {}

    def find(row: str) -> str:
        root = row
        while leader.setdefault(root, root) != root:
            root = leader[root]
        while leader[row] != root:
            leader[row], row = root, leader[row]
        return root

    for change in changes:
        own = find(change.subject.id)
        for row in touches(change):
            other = find(row)
            low, high = min(own, other), max(own, other)
            leader[high] = low
            own = low
    for gone, got in moves(changes):  # one is not undone without the other
        low, high = sorted((find(gone.id), find(got.id)))
        leader[high] = low
    members: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        members[find(change.subject.id)].append(change)
    named = {ids.change_group_id(run, min(change.subject.id for change in part)): part for part in members.values()}
    return {
        group: tuple(part)
        for group, part in sorted(named.items(), key=lambda item: min(change.subject for change in item[1]))
    }


def touched_by(changes: Iterable[Change]) -> frozenset[str]:
    """All row ids that any of `changes` touches."""
    return frozenset(row for change in changes for row in touches(change))


def _needs(row: Row) -> Iterable[str]:  # noqa: PLR0911  # one case a row type, and the type checker holds it complete
    match row:
        case Stream():
            return () if row.merged_into is None else (row.merged_into,)
        case Claim():
            return (row.stream,) if row.supersedes is None else (row.stream, row.supersedes)
        case Link():
            # What became of an event after a person let it out of quarantine needs that word.
            word = ids.quarantine_id(row.event) if row.stream is None or row.rule == RELEASED else None
            return tuple(id_ for id_ in (row.stream, row.claim, word) if id_ is not None)
        case Hold():
            return (row.subject,) if row.stream is None else (row.subject, row.stream)
        case Alias():
            return (row.stream,)
        case Pin():
            return (row.subject, row.stream)
        case Proposal():
            return (row.stream, *row.subjects)
        case Question():
            return (row.stream, *row.claims)
        case Tombstone():
            return () if row.stream is None else (row.stream,)
