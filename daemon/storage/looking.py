"""What targets are learned from, and the events whose target may be looked at again."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, exists, or_

from dreamd.daemon.storage.rows import by_id, fetch, query, rows_where
from dreamd.daemon.storage.tables import TABLES
from dreamd.lifecycle.holds import MOVE
from dreamd.lifecycle.quarantine import QUARANTINED, REJECTED
from dreamd.lifecycle.values import Event, Link

_EVENT, _LINK, _HOLD = TABLES["event"], TABLES["link"], TABLES["hold"]


def newest(connection: Connection, space: str, now: datetime, limit: int) -> list[Event]:
    """The newest events up to `now` that nothing keeps back, at most `limit`; examined or not."""
    away = exists().where(
        _LINK.c.space == _EVENT.c.space,
        _LINK.c.event == _EVENT.c.id,
        _LINK.c.stream.is_(None),
        _LINK.c.rule.in_((QUARANTINED, REJECTED)),
    )
    selection = query(Event, space, _EVENT.c.at <= now, ~away)
    return fetch(connection, Event, selection.order_by(_EVENT.c.at.desc(), _EVENT.c.id.desc()).limit(limit))


def examined(
    connection: Connection, space: str, rules: Collection[str], beginning: str | None, limit: int | None
) -> list[tuple[Event, Link]]:
    """The events that have a link by one of `rules`, or by one that starts with `beginning`; the newest at most.

    Those that a person keeps at their target are left out.
    """
    kept = exists().where(_HOLD.c.space == _LINK.c.space, _HOLD.c.event == _LINK.c.event, _HOLD.c.kind == MOVE)
    by_rule: ColumnElement[bool] = _LINK.c.rule.in_(sorted(rules))
    if beginning is None:
        # These rules are of what has no target. It is said once more, since there is no index of rules.
        by_rule = and_(by_rule, _LINK.c.stream.is_(None))
    else:
        by_rule = or_(by_rule, _LINK.c.rule.startswith(beginning, autoescape=True))
    selection = query(Link, space, by_rule, ~kept)
    if limit is not None:
        dated = and_(_EVENT.c.space == _LINK.c.space, _EVENT.c.id == _LINK.c.event)
        selection = selection.join(_EVENT, dated)
        selection = selection.order_by(_EVENT.c.at.desc(), _EVENT.c.id.desc()).limit(limit)
    links = {link.event: link for link in sorted(fetch(connection, Link, selection), key=lambda link: link.id)}
    events = by_id(rows_where(connection, Event, space, "id", links.keys()))
    return [(events[event], link) for event, link in sorted(links.items())]
