"""The dream: `run`, and its two halves `plan` and `apply`; and `retarget`, which does what was learned again."""

import json
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dreamd.daemon.answers import answer, as_json, say
from dreamd.daemon.errors import BadData, Failed, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.session import Session, note_if_ahead, session
from dreamd.lifecycle.told import counted

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from dreamd.daemon.nearness import Nearness
    from dreamd.daemon.planning import Planned
    from dreamd.daemon.storage.store import SpaceStore
    from dreamd.lifecycle.policy import Policy


def add_to(app: typer.Typer) -> None:
    app.command()(run)
    app.command()(plan)
    app.command()(apply)
    app.command()(retarget)


def run(
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would change; write nothing."),
) -> None:
    """Dream over what came in: one run for each space."""
    from dreamd.daemon.distiller.service import distil_after_run  # noqa: PLC0415
    from dreamd.daemon.outcomes import one_or_all, publish, take_in, tell  # noqa: PLC0415
    from dreamd.daemon.planning import plan_dream  # noqa: PLC0415
    from dreamd.daemon.purging import finish_in_passing  # noqa: PLC0415
    from dreamd.daemon.remotes.syncing import pull_first  # noqa: PLC0415
    from dreamd.daemon.run import dream_once, instant_of_run  # noqa: PLC0415

    with session() as opened:
        if not opened.spaces():
            _nothing_there(opened, dry_run)
            return
        if dry_run:
            _show_plans(opened, plan_dream)
            return
        note_if_ahead(opened)
        finish_in_passing(opened)
        results = []
        for store in opened.spaces():
            near = opened.nearness(store)
            instant_of_run(store, opened.now, by_hand=opened.is_by_hand)  # refused before anything is taken in
            pulled = pull_first(opened, store)
            edits = take_in(opened, store)
            made = dream_once(store, opened.now, opened.policy, reach, by_hand=opened.is_by_hand, near=near)
            results.append(publish(opened, store, made, distil_after_run(opened, store), edits, pulled))
        answer(one_or_all([result.as_json() for result in results]), lambda: tell(results))


def retarget(
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would change; write nothing."),
) -> None:
    """Look again at the target of every event that names none, with all that is known by now."""
    from dreamd.daemon.outcomes import one_or_all, publish, tell  # noqa: PLC0415
    from dreamd.daemon.planning import plan_retarget  # noqa: PLC0415
    from dreamd.daemon.run import carry_out, instant_of_run  # noqa: PLC0415

    with session() as opened:
        if not opened.spaces():
            _nothing_there(opened, dry_run)
            return
        if dry_run:
            _show_plans(opened, plan_retarget)
            return
        results = []
        for store in opened.spaces():
            now, _ = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
            make = partial(plan_retarget, store, now, opened.policy, opened.nearness(store))
            made = carry_out(store, make, opened.policy, reach, started_at=opened.now)
            results.append(publish(opened, store, made))
        answer(one_or_all([result.as_json() for result in results]), lambda: tell(results))


def plan(
    output: str = typer.Option(
        ..., "-o", "--output", metavar="FILE", help="Where to write the plan; `-`: standard output."
    ),
) -> None:
    """Write what a run of one space would do, to be applied later."""
    from dreamd.daemon.planning import plan_dream  # noqa: PLC0415
    from dreamd.daemon.run import instant_of_run, with_problems  # noqa: PLC0415
    from dreamd.daemon.unread import unread_commits, unread_in_words  # noqa: PLC0415
    from dreamd.lifecycle.codec import plan_to_json  # noqa: PLC0415

    with session() as opened:
        store = opened.the_space()
        now, problems = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
        near = opened.nearness(store, keeps=False)
        made = with_problems(plan_dream(store, now, opened.policy, near), problems).plan
        unread = unread_commits(opened, store)
    content = plan_to_json(made)
    text = as_json({**content, "digest": _digest(content)}, indent=1)
    if output == "-":
        typer.echo(text)
        return
    try:
        Path(output).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise BadData(f"cannot write {output}: {error.strerror}") from None
    told = {"space": made.space, "file": output, "changes": len(made.changes), "unread_commits": unread}
    answer(
        told,
        lambda: say(
            [
                f"{counted(len(made.changes), 'change')} of space {made.space} in {output}",
                *unread_in_words(unread),
                f"Apply: dreamd apply {output}",
            ]
        ),
    )


def apply(file: str = typer.Argument(..., help="A plan that `dreamd plan` wrote.")) -> None:
    """Apply a plan, if nothing was applied to its space since."""
    from dreamd.daemon.outcomes import one_or_all, publish, tell  # noqa: PLC0415
    from dreamd.daemon.storage.apply import Stale  # noqa: PLC0415
    from dreamd.lifecycle.codec import plan_from_json, plan_to_json  # noqa: PLC0415

    try:
        content = json.loads(Path(file).read_bytes())
        digest = content.pop("digest")
        made = plan_from_json(content)
    except OSError as error:
        raise BadData(f"cannot read {file}: {error.strerror}", "write one: dreamd plan -o FILE") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadData(f"{file} is no plan: {error}", "write one: dreamd plan -o FILE") from None
    if digest != _digest(plan_to_json(made)):
        raise BadData(f"{file} was changed since it was written", "plan again: dreamd plan -o FILE")
    with session() as opened:
        if made.space not in opened.store.spaces():
            raise Usage(f"{file} is a plan of space {made.space!r}, which is not in this home", "see: dreamd status")
        store = opened.store.space(made.space)
        if made.changes:
            streams = {stream.id: opened.now for stream in store.streams()}
            if isinstance(
                store.apply(made, due=streams, started_at=opened.now, policy=opened.policy, reach=reach), Stale
            ):
                raise Failed(
                    f"{file} was planned on {made.base or 'an empty memory'}; the head is {store.head().run} now",
                    "plan again: dreamd plan -o FILE",
                )
        result = publish(opened, store, made)
        answer(one_or_all([result.as_json()]), lambda: tell([result]))


def _digest(content: dict[str, Any]) -> str:
    """Of a plan as JSON: a plan is applied as it was made, for its statements are evidence's own words."""
    return sha256(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()


def _nothing_there(opened: Session, dry_run: bool) -> None:
    from dreamd.daemon.first_steps import lesson  # noqa: PLC0415

    first = ["Nothing was ingested yet: nothing would change."] if dry_run else []
    answer([], lambda: say([*first, *lesson(opened)[len(first) :]]))


def _show_plans(opened: Session, make: "Callable[[SpaceStore, datetime, Policy, Nearness | None], Planned]") -> None:
    from dreamd.daemon.outcomes import head_of_report, one_or_all, outcome_of  # noqa: PLC0415
    from dreamd.daemon.run import instant_of_run, with_problems  # noqa: PLC0415
    from dreamd.daemon.unread import unread_commits, unread_in_words  # noqa: PLC0415
    from dreamd.lifecycle.codec import plan_to_json  # noqa: PLC0415

    plans = []
    for store in opened.spaces():
        now, problems = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
        near = opened.nearness(store, keeps=False)
        made = with_problems(make(store, now, opened.policy, near), problems).plan
        plans.append((store, made, unread_commits(opened, store)))
    values = [
        {**plan_to_json(made), "outcome": outcome_of(made), "dry_run": True, "unread_commits": unread}
        for _, made, unread in plans
    ]

    def in_words() -> None:
        for store, made, unread in plans:
            text = head_of_report(opened, store, made)
            say(line for line in text.rstrip("\n").split("\n") if "Undo all of it" not in line)
            say([f"  Nothing was written. {counted(len(made.changes), 'row')} would change."])
            say(f"  {line}" for line in unread_in_words(unread))

    answer(one_or_all(values), in_words)
