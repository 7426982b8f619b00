"""What a plan does, sorted by what it means to a person: learnt, promoted, superseded, faded.

Read from the rows before and after, not from the words of a change, so that the report, the terminal and the commit
message say the same about a dream, a revert and a pin.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from dreamd.lifecycle.claims import is_forgotten
from dreamd.lifecycle.moves import moves
from dreamd.lifecycle.plan import Change, Plan, Subject
from dreamd.lifecycle.quarantine import QUARANTINED, REJECTED, RELEASED
from dreamd.lifecycle.values import Alias, Claim, Hold, Link, Pin, Proposal, Question, Row, Stream, Tombstone
from dreamd.lifecycle.words import ClaimStatus, Phase, Status, Waiting, rank

# In the order in which a person wants to hear of them; fading first (design, section 5).
WORDS = {
    "faded": "faded",
    "forgotten": "forgotten",
    "unheeded": "heard of again, though you forgot it",
    "merged": "merged",
    "moved": "moved to another target",
    "superseded": "superseded",
    "retracted": "retracted",
    "recomputed": "set back to a younger phase",
    "promoted": "promoted",
    "learnt": "learnt",
    "unlearnt": "no longer stated",
    "restored": "stated again",
    "woken": "woken",
    "quieter": "gone quieter",
    "born": "new to watch",
    "gone": "no longer watched",
    "pinned": "pinned",
    "unpinned": "unpinned",
    "asked": "waiting for an answer",
    "answered": "answered",
    "quarantined": "put in quarantine",
    "let_out": "let out of quarantine",
    "kept_out": "kept out for good",
    "held": "held back",
    "released": "released from a hold",
}


class Happening(NamedTuple):
    """One change, under the word that says most about it."""

    word: str  # a key of WORDS, or "" for changes that only carry evidence
    stream: str | None  # id of the stream it belongs to; None: an event that was noise or untargeted
    change: Change


def happenings_of(plan: Plan) -> tuple[Happening, ...]:
    """One for each change, in the order of the plan."""
    words = _of_several_rows(plan)
    return tuple(
        Happening(words[change.subject] if change.subject in words else word_of(change), stream_of(change), change)
        for change in plan.changes
    )


def _of_several_rows(plan: Plan) -> dict[Subject, str]:
    """The words that no row says alone: what was moved to another target, and what moved along and is not learnt."""
    # Most plans give no link up and merge nothing, and each has thousands of rows.
    exchanged = tuple(moves(plan.changes)) if any(change.after is None for change in plan.changes) else ()
    merged = tuple(_merged(plan))
    into = {id_ for pair in merged for id_ in pair}
    retargeted = [(gone, got) for gone, got in exchanged if got.stream is not None and gone.stream not in into]
    joined = {id_ for pair in _merged(plan, only_now=True) for id_ in pair}
    joined |= {stream for pair in retargeted for stream in (pair[0].stream, pair[1].stream) if stream is not None}
    moved = dict.fromkeys(_moved(plan, joined), "") if joined else {}
    return {**moved, **{Subject("link", got.id): "moved" for _, got in retargeted}}


def _merged(plan: Plan, *, only_now: bool = False) -> Iterable[tuple[str, str]]:
    """(stream, the one it is merged into) of those that are, before or after; `only_now`: of those that change that."""
    for change in plan.changes:
        if change.subject.table == "stream":
            rows = [row for row in (change.before, change.after) if isinstance(row, Stream)]
            into = [row.merged_into for row in rows if row.merged_into is not None]
            if into and not (only_now and len(into) == len(rows)):
                yield from ((change.subject.id, other) for other in into)


def _moved(plan: Plan, joined: Collection[str]) -> frozenset[Subject]:
    """The claims that one of the `joined` streams gives to another as they are merged, or that is taken back."""
    given: dict[str, list[Subject]] = {}
    taken: dict[str, list[Subject]] = {}
    for change in plan.changes:
        row = row_of(change)
        if isinstance(row, Claim) and row.stream in joined and None in (change.before, change.after):
            (given if change.after is None else taken).setdefault(row.text, []).append(change.subject)
    return frozenset(subject for text in given.keys() & taken.keys() for subject in (*given[text], *taken[text]))


def counts_in_words(happenings: Sequence[Happening]) -> tuple[str, ...]:
    """Such as ("2 faded", "1 promoted", "5 learnt"), in the order of WORDS; empty if there is only evidence."""
    counted = Counter(happening.word for happening in happenings)
    return tuple(f"{counted[word]} {phrase}" for word, phrase in WORDS.items() if counted[word])


def stream_of(change: Change) -> str | None:
    row = row_of(change)
    return row.id if isinstance(row, Stream) else row.stream


def row_of(change: Change) -> Row:
    """The row after the change, or if it goes, before."""
    row = change.after if change.after is not None else change.before
    if row is None:
        raise ValueError(f"change of {change.subject.table} {change.subject.id} has no row")
    return row


def group_of_subject(groups: Mapping[str, tuple[Subject, ...]]) -> dict[Subject, str]:
    return {subject: group for group, subjects in groups.items() for subject in subjects}


def word_of(change: Change) -> str:  # noqa: PLR0911  # one case a row type
    """What `change` says alone, without the others of its run."""
    if change.subject.table == "link":  # most changes
        return _link_word(change)
    is_new, goes = change.before is None, change.after is None
    match row_of(change):
        case Alias() | Tombstone() | Link():
            return ""
        case Claim():
            return _claim_word(change)
        case Stream():
            return _stream_word(change)
        case Pin():
            return "unpinned" if goes else "pinned"
        case Proposal(status=status) | Question(status=status):
            return "asked" if is_new and status is Waiting.OPEN else "answered"
        case Hold():
            return "released" if goes else "held"


def _link_word(change: Change) -> str:
    """Of the links only the quarantine's own rows have a word."""
    after = change.after
    if not isinstance(after, Link) or after.stream is not None:
        return ""
    return {QUARANTINED: "quarantined", RELEASED: "let_out", REJECTED: "kept_out"}.get(after.rule, "")


def _stream_word(change: Change) -> str:
    before, after = change.before, change.after
    if not isinstance(after, Stream):
        return "gone"
    old_status = before.status if isinstance(before, Stream) else Status.ACTIVE
    if after.status is Status.FORGOTTEN is old_status and isinstance(before, Stream):
        return "unheeded" if after.evidence_digest != before.evidence_digest else ""
    if after.status is not old_status:
        return {Status.ACTIVE: "woken"}.get(after.status, after.status.value)
    if not isinstance(before, Stream):
        return "born" if after.phase is Phase.PATTERN else "promoted"
    words = (
        (rank(after.phase) - rank(before.phase), "promoted", "recomputed"),
        (rank(after.vitality) - rank(before.vitality), "quieter", "woken"),
    )
    return next((up if step > 0 else down for step, up, down in words if step), "")


def _claim_word(change: Change) -> str:
    before, after = change.before, change.after
    if not isinstance(after, Claim):
        return "unlearnt"
    if isinstance(before, Claim) and before.status is after.status:
        return "unheeded" if is_forgotten(after) and after.support > before.support else ""
    if is_forgotten(after):
        return "unheeded" if before is None else "forgotten"
    if after.status is ClaimStatus.CURRENT:
        return "restored" if isinstance(before, Claim) else "learnt"
    return after.status.value
