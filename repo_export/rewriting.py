"""The history of a memory repository made again without something: every commit, tag, stash and ref, then the objects.

Only objects that change get another id, so what lies before the first mention stays as it is. The order makes every
step repeatable: new objects, a map of what became of the old commits, refs, index and files, then whatever still leads
to the old objects, then the objects themselves. After a kill anywhere the next call ends in the same place.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dreamd.repo_export.aligning import align
from dreamd.repo_export.folders import opened, replace_file
from dreamd.repo_export.git import MemoryRepository
from dreamd.repo_export.layout_mending import mend_record
from dreamd.repo_export.objects import (
    FOLDER,
    SUBMODULE,
    algorithm_of,
    all_objects,
    contents,
    entries_of,
    object_id,
    tree_of,
    write_objects,
)
from dreamd.repo_export.pruning import MAP_NAME, STASH_LOG, cut_loose, prune, remember, replaced_commits
from dreamd.repo_export.scrubbing import HIDDEN_AUTHOR, Scrub

_SIGNATURES = (b"gpgsig ", b"gpgsig-sha256 ", b"mergetag ")


@dataclass(slots=True)
class History:
    """The objects of a repository, and what becomes of them."""

    repository: MemoryRepository
    scrub: Scrub
    algorithm: str
    became: dict[str, str | None] = field(default_factory=dict)  # of the objects that change; None: it goes
    made: list[tuple[bytes, bytes]] = field(default_factory=list)  # (kind, content) of the new ones

    def new_id(self, old: str) -> str:
        return self.became.get(old) or old

    def make(self, kind: bytes, content: bytes) -> str:
        self.made.append((kind, content))
        return object_id(kind, content, self.algorithm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    commits: int  # that were made again
    refs: tuple[str, ...]  # that lead elsewhere now, or are gone; sorted
    left: tuple[str, ...]  # what still holds something and was not touched: paths of a person's own files


def rewrite(repository: MemoryRepository, scrub: Scrub) -> Rewritten:
    """Make the history again without what `scrub` knows, with nothing in progress (`obstacle`); then call `end`."""
    with repository.writing():
        history = _made_again(repository, scrub)
        write_objects(repository.git, history.made, history.algorithm)
        commits = {old: new for old, new in history.became.items() if new is not None}
        _keep_map(repository, commits)
        repository.reach("purge-after-objects")
        refs = _move_refs(repository, history)
        _write_stashes(repository, history)
        left = align(repository, scrub)
        mend_record(repository, scrub, replaced_commits(repository))
        repository.reach("purge-after-refs")
        cut_loose(repository)
        prune(repository)
        remember(repository)
        repository.reach("purge-after-prune")
    return Rewritten(commits=_count_commits(history), refs=refs, left=left)


def obstacle(repository: MemoryRepository) -> str | None:
    """Why the history cannot be made again now. None: go ahead."""
    if (in_progress := repository.in_progress()) is not None:
        return in_progress
    git_dir = repository.git_dir
    if any((git_dir / "worktrees").glob("*")):
        return f"{repository.path} has linked work trees; remove them: git worktree list, git worktree remove"
    if (git_dir / "reftable").exists():
        return f"{repository.path} keeps its refs in tables, which a purge does not rewrite"
    if (git_dir / "index.lock").exists():
        return f"another git process holds {git_dir / 'index.lock'}"
    return None


def objects_telling(repository: MemoryRepository, scrub: Scrub) -> int:
    """How many objects still tell of it, reachable or not. A blob may be of a person's own file."""
    kinds = dict(all_objects(repository.git))
    texts = [name for name, kind in kinds.items() if kind != b"tree"]
    return sum(
        1
        for name, content in contents(repository.git, texts)
        if (scrub.hit_elsewhere if kinds[name] == b"blob" else scrub.hit)(content.decode("utf-8", "replace"))
    )


def _made_again(repository: MemoryRepository, scrub: Scrub) -> History:
    git = repository.git
    history = History(repository=repository, scrub=scrub, algorithm=algorithm_of(git))
    by_kind: dict[bytes, list[str]] = {}
    for name, kind in all_objects(git):
        by_kind.setdefault(kind, []).append(name)
    _trees(history, by_kind.get(b"tree", []), by_kind.get(b"blob", []))
    history.became.update(replaced_commits(repository))
    _commits(history)
    _tags(history, by_kind.get(b"tag", []))
    _notes(history)
    return history


def _trees(history: History, trees: list[str], blobs: list[str]) -> None:
    """What becomes of blobs and trees. A blob is looked at under each path that it has: its name tells what it is."""
    git, scrub = history.repository.git, history.scrub
    suspects = {
        name: content
        for name, content in contents(git, blobs)
        if scrub.hit(text := content.decode("utf-8", "replace")) or scrub.hit_elsewhere(text)
    }
    children: dict[str, list[tuple[bytes, bytes, str]]] = {}
    for name, content in contents(git, trees):
        children[name] = entries_of(content, history.algorithm)
    done: dict[tuple[str, bytes], str | None] = {}

    def of_tree(tree: str, prefix: bytes) -> str | None:
        if (tree, prefix) in done:
            return done[tree, prefix]
        left = []
        for mode, name, child in children.get(tree, ()):
            path = prefix + name
            if mode == FOLDER:
                new = of_tree(child, path + b"/")
            elif mode == SUBMODULE:
                new = child
            else:
                new = of_blob(child, path)
            if new is not None:
                left.append((mode, name, new))
        if left == children.get(tree):
            done[tree, prefix] = tree
        else:
            done[tree, prefix] = history.make(b"tree", tree_of(left)) if left or not prefix else None
        return done[tree, prefix]

    def of_blob(blob: str, path: bytes) -> str | None:
        if (blob, path) not in done:
            content = suspects.get(blob, b"")
            left = scrub.file(content, path)
            if left is None:
                done[blob, path] = None
            else:
                done[blob, path] = blob if left == content else history.make(b"blob", left)
        return done[blob, path]

    for commit_tree in _root_trees(history):
        new = of_tree(commit_tree, b"")
        if new != commit_tree:
            history.became[commit_tree] = new


def _root_trees(history: History) -> Iterable[str]:
    git = history.repository.git
    tips = _tips(history.repository)
    listed = git.read("rev-list", "--stdin", "--format=tree %T", stdin=_lines(tips)) if tips else b""
    lines = listed.decode("ascii").splitlines()
    return dict.fromkeys(line.removeprefix("tree ") for line in lines if line.startswith("tree "))


def _tips(repository: MemoryRepository) -> list[str]:
    """All commits that something of the repository leads to, and that are there."""
    named = repository.git.read("for-each-ref", "--format=%(objectname) %(objecttype) %(*objectname) %(*objecttype)")
    found = []
    for line in named.decode("ascii").splitlines():
        name, kind, *peeled = line.split(" ")
        found += [name] if kind == "commit" else []
        found += peeled[:1] if peeled[1:] == ["commit"] else []
    head = repository.git.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    found += [head.out.decode("ascii").strip()] if head.status == 0 else []
    found += [name for pair in _stashes(repository) for name in pair[:2]]
    wanted = list(dict.fromkeys(name for name in found if name.strip("0")))
    there = repository.git.read("cat-file", "--batch-check=%(objectname) %(objecttype)", stdin=_lines(wanted))
    return [line.split(" ")[0] for line in there.decode("ascii").splitlines() if line.endswith(" commit")]


def _commits(history: History) -> None:
    git, tips = history.repository.git, _tips(history.repository)
    if not tips:
        return
    order = git.read("rev-list", "--topo-order", "--reverse", "--stdin", stdin=_lines(tips)).decode("ascii").split()
    for name, content in contents(git, order):
        left = _commit(history, content)
        if left != content:
            history.became[name] = history.make(b"commit", left)


def _commit(history: History, content: bytes) -> bytes:
    """The commit with its new tree and parents, without what tells of it; one that changes loses its signature."""
    head, _, message = content.partition(b"\n\n")
    lines = []
    for line in _headers(head):
        name, _, value = line.partition(b" ")
        if name in (b"tree", b"parent"):
            lines.append(b"%s %s" % (name, history.new_id(value.decode("ascii")).encode("ascii")))
        elif name in (b"author", b"committer") and history.scrub.hit(value.decode("utf-8", "replace")):
            lines.append(b"%s %s <%s>%s" % (name, HIDDEN_AUTHOR, HIDDEN_AUTHOR, value.rpartition(b">")[2]))
        else:
            lines.append(line)
    left = b"\n\n".join([b"\n".join(lines), history.scrub.message(message)])
    if left == content:
        return content
    lines = [line for line in lines if not line.startswith(_SIGNATURES)]
    return b"\n\n".join([b"\n".join(lines), history.scrub.message(message)])


def _headers(head: bytes) -> list[bytes]:
    """The headers, each with its continued lines."""
    found: list[bytes] = []
    for line in head.split(b"\n"):
        if line.startswith(b" ") and found:
            found[-1] += b"\n" + line
        else:
            found.append(line)
    return found


def _tags(history: History, tags: list[str]) -> None:
    """Annotated tags; of one that leads to a tag, the inner one comes first in as many rounds as it takes."""
    known = dict(contents(history.repository.git, tags))
    for _ in known:
        changed = False
        for name, content in known.items():
            head, _, message = content.partition(b"\n\n")
            lines = [_tag_line(history, line) for line in head.split(b"\n")]
            text = message.partition(b"-----BEGIN")[0]
            left = b"\n\n".join([b"\n".join(lines), history.scrub.message(text)])
            if left != b"\n\n".join([head, text]) and history.became.get(name) != (
                new := object_id(b"tag", left, history.algorithm)
            ):
                history.became[name] = new
                history.made.append((b"tag", left))
                changed = True
        if not changed:
            return


def _notes(history: History) -> None:
    """Notes hang on the ids of commits: those that moved are tied to the new ones, in a history that begins anew."""
    git = history.repository.git
    listed = git.read("for-each-ref", "--format=%(objectname) %(objecttype)", "refs/notes/").decode("ascii")
    for tip in (line.split(" ")[0] for line in listed.splitlines() if line.endswith(" commit")):
        notes = {}
        for entry in filter(None, git.read("ls-tree", "-r", "-z", tip).split(b"\0")):
            about, _, path = entry.partition(b"\t")
            notes[path.replace(b"/", b"").decode("ascii", "replace")] = about.split(b" ")[2].decode("ascii")
        texts = {blob: history.scrub.message(content) for blob, content in contents(git, list(notes.values()))}
        if all(history.new_id(commit) == commit for commit in notes) and tip not in history.became:
            continue
        entries = sorted(
            (b"100644", history.new_id(commit).encode("ascii"), history.make(b"blob", texts[blob]))
            for commit, blob in notes.items()
            if blob in texts
        )
        tree = history.make(b"tree", tree_of(entries))
        (_, old), *_ = contents(git, [tip])
        who = [line for line in old.split(b"\n\n")[0].split(b"\n") if line.startswith((b"author ", b"committer "))]
        head = b"\n".join([b"tree " + tree.encode("ascii"), *who])
        history.became[tip] = history.make(b"commit", head + b"\n\nNotes, after a purge\n")


def _tag_line(history: History, line: bytes) -> bytes:
    name, _, value = line.partition(b" ")
    return b"object " + history.new_id(value.decode("ascii")).encode("ascii") if name == b"object" else line


def _move_refs(repository: MemoryRepository, history: History) -> tuple[str, ...]:
    """Lead every ref to what its commit became; one of a remote goes, for the remote has the old history."""
    listed = repository.git.read("for-each-ref", "--format=%(objectname) %(symref) %(refname)")
    moves, moved = [], []
    for line in listed.decode("utf-8", "surrogateescape").splitlines():
        old, symref, name = line.split(" ", 2)
        new = history.new_id(old)
        says_it = history.scrub.hit_elsewhere(name.replace("/", " "))
        if symref or (new == old and not says_it):
            continue
        is_remote = name.startswith("refs/remotes/")
        moves.append(f"delete {name} {old}\n" if is_remote or says_it else f"update {name} {new} {old}\n")
        moved.append(name)
    if moves:
        stdin = "".join(moves).encode("utf-8", "surrogateescape")
        repository.git.read("update-ref", "--no-deref", "--stdin", stdin=stdin)
    return tuple(sorted(moved))


def _stashes(repository: MemoryRepository) -> list[tuple[str, str, str]]:
    """(before, after, rest of the line) of the entries of the list of stashes, oldest first."""
    try:
        text = (repository.git_dir / STASH_LOG).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return []
    return [(old, new, rest) for old, new, rest in (line.split(" ", 2) for line in text.splitlines() if line)]


def _write_stashes(repository: MemoryRepository, history: History) -> None:
    entries = _stashes(repository)
    if not entries:
        return
    lines = []
    for old, new, rest in entries:
        if history.new_id(old) == history.new_id(new):  # that is how the ref was moved just now
            continue
        who, _, message = rest.partition("\t")
        message = history.scrub.message(message.encode("utf-8", "surrogateescape")).decode("utf-8", "surrogateescape")
        lines.append(f"{history.new_id(old)} {history.new_id(new)} {who}\t{message}\n")
    with opened(repository.git_dir) as git_dir:
        replace_file(git_dir, STASH_LOG, "".join(lines).encode("utf-8", "surrogateescape"))


def _keep_map(repository: MemoryRepository, commits: Mapping[str, str]) -> None:
    if commits:
        with opened(repository.git_dir) as git_dir:
            replace_file(git_dir, MAP_NAME, json.dumps(commits, indent=0, sort_keys=True).encode("ascii"))


def _count_commits(history: History) -> int:
    return sum(1 for kind, _ in history.made if kind == b"commit")


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("ascii")
