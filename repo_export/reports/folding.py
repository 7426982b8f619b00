"""Several runs told as one: of each row what it was before the first and is after the last.

The net of a month is a plan like that of a night, so the sections of a report tell it as well. What went back and forth
has no net: it is told by its steps, and so is what came and went.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from dreamd.lifecycle.plan import Change, Counts, NearMiss, Plan, Subject
from dreamd.lifecycle.values import Claim, Row, Stream
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.happenings import WORDS, happenings_of, row_of, word_of
from dreamd.repo_export.reports.summary import headline

# What happened, and what takes it back.
BACK = (
    *(("faded", "woken"), ("quieter", "woken"), ("forgotten", "woken"), ("merged", "woken")),
    *(("promoted", "recomputed"), ("learnt", "unlearnt"), ("superseded", "restored"), ("retracted", "restored")),
    *(("promoted", "gone"), ("born", "gone"), ("pinned", "unpinned"), ("held", "released")),
)


class Step(NamedTuple):
    run: int
    word: str  # a key of happenings.WORDS


class Wandering(NamedTuple):
    """A row to which something happened that its net does not say."""

    subject: Subject
    stream: str | None
    text: str  # of a claim; "" of other rows
    steps: tuple[Step, ...]


class Dream(NamedTuple):
    number: int
    at: datetime
    headline: str
    can_go_back: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """What became of one space over several runs and quiet nights."""

    since: datetime
    net: Plan  # its changes are net; its number and instant are those of the last run; counts are summed
    dreams: tuple[Dream, ...]  # ascending
    wandering: tuple[Wandering, ...]
    along_the_way: dict[str, int]  # happenings by word, of all runs
    quiet: int  # nights that changed nothing
    closest: tuple[NearMiss, ...]  # of the last of them
    begins: datetime | None  # the instant of the space's first run, if that is later than `since`
    titles: dict[str, str]  # of the streams that any run changed, by id
    run_of: dict[Subject, int]  # which run changed a row last


def fold_of(
    plans: Sequence[Plan],
    empty: Plan,
    *,
    since: datetime,
    quiet: int,
    closest: tuple[NearMiss, ...],
    begins: datetime | None,
) -> Fold:
    """The fold of `plans`, ascending, of one space; `empty` is the plan of a night without changes, for none."""
    first: dict[Subject, Row | None] = {}
    last: dict[Subject, Change] = {}
    reason: dict[tuple[Subject, str], str] = {}  # why a row last got each word
    steps: dict[Subject, list[Step]] = {}
    titles: dict[str, str] = {}
    run_of: dict[Subject, int] = {}
    dreams, along = [], Counter[str]()
    for plan in plans:
        happenings = happenings_of(plan)
        dreams.append(Dream(plan.number, plan.now, headline(plan, happenings), plan.trigger is not Trigger.PURGE))
        for it in happenings:
            subject = it.change.subject
            first.setdefault(subject, it.change.before)
            last[subject], run_of[subject] = it.change, plan.number
            if it.word:
                along[it.word] += 1
                steps.setdefault(subject, []).append(Step(plan.number, it.word))
                reason[subject, it.word] = it.change.because
            if isinstance(row := row_of(it.change), Stream):
                titles[row.id] = row.title
    changes = []
    for subject in sorted(last):
        change = replace(last[subject], before=first[subject])
        if change.before != change.after:
            changes.append(replace(change, because=reason.get((subject, word_of(change)), change.because)))
    return Fold(
        since=since,
        net=replace(
            plans[-1] if plans else empty,
            changes=tuple(changes),
            counts=_summed(plans),
            problems=tuple({problem: None for plan in plans for problem in plan.problems}),
            comparisons=(),
            reverts=None,
            policy_change=None,
        ),
        dreams=tuple(dreams),
        wandering=tuple(_wandering(last, steps)),
        along_the_way=dict(along),
        quiet=quiet,
        closest=closest,
        begins=begins,
        titles=titles,
        run_of=run_of,
    )


def _summed(plans: Sequence[Plan]) -> Counts:
    """What all runs looked at; what waits for its date is what waits now."""
    counts = {name: sum(getattr(plan.counts, name) for plan in plans) for name in Counts.__dataclass_fields__}
    return replace(Counts(**counts), waiting=plans[-1].counts.waiting if plans else 0)


def _wandering(last: dict[Subject, Change], steps: dict[Subject, list[Step]]) -> Iterable[Wandering]:
    """The rows to which something happened and its opposite, what was loudest first."""
    order = {word: place for place, word in enumerate(WORDS)}
    found = []
    for subject, taken in steps.items():
        words = {step.word for step in taken}
        if subject.table != "link" and any(there in words and back in words for there, back in BACK):
            row = row_of(last[subject])
            stream = row.id if isinstance(row, Stream) else row.stream
            found.append(Wandering(subject, stream, row.text if isinstance(row, Claim) else "", tuple(taken)))
    return sorted(found, key=lambda it: (min(order[step.word] for step in it.steps), it.subject))
