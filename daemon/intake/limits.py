"""How large what comes in may be. A limit that is passed is named in the reason of the rejection."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    event_bytes: int = 1_000_000  # of one event as JSON, so of one line
    text_characters: int = 100_000  # of `text` and of `because`
    name_characters: int = 500  # of target, source, session, scope, id and each tag; they are parts of keys and files
    path_characters: int = 4_096  # of each entry of `files`
    list_items: int = 10_000  # of `files` and `tags`
    json_depth: int = 32  # of objects and lists within each other
    document_bytes: int = 32_000_000  # of a transcript that is one document, which is held as a whole
