"""A command as a person at a terminal sees it: run under a pseudo terminal of its own."""

import os
import pty
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def at_a_terminal(home: object, *words: str, **environ: str) -> str:
    """What `dreamd --home HOME words` writes to a terminal that has colours."""
    ours, theirs = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "200", **environ}
    command = [sys.executable, "-m", "dreamd.daemon.cli", "--home", str(home), *words]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        written = b""
        while piece := _read(ours):
            written += piece
    os.close(ours)
    assert process.returncode == 0, written
    return written.decode("utf-8").replace("\r\n", "\n")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65_536)
    except OSError:  # the other side is closed
        return b""
