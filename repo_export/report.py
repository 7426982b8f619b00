"""The report of one run: what happened and why, what nearly happened, what waits for a person, and how to undo it.

The first ten lines are enough for most mornings. Below them stand the sections, each in a file of `reports/`. Times and
run ids are at home here and nowhere else in the repository.
"""

from dreamd.lifecycle.plan import Plan
from dreamd.repo_export.by_model import report_lines
from dreamd.repo_export.comparisons import kept_apart_lines, merged_lines
from dreamd.repo_export.markdown import command, escape_text
from dreamd.repo_export.reports import making
from dreamd.repo_export.reports.nearly import nearly_changed
from dreamd.repo_export.reports.sections import happened, page_of, waiting
from dreamd.repo_export.reports.streams import by_stream
from dreamd.repo_export.reports.summary import headline, summary_lines
from dreamd.repo_export.reports.telling import Telling


def report_path(plan: Plan) -> str:
    return f"reports/{plan.now:%Y}/{plan.now:%m}/{plan.number:06d}.md"


def report_json_path(plan: Plan) -> str:
    return f".dreamd/reports/{plan.number:06d}.json"


def render_report(telling: Telling) -> bytes:
    """The Markdown of a report."""
    plan = telling.plan
    summary = summary_lines(telling, escape_text)
    if plan.changes:
        summary.append(f"Undo all of it: {command('revert', str(plan.number), space=plan.space)}")
    sections = (
        *happened(telling),
        *waiting(telling),
        ("Changes by stream", by_stream(telling)),
        ("Says the same", merged_lines(plan)),
        ("Alike, but kept apart", kept_apart_lines(plan)),
        ("What nearly changed", nearly_changed(telling)),
        ("Problems", making.problems(telling)),
        ("Asked of a model", report_lines(telling.context.distillation, telling.titles)),
        ("Room in MEMORY.md", making.room(telling)),
        ("How to undo", making.undo(telling)),
        ("Made with", making.made_with(telling)),
    )
    lines = page_of(headline(plan, telling.happenings), summary, sections)
    return "".join(f"{line}\n" for line in lines).encode("utf-8")
