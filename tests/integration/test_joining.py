"""Two histories put together without a work tree: both ways of doing it agree, and no line of a person's is lost."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.repo_export.plumbing import SafeGit
from dreamd.repo_export.remotes import joining
from dreamd.repo_export.remotes.joining import Clash, Joined, joined_tree
from tests.poison import git

LINES = ("one", "two", "three", "four", "five", "six", "seven")
Files = dict[str, str | None]

# What one side makes of a file: None takes it away, else the words that stand for the lines with these numbers.
EDITS = st.none() | st.dictionaries(st.integers(0, len(LINES) - 1), st.sampled_from(("here", "there", "")), max_size=2)
SIDES = st.fixed_dictionaries({"a.md": EDITS, "b/c.md": EDITS})


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("joining") / "repository"
    git(path.parent, "init", "-q", "-b", "main", "--template=", str(path))
    return path


def commit(place: Path, files: Files, *parents: str, who: str = "Ada <ada@example.com>") -> str:
    stream = [f"commit refs/heads/made\ncommitter {who} 1772366400 +0000\ndata 0\n", "deleteall\n"]
    stream[1:1] = [f"{'merge' if place_ else 'from'} {parent}\n" for place_, parent in enumerate(parents)]
    for path, text in files.items():
        if text is not None:
            stream.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n")
    if not parents:
        stream.insert(0, "reset refs/heads/made\n")
    git(place, "fast-import", "--quiet", "--force", stdin="".join(stream))
    return git(place, "rev-parse", "refs/heads/made")


def edited(edit: dict[int, str] | None) -> str | None:
    return None if edit is None else "".join(f"{edit.get(number, line)}\n" for number, line in enumerate(LINES))


@settings(max_examples=25)
@given(ours=SIDES, theirs=SIDES)
def test_merge_tree_and_file_by_file_agree_and_every_word_of_either_side_stays(place, ours, theirs):
    base = commit(place, dict.fromkeys(("a.md", "b/c.md"), edited({})))
    here = commit(place, {path: edited(edit) for path, edit in ours.items()} | {"here.md": "x\n"}, base)
    there = commit(place, {path: edited(edit) for path, edit in theirs.items()} | {"there.md": "y\n"}, base)
    safe = SafeGit(place / ".git")
    joined = joined_tree(safe, base, here, there)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "_by_merge_tree", lambda *_: None)
        assert joined_tree(safe, base, here, there) == joined
    if isinstance(joined, Clash):
        return
    assert joined.taken_over == ()
    for path in ("a.md", "b/c.md"):
        for edit in (ours[path], theirs[path]):
            if edit is not None and None not in (ours[path], theirs[path]):
                text = git(place, "show", f"{joined.tree}:{path}")
                assert all(word in text.split("\n") for word in edit.values())
    assert {"here.md", "there.md"} <= set(git(place, "ls-tree", "--name-only", joined.tree).split())


def test_the_same_lines_of_ours_give_way_to_a_persons_and_those_of_two_people_do_not(place):
    base = commit(place, {"a.md": "1\n", "b.md": "1\n"})
    dreamt = commit(place, {"a.md": "dreamt\n", "b.md": "1\n"}, base, who="dreamd <dreamd@localhost>")
    here = commit(place, {"a.md": "dreamt\n", "b.md": "Eve\n"}, dreamt)
    safe = SafeGit(place / ".git")
    theirs = commit(place, {"a.md": "Ada\n", "b.md": "1\n"}, base)
    joined = joined_tree(safe, base, here, theirs)
    assert isinstance(joined, Joined) and joined.taken_over == ("a.md",)
    assert git(place, "show", f"{joined.tree}:a.md") == "Ada" and git(place, "show", f"{joined.tree}:b.md") == "Eve"
    both = commit(place, {"a.md": "Ada\n", "b.md": "Ada\n"}, base)
    assert joined_tree(safe, base, here, both) == Clash(paths=("b.md",))


def test_a_page_that_a_person_took_away_while_dreamd_rendered_it_again_is_gone(place):
    base = commit(place, {"a.md": "1\n", "b.md": "1\n"})
    dreamt = commit(place, {"a.md": "2\n", "b.md": "1\n"}, base, who="dreamd <dreamd@localhost>")
    joined = joined_tree(SafeGit(place / ".git"), base, dreamt, commit(place, {"b.md": "1\n"}, base))
    assert isinstance(joined, Joined) and git(place, "ls-tree", "--name-only", joined.tree) == "b.md"
