"""The state of a home, and whether its repositories are what they should be."""

import json
import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dreamd.daemon.errors import BadData
from dreamd.daemon.failpoints import reach
from dreamd.daemon.keeping import read_kept
from dreamd.daemon.outcomes import take_in
from dreamd.daemon.publish import catch_up, render_again
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339, rfc3339_or_none
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.words import Waiting
from dreamd.repo_export.commit_stream import is_safe_path
from dreamd.repo_export.folders import Strange, opened, read_file
from dreamd.repo_export.git import RepositoryProblem
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.slug import path_of
from dreamd.repo_export.verify import Finding, Known
from dreamd.repo_export.verify import verify as check

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


def findings_of(opened: Session, store: SpaceStore) -> list[dict[str, Any]]:
    """What `verify` finds in the newest commit of the space's repository, held against the store."""
    try:
        repository = opened.repository(store.space)
        head = repository.head()
        if head is None:
            return []
        files = repository.tree_files(head)
    except (RepositoryProblem, OSError) as problem:
        message = problem.message if isinstance(problem, RepositoryProblem) else str(problem)
        finding = Finding(level="error", path=".", line=0, rule="repository", message=message)
        return [{"space": store.space, **asdict(finding)}]
    kept = read_kept(store)
    known = Known(
        claims={claim.id: claim.status for claim in store.claims()},
        sources=frozenset(found.event.source for found in store.all_events()),
        streams={path: row.id for row in store.streams() if (path := path_of(as_shown(row, kept))) is not None},
    )
    found = [*check(files, known), *_differing_files(repository.path, files)]
    return [{"space": store.space, **asdict(finding)} for finding in found]


def _differing_files(root: Path, files: Mapping[str, bytes]) -> Iterable[Finding]:
    """A warning for each file that is not there as it was committed: a person changed or deleted it."""
    with opened(root) as folder:
        for path, content in sorted(files.items()):
            if not is_safe_path(path):
                message = "is not a path for a memory repository; dreamd does not lay it out"
                yield Finding(level="warning", path=path, line=0, rule="unsafe-path", message=message)
                continue
            try:
                lies_there = read_file(folder, path)
            except Strange:
                message = "something stands in its place that is no readable file; it is left alone"
                yield Finding(level="warning", path=path, line=0, rule="edited-file", message=message)
                continue
            if lies_there is None:
                message = (
                    f"is not there; to have it back: {shlex.join(['git', '-C', str(root), 'checkout', '--', path])}"
                )
                yield Finding(level="warning", path=path, line=0, rule="missing-file", message=message)
            elif lies_there != content:
                message = "differs from what was committed; a person's edit, it is left alone"
                yield Finding(level="warning", path=path, line=0, rule="edited-file", message=message)


def findings_in_folder(path: str) -> list[dict[str, Any]]:
    """What `verify` finds in a folder of this format that dreamd may not have written."""
    root = Path(path)
    if not root.is_dir():
        raise BadData(f"{path} is not a folder", "name the root of a memory repository")
    files: dict[str, bytes] = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            file = Path(folder) / name
            if file.is_file() and not file.is_symlink():
                files[file.relative_to(root).as_posix()] = file.read_bytes()
    return [{"space": None, **asdict(finding)} for finding in check(files)]


def new_findings(found: list[dict[str, Any]], baseline: str) -> list[dict[str, Any]]:
    """`found` without what the baseline file holds; lines may have moved."""
    if not baseline:
        return found
    try:
        known = json.loads(Path(baseline).read_bytes())
        old = {_identity(each) for each in known}
    except OSError as error:
        raise BadData(f"cannot read {baseline}: {error.strerror}", "write one: dreamd --json verify > FILE") from None
    except (KeyError, TypeError, ValueError) as error:
        raise BadData(f"{baseline} is no baseline: {error}", "write one: dreamd --json verify > FILE") from None
    return [each for each in found if _identity(each) not in old]


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


def _identity(finding: dict[str, Any]) -> tuple[object, ...]:
    return (finding["space"], finding["path"], finding["rule"], finding["message"])
