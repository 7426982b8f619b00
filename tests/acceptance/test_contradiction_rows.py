"""How systems like ours lost a changed fact in the field (T and P name the rows), each through the command line."""

import json
from typing import Any

import pytest

from dreamd.reflection.contradictions import closures
from dreamd.reflection.read import statement_of
from tests.acceptance.homes import AHome, a_home
from tests.builders import an_event, day

NOW = "2026-09-01T00:00:00Z"


@pytest.fixture
def home(tmp_path):
    return a_home(tmp_path / "home")


def said(text, at="2026-03-02", kind="observation", target="facts", **more):
    return {"at": f"{at}T10:00:00Z", "text": text, "kind": kind, "target": target, **more}


def tell(home: AHome, *events, now=NOW, by="user"):
    """Take the events in as the word of `by` and dream at `now`."""
    told = "".join(json.dumps({"actor": by, **event}) + "\n" for event in events)
    ended = home.dreamd("--now", now, "ingest", "events", "-", "--as", "user", stdin=told)
    assert ended.code == 0, ended.err
    home.ok("--now", now, "run")


def claims(home: AHome, target="facts", now=NOW):
    return home.ok("--json", "--now", now, "claims", "--all", "--target", target).json()


def texts(home: AHome, status, target="facts"):
    return {claim["text"] for claim in claims(home, target) if claim["status"] == status}


def questions(home: AHome):
    return home.ok("--json", "--now", NOW, "status").json()["spaces"][0]["questions"]


CHANGES_OF_MIND = {
    f"mind {kind} {at_once}": (kind, at_once) for kind in ("observation", "decision") for at_once in (1, 0)
}
LATER_VALUES = (
    ("Work at Google", "Joined Microsoft"),
    ("I work at Google", "I joined Microsoft"),
    ("Dana works for Google", "Dana joined Microsoft"),
    ("Dana lives in San Francisco", "Dana lives in New York"),
    ("The API listens on port 8080", "The API port is 8081"),
    ("The owner of the billing service is Dana", "The billing service is owned by Robin"),
    ("The session lifetime is 1 hour", "The session lifetime is 2 hours"),
    ("The default branch is master", "The default branch is main"),
    ("Deploys on Friday are allowed", "Deploys on Friday are not allowed"),
    ("build(deps): bump ruff from 0.4.1 to 0.5.0", "build(deps): bump ruff from 0.5.0 to 0.6.0 (#7)"),
)
SIDE_BY_SIDE = (
    ("Dana is the CEO of Northwind", "Robin is the CTO of Northwind"),
    ("Tested with 7b", "Tested with 3b"),
    ("We support TypeScript 5.3", "We support TypeScript 5.4"),
    ("Dana joined Northwind", "Robin joined Northwind"),
    ("The session lifetime is 60 minutes", "The session lifetime is 1 hour"),
    ("Update the notes for 1.2.0", "Update the notes for 1.3.0"),
)
WRONG = "The nightly import starts at 02:00"
CORRECTION = "That was wrong: the nightly import starts at 03:00"
RETURNS = tuple(
    (text, kind)
    for text in (WRONG, "the nightly import starts at 02:00", "The nightly import now begins at 02:00")
    for kind in ("observation", "decision", "hypothesis")
)


def nights():
    """What each of four nights is told, about one target a case."""
    told: list[list[Any]] = [[], [], [], []]
    for target, (kind, at_once) in CHANGES_OF_MIND.items():
        told[0].append(said("I love Chinese food", kind=kind, target=target))
        told[0 if at_once else 1].append(said("I hate Chinese food", "2026-04-02", kind=kind, target=target))
    for place, (old, new) in enumerate(LATER_VALUES):
        told[0].append(said(old, target=f"later {place}"))
        told[1].append(said(new, "2026-04-02", target=f"later {place}"))
    for place, (one, other) in enumerate(SIDE_BY_SIDE):
        told[0] += [said(one, target=f"beside {place}"), said(other, "2026-04-02", target=f"beside {place}")]
    for place, (text, kind) in enumerate(RETURNS):
        target = f"returns {place}"
        told[0].append(said(WRONG, target=target))
        told[1].append(said(CORRECTION, "2026-03-04", "correction", target, actor="user"))
        told[2] += [said(WRONG, target=target), said(text, "2026-03-06", kind, target)]
        told[3].append(said(text, "2026-03-08", kind, target, session="other"))
    owners = (("Dana", "2026-01-05"), ("Robin", "2026-03-02"), ("Dana", "2026-06-01"))
    told[0] += [said(f"{name} owns the billing service", at, target="owner") for name, at in owners]
    told[0].append(said("Deploys need two reviews", target="twice"))
    told[1].append(said("Deploys need two reviews", "2026-03-09", target="twice"))
    return told


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """A home that was told all cases, a night after another."""
    home = a_home(tmp_path_factory.mktemp("rows") / "home")
    for told in nights():
        tell(home, *told, by="agent")
    return home


@pytest.mark.parametrize("target", CHANGES_OF_MIND)
def test_t53_p39_a_change_of_mind_leaves_the_new_one_current_and_the_old_one_as_history(lived, target):
    assert texts(lived, "current", target) == {"I hate Chinese food"}
    assert texts(lived, "superseded", target) == {"I love Chinese food"}


def test_p40_the_same_said_twice_is_one_record_with_two_for_evidence(lived):
    (claim,) = claims(lived, "twice")
    assert (claim["status"], claim["support"], len(claim["evidence"])) == ("current", 2, 2)


@pytest.mark.parametrize(("place", "old", "new"), [(place, *pair) for place, pair in enumerate(LATER_VALUES)])
def test_p14_p16_p17_a_later_value_takes_the_place_of_an_earlier_one_and_drops_nothing(lived, place, old, new):
    found = claims(lived, f"later {place}")
    (current,) = (claim for claim in found if claim["status"] == "current")
    (ended,) = (claim for claim in found if claim["status"] == "superseded")
    assert (current["text"], ended["text"], current["supersedes"]) == (new, old, ended["id"])
    assert (ended["valid_to"], current["valid_from"]) == ("2026-04-02T10:00:00Z", "2026-04-02T10:00:00Z")
    assert current["group"] != ended["group"]


@pytest.mark.parametrize(("place", "sides"), list(enumerate(SIDE_BY_SIDE)))
def test_p17_p41_what_may_stand_side_by_side_does(lived, place, sides):
    assert texts(lived, "current", f"beside {place}") == set(sides)


def test_p29_the_same_said_again_after_another_is_a_second_interval(lived):
    found = claims(lived, "owner")
    assert sorted((claim["valid_from"][:10], claim["valid_to"], claim["status"]) for claim in found) == [
        ("2026-01-05", "2026-03-02T10:00:00Z", "superseded"),
        ("2026-03-02", "2026-06-01T10:00:00Z", "superseded"),
        ("2026-06-01", None, "current"),
    ]


@pytest.mark.parametrize("place", range(len(RETURNS)), ids=map(str, RETURNS))
def test_t71_t72_what_a_person_corrected_never_returns_by_an_agents_word(lived, place):
    found = claims(lived, f"returns {place}")
    assert {claim["text"] for claim in found if claim["status"] == "current"} == {CORRECTION}
    asked = {claim for question in questions(lived) for claim in question["claims"]}
    assert asked.isdisjoint(claim["id"] for claim in found)


def test_t13_what_was_corrected_leaves_the_index_in_the_same_commit_as_its_correction_enters(home):
    tell(home, said("The nightly import starts at 02:00", kind="decision"))
    tell(home, said("That was wrong: the nightly import starts at 03:00", "2026-03-09", kind="correction"))
    changed = home.git("default", "show", "HEAD", "--", "MEMORY.md", "knowledge", "projects", "preferences")
    assert any(line.startswith("+") and "starts at 03:00" in line for line in changed.splitlines())
    assert any(line.startswith("-") and "starts at 02:00" in line for line in changed.splitlines())
    assert "starts at 02:00" not in home.git("default", "show", "HEAD:MEMORY.md")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The stack is PostgreSQL and Redis", "We migrated to MySQL"),
        ("项目使用 PostgreSQL 数据库", "数据库已迁移到MySQL"),
        ("我们的技术栈是PostgreSQL", "已从 PostgreSQL 切换到 MySQL"),
        ("データベースはPostgreSQLを使用しています", "PostgreSQLからMySQLへ移行しました"),
        ("Wir verwenden PostgreSQL", "Die Datenbank wurde auf MySQL umgestellt"),
        ("Мы используем PostgreSQL", "Перешли на MySQL"),
    ],
)
def test_t54_a_move_to_another_thing_of_its_kind_is_asked_about_in_any_known_language(old, new):
    first, second = an_event(old), an_event(new, at=day(30))
    found = closures([first, second], [statement_of(first), statement_of(second)])
    assert [(end.by, end.text_key, end.verb) for end in found] == [(second.id, old, "ask")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The stack is PostgreSQL", "The stack is PostgreSQL and Redis"),
        ("PostgreSQL crashed on Tuesday", "We migrated to MySQL"),
        ("We use PostgreSQL", "MySQL is slow"),
        ("We use Kafka", "We migrated to MySQL"),
    ],
)
def test_t54_to_name_another_thing_of_its_kind_is_no_move(old, new):
    first, second = an_event(old), an_event(new, at=day(30))
    assert closures([first, second], [statement_of(first), statement_of(second)]) == ()


def test_t54_the_question_stands_in_the_report_and_is_answered(home):
    tell(home, said("项目使用 PostgreSQL 数据库"), said("数据库已迁移到 MySQL", "2026-05-02"), by="agent")
    (question,) = questions(home)
    (moved,) = (claim["id"] for claim in claims(home) if "MySQL" in claim["text"])
    assert question["text"] in home.ok("report").out.replace("\\", "")
    home.ok("--now", NOW, "resolve", question["id"], moved)
    assert texts(home, "current") == {"数据库已迁移到 MySQL"}


def test_t71_the_person_who_corrected_it_may_say_it_again(home):
    tell(home, said("The import starts at 02:00"))
    tell(home, said("That was wrong: the import starts at 03:00", "2026-03-04", kind="correction"))
    tell(home, said("The import starts at 02:00", "2026-03-06", kind="decision"))
    assert "The import starts at 02:00" in texts(home, "current")


def test_p48_taking_back_the_newer_one_leaves_the_older_one(home):
    tell(home, said("Use SQLite for the task queue", kind="decision"))
    tell(home, said("Use PostgreSQL for the task queue", "2026-03-09", kind="decision"))
    assert texts(home, "superseded") == {"Use SQLite for the task queue"}
    home.ok("--now", NOW, "undo")
    assert texts(home, "current") == {"Use SQLite for the task queue"}


def test_what_was_decided_is_not_ended_by_what_is_seen_but_asked_about_with_both_sources(home):
    decided = said("The API port is 8080", kind="decision")
    seen = said("The API port is 8081", "2026-03-09", source="session:s7")
    tell(home, decided)
    tell(home, seen, by="agent")
    assert texts(home, "current") == {decided["text"], seen["text"]}
    (question,) = questions(home)
    assert decided["text"] in question["text"] and seen["text"] in question["text"]
    assert "session:s7" in question["text"] and "2026-03-09" in question["text"]
    (holds,) = (claim["id"] for claim in claims(home) if claim["text"] == seen["text"])
    home.ok("--now", NOW, "resolve", question["id"], holds)
    assert (texts(home, "current"), texts(home, "superseded")) == ({seen["text"]}, {decided["text"]})


def test_a_page_from_outside_ends_and_asks_nothing(home):
    tell(home, said("The API port is 8080"), by="agent")
    tell(
        home, said("The API port is 9999", "2026-03-09"), said("The API port is not 8080", "2026-03-10"), by="external"
    )
    assert "The API port is 8080" in texts(home, "current")
    assert questions(home) == []


def test_a_less_trusted_retraction_is_asked_about_and_can_be_followed(home):
    tell(home, said("Sessions expire after 30 minutes"))
    tell(home, said("Forget that sessions expire after 30 minutes", "2026-03-09", kind="retraction"), by="agent")
    assert texts(home, "current") == {"Sessions expire after 30 minutes"}
    (question,) = questions(home)
    home.ok("--now", NOW, "resolve", question["id"], "neither")
    assert texts(home, "retracted") == {"Sessions expire after 30 minutes"}


def due(home, target="facts"):
    return {claim["text"]: (claim["status"], claim["due"]) for claim in claims(home, target)}


def test_t66_a_day_that_has_passed_completes_nothing_and_one_that_is_not_clear_stays_as_it_was_said(home):
    tell(
        home,
        said("The audit is next Friday", "2026-03-04"),
        said("The new region comes this quarter", "2026-03-04"),
        said("Deploys on Friday are not allowed", "2026-03-04"),
        by="agent",
    )
    assert due(home) == {
        "The audit is next Friday": ("current", {"words": "next Friday", "on": "2026-03-13"}),
        "The new region comes this quarter": ("current", {"words": "this quarter", "on": None}),
        "Deploys on Friday are not allowed": ("current", None),
    }
    shown = home.ok("--now", NOW, "show", "facts").out
    assert "next Friday: 2026-03-13" in shown and "this quarter: no day for certain" in shown


def test_t66_the_same_words_on_two_days_name_no_day_for_certain(home):
    tell(home, said("The audit is next Friday", "2026-03-04"), said("The audit is next Friday", "2026-04-01"))
    assert due(home) == {"The audit is next Friday": ("current", {"words": "next Friday", "on": None})}


def test_p10_what_is_to_come_does_not_fade_before_its_day(home):
    tell(
        home,
        said("The certificate expires on 2026-08-20", target="cert"),
        said("The certificate was renewed", target="renewal"),
        *(
            said("Still at work", f"2026-{month:02}-{day:02}", target="other")
            for month in range(3, 9)
            for day in (1, 9, 17, 25)
        ),
        by="agent",
    )

    def seen(target, now):
        stream = home.ok("--json", "--now", now, "show", target).json()
        return stream["vitality"], stream["confidence"] == stream["base_confidence"]

    assert seen("cert", "2026-08-20T12:00:00Z") == ("active", True)
    assert seen("renewal", "2026-08-20T12:00:00Z") == ("dormant", False)
    assert seen("cert", "2026-08-30T00:00:00Z")[0] == "decaying"


def test_both_clocks_are_answered(home):
    tell(home, said("The API port is 8080", "2026-03-02"), by="agent", now="2026-03-03T00:00:00Z")
    tell(home, said("The API port is 8081", "2026-03-10"), by="agent", now="2026-03-20T00:00:00Z")

    def ports(*clocks):
        shown = home.ok("--json", "--now", NOW, "show", "facts", *clocks).json()
        return {claim["text"][-4:] for claim in shown["claims"] if claim["status"] == "current"}

    assert ports() == {"8081"}
    assert ports("--as-of", "2026-03-05T00:00:00Z") == {"8080"}
    assert ports("--as-of", "2026-03-12T00:00:00Z") == {"8081"}
    # On the 12th it had changed, and nobody had told.
    assert ports("--as-of", "2026-03-12T00:00:00Z", "--known-at", "2026-03-12T00:00:00Z") == {"8080"}
    assert ports("--known-at", "2026-03-12T00:00:00Z") == {"8080"}


def test_a_changed_registry_is_told_like_a_changed_policy(home):
    tell(home, said("Acme pays 5 percent"), said("Acme pays 7 percent", "2026-03-09"), by="agent")
    assert len(texts(home, "current")) == 2
    (home.path / "predicates.toml").write_text(
        '[[predicate]]\nname = "rate"\nwording = "{subject} pays {value:scalar}"\nexample = "Acme pays 5 percent"\n'
    )
    ran = home.ok("--json", "--now", NOW, "run").json()
    assert ran["run"] is not None
    assert texts(home, "current") == {"Acme pays 7 percent"}
    assert "`predicates`: as shipped → " in home.ok("report").out


def test_a_registry_that_is_wrong_stops_the_command_with_everything_that_is_wrong(home):
    (home.path / "predicates.toml").write_text('[[predicate]]\nname = "Rate"\nwording = "pays"\nexample = "x"\n[a]\n')
    ended = home.dreamd("run")
    assert ended.code == 78
    assert all(word in ended.err for word in ("name is 'Rate'", "'a' is no key", "predicates.toml"))
