"""What stands open in a space as one run left it, with the words that a report tells of it."""

from collections import Counter
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass

from dreamd.daemon.hiding import Redact, hidden
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.codec import subject_of
from dreamd.lifecycle.plan import Change, Subject
from dreamd.lifecycle.quarantine import QUARANTINED
from dreamd.lifecycle.values import Claim, Event, Hold, Link, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import Phase, Status, Waiting
from dreamd.repo_export.reports.standing import Held, KeptBack, OpenQuestion, Side, Standing

MOST_TOLD = 25  # of each kind; the rest is counted


def standing_in(store: SpaceStore, redact: Redact, later: Sequence[Change] = ()) -> Standing:
    """What stood open before the `later` changes, ascending."""
    found = store.open_rows()
    rows = _before(found.rows, later)
    unplaced, watched = Counter(found.unplaced), found.watched
    for change in later:
        for row, step in ((change.before, 1), (change.after, -1)):
            if isinstance(row, Link) and row.stream is None:
                unplaced[row.rule] += step
            elif isinstance(row, Stream) and row.phase is Phase.PATTERN and row.status is Status.ACTIVE:
                watched += step
    questions = [row for row in rows if isinstance(row, Question) and row.status is Waiting.OPEN]
    proposals = [row for row in rows if isinstance(row, Proposal) and row.status is Waiting.OPEN]
    links = [row for row in rows if isinstance(row, Link) and row.stream is None and row.rule == QUARANTINED]
    doubtful = [row for row in rows if isinstance(row, Stream) and row.is_doubtful and row.status is Status.ACTIVE]
    held = _held(store, [row for row in rows if isinstance(row, Hold)], redact)
    kinds: dict[str, Sized] = {
        "questions": questions,
        "proposals": proposals,
        "quarantine": links,
        "held": held,
        "doubtful": doubtful,
    }
    words = _Words(store=store, redact=redact)
    return Standing(
        questions=words.questions(sorted(questions, key=lambda row: (row.asked_from, row.id))[:MOST_TOLD]),
        proposals=tuple(proposals[:MOST_TOLD]),
        quarantine=words.kept_back(links[:MOST_TOLD]),
        held=held[:MOST_TOLD],
        doubtful=tuple(hidden(row, redact) for row in doubtful[:MOST_TOLD]),
        more={kind: len(there) - MOST_TOLD for kind, there in kinds.items() if len(there) > MOST_TOLD},
        unplaced={rule: count for rule, count in sorted(unplaced.items()) if count > 0},
        watched=watched,
    )


def _before(rows: Iterable[Row], later: Sequence[Change]) -> list[Row]:
    """`rows` with the `later` changes taken back; sorted by table and id."""
    standing: dict[Subject, Row] = {subject_of(row): row for row in rows}
    for change in reversed(later):
        if change.before is None:
            standing.pop(change.subject, None)
        else:
            standing[change.subject] = change.before
    return [standing[subject] for subject in sorted(standing)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    store: SpaceStore
    redact: Redact

    def questions(self, asked: Sequence[Question]) -> tuple[OpenQuestion, ...]:
        titles = _titles(self.store, {row.stream for row in asked}, self.redact)
        claims = {id_: self._claim(id_) for id_ in sorted({id_ for row in asked for id_ in row.claims})}
        events = self._events(claim.stated_in for claim in claims.values() if claim is not None)

        def side(id_: str) -> Side:
            claim = claims[id_]
            text = id_ if claim is None else claim.text
            return Side(claim=id_, text=text, evidence=None if claim is None else events.get(claim.stated_in))

        return tuple(
            OpenQuestion(
                id=row.id,
                title=titles.get(row.stream, row.stream),
                text=self.redact(row.text),
                sides=tuple(side(id_) for id_ in row.claims),
            )
            for row in asked
        )

    def kept_back(self, links: Sequence[Link]) -> tuple[KeptBack, ...]:
        events = self._events(link.event for link in links)
        return tuple(
            KeptBack(id=link.event, event=events.get(link.event), because=self._reason(link.id)) for link in links
        )

    def _claim(self, id_: str) -> Claim | None:
        found = next((row for row in self.store.prefixed(id_) if isinstance(row, Claim) and row.id == id_), None)
        return None if found is None else hidden(found, self.redact)

    def _events(self, ids: Iterable[str]) -> dict[str, Event]:
        return {event.id: hidden(event, self.redact) for event in self.store.events(set(ids))}

    def _reason(self, link: str) -> str:
        """Why a dream kept the event back, as its run logged it."""
        made = [change.because for _, change in self.store.changes_of(link) if change.before is None]
        return self.redact(made[-1]) if made else "not known"


def _held(store: SpaceStore, holds: Sequence[Hold], redact: Redact) -> tuple[Held, ...]:
    """By stream, those of streams that are there by title first."""
    by_stream: dict[str, list[Hold]] = {}
    for hold in holds:
        by_stream.setdefault(hold.stream or hold.subject, []).append(hold)
    numbers = {run: store.number_of_run(run) for run in sorted({hold.run for hold in holds})}
    streams = {id_: store.stream(id_) for id_ in sorted(by_stream)[: 2 * MOST_TOLD]}
    told = []
    for id_, found in by_stream.items():
        stream = streams.get(id_)
        row = None if stream is None else hidden(stream, redact)
        told.append(
            Held(
                subject=id_ if row is None else row.target,
                title=id_ if row is None else row.title,
                kinds=tuple(sorted({hold.kind for hold in found})),
                runs=tuple(sorted({number for hold in found if (number := numbers[hold.run]) is not None})),
            )
        )
    return tuple(sorted(told, key=lambda held: (held.subject == held.title, held.title)))


def _titles(store: SpaceStore, ids: Iterable[str], redact: Redact) -> dict[str, str]:
    found = (store.stream(id_) for id_ in sorted(ids))
    return {stream.id: redact(stream.title) for stream in found if stream is not None}
