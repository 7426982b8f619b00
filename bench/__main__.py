"""Runs benches: `python -m bench DATA_FOLDER [NAME...]`, where a bench is a file in bench/ with a `main(data_dir)`.

Each runs in a process of its own, so that its peak memory is its own. A bench that misses its data says what it
wants.
"""

import argparse
import ast
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from bench.calibration import calibration_seconds

FOLDER = Path(__file__).parent


def bench_names() -> tuple[str, ...]:
    """The benches by name; found by reading, since importing one costs what importing dreamd costs."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_") and _is_bench(file)))


def _is_bench(file: Path) -> bool:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description="What dreamd costs.")
    parser.add_argument("data", type=Path, help="folder with the histories that the benches read")
    parser.add_argument("names", nargs="*", help=f"which benches, of: {', '.join(bench_names()) or 'none yet'}")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    unknown = sorted({*asked.names} - {*bench_names()})
    if unknown:
        parser.error(f"no such bench: {', '.join(unknown)}; there are: {', '.join(bench_names())}")
    if not asked.data.is_dir():
        print(f"skipped: there is no folder {asked.data}; name one: make bench BENCH_DATA=<folder>")
        return 0
    if asked.here:
        import_module(f"bench.{asked.names[0]}").main(asked.data)
        return 0
    print(f"calibration loop: {calibration_seconds():.3f} CPU s")
    failed = [name for name in asked.names or bench_names() if not _succeeds(name, asked.data)]
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed else 0


def _succeeds(name: str, data: Path) -> bool:
    print(f"\n{name}", flush=True)
    command = (sys.executable, "-m", "bench", str(data), name, "--here")
    return subprocess.run(command, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
