"""The changes of a run by stream: what became of it, what it says now and no longer, and how to undo this alone.

The loudest come first, and whatever was taken away, ended or moved is told in full. Where only evidence came, a busy
night has hundreds of them: the first get a section, each other one line; `dreamd diff` has every row.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.plan import Change
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Claim, Event, Link, Proposal, Question, Row, Stream
from dreamd.repo_export.happenings import WORDS, Happening, row_of
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.telling import Telling, ending_of, quiet, quoted, shown, whole, words_of

CALM = frozenset({"", "learnt", "born", "woken", "quieter"})  # that a stream grows, and how alive it is
CALM_SECTIONS = 40  # streams to which nothing else happened and that have a section of their own
LEARNT_NAMED = 5  # statements of one stream that a run adds; all are on its page and in `dreamd claims`
TOLD_FIELDS = {
    "stream": (
        *("title", "target", "phase", "vitality", "status", "merged_into"),
        *("base_confidence", "decay_class", "is_doubtful", "is_protected", "shelf"),
    ),
    "claim": ("kind", "valid_to", "trust", "supersedes", "stream"),
}  # of rows that stay; what these follow from is in the reason, and `dreamd diff` has all
OTHER_FIELDS = ("title", "target", "status", "choice", "rule", "stream", "claim", "bearing")  # of all other rows
_ORDER = {word: place for place, word in enumerate([*WORDS, ""])}


def by_stream(telling: Telling) -> list[str]:
    """Every stream that changed; the loudest first, then by title."""
    loudness = {
        stream: (min(_ORDER[happening.word] for happening in members), telling.titles.get(stream, ""), stream)
        for stream, members in telling.by_stream.items()
    }
    calm = {
        stream for stream, members in telling.by_stream.items() if all(happening.word in CALM for happening in members)
    }
    ordered = sorted(loudness, key=loudness.__getitem__)
    loud, quieter = [it for it in ordered if it not in calm], [it for it in ordered if it in calm]
    lines: list[str] = []
    for stream in (*loud, *quieter[:CALM_SECTIONS]):
        lines += ["", f"### {quiet(telling.titles.get(stream, stream))}", "", *_section(telling, stream)]
    if rest := quieter[CALM_SECTIONS:]:
        words = ("streams",) if telling.is_fold else ("diff", str(telling.plan.number))
        every = command(*words, space=telling.plan.space)
        lines += ["", f"### {counted(len(rest), 'more stream')}", "", f"All of them: {every}", ""]
        lines += [_one_line(telling, stream) for stream in rest]
    return lines[1:]


def _section(telling: Telling, stream: str) -> list[str]:
    members = sorted(telling.by_stream[stream], key=lambda it: (_ORDER[it.word], it.change.subject))
    links = [it.change for it in members if it.change.subject.table == "link"]
    others = [it for it in members if it.change.subject.table != "link"]
    learnt = [it for it in others if it.word == "learnt"]
    untold = {it.change.subject for it in learnt[LEARNT_NAMED:]}
    lines = [_told(it, telling) for it in others if it.change.subject not in untold]
    if untold:
        lines.append(f"- learnt: {counted(len(untold), 'more statement')}")
    lines += _links_told(links)
    if not any(it.change.subject.table == "claim" for it in others):
        lines += [f"- evidence: {words_of(event)}" for event in _latest(links, telling)]
    number, space = str(telling.plan.number), telling.plan.space
    groups = telling.groups_of(stream)
    return lines + [f"- undo this alone: {command('revert', number, space=space, op=group)}" for group in groups]


def _one_line(telling: Telling, stream: str) -> str:
    """A stream with nothing but evidence: the words, how sure it is now, what it says first."""
    members = telling.by_stream[stream]
    often = Counter(it.word for it in members)
    parts = [f"{often[word]} {WORDS[word]}" if word == "learnt" else WORDS[word] for word in WORDS if often[word]]
    for it in members:
        if it.change.subject.table == "stream":
            parts += _differences(it.change)
    return f"- {quiet(telling.titles.get(stream, stream))}: {'; '.join(parts) or 'more evidence'}"


def _told(happening: Happening, telling: Telling) -> str:
    """One change: the word for it, what it is about, before and after, why, and in whose words."""
    change = happening.change
    row = row_of(change)
    word = WORDS.get(happening.word, "more evidence" if isinstance(row, Stream | Claim) else "")
    about = word or change.subject.table
    if isinstance(row, Claim | Proposal | Question):
        about += f": {whole(row.text) if happening.word == 'unlearnt' else quoted(row.text)}"
    why = quiet(change.because.strip().rstrip("."))
    parts = [about, *_differences(change), *([f"because {why}"] if why else [])]
    if isinstance(row, Claim):
        parts += _origin_of(row, telling)
    return f"- {'; '.join(parts)}"


def _differences(change: Change) -> Iterable[str]:
    """Such as "phase emergent → canonical"; of a row that comes or goes, what it is."""
    before, after = change.before, change.after
    if before is not None and after is not None:
        return [
            f"{name.removeprefix('is_').replace('_', ' ')} {shown(old)} → {shown(new)}"
            for name in TOLD_FIELDS.get(change.subject.table, OTHER_FIELDS)
            if (old := getattr(before, name, None)) != (new := getattr(after, name, None))
        ]
    row = row_of(change)
    if isinstance(row, Stream):
        return [f"{row.phase.value}, {row.vitality.value}, base confidence {shown(row.base_confidence)}"]
    if isinstance(row, Claim):
        return [] if row.kind.value == "fact" else [row.kind.value]
    return [_row_in_words(row)]


def _row_in_words(row: Row) -> str:
    names = ("spelling", "target", "subject", "kind", "status")
    return ", ".join(f"{name} {shown(getattr(row, name))}" for name in names if hasattr(row, name)) or row.id


def _origin_of(claim: Claim, telling: Telling) -> Iterable[str]:
    stated = telling.context.events.get(claim.stated_in)
    if stated is not None:
        because = f", who said why: {quoted(stated.because)}" if stated.because else ""
        yield f"stated by {stated.actor.value} in {quiet(stated.source)} on {stated.at:%Y-%m-%d}{because}"
    closing = telling.context.events.get(claim.closed_by) if claim.closed_by is not None else None
    if closing is not None:
        yield ending_of(claim, closing)


def _links_told(links: Sequence[Change]) -> list[str]:
    links = [change for change in links if isinstance(row := row_of(change), Link) and is_first(row)]
    came = Counter(link.after.bearing.value for link in links if link.before is None and isinstance(link.after, Link))
    gone = sum(1 for link in links if link.after is None)
    moved = len(links) - came.total() - gone
    parts = []
    if came:
        bearings = ", ".join(f"{count} {bearing}" for bearing, count in sorted(came.items()))
        parts.append(f"{counted(came.total(), 'event')} linked ({bearings})")
    if gone:
        parts.append(f"{counted(gone, 'event')} no longer linked")
    if moved:
        parts.append(f"{counted(moved, 'link')} changed")
    return [f"- {'; '.join(parts)}"] if parts else []


def _latest(links: Sequence[Change], telling: Telling) -> list[Event]:
    """The latest three events among `links`."""
    named = {row.event for row in map(row_of, links) if isinstance(row, Link)}
    events = [telling.context.events[event] for event in named if event in telling.context.events]
    return sorted(events, key=lambda event: (event.at, event.id))[-3:]
