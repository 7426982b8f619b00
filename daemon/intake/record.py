"""One event from its named fields: every field checked, secrets hidden, then the digest and the id.

The fields are those of an event in JSONL (design, section 9). Redaction comes before the digest, so that what is
compared is what is stored. A field that is not as it should be raises `BadField`, whose reason may quote the field and
is therefore to be redacted before it is shown.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from math import isfinite
from typing import TypeVar

from dreamd.daemon.clock import ANY_YEAR, parse_instant
from dreamd.daemon.errors import BadData
from dreamd.daemon.home import is_space, space_name
from dreamd.daemon.intake.identity import content_digest
from dreamd.daemon.intake.limits import Limits, time_problem
from dreamd.daemon.intake.redaction import Redactor
from dreamd.lifecycle.ids import event_id
from dreamd.lifecycle.values import Event
from dreamd.lifecycle.words import Actor, DecayClass, EventKind, rank

KNOWN_FIELDS = frozenset(
    ("id", "at", "text", "kind", "target", "because", "outcome", "actor", "source", "session")
    + ("scope", "files", "decay", "tags", "space")
)
CHECKED_WORDS = frozenset(("at", "kind", "actor", "outcome", "decay", "space"))  # can hold nothing but what is allowed
OUTCOMES: Mapping[str, float] = {"success": 1.0, "failure": 0.0}
SHOWN_CHARACTERS = 300  # of a reason, which may quote a value

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """The way events come in, and what it grants and allows."""

    name: str  # of the file or command, as rejections show it
    space: str  # of events that name none
    recorded_at: datetime
    redactor: Redactor
    limits: Limits = Limits()
    actor_cap: Actor = Actor.AGENT  # the most trusted actor an event may name
    default_actor: Actor = Actor.AGENT  # of events that name none; never above the cap
    default_source: str | None = None  # of events that name none; None: "session:<session>", or "events"


class BadField(Exception):
    """A field of an event is not as it should be."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(field, reason)
        self.field = field
        self.reason = reason


def one_event(fields: Mapping[str, object], channel: Channel) -> Event:
    """The event with `fields`, named as in JSONL, such as `dreamd record` puts them together; raises BadData."""
    try:
        _check_whole(fields, channel.limits)
        for name, value in fields.items():
            check_characters(name, value)
        return build_event(fields, channel, is_plain=False)
    except BadField as bad:
        where = f"{channel.redactor.redact(bad.field)}: " if bad.field else ""
        raise BadData(f"{where}{shown_reason(bad.reason, channel.redactor)}") from None


def _check_whole(fields: Mapping[str, object], limits: Limits) -> None:
    """What a line of JSONL is held to before it is read: the size and the depth of all fields together."""
    depth = _depth(fields)
    if depth > limits.json_depth:
        raise BadField("", f"the event is nested {depth} deep; json_depth allows {limits.json_depth}")
    size = len(json.dumps(fields, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass"))
    if size > limits.event_bytes:
        raise BadField("", f"the event has {size} bytes as JSON; event_bytes allows {limits.event_bytes}")


def _depth(value: object) -> int:
    """How deep objects and lists are nested in `value`; level by level, as a recursion would end before a deep one."""
    depth = 0
    level = [value]
    while level := [each for each in level if isinstance(each, Mapping | list | tuple)]:
        depth += 1
        level = [inner for each in level for inner in (each.values() if isinstance(each, Mapping) else each)]
    return depth


def shown_reason(reason: str, redactor: Redactor) -> str:
    """`reason` without secrets, bounded: it may quote what was rejected."""
    return redactor.redact(reason)[:SHOWN_CHARACTERS]


def build_event(fields: Mapping[str, object], channel: Channel, *, is_plain: bool) -> Event:
    """The event with `fields`; `is_plain` says that no anchor of a secret is in any of them. Raises BadField."""
    limits = channel.limits
    take = _Plain(fields, channel) if is_plain else _Redacting(fields, channel)
    at = _instant(fields, channel)
    kind = _word(fields, "kind", EventKind) or EventKind.OBSERVATION
    text = take.text("text", limits.text_characters)
    if text is None:
        raise BadField("text", "is missing or empty; every event says something in `text`")
    session = take.text("session", limits.name_characters)
    source = take.text("source", limits.name_characters) or channel.default_source
    if source is None:
        source = "events" if session is None else f"session:{session}"
    actor = _actor(fields, channel)
    outcome = _outcome(fields)
    target = take.text("target", limits.name_characters)
    space = _space(fields, channel)
    given_id = take.identifier(limits.name_characters)
    digest = content_digest(
        at=at, kind=kind, target=target, text=text, actor=actor, source=source, session=session, outcome=outcome
    )
    return Event(
        id=event_id(space, source, given_id, digest),
        space=space,
        at=at,
        recorded_at=channel.recorded_at,
        kind=kind,
        text=text,
        actor=actor,
        source=source,
        digest=digest,
        given_id=given_id,
        target=target,
        because=take.text("because", limits.text_characters),
        outcome=outcome,
        session=session,
        scope=take.text("scope", limits.name_characters),
        files=take.texts("files", limits.path_characters),
        decay=_word(fields, "decay", DecayClass),
        tags=take.texts("tags", limits.name_characters),
        extra=take.extra(),
    )


def check_characters(field: str, value: object) -> None:
    """Refuse what one of the two databases cannot store: NUL, lone surrogates, numbers that are not finite."""
    match value:
        case str():
            if "\0" in value:
                raise BadField(field, "holds a NUL character, which no text may hold")
            try:
                value.encode("utf-8")
            except UnicodeEncodeError:
                raise BadField(field, "holds half of a surrogate pair, which is no character") from None
        case float():
            if not isfinite(value):
                raise BadField(field, f"{value!r} is no finite number")
        case list():
            for item in value:
                check_characters(field, item)
        case dict():
            for key, item in value.items():
                check_characters(field, key)
                check_characters(field, item)
        case _:
            return


class _Plain:
    """Takes texts out of fields, checked."""

    def __init__(self, fields: Mapping[str, object], channel: Channel) -> None:
        self.fields = fields
        self.limits = channel.limits
        self.redactor = channel.redactor

    def text(self, name: str, most: int) -> str | None:
        """The text in the field `name`; None if it is missing, null or blank."""
        value = self.fields.get(name)
        if value is None:
            return None
        if not isinstance(value, str):
            raise BadField(name, f"is {_kind_of(value)}; it must be a text")
        if not value or value.isspace():
            return None
        return self.clean(name, value, most)

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        value = self.fields.get(name)
        if value is None:
            return ()
        if not isinstance(value, list | tuple):
            raise BadField(name, f"is {_kind_of(value)}; it must be a list of texts")
        if len(value) > self.limits.list_items:
            raise BadField(name, f"has {len(value)} entries; list_items allows {self.limits.list_items}")
        for item in value:
            if not isinstance(item, str):
                raise BadField(name, f"holds {_kind_of(item)}; it must be a list of texts")
        return tuple(self.clean(name, item, most) for item in value)

    def identifier(self, most: int) -> str | None:
        """The given id; a whole number stands for its digits."""
        value = self.fields.get("id")
        if isinstance(value, int) and not isinstance(value, bool):
            return self.clean("id", str(value), most)
        return self.text("id", most)

    def extra(self) -> dict[str, object]:
        if self.fields.keys() <= KNOWN_FIELDS:
            return {}
        return {name: value for name, value in self.fields.items() if name not in KNOWN_FIELDS}

    def clean(self, name: str, value: str, most: int) -> str:
        if len(value) > most:
            limit = {"text": "text_characters", "because": "text_characters", "files": "path_characters"}
            raise BadField(name, f"has {len(value)} characters; {limit.get(name, 'name_characters')} allows {most}")
        return value


class _Redacting(_Plain):
    """Takes texts out of fields, checked and redacted."""

    def clean(self, name: str, value: str, most: int) -> str:
        return self.redactor.redact(super().clean(name, value, most))

    def extra(self) -> dict[str, object]:
        return {
            self.redactor.redact(name): self.redactor.redact_field(name, value)
            for name, value in super().extra().items()
        }


def _instant(fields: Mapping[str, object], channel: Channel) -> datetime:
    value = fields.get("at")
    if value is None:
        raise BadField("at", "is missing; every event says when it happened, such as 2026-01-05T09:00:00Z")
    if not isinstance(value, str):
        raise BadField("at", f"is {_kind_of(value)}; it must be a text such as 2026-01-05T09:00:00Z")
    try:
        at = parse_instant(value, ANY_YEAR)
    except BadData as bad:
        raise BadField("at", bad.message if bad.hint is None else f"{bad.message}; {bad.hint}") from None
    problem = time_problem(at, channel.recorded_at, channel.limits)
    if problem is not None:
        raise BadField("at", f"{value!r} {problem}")
    return at


@lru_cache(maxsize=16)
def _by_text(words: type[Word]) -> Mapping[str, Word]:
    return {str(word): word for word in words}  # ten times as fast as calling the enumeration


def _word(fields: Mapping[str, object], name: str, words: type[Word]) -> Word | None:
    value = fields.get(name)
    if value is None:
        return None
    found: Word | None = _by_text(words).get(value) if isinstance(value, str) else None
    if found is None:
        shown = repr(value) if isinstance(value, str) else _kind_of(value)
        raise BadField(name, f"is {shown}; allowed: {', '.join(words)}")
    return found


def _actor(fields: Mapping[str, object], channel: Channel) -> Actor:
    """Who said it, as the event says, but never more trusted than the channel allows."""
    named = _word(fields, "actor", Actor) or channel.default_actor
    return named if rank(named) >= rank(channel.actor_cap) else channel.actor_cap


def _outcome(fields: Mapping[str, object]) -> float | None:
    value = fields.get("outcome")
    if value is None:
        return None
    if isinstance(value, str) and value in OUTCOMES:
        return OUTCOMES[value]
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
        return abs(float(value))  # -0.0 is 0.0
    found = _kind_of(value) if isinstance(value, bool | list | dict) else repr(value)
    raise BadField("outcome", f'is {found}; allowed: 0 to 1, "success" or "failure"')


def _space(fields: Mapping[str, object], channel: Channel) -> str:
    value = fields.get("space")
    if value is None or value == "":
        return channel.space
    if not isinstance(value, str):
        raise BadField("space", f"is {_kind_of(value)}; it must be a text")
    if not is_space(value):
        raise BadField("space", f"{value!r} is no name of a space; write it as {space_name(value)!r}")
    return value


_JSON_KINDS: tuple[tuple[type[object] | tuple[type[object], ...], str], ...] = (
    (bool, "true or false"),  # before int, of which it is one
    (str, "a text"),
    ((int, float), "a number"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)


def _kind_of(value: object) -> str:
    return next((name for kind, name in _JSON_KINDS if isinstance(value, kind)), f"a {type(value).__name__}")
