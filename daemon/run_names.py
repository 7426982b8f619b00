"""Which run a person means: by its number, or by the beginning of its id."""

from typing import TYPE_CHECKING

from dreamd.daemon.errors import Usage
from dreamd.daemon.session import Session, nothing_ingested, several

if TYPE_CHECKING:
    from dreamd.daemon.storage.store import SpaceStore

PREFIX = "run_"
MAX_DIGITS = 18  # of a number that a database holds


def run_named(opened: Session, text: str) -> tuple["SpaceStore", int]:
    """The one run that `text` names, and its space. Raises Usage if none is, or several are."""
    from dreamd.daemon.commands.history import space_with_run  # noqa: PLC0415 - it uses this module

    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS:
        return space_with_run(opened, int(text)), int(text)
    start = text if text.startswith(PREFIX) else f"{PREFIX}{text}"
    spaces = opened.spaces()
    if not spaces:
        raise nothing_ingested()
    if len(start) <= len(PREFIX):
        raise Usage(f"{text!r} names no run", "give its number, or the beginning of its id; dreamd runs lists them")
    found = [(store, record.number) for store in spaces for record in store.runs() if record.id.startswith(start)]
    if not found:
        raise Usage(f"no run has the number or an id that begins with {text!r}", "dreamd runs lists them")
    if len(found) > 1:
        named = sorted({store.space for store, _ in found})
        if len(named) > 1:
            raise several(named)
        numbers = ", ".join(str(number) for _, number in found)
        raise Usage(f"{text!r} begins the ids of runs {numbers}", "give more of it, or the number")
    return found[0]
