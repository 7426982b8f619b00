"""An archive is not believed: what is no backup is refused with a reason, and the home stays as it was."""

import gzip
import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile

import pytest
from alembic import command
from alembic.config import Config

from dreamd.daemon.backups.archive import Manifest, Member, member_of, read_archive, write_archive
from dreamd.daemon.storage.engine import make_engine, writing
from dreamd.daemon.storage.schema import MIGRATIONS, VERSIONS
from tests.acceptance.canaries import FIRST, SECOND, story_of
from tests.acceptance.homes import AHome, a_home
from tests.cli import lines


@pytest.fixture(scope="module")
def backup(tmp_path_factory):
    """A backup that is as it should be."""
    folder = tmp_path_factory.mktemp("hostile")
    home = a_home(folder / "home")
    (folder / "events.jsonl").write_text(lines(*story_of("cache")))
    home.ok("--now", FIRST, "ingest", "events", str(folder / "events.jsonl"))
    home.ok("--now", FIRST, "run")
    home.ok("--now", FIRST, "backup", str(folder / "good.tar"))
    return folder / "good.tar"


def refused(file, folder, code: int = 65) -> str:
    """The reason for which `file` is not restored; nothing is left of it."""
    there = AHome(folder / "there")
    before = sorted(os.listdir(folder))
    ended = there.dreamd("restore", str(file))
    assert ended.code == code, ended.err + ended.out
    assert sorted(os.listdir(folder)) == before
    return ended.err


def with_member(backup, file, info: tarfile.TarInfo, content: bytes = b"") -> None:
    """`backup` with one more member in front of its last one."""
    with tarfile.open(backup) as old, tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as new:
        members = old.getmembers()
        for each in members[:-1]:
            new.addfile(each, old.extractfile(each))
        info.size = len(content)
        new.addfile(info, io.BytesIO(content))
        new.addfile(members[-1], old.extractfile(members[-1]))


KINDS = {
    "symbolic link": tarfile.SYMTYPE,
    "hard link": tarfile.LNKTYPE,
    "device": tarfile.CHRTYPE,
    "pipe": tarfile.FIFOTYPE,
    "folder": tarfile.DIRTYPE,
    "extended header": tarfile.XHDTYPE,
    "long name": tarfile.GNUTYPE_LONGNAME,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_file_is_refused(kind, backup, tmp_path):
    info = tarfile.TarInfo("home/predicates.toml")
    info.type, info.linkname = KINDS[kind], "/etc/passwd"
    with_member(backup, tmp_path / "b.tar", info)
    assert "is no regular file" in refused(tmp_path / "b.tar", tmp_path)


@pytest.mark.parametrize(
    "name",
    ["/etc/cron.d/x", "home/../../x", "home/key/x", "../x", "home/.bashrc", "memory/a/b.bundle", "home/x\x1b[2J"],
)
def test_a_name_that_no_backup_has_is_refused(name, backup, tmp_path):
    with_member(backup, tmp_path / "b.tar", tarfile.TarInfo(name), b"x")
    told = refused(tmp_path / "b.tar", tmp_path)
    assert "which no backup has" in told
    assert "\x1b" not in told


def test_a_file_that_is_not_listed_or_comes_twice_is_refused(backup, tmp_path):
    for name in ("home/predicates.toml", "home/key"):
        with_member(backup, tmp_path / "b.tar", tarfile.TarInfo(name), b"x")
        assert "does not list once" in refused(tmp_path / "b.tar", tmp_path)


def test_a_backup_that_is_cut_off_or_changed_anywhere_is_refused(backup, tmp_path):
    whole = backup.read_bytes()
    packed = gzip.compress(whole, 1)
    for place in range(1, 14):
        (tmp_path / "b.tar").write_bytes(whole[: len(whole) * place // 14])
        # Only the end mark of a tar may lack: all that was listed is there, and compared.
        if len(whole) * place // 14 < len(whole) - 10240:
            refused(tmp_path / "b.tar", tmp_path)
        (tmp_path / "b.tar").write_bytes(packed[: len(packed) * place // 14])
        refused(tmp_path / "b.tar", tmp_path)
    for content in (b"", b"no tar", b"\0" * 4096, b"\x1f\x8b" + b"\xff" * 600):
        (tmp_path / "b.tar").write_bytes(content)
        refused(tmp_path / "b.tar", tmp_path)
    place = whole.index(b"SQLite format 3")
    (tmp_path / "b.tar").write_bytes(whole[: place + 5000] + b"\x7f" + whole[place + 5001 :])
    assert "sha256 differs" in refused(tmp_path / "b.tar", tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "no regular file" in refused(tmp_path / "pipe", tmp_path)


def packed_again(backup, folder, change) -> None:
    """`backup` with what `change` makes of its files below a folder, and a manifest that agrees with that."""
    (folder / "in").mkdir()
    manifest = read_archive(backup, folder / "in")
    spaces = change(folder / "in")
    files = {name: member_of(folder / "in" / name) for name in manifest.files if (folder / "in" / name).exists()}
    changed = Manifest(made_at="2026", dreamd="0", schema="x", spaces=spaces or manifest.spaces, files=files)
    write_archive(folder / "in", changed, folder / "b.tar")


def test_a_manifest_that_promises_more_than_the_disk_holds_is_refused_before_a_byte_is_written(backup, tmp_path):
    manifest = read_archive(backup, None)
    huge = {**manifest.files, "memory/zzz.bundle": Member(size=1 << 60, sha256="0" * 64)}
    text = json.dumps(
        {**manifest.as_json(), "files": {n: {"size": m.size, "sha256": m.sha256} for n, m in huge.items()}}
    )
    with tarfile.open(tmp_path / "b.tar", "w") as tar:
        info = tarfile.TarInfo("manifest.json")
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text.encode()))
    assert "are free" in refused(tmp_path / "b.tar", tmp_path)


@pytest.mark.parametrize("what", ["damaged", "no database", "other spaces", "no key", "bundle", "later"])
def test_a_backup_whose_contents_are_not_what_they_say_is_refused(what, backup, tmp_path):
    def change(folder):
        if what == "damaged":
            content = (folder / "home/dreamd.db").read_bytes()
            (folder / "home/dreamd.db").write_bytes(content[:8192] + b"\x99" * 4096 + content[12288:])
        elif what == "no database":
            (folder / "home/dreamd.db").write_bytes(b"x" * 4096)
        elif what == "no key":
            (folder / "home/key").write_text("cafe\n")
        elif what == "bundle":
            content = (folder / "memory/default.bundle").read_bytes()
            (folder / "memory/default.bundle").write_bytes(content[:-200])
        elif what == "later":
            engine = make_engine(folder / "home/dreamd.db")
            with writing(engine) as connection:
                connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
            engine.dispose()
        return {"other": {"digest": "", "events": 0, "runs": 0}} if what == "other spaces" else None

    packed_again(backup, tmp_path, change)
    code = {"damaged": 74, "no database": 74, "no key": 78, "later": 74}.get(what, 65)
    told = refused(tmp_path / "b.tar", tmp_path, code)
    assert "9999" not in told or "a newer one" in told


@pytest.mark.parametrize("name", [".git", "..", "GIT~1", ".git "])
def test_a_bundle_whose_tree_leads_out_of_the_repository_writes_nothing_there(name, backup, tmp_path):
    def change(folder):
        made = tmp_path / "made"
        run = ["git", "-C", str(made), "-c", "user.name=A", "-c", "user.email=a@b.invalid"]

        def git(*words: str, stdin: bytes = b"") -> str:
            return subprocess.run([*run, *words], input=stdin, capture_output=True, check=True).stdout.decode().strip()

        made.mkdir()
        git("init", "-q")
        blob = git("hash-object", "-w", "--stdin", stdin=b"#!/bin/sh\ntouch /tmp/pwned\n")
        tree = b"100755 hooked\0" + bytes.fromhex(blob)
        for part in ("hooks", name):
            inner = git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=tree)
            tree = b"40000 " + part.encode() + b"\0" + bytes.fromhex(inner)
        top = git("hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=tree)
        git("update-ref", "refs/heads/main", git("commit-tree", top, "-m", "x"))
        git("bundle", "create", "-q", str(folder / "memory/default.bundle"), "--all")
        shutil.rmtree(made)

    packed_again(backup, tmp_path, change)
    AHome(tmp_path / "there").dreamd("restore", str(tmp_path / "b.tar"))
    assert list(tmp_path.rglob("hooked")) == []


ENDS = (VERSIONS[0], VERSIONS[-2])


@pytest.mark.parametrize(
    "version",
    [pytest.param(each, marks=() if each in ENDS else (pytest.mark.long,)) for each in VERSIONS[:-1]],
)
def test_a_backup_of_every_earlier_version_of_the_tables_is_brought_to_the_present_one(version, backup, tmp_path):
    def change(folder):
        (folder / "home/dreamd.db").rename(folder / "present.db")
        engine = make_engine(folder / "home/dreamd.db")
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        with writing(engine) as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, version)
        engine.dispose()
        with sqlite3.connect(folder / "home/dreamd.db") as old:  # the same memory, in the columns of that time
            old.execute("ATTACH ? AS present", (str(folder / "present.db"),))
            for (table,) in old.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
                there, now = (
                    [row[1] for row in old.execute(f"PRAGMA {of}.table_info({table})")] for of in ("main", "present")
                )
                columns = ", ".join(f'"{name}"' for name in there if name in now)
                if columns and table != "alembic_version":
                    old.execute(f'INSERT INTO main."{table}" ({columns}) SELECT {columns} FROM present."{table}"')
        old.close()

    packed_again(backup, tmp_path, change)
    home = AHome(tmp_path / "there")
    home.ok("restore", str(tmp_path / "b.tar"))
    assert home.ok("--json", "show", "cache").json()["claims"]
    (tmp_path / "events.jsonl").write_text(lines(*story_of("queue")))
    home.ok("--now", SECOND, "ingest", "events", str(tmp_path / "events.jsonl"))
    home.ok("--now", SECOND, "run")
    home.ok("--now", SECOND, "export")
    assert home.ok("--json", "status").json()["wrong"] == []
    assert home.ok("verify").out == "clean\n"
