"""A page that is made from the one before has the bytes of one that is made of everything."""

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch, mark, raises

from dreamd.daemon.rendering import render_state
from dreamd.lifecycle.plan import Plan
from dreamd.lifecycle.words import Actor, EventKind
from dreamd.repo_export import tree
from dreamd.repo_export.grown_page import GrownPage, NotGrown, read_page_before, render_grown_page
from dreamd.repo_export.manifest import MANIFEST_PATH, parse_manifest
from dreamd.repo_export.page import MAX_GROUPS
from tests.builders import an_event, day
from tests.live import LiveSpace

Files = dict[str, bytes]
# Some of them say the same in other words; some end others.
TEXTS = [
    *(f"Part {number} of the gateway needs an owner" for number in range(MAX_GROUPS + 20)),
    *(f"part {number} of the gateway needs an owner." for number in range(9)),
    *(f"Part  {number} of the gateway  needs an owner!" for number in range(9)),
    *(f"Part {number} of the gateway badly needs an owner" for number in range(9)),
    *(f"An owner: part {number} of the gateway needs it" for number in range(9)),
    *(f"Part {number} of the gateway badly needs an owner" for number in range(9)),
    *(f"An owner: part {number} of the gateway needs it" for number in range(9)),
    "Use Redis for the queue",
    "Use PostgreSQL for the queue",
    "The queue [id: cl_0123456789abcdef] has a `strange` name; see: 3 more statements not shown; see: x",
]
said = st.fixed_dictionaries(
    {
        "text": st.sampled_from(TEXTS),
        "kind": st.sampled_from([EventKind.OBSERVATION] * 6 + [EventKind.DECISION, EventKind.RETRACTION]),
        "actor": st.sampled_from([Actor.AGENT, Actor.AGENT, Actor.USER, Actor.EXTERNAL]),
        "target": st.sampled_from(["gateway", "gateway", "gateway", "queue"]),
        "age": st.sampled_from([0.0, 0.25, 0.5, 4.5]),
    }
)
nights = st.lists(st.lists(said, min_size=1, max_size=30), min_size=3, max_size=6)


class Rendered:
    """A space whose files are kept in memory, each night rendered on the files before."""

    def __init__(self, folder: Path) -> None:
        self.space = LiveSpace(folder, with_git=False)
        self.files: Files = {}

    def night(self, number: int, events: list[dict[str, object]]) -> Plan:
        now = day(number)
        for place, fields in enumerate(events):
            at = now - timedelta(days=float(str(fields["age"])), seconds=60 + place)
            about = {name: value for name, value in fields.items() if name not in ("age", "text")}
            self.space.add(an_event(str(fields["text"]), at, session=f"s{number}", **about))
        plan = self.space.dream(now)
        manifest = parse_manifest(self.files[MANIFEST_PATH]) if self.files else None
        files, _ = render_state(
            self.space.store,
            manifest,
            later=(),
            changes=plan.changes,
            redact=str,
            contents=lambda paths: {path: self.files[path] for path in paths if path in self.files},
        )
        self.files |= {path: content for path, content in files.items() if content is not None}
        for path in [path for path, content in files.items() if content is None]:
            self.files.pop(path, None)
        return plan

    def whole(self) -> Files:
        files, _ = render_state(self.space.store, None, later=(), changes=None, redact=str)
        return {path: content for path, content in files.items() if content is not None}


@settings(max_examples=15, deadline=None)
@given(nights=nights)
def test_a_page_taken_further_has_the_bytes_of_one_made_of_everything(nights: list[list[dict[str, object]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rendered = Rendered(Path(folder))
        for number, events in enumerate(nights):
            rendered.night(2 * number + 1, events)
            assert rendered.files == rendered.whole()
        rendered.space.close()


def told_often(folder: Path, monkeypatch: MonkeyPatch) -> tuple[Rendered, list[GrownPage]]:
    """Two nights about one target with more statements than a page holds."""
    made: list[GrownPage] = []

    def seen(grown: GrownPage) -> bytes:
        made.append(grown)
        return render_grown_page(grown)

    monkeypatch.setattr(tree, "render_grown_page", seen)
    rendered = Rendered(folder)
    about = {"kind": EventKind.OBSERVATION, "actor": Actor.AGENT, "target": "gateway"}
    rendered.night(1, [{**about, "text": text, "age": 0.5} for text in TEXTS[: MAX_GROUPS + 10]])
    rendered.night(3, [{**about, "text": text, "age": 0.5} for text in TEXTS[: MAX_GROUPS + 10]])
    return rendered, made


def test_only_what_was_told_is_rendered_again(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    rendered, made = told_often(tmp_path, monkeypatch)
    made.clear()
    about = {"kind": EventKind.OBSERVATION, "actor": Actor.AGENT, "target": "gateway", "age": 0.5}
    rendered.night(4, [{**about, "text": TEXTS[MAX_GROUPS + 5]}, {**about, "text": "A word that is new"}])
    (grown,) = made
    assert {claim.text for claim in grown.page.claims} == {TEXTS[MAX_GROUPS + 5], "A word that is new"}
    assert rendered.files == rendered.whole()
    rendered.space.close()


def test_a_file_that_somebody_else_wrote_is_not_taken_further(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    rendered, made = told_often(tmp_path, monkeypatch)
    path = "knowledge/gateway.md"
    rendered.files[path] = rendered.files[path].replace(b"needs an owner", b"needs no owner", 1)
    made.clear()
    about = {"kind": EventKind.OBSERVATION, "actor": Actor.AGENT, "target": "gateway", "age": 0.5}
    rendered.night(4, [{**about, "text": "A word that is new"}])
    assert not made
    assert rendered.files == rendered.whole()
    rendered.space.close()


@mark.parametrize("content", [b"", b"# Title\n", b"---\n---\n# Title\n\nWords\n\nNothing is currently stated.\n"])
def test_a_page_that_states_nothing_is_not_taken_further(content: bytes) -> None:
    with raises(NotGrown):
        read_page_before(content)
