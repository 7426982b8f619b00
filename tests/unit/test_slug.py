"""Names of files: safe everywhere, one for each target."""

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.repo_export.slug import slug

HOSTILE = (
    "../../etc/passwd",
    "CON",
    "con",
    "nul",
    ".git",
    ".GIT",
    "git~1",
    "-rf",
    "--output=x",
    ":(top)*",
    "",
    ".",
    "..",
    "/",
    "\\",
    "index",
    "readme",
    "memory",
    "x" * 5_000,
    "größe",
    "日本",
    "\ud800",
    "a\x00b",
    "a/b",
    "a b",
    "_",
    "__init__",
    "com1",
    "lpt9",
    "e\u0301te\u0301",
)


@pytest.mark.parametrize("target", HOSTILE)
def test_no_name_is_a_path_or_an_option(target: str) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", slug(target))
    assert slug(target) not in {"con", "nul", "index", "readme", "memory", "com1", "lpt9"}


def test_a_name_that_can_be_read_back_has_no_digits_added() -> None:
    assert slug("redis_caching") == "redis-caching"
    assert slug("db2") == "db2"
    assert slug("x" * 64) == "x" * 64


@pytest.mark.parametrize(
    "target", ["Redis", "größe", "x" * 65, "con", "a-b", "a__b", "dead_deadbeefdeadbeef", "deadbeef" * 2]
)
def test_a_name_that_loses_something_carries_its_hash(target: str) -> None:
    assert re.fullmatch(r".+-[0-9a-f]{16}", slug(target))


def test_a_hashed_name_cannot_be_taken_by_a_plain_target() -> None:
    taken = slug("größe")
    assert slug(taken.replace("-", "_")) != taken


def test_both_ways_to_write_an_accent_are_one_name() -> None:
    assert slug("\u00e9t\u00e9") == slug("e\u0301te\u0301")


def test_names_that_differ_only_in_case_differ_without_case() -> None:
    assert len({slug(name).casefold() for name in ("redis", "Redis", "REDIS", "rEdis")}) == 4


@settings(max_examples=5, deadline=None)
@given(st.sets(st.text(alphabet=string.printable + "äöß日_-", min_size=1, max_size=12), min_size=1_000, max_size=1_000))
def test_a_thousand_names_never_meet(names: set[str]) -> None:
    assert len({slug(name) for name in names}) == len(names)


def test_five_thousand_alike_names_never_meet() -> None:
    names = [
        f"{head}{number}{tail}"
        for number in range(1_250)
        for head, tail in (("a_", ""), ("a-", ""), ("A", "!"), ("ä", "_"))
    ]
    assert len({slug(name) for name in names}) == len(names) == 5_000


def test_a_hundred_thousand_names_without_a_letter_never_meet() -> None:
    names = {f"{chr(0x1F300 + one)}{chr(0x4E00 + other)}" for one in range(320) for other in range(320)}
    assert len({slug(name) for name in names}) == len(names) > 100_000
