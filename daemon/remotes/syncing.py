"""A space and its remote brought together: pulled before a run, pushed after the export.

Nothing that a remote does, or fails to do, makes a run fail: it is told, kept as the remote's own state, and tried
again. No lock of the memory repository is held while the network is asked.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from dreamd.daemon.failpoints import reach
from dreamd.daemon.remotes.choice import Remotes, configured_remote
from dreamd.daemon.remotes.state import RemoteState, failed, read_state, succeeded, waiting, write_state
from dreamd.daemon.session import Session
from dreamd.daemon.storage.store import SpaceStore
from dreamd.daemon.wording import some_of
from dreamd.lifecycle.told import counted
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.locks import LockHeld, flocked
from dreamd.repo_export.remotes.pulling import NotTaken, Pulled, pull, rewritten_here
from dreamd.repo_export.remotes.pushing import Behind, push
from dreamd.repo_export.remotes.transport import PostOffice, Reach, Unreachable, post_office

BYTES_PER_MEGABYTE = 1_000_000
POST_OFFICES = ".remote"  # the folder of the home where what a remote has is looked at


@dataclass(slots=True, kw_only=True)
class Synced:
    """What came of a remote in one command."""

    state: RemoteState
    pulled: Pulled | None = None  # None: nothing was taken in
    is_pushed: bool = False
    is_stopped: bool = False  # it failed, or has to wait, in this very command
    lines: list[str] = field(default_factory=list)  # what to say; empty: nothing happened

    def as_json(self) -> dict[str, Any]:
        taken = self.pulled if self.pulled is not None and self.pulled.commits else None
        pulled = None if taken is None else {name: asdict(taken)[name] for name in ("commits", "authors", "paths")}
        return {**asdict(self.state), "pulled": pulled, "pushed": self.is_pushed}


def pull_first(opened: Session, store: SpaceStore, *, at_once: bool = False) -> Synced | None:
    """Take in what people pushed; None if the space has no remote. `at_once`: whatever failed before."""
    given = opened.loaded.settings.remote
    asked = _asked(given, store)
    if asked is None:
        return None
    synced = Synced(state=read_state(store, asked.address.shown))
    if given.pull == "no" or not (at_once or synced.state.is_due(opened.now)):
        return synced

    def take(repository: MemoryRepository, office: PostOffice) -> RemoteState:
        outcome = pull(repository, office, opened.now, synced.state.seen)
        if isinstance(outcome, NotTaken):
            return waiting(synced.state, opened.now, outcome.reason, outcome.paths)
        synced.pulled = outcome
        synced.lines += _told(outcome)
        is_in_step = outcome.tip == outcome.head
        return succeeded(synced.state, opened.now, outcome.tip, is_in_step=is_in_step)

    return _carry_out(opened, store, asked, synced, take)


def push_after(
    opened: Session, store: SpaceStore, before: Synced | None = None, *, at_once: bool = False
) -> Synced | None:
    """Push what the memory repository holds; None if the space has no remote.

    `before`: what the pull came to. `at_once`: whatever failed before.
    """
    given = opened.loaded.settings.remote
    asked = _asked(given, store)
    if asked is None:
        return None
    synced = before or Synced(state=read_state(store, asked.address.shown))
    state = synced.state
    if synced.is_stopped:
        return synced
    if not (at_once or state.is_due(opened.now)) or (state.status == "waits" and given.pull == "yes"):
        synced.lines += why_not_now(state)
        return synced
    if _is_pushed(opened, store, state):
        return synced

    def send(repository: MemoryRepository, office: PostOffice) -> RemoteState:
        head = repository.head()
        if head is None:
            return synced.state
        rewritten = rewritten_here(repository, office, synced.state.seen, head)
        if rewritten is not None:
            return waiting(synced.state, opened.now, rewritten.reason)
        try:
            push(office, head)
        except Behind as behind:
            if given.pull == "no":
                return waiting(synced.state, opened.now, "the remote has commits that are not here; remote.pull is no")
            synced.lines.append(f"not pushed: {behind}")
            return succeeded(synced.state, opened.now, synced.state.seen, is_in_step=False)
        synced.is_pushed = True
        synced.lines.append("pushed")
        return succeeded(synced.state, opened.now, head, is_in_step=True)

    return _carry_out(opened, store, asked, synced, send)


def _is_pushed(opened: Session, store: SpaceStore, state: RemoteState) -> bool:
    """Whether there is nothing to push, which costs one look at the branch."""
    try:
        path = opened.home.repository(store.space)
        head = MemoryRepository.open(path, reach).head() if path.exists() else None
    except (RepositoryProblem, OSError):
        return False  # what is wrong is told when it is tried
    return head is None or head == state.seen


def in_words(synced: Synced | None) -> list[str]:
    """What a command says of the remote."""
    return [] if synced is None else [f"  Remote {synced.state.url}: {line}" for line in synced.lines]


def _asked(given: Remotes, store: SpaceStore) -> Reach | None:
    address = configured_remote(given, store.space)
    if address is None:
        return None
    return Reach(
        address=address,
        branch=given.branch,
        timeout_seconds=given.timeout_seconds,
        max_bytes=int(given.max_megabytes * BYTES_PER_MEGABYTE),
        asks_helpers=given.credentials == "mine",
    )


def _carry_out(
    opened: Session,
    store: SpaceStore,
    asked: Reach,
    synced: Synced,
    act: Callable[[MemoryRepository, PostOffice], RemoteState],
) -> Synced:
    before, minutes = synced.state, opened.loaded.settings.remote.retry_minutes
    try:
        repository = opened.repository(store.space)
        with _at_the_remote(opened, store, repository, asked) as office:
            synced.state = act(repository, office)
    except Unreachable as refused:
        synced.state = failed(before, opened.now, str(refused), minutes)
    except LockHeld:  # its state is theirs to write
        synced.is_stopped = True
        synced.lines.append("left to another dreamd, which is at it")
        return synced
    except RepositoryProblem as problem:
        synced.state = waiting(before, opened.now, f"{problem.message}; {problem.hint}")
    except OSError as error:
        synced.state = waiting(before, opened.now, f"{error.filename}: {error.strerror}")
    if synced.state != before:
        write_state(store, synced.state)
    if not synced.state.is_well:
        synced.is_stopped = True
        synced.lines += why_not_now(synced.state)
    return synced


@contextmanager
def _at_the_remote(
    opened: Session, store: SpaceStore, repository: MemoryRepository, asked: Reach
) -> Iterator[PostOffice]:
    folder = opened.home.path / POST_OFFICES
    folder.mkdir(mode=0o700, exist_ok=True)
    with flocked(folder / f"{store.space}.lock"), post_office(folder / store.space, repository.git, asked) as office:
        yield office


def _told(pulled: Pulled) -> list[str]:
    lines = [] if pulled.note is None else [pulled.note]
    if pulled.commits:
        commits, files = counted(pulled.commits, "commit"), counted(len(pulled.paths), "file")
        lines.append(f"took in {commits} of {some_of(pulled.authors)} ({files})")
    lines += [f"a person's {path} took the place of what was rendered" for path in pulled.taken_over]
    return lines


def why_not_now(state: RemoteState) -> list[str]:
    """Why the remote is not in step, in words; empty: all is well."""
    if state.status == "waits":
        return [f"waits: {state.reason}"]
    if state.status == "fails":
        times = counted(state.failures, "failure")
        return [f"{times} in a row: {state.reason}; tried again from {state.next_try} on, at once by: dreamd export"]
    return []
