"""Facts come in: `init`, `ingest`, `record`. They append events and never decide anything."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.intake.adapters.registry import ADAPTERS
from dreamd.daemon.session import Session, home_asked_for, options, session

if TYPE_CHECKING:
    from dreamd.daemon.intake.adding import Tally

BAD_DATA = 65
SOURCES = ("events", "git", *ADAPTERS)
WHAT_THEY_ARE = ", ".join(
    ["`events` (JSONL)", "`git` (a repository's history)"]
    + [f"`{name}` ({each.reads})" for name, each in ADAPTERS.items()]
)


def add_to(app: typer.Typer) -> None:
    app.command()(init)
    app.command()(ingest)
    app.command()(record)


def init() -> None:
    """Create the home: settings, key, database; and say what to do next."""
    from dreamd.daemon.first_steps import next_steps  # noqa: PLC0415
    from dreamd.daemon.home import create  # noqa: PLC0415

    asked = home_asked_for()
    was_there = asked.exists()
    home = create(asked.path)
    with session() as opened:
        spaces = opened.store.spaces()
    answer(
        {"home": str(home.path), "created": not was_there, "spaces": list(spaces)},
        lambda: say(next_steps(home, was_there=was_there)),
    )


def ingest(
    source: str = typer.Argument(..., help=f"What to read: {WHAT_THEY_ARE}."),
    paths: list[str] | None = typer.Argument(
        None,
        help="Files (`-`: standard input), repositories (default: `.`), or files and folders with transcripts"
        " (default: where the agent keeps them).",
    ),
    actor: str = typer.Option(
        "",
        "--as",
        metavar="ACTOR",
        help="Grant `events` and `console` up to this actor: user, agent, tool, external.",
    ),
    at: str = typer.Option(
        "",
        "--at",
        metavar="RFC3339",
        help="When the session began, for transcripts that hold no times; each line counts as one second.",
    ),
) -> None:
    """Take in events. Idempotent: what came before is counted as duplicate."""
    if source not in SOURCES:
        raise Usage(f"source {source!r} is unknown; there are: {', '.join(SOURCES)}", "see: dreamd ingest --help")
    if actor and (source == "git" or (source in ADAPTERS and ADAPTERS[source].is_original)):
        setting = "channels.git" if source == "git" else "channels.transcripts"
        raise Usage(
            f"--as grants nothing to `{source}`: who says what is known there",
            f"leave it out; the most that counts is the setting {setting}, see: dreamd settings",
        )
    if at and source not in ADAPTERS:
        raise Usage(f"--at means nothing to `{source}`: its events hold their times", "leave it out")
    with session() as opened:
        if source in ADAPTERS:
            from dreamd.daemon.commands.transcripts import counts_of, from_transcripts, say_counts  # noqa: PLC0415

            read = list(from_transcripts(opened, source, paths, actor, at))
            _tell(list(read), counts_of(read), lambda: say_counts(read))
        elif source == "git":
            _tell(list(_from_git(opened, paths or ["."])))
        else:
            _tell(list(_from_files(opened, paths, actor)))


def record(  # noqa: PLR0913, PLR0917 - one parameter an option
    text: str = typer.Argument(..., help="What happened, was decided or was learnt; one statement."),
    target: str = typer.Option("", "--target", help="What it is about; without it dreamd looks for the target."),
    kind: str = typer.Option("observation", "--kind", help="observation, error, result, decision, preference, ..."),
    because: str = typer.Option("", "--because", help="The reason."),
    decay: str = typer.Option("", "--decay", help="permanent, stable, active, session or checkpoint."),
    actor: str = typer.Option(
        "", "--as", metavar="ACTOR", help="Who says it; default: user, as you are at the keyboard."
    ),
    outcome: str = typer.Option("", "--outcome", help="0 to 1, success or failure."),
    session_name: str = typer.Option("", "--session", help="The session it belongs to."),
    scope: str = typer.Option("", "--scope", help="local, system, infra, or another word."),
) -> None:
    """Record one event."""
    from dreamd.daemon.intake.adding import record_one  # noqa: PLC0415

    given = {
        "text": text,
        "target": target,
        "kind": kind,
        "because": because,
        "decay": decay,
        "actor": actor,
        "outcome": outcome,
        "session": session_name,
        "scope": scope,
    }
    fields: dict[str, object] = {name: value for name, value in given.items() if value}
    if "outcome" in fields and outcome not in ("success", "failure"):
        try:
            fields["outcome"] = float(outcome)
        except ValueError:
            raise Usage(f"--outcome {outcome!r} is no outcome", "give 0 to 1, success or failure") from None
    with session() as opened:
        event, is_new = record_one(opened, fields)
    words = f"recorded {event.id} in space {event.space}" if is_new else f"already there: {event.id}"
    answer({"id": event.id, "space": event.space, "new": is_new}, lambda: say([words]))


def _from_files(opened: Session, paths: list[str] | None, actor: str) -> Iterator["Tally"]:
    from dreamd.daemon.intake.adding import ingest_lines  # noqa: PLC0415

    if not paths:
        raise Usage("nothing to read", "name files, or - for standard input: dreamd ingest events -")
    for path in paths:
        if path != "-" and not Path(path).exists():
            raise BadData(f"cannot read {path}: there is no such file", "nothing was ingested; name JSONL files, or -")
    for path in paths:
        if path == "-":
            yield ingest_lines(opened, sys.stdin.buffer, "-", actor, reach)
            continue
        file = Path(path)
        if file.is_dir():
            raise Usage(f"{path} is a folder", f"name its files: dreamd ingest events {path}/*.jsonl")
        try:
            stream = file.open("rb")
        except OSError as error:
            raise BadData(
                f"cannot read {path}: {error.strerror}", "name a JSONL file, or - for standard input"
            ) from None
        with stream:
            yield ingest_lines(opened, stream, path, actor, reach)


def _from_git(opened: Session, paths: Iterable[str]) -> Iterator["Tally"]:
    from dreamd.daemon.intake.adding import ingest_repository  # noqa: PLC0415
    from dreamd.daemon.intake.git import IntakeProblem  # noqa: PLC0415

    for path in paths:
        try:
            yield ingest_repository(opened, Path(path), reach)
        except IntakeProblem as problem:
            raise BadData(problem.message, problem.hint) from None


def _tell(
    tallies: "list[Tally]", counts: Mapping[str, object] | None = None, say_counts: Callable[[], None] | None = None
) -> None:
    rejected = [rejection for tally in tallies for rejection in tally.rejections]
    whole = {
        "new": sum(tally.new for tally in tallies),
        "duplicate": sum(tally.duplicate for tally in tallies),
        "rejected": sum(tally.rejected for tally in tallies),
        "spaces": sorted({space for tally in tallies for space in tally.spaces}),
        "rejections": [rejection.as_json() for rejection in rejected],
        **(counts or {}),
    }

    def in_words() -> None:
        for tally in tallies:
            counts = f"{tally.new} new, {tally.duplicate} duplicate, {tally.rejected} rejected"
            say([f"{tally.name}: {counts} (space {', '.join(sorted(tally.spaces)) or 'none'})"])
        if say_counts is not None:
            say_counts()
        for rejection in rejected:
            typer.echo(rejection.in_words(), err=True)

    answer(whole, in_words)
    if whole["rejected"] and not options.as_json:
        typer.echo("hint: the good events were kept; mend the lines above and ingest them again", err=True)
    if whole["rejected"]:
        raise typer.Exit(BAD_DATA)
