"""The house as it stands obeys its rules, and each rule sees what it is there to see."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture import (
    EVERYWHERE,
    IN_ROOMS,
    MAX_LINES,
    ROOMS,
    Source,
    blanket_excepts,
    chance,
    clock_reads,
    strayed_blanket_excepts,
    strayed_libraries,
    too_long,
    touches_outside,
    wrong_arrows,
    wrong_prefixes,
)

ROOT = Path(__file__).parents[2]
Rule = Callable[[Source], list[str]]


def sources_in(*folders: str) -> list[Source]:
    files = sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return [Source(module_of(file), file.read_text(encoding="utf-8")) for file in files]


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("rule", IN_ROOMS, ids=lambda rule: rule.__name__)
def test_every_room_obeys(rule: Rule) -> None:
    sources = sources_in(*ROOMS)
    assert len(sources) >= len(ROOMS)  # an empty list would obey anything
    assert [found for source in sources for found in rule(source)] == []


@pytest.mark.parametrize("rule", EVERYWHERE, ids=lambda rule: rule.__name__)
def test_every_file_obeys(rule: Rule) -> None:
    sources = [
        *sources_in(*ROOMS, "tests", "bench"),
        Source("dreamd", (ROOT / "dreamd/__init__.py").read_text("utf-8")),
    ]
    assert [found for source in sources for found in rule(source)] == []


def test_the_import_package_holds_relative_links_to_the_rooms() -> None:
    for room in ROOMS:
        assert (ROOT / "dreamd" / room).readlink() == Path("..", room)


WRONG: list[tuple[Rule, str, str]] = [
    (wrong_prefixes, "daemon.cli", "import lifecycle.words"),
    (wrong_prefixes, "daemon.cli", "from daemon.clock import Clock"),
    (wrong_prefixes, "daemon.cli", "from . import clock"),
    (wrong_prefixes, "daemon.cli", "from ..lifecycle import words"),
    (wrong_prefixes, "tests.unit.test_x", "def test():\n    import repo_export"),
    (wrong_arrows, "lifecycle.dream", "import dreamd.reflection"),
    (wrong_arrows, "lifecycle.dream", "from dreamd import daemon"),
    (wrong_arrows, "lifecycle.dream", "from dreamd import __version__"),
    (wrong_arrows, "lifecycle.dream", "import numpy"),
    (wrong_arrows, "lifecycle.dream", "if TYPE_CHECKING:\n    from pydantic import BaseModel"),
    (wrong_arrows, "reflection.read", "from dreamd.repo_export.slug import slug"),
    (wrong_arrows, "reflection.read", "from dreamd.daemon import clock"),
    (wrong_arrows, "repo_export.page", "from dreamd.reflection.read import read"),
    (strayed_libraries, "daemon.cli", "from sqlmodel import Session"),
    (strayed_libraries, "daemon.storage_notes", "import sqlalchemy.orm"),
    (strayed_libraries, "daemon.intake.git_log", "import git"),
    (strayed_libraries, "repo_export.page", "from git import Repo"),
    (clock_reads, "daemon.cli", "from datetime import datetime as dt\nx = dt.now(UTC)"),
    (clock_reads, "daemon.cli", "import datetime\nx = datetime.date.today()"),
    (clock_reads, "daemon.cli", "import time\nfield(default_factory=time.time)"),
    (clock_reads, "daemon.cli", "from time import monotonic\nx = monotonic()"),
    (clock_reads, "reflection.read", "import time\nx = time.perf_counter()"),
    (chance, "reflection.read", "import random"),
    (chance, "lifecycle.ids", "from uuid import uuid4"),
    (chance, "repo_export.git", "import os\nx = os.urandom(8)"),
    (chance, "reflection.read", "import numpy as np\nx = np.random.default_rng()"),
    (touches_outside, "lifecycle.ids", "from pathlib import Path"),
    (touches_outside, "lifecycle.ids", "import logging"),
    (touches_outside, "lifecycle.ids", "x = open('x')"),
    (touches_outside, "lifecycle.ids", "print(1)"),
    (strayed_blanket_excepts, "daemon.cli", "try:\n    f()\nexcept:\n    pass"),
    (strayed_blanket_excepts, "daemon.cli", "try:\n    f()\nexcept (OSError, Exception):\n    pass"),
    (strayed_blanket_excepts, "daemon.cli", "try:\n    f()\nexcept Exception as e:\n    raise Other from e"),
    (strayed_blanket_excepts, "daemon.cli", "with contextlib.suppress(BaseException):\n    f()"),
    (too_long, "tests.unit.test_x", "x = 1\n" * (MAX_LINES + 1)),
]
RIGHT: list[tuple[Rule, str, str]] = [
    (wrong_prefixes, "daemon.cli", "from dreamd.lifecycle import words\nimport lifecycle_notes"),
    (wrong_arrows, "lifecycle.dream", "from datetime import datetime\nfrom dreamd.lifecycle.words import Phase"),
    (wrong_arrows, "reflection.read", "import sklearn\nfrom dreamd.lifecycle import words"),
    (wrong_arrows, "daemon.cli", "from dreamd import __version__\nfrom dreamd.repo_export import slug"),
    (strayed_libraries, "daemon.storage.rows", "import sqlalchemy\nfrom sqlmodel import Session"),
    (strayed_libraries, "repo_export.git", "import git"),
    (clock_reads, "daemon.clock", "from datetime import datetime\nx = datetime.now(UTC)"),
    (clock_reads, "daemon.run", "import time\nx = time.perf_counter()"),
    (clock_reads, "daemon.run", "x = clock.now()\ny = event.time.time"),
    (clock_reads, "lifecycle.gates", "from datetime import datetime\nx = datetime.fromisoformat('2026-01-01')"),
    (chance, "daemon.keys", "import secrets"),
    (chance, "lifecycle.ids", "from hashlib import sha256"),
    (touches_outside, "repo_export.tree", "from pathlib import Path"),
    (touches_outside, "lifecycle.gates", "import math\nx = door.open"),
    (strayed_blanket_excepts, "daemon.service", "try:\n    f()\nexcept Exception:\n    log()"),
    (strayed_blanket_excepts, "daemon.storage.store", "try:\n    f()\nexcept BaseException:\n    undo()\n    raise"),
    (strayed_blanket_excepts, "daemon.cli", "try:\n    f()\nexcept OSError:\n    pass"),
    (too_long, "daemon.cli", "x = 1\n" * MAX_LINES),
]


@pytest.mark.parametrize(("rule", "module", "text"), WRONG, ids=lambda part: getattr(part, "__name__", None))
def test_a_rule_sees_what_breaks_it(rule: Rule, module: str, text: str) -> None:
    assert rule(Source(module, text)) != []


@pytest.mark.parametrize(("rule", "module", "text"), RIGHT, ids=lambda part: getattr(part, "__name__", None))
def test_a_rule_leaves_alone_what_obeys_it(rule: Rule, module: str, text: str) -> None:
    assert rule(Source(module, text)) == []


def test_the_service_loop_may_catch_everything_once() -> None:
    twice = "try:\n    f()\nexcept Exception:\n    pass\ntry:\n    g()\nexcept Exception:\n    pass\n"
    assert len(blanket_excepts(Source("daemon.service", twice))) == 2
    assert len(strayed_blanket_excepts(Source("daemon.service", twice))) == 1
