"""People's commits that no run has read yet: for the commands that tell what would happen, and take nothing in."""

from typing import TYPE_CHECKING

from dreamd.daemon.editing import is_read, read_looked
from dreamd.daemon.failpoints import reach
from dreamd.lifecycle.told import counted
from dreamd.repo_export.edits.people import peoples_commits
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem

if TYPE_CHECKING:
    from dreamd.daemon.session import Session
    from dreamd.daemon.storage.store import SpaceStore


def unread_commits(opened: "Session", store: "SpaceStore") -> int:
    """How many commits of people may hold knowledge and were not looked at; 0 where the repository cannot be read."""
    path = opened.home.repository(store.space)
    if not path.exists():
        return 0
    try:
        repository = MemoryRepository.open(path, reach)
        head, looked = repository.head(), read_looked(store).head
        if head is None or head == looked:
            return 0
        since = looked if looked is not None and repository.has_commit(looked) else None
        commits = peoples_commits(repository, head, since)
    except (RepositoryProblem, OSError):
        return 0
    return sum(any(is_read(file.path) for file in commit.files) for commit in commits)


def unread_in_words(count: int) -> list[str]:
    """Nothing where nothing waits."""
    them = "it" if count == 1 else "them"
    return [f"{counted(count, 'commit')} by people not looked at here; a run takes {them} in first"] if count else []
