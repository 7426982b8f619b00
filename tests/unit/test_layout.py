"""Where the components of a space are, as the files of its events show."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.reflection.targeting.layout import layout_of
from dreamd.reflection.targeting.paths import place_of


def components(history, *asked):
    """The components of the `asked` file lists in the layout that `history` (files -> events) shows."""
    layout = layout_of([list(files) for files, count in history.items() for _ in range(count)])
    found = [layout.component_of(files) for files in asked]
    return [None if one is None else one.target for one in found]


MONOREPO = {
    ("packages/acme/build/src/run.ts",): 30,
    ("packages/acme/cli/src/main.ts",): 20,
    ("packages/tools/kit/index.ts",): 20,
    ("packages/acme/build/package.json", "packages/acme/cli/package.json", "packages/tools/kit/package.json"): 1,
}
PACKAGE = {
    ("src/acme/parser.py",): 10,
    ("src/acme/commands/init.py",): 10,
    ("src/acme/commands/check.py",): 10,
    ("src/acme/server/page.py",): 10,
    ("src/acme/utils.py",): 4,
    ("docs/guide.md",): 3,
}


def test_a_folder_with_a_manifest_is_one_component_named_by_its_path():
    files = ["packages/acme/build/src/deep/down.ts"]
    assert components(MONOREPO, files, ["packages/tools/kit/x/y.ts"]) == ["acme_build", "tools_kit"]


def test_a_manifest_at_the_root_or_inside_a_unit_declares_nothing():
    history = {**MONOREPO, ("package.json", "packages/acme/build/templates/a/package.json"): 5}
    assert components(history, ["packages/acme/build/templates/a/x.ts"]) == ["acme_build"]


def test_a_component_that_holds_too_much_gives_way_to_its_parts_and_layers_are_passed_over():
    asked = (["src/acme/parser.py"], ["src/acme/commands/init.py"], ["src/acme/server/page.py"])
    assert components(PACKAGE, *asked) == ["parser", "init", "page"]


def test_a_unit_only_gives_way_to_the_majority():
    history = {
        ("packages/big/src/alpha.ts",): 12,
        ("packages/big/src/beta.ts",): 12,
        ("packages/small/src/c.ts",): 26,
        ("packages/big/package.json", "packages/small/package.json"): 1,
    }
    assert components(history, ["packages/big/src/alpha.ts"]) == ["big"]
    assert components({**history, ("packages/big/src/beta.ts",): 22}, ["packages/big/src/alpha.ts"]) == ["alpha"]


def test_a_chain_of_folders_gives_way_down_to_where_it_branches():
    history = {
        (f"home/me/work/src/main/java/com/acme/{name}/A.java",): 10 for name in ("alpha", "beta", "gamma", "delta")
    }
    assert components(history, ["home/me/work/src/main/java/com/acme/beta/B.java"]) == ["beta"]


def test_a_folder_with_one_file_keeps_its_name():
    assert components({("tool/run.py",): 30}, ["tool/run.py"]) == ["tool"]


def test_a_common_name_inside_a_component_counts_as_what_holds_it():
    assert components(PACKAGE, ["src/acme/utils.py"], ["src/acme/utils.py", "src/acme/parser.py"]) == ["acme", "parser"]


def test_a_test_or_document_counts_for_what_it_is_named_after_and_only_if_there_is_nothing_else():
    asked = (
        ["tests/commands/test_init_command.py"],
        ["docs/commands/check.md"],
        ["src/acme/parser.py", "tests/commands/test_init_command.py", "docs/commands/check.md"],
    )
    assert components(PACKAGE, *asked) == ["init", "check", "parser"]


def test_a_change_that_no_component_holds_a_quarter_of_belongs_to_none():
    history = {(f"{name}/a.py",): 10 for name in ("alpha", "beta", "gamma", "delta", "epsilon")}
    assert components(history, [f"{name}/a.py" for name in ("alpha", "beta", "gamma", "delta", "epsilon")]) == [None]


def test_of_two_components_with_as_many_files_the_larger_one_counts():
    history = {("alpha/a.py",): 10, ("beta/b.py",): 30, ("gamma/c.py",): 30, ("delta/d.py",): 30}
    assert components(history, ["alpha/a.py", "beta/b.py"]) == ["beta"]


@pytest.mark.parametrize("count", [9, 10])
def test_a_readme_is_a_component_once_the_space_keeps_coming_back_to_it(count):
    history = {("README.md",): count, ("alpha/a.py",): 20, ("beta/b.py",): 20, ("gamma/c.py",): 20}
    assert components(history, ["docs/README.md"]) == (["readme"] if count == 10 else [None])


@pytest.mark.parametrize(
    "file", ["package-lock.json", "flake.lock", "web/pnpm-lock.yaml", "CHANGELOG.md", "src/index.ts", ""]
)
def test_what_changes_along_with_anything_and_what_says_nothing_has_no_place(file):
    assert place_of(file) is None


@pytest.mark.parametrize("file", ["src/block.ts", "src/clock.py", "deadlock/a.py"])
def test_a_name_that_only_ends_like_a_lock_file_has_one(file):
    assert place_of(file) is not None


@given(st.data())
def test_the_order_of_events_and_files_does_not_matter(data):
    names = st.sampled_from(
        ["src/a/x.py", "src/a/y.py", "src/b/z.py", "lib/package.json", "lib/c/d.py", "tests/test_x.py"]
    )
    history = data.draw(st.lists(st.lists(names, min_size=1, max_size=4), min_size=20, max_size=40))
    mixed = [data.draw(st.permutations(files)) for files in data.draw(st.permutations(history))]
    one, other = layout_of(history), layout_of(mixed)
    assert one == other
    assert [one.component_of(files) for files in history] == [other.component_of(files[::-1]) for files in history]
