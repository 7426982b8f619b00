"""The pure half of the git intake: commit records to events, bytes to records."""

import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.intake.git import (
    CommitRecord,
    RefusedCommit,
    _last_part,
    _record,
    cursor_of,
    event_of,
    tips_in,
)
from dreamd.daemon.intake.git_stream import MAX_FIELD_BYTES, MAX_FILES, records_in, tokens_in
from dreamd.daemon.intake.redaction import Redactor
from dreamd.lifecycle.words import Actor, EventKind

SHA = "1" * 40
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def a_record(
    subject: str = "fix(hmr): keep state",
    body: str = "",
    author: str = "Ada <ada@example.org>",
    files: tuple[str, ...] = (),
) -> CommitRecord:
    return CommitRecord(
        sha=SHA,
        parents=(),
        at=datetime(2026, 5, 1, 23, 30, tzinfo=UTC),
        author=author,
        subject=subject,
        body=body,
        files=files,
        file_count=len(files),
    )


def event(record: CommitRecord, **options: object):
    found = event_of(record, space="shop", recorded_at=NOW, redact=lambda text: text.replace("hunter2", "[redacted]"))
    assert found is not None
    return found


def test_a_commit_becomes_an_event_with_its_scope_as_target() -> None:
    found = event(a_record(files=("src/hmr.ts",)))
    assert (found.kind, found.target, found.tags) == (EventKind.COMMIT, "hmr", ("fix",))
    assert (found.text, found.files, found.outcome) == ("fix(hmr): keep state", ("src/hmr.ts",), None)
    assert (found.source, found.given_id, found.session) == (f"git:{SHA}", SHA, "git:2026-05-01")
    assert found.actor is Actor.AGENT


@pytest.mark.parametrize(
    ("subject", "target", "tags"),
    [
        ("feat(Auth-Service)!: drop v1", "Auth-Service", ("feat",)),
        ("Docs: say more", None, ("docs",)),
        ("refactor!: all of it", None, ("refactor",)),
        ("Merge the (old): way", None, ()),
        ("no convention here", None, ()),
        ("fix(): empty scope", None, ()),
        ("see http://example.org: nothing", None, ()),
    ],
)
def test_only_the_conventional_form_gives_a_target_and_a_tag(
    subject: str, target: str | None, tags: tuple[str, ...]
) -> None:
    found = event(a_record(subject))
    assert (found.target, found.tags) == (target, tags)


@pytest.mark.parametrize(
    ("body", "because"),
    [
        ("The cache was cold.\nSo we warm it.\n\nMore.", "The cache was cold.\nSo we warm it."),
        ("Signed-off-by: Ada <ada@example.org>\nCo-authored-by: B <b@c.de>", None),
        ("fix #13", None),
        ("close #4\n\nIt leaked.", "It leaked."),
        ("Asked for by ada@example.org today.", "Asked for by today."),
        ("x" * 501, None),
        ("", None),
    ],
)
def test_the_reason_is_a_short_first_paragraph_without_trailers_and_addresses(body: str, because: str | None) -> None:
    assert event(a_record(body=body)).because == because


@pytest.mark.parametrize(
    "author",
    [
        "dependabot[bot] <x@y>",
        "renovate <bot@renovateapp.com>",
        "github-actions <a@b>",
        "Release Bot <a@b>",
        "x <1+a[bot]@b>",
    ],
)
def test_a_bot_is_a_tool(author: str) -> None:
    assert event(a_record(author=author)).actor is Actor.TOOL


@pytest.mark.parametrize("author", ["Abbot <a@b>", "Robotham Lee <robot@example.org>", "Ada <ada@botany.org>"])
def test_a_person_whose_name_looks_like_one_is_not(author: str) -> None:
    assert event(a_record(author=author)).actor is Actor.AGENT


def test_our_own_commits_are_not_evidence_and_a_quoted_trailer_does_not_hide_one() -> None:
    own = a_record("dream: 3 changes", "why\n\nDreamd-Run: run_1\nDreamd-Base: run_0")
    assert event_of(own, space="s", recorded_at=NOW, redact=str) is None
    event(a_record(body="we now read the Dreamd-Run: trailer"))


def test_secrets_are_redacted_in_every_text() -> None:
    found = event(a_record("fix(hunter2): hunter2", "hunter2 leaked", files=("a/hunter2", "b")))
    assert "hunter2" not in repr(found)
    assert found.files == ("a/[redacted]", "b")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://user:token@example.org/team/shop.git", "shop"),
        ("git@example.org:team/shop.git", "shop"),
        ("git@example.org:shop", "shop"),
        ("ssh://git@example.org:22/team/shop/", "shop"),
        ("/srv/git/shop.git", "shop"),
        ("https://token@example.org", ""),
        ("ext::sh -c touch% /x", ""),
    ],
)
def test_a_remotes_last_part_names_the_project_and_holds_no_credentials(url: str, name: str) -> None:
    assert _last_part(url) == name


def test_a_cursor_survives_the_round_trip_and_damage_reads_everything_again() -> None:
    assert tips_in(cursor_of(["b", "a", "b"])) == ("a", "b")
    assert tips_in(None) == tips_in("{broken") == tips_in('{"a": 1}') == ()


def stream(*tokens: bytes) -> list[tuple[list[bytes], list[bytes], int]]:
    return list(records_in(tokens_in(io.BytesIO(b"\0".join(tokens) + b"\0")), b"mark"))


HEADER = (b"1" * 40, b"", b"1700000000", b"1700000000", b"Ada", b"a@b", b"subject", b"body\n")

no_nul = st.binary(max_size=40).map(lambda raw: raw.replace(b"\0", b"?"))


@given(subject=no_nul, body=no_nul, paths=st.lists(no_nul.filter(bool), max_size=5))
def test_any_bytes_in_messages_and_paths_leave_the_commits_apart(
    subject: bytes, body: bytes, paths: list[bytes]
) -> None:
    header = (*HEADER[:6], subject, body)
    named = [b"\n" + path if place == 0 else path for place, path in enumerate(paths)]
    records = stream(b"mark", *header, *named, b"mark", *HEADER, b"mark", *HEADER, b"\nz")
    assert [(len(fields), found, count) for fields, found, count in records] == [
        (9, paths, len(paths)),
        (9, [], 0),
        (9, [b"z"], 1),
    ]
    assert all(isinstance(_record(fields, frozenset()), CommitRecord | RefusedCommit) for fields in records)


def test_what_is_too_long_or_too_many_is_cut() -> None:
    (fields,) = stream(b"mark", *HEADER[:7], b"xyz " * 1_000_000, *(b"f%d" % number for number in range(1000)))
    assert MAX_FIELD_BYTES - 4 <= len(fields[0][-1]) <= MAX_FIELD_BYTES and fields[0][-1].endswith(b"xyz ...")
    assert (len(fields[1]), fields[2]) == (MAX_FILES, 1000)


def test_a_word_that_is_cut_is_left_out_whole_and_so_is_a_path() -> None:
    """Half a secret has no shape by which it would be known."""
    (fields,) = stream(
        b"mark", *HEADER[:6], b"x" * MAX_FIELD_BYTES, b"said " + b"y" * 70_000, b"\na", b"z" * 70_000, b"b"
    )
    assert (fields[0][7:], fields[1:]) == ([b"...", b"said ..."], ([b"a", b"b"], 3))


TOKEN = "ghp_" + "q7Rt2Lm9Xc4Vb8Np3Zk6" * 2


@pytest.mark.parametrize("before", [1_970, 1_980, 1_996, 16_350])
def test_a_secret_across_a_cut_is_hidden_before_it(before: int) -> None:
    found = event_of(
        a_record(subject="x " * (before // 2) + TOKEN[:40], body="why " + TOKEN[:40]),
        space="s",
        recorded_at=NOW,
        redact=Redactor(b"k" * 32).redact,
    )
    assert found is not None and "ghp_" not in found.text and len(found.text) <= 2_000
    assert found.because is not None and "ghp_" not in found.because


def test_neither_type_nor_scope_of_a_commit_is_a_secret() -> None:
    key = "AKIA" + "Q7RTLM4XC2VB6NPZ"
    found = event_of(a_record(subject=f"{key}: rotate"), space="s", recorded_at=NOW, redact=Redactor(b"k" * 32).redact)
    assert found is not None and key not in found.text and found.tags == ()


@pytest.mark.parametrize(
    ("authored", "committed", "day"),
    [
        (b"1700000000", b"1700000500", "2023-11-14"),
        (b"0", b"1700000000", "2023-11-14"),
        (b"", b"1700000000", "2023-11-14"),
        (b"99999999999999999999", b"1700000000", "2023-11-14"),
        (b"1900000000", b"1700000000", "2023-11-14"),
        (b"-5", b"99999999999", None),
    ],
)
def test_an_absurd_date_gives_way_to_the_committers_or_is_refused(
    authored: bytes, committed: bytes, day: str | None
) -> None:
    header = [b"mark", b"1" * 40, b"", authored, committed, *HEADER[4:]]
    record = _record((header, [], 0), frozenset())
    if day is None:
        assert isinstance(record, RefusedCommit)
        assert "date" in record.reason
    else:
        assert isinstance(record, CommitRecord)
        assert record.at.date().isoformat() == day
