"""What reflection found, as the lifecycle takes it in: values only, no text is understood here.

An `Assignment` says which target an event belongs to. A `Statement` says what an event states and which key, group and
slot that has; an event may have several, and a statement may rest on several events. A `Closure` says that one event
ends the statement of another. All are functions of events alone.
"""

from dataclasses import dataclass
from datetime import datetime

from dreamd.lifecycle.words import ClaimKind

# What a closure does.
SUPERSEDE = "supersede"  # the world changed
RETRACT = "retract"  # never true, or taken back
ASK = "ask"  # no rule decides: a person says whether it was superseded
LATER_VALUE = "later value"  # the rule by which a plain observation ends another one of its slot
EVERYTHING = "*"  # the mark that meets every other


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    event: str
    target: str | None  # canonical form; None: noise, untargeted or quarantined
    title: str | None  # the target as the event spelled it
    rule: str  # "named", "scope", "path", "released", "untargeted", "noise", "quarantined"
    score: float  # 0..1
    # The names that lead to `target` by aliases, from the event's own on; () if its own is the target.
    via: tuple[str, ...] = ()
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
    due: datetime | None = None  # when the day is over that it looks forward to; None: it looks to none for certain
    sense: str | None = None  # equal for the same value of the same slot in other words; None: it fills none
    leaves: tuple[str, ...] = ()  # marks by which plain later evidence may turn out to end it
    meets: tuple[str, ...] = ()  # marks of what it may end itself: where one was left, its stream is grown whole
    part: int = 0  # which of the statements of its event it is, from 0
    # Ids of the other events that it needs, such as the error before a fix. `event` is the newest of them all.
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """The event `by` ends every claim of the same stream with `text_key` that began before it and is current then."""

    by: str  # event id
    text_key: str  # what it ends
    verb: str  # SUPERSEDE, RETRACT or ASK
    rule: str  # why: "names it", "same slot", "negates it", "correction", "retraction", LATER_VALUE
    part: int | None = 0  # which statement of `by` takes its place; None, or one that is not there: nothing does


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """Two targets that may be one under two names."""

    old: str  # canonical form of the name that would become a spelling of the other
    new: str
    reason: str  # what speaks for it, for a person
    is_proof: bool  # name and text say so together: they may be merged at once
    is_said: bool = False  # somebody entitled said outright that one was renamed to the other
    is_backed: bool = False  # statements speak for it too, beside the names


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A stream that has come to mix components, by its target, and how many of its events belong to which others."""

    target: str
    into: tuple[tuple[str, int], ...]  # (target, events), most first


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
    moved: tuple[tuple[str, str], ...] = ()  # (target, target) whose stream's evidence goes to another by an alias now
    merges: tuple[Likeness, ...] = ()  # proved, and to be carried out: they are in `moved` where a stream was there
    likenesses: tuple[Likeness, ...] = ()  # for a person to decide
    splits: tuple[Split, ...] = ()  # those that were not offered before
    comparisons: tuple[Comparison, ...] = ()  # of the statements above, with each other and with known ones
    noise: tuple[tuple[str, str], ...] = ()  # (event id, reason): linked, but states nothing admissible
    # What a person forgot: (text key, id of the one stream where it does not count, or "").
    forgotten: frozenset[tuple[str, str]] = frozenset()
    forgotten_targets: frozenset[str] = frozenset()  # canonical forms: their streams are born forgotten
    revisited: frozenset[str] = frozenset()  # streams to be made whole, also those that no new event speaks about
    model: str = "rules-2"  # which reflection made them; part of the digest
    models: tuple[str, ...] = ()  # what was asked besides the rules, such as "embedder minilm (...)", where it mattered
