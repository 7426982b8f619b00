"""Git that reaches a remote: one transport, no prompt, a time that it may take, and no configuration of anybody.

It runs in a post office: an empty repository of our own, private to us and thrown away afterwards, that borrows the
objects of the memory repository. So what a memory repository says about remotes, proxies, credentials or programs
(whoever may write there can change that) is not read, and what a remote sends is looked at before any of it reaches
the memory repository. Local commands of the post office reach nothing (plumbing.py).
"""

import os
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from dreamd.repo_export.plumbing import Answer, RepositoryProblem, SafeGit
from dreamd.repo_export.remotes.address import Address, hide_credentials

# What belongs to the person who runs this, and is only used if they say so.
THEIRS = ("HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "USER", "LOGNAME")
NOT_THEIRS = ("GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL")  # what keeps their configuration out
NEVER_ASK = ("BatchMode=yes", "ControlMaster=no", "ControlPath=none", "ClearAllForwardings=yes")
_WANTS_TO_ASK = re.compile(r"terminal prompts disabled|Permission denied \(|Host key verification failed")
MAX_TOLD_BYTES = 10_000  # of a message, or of a list of refs
TRANSPORT_SETTINGS = (
    "http.followRedirects=false",  # the memory goes to the host that was named, and to no other
    "core.askPass=",
    "fetch.fsckObjects=true",  # refuses .git in a path, in every spelling that some file system takes for it
    "fetch.unpackLimit=1",  # one pack, whose size can be bounded
    "fetch.recurseSubmodules=false",
    "push.recurseSubmodules=no",
    "push.followTags=false",
    "push.gpgSign=false",
    "core.bigFileThreshold=1m",  # larger files are checked as a stream, not in memory
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How a remote is reached."""

    address: Address
    branch: str  # there
    timeout_seconds: float  # of one connection
    max_bytes: int  # that one fetch may bring
    asks_helpers: bool = False  # whether the person's own configuration, credential helper and ssh agent are used


class Unreachable(Exception):
    """The remote could not be asked, or refused; trying again later may help."""


class TooMuch(Exception):
    """The remote sent more than it may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostOffice:
    git: SafeGit  # local commands only
    reach: Reach

    def ask(self, *arguments: str, is_bounded: bool = True) -> bytes:
        """What git says that reached the remote. Raises Unreachable, or TooMuch.

        Ends within the time that is allowed, with all that git has started.
        """
        settings = [part for setting in TRANSPORT_SETTINGS for part in ("-c", setting)]
        command = self.git.command((*settings, *arguments))
        here = self.git.git_dir
        with tempfile.TemporaryFile(dir=here) as out, tempfile.TemporaryFile(dir=here) as told:
            # Files and not pipes: who is left over from a killed git, such as an ssh, may keep a pipe open for ever.
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=told,
                cwd=here,
                env=self._environment(),
                start_new_session=True,  # no terminal to prompt on, and one group to end
            )
            if is_bounded:
                _bound_files(process.pid, self.reach.max_bytes)
            status = _ended(process, self.reach.timeout_seconds)
            answer = Answer(status=status or 0, out=_start_of(out), error=_start_of(told).decode("utf-8", "replace"))
        if status is None:
            raise Unreachable(f"no answer within {self.reach.timeout_seconds:g} s")
        if is_bounded and self._is_full():  # also where the system could not stop git there
            raise TooMuch(f"sends more than {self.reach.max_bytes} bytes at once")
        if status != 0:
            raise Unreachable(_in_one_line(answer.error) or f"git {arguments[0]} ended with {status}")
        return answer.out

    def _is_full(self) -> bool:
        """Whether a pack came to the size that is allowed, where git was stopped."""
        packs = (self.git.git_dir / "objects" / "pack").glob("*")
        return any(pack.stat().st_size >= self.reach.max_bytes for pack in packs)

    def _environment(self) -> dict[str, str]:
        environment = {
            **self.git.environment(),
            "GIT_ALLOW_PROTOCOL": self.reach.address.protocol,
            "GIT_ASKPASS": "",
            "SSH_ASKPASS": "",
            "SSH_ASKPASS_REQUIRE": "never",
            "GIT_SSH_VARIANT": "ssh",
        }
        options = [f"-o{option}" for option in NEVER_ASK]
        if self.reach.asks_helpers:
            environment = {name: value for name, value in environment.items() if name not in NOT_THEIRS}
            environment |= {name: os.environ[name] for name in THEIRS if name in os.environ}
        else:
            options += ["-oIdentityAgent=none", "-F/dev/null"]
        return {**environment, "GIT_SSH_COMMAND": " ".join(("ssh", *options))}


@contextmanager
def post_office(folder: Path, memory: SafeGit, reach: Reach) -> Iterator[PostOffice]:
    """A post office in `folder`, which is emptied before and removed afterwards. `memory`: the memory repository."""
    if folder.is_symlink():
        raise RepositoryProblem(f"{folder} is a symbolic link", "remove it, then run: dreamd export")
    shutil.rmtree(folder, ignore_errors=True)  # left by a kill
    folder.mkdir(mode=0o700, parents=True)
    try:
        git = SafeGit(folder / ".git")
        kind = memory.read("rev-parse", "--show-object-format").decode("ascii").strip()
        git.read("init", "--quiet", "--template=", f"--object-format={kind}", str(folder))
        (git.git_dir / "objects" / "info").mkdir(exist_ok=True)
        borrowed = memory.git_dir.absolute() / "objects"
        (git.git_dir / "objects" / "info" / "alternates").write_bytes(os.fsencode(f"{borrowed}\n"))
        if reach.address.authorization is not None:
            header = f'[http]\n\textraHeader = "Authorization: {reach.address.authorization}"\n'
            with (git.git_dir / "config").open("a", encoding="ascii") as config:
                config.write(header)
        yield PostOffice(git=git, reach=reach)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _bound_files(pid: int, max_bytes: int) -> None:
    """No file that this process writes from now on, and none that its children write, may be larger."""
    if not hasattr(resource, "prlimit"):  # Linux has it
        return
    with suppress(ProcessLookupError):  # it has ended
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        most = max_bytes if hard == resource.RLIM_INFINITY else min(max_bytes, hard)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, hard))


def _ended(process: "subprocess.Popen[bytes]", timeout_seconds: float) -> int | None:
    """The exit code; None if time was up, and all of it was ended."""
    try:
        return process.wait(timeout_seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _start_of(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(MAX_TOLD_BYTES)


def _in_one_line(error: str) -> str:
    """What git and the remote said, without passwords, for a sentence."""
    said = (line.strip() for line in hide_credentials(error).splitlines())
    lines = [line for line in said if line and not line.startswith("hint:")]
    what = "; ".join(dict.fromkeys(lines))[:500]
    return f"not let in ({what}); setting: remote.credentials" if _WANTS_TO_ASK.search(what) else what
