"""dreamd in other programs: `install`, `uninstall`, and `hook`, which they call."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import DreamdError, Usage
from dreamd.daemon.session import home_asked_for, options

if TYPE_CHECKING:
    from dreamd.daemon.home import Home
    from dreamd.daemon.installing import Outcome

WHAT = ("claude-code",)
LATER = "Not yet: codex (its sessions are read by hand), systemd (until then cron can dream every night)."


def add_to(app: typer.Typer) -> None:
    app.command()(install)
    app.command()(uninstall)
    app.command(hidden=True)(hook)


def install(
    name: str = typer.Argument("", help="`claude-code`; without it: what there is."),
    settings: str = typer.Option("", "--settings", metavar="FILE", help="Claude Code's settings, if not the user's."),
    project: bool = typer.Option(False, "--project", help="Only for this folder: .claude/settings.local.json."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would be written; write nothing."),
) -> None:
    """Let an agent hand over its sessions: a hook in its settings that takes each in when it ends.

    For Claude Code. Codex (its notify) and systemd come later.
    """
    from dreamd.daemon import installing  # noqa: PLC0415

    if not name:
        answer({"available": list(WHAT)}, lambda: say(_what_there_is("install")))
        return
    if name not in WHAT:
        raise installing.not_to_be_installed(name)
    home = _home()
    command = installing.hook_command(home, options.space)
    outcome = installing.install(home, _settings(settings, project), command, dry_run=dry_run)
    answer(installing.as_json(outcome, dry_run=dry_run), lambda: say(_installed(home, outcome, dry_run)))


def uninstall(
    name: str = typer.Argument("", help="`claude-code`; without it: what there is."),
    settings: str = typer.Option("", "--settings", metavar="FILE", help="Only from these settings; default: all."),
    project: bool = typer.Option(False, "--project", help="Only from this folder's .claude/settings.local.json."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Show what would be written; write nothing."),
) -> None:
    """Take out what `install` put in, and nothing else. The memory stays."""
    from dreamd.daemon import installing  # noqa: PLC0415

    if not name:
        answer({"available": list(WHAT)}, lambda: say(_what_there_is("uninstall")))
        return
    if name not in WHAT:
        raise installing.not_to_be_installed(name)
    home = _home()
    named = _settings(settings, project)
    files = [named] if settings or project else [named, *(file for file in installing.recorded(home) if file != named)]
    outcomes = [installing.uninstall(home, file, dry_run=dry_run) for file in files]
    answer(
        [installing.as_json(outcome, dry_run=dry_run) for outcome in outcomes],
        lambda: say(line for outcome in outcomes for line in _uninstalled(home, outcome, dry_run)),
    )


def hook(
    name: str = typer.Argument(..., help="`claude-code`."),
    wait: bool = typer.Option(False, "--wait", help="End when the session is taken in, to find out what is wrong."),
) -> None:
    """Take in the session that ended, as Claude Code names it on standard input. Always ends with 0."""
    from dreamd.daemon import hook as hooks  # noqa: PLC0415
    from dreamd.daemon.cli import main  # noqa: PLC0415

    if name not in WHAT:
        raise Usage(f"there is no hook for {name!r}", f"there is: {', '.join(WHAT)}")
    if sys.stdin.isatty():
        raise Usage("a hook is called by Claude Code, with JSON on standard input", "see: dreamd install claude-code")
    ended = hooks.read_input(sys.stdin.buffer)
    try:
        home = _home()
    except DreamdError as error:
        typer.echo(f"dreamd: {error.message}; {error.hint}", err=True)
        return
    if isinstance(ended, hooks.Misread):
        typer.echo(f"dreamd: {hooks.log(home, '', f'not taken in: {ended.reason}')}", err=True)
        return
    hooks.take_in(home, options.space, ended, main, wait=wait)


def _home() -> "Home":
    from dreamd.daemon.home import open_home  # noqa: PLC0415

    return open_home(home_asked_for().path)


def _settings(named: str, project: bool) -> Path:
    from dreamd.daemon import installing  # noqa: PLC0415

    if named and project:
        raise Usage("--settings and --project name two files", "give one of them")
    if named:
        return Path(os.path.abspath(Path(named).expanduser()))  # noqa: PTH100 - links stay as they were named
    return installing.project_settings(Path.cwd()) if project else installing.user_settings(os.environ).absolute()


def _what_there_is(verb: str) -> list[str]:
    return [
        f"dreamd {verb} claude-code   the hook that takes a session in when it ends, in ~/.claude/settings.json",
        LATER,
    ]


def _installed(home: "Home", outcome: "Outcome", dry_run: bool) -> list[str]:
    from dreamd.daemon.first_steps import program_for  # noqa: PLC0415

    words = {
        "installed": "Would put the hook into" if dry_run else "Put the hook into",
        "replaced": "Would replace the hook in" if dry_run else "Replaced the hook in",
        "already": "The hook is there already:",
    }
    lines = [f"{words[outcome.outcome]} {_named(outcome)}", _hook_line(outcome, "+")]
    lines += [f"Another home's hook is there too, and stays: {other or 'without --home'}" for other in outcome.others]
    lines.append("When a session of Claude Code ends, dreamd reads its transcript; a line about it goes to")
    lines.append(f"{home.path}/hook.log. Secrets are redacted before anything is stored.")
    program = program_for(home)
    lines.append(f"Sessions from before: {program} ingest claude-code")
    lines += _profile_offer(home)
    file = _option(outcome)
    lines.append(
        f"{'To do it' if dry_run else 'To undo it'}: {program} {'' if dry_run else 'un'}install claude-code{file}"
    )
    return lines


def _profile_offer(home: "Home") -> list[str]:
    """How to have the memory in Claude Code's own folder as well; written by nobody but the person."""
    from dreamd.daemon.claude_memory import setting_for  # noqa: PLC0415

    entry = setting_for(os.environ, Path.cwd(), options.space)
    if entry is None:
        return []
    return [
        f"To have the memory of this project where Claude Code keeps its own, too, set in {home.settings_file}:",
        f'  [profiles] generated = "{entry}"',
    ]


def _uninstalled(home: "Home", outcome: "Outcome", dry_run: bool) -> list[str]:
    if outcome.outcome == "absent":
        lines = [f"No hook of {home.path} is in {_named(outcome)}"]
    else:
        lines = [f"{'Would take' if dry_run else 'Took'} the hook out of {_named(outcome)}", _hook_line(outcome, "-")]
        lines.append(f"The memory in {home.path} stays.")
    return lines + [f"Another home's hook stays: {other or 'without --home'}" for other in outcome.others]


def _named(outcome: "Outcome") -> str:
    is_link = outcome.written_to != outcome.settings
    return f"{outcome.settings}{f' (a link to {outcome.written_to})' if is_link else ''}"


def _option(outcome: "Outcome") -> str:
    import shlex  # noqa: PLC0415

    from dreamd.daemon.installing import user_settings  # noqa: PLC0415

    is_usual = outcome.settings == str(user_settings(os.environ).absolute())
    return "" if is_usual else f" --settings {shlex.quote(outcome.settings)}"


def _hook_line(outcome: "Outcome", sign: str) -> str:
    from dreamd.daemon.claude_settings import TIMEOUT_S  # noqa: PLC0415

    shown = json.dumps({"type": "command", "command": outcome.command, "timeout": TIMEOUT_S}, ensure_ascii=False)
    return f"  {sign} hooks.SessionEnd: {shown}"
