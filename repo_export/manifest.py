"""`.dreamd/manifest.json`: which file belongs to which stream, and what it held when dreamd wrote it.

With it `verify` tells a file that a person changed from one that dreamd wrote in another way.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring_ascii as _quoted

MANIFEST_PATH = ".dreamd/manifest.json"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestEntry:
    stream: str | None  # id; None: an index
    sha256: str  # of the content, 64 hex digits


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    format_version: int
    space: str
    page_format: int  # of the pages, see `page.PAGE_FORMAT`; 0: not known
    files: Mapping[str, ManifestEntry]  # by path from the root


def render_manifest(
    space: str,
    files: Mapping[str, bytes],
    streams: Mapping[str, str],
    *,
    page_format: int,
    kept: Mapping[str, ManifestEntry] | None = None,
) -> bytes:
    """The manifest of `files` (content by path) and of those `kept` from before; `streams` has the id of each page."""
    written = {path: ManifestEntry(stream=streams.get(path), sha256=digest_of_file(it)) for path, it in files.items()}
    entries = ",\n".join([_rendered(path, entry) for path, entry in sorted({**(kept or {}), **written}.items())])
    # As json.dumps(..., indent=1, sort_keys=True) writes it, which takes several times as long.
    return (
        (f'{{\n "files": {{\n{entries}\n }},\n' if entries else '{\n "files": {},\n')
        + f' "format_version": {FORMAT_VERSION},\n "page_format": {page_format},\n "space": {json.dumps(space)}\n}}\n'
    ).encode("ascii")


def _rendered(path: str, entry: ManifestEntry) -> str:
    stream = "" if entry.stream is None else f',\n   "stream": {_quoted(entry.stream)}'
    return f'  {_quoted(path)}: {{\n   "sha256": {_quoted(entry.sha256)}{stream}\n  }}'


def digest_of_file(content: bytes) -> str:
    return sha256(content).hexdigest()


def parse_manifest(content: bytes) -> Manifest:
    """Raises ValueError if it is no manifest of ours or of a later format."""
    try:
        whole = json.loads(content)
        entries = {
            str(path): ManifestEntry(stream=entry.get("stream"), sha256=str(entry["sha256"]))
            for path, entry in whole["files"].items()
        }
        manifest = Manifest(
            format_version=int(whole["format_version"]),
            space=str(whole["space"]),
            page_format=int(whole.get("page_format", 0)),
            files=entries,
        )
    except (AttributeError, KeyError, TypeError) as problem:
        raise ValueError(f"{MANIFEST_PATH} is no manifest: {problem!r}") from problem
    if manifest.format_version > FORMAT_VERSION:
        raise ValueError(f"{MANIFEST_PATH} has format {manifest.format_version}; this dreamd knows {FORMAT_VERSION}")
    return manifest
