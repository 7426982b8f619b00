"""The command line: `dreamd COMMAND`, with options that may stand before or after the command.

The commands live in `commands/`, a file a family; this file puts them together, takes the global options out of the
arguments wherever they stand, and turns every expected error into a message, a hint and an exit code. Nothing heavy
is imported before a command runs.
"""

import difflib
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from shutil import which
from types import TracebackType

import typer
from typer.exceptions import TyperException

from dreamd import __version__
from dreamd.daemon import session as sessions
from dreamd.daemon.answers import complain
from dreamd.daemon.commands import (
    backing_up,
    care,
    decisions,
    dreaming,
    facts,
    forgetting,
    history,
    installation,
    knowledge,
    quarantine,
    simulating,
)
from dreamd.daemon.errors import DreamdError, Internal, Usage
from dreamd.daemon.home import Home, locate
from dreamd.daemon.storage.errors import StorageError

SAID_ELSEWHERE = {  # what other programs call it
    **dict.fromkeys(("log", "logs", "history"), "runs"),
    **dict.fromkeys(("list", "ls", "search", "find", "recall", "query"), "streams"),
    **dict.fromkeys(("add", "remember", "note", "save"), "record"),
    **dict.fromkeys(("import", "read", "load", "sync"), "ingest"),
    **dict.fromkeys(("dream", "reflect", "consolidate"), "run"),
    **dict.fromkeys(("explain", "reason"), "why"),
    **dict.fromkeys(("get", "cat", "view"), "show"),
    **dict.fromkeys(("delete", "remove", "rm", "erase"), "forget"),
    "rollback": "revert",
    "config": "settings",
}
INTERRUPTED = 130  # as the shell has it for Ctrl-C
WITH_VALUE = {"--home": "home", "--space": "space", "--now": "now"}

app = typer.Typer(
    name="dreamd",
    help="A memory for agents that dreams over what they experienced, explains itself and can be undone.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"dreamd {__version__}")
        raise typer.Exit


@app.callback()
def _global_options(  # its parameters document the options; `main` has taken them out of the arguments before
    home: str = typer.Option("", "--home", metavar="DIR", help="Folder with all that dreamd keeps [env: DREAMD_HOME]."),
    space: str = typer.Option("", "--space", metavar="NAME", help="One space; default: all, or `default` for events."),
    as_json: bool = typer.Option(False, "--json", help="Answer in JSON; errors too, on stderr."),
    now: str = typer.Option("", "--now", metavar="RFC3339", help="Take this instant, with a zone, for the present."),
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", is_eager=True, callback=_show_version
    ),
) -> None:
    pass


for family in (facts, dreaming, history, knowledge, decisions, forgetting, quarantine, care, backing_up):
    family.add_to(app)
for family in (installation, simulating):
    family.add_to(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` (default: the process's) name; gives its exit code."""
    if arguments is None:
        sys.excepthook = _unexpected
        if sys.argv[0].endswith("/dreamd") and which("dreamd") != sys.argv[0]:
            sessions.options.program = shlex.quote(sys.argv[0])
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        rest = take_globals(given)
        if rest[:1] == ["help"]:
            rest = [*rest[1:2], "--help"]
        if not rest and not given:
            typer.echo(_welcome(), nl=False)
        result = typer.main.get_command(app).main(args=rest or ["--help"], prog_name="dreamd", standalone_mode=False)
    except (DreamdError, StorageError) as error:
        return _refuse(error)
    except typer.Exit as finished:
        return finished.exit_code
    except (typer.Abort, TyperException) as error:
        return _refuse(_as_told(error))
    except BrokenPipeError:
        # The reader has what it wanted; keep Python from complaining while it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0


def take_globals(arguments: list[str]) -> list[str]:
    """`arguments` without the global options, which are set in the session. Raises Usage if one lacks its value.

    What stands behind `--` is left alone.
    """
    sessions.options.__init__(program=sessions.options.program)  # type: ignore[misc]  # a fresh set for each command
    sessions.options.as_json = "--json" in arguments  # also for an error in what stands before it
    rest: list[str] = []
    waiting = iter(arguments)
    for argument in waiting:
        name, has_value, value = argument.partition("=")
        if argument == "--":
            return [*rest, argument, *waiting]
        if argument == "--json":
            sessions.options.as_json = True
        elif name in WITH_VALUE:
            found = value if has_value else next(waiting, None)
            if found is None:
                raise Usage(f"{name} lacks its value", "see: dreamd --help")
            setattr(sessions.options, WITH_VALUE[name], found)
        else:
            rest.append(argument)
    return rest


def _as_told(error: Exception) -> DreamdError:
    """The error to show for one of the command line's library."""
    return _usage(error) if isinstance(error, TyperException) else Usage("interrupted")


def _usage(error: TyperException) -> Usage:
    context = getattr(error, "ctx", None)  # typer does not say in its types that usage errors carry one
    hint = f"see: {'dreamd' if context is None else context.command_path} --help"
    words = error.format_message().partition(" Did you mean")[0].partition(" (Possible options")[0]
    near_options = difflib.get_close_matches(words.rpartition(" ")[2], getattr(error, "possibilities", None) or (), n=1)
    if near_options:
        hint = f"did you mean: {'dreamd' if context is None else context.command_path} {near_options[0]}"
    if words.startswith("No such command"):
        asked = words.split("'")[1]
        near = SAID_ELSEWHERE.get(asked) or next(iter(difflib.get_close_matches(asked, _commands(), n=1)), None)
        hint = f"did you mean: dreamd {near}" if near else hint
    elif words.startswith("Got unexpected extra argument") and context is not None and context.info_name == "init":
        hint = f"dreamd --home {words.rpartition('(')[2].rstrip(')')} init"
    return Usage(words, hint)


def _welcome() -> str:
    """What stands before the help for who has no home yet."""
    there = Home(locate(None, os.environ))
    try:
        is_there = there.exists()
    except OSError:
        is_there = False
    return "" if is_there else "New here? Start with: dreamd init\n\n"


def _commands() -> list[str]:
    return sorted(getattr(typer.main.get_command(app), "commands", {}))


def _refuse(error: DreamdError | StorageError) -> int:
    if error.hint:
        error.hint = _as_to_be_given(error.hint)
    if sessions.options.as_json:
        typer.echo(json.dumps(error.as_json()), err=True)
    else:
        complain(f"error: {error.message}")
        if error.hint:
            complain(f"hint: {error.hint}")
    return error.exit_code


def _as_to_be_given(hint: str) -> str:
    """`hint` with its commands beginning as this one did: with its path, and with the home that was named."""
    home = f" --home {shlex.quote(sessions.options.home)}" if sessions.options.home else ""
    if not home and sessions.options.program == "dreamd":
        return hint
    commands = "|".join(re.escape(name) for name in _commands())
    return re.sub(rf"(?<![\w./-])dreamd (?=(?:{commands})\b)", lambda _: f"{sessions.options.program}{home} ", hint)


def _unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What an error that nobody expected looks like: one line, the traceback only if asked for."""
    if issubclass(kind, KeyboardInterrupt):
        typer.echo("interrupted; what was stored is kept: run the command again", err=True)
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    if os.environ.get("DREAMD_DEBUG"):
        sys.__excepthook__(kind, error, trace)
    else:
        hint = "run it again with DREAMD_DEBUG=1 and report what it shows"
        _refuse(Internal(f"internal error: {kind.__name__}: {error}", hint))
    sys.stderr.flush()
    os._exit(Internal.exit_code)


if __name__ == "__main__":
    sys.exit(main())
