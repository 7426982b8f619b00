"""Whether what stands where a secret would be is one, and where exactly: placeholders, references, remarks are not.

Each `place` function here takes the text and a match in its folded twin, and gives the span to hide, or None. Entropy
alone is never a reason: a commit's hash or a UUID is a secret only right behind a word such as token.
"""

import base64
import re
from collections import Counter
from math import log2

MIN_HEX_ENTROPY_BITS = 3.0  # per character, of 4 possible
MIN_ENTROPY_BITS = 3.6  # per character, of 6 possible; English words without spaces have about 3.3
MIN_WEAK = 12  # characters of a value behind a word such as token, which has other meanings
MIN_WEAK_QUOTED = 8
MIN_PASSWORD = 3
MIN_TOLD = 4  # where a sentence tells it
MIN_HEADER = 20  # without a digit
MOST_VALUE = 400

Span = tuple[int, int]

# values that stand for a secret, or say something about it
_NO_SECRET = re.compile(
    r"(?i)(?:none|null|nil|true|false|undefined|empty|missing|required|optional|invalid|valid|wrong|correct|incorrect|"
    r"not|too|the|a|an|in|on|set|unset|stored|hashed|salted|expired|changed|reset|rotated|leaked|needed|now|no|only|"
    r"never|always|being|string|str|bytes|text|int|number|bool|boolean|object|any|unknown|secretstr|varchar|here|there|"
    r"redacted|hidden|masked|encrypted|secret|password|passwd|pass|pwd|token|value|values|input|prompt|stdin|yes|if|is|"
    r"was|when|must|should|will|can|cannot|may|has|have|and|or|for|from|to|via|by|per|of|at|as|with|without|field|form|"
    r"policy|hash|generator|manager|option|flag|parameter|argument|file|support|auth|authentication|basic|bearer|"
    r"example|changeme|change[-_]?(?:me|it)|replace[-_]?me|placeholder|todo|tbd|foo|bar|baz|foobar|dummy|fake|"
    r"(?:my|your|the|some|a|test|example|dummy|fake)?[-_]?(?:api|secret|access|auth|db|user)?[-_]?"
    r"(?:secret|password|passwd|pass|token|key|credentials?)(?:[-_]?here)?|"
    r"your[\w-]*|insert[-_ ]\w+|xxx[\w-]*|[*.x_#•?…-]+|(.)\1{3,}|\d{1,3})[.,;:!?]*"
)
_REFERENCE = re.compile(
    r"[$<{%(&@*\[]|\w+\(|\w+\[|[A-Za-z_]+\d{0,3}(?:\?{0,1}\.[a-zA-Z_]\w*)+(?:[\[(?!].*)?$|"
    r"(?:os|env|process|settings|config|self)\b\.?|"
    r"[./~]*/(?:[\w.-]+/)*[\w.-]*$|[a-z]+://|sha\d{3}[-:]|arn:|vault:|secret:|op:|file:|!\w+|new\b|await\b|\w+::"
)
_CLOSING = ")]}>.,;:!?"  # what may stand behind a value in a sentence or in code
_OPENER = {")": "(", "]": "[", "}": "{", ">": "<"}
_WITHOUT_MEANING = re.compile(r"(?i)\w+(?:ed|ing|ly)")  # "the password is rotated"
_SENSITIVE_WORD = re.compile(r"(?i)pass|pwd|secret|token|key|cred|auth")
_SENTENCE = re.compile(
    r"(?i)\b(?:your|the|is|are|must|be|please|enter|to|at least|not|a|an|with|for|or|cannot|should)\b"
)
_PLAIN = re.compile(r"[A-Za-z]+(?:[-_][A-Za-z]+)*")
_WORDY_PART = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)?(?:[A-Z][a-z]+)*(?:v?\d{1,4}|[A-Z])?|\d+[a-z]{1,12}|\d{1,8}T\d+Z?")
_TECHNICAL = re.compile(
    r"(?i)v?\d[\d.]*[a-z]{0,4}|sha-?\d+|md5|rfc-?\d+|utf-?\d+|base\d+|oauth\d\S*|argon2\w*|pbkdf2\S*|s3|http\d?|ipv\d|"
    r"\w*2fa|python\d|\d+[-:]\w+|(?:rs|hs|es|ps)\d{3}|level\d|type\d|field\d|input\d|test\d|page\d|step\d|(?:[a-z]+-)+\d+"
)
_CONFIG_LINE = re.compile(r"(?m)^[ \t-]*[\w.\"'-]+[ \t]*[:=](?:[ \t]|$)")
_OWNER = re.compile(r"(?i)\b(?:my|our|your|his|her|their|root|admin)\s+(?:[\w-]+\s+){0,2}$")
_LOGIN = re.compile(
    r"(?i)(?:\buser(?:name)?|\blogin|\blog in as)[ \t:=]+[\"'`]?[\w.@-]+[\"'`]?[\s,;/]+(?:and |with )?(?:the |a )?$"
)
_KEY_OF = re.compile(
    r"(?i)(?:api|access|secret|private|sign(?:ing|ature)|encryption|account|auth|master|service|storage|shared|webhook|"
    r"licen[cs]e|app|application|subscription|deploy|ssh|admin|write|ingest|client|consumer|rest|server|functions?|host)"
    r"[_ -]?$"
)
_OTHER_KEY = re.compile(
    r"(?:CACHE|PRIMARY|FOREIGN|SORT|PARTITION|PUBLIC|ROW|HASH|LOOKUP|OBJECT|IDEMPOTENCY|I18N|STATE)_$"
)
_PUBLIC = re.compile(
    r"(?i)(?:public|publishable|next|page|continuation|cursor|csrf|design|syntax|css|cancellation)[_ -]?$"
)
_DIGIT = re.compile("[0-9]")
_FOLDED_PEM = "private key"


def trimmed(text: str, start: int, stop: int) -> Span:
    """The span without the quotes around it and without what closes a sentence or a bracket behind it."""
    while start < stop and text[start] in "\"'`\\":
        start += 1
    while start < stop:
        last = text[stop - 1]
        is_unopened = last in _OPENER and _OPENER[last] not in text[start:stop]
        if last not in "\"'`\\.,;:" and not is_unopened and not text.endswith("**", start, stop):
            break
        stop -= 1
    return start, stop


def says_nothing(value: str) -> bool:
    """Whether it is a placeholder, a reference to where the secret is, or a remark about it."""
    return _NO_SECRET.fullmatch(value.rstrip(_CLOSING)) is not None or _REFERENCE.match(value) is not None


def is_plain_words(value: str) -> bool:
    return _PLAIN.fullmatch(value) is not None


def is_technical(value: str) -> bool:
    """Whether it is a version, an algorithm or a number with its unit."""
    return _TECHNICAL.fullmatch(value) is not None


def is_random(value: str) -> bool:
    """Whether it looks drawn by chance: hex, or upper, lower and digits mixed, of enough entropy."""
    length = len(value)
    entropy = -sum(n / length * log2(n / length) for n in Counter(value).values())
    if re.fullmatch(r"[0-9a-fA-F]+", value):
        return entropy >= MIN_HEX_ENTROPY_BITS
    has_all = all(re.search(letters, value) for letters in ("[a-z]", "[A-Z]", "[0-9]"))
    return has_all and entropy >= MIN_ENTROPY_BITS


def is_mixed(value: str) -> bool:
    """Whether letters and digits are mixed as in no word, date, version or name of a variable."""
    if re.search("[A-Za-z]", value) is None or re.search("[0-9]", value) is None:
        return False
    return any(_WORDY_PART.fullmatch(part) is None for part in re.split(r"[\s_.:/,+-]+", value))


def any_value(text: str, found: re.Match[str]) -> Span | None:
    """Whatever is there, unless it says nothing."""
    start, stop = trimmed(text, *found.span("secret"))
    return (start, stop) if start < stop and not says_nothing(text[start:stop]) else None


def assigned_password(text: str, found: re.Match[str]) -> Span | None:
    """What stands after the name of a password and a sign.

    A plain word is one after `=` without spaces, as in a shell, in quotes, or in a file of such lines; after a colon
    in a sentence it is a remark.
    """
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    if len(value) < MIN_PASSWORD or says_nothing(value):
        return None
    is_quoted = start > found.start("secret")
    if " " in value and is_plain_words(value.split()[0]) and len(_SENTENCE.findall(value)) > 0 and value.count(" ") > 1:
        return None
    if not is_plain_words(value):
        return start, stop
    name = text[found.start() : found.start("secret")]
    if _SENSITIVE_WORD.search(value) and not is_quoted and not name[:4].isupper():
        return None
    is_told = is_quoted or name[-1] in "=>" or _is_line_of_a_file(text, found.start(), found.end())
    return (start, stop) if is_told else None


def assigned_token(text: str, found: re.Match[str]) -> Span | None:
    """What stands after a word such as token or api key and a sign, if it looks like none of their other meanings."""
    name = text[found.start() : found.start("secret")]
    is_loud = name[:3].isupper() and name.endswith("=")  # API_KEY=...
    if not is_loud and _DIGIT.search(text, *found.span("secret")) is None:
        return None
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    before = text[max(0, found.start() - 24) : found.start()]
    least = MIN_WEAK_QUOTED if start > found.start("secret") or is_loud else MIN_WEAK
    if len(value) < least or says_nothing(value) or _PUBLIC.search(before):
        return None
    if name[:3].lower() == "key" and not _KEY_OF.search(before):
        is_constant = name[:3] == "KEY" and before.endswith("_") and not _OTHER_KEY.search(before)
        return (start, stop) if is_constant and is_mixed(value) else None
    is_loud_word = (
        is_loud and re.fullmatch(r"[\w!@#%^&*+/=~-]+", value) is not None and not _SENSITIVE_WORD.search(value)
    )
    return (start, stop) if is_mixed(value) or is_loud_word or is_random(value) else None


def told_password(text: str, found: re.Match[str]) -> Span | None:
    """ "The password is X": no plain word, or, behind "my", the last one of its sentence."""
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    if len(value) < MIN_PASSWORD or says_nothing(value):
        return None
    if found["word"] == "pin":
        is_pin = _OWNER.search(text[max(0, found.start() - 60) : found.start()]) and value.isdigit()
        return (start, stop) if is_pin else None
    if not is_plain_words(value):
        return None if _TECHNICAL.fullmatch(value) else (start, stop)
    if start > found.start("secret"):
        return start, stop
    is_owned = _OWNER.search(text[max(0, found.start() - 60) : found.start()]) is not None
    is_end = re.match(r"[.,;!?)]*(?:\s*$|\s+and\b|[.,;!?)])", text[stop : stop + 20]) is not None
    return (start, stop) if is_owned and is_end and not _WITHOUT_MEANING.fullmatch(value) else None


def named_password(text: str, found: re.Match[str]) -> Span | None:
    """ "password X" without a verb: behind a user's name anything, else what only a password looks like."""
    before = text[max(0, found.start() - 80) : found.start()]
    if "user" not in before and "log" not in before and _DIGIT.search(text, *found.span("secret")) is None:
        return None
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    if len(value) < MIN_TOLD or says_nothing(value):
        return None
    if _LOGIN.search(before):
        return start, stop
    looks_so = re.fullmatch(r"(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9!@#$%^&*+?~-]{6,}", value) is not None
    return (start, stop) if looks_so and not _TECHNICAL.fullmatch(value) and not value.startswith("-") else None


def random_token(text: str, found: re.Match[str]) -> Span | None:
    """What looks drawn by chance, unless the keyword is within a word, as chance makes them too."""
    at = found.start()
    if text[at - 1 : at].isalnum() and not (text[at].isupper() and text[at + 1].islower()):
        return None if _KEY_OF.search(text[max(0, at - 24) : at]) is None else random_value(text, found)
    return random_value(text, found)


def random_value(text: str, found: re.Match[str]) -> Span | None:
    start, stop = trimmed(text, *found.span("secret"))
    return (start, stop) if stop > start and is_random(text[start:stop]) else None


def told_token(text: str, found: re.Match[str]) -> Span | None:
    """ "The token is X", if X is no word, version or name."""
    if _DIGIT.search(text, *found.span("secret")) is None:
        return None
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    before = text[max(0, found.start() - 24) : found.start()]
    if len(value) < MIN_WEAK or says_nothing(value) or not is_mixed(value) or _PUBLIC.search(before):
        return None
    is_key = found["word"].startswith("key")
    return None if is_key and not _KEY_OF.search(before) else (start, stop)


def word_before(text: str, found: re.Match[str]) -> Span | None:
    """ "use X as the password": the word before the match."""
    stop = found.start()
    start = max(text.rfind(" ", 0, stop), text.rfind("\n", 0, stop)) + 1
    start, stop = trimmed(text, start, stop)
    value = text[start:stop]
    if not MIN_TOLD <= len(value) <= MOST_VALUE or says_nothing(value) or _TECHNICAL.fullmatch(value):
        return None
    is_password = found["word"].startswith(("pass", "pwd"))
    is_quoted = text[start - 1 : start] in ("'", '"', "`")
    if is_password and (not is_plain_words(value) or is_quoted):
        is_use = re.search(
            r"(?i)\b(?:use|using|with|enter|type|try|set|take)\s+[\"'`]?$", text[max(0, start - 12) : start]
        )
        return (start, stop) if is_mixed(value) or (is_use and not re.search("[/.(]", value)) else None
    return (start, stop) if len(value) >= MIN_WEAK and is_mixed(value) else None


def flag_value(text: str, found: re.Match[str]) -> Span | None:
    """`--password X`: behind a space a plain word is only one if the command goes on with a flag, or ends."""
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    if len(value) < MIN_PASSWORD or says_nothing(value) or value.startswith("-"):
        return None
    is_password = found["word"].startswith(("pass", "pwd"))
    if not is_password and (len(value) < MIN_WEAK_QUOTED or not (is_mixed(value) or is_random(value))):
        return None
    if not is_plain_words(value) or text[found.start("secret") - 1] == "=" or start > found.start("secret"):
        return start, stop
    return (
        (start, stop) if re.match(r"[\"']?[ \t]+-{1,2}[a-z]|[ \t]*\n|[ \t]+https?:", text[stop : stop + 12]) else None
    )


def authorization(text: str, found: re.Match[str]) -> Span | None:
    start, stop = trimmed(text, *found.span("secret"))
    value = text[start:stop]
    if says_nothing(value):
        return None
    if re.search(r"(?i)basic\s+$", text[found.start() : start]):
        return (start, stop) if ":" in decoded(value) or re.search("[0-9]", value) else None
    is_token = re.search("[0-9]", value) or (len(value) >= MIN_HEADER and is_mixed(value + "0"))
    return (start, stop) if is_token else None


def cookie(text: str, found: re.Match[str]) -> Span | None:
    """The pairs of a Cookie header, if one of them lets somebody in."""
    start, stop = trimmed(text, *found.span("secret"))
    letting = r"(?i)(?:sess|sid|auth|token|jwt|csrf|xsrf|login|remember)[^=;\s]*=(?![\"']?[$<{])[^;\s]{6,}"
    looking = r"=(?=[^;\s]*\d)(?=[^;\s]*[A-Za-z])[A-Za-z0-9%._+/-]{16,}"
    value = text[start:stop]
    return (start, stop) if re.search(letting, value) or re.search(looking, value) else None


def encoded_login(text: str, found: re.Match[str]) -> Span | None:
    """A docker `auth`: user and password in base64."""
    start, stop = found.span("secret")
    return (start, stop) if ":" in decoded(text[start:stop]) else None


def encoded_key(text: str, found: re.Match[str]) -> Span | None:
    """A PEM block in base64, if it is a private key."""
    start, stop = found.span()
    return (start, stop) if _FOLDED_PEM in decoded(text[start : start + 120]).lower() else None


def decoded(value: str) -> str:
    """The printable text behind base64, or nothing."""
    try:
        text = base64.b64decode(value[: len(value) // 4 * 4], validate=True).decode("utf-8")
    except ValueError:
        return ""
    return text if text.isprintable() or "\n" in text else ""


def _is_line_of_a_file(text: str, start: int, stop: int) -> bool:
    """Whether the match is a whole line, and another line too is a name, a sign and a value."""
    begin, end = text.rfind("\n", 0, start) + 1, text.find("\n", stop)
    end = len(text) if end < 0 else end
    is_whole = re.fullmatch(r"[ \t\"'-]*[\w.-]*", text[begin:start]) is not None and not text[stop:end].strip(
        " \t\r,\"'"
    )
    return is_whole and len(_CONFIG_LINE.findall(text[max(0, begin - 400) : end + 400])) > 1
