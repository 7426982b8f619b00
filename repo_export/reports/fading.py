"""What faded, went quiet, and what a changed policy did: what no evidence explains is told first."""

from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Stream
from dreamd.repo_export.happenings import row_of
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.learning import named
from dreamd.repo_export.reports.telling import Telling, quiet, quoted


def faded(telling: Telling) -> list[str]:
    lines = []
    for happening in telling.by_word.get("faded", ()):
        row = row_of(happening.change)
        if isinstance(row, Stream):
            said = f" It said: {quoted(row.headline)}." if row.headline else ""
            keep = command("pin", row.target, space=row.space)
            because = quiet(happening.change.because.rstrip("."))
            lines.append(f"- {quiet(row.title)}: {because}.{said} Keep it: {keep}")
    return lines


def gone_quiet(telling: Telling) -> list[str]:
    """The streams that had no evidence for long, by how silent they are now; evidence wakes them at once."""
    by_vitality: dict[str, list[str]] = {}
    for it in telling.by_word.get("quieter", ()):
        row = row_of(it.change)
        if isinstance(row, Stream):
            by_vitality.setdefault(row.vitality.value, []).append(row.title)
    return [f"- now {vitality}: {named(titles)}" for vitality, titles in sorted(by_vitality.items())]


def policy_changed(telling: Telling) -> list[str]:
    """Which settings are others than in the last dream, which streams changed by that, and what waits for a person."""
    change = telling.plan.policy_change
    if change is None:
        return []
    lines = [f"- `{each.name}`: {quiet(each.before or 'not known')} → {quiet(each.after)}" for each in change.settings]
    if not lines:
        lines = ["- the settings before are not known: that dream kept only their digest"]
    for streams, words in ((change.streams, "changed by it"), (change.held_back, "held back until you say so")):
        if streams:
            titles = [telling.titles.get(stream, stream) for stream in streams]
            lines.append(f"- {counted(len(streams), 'stream')} {words}: {named(titles)}")
    if change.held_back:
        lines.append("- what is held back stays as it is; new evidence for a stream brings it under the new policy")
    return lines
