"""What a person decides, as orders that take the same way as a dream.

Each function turns a command into rows to put or drop and the streams that follow from them. Nothing is written here.
"""

from dataclasses import replace
from datetime import datetime

from dreamd.daemon.aliasing import accept_merge
from dreamd.daemon.errors import Usage
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import NEITHER
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.holds import AS_IT_IS
from dreamd.lifecycle.merging import MERGE
from dreamd.lifecycle.quarantine import REJECTED, RELEASED
from dreamd.lifecycle.repolicy import PROPOSES
from dreamd.lifecycle.values import Claim, Hold, Link, Pin, Proposal, Question, Stream
from dreamd.lifecycle.words import Trigger, Waiting

BOTH = "both"  # the answer to a question by which the claims stand side by side


def pin(store: SpaceStore, subject: Stream | Claim, now: datetime) -> Order:
    """Leave `subject` alone: it is not ended, merged or faded by a run."""
    stream = _stream_of(subject)
    row = Pin(
        id=ids.pin_id(store.space, subject.id), space=store.space, subject=subject.id, stream=stream, pinned_at=now
    )
    there = [pin for pin in store.pins() if pin.id == row.id]
    return Order(trigger=Trigger.PIN, because="pinned by a person", put=() if there else (row,), streams=(stream,))


def unpin(store: SpaceStore, subject: Stream | Claim) -> Order:
    """Raises Usage if `subject` is not pinned."""
    rows = tuple(row for row in store.pins() if row.subject == subject.id)
    if not rows:
        name = subject.target if isinstance(subject, Stream) else subject.id
        raise Usage(f"{name!r} is not pinned", hint="dreamd streams --json shows what is pinned")
    return Order(trigger=Trigger.UNPIN, because="unpinned by a person", drop=rows, streams=(_stream_of(subject),))


def unhold(store: SpaceStore, subject: str) -> Order:
    """Lift every hold on `subject`: a stream with its links and claims, or one row.

    Raises Usage if nothing is held there.
    """
    rows = tuple(hold for hold in store.holds() if subject in (hold.subject, hold.stream, hold.event))
    if not rows:
        raise Usage(f"nothing is held on {subject}", hint="a revert leaves holds; see: dreamd runs")
    streams = {hold.stream for hold in rows if hold.stream is not None}
    there = {stream.id for stream in store.streams()}
    return Order(
        trigger=Trigger.UNHOLD, because="released by a person", drop=rows, streams=tuple(sorted(streams & there))
    )


def accept(store: SpaceStore, proposal: Proposal) -> Order:
    """What the proposal says is done, at the current head.

    A changed policy is applied to the streams that are still kept from it; of a merge see aliasing.py.
    """
    if proposal.kind == MERGE:
        return accept_merge(store, proposal)
    row = replace(proposal, status=Waiting.ACCEPTED)
    held: tuple[Hold, ...] = ()
    streams = {proposal.stream}
    if proposal.kind == PROPOSES:
        held = tuple(hold for hold in store.holds() if hold.kind == AS_IT_IS and hold.subject in proposal.subjects)
        streams |= {hold.subject for hold in held}
    because = "accepted by a person"
    return Order(trigger=Trigger.ACCEPT, because=because, put=(row,), drop=held, streams=tuple(sorted(streams)))


def reject(proposal: Proposal) -> Order:
    """It is not proposed again. What a changed policy is kept from stays as it is until new evidence comes for it."""
    row = replace(proposal, status=Waiting.REJECTED)
    return Order(trigger=Trigger.REJECT, because="rejected by a person", put=(row,), streams=(proposal.stream,))


def resolve(question: Question, choice: str) -> Order:
    """`choice` is one of the question's claim ids, "both" or "neither". Raises Usage for anything else."""
    if choice not in (*question.claims, BOTH, NEITHER):
        allowed = ", ".join((*question.claims, BOTH, NEITHER))
        raise Usage(f"choice {choice!r} does not answer {question.id}", hint=f"choose one of: {allowed}")
    row = replace(question, status=Waiting.RESOLVED, choice=choice)
    return Order(trigger=Trigger.RESOLVE, because=f"a person chose {choice}", put=(row,), streams=(question.stream,))


def release(store: SpaceStore, link: Link) -> Order:
    """Let the event of `link` out of quarantine; a hold on it, which a revert left, would keep it from being seen."""
    held = tuple(hold for hold in store.holds() if hold.event == link.event)
    row = replace(link, rule=RELEASED)
    return Order(
        trigger=Trigger.ACCEPT, because="let out of quarantine by a person", put=(row,), drop=held, was=(link,)
    )


def keep_out(link: Link) -> Order:
    """The event of `link` stays out of the memory for good."""
    row = replace(link, rule=REJECTED)
    return Order(trigger=Trigger.REJECT, because="kept out for good by a person", put=(row,), was=(link,))


def _stream_of(subject: Stream | Claim) -> str:
    return subject.id if isinstance(subject, Stream) else subject.stream
