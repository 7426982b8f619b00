"""How to undo the run, what it was made with, and what went wrong or found no room."""

from dreamd.lifecycle.told import counted
from dreamd.repo_export.index import MAX_BYTES, MAX_LINES
from dreamd.repo_export.markdown import command
from dreamd.repo_export.reports.telling import Telling, edits_and_problems, quiet

LEFT_OUT_NAMED = 30  # of what MEMORY.md has no room for


def problems(telling: Telling) -> list[str]:
    told = [f"- {quiet(problem.source)}: {quiet(problem.message)}" for problem in edits_and_problems(telling.plan)[1]]
    distillation = telling.context.distillation
    if distillation is not None and distillation.problem is not None:
        told.append(f"- distiller: {quiet(distillation.problem)}")
    return told


def room(telling: Telling) -> list[str]:
    """How much MEMORY.md holds and still could, what it had no room for and why, and what has no page yet."""
    index, standing = telling.context.index, telling.context.standing
    lines = []
    if index is not None:
        left_lines, left_bytes = max(MAX_LINES - index.line_count, 0), max(MAX_BYTES - index.size_bytes, 0)
        lines.append(
            f"- {index.line_count} of {MAX_LINES} lines and {index.size_bytes:,} of {MAX_BYTES:,} bytes are used; "
            f"{left_lines} lines and {left_bytes:,} bytes are left"
        )
        lines += [f"- not in it: {quiet(path)}: {quiet(reason)}" for path, reason in index.left_out[:LEFT_OUT_NAMED]]
        rest = len(index.left_out) - LEFT_OUT_NAMED
        lines += [f"- not in it: {rest} more, for the same reasons; the JSON has all"] if rest > 0 else []
    if standing.watched:
        look = command("streams", phase="pattern", space=telling.plan.space)
        lines.append(f"- {counted(standing.watched, 'young pattern')} without a page, too young to be sure of: {look}")
    return lines


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
