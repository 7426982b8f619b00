"""What a person decides: `pin`, `unpin`, `alias`, `accept`, `reject`, `resolve`."""

import typer

from dreamd.daemon.session import session


def add_to(app: typer.Typer) -> None:
    for command in (pin, unpin, alias, accept, reject, resolve):
        app.command()(command)


def pin(subject: str = typer.Argument(..., help="A target, or the id of a stream or claim.")) -> None:
    """Leave this alone: no run ends, merges or fades it."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, pinnable  # noqa: PLC0415

    with session() as opened:
        store, row = pinnable(opened, subject)
        decide(opened, store, lambda: orders.pin(store, row, opened.now))


def unpin(subject: str = typer.Argument(..., help="A target, or the id of a stream or claim.")) -> None:
    """Lift a pin."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, pinnable  # noqa: PLC0415

    with session() as opened:
        store, row = pinnable(opened, subject)
        decide(opened, store, lambda: orders.unpin(store, row))


def alias(
    name: str = typer.Argument(..., metavar="OLD", help="The name that becomes another spelling."),
    target: str = typer.Argument(..., metavar="NEW", help="The target that it stands for from now on."),
) -> None:
    """OLD is another name of NEW: its stream is merged, and what comes later under OLD goes to NEW."""
    from dreamd.daemon import aliasing  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, space_of_targets  # noqa: PLC0415

    with session() as opened:
        store = space_of_targets(opened, name, target)
        decide(opened, store, lambda: aliasing.alias(store, name, target))


def accept(proposal: str = typer.Argument(..., metavar="ID", help="Id of a proposal; reports name them.")) -> None:
    """Do what a proposal says, planned again on what is known now."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, open_proposal  # noqa: PLC0415

    with session() as opened:
        store, row = open_proposal(opened, proposal)
        decide(opened, store, lambda: orders.accept(store, row))


def reject(proposal: str = typer.Argument(..., metavar="ID", help="Id of a proposal; reports name them.")) -> None:
    """Turn a proposal down; it is not offered again."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, open_proposal  # noqa: PLC0415

    with session() as opened:
        store, row = open_proposal(opened, proposal)
        decide(opened, store, lambda: orders.reject(row))


def resolve(
    question: str = typer.Argument(..., metavar="ID", help="Id of a question; reports name them."),
    choice: str = typer.Argument(..., help="The id of the claim that holds, `both`, or `neither`: none was true."),
) -> None:
    """Answer a question that no rule decides."""
    from dreamd.daemon import orders  # noqa: PLC0415
    from dreamd.daemon.deciding import decide, open_question  # noqa: PLC0415

    with session() as opened:
        store, row = open_question(opened, question)
        decide(opened, store, lambda: orders.resolve(row, choice))
