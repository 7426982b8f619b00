"""Any history keeps every promise of revert: 300 on SQLite and 30 with Git; in the long run 2,000 and 200."""

import os

import pytest
from hypothesis import settings

from tests.histories import Histories

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"


class HistoriesWithGit(Histories):
    with_git = True


TestHistoriesOnSQLite = Histories.TestCase
TestHistoriesOnSQLite.settings = settings(max_examples=2_000 if LONG else 300, stateful_step_count=12, deadline=None)

TestHistoriesWithGit = HistoriesWithGit.TestCase
TestHistoriesWithGit.settings = settings(max_examples=200 if LONG else 30, stateful_step_count=8, deadline=None)

pytestmark = pytest.mark.filterwarnings("error")
