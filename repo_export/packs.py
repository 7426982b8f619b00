"""Few packs: each commit of ours comes as a pack of its own, and every look at an object goes through all of them.

When there are too many, Git puts them together by size (`git repack --geometric`), so that the large ones are seldom
written again. It is housekeeping: what goes wrong with it loses nothing and stops nothing.
"""

from dreamd.repo_export.git import MemoryRepository

MAX_PACKS = 40


def keep_few_packs(repository: MemoryRepository) -> bool:
    """Whether packs were put together now. A git older than 2.32 cannot, and leaves them as they are."""
    with repository.writing():
        packs = sum(1 for _ in (repository.git_dir / "objects" / "pack").glob("*.pack"))
        if packs <= MAX_PACKS:
            return False
        return repository.git.run("repack", "-q", "-d", "--geometric=2").status == 0
