"""Which addresses a remote may have, and that none of them starts a program, is an option, or shows a password."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.remotes.choice import Remotes, configured_remote
from dreamd.repo_export.remotes.address import Address, address_of, hide_credentials

PIECES = (
    "-",
    ":",
    "::",
    "/",
    "//",
    "@",
    "ext",
    "sh",
    "https:",
    "ssh:",
    "file:",
    "http:",
    "git",
    "host",
    ".",
    "{space}",
    " ",
)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_what_is_allowed_is_one_word_of_a_known_transport_and_no_option(text):
    try:
        address = address_of(text, "work")
    except ValueError:
        return
    assert not address.url.startswith("-") and " " not in address.url
    assert address.protocol in ("file", "https", "http", "ssh")
    before, _, after = address.url.partition(":")
    if address.protocol == "ssh" and "://" not in address.url:  # as git reads it: host:path
        assert "/" not in before and not after.startswith((":", "-"))
        assert not any(part.startswith("-") for part in before.split("@"))


@given(st.text("abc:?&=+%[]", min_size=1), st.sampled_from(["https", "http"]))
def test_a_password_is_in_the_header_and_nowhere_else(password, scheme):
    host = "localhost" if scheme == "http" else "example.com"
    secret = f"XX{password}XX"
    address = address_of(f"{scheme}://ada:{secret}@{host}/{{space}}.git", "work")
    assert address.url == f"{scheme}://{host}/work.git" and address.shown == f"{scheme}://***@{host}/work.git"
    assert address.authorization is not None and address.authorization.startswith("Basic ")
    said = f"fatal: unable to access '{scheme}://ada:{secret}@{host}/': 403"
    assert secret not in hide_credentials(said) and host in hide_credentials(said)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git@host:me/{space}.git", Address(url="git@host:me/work.git", protocol="ssh", shown="git@host:me/work.git")),
        ("ssh://git@host:22/x", Address(url="ssh://git@host:22/x", protocol="ssh", shown="ssh://git@host:22/x")),
        ("file:///x/{space}", Address(url="file:///x/work", protocol="file", shown="file:///x/work")),
        ("/x/{space}", Address(url="/x/work", protocol="file", shown="/x/work")),
        ("https://ada@host/x", Address(url="https://ada@host/x", protocol="https", shown="https://***@host/x")),
    ],
)
def test_an_address_is_read_as_git_reads_it(text, expected):
    assert address_of(text, "work") == expected


def test_the_remote_of_a_space_goes_before_that_of_all():
    given_ = Remotes(url="/all/{space}", spaces="work=/own play=")
    remotes = {space: configured_remote(given_, space) for space in ("work", "play", "other")}
    assert {space: found and found.url for space, found in remotes.items()} == {
        "work": "/own",
        "play": None,
        "other": "/all/other",
    }
    assert configured_remote(Remotes(), "work") is None
