"""The places beside the database: the memory repository, other files of the home, and what lies beyond it."""

import shlex
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from dreamd.daemon.certificate import FOLDER, Place
from dreamd.daemon.failpoints import reach
from dreamd.daemon.needles import Needles
from dreamd.daemon.profiles import Kept, keep_profiles
from dreamd.daemon.publish import catch_up, render_again
from dreamd.daemon.purge_journal import JOURNAL_NAME, Journal
from dreamd.daemon.remotes.choice import configured_remote
from dreamd.daemon.remotes.syncing import POST_OFFICES
from dreamd.daemon.rendering import render_state
from dreamd.daemon.session import Session
from dreamd.daemon.storage.erasing import with_commits
from dreamd.daemon.storage.store import SpaceStore
from dreamd.repo_export.git import MemoryRepository, RepositoryProblem
from dreamd.repo_export.pruning import end, replaced_commits
from dreamd.repo_export.rewriting import objects_telling, obstacle, rewrite
from dreamd.repo_export.scrubbing import Scrub

HISTORY = "history of the memory repository"
LOGS = ("hook.log", "hook.log.1")  # of ours in the home, a line an entry
RENDERED = "purge: render again from the store\n"
RESUME = "then run: dreamd purge --resume"
ENCODING = ("utf-8", "replace")


def git_places(opened: Session, store: SpaceStore, journal: Journal) -> list[Place]:
    """The memory repository, once its history was made again without what was purged; or what stands in the way."""
    path = opened.home.repository(store.space)
    if not (path / ".git").exists():
        return [Place(name=HISTORY, left=0, note="there is none")]
    try:
        repository = opened.repository(store.space)
        why = obstacle(repository)
        if why is not None:
            return [Place(name=HISTORY, left=1, note=f"{why}; {RESUME}")]
        catch_up(store, repository, opened.now, reach, opened.redact)
        render_again(store, repository, store.head().now or opened.now, RENDERED, opened.redact)
        scrub = _scrub(opened, store, journal)
        rewritten = rewrite(repository, scrub)
        telling = objects_telling(repository, scrub)
        store.through(with_commits(replaced_commits(repository)))
        end(repository)
        shutil.rmtree(opened.home.path / POST_OFFICES, ignore_errors=True)  # left by a kill: what a remote had
        profiles = keep_profiles(opened, store, repository)
    except (RepositoryProblem, OSError) as problem:
        return [Place(name=HISTORY, left=1, note=f"{problem}; {RESUME}")]
    note = f"{rewritten.commits} commits made again" if rewritten.commits else ""
    places = [Place(name=HISTORY, left=telling, note=note)]
    hint = "files of yours that are not committed: edit or commit them"
    left = len(rewritten.left)
    places.append(Place(name="work tree of the memory repository", left=left, note=hint if left else ""))
    return [*places, *_of_profiles(profiles, journal)]


def _of_profiles(profiles: Iterable[Kept], journal: Journal) -> Iterable[Place]:
    """The files of profiles that wait because a person changed them, and still tell of it."""
    for profile in profiles:
        telling = []
        for path, _ in profile.waiting:
            with suppress(OSError):
                content = (Path(profile.folder) / path).read_bytes().decode(*ENCODING)
                telling += [path] if journal.needles.hit_by_phrase(content) else []
        note = profile.problem or ("files that a person changed: edit or delete them" if telling else "")
        left = None if profile.problem else len(telling)
        yield Place(name=f"profile {profile.profile}", left=left, note=note)


def other_files(opened: Session, journal: Journal) -> list[Place]:
    """The other files of the home: lines of our logs go, a person's files are named."""
    home, hit = opened.home.path, journal.needles.hit_by_phrase
    for name in LOGS:
        _without_lines(home / name, journal.needles)
    left = []
    for file in _files_of(home, opened.home.memory):
        with suppress(OSError):
            if hit(file.read_bytes().decode(*ENCODING)) or hit(file.name):
                left.append(file)
    count = len(left)
    names = ", ".join(sorted(file.name for file in left if not hit(file.name)))
    note = f"not written by dreamd, so left alone{f': {names}' if names else ''}" if count else ""
    return [Place(name="other files of the home", left=count, note=note)]


def out_of_reach(opened: Session, store: SpaceStore, journal: Journal) -> tuple[Place, ...]:
    """What may still hold it and is not dreamd's to change."""
    places = [*_remotes(opened, store, journal)]
    places.append(
        Place(name="clones of the memory repository", left=None, note="clone them again; never merge them back")
    )
    backups = (
        "delete those from before this purge, and homes that a restore kept aside (.before-*); what is restored from"
        " one in place of this home is purged again"
    )
    places.append(Place(name="backups and snapshots of the home", left=None, note=backups))
    if journal.sources:
        kinds = ", ".join(journal.sources)
        places.append(
            Place(name="what it was ingested from", left=None, note=f"{kinds}; it is refused if it comes again")
        )
    if opened.loaded.settings.distiller.is_on or store.cursor("distiller") is not None:
        places.append(Place(name="the provider of the distiller", left=None, note="it may have been shown it"))
    places.append(
        Place(name="blocks of the disk", left=None, note="what files held before, until they are written over")
    )
    return tuple(places)


def _scrub(opened: Session, store: SpaceStore, journal: Journal) -> Scrub:
    """What tells of it in files. What is rendered from the store as it is now tells of nothing that was purged."""
    rendered, _ = render_state(store, None, later=(), changes=None, redact=opened.redact)
    texts = (text.decode(*ENCODING) for text in rendered.values() if text is not None)
    needles = journal.needles.without((*texts, *(path for path, text in rendered.items() if text is not None)))
    names = frozenset(f"{slug}.md" for slug in journal.slugs) - {
        path.rpartition("/")[2] for path, text in rendered.items() if text is not None
    }
    return Scrub(
        hit=needles.hit,
        hit_elsewhere=needles.hit_by_phrase,
        erased=needles.erased,
        goes=lambda name: name in names or needles.hit(name),
    )


def _remotes(opened: Session, store: SpaceStore, journal: Journal) -> Iterable[Place]:
    path = opened.home.repository(store.space)
    command = "git push --force" if journal.needles.hit(str(path)) else f"git -C {shlex.quote(str(path))} push --force"
    note = "it has the old history; a person has to force it:"
    address = configured_remote(opened.loaded.settings.remote, store.space)
    if address is not None:
        shown = "" if journal.needles.hit(address.shown) else f" ({opened.redact(address.shown)})"
        branch = opened.loaded.settings.remote.branch
        where = f"URL main{'' if branch == 'main' else f':{branch}'}"
        yield Place(name=f"configured remote{shown}", left=None, note=f"{note} {command} {where}")
    if not (path / ".git").exists():
        return
    repository = MemoryRepository(path, reach)
    listed = repository.git.run("config", "--local", "--get-regexp", r"^remote\..*\.(url|pushurl)$").out
    for line in listed.decode(*ENCODING).splitlines():
        key, _, url = line.partition(" ")
        name = key.removeprefix("remote.").rpartition(".")[0]
        shown = "" if journal.needles.hit(url) else f" ({opened.redact(url)})"
        where = "URL" if journal.needles.hit(name) else shlex.quote(name)
        yield Place(name=f"remote {name}{shown}", left=None, note=f"{note} {command} {where} main")


def _without_lines(file: Path, needles: Needles) -> None:
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return
    left = "".join(line for line in text.splitlines(keepends=True) if not needles.hit_by_phrase(line))
    if left != text:
        file.write_text(left, encoding="utf-8", errors="surrogateescape")


def _files_of(home: Path, memory: Path) -> Iterable[Path]:
    """The files of the home but for the database, the repositories, and what this purge keeps for itself."""
    for file in sorted(home.rglob("*")):
        is_own = file.name.startswith("dreamd.db") or file.name in (JOURNAL_NAME, "tombstones", "key")
        if file.is_file() and not file.is_symlink() and not is_own and not {memory, home / FOLDER} & {*file.parents}:
            yield file
