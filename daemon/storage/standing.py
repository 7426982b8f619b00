"""The rows that stand open in a space, read in one transaction: questions, proposals, quarantine, holds, doubts."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from dreamd.daemon.storage.rows import fetch, query, rows_of
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.quarantine import QUARANTINED
from dreamd.lifecycle.values import Hold, Link, Proposal, Question, Row, Stream
from dreamd.lifecycle.words import Phase, Status, Waiting

_STREAM, _LINK, _PROPOSAL, _QUESTION = (TABLES[name] for name in ("stream", "link", "proposal", "question"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRows:
    rows: tuple[Row, ...]  # in any order: open questions and proposals, holds, the quarantine's links, doubtful streams
    unplaced: Mapping[str, int]  # events without a stream, by the rule of their link
    watched: int  # young patterns that are alive


def open_rows(connection: Connection, space: str) -> OpenRows:
    rules = (
        select(_LINK.c.rule, func.count())
        .where(_LINK.c.space == space, _LINK.c.stream.is_(None))
        .group_by(_LINK.c.rule)
        .order_by(_LINK.c.rule)
    )
    watched = select(func.count()).where(
        _STREAM.c.space == space, _STREAM.c.phase == Phase.PATTERN, _STREAM.c.status == Status.ACTIVE
    )
    kept_back = (_LINK.c.stream.is_(None), _LINK.c.rule == QUARANTINED)
    doubtful = (_STREAM.c.is_doubtful, _STREAM.c.status == Status.ACTIVE)
    return OpenRows(
        rows=(
            *rows_of(connection, Question, space, _QUESTION.c.status == Waiting.OPEN),
            *rows_of(connection, Proposal, space, _PROPOSAL.c.status == Waiting.OPEN),
            *rows_of(connection, Hold, space),
            # In no order: else all links and streams are read by id instead of those few by an index.
            *fetch(connection, Link, query(Link, space, *kept_back).order_by(None)),
            *fetch(connection, Stream, query(Stream, space, *doubtful).order_by(None)),
        ),
        unplaced={rule: count for rule, count in connection.execute(rules)},
        watched=connection.scalar(watched) or 0,
    )
