"""What a run decided that shows in no file: young patterns, what waits or is held, what events came to nothing."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.keeping import read_kept
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Hold, Link, Proposal, Question, Stream, Tombstone
from dreamd.repo_export.happenings import row_of, stream_of
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.markdown import shorten, visible
from dreamd.repo_export.slug import path_of

MAX_LINES = 20
TITLE_LENGTH, REASON_LENGTH = 60, 160
_NAMES = {"stream": "the stream itself", "claim": "statement", "link": "event", "alias": "spelling", "pin": "pin"}


def unseen_in(store: SpaceStore, changes: Sequence[Change], files: Collection[str], redact: Redact) -> list[str]:
    """A line for each decision in no file among `files`, the changed ones; what is alike is one line."""
    apart = [change for change in changes if isinstance(row_of(change), Hold | Tombstone | Proposal | Question)]
    nowhere = [change for change in changes if isinstance(row_of(change), Link) and stream_of(change) is None]
    taken = {change.subject for change in (*apart, *nowhere)}
    lines = list(_by_stream(store, [change for change in changes if change.subject not in taken], files, redact))
    lines += _untargeted(nowhere)
    lines += [_told(change) for change in apart]
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"and {len(lines) - MAX_LINES} more; all of them: --json"]
    return lines


def _by_stream(store: SpaceStore, changes: Iterable[Change], files: Collection[str], redact: Redact) -> Iterator[str]:
    of_stream: dict[str, list[Change]] = defaultdict(list)
    rows: dict[str, list[Stream]] = defaultdict(list)
    for change in changes:
        stream = stream_of(change)
        if stream is not None:
            of_stream[stream].append(change)
            rows[stream] += [row for row in (change.before, change.after) if isinstance(row, Stream)]
    kept = read_kept(store)
    for id_, own in of_stream.items():
        known = rows[id_]
        if not known and (row := store.stream(id_)) is not None:
            known = [hidden(row, redact)]
        if any(path_of(as_shown(row, kept)) in files for row in known):
            continue
        title = shorten(visible(known[-1].title), TITLE_LENGTH) if known else id_
        phase = f" ({known[-1].phase.value})" if known else ""
        yield f"{title}{phase}: {', '.join(_counts(own))}"


def _counts(changes: Sequence[Change]) -> Iterator[str]:
    tables = Counter(change.subject.table for change in changes)
    signs = {table: {_sign(change) for change in changes if change.subject.table == table} for table in tables}
    for table, name in _NAMES.items():
        if tables[table]:
            sign = next(iter(signs[table])) if len(signs[table]) == 1 else "~"
            yield f"{sign} {name}" if table == "stream" else f"{sign} {counted(tables[table], name)}"


def _untargeted(changes: Sequence[Change]) -> Iterator[str]:
    rules = Counter((_sign(change), row.rule) for change in changes if isinstance(row := row_of(change), Link))
    for (sign, rule), number in sorted(rules.items()):
        yield f"{sign} {counted(number, 'event')} about nothing known ({visible(rule)})"


def _told(change: Change) -> str:
    reason = shorten(visible(change.because), REASON_LENGTH)
    return f"{_sign(change)} {change.subject.table} {change.subject.id}: {reason}"


def _sign(change: Change) -> str:
    """Came, went, or became another."""
    return "+" if change.before is None else "-" if change.after is None else "~"
