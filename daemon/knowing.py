"""Answers about what is known, as values and as lines."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from dreamd.daemon.as_of import claims_as_of, rows_as_known, stream_as_of
from dreamd.daemon.deciding import stream_asked_for
from dreamd.daemon.errors import Usage
from dreamd.daemon.keeping import read_kept
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.terminal import table
from dreamd.daemon.times import rfc3339
from dreamd.daemon.views import (
    Lens,
    claim_as_json,
    event_as_json,
    evidence_of_claims,
    gates_as_json,
    gates_of,
    linked_event_as_json,
)
from dreamd.lifecycle.further import first_links
from dreamd.lifecycle.ranking import strength
from dreamd.lifecycle.told import counted
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.words import ClaimStatus, Phase, Status
from dreamd.repo_export.kept import as_shown
from dreamd.repo_export.slug import path_of

SHORT = 100  # characters of a text in a list


def streams_view(opened: Session, store: SpaceStore, status: str, phase: str) -> list[dict[str, Any]]:
    """All streams of a space but the purged, by target; `status` and `phase` filter what is shown. Raises Usage."""
    _check(status, [*Status], "--status")
    _check(phase, [*Phase], "--phase")
    lens = Lens.on(store, opened.now, opened.policy)
    views = [lens.stream(row) for row in store.streams()]
    kept = [
        view for view in views if (not status or view["status"] == status) and (not phase or view["phase"] == phase)
    ]
    return sorted(kept, key=lambda view: (view["space"], view["target"]))


def streams_table(values: Sequence[dict[str, Any]]) -> list[str]:
    if not values:
        return ["No stream fits. See: dreamd status"]
    rows = [
        (
            view["space"],
            view["target"],
            view["phase"],
            view["vitality"] if view["status"] == Status.ACTIVE else view["status"],
            f"{view['confidence']:.2f}" + (" doubtful" if view["doubtful"] else ""),
            str(view["frequency"]),
            view["last_seen"][:10],
            view["path"] or "-",
        )
        for view in values
    ]
    return table(("space", "target", "phase", "vitality", "confidence", "events", "last", "file"), rows)


def show_view(
    opened: Session, store: SpaceStore, stream: Stream, as_of: datetime | None, known_at: datetime | None
) -> dict[str, Any]:
    """The object of `show --json`. `known_at` walks the rows back to the run of then; `as_of` keeps what was true."""
    claims = {claim.id: claim for claim in store.claims([stream.id])}
    file = path_of(as_shown(stream, read_kept(store)))  # as it lies there today, whatever the stream was then
    if known_at is not None:
        stream, claims = rows_as_known(store, stream, claims, known_at)
    events = store.events([link.event for link in first_links(store.links(stream.id))])
    known = [event for event in events if known_at is None or event.recorded_at <= known_at]
    shown = sorted(claims.values(), key=strength)
    if as_of is not None:
        shown = claims_as_of(shown, as_of)
        stream = stream_as_of(store, stream, known, as_of, opened.policy)
    counted_in = {event.id for event in known if as_of is None or event.at <= as_of}
    evidence = {
        claim: [event for event in events if event in counted_in]
        for claim, events in evidence_of_claims(store, [stream.id]).items()
    }
    lens = Lens.on(store, as_of or known_at or opened.now, opened.policy)
    return {
        **lens.stream(stream),
        "path": file,
        "claims": [claim_as_json(claim, evidence.get(claim.id, ()), lens.now) for claim in shown],
        "events": [event_as_json(event) for event in sorted(known, key=lambda event: (event.at, event.id))],
        "gates": gates_as_json(gates_of(store, stream, opened.policy)),
    }


def show_lines(
    view: dict[str, Any], pins: Collection[str], as_of: datetime | None, known_at: datetime | None
) -> list[str]:
    """`view` in words; the instants it was asked for head it. `pins`: the ids of what is pinned."""
    state = view["vitality"] if view["status"] == Status.ACTIVE else view["status"]
    doubt = ", doubtful" if view["doubtful"] else ""
    then = [f"As it was true at {rfc3339(as_of)}, by what is known"] if as_of is not None else []
    then += [f"As it was known at {rfc3339(known_at)}"] if known_at is not None else []
    then += [f"{view['asked']} is another name of {view['target']}"] if view.get("asked") else []
    pinned = ", pinned" if view["pinned"] else ""
    file = "file" if as_of is None and known_at is None else "file today"
    lines = [
        *(f"{line}:" for line in then),
        f"{view['title']} ({view['target']}, space {view['space']})",
        f"  {view['phase']}, {state}{doubt}{pinned};"
        f" confidence {view['confidence']:.2f} (base {view['base_confidence']:.2f})",
        f"  {counted(view['frequency'], 'event')} on {counted(view['active_days'], 'day')},"
        f" {view['first_seen'][:10]} to {view['last_seen'][:10]}",
        f"  {file}: {view['path'] or 'none yet, it is a pattern'}",
    ]
    for status in ClaimStatus:
        claims = [claim for claim in view["claims"] if claim["status"] == status]
        if claims:
            lines.append(f"{status}:")
        for claim in claims:
            until = f", until {claim['valid_to'][:10]}" if claim["valid_to"] else ""
            sources = f"{claim['support']}x, {claim['trust']}, since {claim['valid_from'][:10]}{until}"
            if (due := claim["due"]) is not None:
                sources += f", {due['words']}: " + (due["on"] or "no day for certain")
            fixed = "; pinned" if claim["id"] in pins else ""
            lines.append(f"  {claim['text']}  [{claim['id']}; {claim['kind']}; {sources}{fixed}]")
    return lines


def events_view(opened: Session, target: str) -> list[dict[str, Any]]:
    wanted = stream_asked_for(opened, target) if target else None
    values = []
    for store in opened.spaces() if wanted is None else (wanted[0],):
        held = frozenset(hold.event for hold in store.holds() if hold.event is not None)
        for found in store.all_events():
            value = linked_event_as_json(found, opened.now, held)
            if wanted is None or value["stream"] == wanted[1].id:
                values.append(value)
    return values


def event_lines(values: Sequence[dict[str, Any]]) -> list[str]:
    if not values:
        return ["No event fits. See: dreamd ingest --help"]
    rows = [
        (value["at"], value["kind"], value["target"] or f"({value['rule']})", value["actor"], value["text"][:SHORT])
        for value in values
    ]
    return table(("at", "kind", "target", "actor", "text"), rows)


def claims_view(opened: Session, target: str, *, everything: bool) -> list[dict[str, Any]]:
    """The members of the groups with stream and target; `evidence` is the union over the group."""
    wanted = stream_asked_for(opened, target) if target else None
    values = []
    for store in opened.spaces() if wanted is None else (wanted[0],):
        streams = {row.id: row for row in store.streams() if wanted is None or row.id == wanted[1].id}
        evidence = evidence_of_claims(store, None if wanted is None else list(streams))
        claims = store.claims(None if wanted is None else list(streams))
        of_group: dict[str, set[str]] = defaultdict(set)
        for claim in claims:
            of_group[claim.group] |= set(evidence.get(claim.id, ()))
        for claim in sorted(claims, key=lambda claim: (streams[claim.stream].target, claim.group, strength(claim))):
            value = claim_as_json(claim, sorted(of_group[claim.group]), opened.now)
            if everything or value["status"] == ClaimStatus.CURRENT:
                values.append({**value, "stream": claim.stream, "target": streams[claim.stream].target})
    return values


def claim_lines(values: Sequence[dict[str, Any]]) -> list[str]:
    if not values:
        return ["No statement fits. See: dreamd streams"]
    rows = [
        (value["target"], value["status"], value["kind"], str(value["support"]), value["trust"], value["text"][:SHORT])
        for value in values
    ]
    return table(("target", "status", "kind", "seen", "trust", "text"), rows)


def _check(word: str, allowed: list[Any], option: str) -> None:
    if word and word not in [str(each) for each in allowed]:
        raise Usage(f"{option} {word!r} is unknown", f"one of: {', '.join(map(str, allowed))}")
