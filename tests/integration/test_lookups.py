"""The cost of a night follows what is new: nothing in it reads all events, links or claims of the space."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.engine import Engine

from dreamd.lifecycle.words import Actor, EventKind
from tests.builders import START, an_event
from tests.live import LiveSpace

OF_ALL = re.compile(r"SCAN (?:event|link|claim)\b|SEARCH (?:event|link|claim) USING .*\(space=\?\)$")
SAID = (
    (EventKind.OBSERVATION, "The {} starts at 02:00"),
    (EventKind.ERROR, "The {} lost its connection"),
    (EventKind.RESULT, "The {} took up its work again without loss"),
    (EventKind.ACTION, "$ systemctl restart {}"),
    (EventKind.DECISION, "Use PostgreSQL for the {}"),
    (EventKind.PREFERENCE, "Always restart the {} by hand"),
    (EventKind.CORRECTION, "That was wrong: the {} starts at 03:00"),
)


@contextmanager
def statements() -> Iterator[dict[str, object]]:
    """What is asked of the database meanwhile, with the parameters of one asking each."""
    asked: dict[str, object] = {}

    def note(_connection, _cursor, statement, parameters, _context, is_many):
        if re.match(r"\s*(?:SELECT|UPDATE|DELETE)", statement) and not is_many:
            asked.setdefault(statement, parameters)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def said_on(day: int) -> list:
    return [
        an_event(
            id=f"ev_{day:08x}{number:08x}",
            at=START + timedelta(days=day, minutes=number),
            kind=kind,
            text=text.format(target),
            target=target if target != "nothing" else None,
            actor=Actor.USER,
            session=f"s{day}",
        )
        for number, (target, (kind, text)) in enumerate(
            (target, said) for target in ("queue", "mailer", "nothing") for said in SAID
        )
    ]


def test_a_night_looks_up_what_it_needs_by_an_index(tmp_path: Path) -> None:
    space = LiveSpace(tmp_path)
    for day in range(3):
        space.add(*said_on(day))
        space.dream(START + timedelta(days=day + 1))
    space.pin("queue", START + timedelta(days=3, hours=1))
    with statements() as asked:
        space.add(*said_on(3))
        space.dream(START + timedelta(days=4))
    space.close()
    assert len(asked) > 30
    database = sqlite3.connect(tmp_path / "dreamd.db")
    for statement, parameters in asked.items():
        plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
        assert not [step for step in plan if OF_ALL.match(step)], statement
    database.close()
