"""A source that says the same over and over counts once (design, section 4: the same words are new evidence in another
session or on another day).

What is repeated stays linked and is shown as evidence of its claim; it only bears on nothing more. A web page or
another outsider needs one repetition for that, whatever session it came through and whatever numbers it changed; a
person, an agent or a tool may say a thing as often as `FLOOD_FROM` times in a session and day before it is taken for a
loop. Evidence against something is left alone: it is no praise.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from types import MappingProxyType

from dreamd.lifecycle import ids
from dreamd.lifecycle.claims import in_time
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, Bearing, EventKind

FLOOD_FROM = 10  # deliveries of the same words; more of them are one
MAX_HEARD = 1_000  # different words of a day that a checkpoint keeps
KEY_DIGITS = 12  # hex: within one stream and day no two are expected to clash

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

Heard = Mapping[str, int]  # by the key of what was said: how often, on one UTC day


def without_repeats(
    events: Iterable[Event], bearings: Mapping[str, Bearing], heard: Heard = MappingProxyType({})
) -> dict[str, Bearing]:
    """`bearings` by event id, where those of `events` that only repeat others bear on nothing.

    `heard` is what was said before on the day of the last of it.
    """
    found = dict(bearings)
    told = [(event, key_of(event)) for event in in_time(events) if _may_repeat(event, bearings[event.id])]
    count = Counter(key for _, key in told)
    said: dict[str, int] = {}
    for event, key in told:
        before = said.get(key, heard.get(key, 0))
        if before > 0 and (_is_outsiders(key) or heard.get(key, 0) + count[key] > FLOOD_FROM):
            found[event.id] = Bearing.MENTIONS
        said[key] = before + 1
    return found


def unsettles(events: Iterable[Event], bearings: Mapping[str, Bearing], heard: Heard) -> bool:
    """Whether `events` make a flood of what was `heard` before and counted each time."""
    more = Counter(key_of(event) for event in events if _may_repeat(event, bearings[event.id]))
    return any(
        1 < heard.get(key, 0) <= FLOOD_FROM < heard.get(key, 0) + count and not _is_outsiders(key)
        for key, count in more.items()
    )


def heard_on_last_day(
    events: Collection[Event],
    bearings: Mapping[str, Bearing],
    before: tuple[datetime, Heard] | None = None,
) -> Heard:
    """What was said on the UTC day of the last of `events`; `before`: until when it was heard what, if it was."""
    upto, heard = before or (None, {})
    last = max(event.at for event in events).astimezone(UTC).date()
    today = [event for event in events if event.at.astimezone(UTC).date() == last]
    goes_on = upto is not None and upto.astimezone(UTC).date() == last
    found = Counter(heard if goes_on else {})
    found.update(key_of(event) for event in today if _may_repeat(event, bearings[event.id]))
    return dict(sorted(found.items()))


def key_of(event: Event) -> str:
    """Equal keys: the same source said the same on one day, and unless it is an outsider in one session."""
    day = event.at.astimezone(UTC).date()
    return _key_of(event.source, event.session, day, event.kind, event.actor, repr(event.outcome), event.text)


@lru_cache(maxsize=8_192)
def _key_of(  # noqa: PLR0913, PLR0917 - all that it is made of
    source: str, session: str | None, day: date, kind: EventKind, actor: Actor, outcome: str, text: str
) -> str:
    words = " ".join(text.split()).casefold().rstrip(" .!")
    if actor is Actor.EXTERNAL:
        return f"x{ids.digest_of(source, day.isoformat(), _NUMBER.sub('0', words))[:KEY_DIGITS]}"
    return ids.digest_of(source, session, day.isoformat(), kind, actor, outcome, words)[:KEY_DIGITS]


def _may_repeat(event: Event, bearing: Bearing) -> bool:
    """`bearing` is the one that it has by itself."""
    return bearing is Bearing.SUPPORTS or (bearing is Bearing.OPPOSES and event.actor is Actor.EXTERNAL)


def _is_outsiders(key: str) -> bool:
    return key.startswith("x")
