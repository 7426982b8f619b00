"""The log: `runs`, `report`, `diff`; and going back: `revert`, `undo`, `unhold`."""

from typing import TYPE_CHECKING, Any

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.run_names import run_named
from dreamd.daemon.session import Session, nothing_ingested, options, session, several
from dreamd.daemon.terminal import show

if TYPE_CHECKING:
    from dreamd.daemon.reverting import Wish
    from dreamd.daemon.storage.store import SpaceStore

FAILED = 1


def add_to(app: typer.Typer) -> None:
    for command in (runs, report, diff, revert, undo, unhold):
        app.command()(command)


def runs() -> None:
    """List the runs: number, time, what started them, what they changed."""
    from dreamd.daemon.first_steps import nothing_known  # noqa: PLC0415
    from dreamd.daemon.telling import run_as_json, runs_table  # noqa: PLC0415

    with session() as opened:
        found = [(store, record) for store in opened.spaces() for record in store.runs()]
        values = [run_as_json(store, record) for store, record in found]
        lines = (nothing_known(opened) if not values else []) or runs_table(values)
    answer(values, lambda: say(lines))


def report(
    run: int | None = typer.Argument(None, help="Number of the run; default: the newest attempt."),
    since: str = typer.Option(
        "", "--since", metavar="SINCE", help="Tell all since then as one: an instant, a day (UTC), 7d ago, or a run."
    ),
) -> None:
    """Show what a run did and why, what nearly changed, and how to undo it."""
    from dreamd.daemon import folding, telling  # noqa: PLC0415
    from dreamd.daemon.first_steps import lesson  # noqa: PLC0415

    with session() as opened:
        if since:
            if run is not None:
                raise Usage("--since and a run are two questions", "give one: report RUN, or report --since RUN")
            values, lines = folding.folds_since(opened, since)
            answer(values, lambda: say(telling.as_called(opened, lines)))
            return
        if run is not None:
            store = space_with_run(opened, run)
            value, text = telling.report_of(opened, store, run)
            answer(value, lambda: say(text))
            return
        if not opened.spaces():
            answer([], lambda: say(lesson(opened)))
            return
        told = [telling.newest(opened, store) for store in opened.spaces()]
        values = [value for value, _ in told]
        answer(values[0] if len(values) == 1 else values, lambda: say(line for _, lines in told for line in lines))


def diff(
    run: str = typer.Argument(..., help="Number of the run, or the beginning of its id."),
    stat: bool = typer.Option(False, "--stat", help="Only how many lines of which file changed."),
) -> None:
    """Show what a run changed, before and after: the files of its commit, and what shows in no file."""
    from dreamd.daemon.differences import diff_of_run  # noqa: PLC0415
    from dreamd.daemon.showing import diff_on_terminal, stat_on_terminal  # noqa: PLC0415

    with session() as opened:
        found = diff_of_run(opened, *run_named(opened, run))
    value = found.as_json() if options.as_json else None  # every diff once more: not for nothing
    answer(value, lambda: show(stat_on_terminal(found) if stat else diff_on_terminal(found)))


def revert(
    run: int = typer.Argument(..., help="Number of the run to take back."),
    op: str = typer.Option("", "--op", metavar="GROUP", help="Take back only this group of the run."),
    cascade: bool = typer.Option(False, "--cascade", help="Take along what later runs built on it."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be taken back; write nothing."),
) -> None:
    """Take a run back, as a new run. What later runs built on stays, and is named."""
    from dreamd.daemon.reverting import Wish  # noqa: PLC0415

    with session() as opened:
        store = space_with_run(opened, run)
        _revert(opened, store, Wish(number=run, op=op or None, cascade=cascade), dry_run)


def undo(
    cascade: bool = typer.Option(False, "--cascade", help="Take along what later runs built on it."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be taken back; write nothing."),
) -> None:
    """Take the last run back."""
    from dreamd.daemon.reverting import Wish  # noqa: PLC0415

    with session() as opened:
        store = opened.the_space()
        number = store.head().number
        if not number:
            raise Usage(f"space {store.space!r} has no run to undo", "dreamd run makes one")
        _revert(opened, store, Wish(number=number, cascade=cascade), dry_run)


def unhold(subject: str = typer.Argument(..., help="A target, or the id of a row that a revert holds.")) -> None:
    """Lift what a revert holds, so that the next dream may do it again."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, subject_held  # noqa: PLC0415

    with session() as opened:
        store, held = subject_held(opened, subject)
        decide(opened, store, lambda: orders.unhold(store, held))


def space_with_run(opened: Session, number: int) -> "SpaceStore":
    """The one space that has run `number`. Raises Usage if none has, or several."""
    spaces = opened.spaces()
    if not spaces:
        raise nothing_ingested()
    having = [store for store in spaces if number <= store.head().number and store.run(number) is not None]
    if len(having) == 1:
        return having[0]
    if having:
        raise several([store.space for store in having])
    where = f"space {spaces[0].space!r} has" if len(spaces) == 1 else "no space has"
    numbers = [store.head().number for store in spaces]
    there = f"; there are runs 1 to {max(numbers)}" if any(numbers) else "; there is no run yet"
    hint = "dreamd runs lists them" if any(numbers) else "dreamd run makes one"
    raise Usage(f"{where} {'no ' if len(spaces) == 1 else ''}run {number}{there}", hint)


def _revert(opened: Session, store: "SpaceStore", wish: "Wish", dry_run: bool) -> None:
    from dreamd.daemon import reverting, telling  # noqa: PLC0415
    from dreamd.daemon.outcomes import program_of, publish, take_in  # noqa: PLC0415
    from dreamd.daemon.run import instant_of_run  # noqa: PLC0415

    now, _ = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
    if dry_run:
        undoing = reverting.undoing_of(store, wish, now, opened.policy)
        value: dict[str, Any] = telling.undoing_as_json(store, undoing, dry_run=True)
        answer(
            value, lambda: say(telling.undoing_in_words(store, undoing, wish, dry_run=True, program=program_of(opened)))
        )
        return
    take_in(opened, store)  # what a person edited keeps what it touched from being taken back
    undoing, plan = reverting.revert(store, wish, now, opened.policy, reach)
    result = publish(opened, store, plan)
    lines = telling.undoing_in_words(store, undoing, wish, dry_run=False, program=program_of(opened))
    value = {**telling.undoing_as_json(store, undoing, dry_run=False), "export": result.export_as_json()}
    answer(value, lambda: say([*lines, *(result.in_words()[1:] if plan.changes else [])]))
    if not undoing.groups:
        raise typer.Exit(FAILED)
