"""Trajectories: decisions that were taken one after the other in at least two places.

A place is a session. The same two decisions, word for word and in the same order within a day, in two sessions and
about at least two targets, are a trajectory: who takes the first may want the second. It belongs to the stream of the
second one where it was taken first. Trajectories are a function of the set of decisions.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
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
    for session in sessions_of(told):
        decisions = [each for each in session if each.stream is not None and is_decision(each.event)]
        for place, second in enumerate(decisions):
            for first in decisions[:place]:
                is_near = second.event.at - first.event.at <= SHORT_GAP and first.event.at < second.event.at
                if is_near and first.event.text != second.event.text:
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
