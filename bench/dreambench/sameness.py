"""What is held to be one and what is held to be true.

Each function gives the targets that fail, and how many were judged.
"""

from collections.abc import Iterator

from bench.dreambench.watch import Watched
from dreamd.daemon.simulate.values import Says, Target, Truth

Found = tuple[list[Target], int]


def stale_current(watched: Watched) -> Found:
    """Targets on some night of which what had been changed or corrected was current."""
    judged = [target for target, truth in _of(watched, Says.NOT_CURRENT) if _is_over(watched, truth)]
    return [target for target in judged if target.name in watched.stale], len(judged)


def not_readable(watched: Watched) -> Found:
    """Targets whose earlier statement cannot be read any more: as superseded with its end, or as retracted."""
    judged, failing = 0, []
    for says, status in ((Says.SUPERSEDED, "superseded"), (Says.RETRACTED, "retracted")):
        for target, truth in _of(watched, says):
            if _is_over(watched, truth):
                judged += 1
                said = [one for one in watched.statements[target.name] if one.text in truth.texts]
                has_end = all(one.ended_at is not None for one in said) or status == "retracted"
                if not said or any(one.status != status for one in said) or not has_end:
                    failing.append(target)
    return failing, judged


def false_merges(watched: Watched) -> Found:
    judged = [found for found in _groups(watched, Says.APART) if len(found[1]) > 1]
    return [target for target, groups, _ in judged if len(set(groups)) < len(groups)], len(judged)


def missed_merges(watched: Watched) -> Found:
    judged = list(_groups(watched, Says.TOGETHER))
    return [target for target, groups, most in judged if len(set(groups)) > (most or 1)], len(judged)


def spellings_apart(watched: Watched) -> Found:
    """Targets whose spellings that came lead to more than one stream."""
    known = set(watched.nights[-1])
    judged = [target for target, _ in _of(watched, Says.ONE_STREAM)]
    failing = []
    for target in judged:
        came = {happening.target for happening in target.happenings}
        if len({watched.keys[name] for name in came} & known) > 1:
            failing.append(target)
    return failing, len(judged)


def trusted_outsiders(watched: Watched) -> Found:
    judged = [target for target, _ in _of(watched, Says.EXTERNAL)]
    failing = [target for target in judged if any(one.trust != "external" for one in watched.statements[target.name])]
    return failing, len(judged)


def without_lesson(watched: Watched) -> Found:
    """Targets that were fixed, without a lesson that names the fix."""
    judged, failing = 0, []
    for target, truth in _of(watched, Says.LESSON):
        if _is_over(watched, truth):
            judged += 1
            lessons = [one.text for one in watched.statements[target.name] if one.kind == "lesson"]
            if not any(text in lesson for lesson in lessons for text in truth.texts):
                failing.append(target)
    return failing, judged


def _of(watched: Watched, says: Says) -> Iterator[tuple[Target, Truth]]:
    return ((target, truth) for target in watched.history.targets for truth in target.truths if truth.says is says)


def _groups(watched: Watched, says: Says) -> Iterator[tuple[Target, list[str], int | None]]:
    """The groups of those of a target's texts that came, one each."""
    for target, truth in _of(watched, says):
        by_text = {said.text: said.group for said in watched.statements[target.name]}
        yield target, [by_text[text] for text in truth.texts if text in by_text], truth.most


def _is_over(watched: Watched, truth: Truth) -> bool:
    """Whether what the truth speaks of has happened in the history."""
    return truth.since is not None and truth.since < watched.history.calendar.end
