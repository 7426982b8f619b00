"""A home whose memory is generated as profiles too, made once and copied for each test."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.acceptance.homes import KEY, AHome, Ended
from tests.cli import NOON, a_month_of, lines

LATER = "2026-03-21T12:00:00Z"
SETTING = "DREAMD_PROFILES__GENERATED"


def said(text: str, kind: str, target: str, at: str = "2026-03-12T10:00:00Z") -> dict[str, object]:
    return {"at": at, "text": text, "kind": kind, "target": target, "actor": "user"}


FIRST = [
    *a_month_of("redis cache"),
    *a_month_of("queue"),
    said("Use Redis 7 for the cache", "decision", "redis cache"),
    said("Always use tabs", "preference", "style"),
]
SECOND = [said("Use Redis 8 for the cache", "decision", "redis cache", "2026-03-20T13:00:00Z")]


@dataclass(frozen=True)
class Lived:
    """A home with a space `shop`."""

    home: AHome
    generated: str  # the setting; "" for none

    def __call__(self, *words: str, now: str = NOON) -> Ended:
        set_profiles(self.home.path, self.generated)
        return self.home.dreamd(*words, "--now", now)

    def wants(self, generated: str) -> "Lived":
        return Lived(self.home, generated)

    def tells(self, *events: dict[str, object], now: str = LATER) -> None:
        file = self.home.path.parent / "events.jsonl"
        file.write_text(lines(*events))
        ended = self("ingest", "events", "--as", "user", "--space", "shop", str(file), now=now)
        assert ended.code == 0, ended.err

    @property
    def folder(self) -> Path:
        """Of the profile for Claude Code, where it lies by default."""
        return self.home.path / "profiles" / "shop" / "claude-code"

    @property
    def repository(self) -> Path:
        return self.home.path / "memory" / "shop"


def set_profiles(home: Path, generated: str) -> None:
    file = home / "dreamd.toml"
    if file.exists():
        rest = file.read_text().partition("\n[profiles]")[0]
        file.write_text(f'{rest}\n[profiles]\ngenerated = "{generated}"\n')


def a_lived_in_home(path: Path) -> None:
    """The events of FIRST are taken in, no dream yet."""
    path.mkdir(parents=True)
    (path / "key").write_text(f"{KEY}\n")
    lived = Lived(AHome(path), "")
    assert lived("init").code == 0
    lived.tells(*FIRST, now=NOON)


def copied(template: Path, to: Path, generated: str = "claude-code") -> Lived:
    return Lived(AHome(Path(shutil.copytree(template, to, symlinks=True))), generated)


def files_in(folder: Path) -> dict[str, bytes]:
    """What lies below `folder`, links not followed."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
