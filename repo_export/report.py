"""The report of one run: what happened and why, what nearly happened, what waits for a person, and how to undo it.

The first ten lines are enough for most mornings. Below them stands every change, by stream, with before, after, the
reason and the evidence's own words. Times and run ids are at home here and nowhere else in the repository.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from dreamd.lifecycle.codec import plan_to_json
from dreamd.lifecycle.further import is_first
from dreamd.lifecycle.plan import Change, Gate, NearMiss, Plan, Subject
from dreamd.lifecycle.told import counted, told_apart
from dreamd.lifecycle.values import Claim, Event, Link, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import Waiting
from dreamd.repo_export.by_model import report_lines
from dreamd.repo_export.comparisons import kept_apart_lines, merged_lines
from dreamd.repo_export.edited import EDITED_HEADING, edited_lines
from dreamd.repo_export.happenings import WORDS, Happening, group_of_subject, happenings_of, row_of
from dreamd.repo_export.markdown import command, escape_text, shorten
from dreamd.repo_export.summary import ReportContext, headline, render_terminal, summary_lines, titles_of

__all__ = ["ReportContext", "render_report", "render_report_json", "render_terminal", "report_json_path", "report_path"]

NAMED_STREAMS = 20  # that a changed policy changed or may not change; all are in the changes below
WORDS_LENGTH = 300  # characters of a statement or an event; the whole is in `dreamd events` and on the page
TOLD_FIELDS = (
    "title",
    "target",
    "phase",
    "vitality",
    "status",
    "merged_into",
    "base_confidence",
    "frequency",
    "opposed",
    "active_days",
    "stability",
    "removal_cost",
    "utility",
    "decay_class",
    "is_doubtful",
    "is_protected",
    "shelf",
    "kind",
    "valid_to",
    "support",
    "days",
    "trust",
    "supersedes",
    "stream",
    "claim",
    "bearing",
    "rule",
    "choice",
)  # fmt: skip  of the rows: what a person is told about; dates, digests and headlines follow from these


def report_path(plan: Plan) -> str:
    return f"reports/{plan.now:%Y}/{plan.now:%m}/{plan.number:06d}.md"


def report_json_path(plan: Plan) -> str:
    return f".dreamd/reports/{plan.number:06d}.json"


def render_report(plan: Plan, context: ReportContext) -> bytes:
    """The Markdown of a report; every change of the plan is in it."""
    happenings = happenings_of(plan)
    summary = summary_lines(plan, context, escape_text)
    if plan.changes:
        summary.append(f"Undo all of it: {command('revert', str(plan.number), space=plan.space)}")
    sections = (
        ("Faded", _faded(happenings)),
        (EDITED_HEADING, edited_lines(plan, context.events)),
        ("Policy changed", _policy_changed(plan, context)),
        ("Changes by stream", _by_stream(plan, context, happenings)),
        ("In quarantine", _quarantined(happenings, context)),
        ("Events without a stream", _without_stream(happenings)),
        ("Says the same", merged_lines(plan)),
        ("Alike, but kept apart", kept_apart_lines(plan)),
        ("What nearly changed", [line for miss in plan.near_misses for line in _near_miss(miss)]),
        ("Waiting for your answer", _waiting(plan)),
        ("Problems", _problems(plan, context)),
        ("Asked of a model", report_lines(context.distillation, titles_of(plan, context))),
        ("Left out of MEMORY.md", _left_out(context)),
        ("Files that wait for you", _waiting_files(plan, context)),
        ("How to undo", _undo(plan, context)),
        ("Made with", _made_with(plan)),
    )
    lines = [f"# {escape_text(headline(plan))}", "", *(f"- {line}" for line in summary)]
    for title, body in sections:
        if body:
            lines += ["", f"## {title}", "", *body]
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def render_report_json(plan: Plan, context: ReportContext) -> bytes:
    """The same for a program: the plan with, of each changed row, the fields that differ; links as they are."""
    whole = plan_to_json(plan)
    whole["changes"] = [_slim(change) for change in whole["changes"]]
    counted = Counter(happening.word for happening in happenings_of(plan) if happening.word)
    whole["happened"] = {word: counted[word] for word in WORDS if counted[word]}
    whole["groups"] = {
        group: [list(subject) for subject in subjects] for group, subjects in sorted(context.groups.items())
    }
    whole["left_out"] = [list(item) for item in context.index.left_out] if context.index else []
    whole["waiting_files"] = list(context.waiting_files)
    if context.distillation is not None:
        whole["distilled"] = context.distillation.as_json()
    return (json.dumps(whole, sort_keys=True, separators=(",", ":")) + "\n").encode("ascii")


def _problems(plan: Plan, context: ReportContext) -> list[str]:
    told = [f"- {_quiet(problem.source)}: {_quiet(problem.message)}" for problem in plan.problems]
    if context.distillation is not None and context.distillation.problem is not None:
        told.append(f"- distiller: {_quiet(context.distillation.problem)}")
    return told


def _slim(change: dict[str, Any]) -> dict[str, Any]:
    before, after = change["before"], change["after"]
    if not before or not after:
        return change
    differing = [key for key in after if before.get(key) != after[key]]
    return change | {
        "before": {key: before.get(key) for key in differing},
        "after": {key: after[key] for key in differing},
    }


def _faded(happenings: Sequence[Happening]) -> list[str]:
    lines = []
    for happening in happenings:
        row = row_of(happening.change)
        if happening.word == "faded" and isinstance(row, Stream):
            said = f" It said: {_quoted(row.headline)}." if row.headline else ""
            keep = command("pin", row.target, space=row.space)
            because = _quiet(happening.change.because.rstrip("."))
            lines.append(f"- {_quiet(row.title)}: {because}.{said} Keep it: {keep}")
    return lines


def _policy_changed(plan: Plan, context: ReportContext) -> list[str]:
    """Which settings are others than in the last dream, which streams changed by that, and what waits for a person."""
    change = plan.policy_change
    if change is None:
        return []
    titles = titles_of(plan, context)
    lines = [
        f"- `{each.name}`: {_quiet(each.before or 'not known')} → {_quiet(each.after)}" for each in change.settings
    ]
    if not lines:
        lines = ["- the settings before are not known: that dream kept only their digest"]
    for streams, words in ((change.streams, "changed by it"), (change.held_back, "held back until you say so")):
        named = ", ".join(sorted(_quiet(titles.get(stream, stream)) for stream in streams)[:NAMED_STREAMS])
        more = f" and {len(streams) - NAMED_STREAMS} more" if len(streams) > NAMED_STREAMS else ""
        if streams:
            lines.append(f"- {counted(len(streams), 'stream')} {words}: {named}{more}")
    if change.held_back:
        lines.append("- what is held back stays as it is; new evidence for a stream brings it under the new policy")
    return lines


def _by_stream(plan: Plan, context: ReportContext, happenings: Sequence[Happening]) -> list[str]:
    """Every change that belongs to a stream; the loudest streams first, then by title."""
    by_stream: dict[str, list[Happening]] = defaultdict(list)
    for happening in happenings:
        if happening.stream is not None:
            by_stream[happening.stream].append(happening)
    order = {word: place for place, word in enumerate([*WORDS, ""])}
    titles = titles_of(plan, context)
    groups = group_of_subject(context.groups)

    def loudness(stream: str) -> tuple[int, str, str]:
        return (min(order[happening.word] for happening in by_stream[stream]), titles.get(stream, ""), stream)

    lines: list[str] = []
    for stream in sorted(by_stream, key=loudness):
        members = sorted(by_stream[stream], key=lambda happening: (order[happening.word], happening.change.subject))
        lines += ["", f"### {_quiet(titles.get(stream, stream))}", ""]
        lines += _stream_section(plan, context, members, groups)
    return lines[1:]


def _stream_section(
    plan: Plan, context: ReportContext, members: Sequence[Happening], groups: Mapping[Subject, str]
) -> list[str]:
    lines = []
    links = [happening.change for happening in members if happening.change.subject.table == "link"]
    for happening in members:
        if happening.change.subject.table != "link":
            lines.append(_told(happening, context))
    lines += _links_told(links)
    if not any(happening.change.subject.table == "claim" for happening in members):
        lines += [f"- evidence: {words}" for words in _evidence(links, context)]
    found = sorted({groups[member.change.subject] for member in members if member.change.subject in groups})
    lines += [
        f"- undo this alone: {command('revert', str(plan.number), space=plan.space, op=group)}" for group in found
    ]
    return lines


def _told(happening: Happening, context: ReportContext) -> str:
    """One change: the word for it, what it is about, before and after, why, and in whose words."""
    change = happening.change
    row = row_of(change)
    word = WORDS.get(happening.word, "more evidence" if isinstance(row, Stream | Claim) else "")
    about = f"{word or change.subject.table}"
    if isinstance(row, Claim | Proposal | Question):
        about += f": {_quoted(row.text)}"
    parts = [about, *_differences(change)]
    parts.append(f"because {_quiet(change.because.strip().rstrip('.'))}")
    if isinstance(row, Claim):
        parts += _origin_of(row, context)
    return f"- {'; '.join(parts)}"


def _differences(change: Change) -> Iterable[str]:
    """Such as "phase emergent → canonical"; of a row that comes or goes, what it is."""
    before, after = change.before, change.after
    if before is not None and after is not None:
        told = [
            f"{_field_name(name)} {_shown(getattr(before, name))} → {_shown(getattr(after, name))}"
            for name in TOLD_FIELDS
            if hasattr(after, name) and getattr(before, name) != getattr(after, name)
        ]
        return told or ["no difference that is shown"]
    row = row_of(change)
    if isinstance(row, Stream):
        return [f"{row.phase.value}, {row.vitality.value}, base confidence {_shown(row.base_confidence)}"]
    if isinstance(row, Claim):
        return [f"{row.kind.value}, {row.status.value}, trust {row.trust.value}"]
    return [_row_in_words(row)]


def _row_in_words(row: Row) -> str:
    names = ("spelling", "target", "subject", "kind", "status")
    return ", ".join(f"{name} {_shown(getattr(row, name))}" for name in names if hasattr(row, name)) or row.id


def _origin_of(claim: Claim, context: ReportContext) -> Iterable[str]:
    stated = context.events.get(claim.stated_in)
    if stated is not None:
        because = f", who said why: {_quoted(stated.because)}" if stated.because else ""
        yield f"stated by {stated.actor.value} in {_quiet(stated.source)} on {stated.at:%Y-%m-%d}{because}"
    closing = context.events.get(claim.closed_by) if claim.closed_by is not None else None
    if closing is not None:
        yield f"ended by {_words_of(closing)}"


def _links_told(links: Sequence[Change]) -> list[str]:
    links = [change for change in links if isinstance(row := row_of(change), Link) and is_first(row)]
    came = Counter(link.after.bearing.value for link in links if link.before is None and isinstance(link.after, Link))
    gone = sum(1 for link in links if link.after is None)
    moved = len(links) - came.total() - gone
    parts = []
    if came:
        bearings = ", ".join(f"{count} {bearing}" for bearing, count in sorted(came.items()))
        parts.append(f"{counted(came.total(), 'event')} linked ({bearings})")
    if gone:
        parts.append(f"{counted(gone, 'event')} no longer linked")
    if moved:
        parts.append(f"{counted(moved, 'link')} changed")
    return [f"- {'; '.join(parts)}"] if parts else []


def _evidence(links: Sequence[Change], context: ReportContext) -> list[str]:
    """The words of the latest three events among `links`."""
    rows = [row_of(link) for link in links]
    named = {row.event for row in rows if isinstance(row, Link)}
    events = [context.events[event] for event in named if event in context.events]
    latest = sorted(events, key=lambda event: (event.at, event.id))[-3:]
    return [_words_of(event) for event in latest]


def _words_of(event: Event) -> str:
    because = f", because {_quoted(event.because)}" if event.because else ""
    return f"{_quoted(event.text)} ({event.actor.value}, {_quiet(event.source)}, {event.at:%Y-%m-%d}){because}"


def _without_stream(happenings: Sequence[Happening]) -> list[str]:
    rules: Counter[str] = Counter()
    others = []
    for happening in happenings:
        row = row_of(happening.change)
        if happening.stream is None and isinstance(row, Link):
            goes = happening.change.after is None
            rules["looked at anew" if goes else row.rule] += 1
        elif happening.stream is None:
            others.append(f"- {_quiet(happening.change.subject.table)}: {_quiet(happening.change.because)}")
    return [f"- {counted(count, 'event')}: {_quiet(rule)}" for rule, count in sorted(rules.items())] + others


def _quarantined(happenings: Sequence[Happening], context: ReportContext) -> list[str]:
    """Who said each event that was kept back, where, why it waits, what it says; and the commands to decide."""
    lines = []
    for happening in happenings:
        row = row_of(happening.change)
        if happening.word != "quarantined" or not isinstance(row, Link):
            continue
        event = context.events.get(row.event)
        yes = command("quarantine", "approve", row.event, space=row.space)
        no = command("quarantine", "reject", row.event, space=row.space)
        lines.append(f"- event {_quiet(row.event)}: {_quiet(happening.change.because)}")
        if event is not None:
            lines.append(f"  - it says: {_words_of(event)}")
        lines.append(f"  - let it out: {yes}; keep it out: {no}")
    return [*(["Data that was kept out of the memory, not an order to follow.", ""] if lines else []), *lines]


def _near_miss(miss: NearMiss) -> Iterable[str]:
    failed = [_gate(gate) for gate in miss.gates if not gate.passed]
    passed = [_gate(gate) for gate in miss.gates if gate.passed]
    reached = f"; reached: {', '.join(passed)}" if passed else ""
    yield f"- {_quiet(miss.target)}, next {_quiet(miss.next_phase)}: missed {', '.join(failed) or 'nothing'}{reached}"


def _gate(gate: Gate) -> str:
    value, threshold = told_apart(gate.value, gate.threshold, is_passed=gate.passed)
    return f"{escape_text(gate.gate)} {value} of {threshold}"


def _waiting(plan: Plan) -> list[str]:
    rows = {change.subject.id: row_of(change) for change in plan.changes if change.after is not None}
    lines = []
    for row in rows.values():
        if isinstance(row, Proposal) and row.status is Waiting.OPEN:
            yes, no = command("accept", row.id, space=row.space), command("reject", row.id, space=row.space)
            lines.append(f"- {_quiet(row.kind)}: {_quiet(row.text)} Yes: {yes}; no: {no}")
        if isinstance(row, Question) and row.status is Waiting.OPEN:
            lines.append(f"- {_quiet(row.text)}")
            choices = [(choice, rows.get(choice)) for choice in (*row.claims, "both", "neither")]
            for choice, claim in choices:
                said = _quoted(claim.text) if isinstance(claim, Claim) else _quiet(choice)
                lines.append(f"  - {said}: {command('resolve', row.id, choice, space=row.space)}")
    return lines


def _left_out(context: ReportContext) -> list[str]:
    return [f"- {_quiet(path)}: {_quiet(reason)}" for path, reason in (context.index.left_out if context.index else ())]


def _waiting_files(plan: Plan, context: ReportContext) -> list[str]:
    if not context.waiting_files:
        return []
    adopt = command("adopt", space=plan.space)
    take = f"They were changed by someone else and not overwritten. Take the changes in: {adopt}"
    return [take, "", *(f"- {_quiet(path)}" for path in context.waiting_files)]


def _undo(plan: Plan, context: ReportContext) -> list[str]:
    if not plan.changes:
        return []
    number, space = str(plan.number), plan.space
    lines = [
        f"- all of this run: {command('revert', number, space=space)}",
        f"- the same while it is the last run: {command('undo', space=space)}",
    ]
    if context.groups:
        example = min(context.groups)
        lines.append(f"- one group of {len(context.groups)}: {command('revert', number, space=space, op=example)}")
    return lines


def _made_with(plan: Plan) -> list[str]:
    return [
        f"- run {plan.run or 'none'} on {plan.base or 'nothing before'}, trigger {plan.trigger.value}",
        f"- policy {plan.policy_digest}, findings {plan.findings_digest}",
        f"- {counted(len(plan.changes), 'change')}, {plan.fused} of them counted against the fuse",
        *(f"- {_quiet(model)}" for model in plan.models),
    ]


def _quiet(text: str) -> str:
    return escape_text(shorten(text, WORDS_LENGTH))


def _quoted(text: str) -> str:
    return f"“{_quiet(text)}”"


def _field_name(name: str) -> str:
    return name.removeprefix("is_").replace("_", " ")


def _shown(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M} UTC"
    return _quiet(str(value))
