"""`dreamd ingest git` on poisoned repositories: it reads what is there or says why not, and nothing else happens."""

import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from dreamd.daemon.intake.git import IntakeProblem, current_tips
from dreamd.repo_export.plumbing import SAFE_ENVIRONMENT
from tests.acceptance.homes import AHome, Ended, a_home
from tests.poison import Trap, a_project, checksum, git, no_hang, raw_commit

Layout = Callable[[Path, Trap], object]
SPACES = count()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> AHome:
    return a_home(tmp_path_factory.mktemp("poisoned") / "home")


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    """Set, and in the user's environment as well."""
    made = Trap.set_in(tmp_path / "trap")
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def ingest(home: AHome, trap: Trap, tmp_path: Path) -> Callable[[Path], Ended]:
    """Reads a repository into a space of its own; nothing may run, hang, or change but the home."""

    def ingest(path: Path) -> Ended:
        before = checksum(tmp_path)
        with no_hang():
            ended = home.dreamd("--json", "--space", f"s{next(SPACES)}", "ingest", "git", str(path))
        assert not trap.sprung.exists(), trap.sprung.read_text()
        assert checksum(tmp_path) == before
        return ended

    return ingest


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return a_project(tmp_path / "project")


def _replaced(path: Path, make: Callable[[Path], object]) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)


def _pipe(name: str) -> Layout:
    return lambda git_dir, trap: _replaced(git_dir / name, os.mkfifo)


def _device(name: str) -> Layout:
    return lambda git_dir, trap: _replaced(git_dir / name, lambda path: path.symlink_to("/dev/zero"))


def _says(name: str, text: str) -> Layout:
    """`name` holds `text`, in which {pipe} is a pipe outside and {other} another project."""

    def put(git_dir: Path, trap: Trap) -> None:
        pipe = trap.outside.parent / "pipe"
        if not pipe.exists():
            os.mkfifo(pipe)
        other = trap.outside.parent / "other"
        if "{other}" in text:
            a_project(other)
        (git_dir / name).parent.mkdir(parents=True, exist_ok=True)
        with (git_dir / name).open("a") as file:
            file.write(text.replace("{pipe}", str(pipe)).replace("{other}", str(other)))

    return put


def _away(name: str) -> Layout:
    def move(git_dir: Path, trap: Trap) -> None:
        (git_dir / name).rename(trap.outside.parent / "moved")
        (git_dir / name).symlink_to(trap.outside.parent / "moved")

    return move


def _newest_object(git_dir: Path) -> Path:
    sha = git(git_dir.parent, "rev-parse", "HEAD")
    return git_dir / "objects" / sha[:2] / sha[2:]


def _borrows_a_pipe(git_dir: Path, trap: Trap) -> None:
    other = a_project(trap.outside.parent / "other")
    os.mkfifo(other / ".git" / "objects" / "pack" / "pack-1.pack")
    (git_dir / "objects" / "info").mkdir(exist_ok=True)
    (git_dir / "objects" / "info" / "alternates").write_text(f'"{other}/.g\\151t/objects"\n')


def _of_another_owner(git_dir: Path, trap: Trap) -> None:
    if os.geteuid() == 0:  # anyone else cannot give a file away; for them the plain case is tried again
        for path in (git_dir.parent, *git_dir.parent.rglob("*")):
            os.chown(path, 65534, 65534, follow_symlinks=False)


def _with_grafts_and_replacements(git_dir: Path, trap: Trap) -> None:
    root = git_dir.parent
    first, second = git(root, "rev-parse", "HEAD~1"), git(root, "rev-parse", "HEAD")
    forged = git(root, "commit-tree", "-m", "fix: forged", "HEAD^{tree}")
    git(root, "replace", second, forged)
    (git_dir / "info").mkdir(exist_ok=True)
    (git_dir / "info" / "grafts").write_text(f"{second}\n{first} {forged}\n")


def _on_an_odd_branch(git_dir: Path, trap: Trap) -> None:
    name = f"--output={trap.outside.parent}"
    (git_dir / "HEAD").write_text(f"ref: refs/heads/{name}/pwned\n")
    (git_dir / "refs" / "heads" / f"{name}/pwned").parent.mkdir(parents=True)
    (git_dir / "refs" / "heads" / "main").rename(git_dir / "refs" / "heads" / f"{name}/pwned")


def _with_a_nested_repository(git_dir: Path, trap: Trap) -> None:
    nested = a_project(git_dir.parent / "nested")
    trap.put_into(nested / ".git", nested)
    (git_dir.parent / ".gitmodules").write_text('[submodule "n"]\npath = nested\nurl = ext::evil\nupdate = !evil\n')
    git(git_dir.parent, "update-index", "--add", "--cacheinfo", f"160000,{git(nested, 'rev-parse', 'HEAD')},nested")


def _with_a_lying_commit_graph(git_dir: Path, trap: Trap) -> None:
    git(git_dir.parent, "commit-graph", "write", "--reachable")
    graph = git_dir / "objects" / "info" / "commit-graph"
    content = graph.read_bytes()
    graph.chmod(0o644)
    graph.write_bytes(content[:-60] + b"\xff" * 40 + content[-20:])


def _detached(git_dir: Path, trap: Trap) -> None:
    (git_dir / "HEAD").write_text(git(git_dir.parent, "rev-parse", "HEAD") + "\n")


def _with_links_for_files(git_dir: Path, trap: Trap) -> None:
    for name in ("people", "one"):
        _replaced(git_dir.parent / name, lambda path: path.symlink_to(trap.outside))
    os.mkfifo(git_dir.parent / "pipe")
    os.mkfifo(git_dir.parent / ".mailmap")


READ: dict[str, Layout] = {
    "as it is": lambda git_dir, trap: None,
    "of another owner": _of_another_owner,
    "detached": _detached,
    "grafts and replacements": _with_grafts_and_replacements,
    "an odd branch": _on_an_odd_branch,
    "a nested repository": _with_a_nested_repository,
    "a lying commit-graph": _with_a_lying_commit_graph,
    "links and pipes in the work tree": _with_links_for_files,
    "objects elsewhere": _away("objects"),
    "configuration elsewhere": _away("config"),
    "borrowed objects": _says("objects/info/alternates", "{other}/.git/objects\n"),
    "borrowed from nowhere": _says("objects/info/alternates", "/not/there\n../..\n\n# a comment\n"),
    "borrowed from a pipe": _says("objects/info/alternates", "{pipe}\n"),
    "borrowed from everywhere": _says("objects/info/alternates", "/\n"),
    "a link to everywhere": lambda git_dir, trap: (git_dir / "objects" / "zz").symlink_to("/"),
    "a pipe where Git does not look": _pipe("logs/HEAD"),
    "borrowed from itself": _says("objects/info/alternates", ".\n../objects\n"),
    "hooks of a later Git": _says("config", '[hook "x"]\n\tevent = reference-transaction\n\tcommand = evil\n'),
    "notes": lambda git_dir, trap: git(git_dir.parent, "notes", "add", "-m", "noted", "HEAD"),
}

REFUSED: dict[str, tuple[Layout, str]] = {
    "a pipe for HEAD": (_pipe("HEAD"), "HEAD is a pipe"),
    "a pipe for config": (_pipe("config"), "config is a pipe"),
    "a pipe for a ref": (_pipe("refs/heads/main"), "main is a pipe"),
    "a pipe for packed-refs": (_pipe("packed-refs"), "packed-refs is a pipe"),
    "a pipe for the borrowed": (_pipe("objects/info/alternates"), "alternates is a pipe"),
    "a pipe for shallow": (_pipe("shallow"), "shallow is a pipe"),
    "a pipe for an index of a pack": (_pipe("objects/pack/pack-1.idx"), "pack-1.idx is a pipe"),
    "a pipe for commondir": (_pipe("commondir"), "commondir is a pipe"),
    "a pipe for an object": (lambda git_dir, _: _replaced(_newest_object(git_dir), os.mkfifo), " is a pipe"),
    "a pipe among another's objects": (_borrows_a_pipe, "pack-1.pack is a pipe"),
    "a pipe for .git": (lambda git_dir, _: _replaced(git_dir, os.mkfifo), ".git is a pipe"),
    "a device for HEAD": (_device("HEAD"), "HEAD is a device"),
    "a device for config": (_device("config"), "config is a device"),
    "a pipe included": (_says("config", "[include]\n\tpath = {pipe}\n"), "pipe is a pipe"),
    "a pipe included on one line": (_says("config", '[core] [Include] Path="{pipe}"\n'), "pipe is a pipe"),
    "a pipe included in two lines": (_says("config", "[include]\npath = \\\n{pipe}\n"), "pipe is a pipe"),
    "a pipe included on a condition": (_says("config", '[includeIf "x"]\n\tpath = {pipe}\n'), "pipe is a pipe"),
    "a device included": (_says("config", "[include]\n\tpath = /dev/zero\n"), "/dev/zero is a device"),
    "itself included": (_says("config", "[include]\n\tpath = config\n"), "include depth"),
    "a broken configuration": (_says("config", "[core\n"), "bad config"),
    "a long configuration": (_says("config", "#" * 1_100_000), "make it shorter"),
    "an unknown format": (_says("config", "[core]\n\trepositoryformatversion = 99\n"), "Expected git repo version"),
    "an unknown extension": (
        _says("config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tfromTheFuture = yes\n"),
        "fromthefuture",
    ),
    "a missing object": (lambda git_dir, _: _newest_object(git_dir).unlink(), "missing or damaged"),
    "a damaged object": (lambda git_dir, _: _replaced(_newest_object(git_dir), Path.touch), "missing or damaged"),
    "a HEAD of nonsense": (
        lambda git_dir, _: (git_dir / "HEAD").write_bytes(b"\0\xff"),
        "not a git repository",
    ),
    "a branch without commits": (
        lambda git_dir, _: (git_dir / "HEAD").write_text("ref: refs/heads/none\n"),
        "has no commit",
    ),
    "a .git that says nothing": (lambda git_dir, _: _replaced(git_dir, Path.touch), "names no Git directory"),
    "a .git that leads nowhere": (
        lambda git_dir, _: _replaced(git_dir, lambda path: path.write_bytes(b"gitdir: /gone\xff\0\n")),
        "names no Git directory",
    ),
}


@pytest.mark.parametrize("layout", READ)
def test_what_can_be_read_is_read_and_nothing_runs(
    layout: str, project: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    READ[layout](project / ".git", trap)
    trap.put_into(project / ".git", project)
    ended = ingest(project)
    assert ended.code == 0, ended.err
    assert ended.json()["new"] == 2


@pytest.mark.parametrize("layout", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_reason(
    layout: str, project: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    change, reason = REFUSED[layout]
    trap.put_into(project / ".git", project)
    change(project / ".git", trap)
    ended = ingest(project)
    assert ended.code == 65, ended.out + ended.err
    assert reason in ended.err
    assert "hint" in ended.err


def test_the_poison_is_live(project: Path, trap: Trap) -> None:
    """Git as a person calls it does run what is planted: without this, the tests here would prove nothing."""
    trap.put_into(project / ".git", project)
    config = project / ".git" / "config"
    config.write_text(config.read_text().replace(f"worktree = {trap.outside}\n", "bare = false\n"))
    command = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-C", str(project), "add", "-A"]
    plain = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(command, env=plain, capture_output=True, check=False)
    assert str(trap.program) in trap.sprung.read_text()


@pytest.mark.parametrize("options", [("--bare",), ("--object-format=sha256",)])
def test_bare_and_sha256_repositories_are_read(
    options: tuple[str, ...], tmp_path: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    project = a_project(tmp_path / "p", *(option for option in options if option != "--bare"))
    place = project
    if "--bare" in options:
        place = tmp_path / "bare.git"
        git(tmp_path, "clone", "-q", "--bare", str(project), str(place))
        trap.put_into(place, tmp_path / "p")
    else:
        trap.put_into(project / ".git", project)
    assert ingest(place).json()["new"] == 2


def test_a_file_for_git_leads_to_another_repository_as_in_a_linked_work_tree(
    project: Path, tmp_path: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    git(project, "worktree", "add", "-q", str(tmp_path / "linked"))
    trap.put_into(project / ".git", project)
    assert ingest(tmp_path / "linked").json()["new"] == 2


def test_odd_commits_are_text_or_are_refused_one_by_one(
    project: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    tree, parent = git(project, "rev-parse", "HEAD^{tree}"), git(project, "rev-parse", "HEAD")
    signature = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n forged\n -----END PGP SIGNATURE-----\n"
    odd = (
        (b"Ada <a@b> 1700000000 +0000", signature, b"signed \x1b[31mred\x1b[0m\n"),
        (b"Ada <a@b> 1700000001 +0000", b"encoding UTF-7\n", b"utf +AAo-seven+AAA-\n"),
        (b"Ada <a@b> 1700000002 +0000", b"encoding no-such-thing\n", b"unknown \xff\xfe\n"),
        (b"Ada <a@b> 1700000003 +9999", b"x-header: 1\n more\n", b"far east\n"),
        (b"<a@b> 1700000004 +0000", b"", b"nobody\n"),
        (b"A\x1bda <a@b> 99999999999999999999 +0000", b"", b"the end of time\n"),
        (b"Ada <a@b> -5 +0000", b"", b"before time\n"),
    )
    for author, header, message in odd:
        text = b"tree %s\nparent %s\nauthor %s\ncommitter %s\n%s\n%s" % (
            tree.encode(),
            parent.encode(),
            author,
            author,
            header,
            message,
        )
        parent = raw_commit(project, text)
    trap.put_into(project / ".git", project)
    ended = ingest(project)
    assert ended.code in (0, 65)
    counts = ended.json()
    assert counts["new"] + counts["rejected"] == 2 + len(odd)
    assert counts["rejected"] == 2
    assert all("no usable date" in each["reason"] for each in counts["rejections"])


def test_a_repository_of_another_user_is_read_when_it_is_named_and_not_when_it_waits_above(
    project: Path, trap: Trap, ingest: Callable[[Path], Ended]
) -> None:
    below = project / "below"
    below.mkdir()
    if os.geteuid() != 0:  # nobody else can make such a folder; theirs is their own
        assert ingest(below).json()["new"] == 2
        return
    os.chown(project, 65534, 65534)
    ended = ingest(below)
    assert ended.code == 65
    assert "in a repository of another user" in ended.err
    assert ingest(project).json()["new"] == 2


@pytest.mark.parametrize(
    "address", ["ext::{program}", "{project}", "file://{project}", "ssh://host/x", "git://127.0.0.1:9/x"]
)
@pytest.mark.parametrize("knows_no_lazy_fetch", [True, False])
def test_what_a_partial_clone_lacks_is_not_fetched_by_any_git(
    address: str,
    knows_no_lazy_fetch: bool,
    project: Path,
    trap: Trap,
    ingest: Callable[[Path], Ended],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not knows_no_lazy_fetch:  # as before Git 2.39.4: then no transport is allowed
        monkeypatch.delitem(SAFE_ENVIRONMENT, "GIT_NO_LAZY_FETCH")
    tree = git(project, "rev-parse", "HEAD^{tree}")
    (project / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    trap.put_into(project / ".git", project)
    config = project / ".git" / "config"
    url = address.format(program=trap.program, project=project)
    told = config.read_text().replace(f"ext::{trap.program}", url).replace("\tvcs = evil\n", "")
    config.write_text(f"{told}[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n")
    ended = ingest(project)
    assert ended.code == 65
    assert "git log failed" in ended.err  # not always what it lacked: git may die of its fetch before it says so


def test_a_folder_that_may_not_be_looked_into_is_named(project: Path) -> None:
    project.parent.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:  # who may look into everything
        os.seteuid(65534)
    try:
        with pytest.raises(IntakeProblem, match="cannot be read: Permission denied; check its owner and mode"):
            current_tips(project)
    finally:
        if is_root:
            os.seteuid(0)
        project.parent.chmod(0o700)
