"""The report for a program: one slim object, with what happened by stream and by id. `docs/reports.md` has its fields.

It is derived: the log holds every row before and after (`dreamd diff RUN --json`), the pages hold the words. So of a
stream only the crossing is here, of a statement only its id, of a link only the count.
"""

import json
from collections import Counter, defaultdict
from operator import attrgetter
from typing import Any

from dreamd.lifecycle.codec import (
    instant_to_json,
    near_miss_to_json,
    policy_change_to_json,
    problem_to_json,
)
from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.values import Claim, Link, Stream
from dreamd.repo_export.happenings import WORDS, Happening, row_of
from dreamd.repo_export.index import MAX_BYTES, MAX_LINES
from dreamd.repo_export.reports.summary import headline
from dreamd.repo_export.reports.telling import Telling

SCHEMA = 2  # to be raised when a field changes its meaning or goes
CROSSINGS = ("phase", "vitality", "status", "merged_into", "base_confidence", "is_doubtful", "is_protected")
_CROSSING = attrgetter(*CROSSINGS)


def report_as_json(telling: Telling) -> dict[str, Any]:
    plan, context = telling.plan, telling.context
    value: dict[str, Any] = {
        "schema": SCHEMA,
        "space": plan.space,
        "run": plan.number,
        "id": plan.run,
        "base": plan.base or None,
        "at": instant_to_json(plan.now),
        "trigger": plan.trigger.value,
        "reverts": plan.reverts,
        "headline": headline(plan, telling.happenings),
        "policy_digest": plan.policy_digest,
        "findings_digest": plan.findings_digest,
        "models": list(plan.models),
        "counts": {name: getattr(plan.counts, name) for name in plan.counts.__dataclass_fields__},
        "changes": len(plan.changes),
        "fused": plan.fused,
        "happened": {word: len(telling.by_word[word]) for word in WORDS if word in telling.by_word},
        "streams": [_stream(telling, stream) for stream in sorted(telling.by_stream)],
        "without_stream": _without_stream(telling),
        "proposals": list(plan.proposals),
        "near_misses": [near_miss_to_json(miss) for miss in plan.near_misses],
        "problems": [problem_to_json(problem) for problem in plan.problems],
        "policy_change": policy_change_to_json(plan.policy_change),
        "compared": _compared(telling),
        "standing": context.standing.as_json(),
        "memory": _room(telling),
        "waiting_files": list(context.waiting_files),
    }
    if context.distillation is not None:
        value["distilled"] = context.distillation.as_json()
    return value


def render_report_json(telling: Telling) -> bytes:
    return (json.dumps(report_as_json(telling), sort_keys=True, separators=(",", ":")) + "\n").encode("ascii")


def _stream(telling: Telling, stream: str) -> dict[str, Any]:
    value: dict[str, Any] = {"id": stream, "title": telling.titles.get(stream)}
    happened: Counter[str] = Counter()
    claims: dict[str, list[str]] = defaultdict(list)
    events = 0
    for it in telling.by_stream[stream]:
        happened[it.word] += bool(it.word)
        table, row = it.change.subject.table, row_of(it.change)
        if table == "link":
            events += isinstance(row, Link) and is_first(row)
        elif isinstance(row, Claim) and it.word:
            claims[it.word].append(row.id)
        elif isinstance(row, Stream):
            value |= _crossing(it)
    value["happened"] = {word: count for word, count in happened.items() if count}
    if claims:
        value["claims"] = claims
    if events:
        value["events"] = events  # linked, no longer linked or linked otherwise
    value["groups"] = telling.groups_of(stream)
    return value


def _crossing(happening: Happening) -> dict[str, Any]:
    """What differs of a stream's `CROSSINGS`; of one that comes or goes, all."""
    before, after = happening.change.before, happening.change.after
    old, new = before and _CROSSING(before), after and _CROSSING(after)
    places = range(len(CROSSINGS)) if not old or not new else [at for at, it in enumerate(old) if it != new[at]]
    return {
        "target": getattr(after or before, "target", None),
        "before": {CROSSINGS[at]: _short(old[at]) for at in places} if old else None,
        "after": {CROSSINGS[at]: _short(new[at]) for at in places} if new else None,
    }


def _short(value: Any) -> Any:
    """A number to four places: nothing packs the rest, and the log has it."""
    return round(value, 4) if isinstance(value, float) else value


def _compared(telling: Telling) -> dict[str, Any]:
    """How many statements were found to say the same, and how many each guard kept from it."""
    guards = Counter(found.guard for found in telling.plan.comparisons)
    merged = guards.pop("", 0)
    return {"merged": merged, "kept_apart": dict(sorted(guards.items()))}


def _room(telling: Telling) -> dict[str, Any] | None:
    """How full MEMORY.md is; None: not known, since this report was not made with an export."""
    index = telling.context.index
    if index is None:
        return None
    return {
        "lines": index.line_count,
        "max_lines": MAX_LINES,
        "bytes": index.size_bytes,
        "max_bytes": MAX_BYTES,
        "left_out": [list(item) for item in index.left_out],
    }


def _without_stream(telling: Telling) -> dict[str, int]:
    """How many changes belong to no stream, by table, of links by their rule."""
    often: Counter[str] = Counter()
    for it in telling.happenings:
        if it.stream is None:
            row = row_of(it.change)
            often[row.rule if isinstance(row, Link) else it.change.subject.table] += 1
    return dict(sorted(often.items()))
