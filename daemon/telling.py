"""How the log is told: runs, reports, folds of several nights, differences, and what a revert would do."""

import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from dreamd.daemon.hiding import hidden_plan
from dreamd.daemon.open_matters import standing_in
from dreamd.daemon.outcomes import happened, head_of_report, program_of, undo_command
from dreamd.daemon.publish import tell
from dreamd.daemon.reverting import Wish
from dreamd.daemon.session import Session
from dreamd.daemon.storage.letting_go import changes_let_go
from dreamd.daemon.storage.log import Attempt, RunRecord, plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.terminal import table
from dreamd.daemon.times import rfc3339
from dreamd.lifecycle.codec import comparisons_to_json, near_miss_to_json, problem_to_json
from dreamd.lifecycle.plan import NearMiss
from dreamd.lifecycle.revert import Undoing
from dreamd.lifecycle.told import counted, told_apart
from dreamd.lifecycle.values import Claim, Stream
from dreamd.repo_export import folders
from dreamd.repo_export.happenings import WORDS
from dreamd.repo_export.index import IndexOutcome
from dreamd.repo_export.report import render_report
from dreamd.repo_export.reports.as_json import report_as_json

_COMMAND = re.compile(r"(?<!\\)`dreamd ")  # the beginning of a command in Markdown


def run_as_json(store: SpaceStore, record: RunRecord) -> dict[str, Any]:
    is_gone = record.number <= store.through(changes_let_go)
    plan = plan_of(record, () if is_gone else store.changes(record.number))
    return {
        "space": record.space,
        "run": record.number,
        "id": record.id,
        "base": record.base or None,
        "at": rfc3339(record.now),
        "trigger": record.trigger,
        "reverts": record.reverts,
        "outcome": record.outcome,
        "changes": None if is_gone else len(plan.changes),
        "happened": happened(plan),
        "counts": asdict(record.counts),
        "policy_digest": record.policy_digest,
        "models": list(record.models),
    }


def runs_table(values: Sequence[dict[str, Any]]) -> list[str]:
    if not values:
        return ["No run changed anything yet. See: dreamd status"]
    rows = [
        (
            value["space"],
            str(value["run"]),
            value["at"],
            value["trigger"] + (f" of {value['reverts']}" if value["reverts"] is not None else ""),
            ", ".join(f"{count} {WORDS[word]}" for word, count in value["happened"].items())
            or (
                "no longer in the log"
                if value["changes"] is None
                else f"{counted(value['changes'], 'row')} of evidence"
            ),
        )
        for value in values
    ]
    return table(("space", "run", "at", "what", "changes"), rows)


def report_of(opened: Session, store: SpaceStore, number: int) -> tuple[dict[str, Any], list[str]]:
    """The report of a run as JSON, and as the lines of its Markdown; rendered from the log."""
    record = store.run(number)
    if record is None:
        raise ValueError(f"space {store.space} has no run {number}")
    plan = hidden_plan(plan_of(record, store.changes(number)), opened.redact)
    telling = tell(store, plan, opened.redact, index=exported_index(opened, store.space, number))
    value = {
        **report_as_json(telling),
        **run_as_json(store, record),
        **comparisons_to_json(plan),
        "groups": {group: [list(it) for it in subjects] for group, subjects in telling.context.groups.items()},
        "undo": undo_command(opened, plan),
    }
    text = render_report(telling).decode("utf-8")
    return value, as_called(opened, text.rstrip("\n").split("\n"))


def exported_index(opened: Session, space: str, number: int) -> IndexOutcome | None:
    """How full MEMORY.md was when run `number` was exported, as its report says; None if that is not there."""
    try:
        with folders.opened(opened.home.repository(space)) as root:
            content = folders.read_file(root, f".dreamd/reports/{number:06d}.json")
        told = json.loads(content)["memory"] if content is not None else None
        if told is None:
            return None
        left_out = tuple((str(path), str(reason)) for path, reason in told["left_out"])
        return IndexOutcome(left_out=left_out, size_bytes=int(told["bytes"]), line_count=int(told["lines"]))
    except (OSError, folders.Strange, ValueError, KeyError, TypeError):
        return None  # a file that somebody changed tells nothing


def as_called(opened: Session, lines: Sequence[str]) -> list[str]:
    """Lines of a report whose commands begin as this one was called, home and all.

    A backtick that somebody else wrote has a backslash before it, so only our own commands are meant.
    """
    return [_COMMAND.sub(lambda _: f"`{program_of(opened)} ", line) for line in lines]


def newest(opened: Session, store: SpaceStore) -> tuple[dict[str, Any], list[str]]:
    """The newest attempt: the report of its run, or what came closest when nothing changed."""
    attempt = store.latest_attempt()
    head = store.head()
    if head.number and (attempt is None or attempt.number is not None or _is_older(attempt, store)):
        return report_of(opened, store, head.number)
    if attempt is None:
        waiting = store.counts().unexamined
        wait = f"{counted(waiting, 'event')} {'waits' if waiting == 1 else 'wait'}"
        text = f"Space {store.space}: no run yet. {wait} for a dream: {program_of(opened)} run"
        return {"space": store.space, "run": None, "outcome": "none"}, [text]
    value: dict[str, Any] = {
        "space": store.space,
        "run": None,
        "at": rfc3339(attempt.at),
        "outcome": attempt.outcome,
        "counts": asdict(attempt.counts),
        "near_misses": [near_miss_to_json(miss) for miss in attempt.near_misses],
        "problems": [problem_to_json(problem) for problem in attempt.problems],
    }
    lines = [f"Space {store.space}, {rfc3339(attempt.at)}: nothing changed; closest: {_closest(attempt.near_misses)}"]
    lines += [f"  {line}" for miss in attempt.near_misses for line in near_miss_lines(miss)]
    lines += [f"  Problem: {problem.message}" for problem in attempt.problems]
    if waits := standing_in(store, opened.redact).in_words():
        value["waiting"] = waits
        lines.append(f"  Waiting for you: {', '.join(waits)}; the commands are in the report of the last run")
    if head.number:
        lines.append(f"  The last run that changed something: {program_of(opened)} report {head.number}")
    return value, lines


def near_miss_lines(miss: NearMiss) -> Iterable[str]:
    gates = ", ".join(
        f"{gate.gate} {' of '.join(told_apart(gate.value, gate.threshold, is_passed=gate.passed))}"
        f"{'' if gate.passed else ' (missed)'}"
        for gate in miss.gates
    )
    yield f"{miss.target}, next {miss.next_phase}: {gates}"


def undoing_as_json(store: SpaceStore, undoing: Undoing, *, dry_run: bool) -> dict[str, Any]:
    """The shape of `revert --json` (design, section 9)."""
    outcome = "nothing" if not undoing.plan.changes else "partly" if undoing.blocked else "applied"
    value: dict[str, Any] = {
        "space": undoing.plan.space,
        "run": undoing.plan.number if undoing.plan.changes and not dry_run else None,
        "reverts": undoing.plan.reverts,
        "outcome": outcome,
        "reverted": list(undoing.groups),
        "blocked": [
            {
                "group": block.group,
                "by_run": block.by_run,
                **({"purged": True} if block.is_purged else {}),
                "target": _name_of(store, block.subjects),
                "subjects": [subject.id for subject in sorted(block.subjects, key=lambda it: it.table != "stream")],
            }
            for block in undoing.blocked
        ],
    }
    if undoing.cascade:
        value["cascade"] = {str(number): size for number, size in undoing.cascade.items()}
    return value | ({"dry_run": True} if dry_run else {})


def undoing_in_words(store: SpaceStore, undoing: Undoing, wish: Wish, *, dry_run: bool, program: str) -> list[str]:
    """What is or would be taken back, what stays and why, and what `--cascade` takes along, its size first."""
    would = "Would take back" if dry_run else "Took back"
    lines = []
    if undoing.cascade:
        along = ", ".join(
            f"{counted(size, 'change')} of run {number}" for number, size in sorted(undoing.cascade.items())
        )
        total = sum(undoing.cascade.values())
        lines.append(f"{counted(total, 'change')} of later runs go along: {along}")
    if undoing.groups:
        rows = counted(len(undoing.plan.changes), "row")
        done = f"{would} {counted(len(undoing.groups), 'group')} of run {wish.number}, {rows}"
        as_run = "" if dry_run or not undoing.plan.changes else f", as run {undoing.plan.number}"
        lines.append(f"{done}{as_run}.")
    for block in undoing.blocked:
        built = store.run(block.by_run)
        taken_back = built is not None and built.reverts == wish.number
        why = f"run {block.by_run} took it back already" if taken_back else f"run {block.by_run} built on it"
        why = f"run {block.by_run} purged what that needs, for good" if block.is_purged else why
        lines.append(f"Stays: {_name_of(store, block.subjects)} ({block.group}); {why}.")
    if any(not block.is_purged for block in undoing.blocked):
        space = f" --space {shlex.quote(store.space)}"
        lines.append(f"To take those along too, first look: {program} revert {wish.number} --cascade --dry-run{space}")
    return lines or [f"Run {wish.number} has nothing to take back."]


def _name_of(store: SpaceStore, subjects: Iterable[Any]) -> str:
    for subject in subjects:
        if subject.table == "stream" and (stream := store.stream(subject.id)) is not None:
            return stream.target
    for subject in subjects:
        for row in store.prefixed(subject.id):
            if isinstance(row, Claim) and (stream := store.stream(row.stream)) is not None:
                return stream.target
    return "a row"


def _shown(value: object) -> str:
    if value is None:
        return "none"
    return rfc3339(value) if isinstance(value, datetime) else str(value)


def _closest(misses: Sequence[NearMiss]) -> str:
    return f"{misses[0].target}, next {misses[0].next_phase}" if misses else "nothing is on its way"


def _is_older(attempt: Attempt, store: SpaceStore) -> bool:
    """Whether a run (by a person, say) came after the attempt."""
    newest_run = store.runs()[-1]
    return newest_run.started_at is not None and newest_run.started_at > attempt.at


__all__ = ["Stream", "head_of_report", "newest", "report_of", "run_as_json", "runs_table"]
