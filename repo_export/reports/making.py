"""How to undo the run, what it was made with, and what went wrong or found no room."""

from dreamd.lifecycle.told import counted
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.telling import Telling, quiet


def problems(telling: Telling) -> list[str]:
    told = [f"- {quiet(problem.source)}: {quiet(problem.message)}" for problem in telling.plan.problems]
    distillation = telling.context.distillation
    if distillation is not None and distillation.problem is not None:
        told.append(f"- distiller: {quiet(distillation.problem)}")
    return told


def left_out(telling: Telling) -> list[str]:
    return [
        f"- {quiet(path)}: {quiet(reason)}"
        for path, reason in (telling.context.index.left_out if telling.context.index else ())
    ]


def undo(telling: Telling) -> list[str]:
    plan, groups = telling.plan, telling.context.groups
    if not plan.changes:
        return []
    number, space = str(plan.number), plan.space
    lines = [
        f"- all of this run: {command('revert', number, space=space)}",
        f"- the same while it is the last run: {command('undo', space=space)}",
    ]
    if groups:
        example = min(groups)
        lines.append(f"- one group of {len(groups)}: {command('revert', number, space=space, op=example)}")
    return lines


def made_with(telling: Telling) -> list[str]:
    plan = telling.plan
    return [
        f"- run {plan.run or 'none'} on {plan.base or 'nothing before'}, trigger {plan.trigger.value}",
        f"- policy {plan.policy_digest}, findings {plan.findings_digest}",
        f"- {counted(len(plan.changes), 'change')}, {plan.fused} of them counted against the fuse",
        *(f"- {quiet(model)}" for model in plan.models),
    ]
