"""Hands reflection what lessons and procedures are found in: the work around new events, and that of whole streams.

Practice may span streams (a test fails in one, a commit elsewhere says what mended it) and runs. So a run looks at the
sessions of its new events, and makes whole each stream whose lessons or procedures they may change, also one that no
new event speaks about.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from dreamd.daemon.storage.checkpoints import PlainNews
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.storage.work import NOISE, Placed, Span
from dreamd.lifecycle import ids
from dreamd.lifecycle.casework import homes_of
from dreamd.lifecycle.extending import restatable_ids
from dreamd.lifecycle.findings import Assignment, Findings
from dreamd.lifecycle.quarantine import QUARANTINED
from dreamd.lifecycle.retargeting import given_up
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.lessons import lessons, touched
from dreamd.reflection.practice.procedures import Step, procedures, sessions_of, steps_of
from dreamd.reflection.practice.remedies import is_remedy, mends
from dreamd.reflection.practice.statements import statements_of
from dreamd.reflection.practice.trajectories import Trajectory, is_decision, trajectories
from dreamd.reflection.practice.values import REACH, WORK, Told
from dreamd.reflection.practice.words import is_command_failure, may_be_a_step, may_be_of_commands
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.text_keys import text_key

NOWHERE: Mapping[str, str] = MappingProxyType({})  # nothing moves


def touched_by(
    store: SpaceStore, new: Sequence[Event], assignments: Iterable[Assignment], news: Mapping[str, PlainNews]
) -> frozenset[str]:
    """The streams whose practice the events `new` may change; `news`: those that would otherwise only be extended.

    Some of them may be events that go to another stream than before.
    """
    return _touched_by(store, _new_told(store.space, new, assignments), news, {})


def touched_by_moves(
    store: SpaceStore, homes: Mapping[str, str], new: Sequence[Event], assignments: Iterable[Assignment]
) -> frozenset[str]:
    """The streams whose practice may change when the evidence of streams goes to others, as `homes` says by their ids.

    `new` events come together with it. What cites moved evidence is among them, for steps are told apart by streams.
    """
    if not homes:
        return frozenset()
    at_home = [
        Told(event=each.event, stream=_home(each.stream, homes)) for each in _new_told(store.space, new, assignments)
    ]
    moved = _beside(store.work_on(homes.keys()), (), homes)
    return _touched_by(store, [*moved, *at_home], {}, homes) | citing(store, (each.event.id for each in moved), homes)


def citing(store: SpaceStore, events: Iterable[str], homes: Mapping[str, str] = NOWHERE) -> frozenset[str]:
    """The streams with lessons or procedures that need some of `events`, wherever these go."""
    return frozenset(homes.get(stream, stream) for stream in store.citing(set(events)))


def _touched_by(
    store: SpaceStore, told: Sequence[Told], news: Mapping[str, PlainNews], homes: Mapping[str, str]
) -> frozenset[str]:
    known = {each.event.id for each in told}
    mates = store.session_mates(
        _spans(each.event for each in told if may_be_of_commands(each.event)), EventKind.ERROR, known
    )
    extended = [each.event.at for each in told if each.stream in news]
    before: Placed = []
    if extended:
        mended = {each.stream for each in told if is_remedy(each.event)}
        streams = {stream: stream in mended for stream in news}
        before = store.shortly_before(streams, (min(extended) - REACH, max(extended)), mends)
    at_work = store.session_mates(
        _spans(each.event for each in told if may_be_a_step(each.event)), EventKind.ACTION, known
    )
    in_lessons = touched([*told, *_beside((*mates, *before), known, homes)], known)
    in_steps = _ends_of_repeated_work(store, [*told, *_beside(at_work, known, homes)], known)
    return in_lessons | in_steps | _of_decisions(store, told, known, homes)


def with_practice(
    store: SpaceStore,
    snapshot: Snapshot,
    findings: Findings,
    events: Mapping[str, Sequence[Event]],
) -> tuple[Snapshot, Findings]:
    """`findings` with the practice of the streams that are made whole, and `snapshot` with the events it cites.

    `events`: those of each stream, after aliases and moves.
    """
    whole = {stream: of_stream for stream, of_stream in events.items() if stream not in snapshot.extensions}
    homes = {old: home for old, (home, _) in homes_of(snapshot.space, findings).items()}
    told = {event.id: Told(event=event, stream=stream) for stream, of_stream in whole.items() for event in of_stream}
    own = [each.event for each in told.values()]
    new = _new_told(snapshot.space, [snapshot.events[id_] for id_ in given_up(snapshot).new], findings.assignments)
    known = told | {each.event.id: each for each in new}
    mates = store.session_mates(_spans(filter(is_command_failure, own)), EventKind.ERROR, known)
    at_work = store.session_mates(_spans(filter(may_be_a_step, own)), EventKind.ACTION, known)
    learnt = lessons([*known.values(), *_beside(mates, known, homes)], whole.keys())
    done = procedures([*known.values(), *_beside(at_work, known, homes)], whole.keys())
    decided = trajectories(_decisions(store, known, homes), whole.keys())
    if not learnt and not done and not decided:
        return snapshot, findings
    cited = {event.id: event for lesson in learnt for attempt in lesson.tried for event in attempt.evidence}
    cited |= {event.id: event for procedure in done for time in procedure.times for event in time}
    cited |= {event.id: event for trajectory in decided for event in trajectory.evidence}
    stated = statements_of(learnt, done, decided, {id_: each.stream for id_, each in told.items()})
    return (
        replace(snapshot, events={**cited, **snapshot.events}),
        replace(findings, statements=(*findings.statements, *stated)),
    )


def _ends_of_repeated_work(store: SpaceStore, told: Iterable[Told], new: Collection[str]) -> frozenset[str]:
    """The streams of what followed, in sessions with new steps, on something that was done before in another one.

    That it was done before is told by its claim, so that no other session has to be read for it.
    """
    sessions = [steps for session in sessions_of(told) if (steps := steps_of(session))]
    with_news = [steps for steps in sessions if any(step.told.event.id in new for step in steps)]
    times = Counter(key for steps in sessions for key in {step.key for step in steps if step.is_done})
    claims = {step.key: _claims(step) for steps in with_news for step in steps if step.is_done}
    stated = store.known_claims({id_ for ids_ in claims.values() for id_ in ids_})
    found: set[str] = set()
    for steps in with_news:
        repeated = [
            place
            for place, step in enumerate(steps)
            if step.is_done and (times[step.key] > 1 or not stated.isdisjoint(claims[step.key]))
        ]
        if repeated:
            found |= {step.told.stream for step in steps[repeated[0] + 1 :] if step.told.stream is not None}
    return frozenset(found)


def _of_decisions(
    store: SpaceStore, told: Iterable[Told], new: Collection[str], homes: Mapping[str, str]
) -> frozenset[str]:
    """The streams with trajectories that are there, or are not, because of the events `new`."""
    decisions = _decisions(store, {each.event.id: each for each in told}, homes)
    after = _identities(trajectories(decisions))
    before = _identities(trajectories(each for each in decisions if each.event.id not in new))
    return frozenset(stream for stream, *_ in after ^ before)


def _identities(found: Iterable[Trajectory]) -> set[tuple[str, str, tuple[str, ...]]]:
    return {(each.stream, each.text, tuple(event.id for event in each.evidence)) for each in found}


def _decisions(store: SpaceStore, known: Mapping[str, Told], homes: Mapping[str, str]) -> list[Told]:
    """Those of `known` that are decisions, the same ones elsewhere, and what else was decided in those sessions."""
    own = [each for each in known.values() if is_decision(each.event)]
    same = store.same_decisions({each.event.text for each in own}, known)
    beside = store.session_mates(
        _spans(event for event in (*(each.event for each in own), *(event for event, _ in same)) if is_decision(event)),
        EventKind.DECISION,
        known,
        (EventKind.DECISION,),
    )
    elsewhere = {each.event.id: each for each in (*_beside(same, known, homes), *_beside(beside, known, homes))}
    return [*own, *(each for each in elsewhere.values() if is_decision(each.event))]


def _claims(step: Step) -> tuple[str, ...]:
    """The ids that the claim of what was done may have."""
    event = step.told.event
    return restatable_ids(step.told.stream or "", text_key(parts_of(event.text, event.kind)[0]))


def _beside(placed: Iterable[tuple[Event, str | None]], known: Collection[str], homes: Mapping[str, str]) -> list[Told]:
    """What is not `known` already; the evidence of the streams that `homes` names moves to others in this run."""
    return [Told(event=event, stream=_home(stream, homes)) for event, stream in placed if event.id not in known]


def _home(stream: str | None, homes: Mapping[str, str]) -> str | None:
    return None if stream is None else homes.get(stream, stream)


def _new_told(space: str, new: Sequence[Event], assignments: Iterable[Assignment]) -> list[Told]:
    placed = {found.event: found for found in assignments}
    told = []
    for event in new:
        found = placed[event.id]
        if event.kind in WORK and found.rule not in (QUARANTINED, NOISE):
            stream = None if found.target is None else ids.stream_id(space, found.target)
            told.append(Told(event=event, stream=stream))
    return told


def _spans(events: Iterable[Event]) -> dict[str, Span]:
    """What lies within reach of `events`, by session."""
    spans: dict[str, Span] = {}
    for event in events:
        if event.session is not None:
            first, last = spans.get(event.session, (event.at - REACH, event.at + REACH))
            spans[event.session] = (min(first, event.at - REACH), max(last, event.at + REACH))
    return spans
