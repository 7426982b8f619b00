"""What a run became, as the commands tell it: the plan that was applied, and how far the export caught up.

An export that fails or waits is told and never undoes a run.
"""

import shlex
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dreamd.daemon.answers import say
from dreamd.daemon.editing import is_read, take_edits
from dreamd.daemon.failpoints import reach
from dreamd.daemon.hiding import hidden_plan
from dreamd.daemon.profiles import Kept, keep_profiles
from dreamd.daemon.publish import Exported, catch_up
from dreamd.daemon.publish import tell as telling_from
from dreamd.daemon.remotes.syncing import Synced, in_words, push_after
from dreamd.daemon.retention import let_go
from dreamd.daemon.run import instant_of_run
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.undone_by_git import Undone, take_reverts
from dreamd.lifecycle.codec import comparisons_to_json, near_miss_to_json, problem_to_json
from dreamd.lifecycle.merging import MERGE
from dreamd.lifecycle.plan import Plan, Problem
from dreamd.lifecycle.told import counted
from dreamd.repo_export.by_model import Distillation, line_of
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.happenings import WORDS, happenings_of
from dreamd.repo_export.markdown import command_line, visible
from dreamd.repo_export.reports.summary import render_terminal
from dreamd.repo_export.reports.telling import Telling
from dreamd.repo_export.uncommitted import uncommitted


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    plan: Plan
    exported: Exported | None  # None: the export failed, see `failure`
    failure: str | None
    repository: str  # path of the memory repository
    terminal: str  # the head of the report
    distilled: Distillation | None = None  # what came of asking a model; None: none was asked
    profiles: tuple[Kept, ...] = ()  # what became of those that a setting names
    held: str | None = None  # what to say of the changes that a revert keeps from coming back; None: nothing
    remote: Synced | None = None  # what came of the space's remote; None: it has none
    edits: Plan | None = None  # of what people had committed; None: nothing

    def as_json(self) -> dict[str, Any]:
        """The shape of `run --json` (design, section 9)."""
        plan, exported, distilled = self.plan, self.exported, self.distilled
        problems = [*plan.problems]
        if distilled is not None:
            problems += [Problem(source="distiller", message=message) for message in distilled.problems]
        return {
            "space": plan.space,
            "run": plan.number if plan.changes else None,
            "outcome": outcome_of(plan),
            "counts": {**asdict(plan.counts), "changes": len(plan.changes), **happened(plan)},
            "report": None if exported is None or exported.report is None else f"{self.repository}/{exported.report}",
            "commit": exported.commits[-1] if exported is not None and exported.commits else None,
            "export": self.export_as_json(),
            "proposals": list(plan.proposals),
            "near_misses": [near_miss_to_json(miss) for miss in plan.near_misses],
            "problems": [problem_to_json(problem) for problem in problems],
            **comparisons_to_json(plan),
            "models": list(plan.models),
            **({} if distilled is None else {"distilled": distilled.as_json()}),
            **({} if self.remote is None else {"remote": self.remote.as_json()}),
            **({} if self.edits is None else {"edits": edits_as_json(self.edits)}),
        }

    def export_as_json(self) -> dict[str, Any]:
        if self.exported is None:
            return {"status": "failed", "reason": self.failure, "waiting": []}
        waiting = [{"path": path, "reason": reason} for path, reason in self.exported.waiting]
        status = "parked" if self.exported.parked else "waiting" if waiting else "done"
        noticed = {"noticed": [*self.exported.noticed]} if self.exported.noticed else {}
        profiles = {"profiles": [kept.as_json() for kept in self.profiles]} if self.profiles else {}
        return {"status": status, "reason": self.exported.parked, "waiting": waiting, **profiles, **noticed}

    def in_words(self) -> list[str]:
        lines = self.terminal.rstrip("\n").split("\n")
        if self.edits is not None:
            if not self.plan.changes:
                lines[0] = f"Beyond people's edits nothing changed in {self.plan.space}"
            lines += [f"  {line}" for line in edits_in_words(self.edits)]
        if self.held is not None and not self.plan.changes:
            lines.append(f"  {self.held}")
        if self.distilled is not None:
            lines += [] if self.plan.changes else [f"  {visible(line_of(self.distilled))}"]
            lines += [f"  Problem: {visible(problem)}" for problem in self.distilled.problems]
        if self.exported is not None and self.exported.report is not None:
            if Path(self.repository, "MEMORY.md").is_file():
                lines.append(f"  Memory: {self.repository}/MEMORY.md")
            lines.append(f"  Report: {self.repository}/{self.exported.report}")
        if self.plan.counts.untargeted:
            events = counted(self.plan.counts.untargeted, "event")
            lines.append(
                f'  {events} without a target: kept, but stating nothing until one is learned; name a "target"'
            )
        if self.failure is not None:
            lines.append(f"  Not exported: {self.failure}")
        elif self.exported is not None:
            if self.exported.parked:
                lines.append(f"  The files wait: {self.exported.parked}")
            lines += [f"  Left alone: {path} ({reason})" for path, reason in self.exported.waiting]
            lines += [f"  Noticed: {notice}" for notice in self.exported.noticed]
            lines += [line for kept in self.profiles for line in kept.in_words()]
        return lines + in_words(self.remote)


def take_in(opened: Session, store: SpaceStore) -> Plan | None:
    """Take in what people committed; None if that was nothing. What cannot be read now is read by a later command."""
    path = opened.home.repository(store.space)
    try:
        repository = MemoryRepository.open(path, reach) if path.exists() else None
        now = instant_of_run(store, opened.now, by_hand=False)[0]
        undone = Undone()
        if repository is not None:
            undone = take_reverts(store, repository, now, opened.policy, reach, redact=opened.redact)
            now = instant_of_run(store, opened.now, by_hand=False)[0]
        return take_edits(
            store,
            repository,
            now,
            opened.policy,
            reach,
            redact=opened.redact,
            max_characters=opened.loaded.settings.limits.text_characters,
            near=lambda: opened.nearness(store),
            is_taken=undone.commits.__contains__,
            notes=undone.notes,
        )
    except RepositoryProblem:
        return None  # the export will say what is wrong with it


def publish(
    opened: Session,
    store: SpaceStore,
    plan: Plan,
    distilled: Distillation | None = None,
    edits: Plan | None = None,
    pulled: Synced | None = None,
) -> RunResult:
    """Let the export catch up after `plan`, and push; what stands in the way is part of the result.

    Before, people's edits are taken in, so that no file is written over one: `edits` were, by this command. `pulled`:
    what came of the remote before the run.
    """
    exported, failure, profiles = None, None, tuple[Kept, ...]()
    path = opened.home.repository(store.space)
    edits = take_in(opened, store) or edits
    try:
        if plan.changes or store.head().number:
            repository = opened.repository(store.space)
            edited = uncommitted(repository, is_read)
            exported = catch_up(
                store,
                repository,
                opened.now,
                reach,
                opened.redact,
                plan=plan,
                attend=lambda: take_in(opened, store),
            )
            if exported.parked is None:
                exported = replace(exported, waiting=tuple(sorted({**dict(edited), **dict(exported.waiting)}.items())))
            if exported.commits:
                let_go(store, repository, opened.loaded.settings.retention, opened.policy)
            profiles = keep_profiles(opened, store, repository) if exported.parked is None else ()
        else:
            exported = Exported(commits=(), report=None, waiting=(), parked=None, index=None)
    except RepositoryProblem as problem:
        failure = f"{problem.message}; {problem.hint}"
    except OSError as error:
        failure = f"{error.filename or path}: {error.strerror}; mend it, then run: dreamd export"
    return RunResult(
        plan=plan,
        exported=exported,
        failure=failure,
        repository=str(path),
        terminal=head_of_report(opened, store, plan, None if exported is None else exported.told),
        distilled=distilled,
        profiles=profiles,
        held=_held(opened, store, plan),
        remote=push_after(opened, store, pulled),
        edits=edits,
    )


def _held(opened: Session, store: SpaceStore, plan: Plan) -> str | None:
    """That a revert holds changes back: else a night after an undo looks as though it had seen nothing."""
    kept = [hold for hold in store.holds() if hold.stream is not None and hold.kind != MERGE]
    held = {hold.stream for hold in kept} if not plan.changes else set()
    if not held:
        return None
    streams = counted(len(held), "target")
    return (
        f"A revert keeps changes about {streams} from coming back until new evidence comes; to let one: "
        f"{program_of(opened)} unhold TARGET{space_option(opened, store.space)}"
    )


def head_of_report(opened: Session, store: SpaceStore, plan: Plan, told: Telling | None = None) -> str:
    """The head of the report with the command that undoes the run, as it works from anywhere.

    What the export has `told` just now need not be looked up again.
    """
    if told is None or told.plan.run != plan.run:
        told = telling_from(store, hidden_plan(plan, opened.redact), opened.redact)
    text = render_terminal(told)
    plain = command_line("revert", str(plan.number), space=plan.space)
    return text.replace(plain, undo_command(opened, plan))


def undo_command(opened: Session, plan: Plan) -> str:
    """The command that takes `plan`'s run back, as it can be given from here."""
    words = command_line("revert", str(plan.number), space=plan.space).removeprefix("dreamd ")
    now = f" --now {shlex.quote(opened.asked.now)}" if opened.asked.now is not None else ""
    return f"{program_of(opened)}{now} {words}"


def space_option(opened: Session, space: str) -> str:
    """What a command that is shown needs beside its subject to be about `space`: nothing in a home with only that."""
    return f" --space={shlex.quote(space)}" if len(opened.store.spaces()) > 1 else ""


def program_of(opened: Session) -> str:
    """How dreamd was called, with the home if one was named: what a command that is shown must begin with."""
    home = f" --home {shlex.quote(opened.asked.home)}" if opened.asked.home is not None else ""
    return f"{opened.asked.program}{home}"


def outcome_of(plan: Plan) -> str:
    """ "nothing", "partly" (something waits for a person) or "applied"."""
    if not plan.changes:
        return "nothing"
    return "partly" if plan.proposals else "applied"


def edits_as_json(plan: Plan) -> dict[str, Any]:
    """The run of people's edits, beside the one that the command is about."""
    return {
        "run": plan.number,
        "counts": {"changes": len(plan.changes), **happened(plan)},
        "problems": [problem_to_json(problem) for problem in plan.problems],
    }


def edits_in_words(plan: Plan) -> list[str]:
    told = ", ".join(f"{often} {WORDS[word]}" for word, often in happened(plan).items()) or "nothing that is stated"
    lines = [f"Edits by people, as dream {plan.number}: {told}"]
    return lines + [f"  {visible(problem.message)}" for problem in plan.problems if problem.source == "edit"]


def happened(plan: Plan) -> Mapping[str, int]:
    """How often each happening of the report's words occurs in the plan."""
    often = Counter(happening.word for happening in happenings_of(plan) if happening.word)
    return {word: often[word] for word in WORDS if often[word]}


def tell(results: list[RunResult]) -> None:
    for result in results:
        say(result.in_words())


def one_or_all(values: list[dict[str, Any]]) -> object:
    """A bare object where there is one space, else the list (design, section 9)."""
    return values[0] if len(values) == 1 else values
