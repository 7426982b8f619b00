"""What a text states: complete statements, chosen from it word for word (design, section 6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.read import statements_of
from dreamd.reflection.sentences import MAX_PARTS, parts_of
from tests.builders import an_event

PORT = "The API listens on port 8080."
SAID = EventKind.OBSERVATION


@pytest.mark.parametrize(
    "text",
    [
        "The cache is warm",
        "Use SQLite for the task queue.",
        "Bump ruff from 0.4.10 to 0.5.0, see e.g. the notes of Dr. Smith at https://example.org/a.b?c=D. E",
        "fix(hmr): fix template + style update hmr",
        'He said "It works. Ship it." and left',
        "Set `a. B` to 1.5 in conf.d/x.toml etc. before J. Smith of Acme Inc. comes on Jan. 5",
        "The U.S. region is closed (see No. 5. That was it) for now",
        " a\u00a0 ",
        "Wait... what is it?",
        "The limit is 5 v. 6 for p. 7 and approx. 8 MB",
    ],
)
def test_a_text_of_one_sentence_is_one_statement_as_it_is(text):
    assert parts_of(text, SAID) == (text,)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (f"The cache holds 5 entries. {PORT}", ("The cache holds 5 entries.", PORT)),
        (f"Is it up? Yes, it is. {PORT}", ("Is it up? Yes, it is.", PORT)),
        (f"{PORT} Can anybody confirm that?", (PORT,)),
        (f"The cache is of version 7.2. {PORT}", ("The cache is of version 7.2.", PORT)),
        ("キャッシュは5分で切れる。APIはポート8080で待つ。", ("キャッシュは5分で切れる。", "APIはポート8080で待つ。")),
        ("The build needs: 1. A clean tree 2. A tag on main", ("The build needs: 1. A clean tree 2. A tag on main",)),
        ("Write the notes 2. Tag the commit 3. Push the tag", ("Write the notes", "Tag the commit", "Push the tag")),
    ],
)
def test_each_complete_sentence_is_a_statement_of_its_own(text, parts):
    assert parts_of(text, SAID) == parts


@pytest.mark.parametrize(
    "leaning",
    [
        "It is cleared on deploy.",
        "This keeps the nodes in step.",
        "But only until the next deploy.",
        "To fix this, clear the cache by hand.",
        "If it fails, the deploy stops.",
        "Because of that the deploy waits.",
        "As a result the deploy waits.",
        "In that case the deploy waits.",
        "Which was slow.",
        "Every time.",
    ],
)
def test_a_sentence_that_cannot_stand_alone_stays_with_the_one_before_it(leaning):
    text = f"The cache expires after 5 minutes. {leaning} {PORT}"
    assert parts_of(text, SAID) == (f"The cache expires after 5 minutes. {leaning}", PORT)


def test_a_reason_is_no_decision_and_a_second_decision_is_one():
    text = "Use SQLite for the queue. Servers cost time. Because of that, it wins. Run migrations with Alembic."
    both = parts_of(text, EventKind.DECISION)
    assert both == (
        "Use SQLite for the queue. Servers cost time. Because of that, it wins.",
        "Run migrations with Alembic.",
    )
    assert [one.slot for one in statements_of(an_event(text, kind=EventKind.DECISION))] == [
        "use:queue",
        "with:run migrations",
    ]
    assert all(one.is_explicit for one in statements_of(an_event(text, kind=EventKind.DECISION)))


@pytest.mark.parametrize("kind", [EventKind.CORRECTION, EventKind.RETRACTION, EventKind.INTERVENTION])
def test_a_persons_word_about_what_was_said_is_one_statement(kind):
    text = f"That was wrong. The cache expires after 6 minutes. {PORT}"
    assert parts_of(text, kind) == (text,)


def test_lists_headings_code_and_trailers_of_a_note():
    text = (
        "# Release notes\n\nThe uploader retries three times\nbefore it gives up. More clients are served.\n\n"
        "Changes:\n- Sessions live in Redis now\n  and no longer in memory\n* [x] Python 3.8 support is gone\n\n"
        "To publish, run this:\n\n```sh\ngit tag v1. Now\n```\n\n| a | b |\n|---|---|\n\n    make all\n\n"
        "2024-05-01 10:00:00 INFO started the server\n$ npm run build\n\nSigned-off-by: A B <a@example.org>\n"
    )
    assert parts_of(text, EventKind.MESSAGE) == (
        "The uploader retries three times\nbefore it gives up.",
        "More clients are served.",
        "Sessions live in Redis now\n  and no longer in memory",
        "Python 3.8 support is gone",
        "To publish, run this:\n\n```sh\ngit tag v1. Now\n```",
    )


def test_the_items_of_an_introduced_list_stay_with_what_introduces_them():
    text = "A release needs all of these:\n- a clean tree\n- a signed tag\n\nThe tag is pushed last of all."
    assert parts_of(text, SAID) == (text.partition("\n\n")[0], "The tag is pushed last of all.")


def test_a_text_without_any_complete_statement_is_kept_whole():
    text = "Hm?\nWhat now?"
    assert parts_of(text, SAID) == (text,)


def test_an_event_states_nothing_twice_and_not_more_than_the_most():
    text = " ".join(f"The shard {number} is full." for number in range(MAX_PARTS + 9))
    assert len(parts_of(text, SAID)) == MAX_PARTS
    assert [one.text for one in statements_of(an_event(f"{PORT} {PORT}  The cache is warm."))] == [
        PORT,
        "The cache is warm.",
    ]
    assert [one.part for one in statements_of(an_event(f"{PORT} {PORT}  The cache is warm."))] == [0, 1]


words = st.sampled_from(
    ["The", "It", "cache", "is", "5", "e.g.", "v1.2.", "port.", "Use", "`a.", "B`", '"So', 'it."', "(no.", "2.", "why?"]
    + ["\n", "\n\n", "- ", "```", "#", "https://a.b/c.", "ends.", "Redis!", "設定。", "\u2028", ":", "    x", "|a|"]
)


@given(st.lists(words, max_size=40).map(" ".join), st.sampled_from(EventKind))
def test_statements_are_pieces_of_the_text_in_its_order(text, kind):
    at = 0
    for part in parts_of(text, kind):
        at = text.index(part, at) + len(part)
        assert part or not text


@given(st.text(max_size=80), st.sampled_from(EventKind))
def test_any_text_has_a_statement(text, kind):
    assert 1 <= len(parts_of(text, kind)) <= MAX_PARTS
