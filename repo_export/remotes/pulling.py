"""What people pushed to a remote, taken into the memory repository: by fast-forward, or by a merge.

Nothing is ever taken that would undo, replace or pretend: a history that was rewritten on either side, commits that
bear a dream's marks, links, submodules, paths that git or a file system could misread, files too large. Then nothing
is changed here, the reason is named, and a person decides. The order is objects, note of what has to be laid out,
branch, files: a kill in between leaves too much, never too little.
"""

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from dreamd.repo_export.commit_stream import DREAMD, DREAMD_EMAIL, is_safe_path
from dreamd.repo_export.git import BRANCH, BRANCH_REF, RUN_TRAILER, MemoryRepository
from dreamd.repo_export.layout_record import note_to_lay_out
from dreamd.repo_export.plumbing import PLAIN_DIFF, PLAIN_LOG, RepositoryProblem, SafeGit
from dreamd.repo_export.pruning import holds_purged
from dreamd.repo_export.remotes.joining import REGULAR, Clash, joined_tree
from dreamd.repo_export.remotes.transport import PostOffice, TooMuch
from dreamd.repo_export.worktree import catch_up_layout

FETCHED_REF = "refs/dreamd/fetched"
MAX_FILES = 20_000  # that one pull may change
MAX_FILE_BYTES = 8 * 1024 * 1024  # of one of them
MAX_NAME_CHARACTERS = 80  # of an author
SHOWN = 5  # names in a sentence
_REF = re.compile("(?P<commit>[0-9a-f]{40}|[0-9a-f]{64})\t(?P<name>.+)")
_NOT_REGULAR = {"120000": "a symbolic link", "160000": "a submodule"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulled:
    """The branch here holds all that the remote has."""

    tip: str | None  # of the remote's branch; None: it has no such branch yet
    head: str | None  # of the branch here
    commits: int = 0  # of people, that came now
    authors: tuple[str, ...] = ()  # of these, sorted
    paths: tuple[str, ...] = ()  # that they changed, sorted
    taken_over: tuple[str, ...] = ()  # where their text took the place of what dreamd had rendered
    note: str | None = None  # what else to say


@dataclass(frozen=True, slots=True, kw_only=True)
class NotTaken:
    """What the remote has was left there; a person decides, or the next call does it."""

    reason: str
    paths: tuple[str, ...] = ()  # that people changed on both sides


def pull(repository: MemoryRepository, office: PostOffice, now: datetime, seen: str | None) -> Pulled | NotTaken:
    """Takes in what the remote has beyond the branch here. `seen`: the remote's tip when both were last in step.

    Raises Unreachable if the remote could not be asked.
    """
    head = repository.head()
    tip, default = remote_tip(office)
    if tip is None:
        return Pulled(tip=None, head=head, note=_not_there(office.reach.branch, default, seen))
    git = office.git
    if tip == head or (head is not None and _has(repository.git, tip) and _is_ancestor(repository.git, tip, head)):
        return Pulled(tip=tip, head=head, note=_moved_back(repository, seen, tip))
    tip_there = rewritten_here(repository, office, seen, head) or _fetched(office)
    if isinstance(tip_there, NotTaken):
        return tip_there
    tip = tip_there  # the branch there may have moved on
    if holds_purged(repository, tip, git):
        return NotTaken(reason=f"the remote still holds what was purged here; {_force(repository, office)}")
    base = _base(git, head, tip)
    refused = _why_not(git, head, tip, base, seen)
    if refused is not None:
        return NotTaken(reason=refused)
    return _take_in(repository, git, now, _Meeting(head=head, tip=tip, base=base))


def remote_tip(office: PostOffice) -> tuple[str | None, str | None]:
    """(the commit of the branch on the remote, that of its default branch); None for what is not there."""
    wanted = f"refs/heads/{office.reach.branch}"
    listing = office.ask("ls-remote", "--quiet", "--", office.reach.address.url, "HEAD", wanted)
    found = (_REF.fullmatch(line) for line in listing.decode("utf-8", "replace").split("\n"))
    refs = {match["name"]: match["commit"] for match in found if match is not None}
    return refs.get(wanted), refs.get("HEAD")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meeting:
    head: str | None
    tip: str
    base: str | None


def _fetched(office: PostOffice) -> str | NotTaken:
    """The commit of the remote's branch, which the post office has now."""
    options = ("--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-fetch-head")
    refspec = f"+refs/heads/{office.reach.branch}:{FETCHED_REF}"
    try:
        office.ask("fetch", *options, "--refmap=", "--", office.reach.address.url, refspec)
    except TooMuch as much:
        return NotTaken(reason=f"the remote {much}; setting: remote.max_megabytes")
    fetched = office.git.run("rev-parse", "--verify", "--quiet", FETCHED_REF)
    if fetched.status != 0 or (office.git.git_dir / "shallow").exists():
        return NotTaken(reason="the remote is a shallow clone, which lacks a part of the history")
    return fetched.out.decode("ascii").strip()


def _not_there(branch: str, default: str | None, seen: str | None) -> str | None:
    if seen is not None:
        return f"the remote no longer has the branch '{branch}', which is pushed anew"
    return None if default is None else f"the remote has no branch '{branch}' yet, beside its others"


def _moved_back(repository: MemoryRepository, seen: str | None, tip: str) -> str | None:
    git = repository.git
    if seen is None or seen == tip or not _has(git, seen) or not _is_ancestor(git, tip, seen):
        return None
    return f"the remote was moved back from {seen[:10]} to {tip[:10]}; what is missing there is pushed again"


def rewritten_here(
    repository: MemoryRepository, office: PostOffice, seen: str | None, head: str | None
) -> NotTaken | None:
    """Why nothing may go either way: what both had last is no longer here. None: it is."""
    if seen is None or (head is not None and _has(repository.git, seen) and _is_ancestor(repository.git, seen, head)):
        return None
    reason = (
        f"the history here was rewritten or moved back: it no longer holds {seen[:10]}, which the remote had;"
        f" nothing is taken in or pushed, and a person has to bring one side to the other; {_force(repository, office)}"
    )
    return NotTaken(reason=reason)


def _force(repository: MemoryRepository, office: PostOffice) -> str:
    """How a person makes the remote what the memory is; there is no ref of it here for Git to make it safer by."""
    address = shlex.quote(office.reach.address.shown)
    branch = shlex.quote(f"{BRANCH}:{office.reach.branch}" if office.reach.branch != BRANCH else BRANCH)
    return f"if the memory here is right: git -C {shlex.quote(str(repository.path))} push --force {address} {branch}"


def _why_not(git: SafeGit, head: str | None, tip: str, base: str | None, seen: str | None) -> str | None:
    """Why the fetched commits may not be taken in."""
    if seen is not None and not (_has(git, seen) and _is_ancestor(git, seen, tip)):
        return f"the history of the remote was rewritten: it no longer holds {seen[:10]}; nothing of it is taken in"
    if head is not None and base is None:
        return "the remote holds another history, which has no commit in common with the memory here"
    return _marked_as_dreamed(git, head, tip) or _unfit(git, base, tip)


def _marked_as_dreamed(git: SafeGit, head: str | None, tip: str) -> str | None:
    fields = f"%H%x09%ce%x09%(trailers:key={RUN_TRAILER},valueonly=true,unfold=true,separator=%x2C)"
    for line in _log(git, fields, head, tip):
        commit, _, rest = line.partition("\t")
        email, _, run = rest.rpartition("\t")
        if email == DREAMD_EMAIL or run.strip():
            what = f"run {run.strip()[:40]}" if run.strip() else "a commit of dreamd"
            return (
                f"the remote holds {what} in {commit[:10]}, which the memory here does not have: another home pushes"
                " there, or a history was rewritten"
            )
    return None


def _unfit(git: SafeGit, base: str | None, tip: str) -> str | None:
    changed = changes(git, base, tip)
    if len(changed) > MAX_FILES:
        return f"the remote changes {len(changed)} files at once, allowed are {MAX_FILES}"
    for path, (_, _, mode, _) in changed.items():
        if mode != "000000" and mode not in REGULAR:
            return f"the remote holds {_NOT_REGULAR.get(mode, 'what is no file')} at {path!r}"
        if mode != "000000" and not is_safe_path(path):
            return f"the remote holds a file at {path!r}, which is not a path for a memory repository"
    blobs = {blob: path for path, (_, _, _, blob) in changed.items() if blob is not None}
    asked = "".join(f"{blob}\n" for blob in blobs).encode("ascii")
    sizes = git.read("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked).decode("ascii").split("\n")
    for blob, size in (line.split(" ") for line in sizes if line):
        if int(size) > MAX_FILE_BYTES:
            return f"the remote holds a file of {size} bytes at {blobs[blob]!r}, allowed are {MAX_FILE_BYTES}"
    return None


def _take_in(repository: MemoryRepository, git: SafeGit, now: datetime, met: _Meeting) -> Pulled | NotTaken:
    new, taken_over = met.tip, tuple[str, ...]()
    people = [name[:MAX_NAME_CHARACTERS] for name in _log(git, "%an", met.head, met.tip)]
    if met.head is not None and met.base is not None and met.base != met.head:
        joined = joined_tree(git, met.base, met.head, met.tip)
        if isinstance(joined, Clash):
            named = ", ".join(joined.paths[:SHOWN]) + (" and more" if len(joined.paths) > SHOWN else "")
            return NotTaken(reason=f"people changed the same lines here and on the remote: {named}", paths=joined.paths)
        new, taken_over = _merge_commit(git, joined.tree, met, now, len(people)), joined.taken_over
    refused = _put(repository, git, met.head, new)
    if refused is not None:
        return NotTaken(reason=refused)
    return Pulled(
        tip=met.tip,
        head=new,
        commits=len(people),
        authors=tuple(sorted(set(people))),
        paths=tuple(sorted(changes(git, met.base, met.tip))),
        taken_over=taken_over,
    )


def _merge_commit(git: SafeGit, tree: str, met: _Meeting, now: datetime, commits: int) -> str:
    stamp = f"{DREAMD} {max(0, int(now.timestamp()))} +0000"
    message = f"pull: take in {commits} {'commit' if commits == 1 else 'commits'} from the remote\n"
    text = f"tree {tree}\nparent {met.head}\nparent {met.tip}\nauthor {stamp}\ncommitter {stamp}\n\n{message}"
    return git.read("hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode()).decode("ascii").strip()


def _put(repository: MemoryRepository, git: SafeGit, head: str | None, new: str) -> str | None:
    """Brings the branch to `new` and lays it out; why it could not."""
    asked = f"{new}\n" + ("" if head is None else f"^{head}\n")
    pack = git.read("pack-objects", "--revs", "--stdout", "--delta-base-offset", "-q", stdin=asked.encode("ascii"))
    with repository.writing():
        parked = repository.in_progress()
        if parked is not None:
            return parked
        laid_out = catch_up_layout(repository)
        if laid_out.index_waits is not None:
            return laid_out.index_waits
        if repository.head() != head:
            return "somebody committed here in between"
        repository.git.read("index-pack", "--stdin", "--strict", stdin=pack)
        repository.reach("pull-after-import")
        before = {path: old for path, (_, old, _, _) in changes(repository.git, head, new).items()}
        note_to_lay_out(repository, before)
        old = "0" * len(new) if head is None else head
        move = f"update {BRANCH_REF} {new} {old}\n".encode("ascii")
        if repository.git.run("update-ref", "--no-deref", "-m", "dreamd: pull", "--stdin", stdin=move).status != 0:
            return "somebody committed here in between"
        repository.reach("pull-after-ref")
        catch_up_layout(repository)
    return None


_Change = tuple[str, str | None, str, str | None]  # mode and blob before, mode and blob after; None: no such file


def changes(git: SafeGit, before: str | None, after: str) -> Mapping[str, _Change]:
    """What differs between two commits, by path. `before` None: nothing was there."""
    old = git.read("hash-object", "-t", "tree", "--stdin").decode("ascii").strip() if before is None else before
    output = git.read("diff-tree", "-r", "-z", "--raw", "--no-abbrev", *PLAIN_DIFF, old, after).split(b"\0")
    found: dict[str, _Change] = {}
    for about, raw_path in zip(output[::2], output[1::2], strict=False):
        old_mode, new_mode, old_blob, new_blob, _ = about.decode("ascii").lstrip(":").split(" ")
        path = raw_path.decode("utf-8", errors="surrogateescape")
        found[path] = (old_mode, _blob(old_blob), new_mode, _blob(new_blob))
    return found


def _blob(name: str) -> str | None:
    return name if name.strip("0") else None


def _log(git: SafeGit, fields: str, head: str | None, tip: str) -> list[str]:
    """One line for each commit that only the remote has."""
    without = () if head is None else (f"^{head}",)
    output = git.read("log", "-z", *PLAIN_LOG, f"--format={fields}", tip, *without, "--")
    return [entry for entry in output.decode("utf-8", "replace").split("\0") if entry]


def _base(git: SafeGit, head: str | None, tip: str) -> str | None:
    if head is None:
        return None
    answer = git.run("merge-base", head, tip)
    if answer.status not in (0, 1):
        raise RepositoryProblem(f"the histories cannot be compared: {answer.error}", "see: dreamd verify")
    return answer.out.decode("ascii").strip() or None


def _is_ancestor(git: SafeGit, old: str, new: str) -> bool:
    return git.run("merge-base", "--is-ancestor", old, new).status == 0


def _has(git: SafeGit, commit: str) -> bool:
    return git.run("cat-file", "-e", f"{commit}^{{commit}}").status == 0
