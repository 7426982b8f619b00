"""Hostile lines and names from the first byte to the exported file: whatever comes in, it is kept or refused, it stays
within the home, and it does nothing where it is shown.

A seed stands for a file of lines; a failure names it. `make test` takes 5,000 lines, `make test-long` 100,000 more.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dreamd.repo_export.child_index import is_index
from tests.acceptance.homes import AHome, Ended, a_home
from tests.hostile import lines
from tests.inert import files_of, problems_in, unseen

LINES = 5_000
# While lines still come, when all have come, and when most has faded.
INSTANTS = ("2026-02-01T00:00:00Z", "2026-03-05T00:00:00Z", "2026-12-01T00:00:00Z")
OWN = {"dreamd.toml", "key", "dreamd.db", "dreamd.db-wal", "dreamd.db-shm", "memory", ".gitignore"}
DONE, BAD_DATA = 0, 65


def test_five_thousand_hostile_lines_are_kept_or_refused_and_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in_and_look(0, LINES, tmp_path, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 21))
def test_a_hundred_thousand_hostile_lines_are_kept_or_refused_and_do_nothing(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in_and_look(seed, LINES, tmp_path, monkeypatch)


def take_in_and_look(seed: int, count: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    around = _surroundings(folder)
    source = around / "in.jsonl"
    source.write_bytes(b"\n".join(lines(seed, count)) + b"\n")
    monkeypatch.chdir(around / "work")
    home = a_home(around / "home")
    before = _digest_of(around, without=home.path)

    problems = [
        *_taken_in(home, source),
        *_dreamt(home),
        *_kept(home, source),
        *_told(home),
        *_exported(home),
        *([] if _digest_of(around, without=home.path) == before else ["something outside the home changed"]),
        *(f"the home holds {path.name}" for path in home.path.iterdir() if path.name not in OWN),
    ]
    assert not problems, f"seed {seed}: {len(problems)} problems, first: {problems[:5]}"


def _surroundings(folder: Path) -> Path:
    """A tree with what hostile names point at, a home's place in its middle."""
    around = folder / "a" / "b"
    for path in ("work/x", "work/.git/config", "archive/x", "etc/passwd", "memory/MEMORY.md", "MEMORY.md", "-rf"):
        file = around / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("as it was\n")
    (folder / "etc").mkdir()
    (folder / "etc" / "passwd").write_text("as it was\n")
    return around


def _digest_of(around: Path, *, without: Path) -> str:
    """One digest of all names, kinds, modes and bytes two folders up and below, but for the home."""
    digest = hashlib.sha256()
    for path in sorted(around.parents[1].rglob("*")):
        if path != without and without not in path.parents:
            about = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            digest.update(f"{path} {about.st_mode} {about.st_nlink} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _taken_in(home: AHome, source: Path) -> Iterator[str]:
    """Every line that is not blank is new, duplicate or refused with a reason; the same again is all known."""
    counts: list[Counter[str]] = []
    whole = source.read_bytes()
    filled = sum(1 for line in whole.split(b"\n") if line.strip())
    for _ in range(2):
        ended = home.dreamd("--json", "--now", INSTANTS[0], "ingest", "events", str(source))
        value = ended.json()
        counts.append(Counter({name: value[name] for name in ("new", "duplicate", "rejected")}))
        if ended.code != (BAD_DATA if value["rejected"] else DONE):
            yield f"ingest ended with {ended.code}"
        if counts[-1].total() != filled:
            yield f"{dict(counts[-1])} of {filled} lines"
        yield from (f"no reason in {each}" for each in value["rejections"] if not (each["reason"] and each["line"]))
        yield from (
            f"a long reason in {each}"
            for each in value["rejections"]
            if len(each["reason"]) > 300 or len(each["field"] or "") > 80
        )
    first, second = counts
    if second["new"] or second["rejected"] != first["rejected"]:
        yield f"the second time {dict(second)}, the first time {dict(first)}"
    if not filled / 3 < first["new"] < filled:
        yield f"a weak draw: {dict(first)}"


def _dreamt(home: AHome) -> Iterator[str]:
    for now in INSTANTS:
        ended = home.dreamd("--json", "--now", now, "run")
        values = ended.json() if ended.code == DONE else []
        if ended.code != DONE:
            yield f"run ended with {ended.code}: {ended.err[:300]}"
        for value in values if isinstance(values, list) else [values]:
            if value["export"]["status"] != "done" or value["problems"]:
                yield f"run of {value['space']}: {value['export']}, {value['problems'][:2]}"
    again = home.dreamd("--json", "--now", INSTANTS[-1], "export")
    if again.code != DONE:
        yield f"export ended with {again.code}: {again.err[:300]}"


def _kept(home: AHome, source: Path) -> Iterator[str]:
    """What was accepted is in the store as it came, but for secrets."""
    given: set[str] = set()
    for line in source.read_bytes().split(b"\n"):
        try:
            value = json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            given.add(value["text"])
    for event in home.ok("--json", "--now", INSTANTS[-1], "events").json():
        if event["text"] not in given and "[redacted:" not in event["text"]:
            yield f"stored otherwise than given: {event['text']!a}"


def _told(home: AHome) -> Iterator[str]:
    """Every way to ask answers, in JSON that can be read and in lines that cannot steer a terminal."""
    streams = home.ok("--json", "--now", INSTANTS[-1], "streams").json()
    some = streams[:: max(len(streams) // 8, 1)]
    commands = [[name] for name in ("streams", "events", "claims", "runs", "report", "status", "verify")]
    commands += [
        [name, "--space", stream["space"], "--", stream["target"]] for stream in some for name in ("show", "why")
    ]
    for command in commands:
        for form in ((), ("--json",)):
            ended = home.dreamd("--now", INSTANTS[-1], *form, *command)
            yield from _problems_of_answer(ended, command, is_json=bool(form))


def _problems_of_answer(ended: Ended, command: list[str], *, is_json: bool) -> Iterator[str]:
    if ended.code != DONE:
        yield f"{command} ended with {ended.code}: {(ended.out + ended.err)[:300]}"
    for _, char in unseen(ended.out + ended.err):
        if not is_json or char not in "\u200d\ufe0f":
            yield f"{command} prints U+{ord(char):04X}"
            break
    if is_json:
        json.loads(ended.out)


def _exported(home: AHome) -> Iterator[str]:
    """No two targets share a file, and no file does more than say."""
    streams: list[dict[str, Any]] = home.ok("--json", "--now", INSTANTS[-1], "streams").json()
    paths = Counter((stream["space"], stream["path"].casefold()) for stream in streams if stream["path"])
    yield from (f"{count} streams share {path}" for path, count in paths.items() if count > 1)
    for space in sorted({stream["space"] for stream in streams}):
        repository = home.path / "memory" / space
        files = files_of(repository)
        pages = {path for path in files if path.endswith(".md") and not is_index(path)}
        written = {path for path in pages if not path.startswith("reports/")}
        expected = {stream["path"] for stream in streams if stream["space"] == space and stream["path"]}
        if written != expected:
            yield f"{space}: files and streams differ: {sorted(written ^ expected)[:5]}"
        yield from (f"{space}/{problem}" for problem in problems_in(files))
        yield from (f"{path} is a link" for path in repository.rglob("*") if path.is_symlink())
        message = home.git(space, "log", "--format=%B")
        yield from (f"a commit says U+{ord(char):04X}" for _, char in unseen(message))
        if (status := home.git(space, "status", "--porcelain")) != "":
            yield f"{space}: git status says {status[:200]}"
