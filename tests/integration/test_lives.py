"""`dreamd lives`: the picture through the command line, and the one in the docs."""

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from bench.commit_histories import events_of, history_of
from bench.commit_lives import lived_by_lifecycle
from dreamd.lifecycle.policy import Policy
from tests.cli import command_in, lines
from tests.unit.test_timelines import a_commit, cut

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "lives.jsonl"
PAGE = ROOT / "docs" / "lifecycle.md"
NAMES = {"s": "http://www.w3.org/2000/svg"}


def spans(view):
    return [(span["name"], span["from"][:10], span["to"][:10]) for span in view]


@pytest.fixture
def command(tmp_path, capsys):
    command = command_in(tmp_path / "home", capsys)
    command("init")
    return command


def ingested(command, tmp_path, *events):
    (tmp_path / "in.jsonl").write_text(lines(*events))
    assert command("ingest", "events", str(tmp_path / "in.jsonl")).code == 0


def test_the_picture_in_the_docs_is_what_its_commands_draw(tmp_path, capsys, monkeypatch):
    commands = re.findall(r"^    dreamd (--home lives-home .*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert [words.split()[2] for words in commands] == ["init", "ingest", "run", "lives"]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lives.jsonl").write_bytes(EXAMPLE.read_bytes())
    monkeypatch.chdir(tmp_path)
    command = command_in(tmp_path / "lives-home", capsys)
    for words in commands:
        answer = command(*words.split()[2:])
        assert answer.code == 0, answer.err
    assert (tmp_path / "docs" / "lives.svg").read_bytes() == (ROOT / "docs" / "lives.svg").read_bytes()


def test_the_picture_says_in_words_what_it_shows_and_reads_in_light_and_dark():
    svg = ET.fromstring((ROOT / "docs" / "lives.svg").read_text(encoding="utf-8"))
    assert svg.get("role") == "img"
    assert svg.get("aria-labelledby") == "title desc"
    assert svg.findtext("s:title", namespaces=NAMES) == "The lives of 3 streams"
    told = svg.findtext("s:desc", "", NAMES)
    assert "csv_import: emergent from 2025-03-09, canonical from 2025-03-24; faded" in told
    assert "prefers-color-scheme: dark" in svg.findtext("s:style", "", NAMES)
    shown = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text")]
    legend = ["pattern", "emergent", "canonical", "active", "decaying", "dormant", "faded", "confidence", "evidence"]
    assert set(legend) <= set(shown)
    assert {"0.0", "0.5", "1.0", "2025-03-01"} <= set(shown)


def test_a_life_is_told_with_its_phases_its_silences_and_its_return(command, tmp_path):
    work = [{"at": f"2026-01-{day:02d}T09:00:00Z", "kind": "error", "target": "cache", "text": f"Miss {day}",
             "session": f"s{day}"} for day in range(1, 18)]  # fmt: skip
    later = {"at": "2026-05-20T09:00:00Z", "kind": "error", "target": "cache", "text": "Miss again"}
    others = [{"at": f"2026-{month:02d}-{day:02d}T10:00:00Z", "target": "shop", "text": f"Deploy {month} {day}"}
              for month in range(1, 6) for day in range(1, 29, 5)]  # fmt: skip
    ingested(command, tmp_path, *work, later, *others)
    assert command("run", "--now", "2026-05-25T00:00:00Z").code == 0
    answer = command("--json", "--now", "2026-05-25T00:00:00Z", "lives", "Cache", "-o", str(tmp_path / "cache.svg"))
    (life,) = answer.value["lives"]
    assert [name for name, _, _ in spans(life["phases"])] == ["pattern", "emergent", "canonical"]
    names = [name for name, _, _ in spans(life["states"])]
    assert names == ["active", "decaying", "dormant", "faded", "active"]
    starts = [start for _, start, _ in spans(life["states"])]
    assert starts[:3] == ["2026-01-01", "2026-01-24", "2026-02-16"]
    assert starts[4] == "2026-05-20"
    ends = [end for _, _, end in spans(life["states"])]
    assert ends[:-1] == starts[1:]
    values = [point["value"] for point in life["confidence"]]
    assert min(values) == 0.0 and 0.5 < max(values) <= 1.0
    shown = command("--json", "--now", "2026-05-25T00:00:00Z", "show", "cache").value
    assert values[-1] == pytest.approx(shown["confidence"], abs=1e-9)
    assert len(life["supports"]) == shown["frequency"] == 18


def test_what_is_drawn_is_what_was_shown_on_each_day(command, tmp_path):
    work = [{"at": f"2026-01-{day:02d}T09:00:00Z", "target": "cache", "text": f"Seen {day}", "session": f"s{day}"}
            for day in (1, 2, 5, 9, 14, 20)]  # fmt: skip
    ingested(command, tmp_path, *work)
    for day in ("2026-01-02", "2026-01-12", "2026-01-25", "2026-02-02"):
        now = f"{day}T12:00:00Z"
        command("run", "--now", now)
        life = command("--json", "--now", now, "lives", "cache", "-o", str(tmp_path / "x.svg")).value["lives"][0]
        shown = command("--json", "--now", now, "show", "cache").value
        assert life["phases"][-1]["name"] == shown["phase"]
        assert life["states"][-1]["name"] == shown["vitality"]
        assert life["confidence"][-1]["value"] == pytest.approx(shown["confidence"], abs=1e-9)


@pytest.mark.parametrize(
    ("now", "labels"),
    [
        ("2026-01-01T09:00:00Z", ["2026-01-01"]),
        ("2026-01-06T09:00:00Z", ["2026-01-02", "2026-01-06"]),
        ("2026-03-01T09:00:00Z", ["2026-01-08", "2026-02-26"]),
        ("2027-01-31T00:00:00Z", ["2026-03-01", "2027-01-01"]),
        ("2041-01-01T00:00:00Z", ["2028-01-01", "2040-01-01"]),
    ],
)
def test_the_axis_fits_any_length_of_life(command, tmp_path, now, labels):
    ingested(command, tmp_path, {"at": "2026-01-01T09:00:00Z", "target": "cache", "text": "Seen once"})
    command("run", "--now", "2026-01-01T09:00:00Z")
    file = tmp_path / "x.svg"
    assert command("--now", now, "lives", "cache", "-o", str(file)).code == 0
    svg = ET.fromstring(file.read_text(encoding="utf-8"))
    dates = [text.text for text in svg.iter("{http://www.w3.org/2000/svg}text") if (text.text or "").startswith("20")]
    assert 1 <= len(dates) <= 11
    assert set(labels) <= set(dates)


def test_a_hostile_name_is_text_in_the_picture(command, tmp_path):
    name = "</text><script>alert(1)</script>&\"'\x1b[31m\u202e" + "x" * 80
    ingested(command, tmp_path, {"at": "2026-01-01T09:00:00Z", "target": name, "text": "Seen once"})
    command("run", "--now", "2026-01-02T00:00:00Z")
    (stream,) = command("--json", "streams").value
    file = tmp_path / "x.svg"
    assert command("--now", "2026-01-02T00:00:00Z", "lives", stream["id"], "-o", str(file)).code == 0
    tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(file.read_text(encoding="utf-8")).iter()}
    assert "script" not in tags
    assert "\x1b" not in file.read_text(encoding="utf-8") and "\u202e" not in file.read_text(encoding="utf-8")


def test_what_cannot_be_drawn_or_written_is_said(command, tmp_path):
    ingested(command, tmp_path, {"at": "2026-01-01T09:00:00Z", "target": "cache", "text": "Seen once"})
    command("run", "--now", "2026-01-02T00:00:00Z")
    assert command("lives", "unknown").code == 2
    early = command("--json", "--now", "2025-01-01T00:00:00Z", "lives", "cache")
    assert (early.code, "evidence yet" in early.error["error"]) == (2, True)
    nowhere = command("--json", "lives", "cache", "-o", str(tmp_path / "none" / "x.svg"))
    assert (nowhere.code, "x.svg" in nowhere.error["error"]) == (74, True)


def test_the_bench_on_real_timelines_sees_what_the_program_shows(command, tmp_path):
    weekly = [7 * week for week in range(26)]
    days = {"lives": weekly, "ends": weekly[:9], "slow": [0, 31, 58, 92, 119, 151], "bursts": [3, 4, 5]}
    rows = [a_commit(day, scope) for scope, days_of in days.items() for day in days_of]
    now = cut(2020, 7)
    events = events_of(rows)
    ingested(
        command,
        tmp_path,
        *(
            {"id": one.given_id, "at": one.at.isoformat(), "kind": "commit", "target": one.target, "text": one.text,
             "session": one.session, "tags": list(one.tags)}
            for one in events
        ),
    )  # fmt: skip
    assert command("run", "--now", now.isoformat()).code == 0
    shown = {one["target"]: one for one in json.loads(command("--json", "--now", now.isoformat(), "streams").out)}
    kept = {target for target, one in shown.items() if one["phase"] == "canonical" and one["status"] == "active"}
    lived = lived_by_lifecycle(history_of("made", events), (now,), Policy())
    assert kept == {target for target, one in lived.items() if now in one.kept}
    assert {target for target, one in shown.items() if one["phase"] == "canonical"} == {
        target for target, one in lived.items() if one.canonical_at is not None and one.canonical_at < now
    }
