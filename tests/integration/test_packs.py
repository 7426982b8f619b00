"""A repository of many commits keeps few packs, and all that is in them."""

from pathlib import Path

from pytest import MonkeyPatch

from dreamd.repo_export import packs
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.packs import keep_few_packs
from tests.builders import day


def nothing(name: str) -> None:
    """A failpoint that lets everything pass."""


def number_of_packs(repository: MemoryRepository) -> int:
    return len(list((repository.git_dir / "objects" / "pack").glob("*.pack")))


def with_commits(path: Path, count: int) -> MemoryRepository:
    repository = MemoryRepository.create(path / "memory", nothing)
    for number in range(count):
        # More objects than Git keeps loose.
        files = {f"knowledge/{number}-{place}.md": f"{number} {place}\n".encode() for place in range(110)}
        repository.commit_files(files, message=f"dream {number}", when=day(number))
    return repository


def test_packs_are_put_together_when_there_are_too_many(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "MAX_PACKS", 3)
    repository = with_commits(tmp_path, 5)
    before = repository.tree_files(repository.head() or "")
    assert number_of_packs(repository) == 5
    assert keep_few_packs(repository)
    assert number_of_packs(repository) <= 3
    assert repository.tree_files(repository.head() or "") == before
    assert repository.git.run("fsck", "--strict").status == 0


def test_few_packs_are_left_alone(tmp_path: Path) -> None:
    repository = with_commits(tmp_path, 2)
    assert not keep_few_packs(repository)
    assert number_of_packs(repository) == 2


def test_as_much_again_is_packed_anew_and_what_nothing_refers_to_is_kept(
    tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "MAX_PACKS", 3)
    repository = with_commits(tmp_path, 5)
    head = repository.head() or ""
    first = repository.git.read("rev-parse", f"{head}~4").decode().strip()
    repository.git.read("update-ref", "refs/heads/main", first)
    for log in (repository.git_dir / "logs").rglob("*"):
        if log.is_file():
            log.unlink()
    assert keep_few_packs(repository)
    assert number_of_packs(repository) == 1
    assert repository.git.run("cat-file", "-e", f"{head}^{{commit}}").status == 0
