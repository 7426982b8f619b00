"""What a dream is given: the rows in play, read in one transaction, and the events that speak about them.

In play are the streams with new evidence, those whose due date has come, and nothing else; the cost of a run follows
the change, not the store.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from dreamd.lifecycle.checkpoint import Extension
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.values import (
    Alias,
    Claim,
    Event,
    Hold,
    Link,
    Pin,
    Proposal,
    Question,
    Stream,
    Tombstone,
)
from dreamd.lifecycle.waking import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPolicy:
    """The policy of the last dream, where it is not the present one."""

    policy: Policy | None  # None: its numbers are not known
    waking: tuple[Interval, ...]  # when the space was awake under it
    streams: frozenset[str]  # to be measured anew because of that, whole in the snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    space: str
    base: str  # id of the head run; "" before the first
    number: int  # number of the head run; 0 before the first
    last_now: datetime | None  # the `now` of the head run
    last_policy_digest: str | None  # the policy the last dream was planned with
    streams: Mapping[str, Stream]  # in play, and what is merged into those
    # All claims of those streams; of those to be extended only the ones that new evidence may state again, of those
    # that are only due none where no time of a claim can be over.
    claims: Mapping[str, Claim]
    # All links of the streams to be grown whole, none of the others; and the words of the quarantine on held events.
    links: Mapping[str, Link]
    aliases: Mapping[str, Alias]  # of those streams
    pins: Mapping[str, Pin]  # of those streams
    holds: Mapping[str, Hold]  # of those streams
    tombstones: Mapping[str, Tombstone]  # all of the space
    proposals: Mapping[str, Proposal]  # of those streams, whatever their status
    questions: Mapping[str, Question]  # of those streams, whatever their status
    events: Mapping[
        str, Event
    ]  # the new ones; and for streams to be grown whole all that are linked to or held for them
    new: tuple[str, ...]  # ids of the unexamined events with `at` <= now: no link row, and no hold keeps them
    waiting: int  # unexamined events whose `at` is still to come
    due: tuple[str, ...]  # ids of streams that are in play because their due date came
    waking: tuple[Interval, ...]  # when the space was awake: closed, disjoint, ascending, see waking.py
    mature_count: int  # active streams of the space that are EMERGENT or above
    recent_fused: int  # changes that counted against the fuse in the rolling window before now
    extensions: Mapping[str, Extension]  # by stream: those with new evidence that need not be grown whole
    grouped: frozenset[str]  # streams to be grown whole whose claims are grouped as the present rules would
    timeless: frozenset[str]  # due streams without a claim whose time can be over
    watched: tuple[Stream, ...]  # streams out of play that could come closest to the next phase, for the near misses
    # Streams out of play that may be one with some in play; by id.
    alike: Mapping[str, Stream] = field(default_factory=dict)
    again: Mapping[str, Link] = field(default_factory=dict)  # by event: links to be given up, see retargeting.py
    past: PastPolicy | None = None  # None: the policy is that of the last dream
