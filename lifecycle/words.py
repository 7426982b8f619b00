"""The closed sets of words that rows are made of (design, section 4).

Each is a string enumeration, so that a row, a JSON answer and a file show the same word. Where a set has an order
(trust, phase, vitality, scope), the order is a function here and nowhere else.
"""

from enum import StrEnum


class EventKind(StrEnum):
    OBSERVATION = "observation"
    ERROR = "error"
    RESULT = "result"
    COMMIT = "commit"
    DECISION = "decision"
    HYPOTHESIS = "hypothesis"
    PREFERENCE = "preference"
    CORRECTION = "correction"
    RETRACTION = "retraction"
    INTERVENTION = "intervention"
    MESSAGE = "message"
    ACTION = "action"


class Actor(StrEnum):
    """Who said it; also the trust of a claim. Declared from most to least trusted."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    EXTERNAL = "external"


class Phase(StrEnum):
    """How mature a stream is. Declared from young to mature."""

    PATTERN = "pattern"
    EMERGENT = "emergent"
    CANONICAL = "canonical"


class Vitality(StrEnum):
    """How alive a stream is. Declared from alive to silent."""

    ACTIVE = "active"
    DECAYING = "decaying"
    DORMANT = "dormant"


class Status(StrEnum):
    ACTIVE = "active"
    FADED = "faded"
    FORGOTTEN = "forgotten"
    MERGED = "merged"


class Birth(StrEnum):
    """How a stream came to be: what an agent did, what it said explicitly, or what a person ordered."""

    REFLECTION = "reflection"
    EXPLICIT = "explicit"
    INTERVENTION = "intervention"


class Bearing(StrEnum):
    SUPPORTS = "supports"
    OPPOSES = "opposes"
    MENTIONS = "mentions"


class DecayClass(StrEnum):
    """How fast a claim ages. Declared from slowest to fastest."""

    PERMANENT = "permanent"
    STABLE = "stable"
    ACTIVE = "active"
    SESSION = "session"
    CHECKPOINT = "checkpoint"


class ClaimKind(StrEnum):
    """Declared from the strongest to the weakest: a claim stated in several ways has the strongest of its kinds."""

    PREFERENCE = "preference"
    DECISION = "decision"
    PROCEDURE = "procedure"
    LESSON = "lesson"
    FACT = "fact"
    HYPOTHESIS = "hypothesis"


class ClaimStatus(StrEnum):
    CURRENT = "current"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


class Scope(StrEnum):
    """Where the target lives. Declared from the narrowest to the widest. Any other word in an event is kept as text."""

    LOCAL = "local"
    SYSTEM = "system"
    INFRA = "infra"


class Waiting(StrEnum):
    """The state of what waits for a person (proposals and questions)."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    RESOLVED = "resolved"


class Trigger(StrEnum):
    """What started a run."""

    DREAM = "dream"
    REVERT = "revert"
    PIN = "pin"
    UNPIN = "unpin"
    UNHOLD = "unhold"
    ACCEPT = "accept"
    REJECT = "reject"
    RESOLVE = "resolve"
    ALIAS = "alias"
    RETARGET = "retarget"
    EDIT = "edit"
    FORGET = "forget"
    UNFORGET = "unforget"
    PURGE = "purge"


_RANKS: dict[type[StrEnum], dict[StrEnum, int]] = {
    words: {word: place for place, word in enumerate(words)}
    for words in (Actor, Phase, Vitality, DecayClass, ClaimKind, Scope)
}


def rank(word: StrEnum) -> int:
    """The place of `word` in the order in which its enumeration declares its members, from 0."""
    return _RANKS[type(word)][word]
