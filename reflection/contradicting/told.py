"""What a stream was told so far, found by slot, polarity, value and opening words."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from dreamd.lifecycle.findings import Statement
from dreamd.reflection.contradicting.kinds import used_thing
from dreamd.reflection.contradicting.registry import Registry
from dreamd.reflection.contradicting.words import content
from dreamd.reflection.polarity import Polarity, polarity_of
from dreamd.reflection.slots import adopted_value


@dataclass(frozen=True)
class Old:
    """A statement with what is read in it; read when it is asked for."""

    statement: Statement
    registry: Registry
    is_plain_end: bool = False  # said plainly by somebody whose word may end what was said plainly before

    @cached_property
    def words(self) -> frozenset[str]:
        """Content words, stemmed."""
        return content(self.statement.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Those of the words that hold a digit."""
        return frozenset(word for word in self.words if any(char.isdigit() for char in word))

    @cached_property
    def polarity(self) -> Polarity:
        return polarity_of(self.statement.text)

    @cached_property
    def thing(self) -> tuple[str, str] | None:
        """Of which kind it says that something is in use, and what."""
        return used_thing(self.statement.text, self.registry)

    @cached_property
    def adopted(self) -> str | None:
        return adopted_value(self.statement.text, self.registry)


class Told:
    """What was said so far."""

    def __init__(self) -> None:
        self.by_key: dict[str, Old] = {}
        self.outright: set[str] = set()  # text keys of what was ever said outright
        self.by_slot: dict[str, list[Old]] = defaultdict(list)  # in time, each time it was told
        self.by_polarity: dict[Polarity, list[Old]] = defaultdict(list)
        self.by_opening: dict[str, list[Old]] = defaultdict(list)
        self._by_kind: dict[str, list[Old]] = defaultdict(list)
        self._kindless: list[Old] = []  # not yet in _by_kind
        self._by_value: dict[str, list[Old]] = defaultdict(list)
        self._unread: list[Old] = []  # not yet in by_value: few streams ask for it

    def add(self, old: Old) -> None:
        statement = old.statement
        known = self.by_key.get(statement.text_key)
        if statement.slot is not None:
            self.by_slot[statement.slot].append(old)
        if statement.is_explicit:
            self.outright.add(statement.text_key)
        if known is not None:
            return
        self.by_key[statement.text_key] = old
        self.by_polarity[old.polarity].append(old)
        self.by_opening[opening(statement.text_key)].append(old)
        self._unread.append(old)
        self._kindless.append(old)

    def adopting(self, value: str) -> list[Old]:
        """The statements that took `value` into use."""
        for old in self._unread:
            if old.adopted is not None:
                self._by_value[old.adopted].append(old)
        self._unread.clear()
        return self._by_value.get(value, [])

    def of_kind(self, kind: str) -> list[Old]:
        """The statements that say that something of `kind` is in use, in time."""
        for old in self._kindless:
            if old.thing is not None:
                self._by_kind[old.thing[0]].append(old)
        self._kindless.clear()
        return self._by_kind.get(kind, [])


def opening(text: str) -> str:
    """The first two words: where a statement is looked up that another one may contain."""
    return " ".join(text.lower().rstrip(" .!").split()[:2])
