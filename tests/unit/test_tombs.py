"""What a purge keeps for itself: the file of tombs and the certificate."""

from pathlib import Path

from dreamd.daemon.certificate import Certificate, Place
from dreamd.daemon.tombs import Tomb, Tombs


def a_seal(space: str, kind: str, text: str) -> str:
    return f"{space}/{kind}/{text}"


def test_a_line_that_a_power_cut_left_swallows_none_that_comes_after_it(tmp_path: Path) -> None:
    path = tmp_path / "tombstones"
    path.write_text('{"space": "ops", "kind": "purged-ev')
    Tombs(path, a_seal).add([Tomb(space="ops", kind="purged-event", seal=seal, purge=1) for seal in ("aa", "bb")])
    assert Tombs(path, a_seal).digests("ops") == {"aa", "bb"}


def test_a_certificate_names_the_place_that_could_not_be_looked_at() -> None:
    places = (Place(name="database", left=0), Place(name="profile letta", left=None, note="cannot be read"))
    certificate = Certificate(
        number=1, space="ops", kind="target", at="2026-03-01T00:00:00Z", counts={}, reached=places, out_of_reach=()
    )
    assert not certificate.is_complete
    assert "- database: nothing left" in certificate.in_markdown()
    assert "- profile letta: not looked at; cannot be read" in certificate.in_markdown()
    assert certificate.in_words()[1:] == ["  Still there: profile letta (not looked at); cannot be read"]
