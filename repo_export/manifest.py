"""`.dreamd/manifest.json`: which file belongs to which stream, and what it held when dreamd wrote it.

With it `verify` tells a file that a person changed from one that dreamd wrote in another way. Each run writes it anew,
so it is made to pack well: an entry a line, by path, and of a digest only the first 96 bits, which are the part of a
history that nothing compresses. Format 1 had all 256; it is read as if it had those.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from json.encoder import encode_basestring_ascii as _quoted

MANIFEST_PATH = ".dreamd/manifest.json"
FORMAT_VERSION = 2
DIGEST_DIGITS = 24  # hex


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestEntry:
    stream: str | None  # id; None: an index
    sha256: str  # of the content, its first DIGEST_DIGITS


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
    return (
        (f'{{\n "files": {{\n{entries}\n }},\n' if entries else '{\n "files": {},\n')
        + f' "format_version": {FORMAT_VERSION},\n "page_format": {page_format},\n "space": {json.dumps(space)}\n}}\n'
    ).encode("ascii")


def _rendered(path: str, entry: ManifestEntry) -> str:
    stream = "" if entry.stream is None else f', "stream": {_quoted(entry.stream)}'
    return f'  {_quoted(path)}: {{"sha256": {_quoted(entry.sha256)}{stream}}}'


def digest_of_file(content: bytes) -> str:
    return sha256(content).hexdigest()[:DIGEST_DIGITS]


def parse_manifest(content: bytes) -> Manifest:
    """Raises ValueError if it is no manifest of ours or of a later format."""
    try:
        whole = json.loads(content)
        entries = {
            str(path): ManifestEntry(stream=entry.get("stream"), sha256=str(entry["sha256"])[:DIGEST_DIGITS])
            for path, entry in whole["files"].items()
        }
        manifest = Manifest(
            format_version=int(whole["format_version"]),
            space=str(whole["space"]),
            page_format=int(whole.get("page_format", 0)),
            files=entries,
        )
    except (AttributeError, KeyError, TypeError, OverflowError, RecursionError) as problem:
        raise ValueError(f"{MANIFEST_PATH} is no manifest: {problem!r}") from problem
    if manifest.format_version > FORMAT_VERSION:
        raise ValueError(f"{MANIFEST_PATH} has format {manifest.format_version}; this dreamd knows {FORMAT_VERSION}")
    return manifest
