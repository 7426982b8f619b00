"""Random interleavings of people's edits, git and dreamd: no byte of a person's is lost, every edit leads somewhere.

A failing seed prints its steps. To see it again: `pytest tests/integration/test_interleavings.py -k 'seed17-'`.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.acceptance.homes import AHome
from tests.interleaved import WORD, Interleaving
from tests.people import People, a_memory

FEW, MANY = 50, 500
STEPS = 9


@pytest.fixture(scope="module")
def beginning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    people = a_memory(tmp_path_factory.mktemp("beginning"))
    people.learns("proxy", "The proxy keeps connections for 30 seconds", day=16)
    people.learns("queue", "Use one queue for each region", day=16)
    return people.home.path


@contextmanager
def told(story: Interleaving) -> Iterator[None]:
    """What went wrong comes with the steps that led there."""
    try:
        yield
    except BaseException:
        print(f"seed {story.seed}:", *story.said, sep="\n  ")  # noqa: T201 - pytest shows it with the failure
        raise


def nowhere(story: Interleaving) -> set[str]:
    """Her words of `due` that dreamd neither holds as a statement of any status nor has told of."""
    found = story.people.try_git("grep", "-hoE", "zz[0-9]+", "main").out + json.dumps(
        story.people.say("claims", "--all")
    )
    lost = story.due - set(WORD.findall(found))
    if lost:  # in a report that she has taken out of the head
        numbers = range(1, len(story.people.say("runs")) + 1)
        lost -= set(WORD.findall(json.dumps([story.people.say("report", str(number)) for number in numbers])))
    return lost


def tell(beginning: Path, folder: Path, seed: int) -> None:
    home = AHome(folder / "home")
    shutil.copytree(beginning, home.path)
    story = Interleaving(people=People(home), seed=seed)
    with told(story):
        for _ in range(STEPS):
            story.step()
        story.to_the_end()
        story.run()
        exported = story.export()

        assert story.committed <= story.reachable(), "a blob that she committed is gone"
        assert story.people.status() == "", "what is laid out is not what is committed"
        assert nowhere(story) == set(), "a committed edit of hers is nowhere"
        assert exported.json()[0]["parked"] is None
        quiet = story.run().json()
        assert (quiet["outcome"], quiet["commit"]) == ("nothing", None), "there is nothing left to fight about"


@pytest.mark.parametrize("seed", range(FEW), ids=lambda seed: f"seed{seed}-")
def test_nothing_of_hers_is_lost(beginning: Path, tmp_path: Path, seed: int) -> None:
    tell(beginning, tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(FEW, MANY), ids=lambda seed: f"seed{seed}-")
def test_nothing_of_hers_is_lost_at_length(beginning: Path, tmp_path: Path, seed: int) -> None:
    tell(beginning, tmp_path, seed)
