"""Where each setting comes from, and that all that is wrong is said at once."""

import subprocess
import sys
from dataclasses import fields

import pytest

from dreamd.daemon import settings, settings_fields
from dreamd.daemon.errors import Configuration
from dreamd.daemon.home import Home
from dreamd.daemon.intake.limits import Limits
from dreamd.daemon.remotes.choice import Remotes
from dreamd.lifecycle.policy import Policy
from dreamd.lifecycle.words import Actor


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def test_without_file_and_environment_all_is_default(home):
    loaded = settings.load(home, {})
    assert loaded.settings == settings.Settings()
    assert loaded.policy() == Policy()
    assert set(loaded.origins.values()) == {"default"}
    assert len(loaded.origins) == len(settings.described())


def test_the_file_beats_the_default_and_the_environment_beats_the_file(home):
    home.settings_file.write_text('[policy]\nstretch_max = 1\ndormant_after_days = 40\nsilence = "calendar"\n')
    loaded = settings.load(home, {"DREAMD_POLICY__STRETCH_MAX": "2.5", "DREAMD_CHANNELS__JSONL": "tool"})
    assert loaded.policy().stretch_max == 2.5
    assert loaded.policy().dormant_after_days == 40.0
    assert loaded.policy().silence == "calendar"
    assert loaded.settings.channels.jsonl is Actor.TOOL
    assert loaded.origins["policy.stretch_max"] == "environment"
    assert loaded.origins["policy.dormant_after_days"] == "file"
    assert loaded.origins["policy.near_miss_count"] == "default"


def test_the_environment_of_the_process_is_not_read(home, monkeypatch):
    monkeypatch.setenv("DREAMD_POLICY__STRETCH_MAX", "3")
    assert settings.load(home, {}).policy().stretch_max == Policy().stretch_max


def test_all_problems_are_reported_at_once_with_name_value_allowed_and_origin(home):
    home.settings_file.write_text(
        '[policy]\nstretch_mx = 2\nsilence = "never"\nfuse_run_share = true\n'
        "canonical_min_coverage = 1.5\n[extras]\na = 1\n"
    )
    environ = {"DREAMD_POLICY__NEAR_MISS_COUNT": "many", "DREAMD_LIMTS__JSON_DEPTH": "4", "DREAMD_HOME": "/x"}
    with pytest.raises(Configuration) as raised:
        settings.load(home, environ)
    message = raised.value.message
    assert message.startswith("7 problems in the settings:")
    for part in (
        "policy.stretch_mx is no setting (from dreamd.toml); did you mean policy.stretch_max?",
        "policy.silence is 'never' (from dreamd.toml); allowed: waking, calendar",
        "policy.fuse_run_share is True (from dreamd.toml); allowed: number from 0 to 1",
        "policy.canonical_min_coverage is 1.5 (from dreamd.toml); allowed: number from 0 to 1",
        "extras.a is no setting",
        "policy.near_miss_count is 'many' (from DREAMD_POLICY__NEAR_MISS_COUNT); allowed: whole number",
        "DREAMD_LIMTS__JSON_DEPTH is no setting (from the environment); did you mean DREAMD_LIMITS__JSON_DEPTH?",
    ):
        assert part in message
    assert raised.value.exit_code == 78


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("decaying_after_days = 30", ("policy.decaying_after_days", "policy.dormant_after_days")),
        ("utility_weight = 0.5", ("policy.utility_weight", "sum to 1.1")),
        ("faded_below_confidence = 0.2", ("policy.min_base_confidence",)),
        ("fuse_week_share = 0.05", ("policy.fuse_run_share",)),
        ("stretch_max = nan", ("policy.stretch_max",)),
        ("decaying_after_days = inf", ("policy.decaying_after_days",)),
    ],
)
def test_numbers_that_contradict_each_other_or_are_none_are_refused(home, text, names):
    home.settings_file.write_text(f"[policy]\n{text}\n")
    with pytest.raises(Configuration) as raised:
        settings.load(home, {})
    assert all(name in raised.value.message for name in names)


def test_weights_that_sum_to_one_are_accepted(home):
    home.settings_file.write_text("[policy]\nutility_weight = 0.1\nremoval_cost_weight = 0.7\nstability_weight = 0.2\n")
    assert settings.load(home, {}).policy().removal_cost_weight == 0.7


@pytest.mark.parametrize("content", [b"[policy\n", b"\xff\xfe", b"policy = 3\n"])
def test_a_broken_file_is_a_problem_beside_the_others(home, content):
    home.settings_file.write_bytes(content)
    with pytest.raises(Configuration, match="2 problems"):
        settings.load(home, {"DREAMD_NONSENSE": "1"})


def test_the_template_changes_nothing_as_it_is_and_nothing_when_uncommented(home):
    home.settings_file.write_text(settings.template())
    assert set(settings.load(home, {}).origins.values()) == {"default"}
    plain = "\n".join(line.removeprefix("# ") for line in settings.template().splitlines()[1:])
    home.settings_file.write_text(plain)
    loaded = settings.load(home, {})
    assert loaded.settings == settings.Settings()
    assert set(loaded.origins.values()) == {"file"}


@pytest.mark.parametrize(
    ("values", "meanings"),
    [
        (Policy, settings_fields.POLICY),
        (Limits, settings_fields.LIMITS),
        (settings.Channels, settings_fields.CHANNELS),
        (Remotes, settings_fields.REMOTE),
    ],
)
def test_every_setting_has_a_meaning_and_no_meaning_lacks_its_setting(values, meanings):
    in_a_file_of_its_own = {"predicates"}
    assert [each.name for each in fields(values) if each.name not in in_a_file_of_its_own] == list(meanings)
    assert all(meaning.text.endswith(".") for meaning in meanings.values())


def test_the_value_of_a_setting_is_found_by_its_dotted_name():
    assert settings.value_of(settings.Settings(), "limits.json_depth") == 32


def test_a_home_can_be_named_without_paying_for_pydantic():
    code = (
        "import sys, dreamd.daemon.home, dreamd.daemon.errors, dreamd.daemon.intake.events, dreamd.daemon.failpoints;"
        "sys.exit('pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
