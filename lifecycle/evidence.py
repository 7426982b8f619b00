"""One event as the signals see it: when it happened, which way it bears on its stream, and what it counts as.

The text of the event is looked at once, here, for the conventional type of a commit; the signals see no text.
"""

import re
from dataclasses import dataclass
from datetime import datetime

from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, Bearing, EventKind, rank

SUCCESS_FROM_OUTCOME = 0.5  # an outcome below it is a failure

_FIX_TYPE = re.compile(r"\s*(?:fix|hotfix|bugfix)(?:\([^)\n]*\))?!?:", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    event: str  # event id
    at: datetime
    kind: EventKind
    bearing: Bearing
    outcome: float | None  # 0..1; None: says nothing about success
    actor: Actor
    session: str | None
    scope: str | None
    is_fix: bool  # a commit that fixes something
    is_explicit: bool  # a decision or preference, said outright by a user or an agent
    is_intervention: bool  # by a person
    count: int = 1  # deliveries

    @property
    def is_error(self) -> bool:
        """Whether an error was met: said to be one, or a result that failed."""
        failed = self.outcome is not None and self.outcome < SUCCESS_FROM_OUTCOME
        return self.kind is EventKind.ERROR or (self.kind is EventKind.RESULT and failed)

    @property
    def is_success(self) -> bool:
        """Whether it shows that the errors before it are fixed: a result that succeeded, or a commit that fixes."""
        succeeded = self.outcome is not None and self.outcome >= SUCCESS_FROM_OUTCOME
        return self.is_fix or (self.kind is EventKind.RESULT and succeeded)

    @property
    def is_vouched(self) -> bool:
        """Whether somebody above `external` stands behind it."""
        return self.actor is not Actor.EXTERNAL


def evidence_of(event: Event, bearing: Bearing) -> Evidence:
    outright = event.kind in (EventKind.DECISION, EventKind.PREFERENCE) and rank(event.actor) <= rank(Actor.AGENT)
    return Evidence(
        event=event.id,
        at=event.at,
        kind=event.kind,
        bearing=bearing,
        outcome=event.outcome,
        actor=event.actor,
        session=event.session,
        scope=event.scope,
        is_fix=event.kind is EventKind.COMMIT and ("fix" in event.tags or _FIX_TYPE.match(event.text) is not None),
        is_explicit=outright,
        is_intervention=event.kind is EventKind.INTERVENTION and event.actor is Actor.USER,
    )
