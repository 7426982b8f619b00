"""The registry of functional predicates of a home: `predicates.toml`, if a person wrote one, over the shipped one."""

from dataclasses import dataclass
from typing import Any

from dreamd.daemon.home import Home
from dreamd.lifecycle.told import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    as_json: dict[str, Any]
    lines: list[str]


def read_predicates(home: Home) -> tuple[str, list[str]]:
    """The registry of `home` in its canonical form, "" for the shipped one, and everything that is wrong with it."""
    file = home.predicates_file
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return "", []
    except (OSError, UnicodeDecodeError) as error:
        return "", [f"{file} cannot be read: {error}"]
    from dreamd.reflection.contradicting.registry import BadRegistry, canonical  # noqa: PLC0415 - only with a file

    try:
        return canonical(text), []
    except BadRegistry as bad:
        return "", [f"{problem} (in {file.name})" for problem in bad.problems]


def in_force(home: Home, predicates: str) -> Answer:
    """The rows that count, in the order in which they are tried."""
    from dreamd.reflection.contradicting.registry import registry_of  # noqa: PLC0415 - compiles its patterns

    registry = registry_of(predicates)
    own = str(home.predicates_file) if predicates else None
    rows = [
        {
            "name": row.predicate,
            "wording": row.wording,
            "example": row.example,
            "plain": registry.is_plain(row.predicate),
        }
        for row in registry.wordings
    ]
    kinds = [{"name": kind.name, "members": list(kind.members)} for kind in registry.kinds]
    lines = [f"{row['name']}: {row['wording']}" + ("" if row["plain"] else "  (not plain)") for row in rows]
    lines += [f"kind {kind['name']}: {', '.join(kind['members'])}" for kind in kinds]
    told = counted(len(rows), "wording")
    lines.append(f"{told}; " + (f"with those of {own}" if own else f"as shipped; yours go into {home.predicates_file}"))
    return Answer(as_json={"file": own, "predicates": rows, "kinds": kinds}, lines=lines)


def filled(predicates: str, text: str) -> Answer:
    """The slot that `text` fills, and its value."""
    from dreamd.reflection.contradicting.registry import registry_of  # noqa: PLC0415
    from dreamd.reflection.slots import slot_of, value_key  # noqa: PLC0415

    slot = slot_of(text, registry_of(predicates))
    if slot is None:
        return Answer(as_json={"slot": None, "value": None}, lines=["No slot: it may stand beside anything."])
    value = value_key(slot.value)
    return Answer(as_json={"slot": slot.name, "value": value}, lines=[f"{slot.name}: {value}"])


def shipped_text() -> str:
    from dreamd.reflection.contradicting.shipped import SHIPPED  # noqa: PLC0415

    return SHIPPED


def shapes_in_words() -> list[str]:
    from dreamd.reflection.contradicting.shapes import SHAPES  # noqa: PLC0415

    return [f"{name}: {shape.text}" for name, shape in SHAPES.items()]
