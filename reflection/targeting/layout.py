"""The layout of a space: which folders are its components, as the files of all its events show.

A component is a name on which people would file a change: a package, a folder, a file of its own. A folder that holds
a manifest is a unit and one component; without one it is the first telling part of the path. A component that holds too
large a share of all events says nothing any more and gives way to the parts inside it. So the depth follows the
history: one repository is split at its packages, another inside its only package.

A layout is a function of the set of events and never of their order. What follows from it is learned, not fixed: it is
recorded as a decision with its score and done again by `dreamd retarget`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dreamd.reflection.targeting.canonical import canonical_form
from dreamd.reflection.targeting.path_words import LAYERS, STOP_NAMES
from dreamd.reflection.targeting.paths import MIN_FOUND_NAME_LENGTH, Place, is_container, place_of

# Measured on three histories with the scope hidden: between 0.1 and 0.45 and between 0.36 and 0.6 nothing changes.
MAX_SHARE = 1 / 3  # of all events that a component may hold before it gives way to its parts
MAX_UNIT_SHARE = 1 / 2  # the same of a declared unit: only the majority outweighs what people declared
MIN_EVENTS = 20  # with files; with fewer a share says little, and the fixed path rule stands
MIN_KEPT_EVENTS = 10  # from here on a file at the root, such as the readme, is a component although its name is common
MIN_VOTE = 1 / 4  # of an event's files that the component must hold
UNIT = 1_000_000  # how much one event weighs: whole numbers add up to the same in any order

_COMMON = STOP_NAMES - {"init"}  # a file of that name does something; `__init__` is not among the names of a path

Component = tuple[str, ...]  # canonical names, from the outermost component that gave way to the innermost


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    target: str  # canonical form
    share: float  # of the files that have a vote


@dataclass(frozen=True, slots=True)
class _Name:
    form: str
    end: int  # how many parts of the path lead to it


def _nothing(place: Place, end: int) -> None:  # noqa: ARG001 - no other name is known
    return None


@dataclass(frozen=True)
class Layout:
    """What the files of many events say about where its components are."""

    units: frozenset[tuple[str, ...]]  # folders that were declared a unit, none inside another
    split: frozenset[Component]  # components that gave way to their parts
    sizes: Mapping[Component, int]  # events of each component, in millionths
    events: int  # that it was made from

    @property
    def is_known(self) -> bool:
        """Whether there were enough events to say anything."""
        return self.events >= MIN_EVENTS

    @cached_property
    def unit_forms(self) -> frozenset[str]:
        return frozenset(_unit_form(unit) for unit in self.units)

    @cached_property
    def known(self) -> Mapping[str, Component]:
        """The components by name; of equal names the largest."""
        by_size = sorted((size, component) for component, size in self.sizes.items() if self._is_name(component))
        return {component[-1]: component for _, component in by_size if component not in self.split}

    def component_of(self, files: Iterable[str], called: Callable[[Place, int], str | None] = _nothing) -> Found | None:
        """The component that holds most of `files`, the larger one of equals; None if no one holds enough of them.

        `called` may know another name for what a place belongs to; it is told how many parts lead to its component.
        """
        votes: Counter[Component] = Counter()
        given: set[Component] = set()  # names that people use count as they are
        places = voting(files)
        for place in places:
            component, name = self._home_of(place)
            other = called(place, name.end)
            if other is not None:
                component = component if component[-1] == other else self.known.get(other, (other,))
                given.add(component)
            votes[component] += 1
        named = [component for component in votes if component in given or self._is_name(component)]
        # What is left of a component that gave way is only a last resort.
        named = [component for component in named if component in given or component not in self.split] or named
        if not named:
            return None
        best = max(named, key=lambda one: (votes[one], self.sizes.get(one, 0), one))
        if votes[best] < MIN_VOTE * len(places):
            return None
        return Found(target=best[-1], share=votes[best] / len(places))

    def _home_of(self, place: Place) -> tuple[Component, _Name]:
        component, name = self._descend(place)
        if place.is_aside and component not in self.sizes:
            return self._spoken_of(place) or (component, name)
        return component, name

    def _is_name(self, component: Component) -> bool:
        form = component[-1]
        if form in _COMMON:
            return len(component) == 1 and self.sizes.get(component, 0) >= MIN_KEPT_EVENTS * UNIT
        return len(form) >= MIN_FOUND_NAME_LENGTH

    def _descend(self, place: Place) -> tuple[Component, _Name]:
        names = _names(place, self.units)
        at = 0
        while names[at].form in LAYERS and at < len(names) - 2:  # a layer that holds a folder
            at += 1
        last, at = names[at], at + 1
        component: Component = (last.form,)
        while at < len(names) and component in self.split:
            while at < len(names) - 1 and (names[at].form in LAYERS or len(names[at].form) < MIN_FOUND_NAME_LENGTH):
                at += 1
            if names[at].form in _COMMON or len(names[at].form) < MIN_FOUND_NAME_LENGTH:
                break
            last = names[at]
            component, at = (*component, last.form), at + 1
        return component, last

    def _spoken_of(self, place: Place) -> tuple[Component, _Name] | None:
        """The known component whose name a test, document or example bears, or whose name its own begins with."""
        for name in _names(place, self.units):
            words = name.form.split("_")
            for length in range(len(words), 0, -1):
                if (component := self.known.get("_".join(words[:length]))) is not None:
                    return component, name
        return None


def layout_of(files_of_events: Iterable[Sequence[str]]) -> Layout:
    """The layout that the events with these files show."""
    places = [found for files in files_of_events if (found := voting(files))]
    units = _units(place for found in places for place in found)
    layout = Layout(units=units, split=frozenset(), sizes={}, events=len(places))
    while True:
        sizes, parts = _measured(layout, places)
        layout = Layout(units=units, split=layout.split, sizes=sizes, events=len(places))
        too_large = frozenset(one for one in sizes if _gives_way(one, layout, parts))
        if not too_large:
            return layout
        layout = Layout(units=units, split=layout.split | too_large, sizes=sizes, events=len(places))


def voting(files: Iterable[str]) -> list[Place]:
    """The places of the files that have a vote: tests, documents and examples only where there is nothing else."""
    places = [place for file in files if (place := place_of(file)) is not None]
    return [place for place in places if not place.is_aside] or places


def _measured(layout: Layout, places: Sequence[Sequence[Place]]) -> tuple[dict[Component, int], dict[Component, int]]:
    """The size of each component without what only tests and documents say, and how many ways there are inside."""
    sizes: dict[Component, int] = defaultdict(int)
    parts: dict[Component, set[tuple[str, ...]]] = defaultdict(set)
    for found in places:
        for place in found:
            if place.is_aside and len(place.parts) > 1 and place.stem.lower() != "readme":
                continue
            component, name = layout._descend(place)  # noqa: SLF001 - of this very class
            sizes[component] += UNIT // len(found)
            parts[component].add(tuple(one.form for one in _names(place, layout.units) if one.end > name.end))
    return dict(sizes), {component: len(names) for component, names in parts.items()}


def _gives_way(component: Component, layout: Layout, parts: Mapping[Component, int]) -> bool:
    size = layout.sizes[component]
    is_unit = len(component) == 1 and component[0] in layout.unit_forms
    too_many = (MAX_UNIT_SHARE if is_unit else MAX_SHARE) * layout.events * UNIT
    is_large = size > too_many and size >= MIN_EVENTS * UNIT
    return is_large and parts[component] > 1 and component not in layout.split


def _units(places: Iterable[Place]) -> frozenset[tuple[str, ...]]:
    """The outermost folders that hold a manifest; the root is none, it is everything."""
    declared = {place.parts[:-1] for place in places if place.is_manifest and not is_container(place.parts[-2])}
    return frozenset(unit for unit in declared if not any(unit[:length] in declared for length in range(1, len(unit))))


def _names(place: Place, units: frozenset[tuple[str, ...]]) -> list[_Name]:
    """The names along `place`, the unit that holds it first; at least one."""
    inside = next((length for length in range(1, len(place.parts)) if place.parts[:length] in units), 0)
    names = [_Name(canonical_form(place.name(index)), index + 1) for index in place.telling if index >= inside]
    return [_Name(_unit_form(place.parts[:inside]), inside), *names] if inside else names


def _unit_form(unit: tuple[str, ...]) -> str:
    """The name of a unit: its path without the containers at its front, `angular/build` of `packages/angular/build`."""
    start = next((index for index, folder in enumerate(unit) if not is_container(folder)), len(unit) - 1)
    return canonical_form("/".join(unit[start:]))
