"""CI accepts no skipped test but one that needs an optional package (docs/decisions/0003-no-skipped-test.md)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"
SKIPPING = """
import pytest

@pytest.mark.skip(reason="no database")
def test_plain(): ...

@pytest.mark.heavy_extra
@pytest.mark.skip(reason="no model")
def test_extra(): ...

@pytest.mark.xfail(reason="known", strict=True)
def test_known():
    assert False
"""
SKIPPED_WHOLE = 'import pytest\npytest.skip("no tool", allow_module_level=True)\n'


def outcome(folder: Path, *, in_ci: bool, text: str) -> str:
    """The last line of pytest on a file with `text`, in two workers as `make test` does."""
    shutil.copy(CONFTEST, folder)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    heavy_extra\n", encoding="utf-8")
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "TESTS_"))}
    environ |= {"DREAMD_CI": "1"} if in_ci else {}
    command = (sys.executable, "-m", "pytest", "-n", "2", "-p", "no:cacheprovider", "test_it.py")
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    return done.stdout.strip().splitlines()[-1]


def test_a_skipped_test_is_a_failure_in_ci_unless_it_needs_a_heavy_extra(tmp_path: Path) -> None:
    # pytest calls a failure before the test's own code an error.
    assert "1 skipped, 1 xfailed, 1 error" in outcome(tmp_path, in_ci=True, text=SKIPPING)


def test_a_skipped_test_is_a_skipped_test_elsewhere(tmp_path: Path) -> None:
    assert "2 skipped, 1 xfailed" in outcome(tmp_path, in_ci=False, text=SKIPPING)


@pytest.mark.parametrize(("in_ci", "expected"), [(True, "error"), (False, "1 skipped")])
def test_so_is_a_file_that_skips_itself(tmp_path: Path, in_ci: bool, expected: str) -> None:
    assert expected in outcome(tmp_path, in_ci=in_ci, text=SKIPPED_WHOLE)
