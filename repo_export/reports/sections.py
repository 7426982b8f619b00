"""The sections that the report of one run and that of several have in common, and the page that sections make."""

from collections.abc import Iterable, Sequence

from dreamd.repo_export.edited import EDITED_HEADING, edited_lines
from dreamd.repo_export.markdown import escape_text
from dreamd.repo_export.reports import asking, doubting, ending, fading, learning
from dreamd.repo_export.reports.telling import Telling

Section = tuple[str, Sequence[str]]  # heading, lines; without lines it is left out


def happened(telling: Telling) -> tuple[Section, ...]:
    """What came of it. Fading by time comes first (design, section 5)."""
    return (
        ("Faded", fading.faded(telling)),
        ("Gone quiet", fading.gone_quiet(telling)),
        (EDITED_HEADING, edited_lines(telling.plan, telling.context.events)),
        ("Policy changed", fading.policy_changed(telling)),
        ("No longer true", ending.ended(telling)),
        ("Merged", ending.merged(telling)),
        ("Learnt", learning.learnt(telling)),
        ("Matured", learning.matured(telling)),
    )


def waiting(telling: Telling) -> tuple[Section, ...]:
    """What stands open, for a person or for more evidence."""
    return (
        ("Waiting for your answer", asking.answers(telling)),
        ("In quarantine", asking.quarantined(telling)),
        ("Files that wait for you", asking.files(telling)),
        ("Not sure of", doubting.unsure(telling)),
        ("Held back by a revert", doubting.held_back(telling)),
        ("Events without a stream", doubting.without_stream(telling)),
    )


def page_of(title: str, summary: Iterable[str], sections: Iterable[Section]) -> list[str]:
    """The lines of the page."""
    lines = [f"# {escape_text(title)}", "", *(f"- {line}" for line in summary)]
    for heading, body in sections:
        if body:
            lines += ["", f"## {heading}", "", *body]
    return lines
