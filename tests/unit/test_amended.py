"""Commits that had to be amended: only where the later one says so, about the same target."""

import pytest

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.practice.lessons import lessons, touched
from dreamd.reflection.practice.values import Told
from tests.builders import an_event, day

FIRST = "feat(queue): keep jobs in order (#41)"


def commit(text: str, at: float, because: str | None = None, target: str = "queue", sha: str = "0") -> Told:
    source = f"git:{sha * 40}"
    event = an_event(text, day(at), kind=EventKind.COMMIT, because=because, target=target, source=source, session=None)
    return Told(event=event, stream=target)


def texts(*told: Told) -> list[str]:
    return [lesson.text for lesson in lessons(told, {"queue", "mailer"})]


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("fix(queue): a regression introduced in #41", None),
        ("fix(queue): jobs came twice", "Follow-up to #41, which forgot the second worker."),
        ("revert(queue): keep jobs in order (#41)", None),
        ('Revert "feat(queue): keep jobs in order"', "This reverts commit aaaaaaaaaaaa."),
    ],
)
def test_a_fix_that_names_the_commit_that_it_amends_is_a_lesson_that_cites_both(text: str, because: str | None) -> None:
    first, second = commit(FIRST, 1, sha="a"), commit(text, 40, because, sha="b")
    (lesson,) = lessons([second, first], {"queue"})
    assert lesson.text == f'After "{FIRST}", "{text}" was needed'
    assert lesson.tried[0].evidence == (first.event, second.event)


@pytest.mark.parametrize(
    "second",
    [
        commit("fix(queue): jobs came twice", 40, "Closes #41"),
        commit("feat(queue): more order", 40, "Follow-up to #41"),
        commit("fix(queue): jobs came twice", 40, "Follow-up to #42"),
        commit("fix(queue): jobs came twice", 0.5, "Follow-up to #41"),
        commit("fix(mailer): mails came twice", 40, "Follow-up to #41", target="mailer"),
    ],
)
def test_what_names_none_or_another_target_is_no_lesson(second: Told) -> None:
    assert not texts(commit(FIRST, 1, sha="a"), second)


def test_a_commit_that_names_another_touches_its_stream() -> None:
    second = commit("fix(queue): jobs came twice", 40, "Follow-up to #41")
    assert touched([second], {second.event.id}) == {"queue"}
