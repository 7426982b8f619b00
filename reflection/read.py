"""Streams of events -> findings: the composition of this room.

Every part is a function of the set of events, so that order, batch size and machine do not show in what comes out.
"""

from collections.abc import Mapping, Sequence

from dreamd.lifecycle.findings import Assignment, Closure, Findings, Statement
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.contradictions import closures
from dreamd.reflection.shape import inadmissible
from dreamd.reflection.statements import statement_of


def read(events_by_stream: Mapping[str, Sequence[Event]], assignments: Sequence[Assignment]) -> Findings:
    """What the events of each stream state and end, sorted by event id; `assignments` are passed through, sorted.

    An event that states nothing admissible is in `noise` with its reason. A retraction states nothing and is no noise.
    """
    statements: list[Statement] = []
    ended: set[Closure] = set()
    noise: set[tuple[str, str]] = set()
    for events in events_by_stream.values():
        told, silent = _told(events)
        statements += told
        noise.update(silent)
        ended.update(closures(events, told))
    return Findings(
        assignments=tuple(sorted(assignments, key=lambda assignment: assignment.event)),
        statements=tuple(sorted(statements, key=lambda statement: statement.event)),
        closures=tuple(sorted(ended, key=lambda closure: (closure.by, closure.text_key, closure.verb, closure.rule))),
        noise=tuple(sorted(noise)),
    )


def _told(events: Sequence[Event]) -> tuple[list[Statement], list[tuple[str, str]]]:
    """The statements of `events`, and which events state nothing, with the reason."""
    told: list[Statement] = []
    silent: list[tuple[str, str]] = []
    for event in events:
        if event.kind is EventKind.RETRACTION:
            continue
        reason = inadmissible(event.text, event.kind)
        if reason is None:
            told.append(statement_of(event))
        else:
            silent.append((event.id, reason))
    return told, silent
