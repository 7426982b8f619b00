"""A wheel and a source archive, built from what Git tracks, install and run without the clone.

Nothing is downloaded: builds use the setuptools of this environment, and the fresh environment sees its libraries.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import dreamd

ROOT = Path(__file__).parents[2]
ROOMS = ("lifecycle", "reflection", "repo_export", "daemon")


def run(*command: str | Path, cwd: Path) -> str:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def tracked_files() -> list[str]:
    """What Git tracks, and what it would track if everything were added: a new file is no reason to fail."""
    # A container or CI may run as another user than the one who cloned; this repository is ours to read.
    listing = ("git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = run(*listing, cwd=ROOT).split("\0")
    return sorted(name for name in names if name and (ROOT / name).exists())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist, the wheel made from it, and in `direct/` the wheel made from the tree."""
    # A copy has no build/ of an earlier build, from which setuptools would install files deleted since.
    tree = tmp_path_factory.mktemp("tree")
    for name in tracked_files():
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target, follow_symlinks=False)
    out = tmp_path_factory.mktemp("built")
    build = (sys.executable, "-m", "build", "--no-isolation")
    run(*build, "--outdir", out, tree, cwd=out)
    shutil.rmtree(tree / "build", ignore_errors=True)
    run(*build, "--wheel", "--outdir", out / "direct", tree, cwd=out)
    return out


def the_wheel(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


def contents(wheel: Path) -> dict[str, bytes]:
    """The installed files by name, without the record that pip keeps of them."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}


def test_a_wheel_holds_the_import_package_and_no_bare_room(built: Path) -> None:
    names = contents(the_wheel(built))
    assert {name.partition("/")[0] for name in names} == {"dreamd"}
    assert {name.split("/")[1] for name in names} >= {"__init__.py", "py.typed", *ROOMS}
    assert not [name for name in names if "__pycache__" in name]


def test_a_wheel_holds_every_file_of_the_rooms(built: Path) -> None:
    expected = {f"dreamd/{name}" for name in tracked_files() if name.partition("/")[0] in ROOMS}
    assert {name for name in contents(the_wheel(built)) if name.split("/")[1] in ROOMS} == expected


def test_the_wheel_of_the_source_archive_is_the_wheel_of_the_tree(built: Path) -> None:
    assert contents(the_wheel(built)) == contents(the_wheel(built / "direct"))


def test_a_source_archive_holds_real_files_and_no_bare_room(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert all(member.isfile() or member.isdir() for member in members)  # a link would lead nowhere
    tops = {member.name.split("/")[1] for member in members if "/" in member.name}
    assert tops.isdisjoint({*ROOMS, "tests", "bench", "docs"})
    assert tops >= {"dreamd", "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"}


@pytest.mark.parametrize("folder", [".", "direct"], ids=["from the source archive", "from the tree"])
def test_an_installed_wheel_runs_far_from_the_clone(built: Path, folder: str, tmp_path: Path) -> None:
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=True)
    python = home / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps")
    run(*pip, "--no-compile", the_wheel(built / folder), cwd=tmp_path)
    # After the installation: pip would take the dreamd of this environment for one that is installed there already. An
    # editable one stays out of sight, since the .pth files of a folder that a .pth names are not read.
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path).strip())
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")

    where = run(python, "-c", "import dreamd.daemon; print(dreamd.daemon.__file__)", cwd=tmp_path).strip()
    assert Path(where).resolve().is_relative_to(site.resolve())
    assert dreamd.__version__ in run(home / "bin" / "dreamd", "--version", cwd=tmp_path)
    assert "Usage" in run(home / "bin" / "dreamd", "--help", cwd=tmp_path)
    bare = f"import importlib.util as u; print([n for n in {ROOMS} if u.find_spec(n)])"
    assert run(python, "-c", bare, cwd=tmp_path).strip() == "[]"
