"""Which target an event belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.lifecycle.words import EventKind
from dreamd.reflection.targets import assign, canonical_form, path_target
from tests.builders import an_event


@pytest.mark.parametrize(
    "spellings",
    [
        (
            "Auth-Service",
            "authService",
            "auth service",
            "AUTH_SERVICE",
            "auth.service",
            "auth/service",
            "Auth::Service",
        ),
        ("HTTPServer", "http-server", "HttpServer"),
        ("PostgreSQL", "postgresql", "POSTGRESQL"),
        ("PDFs", "pdfs"),
        ("redis caching", " redis  caching ", "redis\u00a0caching", "redis\u2014caching"),
        ("caf\u00e9", "cafe\u0301"),
        ("zero\u200bwidth", "zerowidth"),
    ],
)
def test_spellings_of_one_name_have_one_form(spellings):
    assert len({canonical_form(spelling) for spelling in spellings}) == 1


@pytest.mark.parametrize(
    "names",
    [
        ("db2", "db3", "db"),
        ("c++", "c#", "c", "c*"),
        ("py3.1", "py31"),
        ("-", "--"),
        ("請求", "支払い"),
        ("r&d", "rd"),
    ],
)
def test_names_that_differ_in_a_sign_or_digit_stay_apart(names):
    assert len({canonical_form(name) for name in names}) == len(names)


def test_letters_and_digits_are_never_split():
    assert canonical_form("db2") == "db2"
    assert canonical_form("HTTPServer") == "http_server"
    assert canonical_form("x²") == "x2"


@given(st.text(min_size=1))
def test_a_form_is_never_empty_and_is_its_own_form(name):
    form = canonical_form(name)
    assert form
    assert canonical_form(form) == form


@given(st.text(alphabet="aZé9ßǅꭰᎠ _-.İ\u0345\u00a0\u0301", min_size=1))
def test_a_form_of_difficult_letters_is_its_own_form(name):
    assert canonical_form(canonical_form(name)) == canonical_form(name)


@pytest.mark.parametrize(
    ("files", "target"),
    [
        (["src/auth/login.py", "src/auth/token.py"], "auth"),
        (["packages/plugin-vue/src/index.ts"], "plugin_vue"),
        (["src/auth.ts", "tests/test_auth.py"], "auth"),
        (["src/auth/a.py", "src/auth/b.py", "src/billing/c.py"], "auth"),
        (["src/auth/a.py", "src/billing/c.py"], None),
        (["src/auth/a.py", "package-lock.json"], "auth"),
        (["Dockerfile"], "dockerfile"),
        ([".github/workflows/ci.yml"], "github"),
        (["CHANGELOG.md"], None),
        (["src/index.ts"], None),
        (["src/ab/x.py"], None),
        (["", "/", ".."], None),
        ([], None),
    ],
)
def test_files_name_a_target_if_most_of_them_agree(files, target):
    assert path_target(files) == target
    assert path_target(reversed(files)) == target


def found(event, aliases=None):
    (assignment,) = assign([event], aliases or {})
    return assignment


def test_the_name_an_event_gives_comes_first_and_counts_from_one_character_on():
    event = an_event(
        "fix(web): stop the flicker of the menu", target=" Q ", kind=EventKind.COMMIT, files=("src/api/a.py",)
    )
    assignment = found(event)
    assert (assignment.target, assignment.title, assignment.rule, assignment.score) == ("q", "Q", "named", 1.0)


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("fix(css): skip comma when matching", "css"),
        ("feat(api, web)!: one session for both", "api"),
        ('Revert "feat(HotReload): keep state"', "hot_reload"),
        ("build(x): strip symbols", "x"),
    ],
)
def test_a_commit_names_its_target_by_its_first_scope(text, target):
    assignment = found(an_event(text, target=None, kind=EventKind.COMMIT, files=("src/other/a.py",)))
    assert (assignment.target, assignment.rule) == (target, "scope")


def test_a_scope_counts_for_commits_only():
    assert found(an_event("fix(css): skip comma when matching", target=None)).rule == "untargeted"


def test_without_name_and_scope_the_files_decide():
    event = an_event(
        "skip comma when matching", target=None, kind=EventKind.COMMIT, files=("src/css/a.ts", "src/css/b.ts")
    )
    assert (found(event).target, found(event).rule, found(event).score) == ("css", "path", 1.0)


def test_what_no_rule_places_is_untargeted_if_it_says_something_and_noise_if_not():
    assert found(an_event("The deploy went well today", target=None)).rule == "untargeted"
    assert found(an_event("git push origin main", target=None)).rule == "noise"
    assert found(an_event("git push origin main", target="release")).target == "release"


def test_an_alias_leads_to_the_target_it_stands_for_and_a_circle_ends():
    assert found(an_event(target="Auth Service"), {"auth_service": "login", "login": "identity"}).target == "identity"
    assert found(an_event(target="a"), {"a": "b", "b": "a"}).target == "b"


def test_our_own_output_is_noise_even_under_a_name():
    line = "- The cache is warm [source: session:s1; added: 2026-01-05; id: cl_0123456789abcdef]"
    assert found(an_event(line, target="cache")).rule == "noise"
    assert found(an_event("<!-- dreamd: 3 of 3 -->", target="cache")).rule == "noise"


@given(st.permutations(["named", "css", "none", "x y"]))
def test_assignments_do_not_depend_on_the_order_of_events(names):
    events = [an_event(f"The {name} is warm", target=name) for name in names]
    assert assign(events, {}) == assign(sorted(events, key=lambda event: event.id), {})
