"""The lives of streams, from the store to a picture, to JSON and to words."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dreamd.daemon.deciding import stream_asked_for
from dreamd.daemon.errors import Storage
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.times import rfc3339
from dreamd.lifecycle.evidence import evidence_of
from dreamd.lifecycle.further import first_links
from dreamd.lifecycle.life import Life, Span, life_of
from dreamd.lifecycle.values import Stream


def lives_asked_for(opened: Session, targets: Sequence[str]) -> list[Life]:
    """The life of each of `targets`, in their order, each once. Raises Usage if one names no stream, or several."""
    found = {stream.id: (store, stream) for store, stream in (stream_asked_for(opened, each) for each in targets)}
    lives = (_life(opened, store, stream) for store, stream in found.values())
    return [life for life in lives if life is not None]


def _life(opened: Session, store: SpaceStore, stream: Stream) -> Life | None:
    bearings = {link.event: link.bearing for link in first_links(store.links(stream.id))}
    evidence = [evidence_of(event, bearings[event.id]) for event in store.events(list(bearings))]
    return life_of(stream, evidence, opened.now, store.waking(opened.policy), opened.policy)


def life_as_json(life: Life) -> dict[str, Any]:
    return {
        "target": life.target,
        "title": life.title,
        "phases": [_span(span) for span in life.phases],
        "states": [_span(span) for span in life.states],
        "confidence": [{"at": rfc3339(at), "value": value} for at, value in life.confidence],
        "supports": [rfc3339(at) for at in life.supports],
        "opposes": [rfc3339(at) for at in life.opposes],
    }


def write_picture(file: Path, svg: str) -> None:
    """Raises Storage."""
    try:
        file.write_text(svg, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Storage(f"cannot write {file}: {error.strerror}", "name another file: --output FILE") from None


def _span(span: Span) -> dict[str, str]:
    return {"name": span.name, "from": rfc3339(span.start), "to": rfc3339(span.end)}
