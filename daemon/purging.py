"""Purging: erasing for good, step by step, each of which can be done again after a kill.

    journal -> tombstones -> rows (one transaction) -> compaction -> export -> history -> other files -> certificate

The journal says what is to be done; the tombstones come first of all that is done, so that nothing comes back in
between. A database that is older than the last purge (a backup that was put back) is purged again of what the
tombstones name.
"""

from dataclasses import replace

from dreamd.daemon.answers import complain
from dreamd.daemon.certificate import FOLDER, Certificate, Place, last_number, write_certificate
from dreamd.daemon.errors import Busy
from dreamd.daemon.failpoints import reach
from dreamd.daemon.purge_cursors import left_of
from dreamd.daemon.purge_journal import JOURNAL_NAME, Journal, end_journal, read_journal, write_journal
from dreamd.daemon.purge_places import HISTORY, git_places, other_files, out_of_reach
from dreamd.daemon.purge_plan import PurgePlan, plan_purge
from dreamd.daemon.purge_subject import Meant
from dreamd.daemon.run import MAX_PLANS, instant_of_run
from dreamd.daemon.session import Session
from dreamd.daemon.storage.apply import Beside, Stale
from dreamd.daemon.storage.erasing import PURGED_CURSOR, Erased, Erasure, compact, purged, telling
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339
from dreamd.daemon.tombs import Tombs, sealed_of

ALIAS_DIGITS = 16  # of what stands in the log for the id of a row that is gone


def dry_run(opened: Session, store: SpaceStore, meant: Meant) -> PurgePlan:
    """What purging `meant` would do. Nothing is written."""
    return _planned(opened, store, meant, _next_number(opened))


def purge(opened: Session, store: SpaceStore, meant: Meant) -> Certificate:
    """Erase `meant`. Raises Busy if other writers were faster every time; then nothing is erased."""
    number = _next_number(opened)
    for _ in range(MAX_PLANS):
        made = _planned(opened, store, meant, number)
        journal = _journal(opened, store, meant, made, number)
        write_journal(opened.home.path, journal)
        reach("purge-after-journal")
        opened.tombs.add(journal.tombs)
        reach("purge-after-tombstones")
        if (erased := _erase(opened, store, journal, made)) is not None:
            return _finish(opened, journal, erased)
    raise Busy(
        f"space {store.space!r}: other writers moved the head {MAX_PLANS} times while this purge was planned",
        hint="nothing is erased yet; finish it: dreamd purge --resume",
    )


def finish_open(opened: Session) -> list[Certificate]:
    """Finish a purge that was killed, and purge again what an older database that was put back has brought along."""
    done = []
    if (journal := read_journal(opened.home.path)) is not None:
        store = opened.store.space(journal.space)
        if _number_in(store) >= journal.number:
            done.append(_finish(opened, journal, None))
        else:
            meant = Meant(kind=journal.kind, events=journal.events, streams=journal.streams, names=journal.names)
            done.append(purge(opened, store, meant))
    for name in opened.store.spaces():
        store = opened.store.space(name)
        if opened.tombs.newest(name) > _number_in(store):
            done += [found] if (found := _purge_again(opened, store)) is not None else []
    return done


def _purge_again(opened: Session, store: SpaceStore) -> Certificate | None:
    """Purge what the tombstones name from a database that is older than they are; None: it has none of it."""
    tombs: Tombs = opened.tombs
    digests, newest = tombs.digests(store.space), tombs.newest(store.space)
    events = frozenset(found.event.id for found in store.all_events() if tombs.is_purged(found.event, digests))
    if not events:
        store.set_cursor(PURGED_CURSOR, str(newest))
        return None
    names = frozenset(
        text
        for event in store.events(events)
        for kind, text in sealed_of(event)
        if kind == "purged-subject" and tombs.seal(store.space, kind, text) in digests
    )
    return purge(opened, store, Meant(kind="target" if names else "event", events=events, names=names))


def finish_in_passing(opened: Session) -> None:
    """As `finish_open`, for a command that is about something else: what came of it is said on stderr."""
    if not opened.home.tombstones.exists() and not (opened.home.path / JOURNAL_NAME).exists():
        return
    for certificate in finish_open(opened):
        for line in certificate.in_words()[:1]:
            complain(f"note: {line} See {opened.home.path / FOLDER}")


def _planned(opened: Session, store: SpaceStore, meant: Meant, number: int) -> PurgePlan:
    now, _ = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
    return plan_purge(store, meant, number, opened.tombs.seal, now, opened.policy)


def _journal(opened: Session, store: SpaceStore, meant: Meant, made: PurgePlan, number: int) -> Journal:
    counts = {"events": len(made.events), "claims": len(made.claims), "streams": len(made.streams)}
    counts |= {"streams made again": len(made.remade), "events that stay and say it too": made.also_said}
    sources = sorted({event.source.partition(":")[0] for event in store.events(made.events)})
    return Journal(
        number=number,
        space=store.space,
        kind=meant.kind,
        now=rfc3339(opened.now),
        events=made.events,
        names=meant.names,
        streams=made.streams,
        needles=made.needles,
        slugs=made.slugs,
        tombs=made.tombs,
        counts=counts,
        sources=tuple(source for source in sources if not made.needles.hit(source)),
    )


def _erase(opened: Session, store: SpaceStore, journal: Journal, made: PurgePlan) -> Erased | None:
    """What was erased in the database; None: another writer was faster."""
    what = Erasure(
        purge=journal.number,
        events=made.events,
        streams=made.streams,
        digests=made.digests,
        hit=made.needles.hit,
        erased=made.needles.erased,
        left_of=lambda source, value: left_of(source, value, made.events, journal.needles),
        alias_of=lambda id_: f"{id_[:2]}_{opened.tombs.seal(store.space, 'row', id_)[:ALIAS_DIGITS]}",
    )
    planned = made.planned
    beside = Beside(due=planned.due, checkpoints=planned.checkpoints, started_at=opened.now, policy=opened.policy)
    erased = store.through(purged(planned.plan, beside, what))
    if isinstance(erased, Stale):
        return None
    reach("purge-after-rows")
    return erased


def _finish(opened: Session, journal: Journal, erased: Erased | None) -> Certificate:
    """All that comes after the rows. `erased`: None if an earlier process erased them."""
    store = opened.store.space(journal.space)
    store.through(compact)
    reach("purge-after-compaction")
    counts = dict(journal.counts)
    if erased is not None:
        counts |= {"images in the log": erased.images, "findings": erased.findings, "other rows": erased.others}
        journal = replace(journal, counts=counts)
        write_journal(opened.home.path, journal)
    places = [Place(name="database", left=store.through(telling(journal.needles.hit)))]
    places += git_places(opened, store, journal)
    places += other_files(opened, journal)
    certificate = Certificate(
        number=journal.number,
        space=journal.space,
        kind=journal.kind,
        at=journal.now,
        counts=counts,
        reached=tuple(places),
        out_of_reach=out_of_reach(opened, store, journal),
    )
    write_certificate(opened.home.path, certificate)
    reach("purge-after-certificate")
    if not any(place.name == HISTORY and place.left for place in places):
        end_journal(opened.home.path)
    return certificate


def _number_in(store: SpaceStore) -> int:
    return int(store.cursor(PURGED_CURSOR) or "0")


def _next_number(opened: Session) -> int:
    journal = read_journal(opened.home.path)
    known = [last_number(opened.home.path), *(opened.tombs.newest(name) for name in opened.store.spaces())]
    return journal.number if journal is not None else max(known) + 1
