"""What happens in a change, as words for machines and as a sentence for people.

Both are read off the rows before and after, so that they cannot say anything else than what is done.
"""

from datetime import datetime

from dreamd.lifecycle.claims import is_forgotten
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Link, Row, Stream
from dreamd.lifecycle.words import ClaimStatus, Phase, Status, Vitality, rank


def kinds_of(before: Row | None, after: Row | None) -> tuple[str, ...]:
    """The kinds of change from `before` to `after`, at most one of them None: the words that holds and counts go by."""
    if after is None:
        return ("remove",)
    if isinstance(after, Stream) and (before is None or isinstance(before, Stream)):
        return _stream_kinds(before, after)
    if isinstance(after, Claim) and (before is None or isinstance(before, Claim)):
        return _claim_kinds(before, after)
    if before is None:
        return ("create",)
    return ("evidence",) if isinstance(after, Link) else ("update",)


def reason(before: Row | None, after: Row | None, note: str) -> str:
    """One sentence that says what changes and why; `note` is what the step knew beyond the rows."""
    if isinstance(after, Stream) and (before is None or isinstance(before, Stream)):
        return _joined(_stream_reason(before, after), note)
    if isinstance(after, Claim) and (before is None or isinstance(before, Claim)):
        return _joined(_claim_reason(before, after), note)
    if note:
        return note
    row = after or before
    word = "added" if before is None else "taken back" if after is None else "changed"
    return f"{type(row).__name__.lower()} {word}"


def day(instant: datetime) -> str:
    """The UTC day and minute of `instant`, for people."""
    return instant.strftime("%Y-%m-%d %H:%M")


def _joined(sentence: str, note: str) -> str:
    return "; ".join(part for part in (sentence, note) if part)


def _stream_kinds(before: Stream | None, after: Stream) -> tuple[str, ...]:
    kinds = ["create"] if before is None else []
    if before is not None and before.evidence_digest != after.evidence_digest:
        kinds.append("evidence")
    old_phase = Phase.PATTERN if before is None else before.phase
    if rank(after.phase) > rank(old_phase):
        kinds.append(f"phase:{after.phase}")
    elif rank(after.phase) < rank(old_phase):
        kinds.append("phase_recomputed")
    if after.vitality is not (Vitality.ACTIVE if before is None else before.vitality):
        kinds.append(f"vitality:{after.vitality}")
    if after.status is not (Status.ACTIVE if before is None else before.status):
        kinds.append(f"status:{after.status}")
    return tuple(kinds) or ("update",)


def _claim_kinds(before: Claim | None, after: Claim) -> tuple[str, ...]:
    kinds = ["create"] if before is None else []
    old_status = ClaimStatus.CURRENT if before is None else before.status
    if after.status is not old_status:
        kinds.append(_ending(after))
    if before is not None and (before.support, before.last_at) != (after.support, after.last_at):
        kinds.append("support")
    return tuple(kinds) or ("update",)


def _ending(after: Claim) -> str:
    if after.status is ClaimStatus.CURRENT:
        return "reopen"
    if after.status is ClaimStatus.RETRACTED:
        return "retract"
    return "expire" if after.closed_by is None else "supersede"


def _stream_reason(before: Stream | None, after: Stream) -> str:
    parts = []
    if before is None:
        parts.append(f"first evidence of {after.target}: {counted(after.frequency + after.opposed, 'event')}")
    elif before.evidence_digest != after.evidence_digest:
        more = after.frequency + after.opposed - before.frequency - before.opposed
        parts.append(f"{counted(more, 'more event')}" if more > 0 else "its evidence changed")
    elif before.base_confidence != after.base_confidence:
        parts.append(f"base confidence {before.base_confidence:.2f} to {after.base_confidence:.2f}")
    parts += _phase_reason(before, after)
    if after.is_doubtful and (before is None or not before.is_doubtful):
        parts.append(f"doubtful: {counted(after.opposed, 'event')} against its current decision")
    old_vitality = Vitality.ACTIVE if before is None else before.vitality
    old_status = Status.ACTIVE if before is None else before.status
    if after.vitality is not old_vitality or after.status is not old_status:
        state = after.status if after.status is not Status.ACTIVE else after.vitality
        if after.merged_into is not None:
            return "merged"
        is_decided = Status.FORGOTTEN in (after.status, old_status)  # by a person, whatever the evidence says
        since = f" since {day(after.crossed_at)}" if after.crossed_at else "" if is_decided else ", new evidence"
        parts.append(f"{state}{since}")
    return "; ".join(parts) or "what its claims lend it changed"


def _phase_reason(before: Stream | None, after: Stream) -> list[str]:
    old = Phase.PATTERN if before is None else before.phase
    if rank(after.phase) < rank(old):
        is_same = before is not None and before.evidence_digest == after.evidence_digest
        why = "" if is_same else ": its evidence changed"
        return [f"phase recomputed from {old} to {after.phase}{why}"]
    if rank(after.phase) == rank(old):
        return []
    reached = []
    if old is Phase.PATTERN and after.emergent_at:
        reached.append(
            f"emergent since {day(after.emergent_at)} (frequency {after.frequency}, removal cost "
            f"{after.removal_cost:.2f}, lifetime {after.lifetime_days:.1f} days)"
        )
    if after.canonical_at and after.phase is Phase.CANONICAL:
        reached.append(
            f"canonical since {day(after.canonical_at)} (coverage {after.coverage:.2f}, stability "
            f"{after.stability:.2f}, removal cost {after.removal_cost:.2f})"
        )
    return reached


def _claim_reason(before: Claim | None, after: Claim) -> str:
    parts = []
    if before is None:
        parts.append(f"stated on {day(after.valid_from)} ({after.trust})")
    elif before.support != after.support:
        parts.append(f"stated {counted(after.support, 'time')}, {before.support} before")
    old = ClaimStatus.CURRENT if before is None else before.status
    if after.status is not old:
        words = {
            "reopen": "current again",
            "retract": "a person forgot it" if is_forgotten(after) else f"retracted by {after.closed_by}",
            "supersede": f"superseded by {after.closed_by}"
            + (f", valid to {day(after.valid_to)}" if after.valid_to else ""),
            "expire": "its time is over",
        }
        parts.append(words[_ending(after)])
    return "; ".join(parts)
