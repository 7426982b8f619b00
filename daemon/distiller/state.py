"""How far a space has been distilled: whose summaries its pages show, which streams wait, what came of asking.

Two cursors of the space hold it. So what a page shows depends on the database alone and not on the settings of the
moment: another model, or none, takes effect in the next run, which renders the pages that differ.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dreamd.daemon.storage.findings import Finding
from dreamd.daemon.storage.store import SpaceStore
from dreamd.reflection.distilling.asking import VERSION
from dreamd.repo_export.by_model import Distillation

CURSOR = "distiller"


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    model: str  # whose summaries are shown; "": nobody's
    version: str = VERSION  # of the question that it was asked
    number: int = 0  # the run up to which changed streams were looked at
    waiting: tuple[str, ...] = ()  # streams to look at again, sorted
    unshown: tuple[str, ...] | None = ()  # streams whose page may lack its summary, sorted; None: any
    asking: str = ""  # the last run, while a model is asked; left behind by a kill


def read_state(store: SpaceStore) -> State | None:
    """The state of the space; None if no distiller was ever on."""
    kept = store.cursor(CURSOR)
    if kept is None:
        return None
    values = json.loads(kept)
    unshown = values["unshown"]
    return State(
        model=values["model"],
        version=values["version"],
        number=values["number"],
        waiting=tuple(values["waiting"]),
        asking=values["asking"],
        unshown=None if unshown is None else tuple(unshown),
    )


def write_state(store: SpaceStore, state: State) -> None:
    store.set_cursor(CURSOR, json.dumps(asdict(state), separators=(",", ":")))


def told_of(store: SpaceStore, run: str) -> Distillation | None:
    """What came of asking while `run` was the last; None if no model was asked."""
    kept = store.cursor(_told_cursor(run)) if run else None
    return None if kept is None else _from_json(json.loads(kept))


def keep_answer(store: SpaceStore, findings: Sequence[Finding], run: str, told: Distillation) -> None:
    """Keep what was answered and what came of asking so far, in one transaction."""
    store.add_findings(findings, (_told_cursor(run), json.dumps(told.as_json())))


def _told_cursor(run: str) -> str:
    return f"{CURSOR}:{run}"


def _from_json(values: Mapping[str, Any]) -> Distillation:
    pairs = {key: tuple((each["stream"], each["reason"]) for each in values[key]) for key in ("refused", "unanswered")}
    return Distillation(**{**values, **pairs})
