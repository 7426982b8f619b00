"""The part of `ingest` that reads the transcripts of agents, and tells what was in them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from dreamd.daemon.answers import say
from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.failpoints import reach
from dreamd.daemon.intake.adapters.registry import ADAPTERS, load
from dreamd.daemon.intake.adding import granted
from dreamd.daemon.intake.transcripts import Terms, TranscriptTally, ingest_transcripts, rows_of
from dreamd.daemon.session import Session


def from_transcripts(
    opened: Session, source: str, paths: Sequence[str] | None, actor: str, at: str
) -> Iterator[TranscriptTally]:
    """What became of the transcripts at `paths`, or where the agent keeps them."""
    terms = _terms(opened, source, actor, at)
    adapter = load(source, opened.loaded.settings.limits, opened.redactor.redact)
    wanted = [Path(path).expanduser() for path in paths] if paths else [_usual_place(source)]
    for path in wanted:
        if not path.exists():
            raise BadData(
                f"cannot read {path}: there is no such file or folder",
                f"nothing was ingested; name files or folders: dreamd ingest {source} FOLDER",
            )
    for path in wanted:
        yield ingest_transcripts(opened, adapter, path, terms, reach)


def counts_of(tallies: Sequence[TranscriptTally]) -> Mapping[str, object]:
    return rows_of(tallies)


def say_counts(tallies: Sequence[TranscriptTally]) -> None:
    """What the transcripts held, in words: records by type, events by kind, and what was left out, and why."""
    rows = rows_of(tallies)
    say([f"files: {rows['files']} ({rows['unchanged']} unchanged since the last time)"])
    for title, name in (("records by type", "records"), ("events by kind", "events")):
        counts = rows[name]
        if isinstance(counts, dict) and counts:
            say([f"{title}: {', '.join(f'{key} {count}' for key, count in counts.items())}"])
    left_out = rows["left_out"]
    if isinstance(left_out, list) and left_out:
        say(["left out:", *(f"  {row['count']:>6}  {row['record']}: {row['why']}" for row in left_out)])


def _terms(opened: Session, source: str, actor: str, at: str) -> Terms:
    """What `--as` and `--at` say, where the transcripts do not say it themselves."""
    entry = ADAPTERS[source]
    channels = opened.loaded.settings.channels
    if entry.is_dated and at:
        raise Usage(f"--at means nothing to `{source}`: its transcripts hold their times", "leave it out")
    if not entry.is_dated and not at:
        raise Usage(
            f"{entry.reads} hold no times",
            f"say when the session began: dreamd ingest {source} --at 2026-05-04T09:00:00Z PATH",
        )
    begun = parse_instant(at) if at else None
    return Terms(begun=begun, granted=channels.transcripts if entry.is_original else granted(actor, channels.jsonl))


def _usual_place(source: str) -> Path:
    below = ADAPTERS[source].default
    if below is None:
        raise Usage("nothing to read", f"name files or folders: dreamd ingest {source} FOLDER")
    moved = os.environ.get(ADAPTERS[source].moved_by or "")
    place = Path(moved) / below.relative_to(below.parts[0]) if moved else Path.home() / below
    if not place.exists():
        raise BadData(
            f"there is no {place}, where {source} keeps its transcripts",
            f"name the folder or a file: dreamd ingest {source} FOLDER",
        )
    return place
