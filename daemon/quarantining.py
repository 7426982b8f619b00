"""The quarantine as answers show it, and from what a person typed to the event that is meant."""

from collections.abc import Sequence
from typing import Any

from dreamd.daemon.deciding import only_one
from dreamd.daemon.errors import Usage
from dreamd.daemon.outcomes import program_of
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339
from dreamd.lifecycle.quarantine import REJECTED, RELEASED
from dreamd.lifecycle.values import Event, Link
from dreamd.repo_export.markdown import command_line, shorten, visible

EXCERPT = 160  # characters of a text that are shown; `--json` has all of it
NONE = "Nothing is in quarantine."
LOOK = "dreamd quarantine list shows what is in quarantine"


def quarantine_view(store: SpaceStore) -> list[dict[str, Any]]:
    """One object for each event that is kept back and waits for a person, oldest first."""
    links = {link.event: link for link in store.quarantine()}
    events = sorted(store.events(links.keys()), key=lambda event: (event.at, event.id))
    return [_as_json(store, event, links[event.id]) for event in events]


def quarantine_lines(opened: Session, values: Sequence[dict[str, Any]]) -> list[str]:
    if not values:
        return [NONE]
    lines = []
    for value in values:
        about = f", about {visible(shorten(value['target'], EXCERPT))}" if value["target"] else ""
        who = f"{value['actor']} {value['kind']} from {visible(shorten(value['source'], EXCERPT))}{about}"
        lines += [
            f"{value['id']}  {value['at']}  space {value['space']}  {who}",
            f"  kept back: {value['reason']}",
            f"  it says: {visible(shorten(value['text'], EXCERPT))}",
        ]
    program = program_of(opened)
    return [*lines, f"Let one out: {program} quarantine approve ID; keep it out: {program} quarantine reject ID"]


def quarantined_event(opened: Session, asked: str) -> tuple[SpaceStore, Link]:
    """The quarantine's link of the event that `asked` begins. Raises Usage, which says what became of another event."""

    def look(store: SpaceStore) -> list[Link]:
        return [link for link in store.quarantine() if link.event.startswith(asked)]

    if asked and not any(look(store) for store in opened.spaces()):
        for store in opened.spaces():
            for found in store.prefixed(asked):
                if isinstance(found, Event):
                    raise Usage(f"event {found.id} is not in quarantine: {_fate(store, found)}", LOOK)
    return only_one(opened, asked, look, "event in quarantine", LOOK)


def _as_json(store: SpaceStore, event: Event, link: Link) -> dict[str, Any]:
    return {
        "id": event.id,
        "space": event.space,
        "at": rfc3339(event.at),
        "recorded_at": rfc3339(event.recorded_at),
        "kind": event.kind,
        "actor": event.actor,
        "source": event.source,
        "session": event.session,
        "target": event.target,
        "reason": _reason(store, link),
        "text": event.text,
        "because": event.because,
    }


def _reason(store: SpaceStore, link: Link) -> str:
    """Why the dream kept it back, as its run logged it."""
    made = [change.because for _, change in store.changes_of(link.id) if change.before is None]
    return made[-1] if made else "not known"


def _fate(store: SpaceStore, event: Event) -> str:
    links = store.links_of_event(event.id)
    rules = {link.rule for link in links if link.stream is None}
    if RELEASED in rules:
        return "it was released"
    if REJECTED in rules:
        return "it was rejected; dreamd revert takes that back"
    if links:
        return "a dream took it in" if any(link.stream for link in links) else f"it is {min(rules)}"
    if any(hold.event == event.id for hold in store.holds()):
        lift = command_line("unhold", event.id, space=store.space)
        return f"a revert holds it; {lift} lets the next dream look at it"
    return "no dream has looked at it yet"
