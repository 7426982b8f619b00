"""What nearly changed: the gates of the next phase, those that were missed first."""

from collections.abc import Iterable

from dreamd.lifecycle.plan import Gate, NearMiss
from dreamd.lifecycle.told import told_apart
from dreamd.repo_export.markdown import escape_text
from dreamd.repo_export.reports.telling import Telling, quiet


def nearly_changed(telling: Telling) -> list[str]:
    return [line for miss in telling.plan.near_misses for line in _near_miss(miss)]


def _near_miss(miss: NearMiss) -> Iterable[str]:
    failed = [_gate(gate) for gate in miss.gates if not gate.passed]
    passed = [_gate(gate) for gate in miss.gates if gate.passed]
    reached = f"; reached: {', '.join(passed)}" if passed else ""
    yield f"- {quiet(miss.target)}, next {quiet(miss.next_phase)}: missed {', '.join(failed) or 'nothing'}{reached}"


def _gate(gate: Gate) -> str:
    value, threshold = told_apart(gate.value, gate.threshold, is_passed=gate.passed)
    return f"{escape_text(gate.gate)} {value} of {threshold}"
