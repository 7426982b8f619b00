"""How the log is told: runs, reports, folds of several nights, differences, and what a revert would do."""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from dreamd.daemon.hiding import hidden_plan
from dreamd.daemon.outcomes import happened, head_of_report, program_of, undo_command
from dreamd.daemon.publish import report_context
from dreamd.daemon.reverting import Wish
from dreamd.daemon.session import Session
from dreamd.daemon.storage.log import Attempt, RunRecord, plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.terminal import table
from dreamd.daemon.times import rfc3339
from dreamd.lifecycle.codec import comparisons_to_json, near_miss_to_json, policy_change_to_json, problem_to_json
from dreamd.lifecycle.plan import Change, NearMiss
from dreamd.lifecycle.revert import Undoing
from dreamd.lifecycle.told import counted, told_apart
from dreamd.lifecycle.values import Claim, Stream
from dreamd.repo_export.happenings import WORDS, happenings_of
from dreamd.repo_export.report import render_report
from dreamd.repo_export.summary import headline


def run_as_json(store: SpaceStore, record: RunRecord) -> dict[str, Any]:
    is_gone = record.number <= store.changes_let_go()
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
    context = report_context(store, plan, opened.redact)
    value = run_as_json(store, record) | {
        "headline": headline(plan),
        "proposals": list(plan.proposals),
        "near_misses": [near_miss_to_json(miss) for miss in plan.near_misses],
        "problems": [problem_to_json(problem) for problem in plan.problems],
        "policy_change": policy_change_to_json(plan.policy_change),
        **comparisons_to_json(plan),
        "groups": {group: [list(subject) for subject in subjects] for group, subjects in context.groups.items()},
        "undo": undo_command(opened, plan),
    }
    text = render_report(plan, context).decode("utf-8")
    for command in ("revert", "quarantine"):
        text = text.replace(f"`dreamd {command} ", f"`{program_of(opened)} {command} ")
    return value, text.rstrip("\n").split("\n")


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
    value = {
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Several runs and quiet nights of one space, told as one."""

    space: str
    since: datetime
    runs: tuple[int, ...]
    quiet: int  # attempts that changed nothing
    totals: dict[str, int]  # happenings by word
    headlines: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "space": self.space,
            "since": rfc3339(self.since),
            "runs": list(self.runs),
            "quiet": self.quiet,
            "happened": self.totals,
        }

    def in_words(self) -> list[str]:
        happened = ", ".join(f"{count} {WORDS[word]}" for word, count in self.totals.items()) or "nothing changed"
        runs = counted(len(self.runs), "run")
        first = f"Space {self.space} since {rfc3339(self.since)}: {runs}, {counted(self.quiet, 'quiet night')}"
        return [f"{first}; {happened}", *(f"  {line}" for line in self.headlines)]


def fold(store: SpaceStore, since: datetime) -> Fold:
    records = [record for record in store.runs() if record.now >= since]
    plans = [plan_of(record, store.changes(record.number)) for record in records]
    counted = Counter(happening.word for plan in plans for happening in happenings_of(plan) if happening.word)
    quiet = sum(1 for attempt in store.attempts() if attempt.number is None and attempt.at >= since)
    return Fold(
        space=store.space,
        since=since,
        runs=tuple(record.number for record in records),
        quiet=quiet,
        totals={word: counted[word] for word in WORDS if counted[word]},
        headlines=tuple(f"{rfc3339(plan.now)} {headline(plan)}" for plan in plans),
    )


def difference(changes: Iterable[Change]) -> list[str]:
    """Each changed row with the fields that differ."""
    lines = []
    for change in changes:
        sign = "+" if change.before is None else "-" if change.after is None else "~"
        lines.append(f"{sign} {change.subject.table} {change.subject.id}: {change.because}")
        lines += [f"    {line}" for line in _fields(change)]
    return lines or ["nothing"]


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
        lines.append(f"Stays: {_name_of(store, block.subjects)} ({block.group}); {why}.")
    if undoing.blocked:
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


def _fields(change: Change) -> Iterable[str]:
    row = change.after or change.before
    for name in row.__dataclass_fields__ if row is not None else ():
        old = getattr(change.before, name, None)
        new = getattr(change.after, name, None)
        if old != new:
            yield f"{name}: {_shown(old)} -> {_shown(new)}"


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


__all__ = ["Stream", "difference", "fold", "head_of_report", "newest", "report_of", "run_as_json", "runs_table"]
