"""`make dream`: the main job on real input, in a home inside the clone.

The shipped example, an agent's six weeks on a small service, goes into one space with a fixed `--now`; the history of
this very repository into another, with the clock. It goes through the same commands that a user would give, and shows
each.
"""

import shlex
import sys
from os import chdir
from pathlib import Path

from dreamd.daemon.cli import main
from dreamd.daemon.home import space_name
from dreamd.daemon.session import options

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = Path(__file__).resolve().parent / "example" / "service.jsonl"
HOME = ".dream"  # git-ignored; every command below is given from the root of the clone
EXAMPLE_SPACE = "example"
EXAMPLE_NOW = "2026-02-16T09:00:00Z"


def demonstrate() -> int:
    """Run the demonstration; the exit code of the first command that failed, else 0."""
    program = Path(sys.executable).parent / "dreamd"
    shown = program.relative_to(ROOT) if program.is_relative_to(ROOT) else Path("dreamd")
    example = f"{EXAMPLE.relative_to(ROOT)}" if EXAMPLE.is_relative_to(ROOT) else str(EXAMPLE)
    at = ("--now", EXAMPLE_NOW) if _is_fresh() else ()
    steps: list[tuple[str, ...]] = [
        ("init",),
        ("--space", EXAMPLE_SPACE, *at, "ingest", "events", example, "--as", "user"),
        ("--space", EXAMPLE_SPACE, *at, "run"),
    ]
    own = _own_space()
    if own is not None:
        steps += [("ingest", "git", "."), ("--space", own, "run")]
    for step in steps:
        _show(shown, step)
        options.program = str(shown)
        code = main(["--home", HOME, *step])
        if code != 0:
            return code
    _where_things_lie(shown, [EXAMPLE_SPACE, *([own] if own is not None else [])])
    return 0


def _is_fresh() -> bool:
    """Whether the example can still be dreamt at its own instant: no run of it, such as an undo, came later."""
    from dreamd.daemon.clock import parse_instant  # noqa: PLC0415
    from dreamd.daemon.home import Home  # noqa: PLC0415
    from dreamd.daemon.storage.store import Store  # noqa: PLC0415
    from dreamd.lifecycle.policy import Policy  # noqa: PLC0415

    home = Home(ROOT / HOME)
    if not home.database.exists():
        return True
    store = Store.open(home.database, window_days=Policy().waking_window_days)
    last = store.space(EXAMPLE_SPACE).head().now
    store.close()
    return last is None or last <= parse_instant(EXAMPLE_NOW)


def _own_space() -> str | None:
    """The space of this repository's own history; None where there is none, as in an unpacked archive."""
    from dreamd.daemon.intake.git import IntakeProblem, current_tips, project_name  # noqa: PLC0415 - not for every command

    try:
        current_tips(ROOT)
        name = space_name(project_name(ROOT))
    except IntakeProblem as problem:
        _say(f"\nThe history of this folder is left out: {problem.message}")
        return None
    return name if name != EXAMPLE_SPACE else f"{name}-history"


def _where_things_lie(program: Path, spaces: list[str]) -> None:
    _say("\nWhere things lie:")
    for space in spaces:
        memory = f"{HOME}/memory/{space}"
        _say(f"  {memory}/MEMORY.md   what an agent reads")
        _say(f"  {memory}/reports/    one report a run; history: git -C {memory} log")
    _say("\nTry:")
    _say(f"  {program} --home {HOME} --space {EXAMPLE_SPACE} streams")
    _say(f"  {program} --home {HOME} --space {EXAMPLE_SPACE} show job_queue")
    _say(f"  {program} --home {HOME} --space {EXAMPLE_SPACE} why invoice_pdf")
    _say("\nUndo the example's dream (and redo it by reverting the revert):")
    _say(f"  {program} --home {HOME} --now {EXAMPLE_NOW} revert 1 --space {EXAMPLE_SPACE}")


def _show(program: Path, step: tuple[str, ...]) -> None:
    _say(f"\n$ {shlex.join([str(program), '--home', HOME, *step])}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    chdir(ROOT)
    sys.exit(demonstrate())
