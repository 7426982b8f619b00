"""However much comes in, taking it in holds the same little memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.acceptance.homes import a_home
from tests.streamed import EVERY, MEBIBYTE, OF_TEN, mixed_lines, read_by_dreamd

ALLOWED = 256 * MEBIBYTE
MAY_GROW = 16 * MEBIBYTE  # by what the allocator, the page cache of the database and a thousand rejections take


def peak_for(count: int, folder: Path) -> int:
    home = a_home(folder / str(count))
    answered, peak = read_by_dreamd(home.path, mixed_lines(count))
    counted = {name: answered[name] for name in ("new", "duplicate", "rejected")}
    assert counted == {name: OF_TEN[name] * count // EVERY for name in counted}
    assert len(answered["rejections"]) == min(counted["rejected"], 1_000)
    return peak


def test_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    few, many = peak_for(20_000, tmp_path), peak_for(200_000, tmp_path)
    assert many < ALLOWED
    assert many - few < MAY_GROW


@pytest.mark.long
def test_ten_million_lines_fit_into_256_megabytes(tmp_path: Path) -> None:
    assert peak_for(10_000_000, tmp_path) < ALLOWED


@pytest.mark.parametrize("filling", [b"{},", b'"x",'])
def test_lines_as_large_as_they_may_be_fit_into_256_megabytes(filling: bytes, tmp_path: Path) -> None:
    def lines() -> Iterator[bytes]:
        for number in range(3):
            start = b'{"at": "2026-01-01T00:00:00Z", "text": "A large one, number %d", "more": ' % number
            yield start + b"[" + filling * (990_000 // len(filling)) + b"0]}\n"

    answered, peak = read_by_dreamd(a_home(tmp_path / "home").path, lines())
    assert answered["new"] == 3
    assert peak < ALLOWED
