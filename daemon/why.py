"""`dreamd why`: where a stream stands and why, in plain words first; then every gate, and what lies ahead.

What lies ahead is told twice over: if evidence went on as it does (lifecycle/forecast.py), and if nothing more came.
Both are as of now and promise nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.terminal import table
from dreamd.daemon.times import rfc3339, rfc3339_or_none
from dreamd.daemon.views import Lens, gates_as_json, gates_of
from dreamd.lifecycle.ageing import FADED, crossings_ahead, due_at
from dreamd.lifecycle.evidence import Evidence, evidence_of
from dreamd.lifecycle.forecast import Forecast, forecast
from dreamd.lifecycle.further import first_links
from dreamd.lifecycle.holds import is_held_as_it_is
from dreamd.lifecycle.told import counted, told_apart
from dreamd.lifecycle.values import Stream
from dreamd.lifecycle.words import Bearing, DecayClass, Phase, Status, Waiting

NEXT = {Phase.PATTERN: Phase.EMERGENT, Phase.EMERGENT: Phase.CANONICAL}
MEASURES: Mapping[str, str] = {
    "frequency": "how often it was seen; this or removal cost is enough",
    "removal_cost": "what losing it would cost: sessions, commits, errors met, decisions",
    "lifetime_days": "days from its first to its last evidence",
    "coverage": "how much of the observation window its life covers",
    "stability": "how its evidence is spread over its life",
    "open_question": "1 while a question or a doubt about it is open",
    "vouched": "evidence from a user, an agent or a tool",
}
EITHER = ("removal_cost", "what losing it would cost; this or frequency is enough")


def why_view(opened: Session, store: SpaceStore, stream: Stream) -> dict[str, Any]:
    """The object of `why --json`: the stream, its gates with the earliest day each could pass, and what lies ahead."""
    lens = Lens.on(store, opened.now, opened.policy)
    due = due_at(stream, store.claims([stream.id]), opened.now, lens.waking, opened.policy)
    is_open = any(row.stream == stream.id and row.status is Waiting.OPEN for row in store.questions())
    ahead = forecast(stream, _evidence(store, stream), opened.policy, is_question_open=is_open, today=opened.now.date())
    held = is_held_as_it_is(stream, lens.holds.get(stream.id, ()))
    return {
        **lens.stream(stream),
        "gates": [
            {**gate, "earliest": _earliest(ahead, gate["gate"])}
            for gate in gates_as_json(gates_of(store, stream, opened.policy))
        ],
        "emergent_at": rfc3339_or_none(stream.emergent_at),
        "canonical_at": rfc3339_or_none(stream.canonical_at),
        "protected": stream.is_protected,
        "next_change_not_before": rfc3339_or_none(due),
        "next_phase": NEXT.get(stream.phase),
        "if_evidence_goes_on": None
        if ahead is None
        else {
            "every_days": ahead.every_days,
            "next_phase_on": None if ahead.phase_on is None else ahead.phase_on.isoformat(),
        },
        "if_nothing_comes": [] if held else _silence(stream, lens, opened.now),
        "held_as_it_is": held,
    }


def why_lines(view: dict[str, Any]) -> list[str]:
    """The same for a person: what it is, what it lacks and when it could have it; how alive it is, and until when."""
    lines = [_standing(view), *_going_on(view), *_alive(view), *_silent(view)]
    return [*lines, "", *_gates(view)]


def _evidence(store: SpaceStore, stream: Stream) -> list[Evidence]:
    bearings = {link.event: link.bearing for link in first_links(store.links(stream.id))}
    events = store.events(bearings.keys())
    return [evidence_of(event, bearings[event.id]) for event in events if bearings[event.id] is not Bearing.MENTIONS]


def _earliest(ahead: Forecast | None, gate: str) -> str | None:
    """The first day on which a closed gate could pass; None if it is open, or not within the horizon."""
    day = None if ahead is None else ahead.gates.get(gate)
    return None if day is None else day.isoformat()


def _silence(stream: Stream, lens: Lens, now: datetime) -> list[dict[str, str]]:
    if stream.status is not Status.ACTIVE:
        return []
    held = {hold.kind for hold in lens.holds.get(stream.id, ()) if hold.evidence_digest == stream.evidence_digest}
    ahead = crossings_ahead(stream, now, lens.waking, lens.policy)
    return [{"becomes": kind.split(":")[1], "at": rfc3339(at)} for kind, at in ahead if kind not in held]


def _standing(view: dict[str, Any]) -> str:
    missed = [gate["gate"].replace("_", " ") for gate in view["gates"] if not gate["passed"]]
    if view["phase"] == Phase.CANONICAL:
        return f"{view['target']} is canonical since {view['canonical_at'][:10]}: it passed every gate."
    if missed:
        return f"{view['target']} is {_a(view['phase'])}: not yet enough {', '.join(missed)} for the next phase."
    return f"{view['target']} is {_a(view['phase'])} and passes every gate now; new evidence moves it on."


def _a(phase: str) -> str:
    return f"an {phase} stream" if phase == Phase.EMERGENT else f"a {phase}"


def _going_on(view: dict[str, Any]) -> list[str]:
    """When it could reach its next phase, or what no amount of the same evidence would bring."""
    going = view["if_evidence_goes_on"]
    if going is None or view["next_phase"] is None or view["status"] == Status.FORGOTTEN:
        return []
    pace = f"If its evidence went on as it does, every {counted(round(going['every_days']), 'day')}"
    if going["every_days"] == 1:
        pace = "If its evidence went on as it does, every day"
    if going["next_phase_on"] is not None:
        return [f"{pace}, it could be {view['next_phase']} on {going['next_phase_on']}."]
    never = [gate for gate in view["gates"] if not gate["passed"] and gate["earliest"] is None]
    needs = {
        "vouched": "it has to be confirmed by a user, an agent or a tool",
        "open_question": "the open question or doubt has to be settled",
    }
    known = [needs[gate["gate"]] for gate in never if gate["gate"] in needs]
    if known:
        return [f"More of the same evidence would not make it {view['next_phase']}: {' and '.join(known)}."]
    short = ", ".join(gate["gate"].replace("_", " ") for gate in never) or "all gates at once"
    return [f"{pace}, it would not be {view['next_phase']} within two years: {short} would take other evidence."]


def _alive(view: dict[str, Any]) -> list[str]:
    state = view["vitality"] if view["status"] == Status.ACTIVE else view["status"]
    lines = [f"It is {state}: last evidence {view['last_seen'][:10]}, confidence {view['confidence']:.2f}."]
    if view["doubtful"]:
        lines.append("It is doubtful: what opposes its decision outweighs what supports it.")
    if view["held_as_it_is"]:
        lines.append("It is held as it is, by a changed policy or a revert, until new evidence or your word.")
    return lines


def _silent(view: dict[str, Any]) -> list[str]:
    """What becomes of it if nothing more comes."""
    if view["status"] == Status.FADED:
        return ["New evidence would wake it, with all that it was."]
    lines = []
    steps: Sequence[dict[str, str]] = view["if_nothing_comes"]
    if steps:
        named = [f"{step['becomes']} on {step['at'][:10]}" for step in steps]
        listed = " and ".join([", ".join(named[:-1]), named[-1]]) if len(named) > 1 else named[0]
        lines.append(f"If nothing more came for it while other work goes on here, it would be {listed}.")
    fades = any(step["becomes"] == FADED.split(":")[1] for step in steps)
    if view["protected"]:
        lines.append("It is protected (pinned, or holding a preference): it never fades away.")
    elif view["decay_class"] == DecayClass.PERMANENT:
        lines.append("What it holds is permanent: it never fades away.")
    elif not fades and not view["held_as_it_is"] and view["status"] == Status.ACTIVE:
        lines.append("It does not fade away.")
    return lines


def _gates(view: dict[str, Any]) -> list[str]:
    passed = view["phase"] == Phase.CANONICAL
    of = "Gates: that it passed to be canonical" if passed else f"Gates: what {view['next_phase']} takes"
    is_emergent_next = view["next_phase"] == Phase.EMERGENT
    rows = [
        (
            f"  {gate['gate']}",
            *told_apart(gate["value"], gate["threshold"], is_passed=gate["passed"]),
            _verdict(gate),
            EITHER[1] if is_emergent_next and gate["gate"] == EITHER[0] else MEASURES[gate["gate"]],
        )
        for gate in view["gates"]
    ]
    return [of, *table(("  gate", "value", "threshold", "", "what it is"), rows)]


def _verdict(gate: dict[str, Any]) -> str:
    if gate["passed"]:
        return "pass"
    return "fail" if gate["earliest"] is None else f"fail, {gate['earliest']} at the earliest"
