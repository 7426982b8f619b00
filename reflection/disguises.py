"""What a text says once its disguise is off: other spellings of the same words, for matching only.

Invisible characters, look-alike letters, accents, letters set apart, digits for letters, tag characters, text written
backwards or encoded: whoever hides an order this way shows that it is one. Nothing here is ever stored or shown.
"""

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator

MIN_TAGS = 4  # tag characters in a row, outside a flag, that can spell something
MIN_BLOB = 16  # characters of base64 that can hold an order
MAX_BLOBS = 8  # decoded of one text

# What nobody sees: format characters, variation selectors, fillers; also the tag characters.
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
_UNSEEN_RUN = re.compile("[\u200b-\u200d\u2060-\u2064\ufeff]{8,}")  # ones and zeros in characters of no width
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_TAGS = re.compile(f"[\U000e0020-\U000e007e]{{{MIN_TAGS},}}")
_TAG_BASE = 0xE0000
_RIGHT_TO_LEFT = "\u202e"
# Letters with marks, Greek, Cyrillic, small capitals: where a look-alike can come from.
_FOREIGN = re.compile("[\xc0-\u02ff\u0300-\u036f\u0370-\u052f\u13a0-\u13ff\u1d00-\u1eff]")
_LOOKALIKES = str.maketrans(
    "аеорсухівјѕһԁԛԝӏмтнкгпзєαβγεικνορτυχωϲϳηƖɡɩɑɪɢɴᴏʀᴇᴘᴠᴜꜱᴛᴄᴀʙᴅʟᴍʏᴋᴡʜꞮıł",
    "aeopcyxibjshdqwlmthkrnzeabyeiknoptuxwcjnlgiaignorepvustcabdlmykwhiil",
)
_DIGITS = str.maketrans("0134578@$", "oieastbas")
_DIGIT_WORD = re.compile(r"(?<![\w/.#-])(?=\w*[a-z])(?=\w*[0134578@$])[\w@$]{3,}")
_APART = re.compile(r"(?<![^\W_])(?:[^\W_][ .*_-]){2,}[^\W_](?![^\W_])")
_BLOB = re.compile(rf"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{{{MIN_BLOB},4000}}={{0,2}}")
_HEX = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{2}){12,2000}(?![0-9a-f])")
_APART_SIGNS = re.compile(r"[ .*_-]")


def hidden_in(text: str) -> str | None:
    """The words that tag characters spell, or "" for a code in characters of no width; None if nothing is hidden."""
    spelled = "".join(_TAGS.findall(_FLAG.sub("", text)))
    if spelled:
        return "".join(chr(ord(char) - _TAG_BASE) for char in spelled)
    return "" if _UNSEEN_RUN.search(text) else None


def unmasked(text: str) -> Iterator[str]:
    """`text`, not ASCII, as a reader sees it, in lower case; then with look-alikes and accents as plain letters."""
    plain = unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).lower()
    yield plain
    if _UNSEEN.search(text):
        yield unicodedata.normalize("NFKC", _UNSEEN.sub(" ", text)).lower()
    if _FOREIGN.search(plain):
        yield without_accents(plain).translate(_LOOKALIKES)
    if _RIGHT_TO_LEFT in text:
        yield plain[::-1]


def without_accents(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKD", text) if unicodedata.category(char) != "Mn")


def drawn_together(text: str) -> str:
    """`i g n o r e  a l l` as `ignore all`: two spaces part words, as where letters are set apart they must."""
    return _APART.sub(lambda found: _APART_SIGNS.sub("", found[0]), text).replace(".", " ")


def with_letters(text: str) -> str:
    """Digits that stand for letters inside words, as letters: `1gn0re`."""
    return _DIGIT_WORD.sub(lambda found: found[0].translate(_DIGITS), text)


def decoded(text: str) -> Iterator[str]:
    """What blobs of base64 in `text` say, if they say anything that can be read."""
    for number, blob in enumerate(_BLOB.finditer(text)):
        if number == MAX_BLOBS:
            return
        try:
            inner = base64.b64decode(blob[0].rstrip("=") + "=" * (-len(blob[0].rstrip("=")) % 4)).decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if inner.isprintable() or inner.replace("\n", "").isprintable():
            yield inner


def from_hex(text: str) -> Iterator[str]:
    """What runs of hexadecimal digits in `text` say, if they say anything that can be read."""
    for run in _HEX.findall(text)[:MAX_BLOBS]:
        try:
            inner = bytes.fromhex(run).decode("ascii")
        except ValueError:
            continue
        if inner.isprintable():
            yield inner


def turned(text: str) -> Iterator[str]:
    """`text` backwards, and with each letter thirteen places on."""
    yield text[::-1]
    yield codecs.encode(text, "rot13")
