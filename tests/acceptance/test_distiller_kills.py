"""A run that dies while it asks a model, by kill -9: nothing is paid for twice, and nothing is tried for ever."""

import signal
from collections import Counter

from tests.acceptance.distilled import HEADING, LATER, NOON, TARGETS, fed, page, report, run


def test_a_kill_after_an_answer_was_kept_pays_for_none_twice(tmp_path, model, turn_on):
    unkilled, home = fed(tmp_path, path="unkilled"), fed(tmp_path)
    turn_on(model)
    run(unkilled)
    model.bodies.clear()
    killed = home.process("--now", NOON, "run", DREAMD_FAILPOINT="distil-after-checkpoint:2:kill")
    assert killed.code == -signal.SIGKILL and model.calls == 2
    run(home)
    assert model.calls == len(set(model.questions)) == len(TARGETS)
    assert home.tree() == unkilled.tree()
    assert "3 questions asked, 3 accepted; 300 of" in report(home)
    assert home.ok("verify").out == "clean\n"


def test_half_of_the_summaries_exported_by_another_command_end_as_all_of_them(tmp_path, model, turn_on, monkeypatch):
    home = fed(tmp_path)
    turn_on(model)
    with monkeypatch.context() as cut:
        cut.setattr("dreamd.daemon.failpoints._reached", Counter())
        cut.setenv("DREAMD_FAILPOINT", "distil-after-checkpoint:raise")
        home.dreamd("--now", NOON, "run")
    home.ok("--now", NOON, "export")
    assert sum(HEADING in page(home, target) for target in TARGETS) == 1
    run(home, LATER)
    assert all(HEADING in page(home, target) for target in TARGETS)
    assert model.calls == len(TARGETS)


def test_a_question_over_which_the_process_dies_is_given_up_after_three_attempts(tmp_path, model, turn_on):
    home = fed(tmp_path, ["queue"])
    turn_on(model)
    codes = [home.process("--now", NOON, "run", DREAMD_FAILPOINT="distil-after-answer:kill").code for _ in range(3)]
    assert codes == [-signal.SIGKILL] * 3 and model.calls == 3
    assert run(home, LATER)["problems"] == []
    assert model.calls == 3 and HEADING not in page(home)


def test_an_attempt_counts_before_the_question_is_sent(tmp_path, model, turn_on, monkeypatch):
    home = fed(tmp_path, ["queue"])
    turn_on(model)
    monkeypatch.setenv("DREAMD_FAILPOINT", "distil-before-call:raise")
    for _ in range(3):
        monkeypatch.setattr("dreamd.daemon.failpoints._reached", Counter())
        assert home.dreamd("--now", NOON, "run").code == 70
    run(home, LATER)
    assert model.calls == 0
