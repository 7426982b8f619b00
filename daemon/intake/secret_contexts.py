"""The shapes of secrets that only their surroundings give away: a key before a value, a URL, "my password is".

What stands there may as well be a remark, a variable or a placeholder, so each row has a judge of the value it found.
Entropy alone is never a reason: a commit's hash or a UUID is a secret only right behind a word such as token.
"""

import re
from collections import Counter
from math import log2

from dreamd.daemon.intake.secret_shapes import Shape

MIN_HEX_ENTROPY_BITS = 3.0  # per character, of 4 possible
MIN_ENTROPY_BITS = 3.6  # per character, of 6 possible; English words without spaces have about 3.3

# values that stand for a secret, or say something about it
_NO_SECRET = re.compile(
    r"(?i)(?:none|null|nil|true|false|undefined|empty|missing|required|optional|invalid|valid|wrong|correct|incorrect|"
    r"not|too|the|a|an|in|on|set|unset|stored|hashed|salted|expired|changed|reset|rotated|leaked|needed|now|no|only|never|"
    r"always|being|string|str|bytes|text|int|here|there|redacted|hidden|masked|secret|password|passwd|token|value|"
    r"example\w*|changeme|placeholder|your\w*|my\w*|dummy|xxx+|\*+|\.+|x+|-+|_+)[.,;:!?]?"
)
_REFERENCE = re.compile(
    r"[$<{%(&@*]|\w+\(|\w+\[|\w+(?:\.[a-z_]\w*)+(?:[\[(].*)?$|(?:os|env|process|settings|config|self)\b\.?"
)
_CLOSING = ")]}>.,;:!?"  # what may stand behind a value in a sentence or in code
_WITHOUT_MEANING = re.compile(r"(?i)\w+(?:ed|ing|ly)")  # "the password is rotated"


def _is_plain_words(text: str) -> bool:
    return re.fullmatch(r"[A-Za-z]+(?:[-_][A-Za-z]+)*", text) is not None


def _is_no_reference(found: re.Match[str]) -> bool:
    return not _NO_SECRET.fullmatch(found["secret"].rstrip(_CLOSING)) and not _REFERENCE.match(found["secret"])


def _is_value(found: re.Match[str]) -> bool:
    """Whether what stands after a key is a secret and not a placeholder, a reference or a remark.

    A plain word is one after `=` without spaces, as in a shell, or in quotes; after a colon it is a remark.
    """
    value = found["secret"]
    bare = value.strip("\"'`")
    if _NO_SECRET.fullmatch(bare.rstrip(_CLOSING)) or _REFERENCE.match(bare):
        return False
    return not _is_plain_words(bare.rstrip(_CLOSING)) or value != bare or found[0][: -len(value)].endswith("=")


def _is_told(found: re.Match[str]) -> bool:
    """Whether "the password is X" tells the password: no plain word, or, behind "my", the last one of its sentence."""
    bare = found["secret"].strip("\"'`").rstrip(_CLOSING)
    if _NO_SECRET.fullmatch(bare) or _REFERENCE.match(bare):
        return False
    if not _is_plain_words(bare) or bare != found["secret"].rstrip(_CLOSING):
        return True
    return found["whose"] is not None and found["end"] is not None and not _WITHOUT_MEANING.fullmatch(bare)


def _is_random(found: re.Match[str]) -> bool:
    """Whether the value looks drawn by chance: hex, or upper, lower and digits mixed, of enough entropy."""
    text = found["secret"]
    length = len(text)
    entropy = -sum(n / length * log2(n / length) for n in Counter(text).values())
    if re.fullmatch(r"[0-9a-fA-F]+", text):
        return entropy >= MIN_HEX_ENTROPY_BITS
    has_all = all(re.search(letters, text) for letters in ("[a-z]", "[A-Z]", "[0-9]"))
    return has_all and entropy >= MIN_ENTROPY_BITS


_STRONG = r"(?:pass[_-]?word|passwd|pass[_-]?phrase|passcode|pwd|[A-Za-z0-9]+_PASS)"
_WEAK = (
    r"(?:api[_ -]?key|access[_ -]?key|secret[_ -]?key|private[_ -]?key|signing[_ -]?key|encryption[_ -]?key|"
    r"account[_ -]?key|"
    r"client[_ -]?secret|auth[_ -]?token|access[_ -]?token|refresh[_ -]?token|bearer[_ -]?token|"
    r"secret|token|credentials?)"
)
CONTEXT_SHAPES: tuple[Shape, ...] = (
    Shape(
        kind="private-key",
        anchors=("private key-----", "private key block-----"),
        pattern=re.compile(
            r"-----BEGIN (?P<label>[A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?)-----.*?(?:-----END (?P=label)-----|\Z)", re.DOTALL
        ),
        example="-----BEGIN RSA "
        + "PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA "
        + "PRIVATE KEY-----\nthen it went on",
        counter_example="-----BEGIN PUBLIC KEY----- is fine, and so is a private key in a vault",
    ),
    Shape(
        kind="url-password",
        anchors=("://",),
        pattern=re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,30}://[^\s/:@\"'<>]{0,200}:(?P<secret>[^\s/@\"'<>]{1,400})@"),
        example="DATABASE_URL is postgres://app:hunter2@db.internal/app",
        judge=_is_no_reference,
        counter_example="see https://example.org:8443/a@b and postgres://app:${PASSWORD}@db/app",
    ),
    Shape(
        kind="webhook",
        anchors=("hooks.slack.com", "/api/webhooks/", "webhook.office.com"),
        pattern=re.compile(
            r"(?:hooks\.slack\.com/(?:services|workflows|triggers)/|discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/webhookb2/)"
            r"(?P<secret>[\w@/-]{20,})"
        ),
        example="posts to https://hooks.slack.com/services/" + "T0AB12CD3/B0EF45GH6/" + "aB3dE5fG7haB3dE5fG7haB3d",
        counter_example="posts to hooks.slack.com/services/ as documented",
    ),
    Shape(
        kind="authorization",
        anchors=("authorization", "bearer ", "x-api-key"),
        pattern=re.compile(
            r"(?i)(?:(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:(?:basic|bearer|token|digest|apikey)\s+)?|x-api-key[\"']?\s*[:=]\s*[\"']?|\bbearer\s+)"
            r"(?P<secret>(?=[^\s\"']{0,400}\d)[A-Za-z0-9+/=_.~-]{12,})"
        ),
        example="curl -H 'Authorization: Basic " + "dXNlcjpodW50ZXIyMTIz'",
        counter_example="Authorization: header is missing; Bearer authentication-scheme",
    ),
    Shape(
        kind="signature",
        anchors=("sig=", "signature="),
        pattern=re.compile(r"(?i)[?&](?:sig|x-amz-signature|x-goog-signature)=(?P<secret>[A-Za-z0-9%+/=_-]{30,})"),
        example="https://store.example/blob?se=2026&sig=" + "aB3dE5fG7h" * 4 + "%3D",
        counter_example="https://store.example/blob?sig=none",
    ),
    Shape(
        kind="password",
        anchors=("-u ", "--user"),
        pattern=re.compile(r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =][\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"'$]{3,})"),
        example="curl -u admin:hunter2 https://ci.example",
        judge=_is_no_reference,
        counter_example="curl -u admin:$PASSWORD https://ci.example",
    ),
    Shape(
        kind="password",
        anchors=("pass", "pwd"),
        pattern=re.compile(
            rf"(?i)(?:{_STRONG}[\"']?\s?(?:=>|:=|=|:)\s?|--{_STRONG}[ =])"
            r"(?P<secret>\"[^\"\n]{4,200}\"|'[^'\n]{4,200}'|[^\s\"',;]{4,200})"
        ),
        example='db: {"password": "correct horse battery"} and PGPASSWORD=hunter2',
        judge=_is_value,
        counter_example="password: required; PASSWORD=${DB_PASSWORD}; password = os.environ['X']; password: str",
    ),
    Shape(
        kind="secret",
        anchors=("key", "secret", "token", "credential"),
        pattern=re.compile(
            rf"(?i){_WEAK}[\"']?\s?(?:=>|:=|=|:)\s?"
            r"(?P<secret>\"[^\"\s]{8,400}\"|'[^'\s]{8,400}'|(?=[^\s\"',;]{0,400}\d)(?=[^\s\"',;]{0,400}[A-Za-z])[^\s\"',;]{12,400})"
        ),
        example="API_KEY=4e0f7c2b9a1d8e6f and client_secret: 'kWq-92-bbXz'",
        judge=_is_value,
        counter_example="API_KEY=${TOKEN}; token: <your-token>; secret = settings.secret_1; tokens: 4096",
    ),
    Shape(
        kind="password",
        anchors=("password", "passphrase", "passcode"),
        pattern=re.compile(
            r"(?i)(?P<whose>\b(?:my|our|your|his|her|their|root|admin)\s+(?:\w+\s+){0,2})?(?:password|passphrase|passcode)"
            r"(?:\s+(?:for|of|on|to)\s+(?:\S+\s+){0,3}?\S+)?\s+(?:is|was|=|will be)\s+(?:now\s+)?"
            r"(?P<secret>\"[^\"\n]{4,200}\"|'[^'\n]{4,200}'|[^\s\"',;]{4,200})(?P<end>\s*$|[.,;!?]?\s*$|[,;]|\s+and\b)?"
        ),
        example="by the way, my password is swordfish and the password for staging is Tr0ub4dor&3.",
        judge=_is_told,
        counter_example="The password is required; my password is rejected; the password for staging is rotated",
    ),
    Shape(
        kind="secret",
        anchors=("key", "secret", "token", "credential", "bearer"),
        pattern=re.compile(
            rf"(?i)\b(?:{_WEAK}|bearer)s?(?:\s+(?:is|was|of|value|with|named)|\s*[:=(])?\s*[\"'`(]?(?P<secret>[A-Za-z0-9+/=_-]{{20,400}})"
        ),
        example="the api key 9f86d081884c7d659a2feaa0c55ad015 was in the log",
        judge=_is_random,
        counter_example="commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b; the token refresh_rotation_interval_seconds",
    ),
)

SENSITIVE_KEY = re.compile(rf"(?i)(?:.*[_.-])?(?:{_STRONG}|{_WEAK}|apikey|authorization)")  # of a field in `extra`
