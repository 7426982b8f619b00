"""Kill -9 at every named failpoint, and again while it recovers: the next run ends where an unkilled one does."""

import signal

import pytest

from dreamd.daemon.failpoints import FAILPOINTS
from tests.acceptance.homes import AHome, a_home
from tests.live import STORIES

LINES = (STORIES / "redis.jsonl").read_text().splitlines(keepends=True)
EARLY, LATE = "2026-01-05T23:59:00Z", "2026-01-20T23:59:00Z"
AT_INGEST = "ingest-after-batch"
# Only with a model, a person's edit, a remote, a profile, in a purge or with a backup: test_distiller_kills.py,
# test_nearness.py, test_edit_kills.py, test_remotes_that_fail.py, test_profiles.py, test_purge_kills.py and
# test_restore_kills.py kill there.
ELSEWHERE = ("backup-", "distil-", "edits-", "embed-", "profile-", "pull-", "purge-", "restore-")


def feed(tmp_path):
    """Two files: what comes before the first run, and between the first and the second."""
    early = [line for line in LINES if f'"at": "{EARLY[:10]}' >= line[1:18]]
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    first.write_text("".join(early))
    second.write_text("".join(line for line in LINES if line not in early and line[8:18] <= LATE[:10]))
    return str(first), str(second)


def until_the_first_run(home: AHome, first: str) -> AHome:
    home.ok("--now", EARLY, "ingest", "events", first)
    home.ok("--now", EARLY, "run")
    return home


@pytest.fixture(scope="module")
def unkilled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("unkilled")
    first, second = feed(folder)
    home = until_the_first_run(a_home(folder / "home"), first)
    home.ok("--now", LATE, "ingest", "events", second)
    home.ok("--now", LATE, "run")
    return home


@pytest.mark.parametrize("point", [point for point in FAILPOINTS if not point.startswith(ELSEWHERE)])
def test_a_kill_at_any_failpoint_and_again_in_recovery_changes_nothing_in_the_end(point, unkilled, tmp_path):
    first, second = feed(tmp_path)
    home = until_the_first_run(a_home(tmp_path / "home"), first)
    ingest = ("--now", LATE, "ingest", "events", second)
    if point != AT_INGEST:
        home.ok(*ingest)
    killed = ingest if point == AT_INGEST else ("--now", LATE, "run")

    assert home.process(*killed, DREAMD_FAILPOINT=f"{point}:kill").code == -signal.SIGKILL, "it is never reached"
    again = home.process(*killed, DREAMD_FAILPOINT=f"{point}:kill").code
    assert again in (0, -signal.SIGKILL)

    home.ok(*ingest)
    home.ok("--now", LATE, "run")
    assert home.digest() == unkilled.digest()
    assert home.tree() == unkilled.tree()
    assert home.runs_committed() == unkilled.runs_committed()
    assert len(set(home.runs_committed())) == 2
    assert len(home.ok("--json", "events").json()) == len(unkilled.ok("--json", "events").json())
    assert home.git("default", "status", "--porcelain") == ""
    assert home.ok("verify").out == "clean\n"
