"""The limits hold for every way in: lines, single events, and the commits of a repository that means no good."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.acceptance.homes import AHome, a_home
from tests.inert import files_of, problems_in, unseen

NOW = ("--now", "2026-03-05T00:00:00Z")
GOOD = {"at": "2026-01-05T09:00:00Z", "text": "The queue is slow"}


@pytest.fixture
def home(tmp_path: Path) -> AHome:
    return a_home(tmp_path / "home")


def a_history(path: Path, *commits: tuple[str, str, bytes, list[bytes]]) -> Path:
    """A repository with commits (author's date, committer's date, message, paths) as Git itself never writes them."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(path)], check=True)
    stream = [b"blob\nmark :1\ndata 1\nx\n"]
    for authored, committed, message, paths in commits:
        stream.append(b"commit refs/heads/main\nauthor A <a@b.c> %s\n" % authored.encode())
        stream.append(b"committer A <a@b.c> %s\ndata %d\n%s\n" % (committed.encode(), len(message), message))
        stream += [b'M 100644 :1 "%s"\n' % name for name in paths]
    subprocess.run(
        ["git", "-C", str(path), "fast-import", "--quiet", "--force", "--date-format=raw-permissive"],
        input=b"".join(stream),
        check=True,
    )
    return path


def test_recording_names_the_limit_that_was_passed(home: AHome) -> None:
    for words, reason in (
        (["x" * 100_001], "text: has 100001 characters; text_characters allows 100000"),
        (["x", "--because", "x" * 100_001], "because: has 100001 characters; text_characters allows 100000"),
        (["x", "--target", "t" * 501], "target: has 501 characters; name_characters allows 500"),
        (["x", "--session", "t" * 501], "session: has 501 characters; name_characters allows 500"),
        (["x", "--scope", "t" * 501], "scope: has 501 characters; name_characters allows 500"),
    ):
        ended = home.dreamd("record", *words)
        assert (ended.code, ended.err.split("\n")[0]) == (65, f"error: {reason}")


def test_a_home_opens_no_more_spaces_than_it_may(home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAMD_LIMITS__SPACES", "3")
    file = tmp_path / "many.jsonl"
    file.write_text("".join(json.dumps(GOOD | {"space": f"space-{number}"}) + "\n" for number in range(10)))
    ended = home.dreamd(*NOW, "--json", "ingest", "events", str(file))
    value = ended.json()
    assert (ended.code, value["new"], value["rejected"]) == (65, 3, 7)
    assert {each["field"] for each in value["rejections"]} == {"space"}
    assert value["rejections"][0]["line"] == 4
    assert (
        "'space-3' would be one more than the 3 spaces of this home; spaces allows 3"
        in value["rejections"][0]["reason"]
    )
    again = home.dreamd(*NOW, "--json", "ingest", "events", str(file)).json()
    assert (again["duplicate"], again["rejected"]) == (3, 7)

    assert home.dreamd(*NOW, "--space", "space-1", "record", "One more").code == 0
    project = a_history(tmp_path / "project", ("1767600000 +0000", "1767600000 +0000", b"One more", []))
    for refused in (
        home.dreamd(*NOW, "--space", "other", "record", "One more"),
        home.dreamd(*NOW, "ingest", "git", str(project)),
    ):
        assert refused.code == 65
        assert "spaces allows 3" in refused.err


def test_a_file_cannot_forge_lines_or_colours_on_a_terminal(home: AHome, tmp_path: Path) -> None:
    file = tmp_path / "a\nerror: forged\x1b[31m.jsonl"
    text = "Use Redis\nretracted:\n  all of it\x1b[2J\x9b31m\u202e"
    lines = (
        GOOD | {"text": text, "kind": "decision", "target": "job\x1b]0;x\x07 queue"},
        GOOD | {"kind": "x\x1b[31m\n"},
        GOOD | {"text": "x", "outcome": "\x9b31m"},
    )
    file.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"\x9b31m": 1, "\x9b31m": 2}\n')
    ingested = home.dreamd(*NOW, "ingest", "events", str(file))
    home.ok(*NOW, "run")
    (stream,) = home.ok(*NOW, "--json", "streams").json()
    shown = home.ok(*NOW, "show", stream["target"])
    assert len([line for line in shown.out.split("\n") if "Use Redis" in line]) == 1
    assert "Use Redis ⏎ retracted: ⏎   all of it\\u{1B}[2J\\u{9B}31m\\u{202E}" in shown.out
    outputs = [ingested, shown, *(home.ok(*NOW, *words) for words in (["events"], ["claims"], ["report"], ["streams"]))]
    as_json = [home.ok(*NOW, "--json", *words) for words in (["events"], ["claims"], ["report"], ["streams"])]
    for ended in (*outputs, *as_json):
        assert list(unseen(ended.out + ended.err)) == []
    assert as_json[0].json()[0]["text"] == text


def test_a_huge_commit_is_cut_and_an_absurd_date_is_refused(home: AHome, tmp_path: Path) -> None:
    day = "1767600000 +0000"
    project = a_history(
        tmp_path / "project",
        (day, day, b"feat(queue): retries\n\n" + b"word " * 1_000_000, [b"queue/a.py"]),
        (day, day, b"feat(queue): " + b"one line without an end " * 200_000, [b"queue/b.py"]),
        (day, day, b"Move everything", [b"queue/%d.py" % number for number in range(50_000)]),
        ("0 +0000", "0 +0000", b"At the beginning of time", []),
        ("7258118400 +0000", "7258118400 +0000", b"In the year 2200", []),
        ("99999999999999 +0000", day, b"The committer's date is good", []),
        ("1767600000 +9999", "1767600000 -9999", b"Broken zones", []),
        (
            day,
            day,
            b"feat(../../etc): a path\n\n\x1b[31m\x00red",
            [b"-rf", b"a\\nb", b"..x/" + b"d" * 5_000, b"\\377\\376"],
        ),
    )
    ended = home.dreamd(*NOW, "--json", "ingest", "git", str(project))
    value = ended.json()
    assert (ended.code, value["new"], value["rejected"]) == (65, 6, 2)
    for rejection in value["rejections"]:
        assert "earliest_year and ahead_days allow 1971-01-01 to 2126-" in rejection["reason"]
    events = {event["text"][:20]: event for event in home.ok(*NOW, "--json", "events").json()}
    assert len(events["feat(queue): one lin"]["text"]) == 2_000
    assert len(events["Move everything"]["files"]) == 200
    assert events["Move everything"]["extra"] == {"file_count": 50_000}
    assert {event["at"] for event in events.values()} == {"2026-01-05T08:00:00Z"}
    assert not any(len(path) > 4_096 for event in events.values() for path in event["files"])

    assert home.dreamd(*NOW, "--json", "ingest", "git", str(project)).json()["new"] == 0
    home.ok(*NOW, "run")
    home.ok(*NOW, "verify")
    assert list(problems_in(files_of(home.path / "memory" / "project"))) == []


def test_a_commit_obeys_limits_that_were_set_lower(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("TEXT_CHARACTERS", 100), ("PATH_CHARACTERS", 16), ("LIST_ITEMS", 2), ("AHEAD_DAYS", 0)):
        monkeypatch.setenv(f"DREAMD_LIMITS__{name}", str(value))
    files = [b"p" * 17, b"a", b"b", b"c"]
    day, tomorrow = "1772600000 +0000", "1772800000 +0000"
    project = a_history(
        tmp_path / "project",
        (day, day, b"word " * 100 + b"\n\n" + b"why " * 30, files),
        (tomorrow, tomorrow, b"Not yet", []),
    )
    value = home.dreamd(*NOW, "--json", "ingest", "git", str(project)).json()
    assert (value["new"], value["rejected"]) == (1, 1)
    (event,) = home.ok(*NOW, "--json", "events").json()
    assert (len(event["text"]), event["because"], event["files"]) == (100, None, ["a", "b"])
    assert event["extra"] == {"file_count": 4}
