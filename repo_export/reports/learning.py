"""What the run learnt that matters most to a person: what was said outright, lessons, what matured; then the counts."""

from dreamd.lifecycle.ranking import EXPLICIT_ORIGINS
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Stream
from dreamd.lifecycle.words import ClaimKind, rank
from dreamd.repo_export.happenings import row_of
from dreamd.repo_export.reports.telling import Telling, quiet, quoted

NAMED = 15  # statements
NAMED_STREAMS = 30
WEIGHTY = frozenset({ClaimKind.LESSON, ClaimKind.PROCEDURE})


def learnt(telling: Telling) -> list[str]:
    """Decisions, preferences, corrections, lessons and procedures, the most sure first; what else only as a number."""
    rows = [row for it in telling.by_word.get("learnt", ()) if isinstance(row := row_of(it.change), Claim)]
    weighty = [row for row in rows if row.origin in EXPLICIT_ORIGINS or row.kind in WEIGHTY]
    weighty.sort(key=lambda row: (rank(row.kind), rank(row.trust), -row.support, row.id))
    lines = [
        f"- {quiet(telling.titles.get(row.stream, row.stream))}: {quoted(row.text)} ({row.kind}, {row.trust})"
        for row in weighty[:NAMED]
    ]
    rest = len(rows) - len(lines)
    if rest:
        besides = "besides, " if lines else ""
        lines.append(f"- {besides}{counted(rest, 'statement')} of what was seen and done, below by stream")
    return lines


def matured(telling: Telling) -> list[str]:
    """One line for each phase that streams reached."""
    by_phase: dict[str, list[str]] = {}
    for it in telling.by_word.get("promoted", ()):
        row = row_of(it.change)
        if isinstance(row, Stream):
            by_phase.setdefault(row.phase.value, []).append(row.title)
    return [f"- now {phase}: {named(titles)}" for phase, titles in sorted(by_phase.items())]


def named(titles: list[str]) -> str:
    """The titles in order, as many as a line bears."""
    shown = ", ".join(quiet(title) for title in sorted(titles)[:NAMED_STREAMS])
    return shown + (f" and {len(titles) - NAMED_STREAMS} more" if len(titles) > NAMED_STREAMS else "")
