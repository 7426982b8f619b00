"""What is true no longer, or never was: the statement before, the one in its place, and the evidence for that.

What was merged stands here too: it is what a reader of the old text has to know.
"""

from collections.abc import Mapping

from dreamd.lifecycle.values import Claim, Stream
from dreamd.repo_export.happenings import Happening, row_of
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.telling import Telling, ending_of, quiet, quoted, source_of, whole


def ended(telling: Telling) -> list[str]:
    """Each statement that the run superseded or retracted."""
    successors = {
        row.supersedes: row for it in telling.by_word.get("learnt", ()) if isinstance(row := row_of(it.change), Claim)
    }
    words = ("retracted", "superseded")
    return [_ended(it, telling, successors) for word in words for it in telling.by_word.get(word, ())]


def _ended(happening: Happening, telling: Telling, successors: Mapping[str | None, Claim]) -> str:
    row = row_of(happening.change)
    if not isinstance(row, Claim):
        return f"- {quiet(happening.change.because)}"
    title = quiet(telling.titles.get(row.stream, row.stream))
    new = successors.get(row.id)
    instead = f" → {quoted(new.text)}" if new is not None else ""
    closing = telling.context.events.get(row.closed_by) if row.closed_by is not None else None
    evidence = f"because {quiet(happening.change.because)}" if happening.change.because else ""
    if closing is not None:
        is_said = new is not None and closing.text == new.text
        evidence = f"said {source_of(closing)}" if is_said else ending_of(row, closing)
    never = ", never true" if happening.word == "retracted" else ""
    return f"- {title}: {whole(row.text)}{instead}{never}{f'; {evidence}' if evidence else ''}"


def merged(telling: Telling) -> list[str]:
    """Each stream that became another name of one, and how to keep the two apart again."""
    lines = []
    for it in telling.by_word.get("merged", ()):
        row = row_of(it.change)
        if isinstance(row, Stream):
            into = quiet(telling.titles.get(row.merged_into or "", row.merged_into or "another stream"))
            groups = telling.groups_of(row.id)
            apart = command(
                "revert", str(telling.plan.number), space=row.space, **({"op": groups[0]} if groups else {})
            )
            lines.append(f"- {quiet(row.title)} is now {into}: {quiet(it.change.because)}; keep them apart: {apart}")
    return lines
