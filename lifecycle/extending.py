"""One stream, taken further from its checkpoint by plain events that are later than all it knows.

The rows are those that growing it whole would give (`growing.grow`), from the new events, the claims that they state
again and the checkpoint alone. So the cost of a run follows the new evidence, not the life of a stream.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dreamd.lifecycle import ids
from dreamd.lifecycle.checkpoint import RUNNING_OUT, Checkpoint, Extension
from dreamd.lifecycle.claims import Told, claim_kind, in_time, newly_stated, same_as, trust_of
from dreamd.lifecycle.doubts import DecisionSpan
from dreamd.lifecycle.evidence import evidence_of
from dreamd.lifecycle.findings import EVERYTHING, Assignment, Statement
from dreamd.lifecycle.floods import MAX_HEARD, heard_on_last_day, unsettles, without_repeats
from dreamd.lifecycle.growing import (
    Grown,
    aliases_of,
    bearing_of,
    digest_with,
    first_claim,
    further_links,
    new_link,
    with_signals,
)
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import strength
from dreamd.lifecycle.signals import fold_onto
from dreamd.lifecycle.values import Claim, Event, Stream
from dreamd.lifecycle.words import Actor, ClaimStatus, rank

MAX_INTERVALS = 3  # how often a statement came and went; with as many its stream is grown whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """New plain evidence for one stream with a checkpoint."""

    before: Stream
    events: Sequence[Event]  # the new ones
    assignments: Mapping[str, Assignment]  # by event id
    statements: Mapping[str, Sequence[Statement]]  # by event id, ascending by part
    claims: Mapping[str, Claim]  # those that the events may state again, by id
    extension: Extension

    def is_as(self, other: "Addition") -> bool:
        """Whether `extend` gives the same for both: they are equal, but for voices that no claim at hand is of."""
        one, two = self.extension, other.extension
        return replace(self, extension=replace(one, voices={})) == replace(
            other, extension=replace(two, voices={})
        ) and [one.voices.get(claim.stated_in) for claim in self.claims.values()] == [
            two.voices.get(claim.stated_in) for claim in other.claims.values()
        ]


@lru_cache(maxsize=8_192)
def restatable_ids(stream: str, text_key: str) -> tuple[str, ...]:
    """The ids of the claims that a statement with `text_key` may be one more of."""
    return tuple(ids.claim_id(stream, text_key, occurrence) for occurrence in range(MAX_INTERVALS))


def extend(addition: Addition, policy: Policy) -> Grown | None:
    """The rows of the stream with the new evidence, before ageing; None if it has to be grown whole."""
    stream, checkpoint = addition.before, addition.extension.checkpoint
    claims = dict(addition.claims)
    stated: dict[str, tuple[str, ...]] = {}
    marks = set(checkpoint.marks)
    for event in in_time(addition.events):
        statements = addition.statements.get(event.id, ())
        met = {mark for one in statements for mark in (*one.meets, *same_as(stream.id, one))}
        if EVERYTHING in met or not marks.isdisjoint(met):
            return None  # it may end what is not at hand, or is known to be wrong
        marks.update(mark for one in statements for mark in one.leaves)
        for statement in statements:
            claim = _stated(addition, claims, event, statement, policy, stated.get(event.id, ()))
            if claim is None:
                return None
            claims[claim.id] = claim
            stated[event.id] = tuple(dict.fromkeys((*stated.get(event.id, ()), claim.id)))
    if _lends_less(checkpoint, claims):
        return None
    decisions = [DecisionSpan(claim=one.claim, since=one.since, until=None) for one in checkpoint.standing.weighed]
    by_itself = {event.id: bearing_of(event, decisions) for event in addition.events}
    if unsettles(addition.events, by_itself, checkpoint.heard):
        return None
    bearings = without_repeats(addition.events, by_itself, checkpoint.heard)
    heard = heard_on_last_day(addition.events, by_itself, (checkpoint.upto, checkpoint.heard))
    evidence = [evidence_of(event, bearings[event.id]) for event in addition.events]
    maturity = fold_onto(checkpoint.standing, evidence, policy, addition.extension.known_sessions)
    told = Told(claims=claims, stated=stated, cited={}, endings=(), refused=(), questions=())
    links = [
        new_link(event, stream, addition.assignments[event.id], bearings[event.id], first_claim(told, event))
        for event in addition.events
    ]
    links += further_links(told, {event.id: event for event in addition.events}, stream.id)
    digest = digest_with(stream.evidence_digest, bearings)
    lent = checkpoint.lent.with_more([claim for id_, claim in claims.items() if claim != addition.claims.get(id_)])
    grown = replace(with_signals(stream, maturity), evidence_digest=digest)
    aliases = aliases_of(stream.id, stream.space, stream.target, addition.events)
    return Grown(
        stream=lent.to(grown, is_pinned=False, policy=policy),
        claims=claims,
        links={link.id: link for link in links},
        aliases={alias.id: alias for alias in aliases},
        told=told,
        checkpoint=None
        if maturity.standing is None or len(heard) > MAX_HEARD
        else replace(
            checkpoint,
            evidence_digest=digest,
            upto=max(event.at for event in addition.events),
            heard=heard,
            standing=maturity.standing,
            lent=lent,
            marks=tuple(sorted(marks)),
        ),
        is_extended=True,
    )


def _stated(  # noqa: PLR0913, PLR0917 - all that a statement meets
    addition: Addition,
    claims: Mapping[str, Claim],
    event: Event,
    statement: Statement,
    policy: Policy,
    said: Sequence[str],
) -> Claim | None:
    """The claim that `event` states, made or stated once more; None if that takes more than is at hand.

    `said` are the ids of the claims that the event states already: it counts once for each.
    """
    if statement.cites:  # what it rests on is not at hand
        return None
    stream = addition.before.id
    intervals = [claims[id_] for id_ in restatable_ids(stream, statement.text_key) if id_ in claims]
    if not intervals:
        return newly_stated(stream, 0, event, statement, policy)
    if len(intervals) == MAX_INTERVALS:
        return None
    last = intervals[-1]
    if last.id in said:
        return last
    came_back = last.status is ClaimStatus.SUPERSEDED
    overruled = last.status is ClaimStatus.RETRACTED and event.actor is Actor.USER
    if came_back or overruled:
        return newly_stated(stream, len(intervals), event, statement, policy)
    new = {one.id: one for one in addition.events}
    voice = new.get(last.stated_in) or addition.extension.voices.get(last.stated_in)
    return None if voice is None else _restated(last, event, statement, voice)


def _restated(claim: Claim, event: Event, statement: Statement, voice: Event) -> Claim | None:
    """`claim` with one more statement of it, later than all others; None if its kind or decay would change by it."""
    if claim.decay in RUNNING_OUT or rank(claim_kind(statement)) < rank(claim.kind):
        return None
    more = replace(
        claim,
        recorded_at=min(claim.recorded_at, event.recorded_at),
        last_at=event.at,
        support=claim.support + 1,
        days=claim.days + (event.at.date() != claim.last_at.date()),
        due=max((due for due in (claim.due, statement.due) if due is not None), default=None),
        trust=trust_of((claim.trust, event.actor)),
    )
    if rank(event.actor) >= rank(voice.actor):
        return more
    return replace(
        more,
        text=statement.text,
        group=ids.group_id(claim.stream, statement.group_key),
        stated_in=event.id,
        slot=statement.slot,
        value=statement.value,
    )


def _lends_less(checkpoint: Checkpoint, claims: Mapping[str, Claim]) -> bool:
    """Whether the strongest claim got weaker, so that another one may be the strongest now."""
    strongest = checkpoint.lent.strongest
    if strongest is None or strongest[-1] not in claims:
        return False
    return strength(claims[strongest[-1]]) > strongest
