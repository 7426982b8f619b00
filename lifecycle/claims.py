"""The claims of one stream, told from its evidence in the order in which things happened.

Every admissible statement is a claim for good. A closure (found by reflection) ends the claims that are current when it
comes; a statement that comes back after it was superseded opens a new interval, a retracted one stays retracted. All of
it is a function of the set of events, so it does not matter in which order or in how many runs they arrived.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

from dreamd.lifecycle import ids
from dreamd.lifecycle.edits import BY_EDIT, edit_of
from dreamd.lifecycle.findings import ASK, LATER_VALUE, RETRACT, SUPERSEDE, Closure, Statement
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.ranking import EXPLICIT_ORIGINS
from dreamd.lifecycle.values import Claim, Event, Question
from dreamd.lifecycle.words import Actor, ClaimKind, ClaimStatus, DecayClass, EventKind, Waiting, rank

NEITHER = "neither"  # the answer to a question by which what it asks about was never true, or is taken back
CHOSEN = "a person chose"  # the rule of what an answer ends


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonsWord:
    """What people decided about the claims of a stream, and what a telling must not override."""

    is_refused: Callable[[str, str], bool]  # (verb, claim id): a pin, hold or unaccepted proposal keeps it from ending
    answers: Mapping[str, str]  # question id -> the claim id that was chosen, "both" or "neither"
    # (verb, claim id, event id) of the endings that a revert took back: even what a person's edit ended then stays.
    unmade: Collection[tuple[str, str, str]] = frozenset()
    forgotten: frozenset[str] = frozenset()  # text keys of what they forgot


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """That `claim` was ended by a closure; what a fuse may hold back and a revert may refuse."""

    claim: str
    verb: str  # "supersede" or "retract"
    by: str  # event id
    rule: str
    successor: str | None  # claim that the ending event states


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The claims of one stream after all its evidence was told."""

    claims: Mapping[str, Claim]
    stated: Mapping[str, tuple[str, ...]]  # event id -> the claims it states, in the order of its statements
    cited: Mapping[str, tuple[str, ...]]  # event id -> further claims that need it, sorted
    endings: tuple[Ending, ...]
    refused: tuple[Ending, ...]  # endings that a hold, a pin or an open proposal kept from happening
    questions: tuple[Question, ...]  # contradictions that no rule decides
    denied: frozenset[str] = frozenset()  # by `same_as`: what was taken back


def tell(  # noqa: PLR0913 - all that a stream's claims depend on
    stream: str,
    events: Iterable[Event],
    statements: Mapping[str, Sequence[Statement]],
    closures: Sequence[Closure],
    *,
    word: PersonsWord,
    policy: Policy,
    known: Mapping[str, Event] = MappingProxyType({}),
) -> Told:
    """The claims that `events` make about `stream`.

    `statements` is keyed by event id, each list ascending by part. `known` are all events that a statement may cite,
    by id; one that cites another event is not told.
    """
    story = _Story(stream=stream, word=word, known=known)
    closures_by_event: dict[str, list[Closure]] = defaultdict(list)
    for closure in closures:
        closures_by_event[closure.by].append(closure)
    for event in in_time(events):
        stated = story.state_all(event, statements.get(event.id, ()))
        for closure in sorted(closures_by_event.get(event.id, ()), key=lambda closure: closure.text_key):
            story.close(event, closure, stated)
    story.forget()
    claims = {draft.id: _claim(draft, stream, policy) for drafts in story.drafts.values() for draft in drafts}
    return Told(
        claims=claims,
        stated={event: tuple(dict.fromkeys(claims)) for event, claims in story.stated.items()},
        cited={event: tuple(sorted(claims)) for event, claims in story.cited.items()},
        endings=tuple(story.endings),
        refused=tuple(story.refused),
        questions=tuple(sorted(story.unsettled(), key=lambda question: question.id)),
        denied=frozenset(story.denied),
    )


def same_as(stream: str, statement: Statement) -> tuple[str, ...]:
    """Keys that `statement` shares with what says the same in other words."""
    group = ids.group_id(stream, statement.group_key)
    return (group,) if statement.sense is None else (group, statement.sense)


def is_forgotten(claim: Claim) -> bool:
    """Whether a person forgot it: it was taken back, and by no evidence."""
    return claim.status is ClaimStatus.RETRACTED and claim.closed_by is None


def is_explicit(claim: Claim) -> bool:
    """Whether it was said outright: a decision, preference, correction or intervention."""
    return claim.origin in EXPLICIT_ORIGINS


def expired(claim: Claim, now: datetime) -> bool:
    """Whether `claim` was only good for a session or a checkpoint, and its time is over at `now`."""
    return claim.valid_to is not None and claim.closed_by is None and claim.valid_to <= now


def trust_of(actors: Sequence[Actor]) -> Actor:
    """The trust of a statement made by `actors`: a person's word stands, else the least trusted who said it.

    So that no run ever raises trust: another agent repeating what a web page said does not make it the agent's word.
    """
    return Actor.USER if Actor.USER in actors else max(actors, key=rank)


@dataclass(slots=True, kw_only=True)
class _Draft:
    id: str
    key: str
    statements: list[Statement] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)  # that state it, one for each of `statements`
    trusts: list[Actor] = field(default_factory=list)  # of each: the least trusted whose word it needs
    learned: list[datetime] = field(default_factory=list)  # of each: when all it needs was recorded
    status: ClaimStatus = ClaimStatus.CURRENT
    ended_at: datetime | None = None
    retracted_at: datetime | None = None
    closed_by: str | None = None
    supersedes: str | None = None

    def add(self, event: Event, statement: Statement, needed: Iterable[Event] = ()) -> None:
        """One more statement of it. A claim is stated once by an event, however often that says it."""
        if self.events and self.events[-1].id == event.id:
            return
        rests_on = (event, *needed)
        self.events.append(event)
        self.statements.append(statement)
        self.trusts.append(max((one.actor for one in rests_on), key=rank))
        self.learned.append(max(one.recorded_at for one in rests_on))


@dataclass(slots=True, kw_only=True)
class _Story:
    stream: str
    word: PersonsWord
    known: Mapping[str, Event]
    drafts: dict[str, list[_Draft]] = field(default_factory=dict)  # by text key, one per interval
    stated: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    cited: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    endings: list[Ending] = field(default_factory=list)
    refused: list[Ending] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    denied: dict[str, _Draft] = field(default_factory=dict)  # by `same_as`: what was taken back
    asked_to: dict[str, str] = field(default_factory=dict)  # question id -> the verb that was asked about

    def state_all(self, event: Event, statements: Sequence[Statement]) -> dict[int, _Draft]:
        """The claims that `event` states, by part."""
        return {one.part: self.state(event, one) for one in statements if all(id_ in self.known for id_ in one.cites)}

    def state(self, event: Event, statement: Statement) -> _Draft:
        intervals = self.drafts.setdefault(statement.text_key, [])
        draft = intervals[-1] if intervals else None
        came_back = draft is not None and draft.status is ClaimStatus.SUPERSEDED
        overruled = draft is not None and draft.status is ClaimStatus.RETRACTED and event.actor is Actor.USER
        if draft is None or came_back or overruled:
            wrong = self._denied(statement) if event.actor is not Actor.USER and draft is None else None
            draft = _Draft(id=ids.claim_id(self.stream, statement.text_key, len(intervals)), key=statement.text_key)
            if wrong is not None:  # what was taken back is not true in other words either
                draft.status, draft.closed_by = ClaimStatus.RETRACTED, wrong.closed_by
                draft.retracted_at = max(event.recorded_at, wrong.retracted_at or event.recorded_at)
            intervals.append(draft)
        draft.add(event, statement, [self.known[id_] for id_ in statement.cites])
        self.stated[event.id].append(draft.id)
        for id_ in statement.cites:
            self.cited[id_].add(draft.id)
        return draft

    def _denied(self, statement: Statement) -> _Draft | None:
        """What was taken back that says the same as `statement`."""
        found = (self.denied.get(key) for key in same_as(self.stream, statement))
        return next((draft for draft in found if draft is not None), None)

    def close(self, event: Event, closure: Closure, parts: Mapping[int, _Draft]) -> None:
        intervals = self.drafts.get(closure.text_key)
        verb = SUPERSEDE if closure.verb == ASK else closure.verb
        if not intervals or not _can_end(intervals[-1], verb):
            return
        old = intervals[-1]
        if any(draft is old for draft in parts.values()):
            return
        stated = None if closure.part is None else parts.get(closure.part)
        if stated is not None and stated.status is ClaimStatus.RETRACTED:
            return  # what was taken back takes no place
        ending = Ending(
            claim=old.id,
            verb=verb,
            by=event.id,
            rule=closure.rule,
            successor=None if stated is None else stated.id,
        )
        if closure.rule == BY_EDIT:  # a person's edit wins over pins, fuses and questions
            if (verb, old.id, event.id) not in self.word.unmade:
                self._end(event, old, stated, ending)
            return
        if self.word.is_refused(verb, old.id):
            self.refused.append(ending)
            return
        if closure.verb == ASK or _needs_a_person(old, event, closure.rule):
            self._ask(event, old, stated, ending)
            return
        self._end(event, old, stated, ending)

    def _end(self, event: Event, old: _Draft, stated: _Draft | None, ending: Ending) -> None:
        old.closed_by = event.id
        if ending.verb == RETRACT:
            old.status = ClaimStatus.RETRACTED
            old.retracted_at = event.recorded_at
            self.denied.update((key, old) for said in old.statements for key in same_as(self.stream, said))
            if stated is None:
                self._restore(old)
        else:
            old.status = ClaimStatus.SUPERSEDED
            old.ended_at = event.at
        if stated is not None and stated.supersedes is None:
            stated.supersedes = old.id
        self.endings.append(ending)

    def _restore(self, never_true: _Draft) -> None:
        """What it had taken the place of holds again: nothing that was true has ended it."""
        for ending in [one for one in self.endings if one.successor == never_true.id and one.verb == SUPERSEDE]:
            draft = next((last for *_, last in self.drafts.values() if last.id == ending.claim), None)
            if draft is None or draft.status is not ClaimStatus.SUPERSEDED or draft.closed_by != ending.by:
                continue  # it was ended otherwise too, or came back since
            draft.status, draft.ended_at, draft.closed_by = ClaimStatus.CURRENT, None, None
            self.endings.remove(ending)
            never_true.supersedes = None

    def _ask(self, event: Event, old: _Draft, stated: _Draft | None, ending: Ending) -> None:
        claims = tuple(sorted({old.id, *(() if stated is None else (stated.id,))}))
        question = ids.question_id(event.space, *claims)
        choice = self.word.answers.get(question)
        if choice == NEITHER:
            for wrong in (old, *(() if stated is None else (stated,))):
                mirrored = Ending(claim=wrong.id, verb=RETRACT, by=event.id, rule=CHOSEN, successor=None)
                self._end(event, wrong, None, mirrored)
        elif stated is not None and choice == stated.id:
            self._end(event, old, stated, ending)
        elif stated is not None and choice == old.id:
            mirrored = Ending(claim=stated.id, verb=ending.verb, by=event.id, rule=CHOSEN, successor=old.id)
            self._end(event, stated, None, mirrored)
        elif choice is None:
            self.questions[question] = Question(
                id=question,
                space=event.space,
                stream=self.stream,
                claims=claims,
                text=_asked(old, event, stated),
                asked_from=event.at,
                status=Waiting.OPEN,
                choice=None,
            )
            self.asked_to[question] = ending.verb

    def forget(self) -> None:
        """What a person forgot, and what says the same, is taken back, by no event. What it had ended stays ended."""
        drafts = [draft for intervals in self.drafts.values() for draft in intervals]
        named = [draft for draft in drafts if draft.key in self.word.forgotten]
        keys = {key for draft in named for said in draft.statements for key in same_as(self.stream, said)}
        for draft in drafts:
            said_so = {key for said in draft.statements for key in same_as(self.stream, said)}
            if draft.key in self.word.forgotten or not keys.isdisjoint(said_so):
                draft.status, draft.closed_by, draft.retracted_at = ClaimStatus.RETRACTED, None, max(draft.learned)
                self.denied.update(dict.fromkeys(said_so, draft))

    def unsettled(self) -> Iterable[Question]:
        """The questions that later evidence did not settle: what they are about can still be ended."""
        status = {draft.id: draft.status for drafts in self.drafts.values() for draft in drafts}
        for id_, question in self.questions.items():
            allowed = [ClaimStatus.CURRENT, *([ClaimStatus.SUPERSEDED] if self.asked_to[id_] == RETRACT else [])]
            if all(status[claim] in allowed for claim in question.claims):
                yield question


def _asked(old: _Draft, event: Event, stated: _Draft | None) -> str:
    """The question in words, with both sources."""
    first = _quoted(old.statements[0].text, old.events[0])
    if stated is None:
        return f"Does it still hold: {first}? It was taken back by {_quoted(event.text, event)}"
    return f"Which holds: {first} or {_quoted(stated.statements[-1].text, event)}?"


def _quoted(text: str, event: Event) -> str:
    return f'"{text}" ({event.actor}, {event.source}, {event.at.date().isoformat()})'


def _can_end(old: _Draft, verb: str) -> bool:
    """What was superseded can still turn out never to have been true; what was retracted is ended for good."""
    return old.status is ClaimStatus.CURRENT or (verb == RETRACT and old.status is ClaimStatus.SUPERSEDED)


def _needs_a_person(old: _Draft, event: Event, rule: str) -> bool:
    """Whether no rule may end `old` by `event`: said at the same instant, or by somebody less trusted.

    How things are now, a tool sees as well as an agent.
    """
    if old.events[0].at == event.at:
        return True
    trust = trust_of(old.trusts)
    if rule == LATER_VALUE and event.actor is Actor.TOOL:
        return trust is Actor.USER
    return rank(event.actor) > rank(trust)


def in_time(events: Iterable[Event]) -> list[Event]:
    """In the order in which they are told: of those at one instant the most trusted first, and what was edited last."""
    return sorted(events, key=lambda event: (event.at, edit_of(event) is not None, rank(event.actor), event.id))


def newly_stated(stream: str, occurrence: int, event: Event, statement: Statement, policy: Policy) -> Claim:
    """The claim that `event` states for the first time, or again after it was over `occurrence` times."""
    id_ = ids.claim_id(stream, statement.text_key, occurrence)
    draft = _Draft(id=id_, key=statement.text_key)
    draft.add(event, statement)
    return _claim(draft, stream, policy)


def _claim(draft: _Draft, stream: str, policy: Policy) -> Claim:
    first, last = draft.events[0], draft.events[-1]
    _, voice, words = min(
        zip(draft.trusts, draft.events, draft.statements, strict=True),
        key=lambda said: (rank(said[0]), said[1].at, said[1].id),
    )
    kind = min((claim_kind(statement) for statement in draft.statements), key=rank)
    decay = _decay(draft, kind)
    hours = {DecayClass.SESSION: policy.session_hours, DecayClass.CHECKPOINT: policy.checkpoint_hours}.get(decay)
    runs_out = None if hours is None else last.at + timedelta(hours=hours)
    return Claim(
        id=draft.id,
        space=first.space,
        stream=stream,
        text=words.text,
        kind=kind,
        origin=_origin(draft),
        status=draft.status,
        group=ids.group_id(stream, words.group_key),
        stated_in=voice.id,
        slot=words.slot,
        value=words.value,
        decay=decay,
        valid_from=first.at,
        valid_to=min((end for end in (runs_out, draft.ended_at) if end is not None), default=None),
        recorded_at=min(draft.learned),
        retracted_at=draft.retracted_at,
        last_at=last.at,
        support=len(draft.events),
        days=len({event.at.date() for event in draft.events}),
        trust=trust_of(draft.trusts),
        supersedes=draft.supersedes,
        closed_by=draft.closed_by,
        due=max((said.due for said in draft.statements if said.due is not None), default=None),
    )


def claim_kind(statement: Statement) -> ClaimKind:
    """A decision or preference that nobody entitled said outright is a fact about somebody's opinion."""
    if statement.kind in (ClaimKind.DECISION, ClaimKind.PREFERENCE) and not statement.is_explicit:
        return ClaimKind.FACT
    return statement.kind


def _origin(draft: _Draft) -> EventKind:
    said = [event.kind for event, words in zip(draft.events, draft.statements, strict=True) if words.is_explicit]
    for kind in EXPLICIT_ORIGINS:
        if kind in said:
            return kind
    return draft.events[0].kind


def _decay(draft: _Draft, kind: ClaimKind) -> DecayClass:
    """What the writers asked for (the slowest), else what its kind has."""
    asked = [event.decay for event in draft.events if event.decay is not None]
    if asked:
        return min(asked, key=rank)
    if kind is ClaimKind.PREFERENCE:
        return DecayClass.PERMANENT
    return DecayClass.STABLE if kind is ClaimKind.DECISION else DecayClass.ACTIVE
