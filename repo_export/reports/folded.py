"""The report of several runs: as Markdown for a person, and as JSON."""

from collections.abc import Iterable
from typing import Any

from dreamd.lifecycle.codec import instant_to_json, near_miss_to_json
from dreamd.lifecycle.told import counted
from dreamd.repo_export.happenings import WORDS, counts_in_words
from dreamd.repo_export.markdown import command, escape_text
from dreamd.repo_export.reports import learning, making
from dreamd.repo_export.reports.as_json import report_as_json
from dreamd.repo_export.reports.folding import Fold, Wandering
from dreamd.repo_export.reports.nearly import missed
from dreamd.repo_export.reports.sections import happened, page_of, waiting
from dreamd.repo_export.reports.streams import by_stream
from dreamd.repo_export.reports.summary import highlights, waiting_in_words
from dreamd.repo_export.reports.telling import Telling, quiet, quoted

DREAMS_NAMED = 40
WANDERING_NAMED, STEPS_NAMED = 40, 6
_OF_ONE_RUN = ("run", "id", "base", "trigger", "reverts", "policy_digest", "findings_digest", "models", "fused")


def render_fold(fold: Fold, telling: Telling) -> list[str]:
    """The lines; `telling` is of the fold's net plan, with what stands open now."""
    sections = (
        *happened(telling),
        ("Back and forth", _wandered(fold)),
        *waiting(telling),
        ("By stream, from first to last", by_stream(telling)),
        ("Problems", making.problems(telling)),
        ("Room in MEMORY.md", making.room(telling)),
        ("The dreams", _dreams(fold)),
    )
    return page_of(headline_of(fold, telling), _summary(fold, telling), sections)


def fold_as_json(fold: Fold, telling: Telling) -> dict[str, Any]:
    """The fields of a report for the net of all runs, but those of one run; and what only a fold has."""
    value = {name: told for name, told in report_as_json(telling).items() if name not in _OF_ONE_RUN}
    return value | {
        "headline": headline_of(fold, telling),
        "since": instant_to_json(fold.since),
        "runs": [dream.number for dream in fold.dreams],
        "dreams": [
            {"run": dream.number, "at": instant_to_json(dream.at), "headline": dream.headline} for dream in fold.dreams
        ],
        "quiet": fold.quiet,
        "near_misses": [near_miss_to_json(miss) for miss in fold.closest],
        "along_the_way": {word: fold.along_the_way[word] for word in WORDS if word in fold.along_the_way},
        "back_and_forth": [
            {
                "table": it.subject.table,
                "id": it.subject.id,
                "stream": it.stream,
                "title": fold.titles.get(it.stream or ""),
                "steps": [list(step) for step in it.steps],
            }
            for it in fold.wandering
        ],
    }


def headline_of(fold: Fold, telling: Telling) -> str:
    """Such as "Dreams 3 to 9 of ops: 2 faded, 14 learnt"."""
    space = telling.plan.space
    if not fold.dreams:
        return f"Nothing changed in {space}"
    first, last = fold.dreams[0].number, fold.dreams[-1].number
    dreams = f"Dream {first}" if first == last else f"Dreams {first} to {last}"
    in_words = ", ".join(counts_in_words(telling.happenings))
    return f"{dreams} of {space}: {in_words or 'nothing that stayed'}"


def _summary(fold: Fold, telling: Telling) -> Iterable[str]:
    counts = fold.net.counts
    nights = f"{counted(len(fold.dreams), 'run')}, {counted(fold.quiet, 'quiet night')}"
    read = f"{counted(counts.examined, 'event')} read, {counts.untargeted} of them without a target"
    last = f"{fold.dreams[-1].at:%Y-%m-%d %H:%M} UTC" if fold.dreams else "now"
    yield f"Since {fold.since:%Y-%m-%d %H:%M} UTC, up to {last}: {nights}; {read}"
    if fold.begins is not None:
        yield f"That is all there is: the first dream was on {fold.begins:%Y-%m-%d %H:%M} UTC"
    if fold.quiet:
        nights = "1 night" if fold.quiet == 1 else f"{fold.quiet} nights"
        closest = missed(fold.closest[0]) if fold.closest else "nothing is on its way"
        yield f"{nights} changed nothing; closest: {closest}"
    if waiting := waiting_in_words(telling):
        yield f"Waiting for you: {', '.join(waiting)}."
    yield from highlights(telling, escape_text)
    if fold.wandering:
        yield f"Back and forth: {counted(len(fold.wandering), 'thing')} changed and changed again, told below."


def _wandered(fold: Fold) -> list[str]:
    """What changed and changed back, by its steps; the streams that only slept and woke on one line."""
    slept = [it for it in fold.wandering if {step.word for step in it.steps} <= {"quieter", "woken"}]
    others = [it for it in fold.wandering if it not in slept]
    lines = [_steps(it, fold) for it in others[:WANDERING_NAMED]]
    rest = len(others) - WANDERING_NAMED
    lines += [f"- and {rest} more; the JSON has all"] if rest > 0 else []
    titles = [fold.titles.get(it.subject.id, it.subject.id) for it in slept]
    return [*lines, f"- went quiet and woke again: {learning.named(titles)}"] if slept else lines


def _steps(it: Wandering, fold: Fold) -> str:
    title = quiet(fold.titles.get(it.stream or "", it.stream or it.subject.table))
    said = f": {quoted(it.text)}" if it.text else "" if it.subject.table == "stream" else f" ({it.subject.table})"
    steps = ", then ".join(f"{WORDS[step.word]} in dream {step.run}" for step in it.steps[:STEPS_NAMED])
    more = f", and {counted(len(it.steps) - STEPS_NAMED, 'more step')}" if len(it.steps) > STEPS_NAMED else ""
    return f"- {title}{said}: {steps}{more}"


def _dreams(fold: Fold) -> list[str]:
    """Each dream on a line, the newest first; any of them can be looked at and taken back."""
    newest = fold.dreams[::-1]
    lines = [f"- {dream.at:%Y-%m-%d %H:%M} UTC: {escape_text(dream.headline)}" for dream in newest[:DREAMS_NAMED]]
    rest = len(newest) - DREAMS_NAMED
    lines += (
        [f"- and {counted(rest, 'dream')} before; see: {command('runs', space=fold.net.space)}"] if rest > 0 else []
    )
    if newest:
        space = fold.net.space
        look = command("report", str(newest[0].number), space=space)
        numbers = [str(dream.number) for dream in newest if dream.can_go_back]
        back = f"; taken back: {command('revert', numbers[0], space=space)}" if numbers else ""
        lines.append(f"- one of them in full: {look}{back}")
    return lines
