"""Facts come in: `init`, `ingest`, `record`. They append events and never decide anything."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dreamd.daemon.answers import answer, complain, say
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.first_steps import next_after_ingest, next_steps, program_for
from dreamd.daemon.intake.adapters.registry import ADAPTERS
from dreamd.daemon.session import Session, home_asked_for, note_if_ahead, options, session
from dreamd.daemon.wording import did_you_mean

if TYPE_CHECKING:
    from dreamd.daemon.intake.adding import Tally
    from dreamd.daemon.intake.markdown import MarkdownTally

BAD_DATA = 65
SOURCES = ("events", "git", "markdown", *ADAPTERS)
WHAT_THEY_ARE = ", ".join(
    ["`events` (JSONL)", "`git` (a repository's history)", "`markdown` (a memory folder)"]
    + [f"`{name}` ({each.reads})" for name, each in ADAPTERS.items()]
)
EXAMPLE = '{"at": "2026-01-05T09:00:00Z", "text": "The cache holds 5 items", "target": "cache"}'


def add_to(app: typer.Typer) -> None:
    app.command()(init)
    app.command()(ingest)
    app.command()(record)


def init(
    group: str = typer.Option("", "--group", metavar="GROUP", help="Let this group write the memory too."),
) -> None:
    """Create the home: settings, key, database; and say what to do next."""
    from dreamd.daemon.home import create  # noqa: PLC0415
    from dreamd.daemon.sharing import share_with  # noqa: PLC0415

    asked = home_asked_for()
    was_there = asked.exists()
    home = create(asked.path)
    if group:
        share_with(home, group)
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
        help="Files (`-`: standard input), repositories (default: `.`), memory folders, or files and folders with"
        " transcripts (default: where the agent keeps them).",
    ),
    actor: str = typer.Option(
        "",
        "--as",
        metavar="ACTOR",
        help="Grant `events`, `markdown` and `console` up to this actor: user, agent, tool, external.",
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
        near = did_you_mean(source, SOURCES, most=1)
        hint = f"did you mean: dreamd ingest {near[0]}" if near else _hint_for(source)
        raise Usage(f"source {source!r} is unknown; there are: {', '.join(SOURCES)}", hint)
    if actor and (source == "git" or (source in ADAPTERS and ADAPTERS[source].is_original)):
        setting = "channels.git" if source == "git" else "channels.transcripts"
        raise Usage(
            f"--as grants nothing to `{source}`: who says what is known there",
            f"leave it out; the most that counts is the setting {setting}, see: dreamd settings",
        )
    if at and source not in ADAPTERS:
        raise Usage(f"--at means nothing to `{source}`: its events hold their times", "leave it out")
    with session() as opened:
        note_if_ahead(opened)
        if source in ADAPTERS:
            from dreamd.daemon.commands.transcripts import counts_of, from_transcripts, say_counts  # noqa: PLC0415

            _check_transcripts(opened, source, paths or [])
            read = list(from_transcripts(opened, source, paths, actor, at))
            _tell(opened, list(read), counts_of(read), lambda: say_counts(read))
        elif source == "markdown":
            from dreamd.daemon.intake import markdown  # noqa: PLC0415

            taken = list(_from_markdown(opened, paths, actor))
            _tell(opened, list(taken), markdown.counts_of(taken), lambda: say(markdown.in_words(taken)))
        elif source == "git":
            _tell(opened, list(_from_git(opened, paths or ["."])))
        else:
            _tell(opened, list(_from_files(opened, paths, actor)))


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
        note_if_ahead(opened)
        try:
            event, is_new = record_one(opened, fields)
        except BadData as bad:
            raise BadData(bad.message, bad.hint or "see: dreamd record --help") from None
    words = f"recorded {event.id} in space {event.space}" if is_new else f"already there: {event.id}"
    answer({"id": event.id, "space": event.space, "new": is_new}, lambda: say([words]))


def _from_files(opened: Session, paths: list[str] | None, actor: str) -> Iterator["Tally"]:
    from dreamd.daemon.intake.adding import Shown, Tally, ingest_lines  # noqa: PLC0415

    if not paths:
        raise Usage("nothing to read", "name files, or - for standard input: dreamd ingest events -")
    closed = {path: _check_file(Path(path), program_for(opened.home)) for path in paths if path != "-"}
    for path in paths:
        if path == "-":
            yield ingest_lines(opened, sys.stdin.buffer, "-", actor, reach)
        elif why := closed[path]:
            if len(paths) == 1:
                hint = "check its owner and mode, or give it on standard input: dreamd ingest events -"
                raise BadData(f"cannot read {path}: {why}", hint)
            tally = Tally(name=path)
            reason = f"cannot be read: {why}; check its owner and mode, then ingest it again"
            tally.reject(Shown(file=path, line=None, field=None, reason=reason))
            yield tally
        else:
            with Path(path).open("rb") as stream:
                tally = ingest_lines(opened, stream, path, actor, reach)
            if not Path(path).is_file() and not tally.new + tally.duplicate + tally.rejected + tally.purged:
                _note_empty(path)
            yield tally


def _note_empty(file: object) -> None:
    typer.echo(f"note: {file} is empty; an event is a line such as {EXAMPLE}", err=True)


def _check_file(file: Path, dreamd: str) -> str | None:
    """Why `file` cannot be read; None if it can. Says of an empty one that it is.

    Refuses, before anything is stored, a file that is not there or is no JSONL as a whole.
    """
    from dreamd.daemon.intake import sources  # noqa: PLC0415

    if not os.path.exists(file):  # Path.exists raises for a name that is too long
        raise BadData(f"cannot read {file}: there is no such file", "nothing was ingested; name JSONL files, or -")
    if file.is_dir():
        raise Usage(*sources.folder_of_events(file, dreamd))
    if not file.is_file():  # a pipe gives its bytes once
        return None
    try:
        advice = sources.no_events_in(file, dreamd)
        if sources.is_empty(file):
            _note_empty(file)
    except OSError as error:
        return error.strerror or str(error)
    if advice is not None:
        raise BadData(*advice)
    return None


def _from_markdown(opened: Session, paths: list[str] | None, actor: str) -> "Iterator[MarkdownTally]":
    from dreamd.daemon.intake.markdown import ingest_markdown  # noqa: PLC0415

    if not paths:
        raise Usage("nothing to read", "name a memory folder, or files in it: dreamd ingest markdown FOLDER")
    for path in paths:
        yield ingest_markdown(opened, Path(path).expanduser(), actor, reach)


def _from_git(opened: Session, paths: Iterable[str]) -> Iterator["Tally"]:
    from dreamd.daemon.intake.adding import ingest_repository  # noqa: PLC0415
    from dreamd.daemon.intake.git import IntakeProblem  # noqa: PLC0415
    from dreamd.daemon.intake.sources import closed_repository, no_repository_in  # noqa: PLC0415

    for path in paths:
        if "://" in path or path.startswith("git@"):
            hint = f"clone it first: git clone {path}; then: {program_for(opened.home)} ingest git FOLDER"
            raise BadData(f"{path} is an address; dreamd reads folders, and nothing from the network", hint)
        try:
            yield ingest_repository(opened, Path(path), reach)
        except IntakeProblem as problem:
            closed = closed_repository(Path(path))
            if closed is not None:
                raise BadData(*closed) from None
            is_other = " is not " in problem.message
            better = no_repository_in(Path(path), program_for(opened.home)) if is_other else None
            raise BadData(problem.message, better or problem.hint) from None


def _tell(
    opened: Session,
    tallies: "list[Tally]",
    counts: Mapping[str, object] | None = None,
    say_counts: Callable[[], None] | None = None,
) -> None:
    rejected = [rejection for tally in tallies for rejection in tally.rejections]
    whole = {
        "new": sum(tally.new for tally in tallies),
        "duplicate": sum(tally.duplicate for tally in tallies),
        "rejected": sum(tally.rejected for tally in tallies),
        **({"purged": purged} if (purged := sum(tally.purged for tally in tallies)) else {}),
        "spaces": sorted({space for tally in tallies for space in tally.spaces}),
        "rejections": [rejection.as_json() for rejection in rejected],
        **(counts or {}),
    }

    def in_words() -> None:
        for tally in tallies:
            counts = f"{tally.new} new, {tally.duplicate} duplicate, {tally.rejected} rejected"
            counts += f", {tally.purged} purged before" if tally.purged else ""
            say([f"{tally.name}: {counts}" + (f" (space {', '.join(sorted(tally.spaces))})" if tally.spaces else "")])
        if say_counts is not None:
            say_counts()
        for rejection in rejected:
            complain(rejection.in_words())
        if whole["new"]:
            say([next_after_ingest(opened.home)])

    answer(whole, in_words)
    if whole["rejected"] and not options.as_json:
        typer.echo(f"hint: {_what_was_kept(tallies)}; mend the lines above and ingest them again", err=True)
    if whole["rejected"]:
        raise typer.Exit(BAD_DATA)


def _check_transcripts(opened: Session, source: str, paths: Iterable[str]) -> None:
    from dreamd.daemon.intake.sources import events_for_transcript  # noqa: PLC0415

    for path in paths:
        try:
            is_file = Path(path).is_file()
            advice = events_for_transcript(Path(path), program_for(opened.home), source) if is_file else None
        except OSError as error:
            hint = "check its owner and mode, or name another"
            raise BadData(f"cannot read {path}: {error.strerror}", hint) from None
        if advice is not None:
            raise BadData(*advice)


def _hint_for(source: str) -> str:
    """Who left the source out named a path in its place."""
    path = Path(source)
    if path.suffix.lower() == ".md" or (path / "MEMORY.md").is_file():
        return f"for a memory folder: dreamd ingest markdown {source}"
    if path.is_dir():
        return f"for a repository: dreamd ingest git {source}"
    return f"for a file of events: dreamd ingest events {source}" if path.is_file() else "see: dreamd ingest --help"


def _what_was_kept(tallies: "list[Tally]") -> str:
    good = sum(tally.new + tally.duplicate for tally in tallies)
    return "the good events were kept" if good else "no event was good, nothing was stored"
