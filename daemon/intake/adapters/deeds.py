"""What each tool of Claude Code does, so that its call can be folded; a tool that is not known may do anything."""

from collections.abc import Mapping, Sequence

from dreamd.daemon.intake.adapters.records import text_of
from dreamd.daemon.intake.adapters.work import Deed, How, relative

_TOOLS: Mapping[How, str] = {
    "shell": "Bash",
    "edit": "Edit MultiEdit Write NotebookEdit",
    "look": "BashOutput Read NotebookRead Glob Grep LS LSP WebSearch ToolSearch ListMcpResourcesTool ReadMcpResourceTool TaskOutput",
    "delegate": "Task Agent SendMessage",
    "plan": "KillShell KillBash TodoRead TodoWrite TaskCreate TaskUpdate TaskList TaskGet TaskStop EnterPlanMode ExitPlanMode "
    "exit_plan_mode AskUserQuestion Skill SlashCommand EnterWorktree ExitWorktree",
}
_DOES: Mapping[str, How] = {name: how for how, names in _TOOLS.items() for name in names.split()}


def deed_of(name: str, given: Mapping[str, object], folders: Sequence[str]) -> Deed:
    """What a call of the tool `name` with the input `given` asks for; files relative to the first of `folders` they are in."""
    path = text_of(given.get("file_path")) or text_of(given.get("notebook_path")) or text_of(given.get("path"))
    for folder in folders:
        path = relative(path, folder)
    return Deed(
        how=_DOES.get(name, "other"),
        name=name or "tool",
        command=text_of(given.get("command")),
        files=(path,) if path else (),
    )
