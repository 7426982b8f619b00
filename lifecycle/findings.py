"""What reflection found, as the lifecycle takes it in: values only, no text is understood here.

An `Assignment` says which target an event belongs to. A `Statement` says what an event states and which key, group and
slot that has; an event may have several, and a statement may rest on several events. A `Closure` says that one event
ends the statement of another. All are functions of events alone.
"""

from dataclasses import dataclass

from dreamd.lifecycle.words import ClaimKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    event: str
    target: str | None  # canonical form; None: noise, untargeted or quarantined
    title: str | None  # the target as the event spelled it
    rule: str  # "named", "scope", "path", "released", "untargeted", "noise", "quarantined"
    score: float  # 0..1
    note: str = ""  # why, where the rule alone does not say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    event: str
    text: str  # verbatim
    text_key: str  # equal keys are one claim: NFC and white space only
    group_key: str  # equal keys say the same: normalised further, never across a number, a name or a polarity
    kind: ClaimKind
    is_explicit: bool  # a decision, preference, correction or intervention that was said outright by a user or agent
    slot: str | None  # subject and functional predicate; None: any number of values may stand side by side
    value: str | None  # what fills the slot
    part: int = 0  # which of the statements of its event it is, from 0
    # Ids of the other events that it needs, such as the error before a fix. `event` is the newest of them all.
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """The event `by` ends every claim of the same stream with `text_key` that began before it and is current then."""

    by: str  # event id
    text_key: str  # what it ends
    verb: str  # "supersede" (the world changed) or "retract" (never true, or taken back)
    rule: str  # why: "names it", "same slot", "negates it", "correction", "retraction"
    part: int | None = 0  # which statement of `by` takes its place; None, or one that is not there: nothing does


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two statements of one stream were alike enough: they say the same, or a guard found that they do not."""

    stream: str
    text: str  # the text key of the one that came later
    other: str  # that of the one before
    score: float  # 0..1
    guard: str  # what keeps them apart, such as "number"; "": they were merged
    evidence: str  # what the guard found, such as "7 against 8"; of a merge the rule, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    assignments: tuple[Assignment, ...]  # of the events that were unexamined
    statements: tuple[Statement, ...]  # of all events in the snapshot that state something admissible
    closures: tuple[Closure, ...]
    comparisons: tuple[Comparison, ...] = ()  # of the statements above, with each other and with known ones
    noise: tuple[tuple[str, str], ...] = ()  # (event id, reason): linked, but states nothing admissible
    revisited: frozenset[str] = frozenset()  # streams to be made whole, also those that no new event speaks about
    model: str = "rules-1"  # which reflection made them; part of the digest
    models: tuple[str, ...] = ()  # what was asked besides the rules, such as "embedder minilm (...)", where it mattered
