"""Where a memory may be pushed to: the addresses that are allowed, and how one is shown.

Allowed are a path, https and ssh, and plain http to this very machine. Nothing that starts a program (`ext::`), and
nothing that git could take for an option. The name of a remote is no address: it would be looked up in the memory
repository's own configuration, which whoever may write there can change.
"""

import re
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

SPACE_MARK = "{space}"  # stands for the name of the space
_CHARACTER = r"[^\x00-\x20\x7f]"  # a blank would be read as the end of an address
_NAME = r"[A-Za-z0-9_][A-Za-z0-9_.-]*"  # of a user or a host: never an option
_HOST = rf"(?:{_NAME}|\[[0-9A-Fa-f:.]+\])(?::[0-9]{{1,5}})?"
_LOOPBACK = r"(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?"
_PATH = rf"/{_CHARACTER}*|~/{_CHARACTER}+"
_FILE = rf"file:///{_CHARACTER}+"
_LETTING_IN = r"(?:[^\x00-\x20\x7f/@]*@)?"
_HTTPS = rf"https://{_LETTING_IN}{_HOST}/{_CHARACTER}*"
_HTTP = rf"http://{_LETTING_IN}{_LOOPBACK}/{_CHARACTER}*"
_SSH = rf"ssh://(?:{_NAME}@)?{_HOST}/{_CHARACTER}+"
_SCP = rf"(?:{_NAME}@)?{_NAME}:/?[A-Za-z0-9_~.{{][^\x00-\x20\x7f:]*"  # host:path, with one colon: never `ext::` or `scheme://`
ADDRESS = rf"(?:{_PATH}|{_FILE}|{_HTTPS}|{_HTTP}|{_SSH}|{_SCP})"
ALLOWED = "a path from / or ~/, file:///, https://, ssh://, user@host:path; no blanks"
BRANCH = r"[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_-]+)*"

_ADDRESS = re.compile(ADDRESS)
_SECRET = re.compile(r"(\bhttps?://)[^/\s]*@|(://)[^/@\s]*:[^/\s]*@")


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    url: str  # as git is given it: without a password
    protocol: str  # "file", "https", "http" or "ssh": all that git may use
    shown: str  # as a person may read it: without what lets somebody in
    authorization: str | None = None  # the header that lets us in; None: the URL had no password


def address_of(text: str, space: str) -> Address:
    """The address that `text` is for `space`. Raises ValueError if it is none that is allowed."""
    url = text.replace(SPACE_MARK, space)
    if not _ADDRESS.fullmatch(url):
        raise ValueError(f"{hide_credentials(url)} is no address of a remote; allowed: {ALLOWED}")
    shown = hide_credentials(url)
    if url.startswith(("/", "~/")):
        return Address(url=str(Path(url).expanduser()), protocol="file", shown=shown)
    scheme, separator, rest = url.partition("://")
    if not separator:
        return Address(url=url, protocol="ssh", shown=shown)
    user, at, place = rest.rpartition("@")
    if scheme not in ("https", "http") or not at or ":" not in user:
        return Address(url=url, protocol=scheme, shown=shown)
    # A URL is an argument of processes, which everybody on the machine can list; a header lies in a private file.
    token = b64encode(":".join(map(unquote, user.split(":", 1))).encode()).decode("ascii")
    return Address(url=f"{scheme}://{place}", protocol=scheme, shown=shown, authorization=f"Basic {token}")


def hide_credentials(text: str) -> str:
    """`text` without the users and passwords of the URLs in it."""
    return _SECRET.sub(lambda found: f"{found[1] or found[2]}***@", text)
