"""One stream, made whole from all the evidence that is linked to it.

Claims are told first, since the decisions among them say what a failure opposes; then the evidence is folded into
signals and a phase. Nothing is added to what was there before: the same evidence gives the same rows, whatever runs lay
between. Ageing comes after, from the row alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from dreamd.lifecycle import ids
from dreamd.lifecycle.checkpoint import Checkpoint, checkpoint_of
from dreamd.lifecycle.claims import PersonsWord, Told, expired, is_explicit, tell
from dreamd.lifecycle.doubts import DecisionSpan
from dreamd.lifecycle.edits import is_aside
from dreamd.lifecycle.evidence import SUCCESS_FROM_OUTCOME, evidence_of
from dreamd.lifecycle.findings import Assignment, Closure, Statement
from dreamd.lifecycle.floods import heard_on_last_day, without_repeats
from dreamd.lifecycle.further import CITED, PART, further_link
from dreamd.lifecycle.lending import with_claims
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import Maturity, Signals, fold
from dreamd.lifecycle.values import Alias, Claim, Event, Link, Stream
from dreamd.lifecycle.words import (
    Bearing,
    Birth,
    ClaimKind,
    ClaimStatus,
    DecayClass,
    EventKind,
    Status,
    Vitality,
)

_OF_SIGNALS = tuple({field.name for field in fields(Signals)} & {field.name for field in fields(Stream)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that bears on one stream."""

    id: str
    space: str
    target: str
    before: Stream | None
    events: Sequence[Event]
    links: Mapping[str, Link]  # the first links there are, by event id
    assignments: Mapping[str, Assignment]  # by event id
    statements: Mapping[str, Sequence[Statement]]  # by event id, ascending by part
    known: Mapping[str, Event]  # by id: those of the cited events that may be cited, of this stream or others
    closures: Sequence[Closure]
    word: PersonsWord
    is_pinned: bool
    pinned_claims: frozenset[str]
    is_born_forgotten: bool = False  # a person forgot its target while there was no stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    stream: Stream  # not yet aged: ACTIVE as of its last evidence, unless a person laid it to rest
    claims: Mapping[str, Claim]
    links: Mapping[str, Link]  # by link id
    aliases: Mapping[str, Alias]
    told: Told
    checkpoint: Checkpoint | None  # None: the next evidence needs all of it again
    absorbed: Mapping[str, Stream] = field(default_factory=dict)  # the rows of streams that are merged into it
    is_extended: bool = False  # taken further from a checkpoint: `claims` and `links` are not all there are


def grow(case: Case, policy: Policy) -> Grown:
    """The rows of `case`'s stream as its evidence makes them, before ageing."""
    told = tell(case.id, case.events, case.statements, case.closures, word=case.word, policy=policy, known=case.known)
    claims = {id_: _pinned(claim, case.pinned_claims) for id_, claim in told.claims.items()}
    decisions = _decisions(claims.values())
    by_itself = {event.id: bearing_of(event, decisions) for event in case.events}
    bearings = without_repeats(case.events, by_itself)
    maturity = fold(
        [evidence_of(event, bearings[event.id]) for event in case.events],
        policy,
        question_open_from=min((question.asked_from for question in told.questions), default=None),
        decisions=decisions,
    )
    stream = _stream(case, maturity, bearings)
    links = [_link(event, case, stream, bearings[event.id], first_claim(told, event)) for event in case.events]
    links += further_links(told, {**case.known, **{event.id: event for event in case.events}}, case.id)
    return Grown(
        stream=with_claims(stream, list(claims.values()), is_pinned=case.is_pinned, policy=policy),
        claims=claims,
        links={link.id: link for link in links},
        aliases={alias.id: alias for alias in _spellings(case)},
        told=told,
        checkpoint=checkpoint_of(
            case.id,
            stream.evidence_digest,
            maturity.standing,
            events=case.events,
            statements=[one for several in case.statements.values() for one in several],
            claims=list(claims.values()),
            told=told,
            heard=heard_on_last_day(case.events, by_itself),
            is_pinned=case.is_pinned or bool(case.pinned_claims),
            policy=policy,
        ),
    )


def first_claim(told: Told, event: Event) -> str | None:
    """The claim that is on the first link of `event`."""
    return told.stated[event.id][0] if event.id in told.stated else None


def further_links(told: Told, events: Mapping[str, Event], stream: str) -> list[Link]:
    """The links for what events state besides their first claim, and for the claims that need them."""
    found = [further_link(events[id_], stream, claim, PART) for id_, said in told.stated.items() for claim in said[1:]]
    for id_, claims in told.cited.items():
        found += [
            further_link(events[id_], stream, one, CITED) for one in claims if one not in told.stated.get(id_, ())
        ]
    return found


def expire(claim: Claim, now: datetime) -> Claim:
    """`claim`, superseded without a successor if it was only good for a session or checkpoint that is over at `now`."""
    if claim.status is ClaimStatus.CURRENT and expired(claim, now):
        return replace(claim, status=ClaimStatus.SUPERSEDED)
    return claim


def is_failure(event: Event) -> bool:
    """Whether `event` says that something did not work."""
    if event.outcome is not None:
        return event.outcome < SUCCESS_FROM_OUTCOME
    return event.kind is EventKind.ERROR


def bearing_of(event: Event, decisions: Sequence[DecisionSpan]) -> Bearing:
    """Which way `event` bears on its stream, given when which explicit decision of it held."""
    if event.kind is EventKind.RETRACTION or is_aside(event):
        return Bearing.MENTIONS
    says_more = event.kind in (EventKind.DECISION, EventKind.PREFERENCE, EventKind.INTERVENTION, EventKind.CORRECTION)
    if says_more or not is_failure(event):
        return Bearing.SUPPORTS
    opposes = any(span.since < event.at and (span.until is None or event.at < span.until) for span in decisions)
    return Bearing.OPPOSES if opposes else Bearing.SUPPORTS


def _decisions(claims: Iterable[Claim]) -> tuple[DecisionSpan, ...]:
    """When which explicit decision held; one that was never true opposes nothing."""
    return tuple(
        DecisionSpan(claim=claim.id, since=claim.valid_from, until=claim.valid_to)
        for claim in sorted(claims, key=lambda claim: claim.id)
        if claim.kind is ClaimKind.DECISION and is_explicit(claim) and claim.status is not ClaimStatus.RETRACTED
    )


def _pinned(claim: Claim, pinned_claims: frozenset[str]) -> Claim:
    """A pinned claim does not run out; one that other evidence had ended before keeps its end."""
    if claim.id not in pinned_claims:
        return claim
    return replace(claim, decay=DecayClass.PERMANENT, valid_to=None if claim.closed_by is None else claim.valid_to)


def with_signals(stream: Stream, maturity: Maturity) -> Stream:
    """`stream` as new evidence leaves it: measured anew and ACTIVE, unless a person or a merge laid it to rest."""
    return replace(
        stream,
        **_measured(maturity),
        vitality=Vitality.ACTIVE,
        status=Status.ACTIVE if stream.status is Status.FADED else stream.status,
        crossed_at=None,
    )


def measured_as(before: Stream, stream: Stream) -> Stream:
    """`stream` with the phase and the signals of `before`, which has the same evidence."""
    names = ("phase", "emergent_at", "canonical_at", *_OF_SIGNALS)
    return replace(stream, **{name: getattr(before, name) for name in names})


def digest_with(digest: str, bearings: Mapping[str, Bearing]) -> str:
    """The digest of evidence (32 hex digits) with that of more events; "" for none before.

    A sum, so that it does not depend on the order and evidence is added without the rest at hand.
    """
    parts = (int(ids.digest_of(f"{event}:{bearing}")[:32], 16) for event, bearing in bearings.items())
    return f"{(int(digest or '0', 16) + sum(parts)) % 16**32:032x}"


def own_name(assignment: Assignment) -> str | None:
    """The canonical form that the event itself names, before aliases."""
    return assignment.via[0] if assignment.via else assignment.target


def new_link(event: Event, stream: Stream, assignment: Assignment | Link, bearing: Bearing, claim: str | None) -> Link:
    """`assignment`, or the link that said so before, tells rule and score."""
    return Link(
        id=ids.link_id(event.id, stream.id),
        space=stream.space,
        event=event.id,
        stream=stream.id,
        claim=claim,
        bearing=bearing,
        rule=assignment.rule,
        score=assignment.score,
    )


def aliases_of(stream: str, space: str, target: str, events: Iterable[Event]) -> Iterable[Alias]:
    """One alias for each other spelling of the target that the events used."""
    spellings = {event.target for event in events if event.target is not None}
    for spelling in sorted(spellings - {target}):
        yield Alias(
            id=ids.alias_id(space, spelling),
            space=space,
            spelling=spelling,
            target=target,
            stream=stream,
            rule="canonical form",
        )


def _spellings(case: Case) -> Iterable[Alias]:
    """Without the names that an alias leads to the target from: their rows are decisions."""
    names = {name for assignment in case.assignments.values() for name in assignment.via}
    rows = aliases_of(case.id, case.space, case.target, case.events)
    return (row for row in rows if row.spelling not in names)


def _link(event: Event, case: Case, stream: Stream, bearing: Bearing, claim: str | None) -> Link:
    before = case.links.get(event.id)
    if before is not None and before.stream == stream.id:
        return replace(before, bearing=bearing, claim=claim)
    return new_link(event, stream, before or case.assignments[event.id], bearing, claim)


def _stream(case: Case, maturity: Maturity, bearings: Mapping[str, Bearing]) -> Stream:
    return Stream(
        id=case.id,
        space=case.space,
        target=case.target,
        title=_title(case),
        headline=None,
        birth=_birth(case),
        vitality=Vitality.ACTIVE,
        status=_status(case),
        crossed_at=None,
        merged_into=None if case.before is None else case.before.merged_into,
        decay_class=DecayClass.ACTIVE,
        is_protected=False,
        shelf="knowledge",
        evidence_digest=digest_with("", bearings),
        **_measured(maturity),
    )


def _status(case: Case) -> Status:
    """As it was, if a person or a merge laid it to rest."""
    if case.before is None:
        return Status.FORGOTTEN if case.is_born_forgotten else Status.ACTIVE
    return Status.ACTIVE if case.before.status is Status.FADED else case.before.status


def _measured(maturity: Maturity) -> dict[str, Any]:
    """The fields of a stream that its evidence is measured by."""
    signals = {name: getattr(maturity.signals, name) for name in _OF_SIGNALS}
    return {
        "phase": maturity.phase,
        "emergent_at": maturity.emergent_at,
        "canonical_at": maturity.canonical_at,
        **signals,
    }


def _title(case: Case) -> str:
    """The target as the earliest evidence that names it, and not an alias of it, spelled it."""
    assigned = case.assignments
    named = [event for event in case.events if own_name(assigned[event.id]) == case.target and assigned[event.id].title]
    first = min(named, key=lambda event: (event.at, event.id), default=None)
    return (None if first is None else assigned[first.id].title) or case.target


def _birth(case: Case) -> Birth:
    """What the earliest instant of evidence holds: an intervention by a person, an explicit decision or preference."""
    start = min(event.at for event in case.events)
    first = [evidence_of(event, Bearing.SUPPORTS) for event in case.events if event.at == start]
    if any(evidence.is_intervention for evidence in first):
        return Birth.INTERVENTION
    return Birth.EXPLICIT if any(evidence.is_explicit for evidence in first) else Birth.REFLECTION
