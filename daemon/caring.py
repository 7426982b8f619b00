"""The state of a home, and its repositories rendered again."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dreamd.daemon.failpoints import reach
from dreamd.daemon.outcomes import take_in
from dreamd.daemon.publish import catch_up, render_again
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339, rfc3339_or_none
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.words import Waiting

RENDERED_AGAIN = "export: render again from the store\n"


def export_again(opened: Session, store: SpaceStore) -> tuple[dict[str, Any], list[str]]:
    """Catch up, then render everything again and commit what differs."""
    take_in(opened, store)  # before any file is written over what a person committed
    repository = opened.repository(store.space)
    caught = catch_up(store, repository, opened.now, reach, opened.redact)
    again = render_again(store, repository, store.head().now or opened.now, RENDERED_AGAIN, opened.redact)
    commits = [*caught.commits, *again.commits]
    waiting = [{"path": path, "reason": reason} for path, reason in again.waiting]
    value = {
        "space": store.space,
        "repository": str(repository.path),
        "commits": commits,
        "waiting": waiting,
        "parked": caught.parked or again.parked,
        **({"noticed": [*caught.noticed]} if caught.noticed else {}),
    }
    lines = [f"{store.space}: {counted(len(commits), 'new commit')} in {repository.path}"]
    lines += [f"  Left alone: {each['path']} ({each['reason']})" for each in waiting]
    lines += [f"  Noticed: {notice}" for notice in caught.noticed]
    if value["parked"]:
        lines.append(f"  The files wait: {value['parked']}")
    return value, lines


def status_of(opened: Session, store: SpaceStore) -> dict[str, Any]:
    head, counts = store.head(), store.counts()
    latest = store.latest_attempt()
    return {
        "space": store.space,
        "repository": str(opened.home.repository(store.space)),
        "head": {"run": head.number or None, "id": head.run or None, "at": rfc3339_or_none(head.now)},
        "last_attempt": None if latest is None else {"at": rfc3339(latest.at), "outcome": latest.outcome},
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
    }


def status_lines(spaces: Iterable[dict[str, Any]], dreamd: str) -> list[str]:
    """`dreamd`: how the commands that are shown begin."""
    lines = []
    for one in spaces:
        phases = ", ".join(f"{count} {phase}" for phase, count in one["streams"]["phase"].items()) or "none yet"
        lines.append(f"Space {one['space']}: {counted(one['events'], 'event')}, streams: {phases}")
        run = one["head"]["run"]
        lines.append(f"  last run: {run} at {one['head']['at']}" if run else f"  no run yet; next: {dreamd} run")
        if one["unexamined"]:
            future = one["waiting_for_their_date"]
            wait = "waits" if one["unexamined"] == 1 else "wait"
            lines.append(
                f"  {counted(one['unexamined'], 'event')} {wait} for a dream"
                + (f", {future} of them for their date" if future else "")
            )
        index = f"{one['repository']}/MEMORY.md"
        lines.append(
            f"  memory: {index}" + ("" if Path(index).exists() else " (not there yet: nothing is known well enough)")
        )
        if one["quarantined"]:
            noun = "event is" if one["quarantined"] == 1 else "events are"
            lines.append(f"  {one['quarantined']} {noun} in quarantine: {dreamd} quarantine list")
        for row in one["proposals"]:
            lines.append(f"  waits for you: {row['text']}  ({dreamd} accept {row['id']}, or reject)")
        for row in one["questions"]:
            choices = "|".join((*row["claims"], "both", "neither"))
            lines.append(f"  asks you: {row['text']}  ({dreamd} resolve {row['id']} {choices})")
    return lines
