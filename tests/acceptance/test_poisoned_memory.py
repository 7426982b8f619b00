"""Poison in the memory repository itself: `run`, `export`, `verify` and `revert` run nothing and write nowhere else."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.homes import AHome, a_home
from tests.cli import NOON, a_month_of, lines
from tests.poison import Trap, a_project, checksum, git, no_hang

LATER = "2026-03-21T12:00:00Z"
MORE = {"at": "2026-03-20T18:00:00Z", "text": "The job_queue lost a job", "kind": "error", "target": "job_queue"}
Layout = Callable[[Path, Trap], object]  # given the root of the memory


@pytest.fixture(scope="module")
def dreamt(tmp_path_factory: pytest.TempPathFactory) -> AHome:
    """A home with one run published and one event that waits; copied by each test."""
    home = a_home(tmp_path_factory.mktemp("memory") / "home")
    assert home.dreamd("ingest", "events", "-", stdin=lines(*a_month_of("job_queue"))).code == 0
    home.ok("--now", NOON, "run")
    assert home.dreamd("ingest", "events", "-", stdin=lines(MORE)).code == 0
    return home


@pytest.fixture
def home(dreamt: AHome, tmp_path: Path) -> AHome:
    shutil.copytree(dreamt.path, tmp_path / "home", symlinks=True)
    return AHome(tmp_path / "home")


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trap:
    made = Trap.set_in(tmp_path / "trap")
    for name, value in made.environment().items():
        monkeypatch.setenv(name, value)
    return made


def _all_commands(home: AHome, trap: Trap) -> tuple[dict[str, object], list[dict[str, str]]]:
    """(what `run` answered, what `verify` found). Nothing may run, hang, or change outside."""
    before = checksum(trap.outside.parent)
    with no_hang():
        ran = home.dreamd("--now", LATER, "--json", "run")
        exported = home.dreamd("--now", LATER, "export")
        verified = home.dreamd("--now", LATER, "--json", "verify")
        reverted = home.dreamd("--now", LATER, "--json", "revert", "2")
        again = home.dreamd("--now", LATER, "--json", "run")
    assert not trap.sprung.exists(), trap.sprung.read_text()
    assert checksum(trap.outside.parent) == before
    for ended in (ran, exported, verified, reverted, again):
        assert ended.code in (0, 1), ended.err
        assert "internal" not in ended.err
    return ran.json(), verified.json()


def _git(root: Path) -> Path:
    return root / ".git"


def _config(text: str) -> Layout:
    def put(root: Path, trap: Trap) -> None:
        (trap.outside / "more").write_text('[hook "x"]\n\tcommand = evil\n')
        with (_git(root) / "config").open("a") as config:
            config.write(text.replace("{outside}", str(trap.outside)))

    return put


def _pipe(name: str) -> Layout:
    def put(root: Path, trap: Trap) -> None:
        _gone(root / name)
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(root / name)

    return put


def _away(name: str) -> Layout:
    """What `name` was lies outside, and a link leads there."""

    def move(root: Path, trap: Trap) -> None:
        (root / name).rename(trap.outside / "moved")
        (root / name).symlink_to(trap.outside / "moved")

    return move


def _linked(name: str, target: str) -> Layout:
    def put(root: Path, trap: Trap) -> None:
        _gone(root / name)
        (root / name).symlink_to(target.replace("{outside}", str(trap.outside)))

    return put


def _gone(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _shares_its_directory(root: Path, trap: Trap) -> None:
    other = a_project(trap.outside / "other")
    (_git(root) / "commondir").write_text(f"{other}/.git\n")


def _borrows(root: Path, trap: Trap) -> None:
    other = a_project(trap.outside / "other")
    (_git(root) / "objects" / "info").mkdir(exist_ok=True)
    (_git(root) / "objects" / "info" / "alternates").write_text(f"{other}/.git/objects\n")


def _a_log_with_a_second_name(root: Path, trap: Trap) -> None:
    os.link(_git(root) / "logs" / "refs" / "heads" / "main", trap.outside / "log")


def _is_a_file(root: Path, trap: Trap) -> None:
    _gone(_git(root))
    _git(root).write_text(f"gitdir: {a_project(trap.outside / 'other')}/.git\n")


def _borrowed_staging(root: Path, trap: Trap) -> None:
    _gone(_git(root))
    (root / ".dreamd-new-repository").symlink_to(trap.outside)


def _record(text: str) -> Layout:
    return lambda root, trap: (_git(root) / "dreamd-laid-out").write_text(text)


def _bases(value: object, path: str = "MEMORY.md") -> str:
    return json.dumps({"commit": "a" * 40, "waiting": {path: value}})


def _grafted(root: Path, trap: Trap) -> None:
    head = git(root, "rev-parse", "HEAD")
    forged = git(root, "commit-tree", "-m", "x\n\nDreamd-Run: run_9", "HEAD^{tree}")
    git(root, "replace", head, forged)
    (_git(root) / "info").mkdir(exist_ok=True)
    (_git(root) / "info" / "grafts").write_text(f"{head} {forged}\n")


PUBLISHED: dict[str, Layout] = {
    "a person's own settings": _config(
        '[user]\n\tname = Ada\n\temail = ada@example.com\n[remote "hub"]\n\turl = git@example.com:ada/memory\n'
        '\tfetch = +refs/heads/*:refs/remotes/hub/*\n[branch "main"]\n\tremote = hub\n\tmerge = refs/heads/main\n'
        "[alias]\n\tlg = log --graph\n[push]\n\tdefault = current\n[some]\n\tthing = 1\n"
    ),
    "grafts and replacements": _grafted,
    "a record of nonsense": _record('{"commit": 5, "waiting": {"x": 5}}'),
    "a record of numbers": _record(_bases([5, {}, []])),
    "a record of deep nonsense": _record("[" * 100_000),
    "a record of odd paths": _record(_bases(["b" * 40], "x\0y")),
    "a record of odd letters": _record(_bases(["b" * 40], "\ud800")),
    "a record of its own folder": _record(_bases(["b" * 40, None], ".git/config")),
}

LEFT_ALONE: dict[str, tuple[Layout, str]] = {
    "a pipe for MEMORY.md": (_pipe("MEMORY.md"), "MEMORY.md"),
    "a device for MEMORY.md": (_linked("MEMORY.md", "/dev/zero"), "MEMORY.md"),
    "a link for MEMORY.md": (_linked("MEMORY.md", "{outside}/private.md"), "MEMORY.md"),
    "a folder for its draft": (lambda root, _: (root / ".MEMORY.md.dreamd-new").mkdir(), "MEMORY.md"),
    "a link for .dreamd": (_away(".dreamd"), ".dreamd/manifest.json"),
    "a link for reports": (_away("reports"), "reports/2026/03/000002.md"),
}

PARKED: dict[str, tuple[Layout, str]] = {
    "hooks of a later Git": (_config('[hook "x"]\n\tevent = reference-transaction\n\tcommand = evil\n'), "unsafe"),
    "hooks on one line": (_config('[core] [HOOK "x"] command = evil\n'), "unsafe configuration"),
    "hooks included": (_config("[include]\n\tpath = {outside}/more\n"), "unsafe configuration"),
    "a link for the space": (_away("."), "symbolic link"),
    "a link for .git": (_away(".git"), "is not a Git repository of its own"),
    "a file for .git": (_is_a_file, "is not a Git repository of its own"),
    "a link for config": (_away(".git/config"), "config is a symbolic link"),
    "a link for objects": (_away(".git/objects"), "objects is a symbolic link"),
    "a link for refs": (_away(".git/refs"), "refs is a symbolic link"),
    "a link for logs": (_away(".git/logs"), "logs is a symbolic link"),
    "a link for one log": (_away(".git/logs/refs/heads/main"), "main is a symbolic link"),
    "a second name for a log": (_a_log_with_a_second_name, "a second name"),
    "a link for the index": (_away(".git/index"), "index is a symbolic link"),
    "a link for packed-refs": (_linked(".git/packed-refs", "{outside}/refs"), "packed-refs is a symbolic link"),
    "a link for our lock": (_linked(".git/dreamd.lock", "{outside}/lock"), "dreamd.lock is a symbolic link"),
    "another's directory": (_shares_its_directory, "shares its directory"),
    "another's objects": (_borrows, "borrows objects"),
    "a pipe for HEAD": (_pipe(".git/HEAD"), "damaged"),
    "a pipe for the index": (_pipe(".git/index"), "index is a pipe"),
    "a pipe for our record": (_pipe(".git/dreamd-laid-out"), "dreamd-laid-out is a pipe"),
    "a pipe for a lock": (_pipe(".git/HEAD.lock"), "HEAD.lock is a pipe"),
    "a pipe for an object": (_pipe(".git/objects/00/" + "0" * 38), "is a pipe"),
    "a broken configuration": (_config("[include\n"), "bad config"),
}


def test_a_memory_full_of_poison_is_still_published(home: AHome, trap: Trap) -> None:
    root = home.path / "memory" / "default"
    trap.put_into(root / ".git", root)
    for name in ("git", "env", "git-remote-evil", "less", "sh"):
        (root / ".git" / name).unlink()  # links have no business here, see below
        shutil.copy(trap.program, root / ".git" / name)
    nested = a_project(root / "nested")
    trap.put_into(nested / ".git", nested)
    ran, findings = _all_commands(home, trap)
    assert ran["export"] == {"status": "done", "reason": None, "waiting": []}, ran
    assert [each for each in findings if each["level"] == "error"] == []


@pytest.mark.parametrize("layout", PUBLISHED)
def test_what_can_be_published_is(layout: str, home: AHome, trap: Trap) -> None:
    PUBLISHED[layout](home.path / "memory" / "default", trap)
    ran, findings = _all_commands(home, trap)
    assert ran["export"] == {"status": "done", "reason": None, "waiting": []}, ran
    assert [each for each in findings if each["level"] == "error"] == []


@pytest.mark.parametrize("layout", LEFT_ALONE)
def test_what_stands_in_the_place_of_a_file_waits(layout: str, home: AHome, trap: Trap) -> None:
    change, path = LEFT_ALONE[layout]
    change(home.path / "memory" / "default", trap)
    ran, findings = _all_commands(home, trap)
    assert path in [each["path"] for each in ran["export"]["waiting"]]
    assert path in [each["path"] for each in findings] or layout == "a folder for its draft"


@pytest.mark.parametrize("layout", PARKED)
def test_where_nothing_can_be_written_safely_the_export_waits_and_says_why(
    layout: str, home: AHome, trap: Trap
) -> None:
    change, reason = PARKED[layout]
    change(home.path / "memory" / "default", trap)
    ran, findings = _all_commands(home, trap)
    assert reason in json.dumps(ran), ran
    assert reason in json.dumps(findings)


def test_a_new_repository_is_not_made_through_a_link(home: AHome, trap: Trap) -> None:
    _borrowed_staging(home.path / "memory" / "default", trap)
    _all_commands(home, trap)
    assert (home.path / "memory" / "default" / ".git" / "HEAD").is_file()


def test_a_memory_that_cannot_be_made_is_an_error_with_a_remedy(home: AHome, trap: Trap) -> None:
    shutil.rmtree(home.path / "memory")
    (home.path / "memory").write_text("a file\n")
    ended = home.dreamd("export")
    assert ended.code == 74
    assert "cannot write" in ended.err
    assert "hint" in ended.err
    assert home.dreamd("--json", "verify").json()[0]["rule"] == "repository"


def test_paths_of_a_forged_commit_lead_nowhere_and_are_quoted_in_what_is_advised(home: AHome, trap: Trap) -> None:
    root = home.path / "memory" / "default"
    blob = git(root, "rev-parse", "HEAD:MEMORY.md")

    def tree(*entries: str) -> str:
        return git(root, "mktree", stdin="\n".join(entries) + "\n")

    out = tree(f"100644 blob {blob}\tprivate.md")
    for name in ("outside", "trap", "..", "..", ".."):
        out = tree(f"040000 tree {out}\t{name}")
    top = tree(
        *git(root, "ls-tree", "HEAD").splitlines(),
        f"040000 tree {out}\t..",
        f"100644 blob {blob}\t; evil",
        f'100644 blob {blob}\t"a\\377\\033[31mb"',
    )
    forged = git(root, "-c", "user.email=dreamd@localhost", "commit-tree", "-p", "HEAD", "-m", "x", top)
    git(root, "update-ref", "refs/heads/main", forged)
    findings = {each["path"]: each for each in home.dreamd("--json", "verify").json()}
    assert findings["../../../../trap/outside/private.md"]["rule"] == "unsafe-path"
    assert findings["; evil"]["message"].endswith("checkout -- '; evil'")
    ran, _ = _all_commands(home, trap)
    waiting = {each["path"]: each["reason"] for each in ran["export"]["waiting"]}
    assert "not a path for a memory repository" in waiting["../../../../trap/outside/private.md"]
