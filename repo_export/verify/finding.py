"""What `verify` says: one value for each fault, and what it may hold a repository against."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from dreamd.lifecycle.words import ClaimStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    level: Literal["error", "warning"]
    path: str
    line: int  # from 1; 0: the file as a whole
    rule: str  # a name that a baseline can hold
    message: str
    check: str = ""  # which of the five levels it is of; stamped by `verify`


def _nothing_forgotten(text: str) -> bool:  # noqa: ARG001 - a stand-in
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the store says; with it, files are held against it."""

    claims: Mapping[str, ClaimStatus]  # all claims of the space, by id
    sources: frozenset[str]  # of all its events
    streams: Mapping[str, str]  # path -> stream id, of every stream that has a file
    texts: Mapping[str, str] = field(default_factory=dict)  # what claims say, by id; missing: not compared
    hide: Callable[[str], str] = str  # a text as it is exported: with its secrets hidden
    states: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # path -> phase, vitality, status
    is_tombstoned: Callable[[str], bool] = (
        _nothing_forgotten  # whether a person had a statement with this text forgotten
    )


def error(path: str, line: int, rule: str, message: str) -> Finding:
    return Finding(level="error", path=path, line=line, rule=rule, message=message)


def warning(path: str, line: int, rule: str, message: str) -> Finding:
    return Finding(level="warning", path=path, line=line, rule=rule, message=message)
