"""What is known: `streams`, `show`, `why`, `lives`, `events`, `claims`."""

from typing import Any

import typer

from dreamd.daemon.answers import answer, say
from dreamd.daemon.errors import BadData, Usage
from dreamd.daemon.session import session


def add_to(app: typer.Typer) -> None:
    for command in (streams, show, why, lives, events, claims):
        app.command()(command)


def streams(
    status: str = typer.Option("", "--status", help="Only active, faded, forgotten or merged ones."),
    phase: str = typer.Option("", "--phase", help="Only those in this phase: pattern, emergent or canonical."),
) -> None:
    """List the streams of knowledge, one per target."""
    from dreamd.daemon.first_steps import nothing_known  # noqa: PLC0415
    from dreamd.daemon.knowing import streams_table, streams_view  # noqa: PLC0415

    with session() as opened:
        values = [view for store in opened.spaces() for view in streams_view(opened, store, status, phase)]
        lines = (nothing_known(opened) if not values else []) or streams_table(values)
    answer(values, lambda: say(lines))


def show(
    target: str = typer.Argument(..., help="A target in any spelling, or a stream id."),
    as_of: str = typer.Option("", "--as-of", metavar="RFC3339", help="What was true then."),
    known_at: str = typer.Option("", "--known-at", metavar="RFC3339", help="What was believed then."),
) -> None:
    """Show one stream: its claims with their evidence, its events, its gates."""
    from dreamd.daemon.aliasing import other_name  # noqa: PLC0415
    from dreamd.daemon.deciding import stream_asked_for  # noqa: PLC0415
    from dreamd.daemon.knowing import show_lines, show_view  # noqa: PLC0415

    with session() as opened:
        store, stream = stream_asked_for(opened, target)
        true_at, believed_at = _instant("--as-of", as_of), _instant("--known-at", known_at)
        view = {**show_view(opened, store, stream, true_at, believed_at), **other_name(store, target, stream)}
        pins = frozenset(pin.subject for pin in store.pins())
    answer(view, lambda: say(show_lines(view, pins, true_at, believed_at)))


def why(target: str = typer.Argument(..., help="A target in any spelling, or a stream id.")) -> None:
    """Say why a stream is where it is: plain words, then every gate with value and threshold."""
    from dreamd.daemon.deciding import stream_asked_for  # noqa: PLC0415
    from dreamd.daemon.why import why_lines, why_view  # noqa: PLC0415

    with session() as opened:
        store, stream = stream_asked_for(opened, target)
        view = why_view(opened, store, stream)
    answer(view, lambda: say(why_lines(view)))


def lives(
    targets: list[str] = typer.Argument(..., metavar="TARGET...", help="Targets in any spelling, or stream ids."),
    output: str = typer.Option("lives.svg", "--output", "-o", metavar="FILE", help="Where the picture goes."),
) -> None:
    """Draw the lives of streams as SVG: phase, vitality, confidence and evidence until now."""
    from pathlib import Path  # noqa: PLC0415

    from dreamd.daemon.living import life_as_json, lives_asked_for, write_picture  # noqa: PLC0415
    from dreamd.repo_export.lives import draw, in_words  # noqa: PLC0415

    with session() as opened:
        told = lives_asked_for(opened, targets)
        if not told:
            raise Usage("none of these had evidence yet", "dreamd streams lists what there is; or give a later --now")
        write_picture(Path(output), draw(told, opened.now))
    value = {"file": output, "lives": [life_as_json(life) for life in told]}
    answer(value, lambda: say([*map(in_words, told), f"drawn: {output}"]))


def events(
    target: str = typer.Option("", "--target", help="Only the events about this target."),
) -> None:
    """List what came in and where it went."""
    from dreamd.daemon.first_steps import nothing_known  # noqa: PLC0415
    from dreamd.daemon.knowing import event_lines, events_view  # noqa: PLC0415

    with session() as opened:
        values = events_view(opened, target)
        lines = (nothing_known(opened) if not values else []) or event_lines(values)
    answer(values, lambda: say(lines))


def claims(
    target: str = typer.Option("", "--target", help="Only the statements about this target."),
    everything: bool = typer.Option(False, "--all", help="Superseded and retracted ones too."),
) -> None:
    """List every statement with its status and evidence."""
    from dreamd.daemon.first_steps import nothing_known  # noqa: PLC0415
    from dreamd.daemon.knowing import claim_lines, claims_view  # noqa: PLC0415

    with session() as opened:
        values = claims_view(opened, target, everything=everything)
        lines = (nothing_known(opened) if not values else []) or claim_lines(values)
    answer(values, lambda: say(lines))


def _instant(option: str, text: str) -> Any:
    from dreamd.daemon.clock import parse_instant  # noqa: PLC0415

    if not text:
        return None
    try:
        return parse_instant(text)
    except BadData as bad:
        raise Usage(f"{option}: {bad.message}", bad.hint) from None
