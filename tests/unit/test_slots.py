"""Which slot a statement fills."""

import pytest

from dreamd.reflection.contradicting.registry import registry_of
from dreamd.reflection.slots import adopted_value, ended_values, slot_of, value_key


@pytest.mark.parametrize("wording", registry_of("").wordings, ids=lambda wording: wording.example)
def test_each_row_of_the_registry_reads_its_example(wording):
    slot = slot_of(wording.example)
    assert slot is not None
    assert slot.name.startswith(f"{wording.predicate}:")


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (
            [
                "Use SQLite for the task queue",
                "We will use PostgreSQL as the task queue",
                "Decision: use PostgreSQL for the task queue because SQLite locks.",
                "Use PostgreSQL instead of SQLite for the task queue",
                "Switch the task queue from SQLite to PostgreSQL",
                "We switched from SQLite to PostgreSQL for the task queue",
                "Replace SQLite with PostgreSQL for the task queue",
            ],
            "use:task queue",
        ),
        (
            [
                "The access token lifetime is 1 hour",
                "Set the access token lifetime to 2 hours",
                "Keep the access token lifetime at 2 hours",
                "access token lifetime = 2h",
                "The access token lifetime is 2 hours, not 1 hour",
            ],
            "is:access token lifetime",
        ),
        (["The nightly import starts at 02:00", "The nightly import now starts at 03:00"], "starts at:nightly import"),
        (["Run migrations with Alembic", "Run migrations with Flyway"], "with:run migrations"),
        (["Render PDFs with wkhtml", "Render PDFs with WeasyPrint"], "with:render pdfs"),
    ],
)
def test_wordings_of_one_setting_fill_one_slot(texts, name):
    assert {slot.name if (slot := slot_of(text)) else None for text in texts} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "Use PostgreSQL",
        "Add JSONB columns for the audit trail",
        "The summariser was tested with the 7b model",
        "Dana is the CEO of Northwind",
        "Deploys on Friday are not allowed",
        "Always show the failing test before the fix",
        "Also use Redis for sessions",
        "Do not use SQLite for the task queue",
        "The cache is slow",
        "The parser is written in Go",
        "Set up CI to run nightly",
        "Change the tests to use fixtures",
        "It starts at 03:00",
        "fix(logger): no count if the screen is false",
        "The job should report if the cache is enabled",
        "Build the app with caching",
        "PDF export failed: page 3 rendered blank",
        "",
    ],
)
def test_what_may_stand_beside_others_fills_no_slot(text):
    assert slot_of(text) is None


def test_a_value_is_kept_as_written_and_compared_without_case_article_and_quotes():
    slot = slot_of("Use `PostgreSQL` for the task queue")
    assert slot is not None
    assert slot.value == "`PostgreSQL`"
    assert value_key(slot.value) == value_key("postgresql.")
    assert value_key("2 hours") != value_key("3 hours")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("Use PostgreSQL instead of SQLite for the queue", ("sqlite",)),
        ("Replace SQLite with PostgreSQL", ("sqlite",)),
        ("Migrate from SQLite to PostgreSQL", ("sqlite",)),
        ("We no longer use SQLite", ("sqlite",)),
        ("Use PostgreSQL", ()),
    ],
)
def test_the_value_given_up_is_read(text, values):
    assert ended_values(text) == values


def test_a_bare_use_takes_a_value_into_use_without_a_slot():
    assert adopted_value("Use SQLite") == adopted_value("We will use SQLite for the queue") == "sqlite"
    assert adopted_value("Migrate from SQLite to MySQL") == adopted_value("Replace SQLite with MySQL") == "mysql"
    assert adopted_value("Do not use SQLite") is None


def test_a_very_long_text_has_no_slot():
    assert slot_of("Use " + "very " * 5000 + "slow for the queue") is None
