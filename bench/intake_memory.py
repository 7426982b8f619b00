"""What a million mixed lines cost to take in, and that they need no more memory than ten thousand.

The lines are made while they are read; a tenth of them are new events, the others come again, are broken or blank.
Target (issue 3): ten million lines within 256 MB. What is held does not follow the lines, so a million show it.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.streamed import MEBIBYTE, mixed_lines, read_by_dreamd

COUNTS = (10_000, 1_000_000)


def main(_data_dir: Path) -> None:
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder) / "home"
            command = (sys.executable, "-m", "dreamd.daemon.cli", "--home", str(home), "init")
            subprocess.run(command, check=True, capture_output=True)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            answered, peak = read_by_dreamd(home, mixed_lines(count))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"{count:>10,} lines {seconds:9.3f} CPU s {peak / MEBIBYTE:7.0f} MB peak"
            f"   ({answered['new']:,} new, {answered['duplicate']:,} again, {answered['rejected']:,} rejected)",
            flush=True,
        )
