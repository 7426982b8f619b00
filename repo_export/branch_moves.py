"""Where the branch was when dreamd last looked, and what to do when it is no longer there.

History only grows here, so a branch that does not descend from where it was seen was moved: by a reset, a rebase, an
amended commit, a forced push. The move stays as it is. What it left behind is kept under a name of its own, so that no
garbage collection takes a person's bytes; and runs whose commit is gone are committed again, by whoever called (see
docs/decisions/0013-a-moved-branch.md).
"""

from dataclasses import dataclass

from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.layout_record import note_where_the_branch_is, read_record

KEPT_REFS = "refs/dreamd/kept/"  # what the branch was moved away from, by the start of the commit's name
NAME_LENGTH = 12  # of that start


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The branch as an export found it."""

    head: str | None  # None: there is no branch yet, or no longer
    left: tuple[str, ...] = ()  # commits that it was seen at and moved away from, the newest last


def look_at_branch(repository: MemoryRepository) -> Look:
    """Where the branch is, and what it was moved away from since the last export; that is kept.

    Call it before anything is committed: it also notes what a reset may have laid out.
    """
    head, seen = repository.head(), read_record(repository).shown
    if seen in ((), (head,)):
        return Look(head=head)
    left = tuple(commit for commit in seen if not _descends(repository, head, commit))
    for commit in left:
        repository.git.read("update-ref", kept_ref(commit), commit)
    note_where_the_branch_is(repository, head)
    return Look(head=head, left=left)


def still_left(repository: MemoryRepository, look: Look, head: str | None) -> tuple[str, ...]:
    """The refs that keep what is no part of the branch, now that it is at `head`.

    A run that is committed again on the same parent gives the very same commit: then nothing needs to be kept.
    """
    back = {commit for commit in look.left if head != look.head and _descends(repository, head, commit)}
    for commit in back:
        repository.git.read("update-ref", "-d", kept_ref(commit))
    return tuple(kept_ref(commit) for commit in look.left if commit not in back)


def kept_ref(commit: str) -> str:
    return f"{KEPT_REFS}{commit[:NAME_LENGTH]}"


def _descends(repository: MemoryRepository, head: str | None, ancestor: str) -> bool:
    if head is None:
        return False
    return head == ancestor or repository.git.run("merge-base", "--is-ancestor", ancestor, head).status == 0
