"""One stream, made whole from all the evidence that is linked to it.

Claims are told first, since the decisions among them say what a failure opposes; then the evidence is folded into
signals and a phase. Nothing is added to what was there before: the same evidence gives the same rows, whatever runs lay
between. Ageing comes after, from the row alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import PersonsWord, Told, expired, is_explicit, strength, tell
from dreamd.lifecycle.evidence import SUCCESS_FROM_OUTCOME, evidence_of
from dreamd.lifecycle.findings import Assignment, Closure, Statement
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.signals import DecisionSpan, Maturity, fold
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
    rank,
)

HEADLINE_CHARACTERS = 240  # of the strongest claim; the index shortens further


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """All that bears on one stream."""

    id: str
    space: str
    target: str
    before: Stream | None
    events: Sequence[Event]
    links: Mapping[str, Link]  # the links there are, by event id
    assignments: Mapping[str, Assignment]  # by event id
    statements: Mapping[str, Statement]  # by event id
    closures: Sequence[Closure]
    word: PersonsWord
    is_pinned: bool
    pinned_claims: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    stream: Stream  # not yet aged: ACTIVE as of its last evidence, unless a person laid it to rest
    claims: Mapping[str, Claim]
    links: Mapping[str, Link]  # by link id
    aliases: Mapping[str, Alias]
    told: Told


def grow(case: Case, policy: Policy) -> Grown:
    """The rows of `case`'s stream as its evidence makes them, before ageing."""
    told = tell(case.id, case.events, case.statements, case.closures, word=case.word, policy=policy)
    claims = {id_: _pinned(claim, case.pinned_claims) for id_, claim in told.claims.items()}
    decisions = _decisions(claims.values())
    bearings = {event.id: _bearing(event, decisions) for event in case.events}
    maturity = fold(
        [evidence_of(event, bearings[event.id]) for event in case.events],
        policy,
        question_open_from=min((question.asked_from for question in told.questions), default=None),
        decisions=decisions,
    )
    links = (_link(event, case, bearings[event.id], told.claim_of.get(event.id)) for event in case.events)
    return Grown(
        stream=_stream(case, maturity, claims, bearings, policy),
        claims=claims,
        links={link.id: link for link in links},
        aliases={alias.id: alias for alias in _aliases(case)},
        told=told,
    )


def expire(claim: Claim, now: datetime) -> Claim:
    """`claim`, superseded without a successor if it was only good for a session or checkpoint that is over at `now`."""
    if claim.status is ClaimStatus.CURRENT and expired(claim, now):
        return replace(claim, status=ClaimStatus.SUPERSEDED)
    return claim


def with_claims(stream: Stream, claims: Sequence[Claim], *, is_pinned: bool, policy: Policy) -> Stream:
    """`stream` with what its current claims lend it: headline, shelf, decay class and protection."""
    current = sorted((claim for claim in claims if claim.status is ClaimStatus.CURRENT), key=strength)
    return replace(
        stream,
        headline=current[0].text[:HEADLINE_CHARACTERS] if current else None,
        shelf=_shelf(current),
        decay_class=DecayClass.PERMANENT if is_pinned else _decay_class(current, stream.frequency, policy),
        is_protected=is_pinned or any(claim.kind is ClaimKind.PREFERENCE for claim in current),
    )


def is_failure(event: Event) -> bool:
    """Whether `event` says that something did not work."""
    if event.outcome is not None:
        return event.outcome < SUCCESS_FROM_OUTCOME
    return event.kind is EventKind.ERROR


def _bearing(event: Event, decisions: Sequence[DecisionSpan]) -> Bearing:
    if event.kind is EventKind.RETRACTION:
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


def _link(event: Event, case: Case, bearing: Bearing, claim: str | None) -> Link:
    before = case.links.get(event.id)
    if before is not None:
        return replace(before, bearing=bearing, claim=claim)
    assignment = case.assignments[event.id]
    return Link(
        id=ids.link_id(event.id, case.id),
        space=case.space,
        event=event.id,
        stream=case.id,
        claim=claim,
        bearing=bearing,
        rule=assignment.rule,
        score=assignment.score,
    )


def _stream(
    case: Case, maturity: Maturity, claims: Mapping[str, Claim], bearings: Mapping[str, Bearing], policy: Policy
) -> Stream:
    signals = maturity.signals
    evidence = sorted(f"{event}:{bearing}" for event, bearing in bearings.items())
    stream = Stream(
        id=case.id,
        space=case.space,
        target=case.target,
        title=_title(case),
        headline=None,
        birth=_birth(case),
        phase=maturity.phase,
        emergent_at=maturity.emergent_at,
        canonical_at=maturity.canonical_at,
        vitality=Vitality.ACTIVE,
        status=Status.ACTIVE if case.before is None or case.before.status is Status.FADED else case.before.status,
        crossed_at=None,
        merged_into=None if case.before is None else case.before.merged_into,
        base_confidence=signals.base_confidence,
        decay_class=DecayClass.ACTIVE,
        is_protected=False,
        is_doubtful=signals.is_doubtful,
        first_seen=signals.first_seen,
        last_seen=signals.last_seen,
        frequency=signals.frequency,
        opposed=signals.opposed,
        active_days=signals.active_days,
        lifetime_days=signals.lifetime_days,
        coverage=signals.coverage,
        stability=signals.stability,
        reinforcement_density=signals.reinforcement_density,
        removal_cost=signals.removal_cost,
        utility=signals.utility,
        stretch=signals.stretch,
        scope=signals.scope,
        shelf="knowledge",
        evidence_digest=ids.digest_of(*evidence)[:32],
    )
    return with_claims(stream, list(claims.values()), is_pinned=case.is_pinned, policy=policy)


def _title(case: Case) -> str:
    """The target as the earliest evidence spelled it."""
    first = min(case.events, key=lambda event: (event.at, event.id))
    return case.assignments[first.id].title or case.target


def _birth(case: Case) -> Birth:
    """What the earliest instant of evidence holds: an intervention by a person, an explicit decision or preference."""
    start = min(event.at for event in case.events)
    first = [evidence_of(event, Bearing.SUPPORTS) for event in case.events if event.at == start]
    if any(evidence.is_intervention for evidence in first):
        return Birth.INTERVENTION
    return Birth.EXPLICIT if any(evidence.is_explicit for evidence in first) else Birth.REFLECTION


def _aliases(case: Case) -> Iterable[Alias]:
    """One alias for each other spelling of the target that its events used."""
    spellings = {event.target for event in case.events if event.target is not None}
    for spelling in sorted(spellings - {case.target}):
        yield Alias(
            id=ids.alias_id(case.space, spelling),
            space=case.space,
            spelling=spelling,
            target=case.target,
            stream=case.id,
            rule="canonical form",
        )


def _shelf(current: Sequence[Claim]) -> str:
    kinds = {claim.kind for claim in current}
    if ClaimKind.PREFERENCE in kinds:
        return "preferences"
    if any(is_explicit(claim) for claim in current):
        return "projects"
    if kinds and kinds <= {ClaimKind.LESSON, ClaimKind.PROCEDURE}:
        return "lessons"
    return "knowledge"


def _decay_class(current: Sequence[Claim], support: int, policy: Policy) -> DecayClass:
    """The class of the slowest current claim that makes up a fifth of the support, or is explicit."""
    weighty = [
        claim.decay
        for claim in current
        if is_explicit(claim) or claim.support >= policy.slowest_class_min_share * support
    ]
    return min(weighty, key=rank, default=DecayClass.ACTIVE)
