"""The command line: `dreamd COMMAND`, with options that may stand before or after the command.

The commands live in `commands/`, a file a family; this file puts them together, takes the global options out of the
arguments wherever they stand, and turns every expected error into a message, a hint and an exit code. Nothing heavy
is imported before a command runs.
"""

import difflib
import json
import os
import shlex
import sys
from collections.abc import Sequence
from shutil import which
from types import TracebackType

import typer
from typer.exceptions import TyperException

from dreamd import __version__
from dreamd.daemon import session as sessions
from dreamd.daemon.commands import care, decisions, dreaming, facts, history, knowledge, simulating
from dreamd.daemon.errors import DreamdError, Internal, Usage
from dreamd.daemon.storage.errors import StorageError

WITH_VALUE = {"--home": "home", "--space": "space", "--now": "now"}

app = typer.Typer(
    name="dreamd",
    help="A memory for agents that dreams over what they experienced, explains itself and can be undone.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
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


for family in (facts, dreaming, history, knowledge, decisions, care, simulating):
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
        result = typer.main.get_command(app).main(args=rest or ["--help"], prog_name="dreamd", standalone_mode=False)
    except (DreamdError, StorageError) as error:
        return _refuse(error)
    except typer.Exit as finished:
        return finished.exit_code
    except typer.Abort:
        return _refuse(Usage("interrupted"))
    except TyperException as error:
        return _refuse(_usage(error))
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


def _usage(error: TyperException) -> Usage:
    context = getattr(error, "ctx", None)  # typer does not say in its types that usage errors carry one
    hint = f"see: {'dreamd' if context is None else context.command_path} --help"
    words = error.format_message().partition(" Did you mean")[0]
    if words.startswith("No such command"):
        near = difflib.get_close_matches(words.split("'")[1], _commands(), n=1)
        hint = f"did you mean: dreamd {near[0]}" if near else hint
    return Usage(words, hint)


def _commands() -> list[str]:
    return sorted(getattr(typer.main.get_command(app), "commands", {}))


def _refuse(error: DreamdError | StorageError) -> int:
    if sessions.options.as_json:
        typer.echo(json.dumps(error.as_json()), err=True)
    else:
        typer.echo(f"error: {error.message}", err=True)
        if error.hint:
            typer.echo(f"hint: {error.hint}", err=True)
    return error.exit_code


def _unexpected(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What an error that nobody expected looks like: one line, the traceback only if asked for."""
    if os.environ.get("DREAMD_DEBUG") or issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        hint = "run it again with DREAMD_DEBUG=1 and report what it shows"
        _refuse(Internal(f"internal error: {kind.__name__}: {error}", hint))
    sys.stderr.flush()
    os._exit(Internal.exit_code)


if __name__ == "__main__":
    sys.exit(main())
