"""Where the distiller may be, and with which key it is asked.

What is distilled is private, so it leaves this machine only if the settings say so twice: in the URL, and by naming
that host. The key comes from the environment or a file; it is in no setting, no log and no report.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from dreamd.daemon.errors import Configuration

KEY_VARIABLE = "DREAMD_DISTILLER_KEY"
PATH = "/chat/completions"  # below the URL of the settings, which ends in /v1 with most servers
MAX_KEY_LENGTH = 4_096  # characters; a longer file is no key
_KEY = re.compile(r"[\x21-\x7e]+")  # what may stand in a header


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilling:
    """The settings of the distiller; without a URL and a model there is none."""

    url: str = ""
    model: str = ""
    remote_host: str = ""
    key_file: str = ""
    timeout_seconds: float = 60
    run_seconds: float = 600
    budget_tokens: int = 20_000

    @property
    def is_on(self) -> bool:
        return bool(self.url and self.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    is_tls: bool
    host: str
    port: int
    path: str


def address_of(given: Distilling) -> Address:
    """The server that the settings name. Raises Configuration if dreamd may not ask it."""
    parts = urlsplit(given.url)
    host = parts.hostname or ""
    if not is_loopback(host) and given.remote_host.lower() != host:
        raise Configuration(
            f"distiller.url names the host {host!r}, which is not this machine: statements would leave it",
            f"if they may, say so in dreamd.toml under [distiller]: remote_host = {host!r}",
        )
    is_tls = parts.scheme == "https"
    try:
        port = parts.port or (443 if is_tls else 80)
    except ValueError:
        raise Configuration(f"distiller.url has a port beyond 65535: {given.url}") from None
    return Address(is_tls=is_tls, host=host, port=port, path=parts.path.rstrip("/") + PATH)


def key_of(given: Distilling, environ: Mapping[str, str]) -> str | None:
    """The key to send; None if there is none. Raises Configuration if it cannot be read or must not be sent."""
    key, where = _key(given, environ)
    if key is None:
        return None
    if len(key) > MAX_KEY_LENGTH or not _KEY.fullmatch(key):
        raise Configuration(f"{where} does not hold a key: one line of visible ASCII", "put the key there, and no more")
    parts = urlsplit(given.url)
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        raise Configuration(
            "distiller.url is plain http to another machine: whoever is on the way would read the key",
            f"use https, or leave the key out: unset {KEY_VARIABLE} and distiller.key_file",
        )
    return key


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by its name alone; what a name resolves to is not asked."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _key(given: Distilling, environ: Mapping[str, str]) -> tuple[str | None, str]:
    """The key and what it comes from: the environment, else the file."""
    if environ.get(KEY_VARIABLE):
        return environ[KEY_VARIABLE].strip(), KEY_VARIABLE
    if not given.key_file:
        return None, ""
    file = Path(os.path.expandvars(given.key_file)).expanduser()
    try:
        with file.open("rb") as handle:
            content = handle.read(MAX_KEY_LENGTH + 2)
    except OSError as error:
        raise Configuration(
            f"distiller.key_file {given.key_file}: {error.strerror}", "write the key there, readable by dreamd alone"
        ) from None
    return content.decode("ascii", "replace").strip(), f"distiller.key_file {given.key_file}"
