"""Where a home is, what creating one leaves, and what is refused."""

import stat
from pathlib import Path

import pytest

from dreamd.daemon import home as homes
from dreamd.daemon.errors import EXIT_CODES, Configuration, DreamdError, Usage
from dreamd.daemon.home import Home


@pytest.mark.parametrize(
    ("option", "environ", "expected"),
    [
        ("/a", {"DREAMD_HOME": "/b", "HOME": "/u"}, "/a"),
        (None, {"DREAMD_HOME": "/b", "XDG_DATA_HOME": "/x", "HOME": "/u"}, "/b"),
        (None, {"XDG_DATA_HOME": "/x", "HOME": "/u"}, "/x/dreamd"),
        (None, {"XDG_DATA_HOME": "relative", "HOME": "/u"}, "/u/.local/share/dreamd"),
        (None, {"HOME": "/u"}, "/u/.local/share/dreamd"),
        (None, {"DREAMD_HOME": "", "HOME": "/u"}, "/u/.local/share/dreamd"),
    ],
)
def test_the_home_is_where_the_nearest_word_says(option, environ, expected):
    assert homes.locate(option, environ) == Path(expected)


def test_a_created_home_has_settings_a_private_key_and_room_for_memory(tmp_path):
    home = homes.create(tmp_path / "new" / "home")
    assert stat.S_IMODE(home.key_file.stat().st_mode) == 0o600
    assert len(home.read_key()) == homes.KEY_BYTES
    assert home.settings_file.read_text().startswith("# Settings of dreamd")
    assert home.memory.is_dir()
    assert sorted(entry.name for entry in home.path.iterdir()) == ["dreamd.toml", "key", "memory"]
    assert homes.open_home(home.path) == home


def test_creating_twice_changes_nothing_and_completes_what_was_cut_short(tmp_path):
    home = homes.create(tmp_path)
    key = home.read_key()
    home.settings_file.write_text("[policy]\n")
    home.database.touch()
    assert homes.create(tmp_path).read_key() == key
    assert home.settings_file.read_text() == "[policy]\n"
    half = tmp_path / "half"
    half.mkdir()
    (half / ".key.0a1b2c3d").touch()
    (half / "dreamd.toml").touch()
    assert homes.create(half).exists()


def test_a_folder_with_other_things_in_it_or_a_file_is_no_home(tmp_path):
    (tmp_path / "letters.txt").touch()
    with pytest.raises(Configuration, match=r"letters\.txt") as raised:
        homes.create(tmp_path)
    assert raised.value.hint
    assert [entry.name for entry in tmp_path.iterdir()] == ["letters.txt"]
    with pytest.raises(Configuration, match="not a folder"):
        homes.create(tmp_path / "letters.txt")


def test_opening_what_is_no_home_names_the_command_that_creates_it(tmp_path):
    with pytest.raises(Configuration) as raised:
        homes.open_home(tmp_path)
    assert raised.value.exit_code == 78
    assert "init" in (raised.value.hint or "")


@pytest.mark.parametrize("content", ["", "zz", "00" * 31, "00" * 33])
def test_a_broken_key_file_is_refused_without_showing_it(tmp_path, content):
    home = Home(tmp_path)
    home.key_file.write_text(content)
    with pytest.raises(Configuration) as raised:
        home.read_key()
    assert not content or content not in raised.value.message.replace(str(tmp_path), "")


def test_a_tag_tells_equal_secrets_and_depends_on_the_key():
    assert homes.keyed_tag(b"a", "x") == homes.keyed_tag(b"a", "x")
    assert homes.keyed_tag(b"a", "x") != homes.keyed_tag(b"b", "x")
    assert len(homes.keyed_tag(b"a", "x")) == 4


@pytest.mark.parametrize("text", ["a", "0", "my-project", "a.b_c-d", "x" * 64])
def test_a_name_of_a_space_is_taken_as_it_is(text, tmp_path):
    assert homes.required_space(text) == text
    assert homes.space_name(text) == text
    assert Home(tmp_path).repository(text) == tmp_path / "memory" / text


@pytest.mark.parametrize("text", ["", ".", "..", "-a", "A", "a/b", "a b", "x" * 65, "\u00e9", "a\n", "\u0661"])
def test_what_is_no_name_of_a_space_is_refused_with_one_that_is(text):
    with pytest.raises(Usage) as raised:
        homes.required_space(text)
    assert homes.is_space((raised.value.hint or "").removeprefix("use: --space "))


@pytest.mark.parametrize(
    ("text", "name"), [("My Project", "my-project"), ("git@host:team/App.git", "git-host-team-app.git"), ("A_b", "a_b")]
)
def test_a_project_gets_a_readable_space(text, name):
    assert homes.space_name(text) == name


def test_projects_that_differ_only_in_lost_letters_get_other_spaces():
    names = {
        homes.space_name(text)
        for text in ("\u65e5\u672c", "\u4e2d\u56fd", "caf\u00e9", "caf\u00e8", "x" * 65, "x" * 66, "")
    }
    assert len(names) == 7
    assert all(homes.is_space(name) for name in names)


def test_every_error_has_an_exit_code_with_a_meaning():
    def all_below(kind):
        return {kind, *(each for below in kind.__subclasses__() for each in all_below(below))}

    assert {kind.exit_code for kind in all_below(DreamdError)} == set(EXIT_CODES) - {0}
    assert Usage("what", "do").as_json() == {"error": "what", "code": 2, "hint": "do"}
