"""Five hundred planted secrets, in every field and source: none is found in any byte of the home or of what was said.

A new source of input joins by a function in PLANTERS that plants the secrets it is given and reads them in.
"""

import json
import random
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

from dreamd.daemon.intake.secret_shapes import TOKEN_SHAPES
from tests.cli import Answer, Command, command_in
from tests.integration.test_git_intake import a_commit, git

COUNT = 500
NOW = "2026-03-20T12:00:00Z"
FIELDS = ("text", "because", "target", "session", "source", "tags", "files", "scope", "extra", "id", "key")
CONTROL = "unmistakable-control-word"  # no secret: it has to be found wherever secrets are looked for
WORDINGS = (
    "my password is {}",
    "password={}",
    "API_KEY={}",
    "use {} as the password",
    "postgres://app:{}@db/app",
    "Authorization: Bearer {}",
    "the token: {}",
    '{{"client_secret": "{}"}}',
    "mysql --password {} -h db",
    "login app password {}",
    "-----BEGIN PRIVATE " + "KEY-----\nMIIE{0}{0}\n{0}\n-----END PRIVATE " + "KEY-----",
    "-----BEGIN OPENSSH PRIVATE " + "KEY-----\\nb3Bl{0}{0}\\n",
)


def made_up(chance: random.Random, number: int) -> tuple[str, str]:
    """A text with a secret in it, and what must not be found; no two alike."""
    if number % 2:
        value = (
            "".join(chance.choices("abcdefghjkmnpqrstuvwxyz", k=9)) + "7" + "".join(chance.choices("ABCDEF2345", k=12))
        )
        return WORDINGS[number // 2 % len(WORDINGS)].format(value), value
    shape = TOKEN_SHAPES[number // 2 % len(TOKEN_SHAPES)]
    token = shape.example.removeprefix("it printed ").removesuffix(" to the log")
    run = re.search(r"[A-Za-z0-9]*$", token)[0]
    body = run[len(run) // 2 :]  # the first half may hold the vendor's prefix
    letters = list(body)
    chance.shuffle(letters)
    shuffled = token.removesuffix(body) + "".join(letters)
    has_form = shape.pattern.fullmatch(shuffled) is not None  # an infix of the vendor's may be in that half
    return (shuffled, shuffled) if has_form else (token, token)


@pytest.fixture(scope="module")
def planted():
    chance = random.Random(20260320)
    return [made_up(chance, number) for number in range(COUNT)]


def event_with(field: str, text: str, number: int) -> dict[str, object]:
    event: dict[str, object] = {
        "at": f"2026-03-{number % 18 + 1:02}T10:00:00Z",
        "text": f"Use the {CONTROL} number {number} for part {number % 7}",
        "kind": ("decision", "preference", "error", "observation")[number % 4],
        "target": f"part {number % 7}",
        "id": f"id-{number}",
    }
    match field:
        case "tags" | "files":
            event[field] = [f"a {text}", "plain"]
        case "extra":
            event["details"] = {"list": [text], "n": number}
        case "key":
            event[f"x {text}"] = 1
        case "text":
            event["text"] = f"{CONTROL} was set up; {text}"
        case _:
            event[field] = text
    return event


def by_events(command: Command, folder: Path, texts: list[str]) -> None:
    lines = [json.dumps(event_with(FIELDS[n % len(FIELDS)], text, n)) for n, text in enumerate(texts)]
    file = folder / "events.jsonl"
    file.write_text("\n".join(lines) + "\n")
    assert command("ingest", "events", str(file)).code == 0


def by_bad_lines(command: Command, folder: Path, texts: list[str]) -> None:
    """Lines that are refused: the refusal quotes what it found."""
    file = folder / "bad.jsonl"
    good = {"at": NOW, "text": "x"}
    kinds = ("kind", "at", "outcome", "space", "actor", "decay")
    lines = [json.dumps(good | {kinds[n % len(kinds)]: text}) for n, text in enumerate(texts)]
    lines += [f'{{"at": "{NOW}", {json.dumps(text)}: 1, {json.dumps(text)}: 2}}' for text in texts]
    file.write_text("\n".join(lines) + "\n")
    assert command("ingest", "events", str(file)).code == 65
    assert command("--json", "ingest", "events", str(file)).code == 65


def by_git(command: Command, folder: Path, texts: list[str]) -> None:
    project = folder / "project"
    project.mkdir()
    git(project, "init", "-q")
    for number, text in enumerate(texts):
        a_commit(
            project, f"fix(part {number % 7}): {CONTROL} {text}\n\nBecause {text} was in it", f"a/{file_name(text)}"
        )
    assert command("ingest", "git", str(project)).code == 0


def file_name(text: str) -> str:
    """A name with the secret of `text` in it, as people do name files: with the token, or with password=..."""
    if text.startswith("password=") or not set(text) & set(" /{\n"):
        return f"{text[:120]}.txt"
    return f"password={text.rsplit(maxsplit=1)[-1][-20:]}.txt" if "/" not in text else "plain.txt"


def by_record(command: Command, folder: Path, texts: list[str]) -> None:
    for text in texts:
        command("record", "--target", f"part {text}", "--kind", "decision", "--because", text, f"{CONTROL}: {text}")


PLANTERS = {by_events: 0.7, by_bad_lines: 0.1, by_git: 0.1, by_record: 0.1}  # and their part of the secrets


def test_no_planted_secret_is_found_anywhere(tmp_path, capsys, planted):
    home = tmp_path / "home"
    plain = command_in(home, capsys)
    said: list[str] = []

    def command(*words: str) -> Answer:
        answer = plain(*words)
        said.extend((answer.out, answer.err))
        return answer

    command("init")
    start = 0
    for plant, part in PLANTERS.items():
        stop = start + round(part * COUNT)
        plant(command, tmp_path, [text for text, _ in planted[start:stop]])
        start = stop
    assert start == COUNT
    for form in ((), ("--json",)):
        command(*form, "--now", NOW, "run")
        command(*form, "runs")
        for space in ("default", "project"):
            for words in (("report",), ("streams",), ("events", "--all"), ("claims", "--all"), ("show", "part 1")):
                command(*form, "--space", space, *words)
            command(*form, "--space", space, "why", "part 1")
    command("--now", NOW, "--space", "default", "revert", "1")
    command("--now", NOW, "export")
    command("--json", "verify")
    places = everything_in(home) | {"said": "\n".join(said).encode()}
    assert CONTROL.encode() in places["said"]
    assert any(CONTROL.encode() in content for name, content in places.items() if name.startswith("git "))
    assert any(CONTROL.encode() in content for name, content in places.items() if name.endswith("dreamd.db"))
    found = [
        (needle, name)
        for _, needle in planted
        for name, content in places.items()
        if needle.encode() in content or json.dumps(needle)[1:-1].encode() in content
    ]
    assert sorted({(needle, name.rpartition("/")[2]) for needle, name in found}) == []


def everything_in(home: Path) -> dict[str, bytes]:
    """Every byte of the home: files as they are, and every Git object unpacked."""
    places = {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for head in home.rglob(".git/HEAD"):
        command = ["git", "--git-dir", str(head.parent), "cat-file", "--batch-all-objects", "--batch"]
        places[f"git {head.parent}"] = subprocess.run(command, capture_output=True, check=True).stdout
    return places


def test_a_secret_that_an_older_version_let_in_does_not_reach_the_files(tmp_path, capsys):
    home, secret = tmp_path / "home", "gh" + "p_" + "aB3dE5fG7h" * 4
    command = command_in(home, capsys)
    command("init")
    command(
        "record", "--target", "cache", "--kind", "decision", "--because", "PLACEHOLDER", "Use PLACEHOLDER for the cache"
    )
    with sqlite3.connect(home / "dreamd.db") as database:
        for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in database.execute(f"PRAGMA table_info({table})").fetchall():
                if "CHAR" in column[2].upper() or "TEXT" in column[2].upper():
                    name = column[1]
                    database.execute(f'UPDATE {table} SET "{name}" = replace("{name}", \'PLACEHOLDER\', ?)', (secret,))  # noqa: S608
    database.close()
    assert secret.encode() in (home / "dreamd.db").read_bytes()
    said = [command("run"), command("report"), command("--json", "report"), command("export")]
    repositories = {name: content for name, content in everything_in(home).items() if "/memory/" in name}
    assert any(b"redacted:github-token" in content for content in repositories.values())
    assert [name for name, content in repositories.items() if secret.encode() in content] == []
    assert [answer for answer in said if secret in answer.out + answer.err] == []
