"""Repositories that try to run a program, to be read from elsewhere, or to be written elsewhere.

`Trap` is the program and what it leaves behind; the rest puts it wherever Git's documentation says that a program,
a file or another repository can be named. What is sprung is written down by the program itself.
"""

import hashlib
import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

# fmt: off
HOOKS = (
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive", "update",
    "proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc",
    "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "post-index-change",
)
# fmt: on
PATIENCE_SECONDS = 300  # a guard against a hang, far above what any command here takes

_CONFIG = """
[core]
	fsmonitor = {program}
	hooksPath = {hooks}
	pager = {program}
	editor = {program}
	sshCommand = {program}
	gitProxy = {program}
	askPass = {program}
	alternateRefsCommand = {program}
	attributesFile = {outside}/attributes
	excludesFile = {outside}/excludes
	worktree = {outside}
	quotePath = true
	commitGraph = true
	splitIndex = true
[pager]
	log = {program}
	cat-file = {program}
	config = {program}
	rev-parse = {program}
	ls-tree = {program}
[alias]
	log = !{program}
	rev-parse = !{program}
	fast-import = !{program}
	update-ref = !{program}
	update-index = !{program}
[filter "x"]
	clean = {program}
	smudge = {program}
	process = {program}
	required = true
[diff]
	external = {program}
	relative = true
	orderFile = /gone
	renames = copies
[diff "x"]
	textconv = {program}
	command = {program}
	cachetextconv = true
[merge "x"]
	driver = {program}
[log]
	showSignature = true
	showRoot = false
	follow = true
	mailmap = true
	decorate = full
	diffMerges = on
[mailmap]
	file = {outside}/mailmap
[notes]
	displayRef = refs/notes/*
[format]
	pretty = "%an ran away"
[color]
	ui = always
[i18n]
	logOutputEncoding = UTF-16
[gpg]
	program = {program}
	format = ssh
[gpg "ssh"]
	program = {program}
	defaultKeyCommand = {program}
	allowedSignersFile = {outside}/signers
[commit]
	gpgSign = true
[credential]
	helper = !{program}
[uploadpack]
	packObjectsHook = {program}
[remote "origin"]
	url = ext::{program}
	uploadpack = {program}
	receivepack = {program}
	proxy = {program}
	vcs = evil
	promisor = true
	partialclonefilter = blob:none
[protocol]
	allow = always
[gc]
	auto = 1
	recentObjectsHook = {program}
[trace2]
	normalTarget = {outside}/trace2
	eventTarget = {outside}/trace2
[include]
	path = {outside}/included
[includeIf "gitdir:/**"]
	path = {outside}/included
[include]
	path = {outside}/not-there
"""


@dataclass(frozen=True)
class Trap:
    """A program at `program`, and a folder `outside` that nothing may change."""

    program: Path
    outside: Path
    sprung: Path  # written by the program, a line each time it runs

    @classmethod
    def set_in(cls, folder: Path) -> "Trap":
        outside = folder / "outside"
        outside.mkdir(parents=True)
        trap = cls(program=folder / "evil", outside=outside, sprung=folder / "sprung")
        trap.program.write_text(f'#!/bin/sh\necho "$0 $*" >> {trap.sprung}\ncat\n')
        trap.program.chmod(0o755)
        (outside / "included").write_text(f"[core]\n\tpager = {trap.program}\n\tfsmonitor = {trap.program}\n")
        (outside / "attributes").write_text("* filter=x diff=x merge=x\n")
        (outside / "mailmap").write_text("Somebody Else <e@e> <ada@example.com>\n")
        (outside / "private.md").write_text("not for anyone\n")
        return trap

    def config(self) -> str:
        return _CONFIG.format(program=self.program, outside=self.outside, hooks=self.outside.parent / "hooks")

    def environment(self) -> dict[str, str]:
        """The variables of a user who has them all set, and whose home says the same."""
        home = self.outside.parent / "user"
        (home / "git").mkdir(parents=True, exist_ok=True)
        for name in (".gitconfig", "git/config"):
            (home / name).write_text(self.config())
        program, outside = str(self.program), str(self.outside)
        programs = (
            *("GIT_EXTERNAL_DIFF", "GIT_SSH_COMMAND", "GIT_SSH", "GIT_ASKPASS", "SSH_ASKPASS", "GIT_PAGER", "PAGER"),
            *("GIT_EDITOR", "EDITOR", "VISUAL", "GIT_SEQUENCE_EDITOR", "GIT_PROXY_COMMAND"),
            "GIT_PYTHON_GIT_EXECUTABLE",
        )
        return dict.fromkeys(programs, program) | {
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home),
            "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
            "GIT_CONFIG_SYSTEM": str(home / ".gitconfig"),
            "GIT_CONFIG_NOSYSTEM": "0",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.fsmonitor",
            "GIT_CONFIG_VALUE_0": program,
            "GIT_CONFIG_PARAMETERS": f"'core.pager'='{program}'",
            "GIT_DIR": outside,
            "GIT_WORK_TREE": outside,
            "GIT_COMMON_DIR": outside,
            "GIT_INDEX_FILE": f"{outside}/index",
            "GIT_OBJECT_DIRECTORY": outside,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": outside,
            "GIT_NAMESPACE": "evil",
            "GIT_TEMPLATE_DIR": outside,
            "GIT_EXEC_PATH": str(self.program.parent),
            "GIT_TRACE": f"{outside}/trace",
            "GIT_TRACE2": f"{outside}/trace2",
            "GIT_TRACE2_EVENT": f"{outside}/trace2",
            "GIT_TRACE_SETUP": f"{outside}/trace",
            "GIT_ALLOW_PROTOCOL": "ext:file:ssh",
            "GIT_NO_LAZY_FETCH": "0",
            "GIT_NO_REPLACE_OBJECTS": "0",
            "GIT_PAGER_IN_USE": "1",
        }

    def put_into(self, git_dir: Path, work_tree: Path) -> None:
        """Arms a repository that is already there, in every way that leaves it readable."""
        for hooks in (git_dir / "hooks", self.outside.parent / "hooks"):
            hooks.mkdir(exist_ok=True)
            for name in HOOKS:
                (hooks / name).unlink(missing_ok=True)
                (hooks / name).symlink_to(self.program)
        with (git_dir / "config").open("a") as config:
            config.write(self.config())
        (git_dir / "info").mkdir(exist_ok=True)
        for place in (git_dir / "info" / "attributes", git_dir / ".gitattributes", work_tree / ".gitattributes"):
            place.write_text("* filter=x diff=x merge=x\n")
        for name in ("git", "env", "git-remote-evil", "less", "sh"):
            (git_dir / name).symlink_to(self.program)  # for who looks in the folder it runs in


def git(path: Path, *arguments: str, stdin: str | bytes = b"") -> str:
    """Git as a tester's tool: not the one under test."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": "2026-03-01T12:00:00Z",
        "GIT_COMMITTER_DATE": "2026-03-01T12:00:00Z",
    }
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com")
    given = stdin.encode() if isinstance(stdin, str) else stdin
    command = ["git", *who, "-C", str(path), *arguments]
    done = subprocess.run(command, input=given, capture_output=True, env=environment, check=True)
    return done.stdout.decode().strip()


def a_project(path: Path, *options: str) -> Path:
    """A repository with two commits, `fix: one` and `fix: two`, each of a file of its own."""
    git(path.parent, "init", "-q", "-b", "main", "--template=", *options, str(path))
    for name in ("one", "two"):
        (path / name).write_text(name)
        git(path, "add", name)
        git(path, "commit", "-q", "-m", f"fix: {name}")
    return path


def raw_commit(path: Path, text: bytes) -> str:
    """A commit of these very bytes, made the head of `main`: what no well-meaning git would write."""
    sha = git(path, "hash-object", "-w", "--literally", "-t", "commit", "--stdin", stdin=text)
    (path / ".git" / "refs" / "heads" / "main").write_text(f"{sha}\n")
    return sha


def checksum(*folders: Path) -> dict[str, str]:
    """What each thing below `folders` is: kind and mode, and its bytes or where it leads."""
    found = {}
    for top in folders:
        for folder, below, names in os.walk(top):
            for name in (*below, *names):
                path = Path(folder) / name
                status = path.lstat()
                content = b""
                if stat.S_ISREG(status.st_mode):
                    content = path.read_bytes()
                elif stat.S_ISLNK(status.st_mode):
                    content = os.readlink(path).encode()
                found[str(path)] = f"{status.st_mode:o} {hashlib.sha256(content).hexdigest()}"
    return found


@contextmanager
def no_hang() -> Iterator[None]:
    """Fails what is stuck, where it would otherwise stop the whole test run."""

    def give_up(*_: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
