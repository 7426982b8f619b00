"""How a space and its remote stand: one cursor of the space holds it, and `status` shows it.

What failed is tried again later and later; what waits for a person is looked at in each run.
"""

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Literal

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339

CURSOR = "remote"
MAX_WAIT = timedelta(days=1)  # between two tries, however often it failed


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteState:
    url: str  # as it is shown; another one begins anew
    status: Literal["new", "in step", "to push", "waits", "fails"] = "new"
    reason: str | None = None  # why it waits or fails
    last_attempt: str | None = None  # RFC 3339, like all instants here
    last_success: str | None = None
    failures: int = 0  # in a row
    next_try: str | None = None  # None: in the next run
    seen: str | None = None  # the remote's commit when both were last in step
    paths: tuple[str, ...] = ()  # that people changed on both sides

    @property
    def is_well(self) -> bool:
        return self.status in ("new", "in step", "to push")

    def is_due(self, now: datetime) -> bool:
        """Whether the remote may be asked; a clock that went back is no reason to wait."""
        if self.next_try is None or self.last_attempt is None:
            return True
        return now >= parse_instant(self.next_try) or now < parse_instant(self.last_attempt)


def read_state(store: SpaceStore, url: str) -> RemoteState:
    """The state of the remote that is shown as `url`."""
    kept = store.cursor(CURSOR)
    values = {} if kept is None else json.loads(kept)
    if values.get("url") != url:
        return RemoteState(url=url)
    known = {each.name for each in fields(RemoteState)}
    kept_values = {name: value for name, value in values.items() if name in known}
    return RemoteState(**{**kept_values, "paths": tuple(values.get("paths", ()))})


def write_state(store: SpaceStore, state: RemoteState) -> None:
    store.set_cursor(CURSOR, json.dumps(asdict(state), separators=(",", ":")))


def succeeded(state: RemoteState, now: datetime, seen: str | None, *, is_in_step: bool) -> RemoteState:
    """The remote answered. `seen`: what it has that we have too; None: nothing."""
    at = rfc3339(now)
    status: Literal["in step", "to push"] = "in step" if is_in_step else "to push"
    return RemoteState(url=state.url, status=status, last_attempt=at, last_success=at, seen=seen)


def waiting(state: RemoteState, now: datetime, reason: str, paths: tuple[str, ...] = ()) -> RemoteState:
    """The remote answered, and what it has, or we have, has to wait."""
    return replace(
        state,
        status="waits",
        reason=" ".join(reason.split()),
        paths=paths,
        last_attempt=rfc3339(now),
        failures=0,
        next_try=None,
    )


def failed(state: RemoteState, now: datetime, reason: str, retry_minutes: float) -> RemoteState:
    """It failed once more: the next try is twice as far away as the last one was, at most a day."""
    minutes = min(retry_minutes * 2.0 ** min(state.failures, 30), MAX_WAIT / timedelta(minutes=1))
    return replace(
        state,
        status="fails",
        reason=reason,
        last_attempt=rfc3339(now),
        failures=state.failures + 1,
        next_try=rfc3339(now + timedelta(minutes=minutes)),
    )
