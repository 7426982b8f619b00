"""Secrets go, mentions stay, twice is once."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dreamd.daemon.intake.redaction import SHAPES, Redactor, may_hold_a_secret

REDACTOR = Redactor(b"k" * 32)
NAMES = [f"{number}-{shape.kind}" for number, shape in enumerate(SHAPES)]
MARK = re.compile(r"\[redacted:[a-z0-9-]+:[0-9a-f]{4}\]")


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_each_shape_hides_its_example(shape):
    redacted, count = REDACTOR.redact_with_count(shape.example)
    assert count >= 1
    assert f"[redacted:{shape.kind}:" in redacted
    assert may_hold_a_secret(shape.example)


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_each_shape_leaves_its_counter_example_alone(shape):
    assert REDACTOR.redact(shape.counter_example) == shape.counter_example


@pytest.mark.parametrize("shape", SHAPES, ids=NAMES)
def test_an_example_in_a_sentence_twice_and_in_json_is_hidden_whole(shape):
    once = REDACTOR.redact(shape.example)
    assert REDACTOR.redact(once) == once
    both = REDACTOR.redact(f"{shape.example}\n{shape.example}")
    if shape.kind != "private-key":
        assert both == f"{once}\n{once}"


@pytest.mark.parametrize(
    "text",
    [
        "No API key in the build",
        "No Firebase API key in the build, so the deploy failed",
        "Set API_KEY and SECRET_TOKEN in the environment before `make deploy`",
        'Use "${TOKEN}" and $DB_PASSWORD, never the literal',
        "password is required",
        "The password is required and the token is missing",
        "the password field: must not be empty",
        "token: expired; secret: missing; password: wrong",
        "fixed in 4f1c2aa9b8d7e6f5a4b3c2d1e0f9a8b7c6d5e4f3",
        "request 6f1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 timed out",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "see https://user@example.org/path and http://localhost:8080/@scope/name",
        "password = getpass.getpass()",
        "api_key=settings.api_key, token=os.environ['CI_TOKEN'], secret=self._secret",
        "def login(user: str, password: str) -> Token",
        "feat(auth): rotate refresh tokens every 30 days (#1234)",
        "The token lifetime is 3600 seconds, the secret key is read at start",
        "risk-averse task-runner-with-a-long-hyphenated-name",
        "tokenizer = AutoTokenizer.from_pretrained('bert-base-uncased')",
        "monkey: keyboard: key: value, primary key: id",
    ],
)
def test_a_mention_of_a_secret_stays(text):
    assert REDACTOR.redact(text) == text


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("password=hunter2", "hunter2"),
        ("DB_PASSWORD=letmein", "letmein"),
        ("password: hunter2!", "hunter2!"),
        ("{'passwd': 'correct horse'}", "correct horse"),
        ("my password is swordfish", "swordfish"),
        ("My password for the staging database is swordfish.", "swordfish"),
        ("the root password is Tr0ub4dor&3, keep it", "Tr0ub4dor&3"),
        ("redis://:p4ss@cache:6379/0", "p4ss"),
        ("Authorization: Bearer " + "abc123def456ghi789", "abc123def456ghi789"),
        ("export SECRET_KEY=" + "f0e1d2c3b4a5968778695a4b", "f0e1d2c3b4a5968778695a4b"),
        ("mysql --password=s3cr3tpw -h db", "s3cr3tpw"),
        ("AccountKey=" + "aB3dE5fG7h" * 8 + "==", "aB3dE5fG7h"),
        ("it printed " + "ghp_" + "aB3dE5fG7h" * 4, "aB3dE5fG7h"),
    ],
)
def test_a_secret_in_everyday_clothes_goes(text, secret):
    redacted, count = REDACTOR.redact_with_count(text)
    assert secret not in redacted
    assert count == 1
    assert MARK.search(redacted)


def test_equal_secrets_have_equal_tags_and_other_keys_other_tags():
    first = MARK.findall(REDACTOR.redact("password=hunter2 and later password: hunter2"))
    assert len(first) == 2
    assert first[0] == first[1]
    assert MARK.findall(Redactor(b"j" * 32).redact("password=hunter2"))[0] != first[0]


def test_a_private_key_goes_with_all_its_lines_even_when_cut_off():
    text = "log:\n-----BEGIN " + "PRIVATE KEY-----\nMIIEabc\nMIIEdef\n"
    assert REDACTOR.redact(text) == REDACTOR.redact(REDACTOR.redact(text))
    assert "MIIE" not in REDACTOR.redact(text)


def test_a_field_whose_name_says_secret_is_hidden_whole():
    value = {"db": {"password": "swordfish"}, "note": "no token here", "n": 3, "api_key": ["a", "b"]}
    redacted = REDACTOR.redact_field("extra", value)
    assert redacted["db"]["password"].startswith("[redacted:secret:")
    assert all(item.startswith("[redacted:secret:") for item in redacted["api_key"])
    assert redacted["note"] == value["note"]
    assert redacted["n"] == 3
    assert REDACTOR.redact_field("extra", redacted) == redacted


PIECES = st.sampled_from(
    [shape.example for shape in SHAPES]
    + [shape.counter_example for shape in SHAPES]
    + [
        "password=",
        "token: ",
        " is ",
        "my password is ",
        "://",
        "@",
        ":",
        " ",
        "\n",
        '"',
        "'",
        "a1B2c3",
        "=",
        "[redacted:",
    ]
)


@given(st.lists(PIECES | st.text(max_size=6), max_size=8).map("".join))
def test_redacting_twice_changes_nothing(text):
    once = REDACTOR.redact(text)
    assert REDACTOR.redact_with_count(once) == (once, 0)


@pytest.mark.parametrize(
    "piece",
    [
        "authorization:",
        "eyJ-",
        "token=a,",
        "password is ",
        "a://",
        "sk-a ",
        "my ",
        "curl ",
        "echo sudo -S ",
        "password:\n",
        'variable "key" {',
        "ldapsearch ",
    ],
)
def test_a_long_text_that_almost_matches_everywhere_is_no_trap(piece):
    # A pattern that looked at the whole rest from every place would take minutes here.
    assert REDACTOR.redact(piece * 20_000 + "end") == piece * 20_000 + "end"
