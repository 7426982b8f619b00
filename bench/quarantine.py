"""What the quarantine holds of real commits, and what looking costs.

Reads every `commits/*.jsonl` of the data folder: subject and body as one text, as `ingest git` gives them. Targets: at
most 0.1 % held, each of which is printed to be read.
"""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from bench.measure import measure
from dreamd.reflection.instructions import instruction_like

MAX_SHARE = 0.001
SHOWN = 200  # characters of a text that is held


def main(data_dir: Path) -> None:
    files = sorted((data_dir / "commits").glob("*.jsonl"))
    if not files:
        print(f"skipped: there is no {data_dir / 'commits'}/*.jsonl")
        return
    for name, bodies in (("subjects", False), ("subjects and bodies", True)):
        texts = [text for file in files for text in _texts(file, with_body=bodies)]
        held, cost = measure(f"{len(texts):,} commits, {name}", partial(_held, texts))
        share = len(held) / len(texts)
        each = cost.cpu_seconds / len(texts) * 1e6
        print(f"  held: {len(held)} ({share:.3%}, at most {MAX_SHARE:.1%}); {each:.1f} us each")
        for text, reason in held:
            print(f"  {reason}: {text[:SHOWN]!r}")
        if share > MAX_SHARE:
            raise SystemExit(f"{share:.3%} of ordinary commits fall into quarantine, allowed are {MAX_SHARE:.1%}")


def _texts(file: Path, *, with_body: bool) -> Iterator[str]:
    for line in file.read_bytes().splitlines():
        commit = json.loads(line)
        body = commit.get("body") if with_body else None
        yield f"{commit['subject']}\n\n{body}" if body else commit["subject"]


def _held(texts: list[str]) -> list[tuple[str, str]]:
    return [(text, reason) for text in texts if (reason := instruction_like(text)) is not None]
