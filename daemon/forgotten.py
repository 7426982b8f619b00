"""What of the evidence a person forgot, as a dream and an order have to know it.

The pure parts know no key, so they are told: the findings name the statements and targets that a tombstone is of.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from dreamd.daemon.sealing import CLAIM, CLAIM_ELSEWHERE, SUBJECT
from dreamd.daemon.storage.store import SpaceStore
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.findings import Findings
from dreamd.lifecycle.snapshot import Snapshot
from dreamd.lifecycle.values import Event, Tombstone
from dreamd.reflection.sentences import parts_of
from dreamd.reflection.text_keys import text_key

OF_CLAIMS = (CLAIM, CLAIM_ELSEWHERE)


def with_forgotten(store: SpaceStore, snapshot: Snapshot, findings: Findings, order: Order | None) -> Findings:
    """`findings` with what of them a person forgot, once `order` is in force."""
    tombstones = dict(snapshot.tombstones)
    if order is not None:
        tombstones |= {row.id: row for row in order.put if isinstance(row, Tombstone)}
        tombstones = {id_: row for id_, row in tombstones.items() if row not in order.drop}
    by_digest = {row.digest: row for row in tombstones.values() if row.kind in (*OF_CLAIMS, SUBJECT)}
    if not by_digest or store.guard is None:
        return findings
    forgotten = set()
    for key in {found.text_key for found in findings.statements}:
        if seal_of(store, CLAIM, key) in by_digest:
            forgotten.add((key, ""))
        elif (row := by_digest.get(seal_of(store, CLAIM_ELSEWHERE, key))) is not None:
            forgotten.add((key, row.stream or ""))
    targets = {found.target for found in findings.assignments if found.target is not None}
    return replace(
        findings,
        forgotten=frozenset(forgotten),
        forgotten_targets=frozenset(name for name in targets if seal_of(store, SUBJECT, name) in by_digest),
    )


def recalled(store: SpaceStore, events: Iterable[Event]) -> frozenset[str]:
    """Those of `events` that say something which a person forgot."""
    sealed = {row.digest for row in store.tombstones() if row.kind in OF_CLAIMS}
    if not sealed or store.guard is None:
        return frozenset()
    return frozenset(
        event.id
        for event in events
        if any(is_sealed(store, text_key(part), sealed) for part in parts_of(event.text, event.kind))
    )


def is_sealed(store: SpaceStore, key: str, sealed: Collection[str]) -> bool:
    """Whether one of the seals is of the statement with that text key."""
    return any(seal_of(store, kind, key) in sealed for kind in OF_CLAIMS)


def seal_of(store: SpaceStore, kind: str, text: str) -> str:
    """The seal of `text` as a thing of `kind` in the space. The store is one of a session."""
    assert store.guard is not None  # a store of a session has one  # noqa: S101
    return store.guard.seal(store.space, kind, text)
