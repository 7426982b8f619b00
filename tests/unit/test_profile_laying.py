"""The law of laying out a profile: whoever else writes there loses nothing, and a kill anywhere changes nothing."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.repo_export.profiles.laying import lay_out_profile
from dreamd.repo_export.profiles.record import Place, Record, parse_record, render_record

PATHS = ("MEMORY.md", "dreamd_user_a.md", "deep/er/b.md")
PLACES = ("profile-recorded", "profile-file-written", "profile-written", "")

Files = dict[str, bytes]

generated = st.dictionaries(st.sampled_from(PATHS), st.sampled_from([b"one\n", b"two\n", b"three\n"]))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("dreamd"), generated, st.sampled_from(PLACES), st.booleans()),
        st.tuples(st.just("writes"), st.sampled_from(PATHS), st.sampled_from([b"mine\n", b"one\n"])),
        st.tuples(st.just("deletes"), st.sampled_from(PATHS)),
    ),
    max_size=12,
)


class Killed(Exception):
    """The process is gone."""


class Folder:
    """A profile's folder in which dreamd and a person write, and the record beside it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.place = Place(base=home, below="profiles/shop/x")
        self.record = render_record(Record(profile="x", place=self.place), home)

    def lay_out(self, files: Files, dies_at: str, *, restore: bool) -> bool:
        """Whether dreamd lived to the end."""

        def reach(name: str) -> None:
            if name == dies_at:
                raise Killed

        record = parse_record(self.record, self.home)
        assert record is not None
        try:
            laid = lay_out_profile(files, record, self._save, reach, restore=restore)
        except Killed:
            return False
        assert laid.problem is None
        return True

    def _save(self, record: Record) -> None:
        self.record = render_record(record, self.home)
        assert parse_record(self.record, self.home) == record

    def holds(self) -> Files:
        root = self.place.path
        found = (path for path in root.rglob("*") if path.is_file())
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}

    def write(self, path: str, content: bytes) -> None:
        file = self.place.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


@settings(max_examples=40)
@given(steps=steps, last=generated)
def test_what_a_person_wrote_stays_and_the_rest_comes_out_right(steps: list[tuple[object, ...]], last: Files) -> None:
    with TemporaryDirectory() as name:
        folder = Folder(Path(name).resolve())
        persons: Files = {}  # what a person wrote, where no bytes of dreamd's could be meant
        alike: set[str] = set()  # where a person wrote what dreamd might have written
        for step in steps:
            match step:
                case ("dreamd", dict() as files, str() as dies_at, bool() as restore):
                    folder.lay_out(files, dies_at, restore=restore)
                case ("writes", str() as path, bytes() as content):
                    folder.write(path, content)
                    persons.pop(path, None)
                    persons |= {path: content} if content == b"mine\n" else {}
                    alike |= {path} if content != b"mine\n" else set()
                case ("deletes", str() as path):
                    (folder.place.path / path).unlink(missing_ok=True)
                    persons.pop(path, None)
            assert persons.items() <= folder.holds().items()
        assert folder.lay_out(last, "", restore=True)
        before = folder.holds()
        assert folder.lay_out(last, "", restore=False) and folder.holds() == before  # twice is once
        for path in PATHS:
            # Bytes that a person may have written stay; everything else is as generated.
            assert before.get(path) == persons.get(path, last.get(path)) or path in alike


@settings(max_examples=40)
@given(files=generated, later=generated, dies_at=st.sampled_from(PLACES))
def test_a_kill_and_a_second_try_end_where_no_kill_does(files: Files, later: Files, dies_at: str) -> None:
    with TemporaryDirectory() as name:
        folder = Folder(Path(name).resolve())
        folder.lay_out(files, "", restore=False)
        folder.lay_out(later, dies_at, restore=False)
        assert folder.lay_out(later, "", restore=False)
        assert folder.holds() == later
        assert folder.lay_out({}, "", restore=False) and folder.holds() == {}


def test_a_kill_leaves_no_draft_of_what_went_meanwhile(tmp_path: Path) -> None:
    folder = Folder(tmp_path.resolve())
    assert not folder.lay_out({"MEMORY.md": b"secret\n"}, "profile-recorded", restore=False)
    folder.write(".MEMORY.md.dreamd-new", b"sec")  # as a kill in the middle of a write leaves it
    folder.write(".other.dreamd-new", b"not ours")
    assert folder.lay_out({}, "", restore=False) and folder.holds() == {".other.dreamd-new": b"not ours"}
