"""What a run merged, with its evidence, and what was alike but kept apart, with the guard that did it.

Only groups are told of: all statements stay as they are, each with its own dates, evidence and status.
"""

from dreamd.lifecycle.findings import Comparison
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.told import counted
from dreamd.repo_export.markdown import command, escape_text, shorten

TEXT_LENGTH = 160  # characters of a statement; the whole is in `dreamd report RUN --json`
NAMED = 50  # pairs that were kept apart


def merged_lines(plan: Plan) -> list[str]:
    """One for each statement that joined a group."""
    return [
        f"- {_quoted(found.text)} says the same as {_quoted(found.other)}: {_evidence(found)}"
        for found in plan.comparisons
        if not found.guard
    ]


def kept_apart_lines(plan: Plan) -> list[str]:
    """One for each statement that a guard kept from the one most like it."""
    apart = [found for found in plan.comparisons if found.guard]
    lines = [
        f"- {_quoted(found.text)} and {_quoted(found.other)}: score {found.score:.2f}, but {escape_text(found.guard)}"
        f" ({escape_text(shorten(found.evidence, TEXT_LENGTH))})"
        for found in apart[:NAMED]
    ]
    rest = len(apart) - NAMED
    every = command("report", str(plan.number), "--json", space=plan.space)
    return [*lines, f"- and {counted(rest, 'pair')} more; all: {every}"] if rest > 0 else lines


def _evidence(found: Comparison) -> str:
    if found.score == 1.0 and found.evidence:
        return f"{escape_text(found.evidence)} alike"
    return f"score {found.score:.2f}, {escape_text(found.evidence)}" if found.evidence else f"score {found.score:.2f}"


def _quoted(text: str) -> str:
    return f"“{escape_text(shorten(text, TEXT_LENGTH))}”"
