"""What the present home knows and a backup may not: what was purged or forgotten since, which stays gone.

Purged: the seals go into the tombstones file, and the purge is carried out again in the restored home (purging.py).
Forgotten: the tombstones and the streams at rest become one run with trigger `forget`.
"""

import shutil
from contextlib import suppress
from dataclasses import replace

from dreamd.daemon.certificate import FOLDER as PURGES
from dreamd.daemon.errors import Configuration, DreamdError
from dreamd.daemon.failpoints import reach
from dreamd.daemon.forgotten import OF_CLAIMS, is_sealed
from dreamd.daemon.home import Home
from dreamd.daemon.planning import plan_order
from dreamd.daemon.purge_journal import read_journal
from dreamd.daemon.run import carry_out, instant_of_run
from dreamd.daemon.sealing import SUBJECT, Seal
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore, Store
from dreamd.daemon.tombs import Tombs
from dreamd.lifecycle.dream import Order
from dreamd.lifecycle.words import Status, Trigger
from dreamd.reflection.text_keys import text_key


def require_same_key(present: Home, restored: Home) -> None:
    """Raises Configuration if the seals of the `present` home would say nothing in the `restored` one."""
    if not present.tombstones.exists() and not present.database.exists():
        return
    with suppress(Configuration):  # without its key nothing in it can be told from another home's
        if present.read_key() == restored.read_key():
            return
    raise Configuration(
        f"{present.path} has another key than the backup, so what was purged or forgotten there could come back",
        "restore it into another home: dreamd restore FILE --to FOLDER",
    )


def keep_purged(present: Home, restored: Home) -> None:
    """Add the seals and certificates of all purges of `present`, also of one that is not finished, to `restored`."""
    seal = Seal(present.read_key)
    tombs = list(Tombs(present.tombstones, seal).tombs)
    with suppress(DreamdError):
        journal = read_journal(present.path)
        tombs += journal.tombs if journal is not None else ()
    if tombs:
        Tombs(restored.tombstones, seal).add(tombs)
    (restored.path / PURGES).mkdir(mode=0o700, exist_ok=True)
    for file in sorted((present.path / PURGES).glob("[0-9]*.*")):
        if file.is_file() and not file.is_symlink() and not (restored.path / PURGES / file.name).exists():
            shutil.copy2(file, restored.path / PURGES / file.name, follow_symlinks=False)


def forget_again(opened: Session, present: Store) -> int:
    """Forget in the restored home what the `present` store has forgotten; how many streams and statements that was."""
    return sum(_forget_again(opened, opened.store.space(name), present.space(name)) for name in present.spaces())


def _forget_again(opened: Session, store: SpaceStore, present: SpaceStore) -> int:
    known = {row.id for row in store.tombstones()}
    tombs = [row for row in present.tombstones() if row.id not in known and row.kind in (*OF_CLAIMS, SUBJECT)]
    asleep = {row.id for row in present.streams() if row.status is Status.FORGOTTEN}
    resting = [row for row in store.streams() if row.id in asleep and row.status in (Status.ACTIVE, Status.FADED)]
    if not tombs and not resting:
        return 0
    sealed = {row.digest for row in tombs}
    streams = {claim.stream for claim in store.claims() if is_sealed(store, text_key(claim.text), sealed)}
    order = Order(
        trigger=Trigger.FORGET,
        because="forgotten by a person",
        put=(*(replace(row, status=Status.FORGOTTEN) for row in resting), *tombs),
        was=tuple(resting),
        streams=tuple(sorted(streams - {row.id for row in resting})),
    )
    now, _ = instant_of_run(store, opened.now, by_hand=opened.is_by_hand)
    policy, near = opened.policy, opened.nearness(store)
    carry_out(store, lambda: plan_order(store, order, now, policy, near), policy, reach, started_at=opened.now)
    return len(tombs) + len(resting)
