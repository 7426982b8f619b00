"""Which remote a space has: the settings, and nothing that lies in a repository."""

from dataclasses import dataclass
from typing import Literal

from dreamd.repo_export.remotes.address import SPACE_MARK, Address, address_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Remotes:
    """The settings of remotes; without a URL for its space nothing is pushed or pulled."""

    url: str = ""
    spaces: str = ""
    branch: str = "main"
    pull: Literal["yes", "no"] = "yes"
    credentials: Literal["none", "mine"] = "none"
    timeout_seconds: float = 60
    retry_minutes: float = 5
    max_megabytes: float = 64


def configured_remote(given: Remotes, space: str) -> Address | None:
    """The remote that the settings name for `space`; None if it has none.

    What was pushed there is out of dreamd's reach: nothing is taken back from it.
    """
    of_space = (pair.partition("=") for pair in given.spaces.split())
    own = {name: url for name, _, url in of_space}
    text = own.get(space, given.url)
    return address_of(text, space) if text else None


def problem_of(given: Remotes) -> tuple[str, str] | None:
    """(the setting, what is wrong with it) where a pattern alone cannot say it."""
    if given.url and SPACE_MARK not in given.url:
        return (
            "remote.url",
            f"names no {SPACE_MARK}; allowed: an address with {SPACE_MARK}, since two spaces never share a remote;"
            " the remote of one space goes into remote.spaces, as SPACE=ADDRESS",
        )
    names = [pair.partition("=")[0] for pair in given.spaces.split()]
    twice = next((name for name in names if names.count(name) > 1), None)
    return None if twice is None else ("remote.spaces", f"names the space {twice} twice; allowed: once")
