"""Learned targets through the real store: decisions of their day, done again by `retarget`, taken back by `revert`."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.orders import accept, reject
from dreamd.lifecycle.holds import MOVE
from dreamd.lifecycle.retargeting import SPLIT
from dreamd.lifecycle.words import EventKind, Status, Trigger, Waiting
from tests.builders import an_event, day
from tests.cli import command_in, lines
from tests.histories import SAID
from tests.integration.test_laws import END, a_space, assert_same, rows

PATHS = [
    ("src/parser/grammar.py",),
    ("src/reader/tokens.py", "tests/test_tokens.py"),
    ("src/writer/page.py",),
    ("src/server.py",),
]
WORK = [
    an_event(
        f"Handle case {number} of the input", day(number), target=None, files=PATHS[number % 4], session=f"w{number}"
    )
    for number in range(24)
]
LEDGER = an_event("The invoice ledger is closed every Friday", day(3), target=None, session=None)
BILLING = [
    an_event("The invoice ledger balances again", day(30), target="Billing", session=None),
    an_event("An invoice ledger is kept for five years", day(31), target="Billing", session=None),
]

evidence = st.builds(
    lambda said, at, **more: an_event(said[1], day(at), kind=said[0], **more),
    said=st.sampled_from([*SAID, (EventKind.OBSERVATION, "The ledger of the queue is written twice a day")]),
    at=st.integers(0, 800).map(lambda tenth: tenth / 10),
    target=st.sampled_from(["queue", "Deploys", None, None, None]),
    files=st.sampled_from([(), (), *PATHS, ("src/queue/jobs.py",), ("README.md", "src/queue/jobs.py")]),
    session=st.sampled_from(["s1", "s2", None]),
)
histories = st.lists(evidence, min_size=1, max_size=20, unique_by=lambda event: event.id)
some = settings(max_examples=10)


def told(batches, *, end=END):
    """The rows after a run for each of `batches`, and targets looked at again."""
    with a_space() as space:
        for place, batch in enumerate(batches):
            space.add(*batch)
            space.dream(day(end - len(batches) + place + 1))
        space.retarget(day(end))
        assert space.retarget(day(end)).changes == ()
        return rows(space)


@some
@given(histories, st.data())
def test_after_a_retarget_any_order_and_any_split_into_runs_has_given_the_same_rows(events, data):
    known = {event.id for event in events}
    everything = [*events, *(event for event in (*WORK, LEDGER, *BILLING) if event.id not in known)]
    mixed = data.draw(st.permutations(everything))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(mixed)), max_size=4)))
    batches = [mixed[start:end] for start, end in zip([0, *cuts], [*cuts, len(mixed)], strict=True)]
    assert_same(told(batches), told([everything]))


def a_taught_space(space):
    space.add(*WORK, LEDGER)
    space.dream(day(25))
    space.add(*BILLING)
    return space.dream(day(32))


def where(space, event):
    """Target and rule of the link of `event`."""
    (link,) = space.store.links_of_event(event.id)
    return (None if link.stream is None else space.store.stream(link.stream).target), link.rule


def test_an_event_without_a_target_is_looked_at_again_when_later_ones_teach_it():
    with a_space() as space:
        space.add(*WORK, LEDGER)
        space.dream(day(25))
        assert where(space, LEDGER) == (None, "untargeted")
        space.add(*BILLING)
        space.dream(day(32))
        assert where(space, LEDGER) == ("billing", "learned:words")
        assert space.stream("billing").title == "Billing"
        assert space.dream(day(32)).changes == ()


def test_what_was_learned_is_taken_back_as_one_group_and_not_learned_again_until_a_person_lets_it():
    with a_space() as space:
        space.add(*WORK, LEDGER)
        space.dream(day(25))
        before = space.digest()
        plan = a_taught_space(space)
        space.revert(plan.number, day(33))
        assert space.digest() == before
        assert {hold.kind for hold in space.store.holds() if hold.event == LEDGER.id} == {MOVE}
        later = an_event("The invoice ledger has a new column", day(34), target="Billing", session=None)
        space.add(later)
        space.dream(day(35))
        assert where(space, later) == ("billing", "named")
        assert where(space, LEDGER) == (None, "untargeted")
        assert space.retarget(day(36)).changes == ()


def test_a_layout_that_outgrew_a_target_moves_its_events_at_the_next_retarget():
    with a_space() as space:
        few = an_outgrown_space(space)
        assert {where(space, event) for event in few} == {("tool", "path")}
        before = space.digest()
        plan = space.retarget(day(42))
        assert plan.trigger is Trigger.RETARGET
        assert {where(space, event)[0] for event in few} == {"parser", "reader", "writer", "server"}
        assert space.store.stream_by_target("tool") is None
        assert space.dream(day(42)).changes == ()
        space.revert(plan.number, day(43))
        assert space.digest() == before
        assert space.retarget(day(44)).changes == ()


def an_outgrown_space(space, upto=6):
    """A space whose one folder, a target of its own once, has come to hold four components."""
    few = [
        an_event(f"Handle case {number}", day(number), target=None, files=(f"tool/{PATHS[number % 4][0]}",))
        for number in range(upto)
    ]
    space.add(*few)
    space.dream(day(upto))
    space.add(
        *(
            an_event(f"Handle case {number}", day(number), target=None, files=(f"tool/{PATHS[number % 4][0]}",))
            for number in range(upto, 40)
        )
    )
    space.dream(day(41))
    return few


def test_a_stream_that_mixes_components_is_offered_for_a_split_and_accepting_moves_its_events():
    with a_space() as space:
        few = an_outgrown_space(space)
        (proposal,) = space.store.proposals()
        assert (proposal.kind, proposal.status) == (SPLIT, Waiting.OPEN)
        assert proposal.text == (
            "split tool: 6 events that no one named after it belong to parser (2), reader (2), server (1) and 1 more"
        )
        before = space.digest()
        plan = space.order(lambda: accept(space.store, proposal), day(42))
        assert {where(space, event)[0] for event in few} == {"parser", "reader", "writer", "server"}
        assert space.store.stream_by_target("tool") is None
        space.revert(plan.number, day(43))
        assert space.digest() == before


def test_a_rejected_split_is_not_offered_again_and_keeps_the_stream_as_it_is():
    with a_space() as space:
        few = an_outgrown_space(space)
        (proposal,) = space.store.proposals()
        space.order(lambda: reject(proposal), day(42))
        space.add(an_event("Handle one more", day(43), target=None, files=("tool/src/server.py",)))
        plan = space.dream(day(44))
        assert plan.proposals == ()
        space.retarget(day(45))
        assert {where(space, event)[0] for event in few} == {"tool"}


def test_nothing_is_moved_from_a_stream_that_a_person_pinned():
    with a_space() as space:
        few = [
            an_event(f"Case {number}", day(number), target=None, files=("tool/src/parser/a.py",)) for number in range(5)
        ]
        space.add(*few)
        space.dream(day(6))
        space.pin("tool", day(7))
        space.add(
            *(
                an_event(f"Case {number}", day(number), target=None, files=(f"tool/{PATHS[number % 4][0]}",))
                for number in range(5, 40)
            )
        )
        space.dream(day(41))
        space.retarget(day(42))
        assert {where(space, event)[0] for event in few} == {"tool"}
        assert space.stream("tool").status is Status.ACTIVE


def test_retarget_by_command_says_what_moved_and_a_revert_takes_it_back(tmp_path, capsys):
    command = command_in(tmp_path / "home", capsys)
    command("init")
    at = 0

    def learned(count):
        nonlocal at
        rows = []
        for _ in range(count):
            name = ("parser", "reader", "writer", "cache")[at % 4]
            rows.append({"at": f"2026-01-{1 + at // 2:02d}T1{at % 2}:00:00Z", "text": f"The {name} took case {at}"})
            rows[-1] |= {"kind": "observation", "files": [f"tool/{name}.py"]}
            at += 1
        file = tmp_path / "events.jsonl"
        file.write_text(lines(*rows), encoding="utf-8")
        command("ingest", "events", str(file))
        command("--now", f"2026-02-{1 + at // 4:02d}T00:00:00Z", "run")

    learned(8)
    assert {(event["target"], event["rule"]) for event in command("events", "--json").value} == {("tool", "path")}
    learned(24)
    dry = command("retarget", "--dry-run", "--now", "2026-02-20T00:00:00Z", "--json").value
    assert (dry["trigger"], dry["dry_run"]) == ("retarget", True)
    told = command("retarget", "--now", "2026-02-20T00:00:00Z")
    assert told.code == 0
    assert "8 moved to another target" in told.out
    targets = {event["target"] for event in command("events", "--json").value}
    assert targets == {"parser", "reader", "writer", "cache"}
    again = command("retarget", "--now", "2026-02-20T01:00:00Z", "--json").value
    assert (again["run"], again["outcome"]) == (None, "nothing")
    undone = command("undo", "--now", "2026-02-20T02:00:00Z")
    assert undone.code == 0
    moved_back = [event for event in command("events", "--json").value if event["target"] == "tool"]
    assert len(moved_back) == 8
