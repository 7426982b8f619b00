"""Where names lead: the alias table, from the canonical form of a name to that of the target that it stands for.

An alias may lead to a name that is an alias itself; the path is followed to its end. Circles are refused where aliases
are made; should one be there all the same, it ends where it closes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from dreamd.lifecycle.findings import Assignment


class Resolved(NamedTuple):
    target: str
    via: tuple[str, ...]  # the names on the way, from the one that was asked for on; () if it leads nowhere else


def resolved(form: str, aliases: Mapping[str, str]) -> Resolved:
    """Where `aliases` lead from a canonical form."""
    via: list[str] = []
    seen = {form}
    while (following := aliases.get(form)) is not None and following not in seen:
        via.append(form)
        seen.add(following)
        form = following
    return Resolved(form, tuple(via))


def led_on(found: Assignment, aliases: Mapping[str, str]) -> Assignment:
    """`found`, where `aliases` that were not known when it was made lead."""
    if found.target is None or found.target not in aliases:
        return found
    target, via = resolved(found.target, aliases)
    return replace(found, target=target, via=(*found.via, *via))


def moved(targets: Iterable[str], aliases: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Those of the `targets` that `aliases` lead from, with where they lead; sorted."""
    found = {target: resolved(target, aliases).target for target in targets}
    return tuple(sorted((old, new) for old, new in found.items() if old != new))
