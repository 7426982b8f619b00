"""What a purge leaves of the cursors of a space that tell of what goes.

A cursor says how far something was read, and is best forgotten where it tells of the purged: it is read again, and
nothing of it comes back. Some hold more than that: what people set on pages, up to which commit people's edits were
read (they would all be edits again), which runs their reverts became, and what a distiller has yet to show.
"""

import json
from collections.abc import Collection

from dreamd.daemon.editing import LOOKED
from dreamd.daemon.keeping import KEPT, steps_without
from dreamd.daemon.needles import Needles
from dreamd.daemon.undone_by_git import RUNS_OF_COMMITS

DISTILLER = "distiller"  # holds ids of streams that wait


def left_of(source: str, value: str, events: Collection[str], needles: Needles) -> str | None:
    """What is left of the cursor named `source` without `events` and all that `needles` hit; None: it goes."""
    if source.startswith(KEPT):
        return steps_without(value, events, needles.hit)
    if source not in (DISTILLER, LOOKED, RUNS_OF_COMMITS):
        return None
    try:
        return json.dumps(needles.erased(json.loads(value)), separators=(",", ":"))
    except ValueError:
        return None
