"""`dreamd report --since`: which runs are meant, and all of them told as one for each space."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from dreamd.daemon.clock import parse_instant
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.hiding import hidden, hidden_plan
from dreamd.daemon.publish import tell
from dreamd.daemon.session import Session, nothing_ingested, several
from dreamd.daemon.storage.log import plan_of
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.telling import exported_index
from dreamd.daemon.times import instant_or_ago, rfc3339
from dreamd.lifecycle.plan import PLAN_SCHEMA, Counts, Plan
from dreamd.lifecycle.values import Link
from dreamd.lifecycle.words import Trigger
from dreamd.repo_export.happenings import row_of
from dreamd.repo_export.reports.folded import fold_as_json, render_fold
from dreamd.repo_export.reports.folding import fold_of

_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_RUN_ID = re.compile(r"run_[0-9a-f]{4,16}", re.ASCII)


def folds_since(opened: Session, asked: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The folds of the spaces since what was `asked`, as JSON and as lines. Raises Usage."""
    spaces = opened.spaces()
    if not spaces:
        raise nothing_ingested()
    if _NUMBER.fullmatch(asked) or _RUN_ID.fullmatch(asked):
        store, number = _run(spaces, asked)
        folded = [_fold(opened, store, after=number)]
    else:
        since = _instant(asked, opened.now)
        folded = [_fold(opened, store, since=since) for store in spaces]
    values = [value for value, _ in folded]
    lines = [line for place, (_, told) in enumerate(folded) for line in ([""] if place else []) + told]
    return values, lines


def _run(spaces: Iterable[SpaceStore], asked: str) -> tuple[SpaceStore, int]:
    """The one space with the run of that number or id, and its number."""
    having = []
    for store in spaces:
        numbers = [it.number for it in store.runs() if asked == str(it.number) or (asked[0] == "r" and asked in it.id)]
        having += [(store, number) for number in numbers]
    if len(having) == 1:
        return having[0]
    if having:
        raise several(sorted({store.space for store, _ in having}))
    raise Usage(f"--since: there is no run {asked}", "dreamd runs lists them")


def _instant(asked: str, now: datetime) -> datetime:
    """A day (its beginning in UTC), an instant with a zone, or so long ago; not after `now`."""
    try:
        since = parse_instant(f"{asked}T00:00:00Z") if _DATE.fullmatch(asked) else instant_or_ago(asked, now)
    except BadData as bad:
        raise Usage(f"--since: {bad.message}", bad.hint) from None
    if since > now:
        raise Usage(f"--since: {asked} is after now, {rfc3339(now)}", "give a time that has passed, such as 7d")
    return since


def _fold(
    opened: Session, store: SpaceStore, *, since: datetime | None = None, after: int = 0
) -> tuple[dict[str, Any], list[str]]:
    every = store.runs()
    base = next((record for record in every if record.number == after), None)
    begin = since if since is not None else base.now if base is not None else opened.now
    records = [record for record in every if record.number > after and (since is None or record.now >= since)]
    plans = [hidden_plan(plan_of(record, store.changes(record.number)), opened.redact) for record in records]
    quiet = [attempt for attempt in store.attempts() if attempt.number is None and attempt.at >= begin]
    begins = every[0].now if every and since is not None and every[0].now > since else None
    fold = fold_of(
        plans,
        _nothing(store.space, opened.now),
        since=begin,
        quiet=len(quiet),
        closest=quiet[0].near_misses if quiet else (),
        begins=begins,
    )
    index = exported_index(opened, store.space, every[-1].number) if every else None
    telling = tell(store, fold.net, opened.redact, index=index)
    edits = {
        row.event
        for plan in plans
        if plan.trigger is Trigger.EDIT
        for row in map(row_of, plan.changes)
        if isinstance(row, Link)
    }
    context = replace(
        telling.context,
        groups={},
        titles={**fold.titles, **telling.context.titles},
        events={**telling.context.events, **{it.id: hidden(it, opened.redact) for it in store.events(edits)}},
    )
    telling = replace(telling.with_context(context), run_of=fold.run_of)
    return fold_as_json(fold, telling), render_fold(fold, telling)


def _nothing(space: str, now: datetime) -> Plan:
    return Plan(
        schema=PLAN_SCHEMA,
        run="",
        number=0,
        space=space,
        base="",
        now=now,
        trigger=Trigger.DREAM,
        reverts=None,
        policy_digest="",
        findings_digest="",
        changes=(),
        fused=0,
        proposals=(),
        near_misses=(),
        problems=(),
        counts=Counts(),
    )
