"""Two sides of a history put together as a tree, without any work tree.

Git merges by itself what does not meet. Where both sides changed the same lines, and only dreamd did so on ours, the
other side is taken whole: what dreamd writes is rendered from the store and comes again, what a person writes does not.
Where people changed both, nothing is decided here: the paths are named.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from dreamd.repo_export.commit_stream import DREAMD_EMAIL
from dreamd.repo_export.folders import opened, replace_file
from dreamd.repo_export.plumbing import PLAIN_LOG, SafeGit

BASE, OURS, THEIRS = 1, 2, 3
REGULAR = ("100644", "100755")
_MERGE_SETTINGS = ("-c", "merge.directoryRenames=false", "-c", "merge.renameLimit=1000", "-c", "merge.renames=true")
INDEX_NAME = "joining-index"

_Sides = dict[int, tuple[str, str]]  # by stage: mode and blob


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    tree: str
    taken_over: tuple[str, ...] = ()  # where their side was taken instead of what dreamd had rendered, sorted


@dataclass(frozen=True, slots=True, kw_only=True)
class Clash:
    paths: tuple[str, ...]  # that people changed on both sides, sorted


def joined_tree(git: SafeGit, base: str, ours: str, theirs: str) -> Joined | Clash:
    """The tree of the commits `ours` and `theirs` together; `base`: a commit that both come from."""
    found = _by_merge_tree(git, ours, theirs)
    tree, open_ = _by_index(git, base, ours, theirs) if found is None else found
    if not open_:
        return Joined(tree=tree)
    people = _paths_of_people(git, ours, theirs)
    clashing = tuple(sorted(path for path, sides in open_.items() if path in people or _is_odd(sides)))
    if clashing:
        return Clash(paths=clashing)
    lines = [_entry(path, sides.get(THEIRS, _nothing(tree))) for path, sides in sorted(open_.items())]
    return Joined(tree=_with_entries(git, tree, lines), taken_over=tuple(sorted(open_)))


def _by_merge_tree(git: SafeGit, ours: str, theirs: str) -> tuple[str, dict[str, _Sides]] | None:
    """(tree, what is left open, by path); None if this git cannot: `--write-tree` came with 2.38."""
    answer = git.run(*_MERGE_SETTINGS, "merge-tree", "--write-tree", "-z", "--no-messages", ours, theirs)
    if answer.status not in (0, 1):
        return None
    tree, *entries = answer.out.split(b"\0")
    return tree.decode("ascii"), _sides(entries)


def _by_index(git: SafeGit, base: str, ours: str, theirs: str) -> tuple[str, dict[str, _Sides]]:
    """The same file by file, for an older git: a file that was renamed on one side is left open."""
    index = git.git_dir / INDEX_NAME
    index.unlink(missing_ok=True)
    git.read("read-tree", "-i", "-m", "--aggressive", base, ours, theirs, index=index)
    open_ = _sides(git.read("ls-files", "--unmerged", "-z", index=index).split(b"\0"))
    lines: list[bytes] = []
    for path, sides in list(open_.items()):
        merged = _merged_blob(git, sides)
        if merged is None:  # our side for now, as merge-tree leaves its own mixture
            lines.append(_entry(path, sides.get(OURS, _nothing(ours))))
        else:
            lines.append(_entry(path, merged))
            del open_[path]
    git.read("update-index", "-z", "--index-info", stdin=b"".join(lines), index=index)
    return git.read("write-tree", index=index).decode("ascii").strip(), open_


def _merged_blob(git: SafeGit, sides: _Sides) -> tuple[str, str] | None:
    """(mode, blob) of a file that both sides changed in different places; None if that cannot be said."""
    if len(sides) < THEIRS or any(mode not in REGULAR for mode, _ in sides.values()):
        return None
    names = []
    with opened(git.git_dir) as folder:
        for stage in (OURS, BASE, THEIRS):
            name = f"joining-{stage}"
            replace_file(folder, name, git.read("cat-file", "blob", sides[stage][1]))
            names.append(str(git.git_dir / name))
    answer = git.run("merge-file", "-p", "-q", "--", *names)
    if answer.status != 0:
        return None
    blob = git.read("hash-object", "-w", "--stdin", stdin=answer.out).decode("ascii").strip()
    mode = sides[THEIRS][0] if sides[OURS][0] == sides[BASE][0] else sides[OURS][0]
    return mode, blob


def _paths_of_people(git: SafeGit, ours: str, theirs: str) -> set[str]:
    """What somebody other than dreamd changed on our side only."""
    options = ("--diff-merges=separate", "--name-only", "--format=commit %ce")
    output = git.read("log", "-z", *PLAIN_LOG, *options, ours, f"^{theirs}", "--")
    found: set[str] = set()
    is_person = False
    for token in output.split(b"\0"):
        text = token.decode("utf-8", errors="surrogateescape").lstrip("\n")
        if text.startswith("commit "):  # so a path of that name counts as one of a person's: on the safe side
            is_person = text != f"commit {DREAMD_EMAIL}"
        if is_person:
            found.add(text)
    return found


def _is_odd(sides: Mapping[int, tuple[str, str]]) -> bool:
    return any(mode not in REGULAR for mode, _ in sides.values()) or sides.keys() == {OURS}


def _sides(entries: list[bytes]) -> dict[str, _Sides]:
    """By path: the stages of entries `mode blob stage<tab>path`."""
    found: dict[str, _Sides] = {}
    for about, _, raw_path in (entry.partition(b"\t") for entry in entries if entry):
        mode, blob, stage = about.decode("ascii").split(" ")
        found.setdefault(raw_path.decode("utf-8", errors="surrogateescape"), {})[int(stage)] = (mode, blob)
    return found


def _nothing(name: str) -> tuple[str, str]:
    """The entry that takes a path out, in a repository with names like `name`."""
    return "0", "0" * len(name)


def _entry(path: str, side: tuple[str, str]) -> bytes:
    mode, blob = side
    return f"{mode} {blob}\t{path}\0".encode("utf-8", errors="surrogateescape")


def _with_entries(git: SafeGit, tree: str, lines: list[bytes]) -> str:
    index = git.git_dir / INDEX_NAME
    index.unlink(missing_ok=True)
    git.read("read-tree", tree, index=index)
    git.read("update-index", "-z", "--index-info", stdin=b"".join(lines), index=index)
    return git.read("write-tree", index=index).decode("ascii").strip()
