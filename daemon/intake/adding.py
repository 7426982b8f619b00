"""Storing what a source gives, in batches, and counting what became of it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeVar

from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.home import space_name
from dreamd.daemon.intake.events import Rejection, read_numbered
from dreamd.daemon.intake.record import Channel, one_event
from dreamd.daemon.session import Session
from dreamd.daemon.terminal import progress
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, rank
from dreamd.repo_export.markdown import seen

BATCH = 1_000  # events a transaction, and
BATCH_CHARACTERS = 1_000_000  # about so many, so that large events do not fill the memory
SHOWN_REJECTIONS = 1_000  # kept to be shown; all are counted

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One rejection as a person or a script sees it."""

    file: str
    line: int | None
    field: str | None
    reason: str

    def as_json(self) -> dict[str, object]:
        return {"file": self.file, "line": self.line, "field": self.field, "reason": self.reason}

    def in_words(self) -> str:
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        return seen(f"rejected {where}: {f'{self.field}: ' if self.field else ''}{self.reason}")


@dataclass(slots=True, kw_only=True)
class Tally:
    """What became of one source."""

    name: str
    new: int = 0
    duplicate: int = 0
    purged: int = 0  # refused: what a person purged does not come in again
    rejected: int = 0
    spaces: set[str] = field(default_factory=set)
    rejections: list[Shown] = field(default_factory=list)  # the first SHOWN_REJECTIONS

    def reject(self, rejection: Shown) -> None:
        self.rejected += 1
        if len(self.rejections) < SHOWN_REJECTIONS:
            self.rejections.append(rejection)


def ingest_lines(opened: Session, lines: BinaryIO, name: str, actor: str, reach: Callable[[str], None]) -> Tally:
    """Store the events of a JSONL stream; `actor` is the most trusted one that the caller grants, or empty."""
    channel = channel_of(opened, name, actor)
    tally = Tally(name=name)
    counted = _Counted(lines)
    with progress(name) as advance:
        for batch in batches(read_numbered(counted, channel), lambda _: counted.newly_read()):
            events: list[tuple[int, Event]] = []
            for number, found in batch:
                if isinstance(found, Rejection):
                    tally.reject(Shown(file=name, line=number, field=found.field, reason=found.reason))
                else:
                    events.append((number, found))
            store_events(opened, tally, events)
            advance(len(batch))
            reach("ingest-after-batch")
    return tally


def ingest_repository(opened: Session, path: Path, reach: Callable[[str], None]) -> Tally:
    """Store the commits of a repository that came since the last time; its name is the space unless one is named."""
    from dreamd.daemon.intake import git  # noqa: PLC0415 - not for every command

    tips = git.current_tips(path)
    space = opened.space_for_new if opened.asked.space is not None else space_name(git.project_name(path))
    store = opened.store.space(space)
    cursor = f"git:{path.resolve()}"
    known = git.tips_in(store.cursor(cursor))
    tally = Tally(name=str(path), spaces={space})
    limits = opened.loaded.settings.limits
    _require_room(opened, space)
    records = git.read_commits(path, known_tips=known, tips=tips, dates=git.Dates.within(limits, opened.now))
    with progress(str(path)) as advance:
        for batch in batches(records, _size_of):
            events: list[tuple[int, Event]] = []
            for record in batch:
                if isinstance(record, git.RefusedCommit):
                    tally.reject(Shown(file=f"{path}@{record.sha}", line=None, field=None, reason=record.reason))
                    continue
                event = git.event_of(
                    record, space=space, recorded_at=opened.now, redact=opened.redactor.redact, limits=limits
                )
                if event is not None:
                    events.append((0, event))
            store_events(opened, tally, events)
            advance(len(batch))
            reach("ingest-after-batch")
    store.set_cursor(cursor, git.cursor_of(tips))
    return tally


def record_one(opened: Session, fields: Mapping[str, object]) -> tuple[Event, bool]:
    """Store one event that a person gave at the command line, and whether it is new."""
    granted = opened.loaded.settings.channels.cli
    channel = Channel(
        name="record",
        space=opened.space_for_new,
        recorded_at=opened.now,
        redactor=opened.redactor,
        limits=opened.loaded.settings.limits,
        actor_cap=granted,
        default_actor=granted,
        default_source="cli",
    )
    event = one_event({"at": opened.now.isoformat(), **fields}, channel)
    _require_room(opened, event.space)
    (delivery,) = opened.store.space(event.space).add_events([event])
    if delivery.outcome == "purged":
        raise BadData("this was purged, and does not come in again", "say it in other words, about another target")
    return event, delivery.outcome == "new"


def channel_of(opened: Session, name: str, actor: str, space: str = "") -> Channel:
    """How events of a file come in; `actor`: up to whom the person vouches for it; `space`: of what names none."""
    settings = opened.loaded.settings
    cap = granted(actor, settings.channels.jsonl)
    return Channel(
        name=name,
        space=space or opened.space_for_new,
        recorded_at=opened.now,
        redactor=opened.redactor,
        limits=settings.limits,
        actor_cap=cap,
        default_actor=cap if actor else max(cap, Actor.AGENT, key=rank),
    )


def granted(actor: str, otherwise: Actor) -> Actor:
    """The most trusted actor that `--as` grants, or what the settings grant without it."""
    try:
        return Actor(actor) if actor else otherwise
    except ValueError:
        raise Usage(f"--as {actor!r} is no actor", f"one of: {', '.join(Actor)}") from None


def store_events(
    opened: Session, tally: Tally, events: list[tuple[int, Event]], *, is_first_kept: bool = False
) -> None:
    """Store `events`, each with its line, and count them; what no space has room for is rejected.

    The same id with other content is rejected too; with `is_first_kept` it is the same record told again.
    """
    by_space: dict[str, list[tuple[int, Event]]] = defaultdict(list)
    for number, event in events:
        by_space[event.space].append((number, event))
    refused = _without_room(opened, by_space.keys() - tally.spaces)
    for space, part in by_space.items():
        if space in refused:
            for number, _ in part:
                tally.reject(Shown(file=tally.name, line=number or None, field="space", reason=refused[space]))
            continue
        tally.spaces.add(space)
        deliveries = opened.store.space(space).add_events([event for _, event in part])
        for (number, event), delivery in zip(part, deliveries, strict=True):
            if delivery.outcome == "new":
                tally.new += 1
            elif delivery.outcome == "duplicate" or (is_first_kept and delivery.outcome == "conflict"):
                tally.duplicate += 1
            elif delivery.outcome == "purged":
                tally.purged += 1
            else:
                reason = (
                    f"{event.given_id!r} came before with other content; the first stays "
                    f"(stored digest {delivery.stored_digest[:16]}, this one {event.digest[:16]})"
                )
                tally.reject(Shown(file=tally.name, line=number or None, field="id", reason=reason))


def _require_room(opened: Session, space: str) -> None:
    """Raises BadData if `space` would be one more than a home may have."""
    for reason in _without_room(opened, {space}).values():
        raise BadData(reason, "name a space that is there with --space, or raise limits.spaces in dreamd.toml")


def _without_room(opened: Session, spaces: Collection[str]) -> dict[str, str]:
    """Which of `spaces` are new and too many for the home, and why."""
    if not spaces:
        return {}
    known = set(opened.store.spaces())
    most = opened.loaded.settings.limits.spaces
    refused: dict[str, str] = {}
    for space in sorted(spaces):
        if space not in known and len(known) >= most:
            refused[space] = (
                f"{space!r} would be one more than the {len(known)} spaces of this home; spaces allows {most}"
            )
        known |= {space} - refused.keys()
    return refused


class _Counted:
    """A stream that counts the bytes that were read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._new = 0

    def readline(self, size: int, /) -> bytes:
        line = self._stream.readline(size)
        self._new += len(line)
        return line

    def newly_read(self) -> int:
        """Bytes since the last call."""
        new, self._new = self._new, 0
        return new


def _size_of(record: object) -> int:
    """About how many characters a commit holds; 0 for one that was refused."""
    files: tuple[str, ...] = getattr(record, "files", ())
    return sum(map(len, files)) + len(getattr(record, "body", "")) + len(getattr(record, "subject", ""))


def batches(items: Iterable[Item], size_of: Callable[[Item], int]) -> Iterator[list[Item]]:
    """`items` in lists of at most BATCH, each ending with the item that brings it over BATCH_CHARACTERS."""
    batch: list[Item] = []
    room = BATCH_CHARACTERS
    for item in items:
        batch.append(item)
        room -= size_of(item)
        if len(batch) == BATCH or room < 0:
            yield batch
            batch, room = [], BATCH_CHARACTERS
    if batch:
        yield batch
