"""`forget`, `unforget` and `purge`: what a person wants out of the memory."""

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import Usage
from dreamd.daemon.session import session

AS = typer.Option(
    "", "--as", metavar="KIND", help="What SUBJECT is, if it may be several: target, claim, event, session, source."
)
FAILED = 1


def add_to(app: typer.Typer) -> None:
    for command in (forget, unforget, purge):
        app.command()(command)


def forget(
    subject: str = typer.Argument(..., help="A target, the id of a claim or event, a session or a source."),
    kind: str = AS,
) -> None:
    """Lay to rest what is known from it; what comes later is stored and not believed. It can be taken back."""
    from dreamd.daemon import forgetting  # noqa: PLC0415
    from dreamd.daemon.deciding import decide  # noqa: PLC0415
    from dreamd.daemon.purge_subject import meant_by  # noqa: PLC0415

    with session() as opened:
        store, meant = meant_by(opened, subject, kind)
        decide(opened, store, lambda: forgetting.forget(store, meant))


def unforget(subject: str = typer.Argument(..., help="A target, or the id of a stream or claim.")) -> None:
    """Believe again what was forgotten, with all that came since."""
    from dreamd.daemon import forgetting  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, pinnable  # noqa: PLC0415

    with session() as opened:
        store, row = pinnable(opened, subject)
        decide(opened, store, lambda: forgetting.unforget(store, row))


def purge(
    subjects: list[str] = typer.Argument(
        None, metavar="SUBJECT...", help="A target, the id of a claim or event, a session or a source."
    ),
    kind: str = AS,
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what would be erased; write nothing."),
    yes: bool = typer.Option(False, "--yes", help="Do not ask."),
    resume: bool = typer.Option(False, "--resume", help="Finish a purge that was interrupted."),
) -> None:
    """Erase for good: rows, log, files and history. It cannot be taken back."""
    from dreamd.daemon import purging  # noqa: PLC0415
    from dreamd.daemon.purge_subject import all_meant_by  # noqa: PLC0415

    if not subjects and not resume:
        raise Usage("nothing to purge is named", "dreamd purge SUBJECT, or: dreamd purge --resume")
    with session() as opened:
        done = [] if dry_run else purging.finish_open(opened)
        if subjects:
            store, meant = all_meant_by(opened, subjects, kind)
            made = purging.dry_run(opened, store, meant)
            counts = {"events": len(made.events), "claims": len(made.claims), "streams": len(made.streams)}
            counts |= {"streams made again": len(made.remade), "events that stay and say it too": made.also_said}
            if dry_run:
                value = {"space": store.space, "kind": meant.kind, "dry_run": True, "would_erase": counts}
                told = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
                answer(value, lambda: say([f"Would purge from space {store.space}: {told}.", "Nothing was written."]))
                return
            if not yes:
                if opened.asked.as_json:
                    raise Usage("a purge cannot be taken back and is not confirmed", "look with --dry-run, then: --yes")
                told = f"{counts['events']} events, {counts['claims']} claims and {counts['streams']} streams"
                typer.confirm(f"Erase {told} of space {store.space} for good?", abort=True, err=True)
            done.append(purging.purge(opened, store, meant))
    values = [certificate.as_json() for certificate in done]
    lines = [line for certificate in done for line in certificate.in_words()] or ["no purge is open"]
    answer(values[0] if len(values) == 1 else values, lambda: say(lines))
    if not all(certificate.is_complete for certificate in done):
        raise typer.Exit(FAILED)
