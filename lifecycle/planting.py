"""Putting streams into the draft: the grown ones with all their rows, the due ones aged, what is left marked.

`Bed` holds what every planting needs: the draft, the rows by stream and the clock that things age by.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol, TypeVar

from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import Ending, is_forgotten
from dreamd.lifecycle.draft import Draft
from dreamd.lifecycle.findings import RETRACT, SUPERSEDE, Assignment, Findings
from dreamd.lifecycle.growing import Grown, measured_as
from dreamd.lifecycle.holds import age, expire_unless_held, is_held_as_it_is
from dreamd.lifecycle.lending import with_claims
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.quarantine import QUARANTINED, quarantined
from dreamd.lifecycle.reasons import day
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Claim, Hold, Link, Proposal, Question, Stream
from dreamd.lifecycle.waking import Interval
from dreamd.lifecycle.words import Bearing, Status, Waiting


class _Belongs(Protocol):
    @property
    def stream(self) -> str | None: ...


_Row = TypeVar("_Row", bound=_Belongs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bed:
    draft: Draft
    claims: Mapping[str, Sequence[Claim]]  # as they were, by stream
    further: Mapping[str, Sequence[Link]]  # the further links, as they were, of the streams to be grown whole
    questions: Mapping[str, Sequence[Question]]  # as they were, by stream
    proposals: Mapping[str, Sequence[Proposal]]  # as they were, by stream
    holds: Mapping[str, Sequence[Hold]]  # still in force, by stream
    pinned: frozenset[str]  # ids of pinned streams and claims
    now: datetime
    waking: Sequence[Interval]
    policy: Policy


def by_stream(rows: Mapping[str, _Row]) -> Mapping[str, Sequence[_Row]]:
    """`rows` sorted into the streams they belong to; those of no stream are left out."""
    sorted_in: dict[str, list[_Row]] = defaultdict(list)
    for row in rows.values():
        if row.stream is not None:
            sorted_in[row.stream].append(row)
    return sorted_in


def plant(bed: Bed, grown: Grown) -> None:
    """Put all rows of one grown stream into the draft, but for the stream itself, which is aged or kept."""
    stream_id = grown.stream.id
    endings = {ending.claim: ending for ending in grown.told.endings}
    for link in grown.links.values():
        bed.draft.put(link, _link_note(link))
    for row in grown.absorbed.values():
        bed.draft.put(row, f"another name of {grown.stream.target}")
    for link in bed.further.get(stream_id, ()):
        if link.id not in grown.links:
            bed.draft.drop(link, "its event no longer bears on that claim")
    for claim in bed.claims.get(stream_id, ()):
        if claim.id not in grown.claims:
            bed.draft.drop(claim, "no evidence states it any more")
    for claim in grown.claims.values():
        bed.draft.put(claim, _ending_note(endings.get(claim.id)))
    for alias in grown.aliases.values():
        bed.draft.put(alias, f'"{alias.spelling}" is another spelling of {alias.target}')
    _plant_waiting(bed, grown)


def _plant_waiting(bed: Bed, grown: Grown) -> None:
    """Put the questions of one grown stream into the draft, and take away what later evidence settled."""
    stream_id = grown.stream.id
    asked = {question.id: question for question in grown.told.questions}
    for question in bed.questions.get(stream_id, ()):
        if question.status is Waiting.OPEN and question.id not in asked:
            bed.draft.drop(question, "later evidence settled it")
    for question in asked.values():
        bed.draft.put(question, "no rule decides it")
    if not grown.is_extended:
        _drop_idle_proposals(bed, grown)


def _drop_idle_proposals(bed: Bed, grown: Grown) -> None:
    refused = {(ending.verb, ending.claim) for ending in grown.told.refused}
    for proposal in bed.proposals.get(grown.stream.id, ()):
        is_ending = proposal.kind in (SUPERSEDE, RETRACT) and proposal.status is Waiting.OPEN
        if is_ending and (proposal.kind, proposal.subjects[0]) not in refused:
            bed.draft.drop(proposal, "its ending no longer arises")


def plant_aged(bed: Bed, stream: Stream, claims: Sequence[Claim] | None, note: str = "") -> None:
    """Put `stream` and those of its `claims` whose time is over into the draft, as they are now.

    None: no time of a claim can be over, so what the claims lend the stream stays. `note` says why it changes, beside
    age.
    """
    if claims is not None:
        now_claims, stream = lived(bed, stream, claims)
        for before, after in zip(claims, now_claims, strict=True):
            if before != after:
                bed.draft.put(after)
    aged, crossings = age(stream, bed.now, bed.waking, bed.policy, bed.holds.get(stream.id, ()))
    # The reason of a change tells the last crossing itself.
    earlier = [f"{kind.split(':')[1]} since {day(instant)}" for kind, instant in crossings[:-1]]
    bed.draft.put(aged, "; ".join([*earlier, *([note] if note else [])]))


def lived(bed: Bed, stream: Stream, claims: Sequence[Claim]) -> tuple[list[Claim], Stream]:
    """The `claims` as they are now, in the same order, and `stream` with what they lend it.

    What is held as it is keeps what was lent to it, unless the time of a claim is over.
    """
    holds = bed.holds.get(stream.id, ())
    found = [expire_unless_held(claim, bed.now, holds) for claim in claims]
    if is_held_as_it_is(stream, holds) and found == list(claims):
        return found, stream
    return found, with_claims(stream, found, is_pinned=stream.id in bed.pinned, policy=bed.policy)


def plant_as_old(bed: Bed, before: Stream, grown: Grown) -> None:
    """Put a stream into the draft for a person's order, which does not age: as old as the last dream saw it.

    A stream that had faded wakes if the order protects it.
    """
    held_over = {claim.id for claim in bed.claims.get(before.id, ()) if claim.closed_by is None}
    claims = [_still_expired(claim, bed, held_over) for claim in grown.claims.values()]
    for claim in claims:
        bed.draft.put(claim)
    measured = grown.stream
    if is_held_as_it_is(before, bed.holds.get(before.id, ())):
        measured = measured_as(before, measured)
    stream = with_claims(measured, claims, is_pinned=before.id in bed.pinned, policy=bed.policy)
    wakes = stream.is_protected and before.status is Status.FADED
    status = Status.ACTIVE if wakes else before.status
    bed.draft.put(replace(stream, vitality=before.vitality, crossed_at=before.crossed_at, status=status))


def mark_the_rest(draft: Draft, snapshot: Snapshot, findings: Findings) -> None:
    """New events without a target get a link to no stream: they were looked at, and the note says what was missing."""
    reasons = dict(findings.noise)
    new = set(snapshot.new)
    for assignment in findings.assignments:
        if assignment.target is None and assignment.event in new:
            note = assignment.note or reasons.get(assignment.event, "no target was found for it")
            draft.put(_marked(assignment, snapshot.space), note)


def _marked(assignment: Assignment, space: str) -> Link:
    if assignment.rule == QUARANTINED:
        return quarantined(space, assignment.event, assignment.score)
    return Link(
        id=ids.link_id(assignment.event, None),
        space=space,
        event=assignment.event,
        stream=None,
        claim=None,
        bearing=Bearing.MENTIONS,
        rule=assignment.rule,
        score=assignment.score,
    )


def _still_expired(claim: Claim, bed: Bed, held_over: set[str]) -> Claim:
    old = next((old for old in bed.claims.get(claim.stream, ()) if old.id == claim.id), None)
    if old is None or claim.id not in held_over or claim.closed_by is not None or claim.id in bed.pinned:
        return claim
    if is_forgotten(old) or is_forgotten(claim):
        return claim
    return replace(claim, status=old.status)


def _link_note(link: Link) -> str:
    stated = "" if link.claim is None else f", states {link.claim}"
    sure = f" {link.score:.2f}" if ":" in link.rule else ""  # what was learned, and not said by the event or its paths
    return f"{link.bearing} it, {link.rule}{sure}{stated}"


def _ending_note(ending: Ending | None) -> str:
    return "" if ending is None else ending.rule
