"""Laws of the asking, whatever a model does: bounded cost, bounded attempts, no answer paid for twice, no decision."""

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.distiller.address import Distilling
from dreamd.daemon.distiller.state import read_state
from dreamd.daemon.distiller.step import MAX_ATTEMPTS, distil
from dreamd.lifecycle.words import EventKind
from dreamd.reflection.distilling.asking import most_tokens
from dreamd.reflection.ports import Answer, NoAnswer
from tests.builders import an_event, day
from tests.live import LiveSpace, nothing
from tests.model_server import answer

TARGETS = ("cache", "mailer", "queue", "search")
GOOD, JUNK, CUT, DOWN, DIES = "good", "junk", "cut", "down", "dies"


class Dies(Exception):
    """The process ends while the model is asked."""


class Model:
    """Does what a test says, one deed a question; the last one goes on."""

    model = "m:1"

    def __init__(self, deeds):
        self.deeds = list(deeds)
        self.asked: Counter[str] = Counter()  # how often each question was put
        self.paid: Counter[str] = Counter()  # how often each was answered well
        self.within = True  # whether each answer cost what it was said to cost at most

    def ask(self, messages, max_tokens):
        shown = messages[-1].text
        self.asked[shown] += 1
        deed = self.deeds.pop(0) if len(self.deeds) > 1 else self.deeds[0]
        if deed == DIES:
            raise Dies
        if deed in (CUT, DOWN):
            return NoAnswer(reason=deed, blames_input=deed == CUT, is_lasting=deed == DOWN)
        if deed == JUNK:
            return Answer(text="Error: overloaded", tokens=most_tokens(messages))
        self.paid[shown] += 1
        statements = {each["id"]: each["text"] for each in json.loads(shown)["statements"]}
        return Answer(text=answer(statements), tokens=most_tokens(messages) // 2)


def events():
    for target in TARGETS:
        for number, at in enumerate((0, 2, 7, 14)):
            text = f"The {target} lost request {number}"
            yield an_event(text, day(at), target=target, kind=EventKind.ERROR, source=f"session:{target}{number}")


@settings(deadline=None, max_examples=15)
@given(
    deeds=st.lists(st.sampled_from([GOOD, JUNK, CUT, DOWN, DIES]), min_size=1, max_size=14),
    budget=st.sampled_from([0, 1_000, 2_000, 5_000, 20_000]),
    nights=st.integers(min_value=1, max_value=6),
)
def test_whatever_a_model_does_cost_and_attempts_are_bounded_and_no_decision_moves(deeds, budget, nights):
    with TemporaryDirectory() as folder:
        space = LiveSpace(Path(folder), with_git=False)
        space.add(*events())
        space.dream(day(15))
        before = space.digest()
        model = Model(deeds)
        given_settings = Distilling(url="http://127.0.0.1/v1", model=model.model, budget_tokens=budget)
        for _ in range(nights):
            try:
                told = distil(space.store, given_settings, lambda: model, str, nothing)
            except Dies:
                continue
            assert told is None or told.tokens <= budget
            assert told is None or told.asked == told.accepted + len(told.refused) + len(told.unanswered)
        assert space.digest() == before
        assert all(number == 1 for number in model.paid.values())
        if DOWN not in deeds:
            assert all(number <= MAX_ATTEMPTS for number in model.asked.values())
        model.deeds = [GOOD]
        for _ in range(2):
            told = distil(space.store, Distilling(url="http://x", model="m:1"), lambda: model, str, nothing)
        assert len(model.asked) >= len(TARGETS)
        assert told is None and read_state(space.store).waiting == ()
        assert all(model.paid[shown] == 1 or model.asked[shown] >= MAX_ATTEMPTS for shown in model.asked)
        space.close()
