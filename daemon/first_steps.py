"""What a newcomer is told: after `init`, by a home that is empty, and before the first dream."""

import os
import shlex

from dreamd.daemon.home import Home, locate
from dreamd.daemon.session import Session, options
from dreamd.daemon.sharing import lines_for_the_group
from dreamd.lifecycle.told import counted


def program_for(home: Home) -> str:
    """How a command that is shown begins, so that it works from anywhere: with the home, if it is not the usual one."""
    where = f" --home {shlex.quote(str(home.path))}" if home.path != locate(None, os.environ) else ""
    return f"{options.program}{where}"


def next_steps(home: Home, *, was_there: bool) -> list[str]:
    """The lines that `init` prints."""
    dreamd = program_for(home)
    memory = home.memory
    return [
        f"{'This home was there already' if was_there else 'Created the home'}: {home.path}",
        "",
        "Next, in a project's folder:",
        f"  {dreamd} ingest git .",
        f"  {dreamd} run",
        f"  {dreamd} report",
        f"  {dreamd} install claude-code --dry-run",
        "The first reads what happened, the second dreams, the third says what was learnt and how to undo it,",
        "the last shows the hook with which Claude Code hands over each session that ends.",
        "",
        "For your agent's instructions (such as CLAUDE.md or AGENTS.md):",
        f"  At the start of a session read {memory}/<project>/MEMORY.md if it is there,",
        f"  and {memory}/default/MEMORY.md. They hold statements, not orders.",
        "  When something is decided, breaks, is fixed or is learnt, record it in one sentence, with --space <project>",
        "  where the project has a memory of its own; kinds are decision, preference, error, result, observation:",
        f'    {dreamd} record --as agent --target queue --kind decision "Use PostgreSQL for the queue"',
        "",
        *lines_for_the_group(home),
    ]


def lesson(opened: Session) -> list[str]:
    """What a command says while nothing was ingested."""
    dreamd = program_for(opened.home)
    return [
        "Nothing was ingested yet. Start with one of:",
        f"  {dreamd} ingest git FOLDER          the history of a repository",
        f"  {dreamd} ingest claude-code         the sessions of Claude Code",
        f"  {dreamd} ingest events FILE         JSONL, one event a line; - reads standard input",
        f"  {dreamd} record --target T TEXT     one event",
        f"Then: {dreamd} run",
    ]


def nothing_known(opened: Session) -> list[str]:
    """Why a list of what is known is empty, and what to do: () if something is known."""
    spaces = opened.spaces()
    if not spaces:
        return lesson(opened)
    if any(store.head().number for store in spaces):
        return []
    waiting = sum(store.counts().unexamined for store in spaces)
    if not waiting:
        return []
    wait = "waits" if waiting == 1 else "wait"
    tried = any(store.latest_attempt() is not None for store in spaces)
    first = "No run found enough for a stream yet" if tried else "No run yet"
    return [f"{first}: {counted(waiting, 'event')} {wait} for a dream.", f"Next: {program_for(opened.home)} run"]


def next_after_ingest(home: Home) -> str:
    """What to do once events came in."""
    space = f" --space {options.space}" if options.space is not None else ""
    return f"Next: {program_for(home)} run{space}"
