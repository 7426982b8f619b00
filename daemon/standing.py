"""How a home stands: each space with its last run, what waits, how far its export is, and its remote."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dreamd.daemon.editing import is_read
from dreamd.daemon.failpoints import reach
from dreamd.daemon.profiles import records_of
from dreamd.daemon.remotes.choice import configured_remote
from dreamd.daemon.remotes.state import read_state
from dreamd.daemon.remotes.syncing import why_not_now
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339, rfc3339_or_none
from dreamd.daemon.unread import unread_commits, unread_in_words
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.words import Waiting
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.layout_record import left_alone
from dreamd.repo_export.uncommitted import uncommitted

UNDONE = ("failed", "stale")  # outcomes of attempts that came to nothing
ATTEMPTS = 100  # that are looked through for the last that succeeded


def status_of(opened: Session, store: SpaceStore) -> dict[str, Any]:
    head, counts = store.head(), store.counts()
    attempts = store.attempts(ATTEMPTS)
    success = next((attempt for attempt in attempts if attempt.outcome not in UNDONE), None)
    return {
        "space": store.space,
        "repository": str(opened.home.repository(store.space)),
        "head": {"run": head.number or None, "id": head.run or None, "at": rfc3339_or_none(head.now)},
        "last_attempt": {"at": rfc3339(attempts[0].at), "outcome": attempts[0].outcome} if attempts else None,
        "last_success": None if success is None else {"at": rfc3339(success.at), "outcome": success.outcome},
        "digest": store.digest(),
        "events": counts.events,
        "unexamined": counts.unexamined,
        "waiting_for_their_date": store.waiting(opened.now),
        "streams": {"phase": counts.phases, "vitality": counts.vitality, "status": counts.statuses},
        "claims": counts.claims,
        "runs": counts.runs,
        "holds": len(store.holds()),
        "quarantined": counts.quarantined,
        "proposals": [{"id": row.id, "text": row.text} for row in store.proposals() if row.status is Waiting.OPEN],
        "questions": [
            {"id": row.id, "text": row.text, "claims": list(row.claims)}
            for row in store.questions()
            if row.status is Waiting.OPEN
        ],
        "export": _export_of(opened, store),
        "remote": _remote_of(opened, store),
        "profiles": [
            {
                "profile": record.profile,
                "folder": str(record.place.path),
                "files": len(record.files),
                "left_out": record.left_out,
                "waiting": [{"path": path, "reason": reason} for path, reason in record.waiting],
            }
            for record in records_of(opened.home, store.space)
        ],
    }


def _export_of(opened: Session, store: SpaceStore) -> dict[str, Any]:
    """How far the memory repository is: read, and never made or mended."""
    path, number = opened.home.repository(store.space), store.head().number
    exported, reason = 0, None
    waiting: tuple[str, ...] = ()
    if path.exists():
        try:
            repository = MemoryRepository.open(path, reach)
            reason = repository.in_progress()
            edited = () if reason else uncommitted(repository, is_read)
            waiting = tuple(sorted({*left_alone(repository), *(path for path, _ in edited)}))
            last = repository.last_run()
            found = 0 if last is None else store.number_of_run(last)
            exported = found or 0
            reason = f"it holds run {last}, which the store does not know" if found is None else reason
        except RepositoryProblem as problem:
            reason = f"{problem.message}; {problem.hint}"
        except OSError as error:
            reason = f"{error.filename or path}: {error.strerror}"
    pending = store.runs(after=exported) if number > exported else []
    status = "pending" if pending or reason else "waiting" if waiting else "done"
    return {
        "status": status,
        "reason": reason,
        "pending_runs": len(pending),
        "unread_commits": unread_commits(opened, store),
        "since": rfc3339(pending[0].now) if pending else None,
        "waiting": list(waiting),
    }


def _remote_of(opened: Session, store: SpaceStore) -> dict[str, Any] | None:
    address = configured_remote(opened.loaded.settings.remote, store.space)
    if address is None:
        return None
    state = read_state(store, address.shown)
    return {**asdict(state), "words": why_not_now(state)}


def wrong_with(status: dict[str, Any]) -> list[str]:
    """What is wrong with a space, in words; empty: all is well."""
    export, remote, last = status["export"], status["remote"], status["last_attempt"]
    found = []
    if last is not None and last["outcome"] in UNDONE:
        found.append(f"the last run at {last['at']} {last['outcome']}")
    if export["pending_runs"]:
        runs = counted(export["pending_runs"], "run")
        why = export["reason"] or "run: dreamd export"
        found.append(f"{runs}, since {export['since']}, not in the memory repository yet: {why}")
    elif export["reason"]:
        found.append(f"the memory repository: {export['reason']}")
    if remote is not None and remote["words"]:
        found += [f"remote {remote['url']}: {words}" for words in remote["words"]]
    return found


def status_lines(spaces: Iterable[dict[str, Any]], dreamd: str) -> list[str]:
    """`dreamd`: how the commands that are shown begin."""
    return [line for one in spaces for line in _lines(one, dreamd)]


def _lines(one: dict[str, Any], dreamd: str) -> Iterator[str]:
    phases = ", ".join(f"{count} {phase}" for phase, count in one["streams"]["phase"].items()) or "none yet"
    yield f"Space {one['space']}: {counted(one['events'], 'event')}, streams: {phases}"
    run, last, success = one["head"]["run"], one["last_attempt"], one["last_success"]
    yield f"  last run: {run} at {one['head']['at']}" if run else f"  no run yet; next: {dreamd} run"
    if last is not None and last != success:
        when = "never" if success is None else success["at"]
        yield f"  last attempt: {last['at']}, {last['outcome']}; last success: {when}"
    elif last is not None and last["outcome"] == "nothing":
        yield f"  last attempt: {last['at']}, nothing to change"
    if one["unexamined"]:
        future = one["waiting_for_their_date"]
        wait = "waits" if one["unexamined"] == 1 else "wait"
        in_future = f", {future} of them for their date" if future else ""
        yield f"  {counted(one['unexamined'], 'event')} {wait} for a dream{in_future}"
    index = f"{one['repository']}/MEMORY.md"
    yield f"  memory: {index}" + ("" if Path(index).exists() else " (not there yet: nothing is known well enough)")
    yield from (f"  {line}" for line in unread_in_words(one["export"]["unread_commits"]))
    for path in one["export"]["waiting"]:
        yield f"  left alone: {path} (changed by a person)"
    for profile in one["profiles"]:
        yield f"  profile {profile['profile']}: {counted(profile['files'], 'file')} in {profile['folder']}"
        yield from (f"    left alone: {row['path']} ({row['reason']})" for row in profile["waiting"])
    remote = one["remote"]
    if remote is not None and not remote["words"]:
        yield f"  remote: {remote['url']}, {remote['status']}, last success {remote['last_success'] or 'never'}"
    for wrong in wrong_with(one):
        yield f"  wrong: {wrong}"
    if one["holds"]:
        yield f"  {counted(one['holds'], 'change')} held back by a revert: {dreamd} unhold TARGET"
    if one["quarantined"]:
        noun = "event is" if one["quarantined"] == 1 else "events are"
        yield f"  {one['quarantined']} {noun} in quarantine: {dreamd} quarantine list"
    for row in one["proposals"]:
        yield f"  waits for you: {row['text']}  ({dreamd} accept {row['id']}, or reject)"
    for row in one["questions"]:
        choices = "|".join((*row["claims"], "both", "neither"))
        yield f"  asks you: {row['text']}  ({dreamd} resolve {row['id']} {choices})"
