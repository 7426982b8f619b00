"""The message of the one commit of a run: what happened on one line, and trailers that tie the commit to the log.

Export catches up by the trailers, so they are written the same way always, and no text from a memory can add one.
"""

from collections.abc import Sequence

from dreamd.lifecycle import told
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.happenings import Happening, counts_in_words

SUBJECT_LENGTH = 72  # characters; what `git log --oneline` shows on a terminal
RUN_TRAILER = "Dreamd-Run"
BASE_TRAILER = "Dreamd-Base"
NUMBER_TRAILER = "Dreamd-Number"


def commit_message(plan: Plan, happenings: Sequence[Happening], *, is_known: bool = True) -> str:
    """Subject, a body of a few lines, trailers; ends with a line break.

    `is_known`: whether the log still holds what the run changed.
    """
    counted = counts_in_words(happenings)
    deed = {Trigger.DREAM: ""}.get(plan.trigger, f"{plan.trigger.value} ")
    if plan.reverts is not None:
        deed = f"revert of dream {plan.reverts}, "
    subject = f"dream {plan.number}: {deed}"
    # Whole parts only: half a count would say something else.
    parts = list(counted or (f"{told.counted(len(plan.changes), 'row')} of evidence",))
    if plan.trigger is Trigger.PURGE:  # it tells nothing of what is gone
        parts = ["of what a person named"]
    elif not is_known:
        parts = ["what was known by then"]
    while len(parts) > 1 and len(subject + ", ".join(parts)) > SUBJECT_LENGTH:
        parts.pop()
    rows = f"{told.counted(len(plan.changes), 'row')} changed" if is_known else "the log let go what changed"
    body = [f"{told.counted(plan.counts.examined, 'event')} read, {rows}."]
    if len(parts) < len(counted):
        body.append(f"All: {', '.join(counted)}.")
    trailers = (
        f"{RUN_TRAILER}: {plan.run}",
        f"{BASE_TRAILER}: {plan.base or 'none'}",
        f"{NUMBER_TRAILER}: {plan.number}",
    )
    return "\n".join(((subject + ", ".join(parts))[:SUBJECT_LENGTH], "", *body, "", *trailers, ""))
