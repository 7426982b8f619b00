"""Named places where a test makes the process die.

`DREAMD_FAILPOINT=apply-after-commit` kills the process there with SIGKILL, as a power cut would; `NAME:raise` raises
instead, `NAME:3:kill` acts the third time it is reached, and several are separated by commas. A name that is not in
the list is an error on either side, so a failpoint cannot go stale in silence. Unset, a failpoint costs one look-up.
"""

import os
import signal
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from dreamd.daemon.errors import Configuration, Internal

VARIABLE = "DREAMD_FAILPOINT"

FAILPOINT_MEANINGS: Mapping[str, str] = {
    "ingest-after-batch": "a batch of events is committed, the next one is not yet read",
    "embed-after-batch": "a batch of vectors is kept, the next one is not yet made",
    "edits-read": "people's edits are stored as events, and their plan is not yet made",
    "edits-applied": "the plan of people's edits is applied, and they still count as open",
    "apply-before-commit": "all rows of a plan are written, the transaction is still open",
    "apply-after-commit": "the decisions are committed, the export has not begun",
    "distil-before-call": "an attempt to ask the model is counted, the question is not yet sent",
    "distil-after-answer": "the model has answered, nothing of it is kept",
    "distil-after-checkpoint": "the answer is kept, the next question is not yet begun",
    "export-before-render": "the export has its lock and has rendered nothing",
    "export-after-import": "blobs and commit are in the object store, no branch points there",
    "export-after-ref": "the branch points to the new commit, the files are the old ones",
    "export-after-files": "the files are laid out, the index is the old one",
    "export-after-index": "files and index agree, the record of what was laid out is the old one",
    "profile-recorded": "the record of a profile says what will be written, no file is",
    "profile-file-written": "a file of a profile is written, maybe not all",
    "profile-written": "the files of a profile are written, its record still says they are about to be",
    "pull-after-import": "what people pushed is in the object store, the branch does not hold it",
    "pull-after-ref": "the branch holds what people pushed, the files are the old ones",
    "report-written": "the report is written, the attempt is not yet closed",
    "purge-after-journal": "what a purge has to do is written down, nothing of it is done",
    "purge-after-tombstones": "the tombstones are in their file, the rows are still there",
    "purge-after-rows": "the rows are erased in the database, their pages are not yet compacted",
    "purge-after-compaction": "the database file holds nothing of it, the memory repository does",
    "purge-after-objects": "the history without it is in the object store, the refs are the old ones",
    "purge-after-refs": "the refs lead to the new history, the old one is still there",
    "purge-after-prune": "the old history is gone, the certificate is not yet written",
    "purge-after-certificate": "the certificate is written, the journal is still there",
    "backup-after-bundles": "the memory repositories are copied, the database is not yet",
    "backup-after-archive": "the archive is written, and has not its name yet",
    "restore-after-unpacking": "the backup is unpacked beside the home, which is as it was",
    "restore-before-swap": "the restored home is finished beside the present one, which is as it was",
    "restore-after-swap": "the restored home is in place, what was there lies beside it",
}
FAILPOINTS: tuple[str, ...] = tuple(FAILPOINT_MEANINGS)

Action = Literal["kill", "raise"]


class FailpointReached(Internal):
    """A failpoint with the action `raise` was reached; only a test can cause this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What `DREAMD_FAILPOINT` asks for at one failpoint."""

    time: int  # the how manieth reaching acts, from 1
    action: Action


_reached: Counter[str] = Counter()  # how often this process reached each ordered failpoint


def reach(name: str) -> None:
    """Say that the failpoint `name` is reached; does not come back if the environment asks for a kill here."""
    if name not in FAILPOINT_MEANINGS:
        raise Internal(f"failpoint {name!r} is not in the list of failpoints")
    asked = os.environ.get(VARIABLE)
    if asked is None or not asked:
        return
    order = read_orders(asked).get(name)
    if order is None:
        return
    _reached[name] += 1
    if _reached[name] != order.time:
        return
    if order.action == "raise":
        raise FailpointReached(f"failpoint {name!r} was reached and {VARIABLE} asks to raise there")
    os.kill(os.getpid(), signal.SIGKILL)


@cache
def read_orders(asked: str) -> Mapping[str, Order]:
    """The orders in a value of `DREAMD_FAILPOINT`: `NAME[:TIME][:kill|:raise]`, separated by commas."""
    return dict(_read_order(part.strip()) for part in asked.split(",") if part.strip())


def _read_order(part: str) -> tuple[str, Order]:
    name, *words = part.split(":")
    if name not in FAILPOINT_MEANINGS:
        raise Configuration(f"{VARIABLE} names {name!r}; allowed: {', '.join(FAILPOINTS)}", f"unset {VARIABLE}")
    time = 1
    if words and words[0].isascii() and words[0].isdigit():
        time = int(words.pop(0))
    match words:
        case [] | ["kill"]:
            return name, Order(time=time, action="kill")
        case ["raise"]:
            return name, Order(time=time, action="raise")
        case _:
            raise Configuration(f"{VARIABLE} holds {part!r}; allowed: NAME[:TIME][:kill|:raise]", f"unset {VARIABLE}")
