"""A plan is one value: everything a run would change, and why.

Dry run, report, metrics, apply and revert read the same value. A change holds whole rows, so its inverse is a swap.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from dreamd.lifecycle.findings import Comparison
from dreamd.lifecycle.values import Row
from dreamd.lifecycle.words import Trigger

PLAN_SCHEMA = 1


class Subject(NamedTuple):
    """Which row a change is about. Sorts by table, then id."""

    table: str  # "stream", "claim", "link", "alias", "pin", "hold", "tombstone", "proposal", "question"
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    subject: Subject
    before: Row | None  # None: the row did not exist
    after: Row | None  # None: the row goes
    because: str  # one sentence, with the true instant of a crossing where there is one
    kinds: tuple[
        str, ...
    ]  # what happens, such as ("create",), ("evidence", "phase:emergent"), ("vitality:dormant", "status:faded")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    gate: str  # "frequency", "removal_cost", "lifetime_days", "coverage", "stability", "open_question", "vouched"
    value: float
    threshold: float
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NearMiss:
    """A stream that did not cross, with the gates of its next phase."""

    stream: str
    target: str
    next_phase: str
    gates: tuple[Gate, ...]
    closeness: float  # 0..1, mean over gates of how much of the threshold is reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    source: str  # what it is about: an event, a file, a step
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChange:
    name: str  # of the policy's field
    before: str | None  # None: not known
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChange:
    """The policy is not that of the last dream: what differs, and what became of the streams that it changes."""

    settings: tuple[SettingChange, ...]  # by name; () if the numbers before are not known
    streams: tuple[str, ...]  # ids of those that changed by it, sorted
    held_back: tuple[str, ...]  # ids of those that wait for a person, sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What a run looked at. `changes` is counted by kind in the report, from the plan itself."""

    examined: int = 0  # events that got a link row
    untargeted: int = 0
    noise: int = 0
    quarantined: int = 0
    waiting: int = 0  # events whose `at` has not come yet
    in_play: int = 0  # streams in the snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    schema: int
    run: str  # ids.run_id; "" when nothing changes
    number: int  # per space, for people: the base's number + 1
    space: str
    base: str  # the head run this was planned on; "" before the first
    now: datetime
    trigger: Trigger
    reverts: int | None  # number of the run that this one reverts
    policy_digest: str
    findings_digest: str
    changes: tuple[Change, ...]  # sorted by subject, at most one per subject
    fused: int  # changes among them that count against the fuse
    proposals: tuple[str, ...]  # ids of the proposals that this plan opens
    near_misses: tuple[NearMiss, ...]
    problems: tuple[Problem, ...]
    counts: Counts
    policy_change: PolicyChange | None = None  # None: planned with the policy of the last dream
    comparisons: tuple[Comparison, ...] = ()  # merges of claims that this plan makes, and what kept others apart
    models: tuple[str, ...] = ()  # what was asked besides the rules, as its findings say
