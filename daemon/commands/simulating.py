"""`simulate`: histories with known truth, to judge this and any other memory by."""

from pathlib import Path

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import BadData, Usage


def add_to(app: typer.Typer) -> None:
    app.command()(simulate)


def simulate(
    output: str = typer.Option(..., "-o", "--output", metavar="DIR", help="Where to write it; made if missing."),
    days: int = typer.Option(180, "--days", help="How long it is: 30 to 365."),
    targets: int = typer.Option(500, "--targets", help="How many targets it is about: 1 to 5000."),
    seed: int = typer.Option(1, "--seed", help="The same seed gives the same bytes."),
    classes: list[str] | None = typer.Option(
        None, "--class", metavar="CLASS", help="Only targets of this class; may be given several times."
    ),
) -> None:
    """Write a made-up history with known truth: events as they are delivered, a file a day, and truth.json."""
    from dreamd.daemon.simulate.classes import KINDS  # noqa: PLC0415
    from dreamd.daemon.simulate.history import simulate as made_up  # noqa: PLC0415
    from dreamd.daemon.simulate.writing import write  # noqa: PLC0415

    known = [kind.name for kind in KINDS]
    if unknown := sorted({*(classes or ())} - {*known}):
        raise Usage(f"--class {unknown[0]!r} is unknown", f"one of: {', '.join(known)}")
    try:
        history = made_up(days=days, targets=targets, seed=seed, classes=classes or ())
    except ValueError as error:
        raise Usage(f"--{error}", "see: dreamd simulate --help") from None
    folder = Path(output)
    try:
        files = write(history, folder)
    except FileExistsError as error:
        raise BadData(f"{error.filename} is there already", "name a new folder with -o") from None
    except OSError as error:
        raise BadData(f"cannot write {error.filename or folder}: {error.strerror}") from None
    told = {
        "folder": str(folder),
        "seed": seed,
        "days": days,
        "targets": len(history.targets),
        "events": history.event_count,
        "files": files,
    }
    answer(
        told,
        lambda: say(
            [
                f"{history.event_count} events about {len(history.targets)} targets on {days} days, in {folder}",
                f"  {folder}/deliveries/: a file a day, for: dreamd ingest events FILE (*.user.jsonl: --as user)",
                f"  {folder}/truth.json: what is true of each target",
            ]
        ),
    )
