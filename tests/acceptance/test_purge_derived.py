"""What was derived from the purged goes too: vectors, answers of a model, learned words, cursors that name it."""

from pathlib import Path

from dreamd.daemon.nearness import vector_input
from dreamd.daemon.storage.findings import Finding
from dreamd.daemon.storage.store import Store
from dreamd.lifecycle.policy import Policy
from dreamd.reflection.targeting.learned import learn
from dreamd.reflection.targeting.placing import lessons_of
from tests.acceptance.canaries import FIRST, SECOND, THIRD, found_in, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines

TEXT = "The wombatzz parser is written in Rust"


def opened(home: AHome) -> Store:
    return Store.open(home.path / "dreamd.db", window_days=Policy().waking_window_days)


def with_story(folder: Path) -> AHome:
    home = a_home(folder / "home")
    events = [
        {
            "at": f"2026-03-0{day}T10:00:00Z",
            "text": f"{TEXT} {day}",
            "target": "parser",
            "session": "s",
            "files": ["wombatzz/a.py"],
        }
        for day in (2, 4, 6)
    ]
    (folder / "in.jsonl").write_text(lines(*events, *story_of("cache")))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "in.jsonl"))
    home.ok("--now", FIRST, "run")
    return home


def test_vectors_and_answers_made_of_it_are_erased_and_others_stay(tmp_path):
    home = with_story(tmp_path)
    kept = Finding(
        version="vector.1", model="m", input=vector_input("The cache is kept small"), value=b"1", dimension=1
    )
    made = [
        Finding(version="vector.1", model="m", input=vector_input(f"{TEXT} 2"), value=b"2", dimension=1),
        Finding(version="summary.1", model="m", input="i", parts=(vector_input(f"{TEXT} 4"),), value=b"a parser"),
        Finding(version="summary.1", model="m", input="j", value=b'{"title": "wombatzz in short"}'),
    ]
    store = opened(home)
    store.space("default").add_findings([kept, *made])
    store.space("default").set_cursor("distiller:run_x", '{"refused": [{"stream": "x", "reason": "says wombatzz"}]}')
    store.space("default").set_cursor("git:/src/other", '["0123456789abcdef0123456789abcdef01234567"]')
    store.close()
    told = home.ok("--json", "--now", SECOND, "purge", "s", "--yes").json()
    assert told["complete"]
    assert told["erased"]["findings"] == 3
    store = opened(home)
    assert store.space("default").findings([each.key for each in (kept, *made)]) == {kept.key: kept}
    assert [source for _, source, _ in store.cursors("distiller")] == []
    assert len(store.cursors("git:")) == 1
    store.close()
    assert found_in(home.path, "wombatzz") == []


def test_the_learned_words_of_the_space_do_not_hold_its_words(tmp_path):
    home = with_story(tmp_path)

    def vocabulary() -> str:
        store = opened(home)
        events = [found.event for found in store.space("default").all_events()]
        store.close()
        return repr(learn(lessons_of(events, {})))

    assert "wombatzz" in vocabulary()
    home.ok("--now", SECOND, "purge", "s", "--yes")
    assert "wombatzz" not in vocabulary()
    later = [{"at": "2026-03-21T10:00:00Z", "text": "Something about the wombat", "files": ["wombat/b.py"]}]
    (tmp_path / "later.jsonl").write_text(lines(*later))
    home.ok("--now", THIRD, "ingest", "events", str(tmp_path / "later.jsonl"))
    home.ok("--now", THIRD, "run")
    assert found_in(home.path, "wombatzz") == []


def test_when_the_space_was_awake_is_kept_so_that_nothing_else_ages_by_a_purge(tmp_path, monkeypatch):
    busy = [
        {"at": f"2026-03-{day:02}T10:00:00Z", "text": f"Work {day} on the engine", "target": "engine", "session": "s"}
        for day in range(2, 30, 3)
    ]
    late, later = "2026-04-06T00:00:00Z", "2026-04-07T00:00:00Z"
    (tmp_path / "in.jsonl").write_text(lines(*busy, *story_of("cache")))
    seen = []
    for name, is_purged in (("whole", False), ("purged", True)):
        home = a_home(tmp_path / name)
        home.ok("--now", late, "ingest", "events", str(tmp_path / "in.jsonl"))
        home.ok("--now", late, "run")
        if is_purged:
            home.ok("--now", late, "purge", "s", "--yes")
        before = home.ok("--json", "--now", late, "show", "cache").json()
        with monkeypatch.context() as patched:  # another window: the waking clock is made anew from all instants
            patched.setenv("DREAMD_POLICY__WAKING_WINDOW_DAYS", "5")
            home.ok("--now", later, "run")
            seen.append((before, home.ok("--json", "--now", later, "show", "cache").json()))
    assert seen[0] == seen[1]
