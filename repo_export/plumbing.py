"""How every git command of ours runs: on a repository that is as hostile as its last writer.

Each command names the git directory, sees no configuration but the repository's own (with everything that starts
programs switched off), never reaches for the network, and gets an environment that is written down here. Git is
started by `subprocess` and not through GitPython, which hands on the whole environment, where a `GIT_*` variable can
point git anywhere (docs/decisions/0008-what-git-is-given.md).
"""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO, BinaryIO, cast

from dreamd.repo_export.commit_stream import DREAMD_EMAIL

# Everything a repository's own configuration could use to run a program, sign, or change what we read.
SAFE_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.commitGraph=false",  # a cache that says who a commit's parents are; the commits themselves say it
    "core.splitIndex=false",
    "core.pager=cat",
    "color.ui=false",
    "core.fsync=committed,reference",
    "core.fsyncMethod=fsync",
    "core.logAllRefUpdates=true",
    "commit.gpgsign=false",
    "log.showSignature=false",
    "log.showRoot=true",
    "gc.auto=0",
    "pack.threads=1",
    "repack.writeBitmaps=false",
    "repack.updateServerInfo=false",
    "pack.compression=1",  # a third of the time; whoever packs again compresses better
    "maintenance.auto=false",
    "protocol.allow=never",
)
# All that git is given, with PATH, GIT_WORK_TREE and maybe GIT_INDEX_FILE.
SAFE_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": "/dev/null",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_COMMITTER_NAME": "dreamd",  # of the reflog; it would be guessed from the host
    "GIT_COMMITTER_EMAIL": DREAMD_EMAIL,
    "HOME": "/nonexistent",
    "LC_ALL": "C",
}
# A plain diff of trees, whatever the repository's configuration says.
PLAIN_DIFF = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative", "-O/dev/null", "--no-color")
PLAIN_LOG = (*PLAIN_DIFF, "--no-show-signature", "--no-decorate", "--no-notes", "--no-mailmap", "--encoding=UTF-8")


class RepositoryProblem(Exception):
    """A repository that cannot be used as it is; `hint` says what a person does about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}; {hint}")
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int  # exit code; 0 is success
    out: bytes
    error: str  # stderr, stripped


class SafeGit:
    """Runs git on one git directory, safely. `own_fd` is inherited by each process while it is set.

    Raises RepositoryProblem if there is no git.
    """

    def __init__(self, git_dir: Path) -> None:
        self.git_dir = git_dir
        self.own_fd: int | None = None
        self.program = _git_program()

    def run(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> Answer:
        """What git answered, whatever its exit code."""
        with _as_file(stdin) as source:
            process = self._start(arguments, source, index)
            out, error = process.communicate()
        return Answer(status=process.returncode, out=out, error=_text(error).strip())

    def read(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> bytes:
        """The output of a command that has to succeed. Raises RepositoryProblem."""
        answer = self.run(*arguments, stdin=stdin, index=index)
        if answer.status != 0:
            raise self.problem(arguments, answer.error)
        return answer.out

    @contextmanager
    def stream(self, *arguments: str, stdin: bytes = b"") -> Iterator[IO[bytes]]:
        """The output of a command as it comes. Raises RepositoryProblem at the end if git failed."""
        with _as_file(stdin) as source:
            process = self._start(arguments, source, None)
            error = bytearray()
            assert process.stdout is not None
            assert process.stderr is not None
            # A full stderr pipe would stop git while we wait for its stdout.
            drain = Thread(target=_drain, args=(process.stderr, error), daemon=True)
            drain.start()
            try:
                yield process.stdout
            except BaseException:
                process.kill()
                raise
            finally:
                process.stdout.close()
                process.wait()
                drain.join()
                process.stderr.close()
        if process.returncode != 0:
            raise self.problem(arguments, _text(bytes(error)).strip())

    def problem(self, arguments: Sequence[str], error: str) -> RepositoryProblem:
        return RepositoryProblem(
            f"git {arguments[0]} failed in {self.git_dir}: {error or 'no message'}",
            f"see: {shlex.join(['git', f'--git-dir={self.git_dir}', 'fsck'])}",
        )

    def command(self, arguments: Sequence[str]) -> list[str]:
        settings = [part for setting in SAFE_SETTINGS for part in ("-c", setting)]
        return [self.program, "--no-pager", *settings, f"--git-dir={self.git_dir}", *arguments]

    def environment(self) -> dict[str, str]:
        # The git directory stands for a work tree too: core.worktree must not lead git, nor its reading, elsewhere.
        is_there = self.git_dir.is_dir()  # `git init` would write it down
        return {
            **SAFE_ENVIRONMENT,
            "PATH": _safe_path(),
            **({"GIT_WORK_TREE": str(self.git_dir)} if is_there else {}),
        }

    def _start(self, arguments: Sequence[str], source: BinaryIO, index: Path | None) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            self.command(arguments),
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.git_dir if self.git_dir.is_dir() else "/",
            env={**self.environment(), **({} if index is None else {"GIT_INDEX_FILE": str(index)})},
            pass_fds=() if self.own_fd is None else (self.own_fd,),
        )


@contextmanager
def safe_process_environment() -> Iterator[None]:
    """Give this very process the environment that git gets, for as long as a library may start git by itself."""
    before, safe_path, program = dict(os.environ), _safe_path(), _git_program()
    os.environ.clear()
    os.environ.update(SAFE_ENVIRONMENT, PATH=safe_path, GIT_PYTHON_GIT_EXECUTABLE=program)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _safe_path() -> str:
    """The user's PATH without relative entries: git runs in a git directory, where `.` would be the repository's."""
    return os.pathsep.join(folder for folder in os.get_exec_path() if os.path.isabs(folder))


def _git_program() -> str:
    found = shutil.which("git", path=_safe_path())
    if found is None:
        raise RepositoryProblem("there is no git in PATH", "install git, version 2.30 or later")
    return found


@contextmanager
def _as_file(content: bytes) -> Iterator[BinaryIO]:
    """`content` as a file to read from: a pipe could fill on both sides and stop us and git."""
    # In memory where the system has it: nothing is written outside the home, not even to the folder of temporary files.
    in_memory = hasattr(os, "memfd_create")
    with os.fdopen(os.memfd_create("dreamd"), "w+b") if in_memory else tempfile.TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        yield cast(BinaryIO, file)


def _drain(source: IO[bytes], kept: bytearray) -> None:
    limit = 10_000  # bytes of a message that are worth keeping
    while chunk := source.read1(4096):  # type: ignore[attr-defined]
        kept.extend(chunk[: max(0, limit - len(kept))])


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", errors="surrogateescape")
