"""Trajectories: decisions that were taken one after the other in at least two places.

A place is a session. The same two decisions, word for word and in the same order within a day and at most
`MAX_APART` decisions apart, in two sessions and about at least two targets, are a trajectory: who takes the first may
want the second. It belongs to the stream of the second one where it was taken first. Trajectories are a function of the
set of decisions.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.reflection.practice.procedures import sessions_of
from dreamd.reflection.practice.remedies import shown
from dreamd.reflection.practice.values import SHORT_GAP, Told, when
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.shape import inadmissible

MIN_PLACES = 2
MIN_TARGETS = 2
MAX_APART = 50  # decisions of a session; what comes later does not follow, so a long session costs no square
_MAY_DECIDE = (Actor.USER, Actor.AGENT)
Pair = tuple[Told, Told]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trajectory:
    stream: str
    key: str
    text: str
    by: Event  # the second decision where the two were taken first
    evidence: tuple[Event, ...]  # all of them, in time


def is_decision(event: Event) -> bool:
    """Whether `event` is one decision of somebody who may take it."""
    if event.kind is not EventKind.DECISION or event.actor not in _MAY_DECIDE or event.session is None:
        return False
    return inadmissible(event.text, event.kind) is None and parts_of(event.text, event.kind) == (event.text,)


def trajectories(told: Iterable[Told], streams: Collection[str] | None = None) -> tuple[Trajectory, ...]:
    """The trajectories that belong to `streams` (None: to any), sorted."""
    places: dict[tuple[str, str], dict[str, Pair]] = defaultdict(dict)
    sessions = [
        [each for each in session if each.stream is not None and is_decision(each.event)]
        for session in sessions_of(told)
    ]
    said = Counter(text for session in sessions for text in {each.event.text for each in session})
    shared = {text for text, times in said.items() if times >= MIN_PLACES}
    for session in sessions:
        for first, second in _followed(session, shared):
            in_session = places[first.event.text, second.event.text]
            in_session.setdefault(second.event.session or "", (first, second))
    found = []
    for (first_text, second_text), by_session in sorted(places.items()):
        pairs = sorted(by_session.values(), key=lambda pair: when(pair[1].event))
        targets = {each.stream for pair in pairs for each in pair}
        owner = pairs[0][1]
        if len(pairs) < MIN_PLACES or len(targets) < MIN_TARGETS or owner.stream is None:
            continue
        if streams is not None and owner.stream not in streams:
            continue
        events = {each.event.id: each.event for pair in pairs for each in pair}
        found.append(
            Trajectory(
                stream=owner.stream,
                key=f"trajectory: {first_text} > {second_text}",
                text=f'After the decision "{shown(first_text)}" came "{shown(second_text)}" ({len(pairs)} places)',
                by=owner.event,
                evidence=tuple(sorted(events.values(), key=when)),
            )
        )
    return tuple(found)


def _followed(session: Sequence[Told], shared: Collection[str]) -> Iterator[Pair]:
    """Two decisions with `shared` texts of one `session`, in time, for each two that are near enough."""
    near: deque[tuple[int, Told]] = deque()
    for place, second in enumerate(session):
        if second.event.text not in shared:
            continue
        at = second.event.at
        while near and (place - near[0][0] > MAX_APART or at - near[0][1].event.at > SHORT_GAP):
            near.popleft()
        for _, first in near:
            if first.event.at < at and first.event.text != second.event.text:
                yield first, second
        near.append((place, second))
