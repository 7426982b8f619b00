"""What a changed policy makes of what an earlier run had applied, within the fuses (design, section 5).

In the first dream after the change every stream is measured anew. Time is not to blame on the policy: a stream counts
as changed by it if it is now another one than the old policy would have made of it by now. Over the allowance, streams
stay as they are, each under a hold, and one proposal tells of all of them. New evidence for a stream lifts its hold.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dreamd.lifecycle import ids
from dreamd.lifecycle.growing import Grown
from dreamd.lifecycle.holds import AS_IT_IS, age, hold_as_it_is, is_held_as_it_is
from dreamd.lifecycle.plan import PolicyChange, SettingChange
from dreamd.lifecycle.planting import Bed, lived, plant, plant_aged
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.snapshot import PastPolicy, Snapshot
from dreamd.lifecycle.values import Hold, Proposal, Stream
from dreamd.lifecycle.words import Waiting

PROPOSES = "policy"  # the kind of its proposals
MAX_SHOWN = 24  # characters of a value; a longer one is told by its digest
NAMED = 3  # streams and settings that a proposal names


@dataclass(frozen=True, slots=True, kw_only=True)
class Repolicied:
    change: PolicyChange | None
    proposals: tuple[Proposal, ...]


NOTHING = Repolicied(change=None, proposals=())


def released(snapshot: Snapshot) -> tuple[Hold, ...]:
    """The holds of an earlier change of policy, which another one has overtaken."""
    if snapshot.past is None:
        return ()
    return tuple(hold for hold in snapshot.holds.values() if hold.kind == AS_IT_IS and hold.stream in snapshot.streams)


def overtaken(snapshot: Snapshot) -> tuple[Proposal, ...]:
    """The open proposals of an earlier change of policy."""
    if snapshot.past is None:
        return ()
    rows = snapshot.proposals.values()
    return tuple(row for row in rows if row.kind == PROPOSES and row.status is Waiting.OPEN)


def plant_anew(bed: Bed, grown: Mapping[str, Grown], snapshot: Snapshot, allowed: int) -> Repolicied:
    """Put the streams that were `grown` only because the policy changed into the draft.

    At most `allowed` of them may be others by that.
    """
    past = snapshot.past
    if past is None:
        return NOTHING
    changed = [stream for stream, one in grown.items() if _is_changed(bed, snapshot, past, one)]
    latest_first = sorted(changed, key=lambda stream: (snapshot.streams[stream].last_seen, stream), reverse=True)
    over = latest_first[allowed:]
    for stream, one in sorted(grown.items()):
        if stream in over:
            _leave(bed, snapshot, past, stream)
        else:
            plant(bed, one)
            plant_aged(bed, one.stream, list(one.claims.values()), "the policy changed" if stream in changed else "")
    settings = settings_changed(past.policy, bed.policy)
    return Repolicied(
        change=PolicyChange(
            settings=settings,
            streams=tuple(sorted(set(latest_first) - set(over))),
            held_back=tuple(sorted(over)),
        ),
        proposals=_proposal(snapshot, settings, over, bed.policy) if over else (),
    )


def settings_changed(before: Policy | None, after: Policy) -> tuple[SettingChange, ...]:
    """The settings that differ, by name; () if those before are not known."""
    if before is None:
        return ()
    old = before.numbers()
    return tuple(
        SettingChange(name=name, before=_shown(old[name]), after=_shown(value))
        for name, value in sorted(after.numbers().items())
        if old[name] != value
    )


def _is_changed(bed: Bed, snapshot: Snapshot, past: PastPolicy, grown: Grown) -> bool:
    """Whether the stream is neither what it was nor what time alone made of it."""
    before = snapshot.streams[grown.stream.id]
    by_time = _under_old(bed, past, before)
    return _under_new(bed, grown) not in {before, by_time} or _claims_differ(bed, grown)


def _under_old(bed: Bed, past: PastPolicy, before: Stream) -> Stream:
    """The stream as the old policy would have it now: nothing but older."""
    if past.policy is None:
        return before
    return age(before, bed.now, past.waking, past.policy, bed.holds.get(before.id, ()))[0]


def _under_new(bed: Bed, grown: Grown) -> Stream:
    _, stream = lived(bed, grown.stream, list(grown.claims.values()))
    return age(stream, bed.now, bed.waking, bed.policy, bed.holds.get(stream.id, ()))[0]


def _claims_differ(bed: Bed, grown: Grown) -> bool:
    now, _ = lived(bed, grown.stream, list(grown.claims.values()))
    before, _ = lived(bed, grown.stream, bed.claims.get(grown.stream.id, ()))
    return {claim.id: claim for claim in now} != {claim.id: claim for claim in before}


def _leave(bed: Bed, snapshot: Snapshot, past: PastPolicy, stream_id: str) -> None:
    """The stream stays as it is under the old policy, or as it was held before."""
    before = snapshot.streams[stream_id]
    is_held = is_held_as_it_is(before, snapshot.holds.values())
    old = before if is_held else _under_old(bed, past, before)
    claims = bed.claims.get(stream_id, ())
    for was, now in zip(claims, lived(bed, old, claims)[0], strict=True):
        if was != now:
            bed.draft.put(now)
    bed.draft.put(old)
    bed.draft.put(hold_as_it_is(old, snapshot.base), "the policy changed more streams than may change at once")


def _proposal(
    snapshot: Snapshot, settings: Sequence[SettingChange], over: Sequence[str], policy: Policy
) -> tuple[Proposal, ...]:
    return (
        Proposal(
            id=ids.proposal_id(snapshot.space, PROPOSES, policy.digest(), *sorted(over)),
            space=snapshot.space,
            kind=PROPOSES,
            stream=over[0],
            subjects=tuple(over),
            text=f"apply the changed policy{_named_settings(settings)} to {_named(snapshot, over)}",
            status=Waiting.OPEN,
        ),
    )


def _named_settings(settings: Sequence[SettingChange]) -> str:
    named = [f"{change.name} {change.before} -> {change.after}" for change in settings[:NAMED]]
    more = [f"and {len(settings) - NAMED} more"] if len(settings) > NAMED else []
    return f" ({', '.join(named + more)})" if named else ""


def _named(snapshot: Snapshot, streams: Collection[str]) -> str:
    names = [snapshot.streams[stream].target for stream in list(streams)[:NAMED]]
    more = [f"{len(streams) - NAMED} more"] if len(streams) > NAMED else []
    noun = "stream" if len(streams) == 1 else "streams"
    return f"{len(streams)} {noun} too: {', '.join(names + more)}"


def _shown(value: float | str) -> str:
    """`value` in a word; the registry of predicates, which is long, by the beginning of its digest."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return (str(value) or "as shipped") if len(str(value)) < MAX_SHOWN else ids.digest_of(str(value))[:8]
