"""The registry of functional predicates that a person edits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.contradicting.registry import BadRegistry, canonical, registry_of
from dreamd.reflection.contradicting.shipped import SHIPPED
from dreamd.reflection.slots import slot_of

RATE = '[[predicate]]\nname = "rate"\nwording = "{subject} pays {value:scalar}"\nexample = "Acme pays 5 percent"\n'


def test_a_row_of_ones_own_comes_before_the_shipped_ones_and_a_comment_changes_nothing():
    line = canonical(RATE)
    assert slot_of("Acme pays 7 percent", registry_of(line)) == ("rate:acme", "7 percent")
    assert slot_of("The API port is 80", registry_of(line)) == slot_of("The API port is 80")
    assert canonical(f"# Ours.\n\n{RATE}") == line != canonical(RATE.replace("rate", "fee"))


def test_shipped_rows_can_be_left_out_by_name_or_all_at_once():
    assert slot_of("Dana lives in Rome", registry_of(canonical('without = ["lives in"]'))) is None
    alone = registry_of(canonical(f"shipped = false\n{RATE}"))
    assert [row.predicate for row in alone.wordings] == ["rate"] and alone.kinds == ()


def test_the_shipped_registry_is_one_that_a_person_could_have_written():
    assert len(registry_of(canonical(f"shipped = false\n{SHIPPED}")).wordings) == len(registry_of("").wordings)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = ", "it is no TOML"),
        ("extra = 1", "'extra' is no key; allowed: predicate, kind, shipped, without"),
        ('without = ["nothing"]', "'nothing' is not shipped"),
        (RATE.replace("example", "sample"), "example is missing"),
        (RATE.replace('"rate"', '"Rate"'), "name is 'Rate'"),
        (RATE.replace("{value:scalar}", "{value:shape}"), "'shape' is no shape; allowed: any, short"),
        (RATE.replace("{value:scalar}", "{price}"), "{price} is no place"),
        (RATE.replace("{value:scalar}", "it"), "it needs {value} once"),
        (RATE.replace("pays", "[pays"), "brackets must be closed"),
        (RATE.replace("pays {", "{"), "it needs a word of its own"),
        (RATE.replace("{subject} ", ""), "names no {subject}"),
        (RATE.replace("5 percent", "little"), "does not read its example"),
        ('[[kind]]\nname = "shop"\nmembers = ["one"]\n', "two or more texts"),
        ("predicate = [1]", "predicate 1 is 1; allowed: a table"),
        ("#" * 70_000, "characters long; allowed: up to 65536"),
    ],
)
def test_what_is_wrong_with_a_registry_is_named(text, problem):
    with pytest.raises(BadRegistry) as raised:
        canonical(text)
    assert problem in "; ".join(raised.value.problems)


def test_all_that_is_wrong_is_named_at_once():
    with pytest.raises(BadRegistry) as raised:
        canonical(f"extra = 1\nshipped = 2\n{RATE.replace('rate', 'R')}{RATE.replace('5 percent', 'little')}")
    assert len(raised.value.problems) == 4


@given(st.text(max_size=200), st.text(max_size=40))
def test_any_text_is_read_or_refused_with_a_problem(wording, example):
    row = {"name": "any", "wording": wording, "example": example}
    quoted = "\n".join(f"{key} = {_toml(value)}" for key, value in row.items())
    try:
        registry_of(canonical(f"[[predicate]]\n{quoted}\n"))
    except BadRegistry as bad:
        assert bad.problems


def _toml(text: str) -> str:
    shown = "".join(
        char if char.isalnum() or char in " {}[]|:_" else f"\\U{ord(char):08x}"
        for char in text
        if not "\ud800" <= char <= "\udfff"
    )
    return f'"{shown}"'


def test_a_text_that_almost_fits_everywhere_is_read_quickly():
    for text in ("the " * 60 + "port is", "bump " + "a " * 110 + "to", "use " + "x for " * 40, "a = " * 55):
        assert slot_of(text) is None or len(text) < 240
