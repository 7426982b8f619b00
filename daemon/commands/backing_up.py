"""`backup` and `restore`: all of a home in one file, and a home made from it."""

import os
from pathlib import Path

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.session import session

FAILED = 1


def add_to(app: typer.Typer) -> None:
    app.command()(backup)
    app.command()(restore)


def backup(
    target: str = typer.Argument(
        "", metavar="[FILE|FOLDER]", help="A new file, or a folder for one with a date in its name; default: here."
    ),
) -> None:
    """Write all of the home into one file, beside whoever works in it, and read it back. Exit 1 if a part lacks."""
    from dreamd.daemon.backups import making  # noqa: PLC0415

    with session() as opened:
        made = making.backup(opened, target)
    value = {"file": str(made.file), "bytes": made.size, **made.manifest.as_json(), "not_in_it": list(making.NOT_IN_IT)}
    answer(value, lambda: say(making.lines_of(made)))
    if made.manifest.left_out:
        raise typer.Exit(FAILED)


def restore(
    file: str = typer.Argument(..., help="What `dreamd backup` wrote."),
    to: str = typer.Option("", "--to", metavar="HOME", help="The home to make; default: the one of --home."),
    replace: bool = typer.Option(False, "--replace", help="A home that is there gives way, and is kept aside."),
) -> None:
    """Make a home from a backup. What was purged or forgotten since in the home that gives way stays gone."""
    from dreamd.daemon.backups import restoring  # noqa: PLC0415
    from dreamd.daemon.home import Home  # noqa: PLC0415
    from dreamd.daemon.session import Session, home_asked_for, instant_asked_for, options  # noqa: PLC0415

    path = Path(os.path.abspath(Path(to).expanduser())) if to else home_asked_for().path  # noqa: PTH100 - links stay
    at = Session(asked=options, home=Home(path), now=instant_asked_for())
    done = restoring.restore(Path(file).expanduser(), path, at, may_replace=replace)
    value = {
        "home": str(done.home),
        "made_at": done.manifest.made_at,
        "spaces": {name: dict(space) for name, space in done.manifest.spaces.items()},
        "kept_aside": None if done.aside is None else str(done.aside),
        "forgotten_again": done.forgotten,
        "purged_again": [each.as_json() for each in done.purged],
        "notes": list(done.notes),
    }
    answer(value, lambda: say(restoring.lines_of(done)))
