"""A picture of the lives of streams: phase, vitality, confidence and evidence over time, as SVG.

One lane a stream over one axis of time. It reads in light and dark, by colour and without (names in the bars, hatching,
length of the marks), and its title and description say the same in words. Same lives, same bytes. Whatever a target is
called, it is text: escaped, cut, and without characters that XML does not know.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

from dreamd.lifecycle.life import Life, Span

WIDTH, LEFT, RIGHT, TOP = 920, 52, 16, 40  # pixels
TITLE, BAR, PLOT, MARKS, GAP = 20, 16, 90, 16, 26  # heights within a lane, from its top
LANE = TITLE + BAR + PLOT + MARKS + GAP
FOOT = 64  # of the axis and the legend
MARK_LONG, MARK_SHORT = 12, 6  # of evidence that supports and that opposes
LABEL_WIDTH = 76  # that a date needs on the axis
LETTER_WIDTH = 7
MAX_TITLE = 60  # characters
MIN_SPAN = timedelta(days=1)  # of the whole axis
NEAR = 0.2  # pixels that a left-out point may lie off the line

PHASES = ("pattern", "emergent", "canonical")
STATES = ("active", "decaying", "dormant", "faded")

STYLE = """
svg { --ink: #1f2328; --soft: #59636e; --grid: #d1d9e0; --ground: #ffffff; --line: #0a3d7a; --against: #b3261e;
  --pattern: #dde6f1; --emergent: #a9c7ea; --canonical: #2f6db5; --on-canonical: #ffffff;
  --decaying: #fff3cf; --dormant: #f9d9ae; --faded: #e3e3e6; }
@media (prefers-color-scheme: dark) { svg { --ink: #e6edf3; --soft: #9da7b1; --grid: #3d444d; --ground: #0d1117;
  --line: #9ecbff; --against: #ff9a91; --pattern: #233246; --emergent: #34567f; --canonical: #8fbcf2;
  --on-canonical: #0d1117; --decaying: #3b3415; --dormant: #553712; --faded: #34343a; } }
text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.title { font-size: 14px; font-weight: 600; }
.soft { fill: var(--soft); }
.ground { fill: var(--ground); }
.grid { stroke: var(--grid); stroke-width: 1; }
.pattern { fill: var(--pattern); }
.emergent { fill: var(--emergent); }
.canonical { fill: var(--canonical); }
.on-canonical { fill: var(--on-canonical); }
.active { fill: none; stroke: var(--grid); }
.decaying { fill: var(--decaying); }
.dormant { fill: var(--dormant); }
.faded { fill: var(--faded); }
.hatch { stroke: var(--soft); stroke-width: 1; }
.confidence { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; }
.supports { stroke: var(--ink); stroke-width: 1; }
.opposes { stroke: var(--against); stroke-width: 3; }
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Axis:
    start: datetime
    end: datetime

    def x(self, at: datetime) -> float:
        return round(LEFT + (at - self.start) / (self.end - self.start) * (WIDTH - LEFT - RIGHT), 1)


def draw(lives: Sequence[Life], now: datetime) -> str:
    """The SVG of `lives` (at least one), from the earliest evidence until `now`."""
    start = min(life.phases[0].start if life.phases else now for life in lives)
    axis = _Axis(start=min(start, now - MIN_SPAN), end=now)
    height = TOP + LANE * len(lives) + FOOT
    bottom = TOP + LANE * len(lives) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' role="img" aria-labelledby="title desc">',
        f'<title id="title">{_text(_heading(lives))}</title>',
        f'<desc id="desc">{_text(" ".join(in_words(life) for life in lives))}</desc>',
        f"<style>{STYLE}</style>",
        '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="hatch" d="M0 0V6"/></pattern></defs>',
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        _label(LEFT, 20, _heading(lives), "title"),
        *_grid(axis, bottom),
        *(part for place, life in enumerate(lives) for part in _lane(life, axis, TOP + LANE * place)),
        *_legend(bottom + 44),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def in_words(life: Life) -> str:
    """The picture of one stream as a sentence or two."""
    phases = ", ".join(f"{span.name} from {_day(span.start)}" for span in life.phases) or "just seen"
    fadings = [span for span in life.states if span.name == "faded"]
    faded = "; ".join(f"faded {_day(span.start)} to {_day(span.end)}" for span in fadings) or "never faded"
    state = life.states[-1].name if life.states else "active"
    against = f" and {len(life.opposes)} against" if life.opposes else ""
    return (
        f"{_title(life)}: {phases}; {faded}. At the end it is {state}, with confidence"
        f" {life.confidence[-1][1]:.2f}; {len(life.supports)} pieces of evidence for it{against}."
    )


def _heading(lives: Sequence[Life]) -> str:
    return "The life of a stream" if len(lives) == 1 else f"The lives of {len(lives)} streams"


def _lane(life: Life, axis: _Axis, top: float) -> Iterator[str]:
    bar, plot = top + TITLE, top + TITLE + BAR
    yield f"<g><title>{_text(in_words(life))}</title>"
    yield _label(LEFT, top + 14, _title(life), "title")
    for span in life.phases:
        yield from _phase(span, axis, bar)
    for span in life.states:
        yield from _state(span, axis, plot)
    for share in (0.0, 0.5, 1.0):
        y = plot + (1 - share) * PLOT
        yield f'<path class="grid" d="M{LEFT} {y:g}H{WIDTH - RIGHT}"/>'
        yield _label(LEFT - 6, y + 4, f"{share:.1f}", "soft", anchor="end")
    points = _thinned([(axis.x(at), round(plot + (1 - share) * PLOT, 1)) for at, share in life.confidence])
    yield f'<polyline class="confidence" points="{" ".join(f"{x:g},{y:g}" for x, y in points)}"/>'
    yield _marks("supports", (axis.x(at) for at in life.supports), plot + PLOT + 3, MARK_LONG)
    yield _marks("opposes", (axis.x(at) for at in life.opposes), plot + PLOT + 3, MARK_SHORT)
    yield "</g>"


def _phase(span: Span, axis: _Axis, y: float) -> Iterator[str]:
    x, width = axis.x(span.start), axis.x(span.end) - axis.x(span.start)
    yield f'<rect class="{span.name}" x="{x:g}" y="{y:g}" width="{width:.1f}" height="{BAR - 2}"/>'
    if width > LETTER_WIDTH * len(span.name):
        yield _label(x + 4, y + 11, span.name, "on-canonical" if span.name == "canonical" else "")


def _state(span: Span, axis: _Axis, y: float) -> Iterator[str]:
    if span.name == "active":
        return
    x, width = axis.x(span.start), axis.x(span.end) - axis.x(span.start)
    box = f'x="{x:g}" y="{y:g}" width="{width:.1f}" height="{PLOT}"'
    yield f'<rect class="{span.name}" {box}/>'
    if span.name == "faded":
        yield f'<rect fill="url(#hatch)" {box}/>'


def _marks(name: str, places: Iterable[float], y: float, length: float) -> str:
    """One path, since a stream may have thousands; marks on one pixel are one."""
    path = "".join(f"M{x:g} {y:g}v{length:g}" for x in sorted(set(places)))
    return f'<path class="{name}" d="{path}"/>' if path else ""


def _grid(axis: _Axis, bottom: float) -> Iterator[str]:
    for at in _dates(axis):
        x = axis.x(at)
        yield f'<path class="grid" d="M{x:g} {TOP + TITLE}V{bottom:g}"/>'
        yield _label(min(x, WIDTH - RIGHT - LABEL_WIDTH / 2 + 4), bottom + 16, _day(at), "soft", anchor="middle")


def _dates(axis: _Axis) -> list[datetime]:
    """The days that the axis names: firsts of months or years where it is long, as many as have room."""
    room = int((WIDTH - LEFT - RIGHT) // LABEL_WIDTH)
    first = axis.start.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    days = (axis.end - axis.start).days + 1
    for step in (1, 2, 7, 14):
        if days / step <= room:
            dates = [first + timedelta(days=place * step) for place in range(1, days // step + 1)]
            return [at for at in dates if at <= axis.end]
    months = next(step for step in (1, 2, 3, 6, 12, 24, 60, 120, 1200, 12000) if days / 30.4 / step <= room)
    numbers = range(first.year * 12 + first.month, axis.end.year * 12 + axis.end.month)  # of the months that begin
    return [first.replace(year=at // 12, month=at % 12 + 1, day=1) for at in numbers if at % months == 0]


def _legend(y: float) -> Iterator[str]:
    x = float(LEFT)
    for name in (*PHASES, *STATES):
        box = f'x="{x:g}" y="{y - 10:g}" width="14" height="12"'
        yield f'<rect class="{name}" {box}/>'
        if name == "faded":
            yield f'<rect fill="url(#hatch)" {box}/>'
        yield _label(x + 19, y, name)
        x += 34 + LETTER_WIDTH * len(name)
    yield f'<path class="confidence" d="M{x:g} {y - 4:g}h18"/>'
    yield _label(x + 23, y, "confidence")
    yield _marks("supports", [x + 106], y - 10, MARK_LONG)
    yield _label(x + 112, y, "evidence")
    yield _marks("opposes", [x + 180], y - 10, MARK_SHORT)
    yield _label(x + 187, y, "against")


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without the points that lie on the way from the one before to the one after."""
    kept: list[tuple[float, float]] = []
    for place, point in enumerate(points):
        is_end = place in (0, len(points) - 1)
        if is_end or not _is_between(kept[-1], point, points[place + 1]):
            kept.append(point)
    return kept


def _is_between(before: tuple[float, float], point: tuple[float, float], after: tuple[float, float]) -> bool:
    if after[0] <= before[0]:
        return point == before
    share = (point[0] - before[0]) / (after[0] - before[0])
    return abs(before[1] + share * (after[1] - before[1]) - point[1]) <= NEAR


def _label(x: float, y: float, text: str, name: str = "", *, anchor: str = "start") -> str:
    style = f' class="{name}"' if name else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text{style} x="{x:g}" y="{y:g}"{place}>{_text(text)}</text>'


def _title(life: Life) -> str:
    return life.title if len(life.title) <= MAX_TITLE else f"{life.title[: MAX_TITLE - 1]}…"


def _text(text: str) -> str:
    """As XML takes it: nothing that is no printable character."""
    return escape("".join(char if char.isprintable() else " " for char in text))


def _day(at: datetime) -> str:
    return at.astimezone(UTC).date().isoformat()
