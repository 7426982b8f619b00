"""One run, a straight line: collect, find, dream, apply, export.

    facts -> unexamined -> targets -> snapshot -> findings -> Plan -> one transaction -> one commit

What is planned is in planning.py. A loser of the race for the head plans again, at most three times; a run that changes
nothing leaves an attempt and nothing else. The export may lag behind and catches up; it never decides whether a run
happened.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from dreamd.daemon.errors import Busy, Usage
from dreamd.daemon.memory import collecting_later
from dreamd.daemon.nearness import Nearness
from dreamd.daemon.planning import Planned, plan_dream
from dreamd.daemon.storage.apply import Applied
from dreamd.daemon.storage.log import Attempt
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.plan import Plan, Problem
from dreamd.lifecycle.policy import Policy

MAX_PLANS = 3  # how often a run plans again when another writer was faster


def dream_once(  # noqa: PLR0913 - `near` may be left out
    store: SpaceStore,
    now: datetime,
    policy: Policy,
    reach: Callable[[str], None],
    *,
    by_hand: bool,
    near: Nearness | None = None,
) -> Plan:
    """One dream of one space, applied and entered in the log of attempts. Without changes nothing happened.

    `by_hand`: `now` was given by a person, so one before the last run is refused (Usage) instead of moved forward.
    """
    instant, problems = instant_of_run(store, now, by_hand=by_hand)
    plan = carry_out(
        store, lambda: with_problems(plan_dream(store, instant, policy, near), problems), policy, reach, started_at=now
    )
    outcome = "nothing" if not plan.changes else "partly" if plan.proposals else "applied"
    store.record_attempt(
        Attempt(
            at=now,
            trigger=plan.trigger,
            outcome=outcome,
            number=plan.number if plan.changes else None,
            counts=plan.counts,
            near_misses=plan.near_misses,
            problems=plan.problems,
        )
    )
    return plan


def carry_out(
    store: SpaceStore,
    make: Callable[[], Planned],
    policy: Policy,
    reach: Callable[[str], None],
    *,
    started_at: datetime,
) -> Plan:
    """Make a plan and apply it; when another writer moved the head, make it again, at most MAX_PLANS times.

    Raises Busy if others were faster every time.
    """
    with collecting_later():
        return _carry_out(store, make, policy, reach, started_at)


def _carry_out(
    store: SpaceStore, make: Callable[[], Planned], policy: Policy, reach: Callable[[str], None], started_at: datetime
) -> Plan:
    for _ in range(MAX_PLANS):
        planned = make()
        if not planned.plan.changes:
            store.set_due(planned.due)
            if planned.waking is not None:
                store.mark_looked(planned.plan.now, planned.waking, policy)
            return planned.plan
        outcome = store.apply(
            planned.plan,
            due=planned.due,
            checkpoints=planned.checkpoints,
            started_at=started_at,
            waking=planned.waking,
            policy=policy,
            reach=reach,
        )
        if isinstance(outcome, Applied):
            return planned.plan
    raise Busy(
        f"space {store.space!r}: other writers moved the head {MAX_PLANS} times while this run was planned",
        hint="run the command again",
    )


def instant_of_run(store: SpaceStore, now: datetime, *, by_hand: bool) -> tuple[datetime, tuple[Problem, ...]]:
    """The `now` to plan with, and a problem if the clock went back behind the last run.

    Raises Usage if such a `now` was given by hand.
    """
    last = store.head().now
    if last is None or now >= last:
        return now, ()
    if by_hand:
        raise Usage(
            f"--now {now.isoformat()} is before the last run of space {store.space!r} at {last.isoformat()}",
            hint="give a later --now, or leave it out",
        )
    behind = (last - now).total_seconds()
    return last, (Problem(source="clock_back", message=f"the clock is {behind:.0f} s behind the last run's"),)


def with_problems(planned: Planned, problems: tuple[Problem, ...]) -> Planned:
    """`planned` with further problems to report."""
    return replace(planned, plan=replace(planned.plan, problems=(*problems, *planned.plan.problems)))
