"""The adapter of Claude Code alone: the same bytes give the same events, in however many pieces they are read."""

import json
from io import BytesIO

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.daemon.intake.adapters.claude_code import adapter
from dreamd.daemon.intake.adapters.port import Draft, Found, LeftOut, Mark, Memory, Seen
from dreamd.daemon.intake.limits import Limits
from tests.claude_sessions import Talk, a_days_work

WORDS = ("npm test", "pytest -q | tail -3", "ls", "git commit -m 'fix: it'", "npm install zod", "cat a && make build")
ENDS = ("", "Exit code 1\nTypeError: no", "4 passed", "1 failed, 2 passed")


def read(content: bytes, memory: Memory, offset: int, line: int) -> tuple[list[Found], int, int]:
    file = BytesIO(content)
    file.seek(offset)
    found = list(adapter(Limits(), str).read(file, memory, line=line))
    marks = [each for each in found if isinstance(each, Mark)]
    kept: list[Found] = [each for each in found if not isinstance(each, Mark)]
    return kept, *((marks[-1].offset, marks[-1].line) if marks else (offset, line))


@st.composite
def sessions(draw: st.DrawFn) -> bytes:
    talk = a_days_work() if draw(st.booleans()) else Talk()
    for _ in range(draw(st.integers(1, 12))):
        match draw(st.integers(0, 4)):
            case 0:
                talk.says(draw(st.sampled_from(("ok", "Never do that.", "Please fix the other test", "/clear"))))
            case 1:
                talk.runs(draw(st.sampled_from(WORDS)), draw(st.sampled_from(ENDS)))
            case 2:
                talk.edits(f"/home/ada/shop/src/{draw(st.sampled_from('abc'))}.py")
            case 3:
                talk.answers("The cause was a stale cache, which is now cleared.")
            case _:
                talk.add(draw(st.sampled_from(("summary", "hologram", "progress"))))
    return talk.text().encode()


def test_only_what_a_person_typed_is_the_persons() -> None:
    queued = {"type": "queued_command", "prompt": "Never push to main.", "commandMode": "prompt"}
    talk = Talk().add("attachment", attachment=queued)
    talk.add("attachment", attachment={**queued, "commandMode": "task-notification"})
    talk.says("Never push to main.", origin={"kind": "channel"}).says("Never push to main.", promptSource="system")
    talk.says("Never push to main.", isMeta=True).says("Never push to main.", isCompactSummary=True)
    found = read(talk.text().encode(), {}, 0, 0)[0]
    assert [(each.line, each.fields["actor"]) for each in found if isinstance(each, Draft)] == [(1, "user")]


@settings(max_examples=60)
@given(sessions(), st.data())
def test_the_same_bytes_in_any_pieces_give_the_same(content: bytes, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(content)), max_size=5)))
    memory: Memory = {}
    pieces: list[Found] = []
    offset = line = 0
    for end in [*cuts, len(content)]:
        found, offset, line = read(content[:end], memory, offset, line)
        pieces += found
        memory = json.loads(json.dumps(memory))
    assert pieces == read(content, {}, 0, 0)[0]


@settings(max_examples=40)
@given(sessions())
def test_every_record_is_counted_and_comes_to_something(content: bytes) -> None:
    found = read(content, {}, 0, 0)[0]
    lines = range(1, content.count(b"\n") + 1)
    assert [each.line for each in found if isinstance(each, Seen)] == [*lines]
    assert {each.line for each in found if isinstance(each, Draft | LeftOut)} == {*lines}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    (
                        "type",
                        "message",
                        "content",
                        "text",
                        "role",
                        "user",
                        "tool_use_id",
                        "input",
                        "toolUseResult",
                        "answers",
                        "command",
                    )
                ),
                inner,
            )
        ),
        max_leaves=20,
    )
)
def test_no_shape_of_a_record_is_too_odd(value: object) -> None:
    for kind in ("user", "assistant", "attachment", "progress", "system"):
        records = (
            {"type": kind, "message": value, "toolUseResult": value, "attachment": value, "data": value},
            {
                "type": kind,
                "message": {
                    "content": [value, {"type": value, "text": value, "content": value, "input": value, "name": value}]
                },
            },
            value,
        )
        read("".join(json.dumps(record) + "\n" for record in records).encode(), {}, 0, 0)
