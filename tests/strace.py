"""What a command really did, as the kernel saw it: which programs it started, and where it wrote."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_CALLS = (
    "execve,execveat,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,"
    "symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,setxattr,lsetxattr,"
    "socket,connect,bind"
)
_CALL = re.compile(r"^\d+ +(?P<name>\w+)\((?P<given>.*)\) += (?P<answer>-?\d+|\?)")
_STRING = re.compile(r'(?:(?P<at>AT_FDCWD|\d+)<(?P<folder>[^>]*)>, )?"(?P<path>(?:[^"\\]|\\.)*)"')
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE")


@dataclass(frozen=True)
class Seen:
    """What succeeded."""

    code: int
    out: str
    err: str
    programs: tuple[str, ...]  # the path of each program that was started, in order
    written: tuple[str, ...]  # each path that was opened for writing, or made, moved, removed or changed
    sockets: tuple[str, ...]  # what a socket was made for, all but those within this machine's processes


def why_not() -> str | None:
    """Why there can be no proof by strace here; None if there can be one."""
    if shutil.which("strace") is None:
        return "strace is not installed: apt-get install strace"
    tried = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-o", os.devnull, "true"], capture_output=True, text=True, check=False
    )
    return None if tried.returncode == 0 else f"strace may not trace here: {tried.stderr.strip()}"


def trace(command: list[str], log: Path, *, cwd: Path, env: dict[str, str]) -> Seen:
    """Runs `command` and everything it starts under strace, which writes to `log`."""
    tracer = [
        "strace",
        "-f",
        "--seccomp-bpf",
        "-y",
        "-qq",
        "-s",
        "4096",
        "-e",
        "signal=none",
        "-e",
        f"trace={_CALLS}",
        "-o",
        str(log),
    ]
    done = subprocess.run([*tracer, *command], capture_output=True, text=True, check=False, cwd=cwd, env=env)
    programs, written, sockets = [], [], []
    for line in _joined(log.read_text(errors="replace").splitlines()):
        call = _CALL.match(line)
        if call is None or call["answer"].startswith("-"):
            continue
        name, given = call["name"], call["given"]
        if name.startswith("exec"):
            programs += _paths(given, cwd)[:1]
        elif name in ("socket", "connect", "bind"):
            sockets += [] if "AF_UNIX" in given else [given]
        elif not name.startswith(("open", "creat")) or name == "creat" or _WRITES.search(given):
            # The first path of a link is what it says, not where it lies.
            written += _paths(given, cwd)[-1:] if name.startswith("symlink") else _paths(given, cwd)
    return Seen(done.returncode, done.stdout, done.stderr, tuple(programs), tuple(written), tuple(sockets))


def _joined(lines: list[str]) -> list[str]:
    """Calls that were interrupted by another process's are two lines: `unfinished ...`, `<... name resumed>`."""
    whole: list[str] = []
    begun: dict[str, str] = {}
    for line in lines:
        pid = line.split(" ", 1)[0]
        if line.endswith(" <unfinished ...>"):
            begun[pid] = line.removesuffix(" <unfinished ...>")
        elif " resumed>" in line:
            whole.append(begun.pop(pid, pid) + line.split(" resumed>", 1)[1])
        else:
            whole.append(line)
    return whole


def _paths(given: str, cwd: Path) -> list[str]:
    found = (
        os.path.join(string["folder"] or cwd, string["path"].encode().decode("unicode_escape", errors="replace"))
        for string in _STRING.finditer(given)
    )
    return [os.path.normpath(path) for path in found]
