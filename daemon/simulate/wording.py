"""What is said about a target: templates that name it, so that no two targets share a sentence.

Each template holds `{n}` (the name), and numbers or made-up names that differ from event to event. What agents observe
is said in plain sentences; nothing here is a command line, a heading or a log line.
"""

from random import Random

from dreamd.daemon.simulate.names import made_up

_OBSERVATIONS = (
    "{n} answered {a} requests a minute while {t} was loading",
    "{n} keeps {a} connections to {t} open",
    "{n} needs {a} MB of memory once {t} has {b} clients",
    "{n} writes {a} rows to {t} in batches of {b}",
    "{n} wakes up every {a} seconds and asks {t} for work",
    "{n} reads its settings from {t} in {a} steps",
    "{n} waited {a} ms for a lock that {t} held",
    "{n} sorts what {t} sends into {a} buckets",
    "A cold start of {n} takes {a} ms, most of it in {t}",
    "The tests of {n} cover {b} of 1{a} branches around {t}",
    "The cache of {n} holds {a} entries of {t}",
    "The queue between {n} and {t} was {a} messages long",
    "The dashboard of {n} shows {a} panels about {t}",
    "Half of the traffic of {n} comes from {t}, {a} calls a second",
)
_RESULTS = (
    "Rebuilt {n} against {t} in {a} seconds",
    "Moved {a} records of {n} into {t}",
    "Ran the {n} checks against {t}, {a} of {a} green",
    "Rolled {n} out to {a} hosts next to {t}",
    "Replayed {a} requests of {t} against {n} without loss",
    "Restored {n} from a snapshot of {t} in {a} seconds",
)
_ERRORS = (
    "{n} lost {a} messages while {t} restarted",
    "{n} gave up on {t} after {a} seconds",
    "{n} crashed with code {a} when {t} sent an empty page",
    "{n} refused {a} requests because {t} was full",
    "{n} stored {a} rows of {t} twice",
)
_COMMITS = (
    "feat({s}): read {a} fields of {t}",
    "refactor({s}): split the {t} client into {a} parts",
    "test({s}): cover {a} answers of {t}",
    "docs({s}): explain the {a} states of {t}",
    "perf({s}): ask {t} once for {a} rows",
)
_TEMPLATES = {"observation": _OBSERVATIONS, "result": _RESULTS, "error": _ERRORS, "commit": _COMMITS}


class Voice:
    """Says things about one target; never the same sentence twice."""

    def __init__(self, name: str, chance: Random) -> None:
        self.name = name
        self.chance = chance
        self._said: set[str] = set()

    def say(self, kind: str) -> str:
        """A sentence for an event of `kind`: observation, result, error or commit."""
        while True:
            said = self.fill(self.chance.choice(_TEMPLATES[kind]))
            if said not in self._said:
                self._said.add(said)
                return said

    def fill(self, template: str) -> str:
        """`template` about this target, with numbers and a made-up name."""
        return template.format(
            n=self.name,
            s=self.name.lower().replace(" ", "-"),
            a=self.chance.randint(2, 990),
            b=self.chance.randint(2, 99),
            t=made_up(self.chance),
        )

    def pair(self, templates: tuple[str, ...]) -> tuple[str, str]:
        """One template filled twice, the two alike but for the name `{v}` or the number `{d}` in it."""
        template = self.chance.choice(templates)
        names, numbers = self.two_names(), self.two_numbers()
        first, second = (template.format(n=self.name, v=names[each], d=numbers[each]) for each in (0, 1))
        return first, second

    def two_names(self) -> tuple[str, str]:
        first = made_up(self.chance)
        return first, made_up(self.chance, (first,))

    def two_numbers(self) -> tuple[int, int]:
        first, second = self.chance.sample(range(2, 60), 2)
        return first, second
