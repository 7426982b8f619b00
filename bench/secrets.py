"""What hiding secrets costs, and what it alters that it should not.

Bounds (issue 3): 60 microseconds CPU an event of 400 characters, prose, code or full of keywords; at most 0.1 % of the
commit subjects of the data folder altered. A text of a megabyte made to trap a pattern costs about ten times one of a
hundred kilobytes.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from bench.measure import cpu_seconds_of
from dreamd.daemon.intake.redaction import Redactor

ROUNDS = 3_000
CHARACTERS = 400
MOST_MICROSECONDS = 60
MOST_ALTERED = 0.001
SHOWN = 5  # altered texts of a file
TEXTS = {
    "prose": "The worker pool lost a request when the upstream closed the connection early, so the retry loop waits "
    "for the drain to finish before it opens another one; see the notes of the review on Tuesday. ",
    "keywords": "password policy docs: token bucket, api key rotation, secret santa, the credentials page, passphrase "
    "hints and key value stores; the token lifetime is 3600 seconds, keys are listed by name. ",
    "code": "def connect(url: str, timeout: float = 3.0) -> Client: return Client(url, timeout=timeout)  # see "
    "https://example.org/docs/client and /usr/lib/python3/x.py, 4f1c2aa9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3 ",
}
TRAPS = (
    *("a", "aB3", "key=", "password=", "://a:", "eyJ", "sk-a-", "my token is "),
    "-----BEGIN RSA PRIVATE " + "KEY-----",
)


def main(data_dir: Path) -> None:
    redactor = Redactor(b"k" * 32)
    for name, piece in TEXTS.items():
        text = (piece * CHARACTERS)[:CHARACTERS]
        micro = min(_cost(redactor, *[text] * ROUNDS) for _ in range(3)) / ROUNDS * 1e6
        print(f"{name:<12} {micro:6.1f} us an event of {CHARACTERS} characters (bound {MOST_MICROSECONDS})")
    for trap in TRAPS:
        small, large = (_cost(redactor, (trap * size)[:size]) for size in (100_000, 1_000_000))
        print(f"trap {trap[:14]!r:<18} 100 kB {small:6.3f} s, 1 MB {large:6.3f} s")
    for file in sorted((data_dir / "commits").glob("*.jsonl")):
        _altered(redactor, file)


def _cost(redactor: Redactor, *texts: str) -> float:
    return cpu_seconds_of(lambda: [redactor.redact(text) for text in texts])


def _altered(redactor: Redactor, file: Path) -> None:
    for field in ("subject", "body"):
        texts = [text for text in _texts(file, field) if text]
        altered = [(text, new) for text in texts if (new := redactor.redact(text)) != text]
        if texts:
            share = len(altered) / len(texts)
            bound = f" (bound {MOST_ALTERED:.1%})" if field == "subject" else ""
            print(f"{file.name} {field}: {len(altered)} of {len(texts)} altered, {share:.3%}{bound}")
        for _, new in altered[:SHOWN]:
            at = new.find("[redacted:")
            print(f"    ...{new[max(0, at - 60) : at + 60]!r}")


def _texts(file: Path, field: str) -> Iterator[str]:
    for line in file.read_bytes().splitlines():
        value = json.loads(line).get(field)
        if isinstance(value, str):
            yield value
