"""Few packs: each commit of ours comes as a pack of its own, and every look at an object goes through all of them.

When there are too many, Git puts them together by size (`git repack --geometric`), so that the large ones are seldom
written again. That keeps the differences that were found before, so whenever as much has come as there was, all of it
is packed anew, which makes it smaller: the cost of that is spread over as many runs again. It is housekeeping: what
goes wrong with it loses nothing and stops nothing.
"""

from dreamd.repo_export.git import MemoryRepository

MAX_PACKS = 24
# Pages are much alike, and the manifest and the folders are nearly what they were a run ago: with what Git takes by
# itself (10 and 50) a history is larger. The newest version is stored whole, so long chains cost it nothing.
WINDOW = 30  # objects that each is compared with
DEPTH = 250  # differences from one whole object to the next
COMPRESSION = 9  # of zlib


def keep_few_packs(repository: MemoryRepository) -> bool:
    """Whether packs were put together now. A git older than 2.32 cannot, and leaves them as they are."""
    with repository.writing():
        packs = repository.git_dir / "objects" / "pack"
        sizes = sorted(file.stat().st_size for file in packs.glob("*.idx"))  # grows with the number of objects
        if len(sizes) <= MAX_PACKS:
            return False
        if sum(sizes[:-1]) >= sizes[-1]:
            return pack_anew(repository)
        return repository.git.run("repack", "-q", "-d", "--geometric=2").status == 0


def pack_anew(repository: MemoryRepository) -> bool:
    """Whether all is one pack now, with new differences; what nothing refers to may still be somebody's (-k)."""
    how = ("-q", "-d", "-a", "-k", "-F", f"--window={WINDOW}", f"--depth={DEPTH}")
    return repository.git.run("-c", f"pack.compression={COMPRESSION}", "repack", *how).status == 0
