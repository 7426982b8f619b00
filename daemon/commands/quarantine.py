"""What waits in quarantine, and a person's word on it: `quarantine list`, `approve`, `reject`."""

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.session import session

EVENT = typer.Argument(..., metavar="ID", help="Id of an event in quarantine, or its beginning.")

group = typer.Typer(help="See and decide what is kept back because it reads like an order to an agent.")


def add_to(app: typer.Typer) -> None:
    app.add_typer(group, name="quarantine")


@group.command("list")
def show() -> None:
    """List the events in quarantine with the reason, oldest first."""
    from dreamd.daemon.quarantining import quarantine_lines, quarantine_view  # noqa: PLC0415

    with session() as opened:
        values = [value for store in opened.spaces() for value in quarantine_view(store)]
        answer(values, lambda: say(quarantine_lines(opened, values)))


@group.command()
def approve(event: str = EVENT) -> None:
    """Let an event out: the next dream takes it in like any other."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide  # noqa: PLC0415
    from dreamd.daemon.quarantining import quarantined_event  # noqa: PLC0415

    with session() as opened:
        store, link = quarantined_event(opened, event)
        decide(opened, store, lambda: orders.release(store, link))


@group.command()
def reject(event: str = EVENT) -> None:
    """Keep an event out for good: it stays stored and is never looked at again."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide  # noqa: PLC0415
    from dreamd.daemon.quarantining import quarantined_event  # noqa: PLC0415

    with session() as opened:
        store, link = quarantined_event(opened, event)
        decide(opened, store, lambda: orders.keep_out(link))
