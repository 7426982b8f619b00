"""Lines of JSONL that are made while they are read, and what the program that reads them holds in memory at most."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

# Measured inside: what a parent sees of a child's peak begins with the parent's own memory.
PROGRAM = """
import resource, sys
from pathlib import Path
from dreamd.daemon.cli import main
code = main(sys.argv[1:])
status = Path("/proc/self/status")
if status.exists():
    peak = int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(peak, file=sys.stderr)
sys.exit(code)
"""
EVERY = 10  # lines: how many of each kind follow on each other
OF_TEN = Counter(new=1, duplicate=3, rejected=5, blank=1)
MEBIBYTE = 1024 * 1024


def mixed_lines(count: int) -> Iterator[bytes]:
    """`count` lines, a multiple of EVERY, of which OF_TEN of ten are new, duplicate, rejected and blank."""
    for number in range(count // EVERY):
        days, second = divmod(number, 86_400)
        at = f"2026-{1 + days // 28 % 12:02d}-{1 + days % 28:02d}T{second // 3_600:02d}:{second // 60 % 60:02d}:00Z"
        line = f'{{"at": "{at}", "text": "The queue lost request {number}", "target": "t{number % 1_000}"}}\n'.encode()
        yield line * 4
        yield b"\n"
        yield f'{{"at": "{at}", "text": "No kind {number}", "kind": "k{number}"}}\n'.encode()
        yield f'{{"at": "{at}", "text": "No space", "space": "No {number}"}}\n'.encode()
        yield f'{{"at": "{at}", "text": "Cut off {number}\n'.encode()
        yield b"[" * 40 + b"\n"
        yield f'{{"at": "{number}", "text": "No date"}}\n'.encode()


def read_by_dreamd(home: Path, lines: Iterable[bytes]) -> tuple[dict[str, Any], int]:
    """What `ingest events -` answers for `lines`, and its peak of resident memory in bytes."""
    arguments = ("--home", str(home), "--now", "2027-01-01T00:00:00Z", "--json", "ingest", "events", "-")
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as reader:
        assert reader.stdin is not None
        for line in lines:
            reader.stdin.write(line)
        out, err = reader.communicate()
    return json.loads(out), int(err.split()[-1])
