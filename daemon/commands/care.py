"""The care of a home: `export`, `adopt`, `verify`, `status`, `settings`, `predicates`."""

from collections.abc import Collection

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import Failed, Storage, Usage
from dreamd.daemon.session import session

FAILED = 1


def add_to(app: typer.Typer) -> None:
    for command in (export, adopt, verify, status, settings, predicates):
        app.command()(command)


def export() -> None:
    """Catch the memory repository up with the log, and render what differs again."""
    from dreamd.daemon.caring import export_again  # noqa: PLC0415
    from dreamd.daemon.purging import finish_in_passing  # noqa: PLC0415
    from dreamd.repo_export.git import RepositoryProblem  # noqa: PLC0415

    with session() as opened:
        finish_in_passing(opened)
        try:
            told = [export_again(opened, store) for store in opened.spaces()]
        except RepositoryProblem as problem:
            raise Failed(problem.message, problem.hint) from None
        except OSError as error:
            hint = "make the home writable, or run as its owner"
            raise Storage(f"cannot write {error.filename}: {error.strerror}", hint) from None
    answer([value for value, _ in told], lambda: say(line for _, lines in told for line in lines))


def adopt(
    paths: list[str] = typer.Argument(None, metavar="[PATH]...", help="Files; none: all that may hold knowledge."),
    author: str = typer.Option("", "--author", metavar="'NAME <ADDRESS>'", help="Whose edit it is."),
) -> None:
    """Commit a person's edits in the memory repository as theirs; the next run takes them in."""
    import os  # noqa: PLC0415

    from dreamd.daemon import adopting  # noqa: PLC0415
    from dreamd.repo_export.git import RepositoryProblem  # noqa: PLC0415

    with session() as opened:
        store = opened.the_space()
        try:
            done = adopting.adopt(opened.repository(store.space), paths or [], author, opened.now, os.environ)
        except RepositoryProblem as problem:
            raise Failed(problem.message, problem.hint) from None
    value = {"space": store.space, "commit": done.commit, "paths": list(done.paths), "by": done.by}
    lines = [f"Nothing to adopt in {store.space}: no file differs from what is committed"]
    if done.commit is not None:
        lines = [f"Adopted for {done.by} in commit {done.commit[:12]}:", *(f"  {path}" for path in done.paths)]
        lines.append("Next: dreamd run")
    answer(value, lambda: say(lines))


def verify(
    path: str = typer.Argument(
        "", metavar="[PATH]", help="A folder or bare repository of this format; default: this home's."
    ),
    strict: bool = typer.Option(False, "--strict", help="Warnings fail too."),
    only: list[str] | None = typer.Option(
        None,
        "--only",
        metavar="LEVEL",
        help="Check this level; may come again: format, readers, provenance, round-trip, store.",
    ),
    baseline: str = typer.Option("", "--baseline", metavar="FILE", help="Only what this file does not hold counts."),
    written: str = typer.Option("", "--write-baseline", metavar="FILE", help="Write what is found, for --baseline."),
) -> None:
    """Check a memory repository: its format, what readers need, provenance, round trip, the store. Exit 1 on errors.

    With PATH it needs no home, and the repository need not be dreamd's.
    """
    from dreamd.daemon import verifying  # noqa: PLC0415
    from dreamd.daemon.memory import collecting_later  # noqa: PLC0415

    levels = _levels(only or ())
    if path:
        with collecting_later():
            found = verifying.findings_in_folder(path, levels)
    else:
        with session() as opened, collecting_later():
            found = [each for store in opened.spaces() for each in verifying.findings_of(opened, store, levels)]
    if written:
        verifying.write_baseline(found, written)
    known = 0
    if baseline or written:
        found, known = verifying.without_known(found, baseline or written)
    lines = [f"{each['level']} {each['path']}:{each['line']}: {each['message']} ({each['rule']})" for each in found]
    if known:
        lines.append(f"{known} more in the baseline {baseline or written}")
    answer(found, lambda: say(lines or ["clean"]))
    if any(strict or each["level"] == "error" for each in found):
        raise typer.Exit(FAILED)


def _levels(asked: Collection[str]) -> Collection[str]:
    from dreamd.repo_export.verify import LEVELS  # noqa: PLC0415

    for level in asked:
        if level not in LEVELS:
            raise Usage(f"--only {level!r} is no level", f"one of: {', '.join(LEVELS)}")
    return asked or tuple(LEVELS)


def status() -> None:
    """Show where things lie, how much there is, what waits, and what is wrong. Exit 1 if something is."""
    from dreamd.daemon.first_steps import lesson, program_for  # noqa: PLC0415
    from dreamd.daemon.standing import status_lines, status_of, wrong_with  # noqa: PLC0415

    with session() as opened:
        spaces = [status_of(opened, store) for store in opened.spaces()]
        home = str(opened.home.path)
        lines = status_lines(spaces, program_for(opened.home)) if spaces else lesson(opened)
    wrong = [f"{one['space']}: {each}" for one in spaces for each in wrong_with(one)]
    answer({"home": home, "spaces": spaces, "wrong": wrong}, lambda: say([f"Home: {home}", *lines]))
    if wrong:
        raise typer.Exit(FAILED)


def settings() -> None:
    """Show every setting with its value and where it comes from."""
    from dreamd.daemon.settings import described, shown_value  # noqa: PLC0415
    from dreamd.daemon.terminal import table  # noqa: PLC0415

    with session() as opened:
        loaded = opened.loaded
        values = [
            {"name": each.name, "value": shown_value(loaded.settings, each.name), "origin": loaded.origins[each.name]}
            for each in described()
        ]
        digest = loaded.policy().digest()
    rows = [(str(each["name"]), str(each["value"]), str(each["origin"])) for each in values]
    answer(
        {"settings": values, "policy_digest": digest},
        lambda: say([*table(("setting", "value", "from"), rows), f"policy digest {digest}"]),
    )


def predicates(
    shipped: bool = typer.Option(False, "--shipped", help="The registry that dreamd ships, to copy from."),
    shapes: bool = typer.Option(False, "--shapes", help="What a place such as {value:scalar} can be narrowed to."),
    text: str = typer.Option("", "--try", metavar="TEXT", help="Which slot this sentence fills, and with what."),
) -> None:
    """Show the registry of functional predicates: which statements take the place of which.

    A file predicates.toml in the home adds to what is shipped, or takes its place.
    """
    from dreamd.daemon.predicates import filled, in_force, shapes_in_words, shipped_text  # noqa: PLC0415

    if shipped or shapes:
        lines = shipped_text().splitlines() if shipped else shapes_in_words()
        answer({"lines": lines}, lambda: say(lines))
        return
    with session() as opened:
        value = filled(opened.policy.predicates, text) if text else in_force(opened.home, opened.policy.predicates)
    answer(value.as_json, lambda: say(value.lines))
