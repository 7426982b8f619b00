"""Revert and undo: read the log, plan, and carry out (design, section 7)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from dreamd.daemon.certificate import FOLDER
from dreamd.daemon.errors import Usage
from dreamd.daemon.planning import Planned
from dreamd.daemon.run import carry_out
from dreamd.daemon.storage.erasing import stubs_of
from dreamd.daemon.storage.log import RunRecord
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.further import first_links
from dreamd.lifecycle.ids import stream_id
from dreamd.lifecycle.plan import Change, Plan, Problem
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.revert import LoggedRun, Place, Undoing, plan_revert
from dreamd.lifecycle.values import Alias, Hold, Link, Stream
from dreamd.lifecycle.words import Trigger
from dreamd.reflection.targets import assign

GIT_REVERT = "git revert"  # the source of what a report says about a person's
Cascades = Literal["none", "where blocked", "all"]  # which of several runs are taken back with what was built on them


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which run to take back, and how far."""

    number: int
    op: str | None = None  # only this group
    cascade: bool = False  # with everything that later runs built on it


def undoing_of(store: SpaceStore, wish: Wish, now: datetime, policy: Policy) -> Undoing:
    """What taking `wish.number` back at `now` would do. Raises Usage if there is no such run or group."""
    run = store.run(wish.number)
    if run is None:
        raise Usage(f"space {store.space!r} has no run {wish.number}", hint="dreamd runs lists them")
    if run.trigger is Trigger.PURGE:
        hint = f"{FOLDER}/ in the home holds the certificates of purges"
        raise Usage(f"run {wish.number} is a purge, which nothing takes back", hint)
    undone, *later = [_logged(store, record) for record in store.runs(after=wish.number - 1)]
    try:
        return plan_revert(
            undone, later, _place(store, (undone, *later), now, policy), op=wish.op, cascade=wish.cascade
        )
    except KeyError as missing:
        raise Usage(
            f"run {wish.number} has no group {wish.op}", hint=f"dreamd report {wish.number} lists its groups"
        ) from missing


def undoings_of(
    store: SpaceStore, numbers: Sequence[int], until: int, now: datetime, policy: Policy, cascades: Cascades
) -> tuple[Undoing, ...]:
    """What taking back the runs `numbers`, one after the other, would have done when run `until` was the last."""
    logged = {
        record.number: _logged(store, record) for record in store.runs(after=min(numbers) - 1) if record.number <= until
    }
    place = _place(store, tuple(logged.values()), now, policy)
    made: list[Undoing] = []
    reverts: list[LoggedRun] = []
    for number in numbers:
        later = [*(run for run in logged.values() if run.number > number), *reverts]
        undoing = plan_revert(logged[number], later, place, cascade=cascades == "all")
        if cascades == "where blocked" and undoing.blocked:
            undoing = plan_revert(logged[number], later, place, cascade=True)
        made.append(undoing)
        changes = undoing.plan.changes
        name = f"revert {len(reverts)}"
        reverts.append(
            LoggedRun(number=until + len(reverts) + 1, id=name, trigger=Trigger.REVERT, changes=changes, reverts=number)
        )
        holds = {change.after.id for change in changes if isinstance(change.after, Hold)}
        place = replace(place, held=place.held | holds)
    return tuple(made)


def revert(  # noqa: PLR0913 - `problems` may be left out
    store: SpaceStore,
    wish: Wish,
    now: datetime,
    policy: Policy,
    reach: Callable[[str], None],
    *,
    problems: tuple[Problem, ...] = (),
) -> tuple[Undoing, Plan]:
    """Take the run back. The next dream looks at every stream that this touched. The report names `problems`."""
    made: list[Undoing] = []

    def make() -> Planned:
        made.append(undoing_of(store, wish, now, policy))
        plan = replace(made[-1].plan, problems=problems)
        return Planned(plan=plan, due={row.id: now for row in _restored(plan)})

    plan = carry_out(store, make, policy, reach, started_at=now)
    return made[-1], plan


def _named(store: SpaceStore, changes: Sequence[Change]) -> Mapping[str, str]:
    """By event, of those that `changes` linked while they merged streams: the stream of the name that it gives."""
    rows = [change.after for change in changes if change.before is None]
    made = {row.spelling for row in rows if isinstance(row, Alias)}
    aliases = store.alias_targets()
    if not made & aliases.keys():
        return {}
    left = {spelling: target for spelling, target in aliases.items() if spelling not in made}
    links = first_links(row for row in rows if isinstance(row, Link))
    linked = store.events({link.event for link in links if link.stream is not None})
    now = {found.event: found for found in assign(linked, aliases)}
    then = {found.event: found.target for found in assign(linked, left)}
    return {
        event: stream_id(store.space, target)
        for event, target in then.items()
        if target is not None and target != now[event].target
    }


def _place(store: SpaceStore, logged: Sequence[LoggedRun], now: datetime, policy: Policy) -> Place:
    head = store.head()
    return Place(
        space=store.space,
        base=head.run,
        number=head.number,
        now=now,
        held=frozenset(hold.id for hold in store.holds()),
        waking=store.waking(policy),
        policy=policy,
        named=_named(store, [change for each in logged for change in each.changes]),
    )


def _logged(store: SpaceStore, record: RunRecord) -> LoggedRun:
    return LoggedRun(
        number=record.number,
        id=record.id,
        trigger=record.trigger,
        changes=store.changes(record.number),
        erased=store.through(stubs_of(record.number)),
        reverts=record.reverts,
    )


def _restored(plan: Plan) -> list[Stream]:
    return [change.after for change in plan.changes if isinstance(change.after, Stream)]
