"""What nearly changed: the gates of the next phase, those that were missed first."""

from dreamd.lifecycle.plan import Gate, NearMiss
from dreamd.lifecycle.told import told_apart
from dreamd.repo_export.markdown import escape_text
from dreamd.repo_export.reports.telling import Telling, quiet


def nearly_changed(telling: Telling) -> list[str]:
    return [f"- {missed(miss)}{_reached(miss)}" for miss in telling.plan.near_misses]


def missed(miss: NearMiss) -> str:
    """Such as "db_timeouts, next canonical: missed stability 0.55 of 0.60"."""
    failed = [_gate(gate) for gate in miss.gates if not gate.passed]
    return f"{quiet(miss.target)}, next {quiet(miss.next_phase)}: missed {', '.join(failed) or 'nothing'}"


def _reached(miss: NearMiss) -> str:
    passed = [_gate(gate) for gate in miss.gates if gate.passed]
    return f"; reached: {', '.join(passed)}" if passed else ""


def _gate(gate: Gate) -> str:
    value, threshold = told_apart(gate.value, gate.threshold, is_passed=gate.passed)
    return f"{escape_text(gate.gate)} {value} of {threshold}"
