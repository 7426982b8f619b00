"""What holds for every test: nothing of the machine leaks in, Hypothesis says what it does, and CI accepts no skip.

`DREAMD_CI=1` (set by .ci/run) turns a skipped test into a failure, unless it is marked `heavy_extra`: a test that did
not run proves nothing, and nobody reads a green line twice.
"""

import os
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from tests.edited import Edited

SKIP_IS_FAILURE = "TESTS_SKIP_IS_FAILURE"

# At import, so before pytest-xdist starts its workers, which inherit what is left. Settings and Git variables of
# whoever runs the tests would reach the programs under test; DREAMD_CI itself is no setting, and dreamd would say so.
if os.environ.get("DREAMD_CI") == "1":
    os.environ[SKIP_IS_FAILURE] = "1"
for _name in list(os.environ):
    if _name.startswith(("DREAMD_", "GIT_")):
        del os.environ[_name]
os.environ["GIT_CONFIG_GLOBAL"] = os.devnull
os.environ["GIT_CONFIG_NOSYSTEM"] = "1"
os.environ["GIT_TERMINAL_PROMPT"] = "0"

_SLOW_IS_FINE = (hypothesis.HealthCheck.too_slow,)  # two shared cores say nothing about the example
hypothesis.settings.register_profile(
    # The same examples in every run: `make test` never fails by chance. New ones are looked for by the other profile.
    "test",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=_SLOW_IS_FINE,
)
hypothesis.settings.register_profile(
    "long",
    deadline=None,
    derandomize=False,
    max_examples=1_000,
    print_blob=True,
    suppress_health_check=_SLOW_IS_FINE,
)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and item.get_closest_marker("heavy_extra") is None:
        _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:
        _refuse_skip(report)
    return report


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if SKIP_IS_FAILURE in os.environ:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid} was skipped, which CI does not accept: {reason}"


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home after its first dream, to be copied: `edited` is such a copy, whose memory a person edits."""
    from tests.edited import prepare  # noqa: PLC0415 - it imports dreamd, for which the environment is set above

    home = tmp_path_factory.mktemp("prepared") / "home"
    prepare(home)
    return home


@pytest.fixture
def edited(prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> "Edited":
    from tests.edited import copy_of  # noqa: PLC0415 - as above

    return copy_of(prepared, tmp_path / "home", capsys)
