"""Plain front matter is written and read without PyYAML, and nobody can tell."""

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dreamd.repo_export import front_matter
from dreamd.repo_export.plain_yaml import read_plain, write_plain


@given(
    st.dictionaries(
        st.text(alphabet="abyno01_- :", max_size=5),
        st.text(alphabet="abnoyWe01 .,:;'\"()?!/#-_+~@", max_size=9)
        | st.sampled_from(["null", "Off", "e5", "...", "---", "no", "12", "1e5", "nan"])
        | st.integers()
        | st.floats(allow_nan=False)
        | st.booleans()
        | st.dates()
        | st.lists(st.text(alphabet="abn1 .-", max_size=4), max_size=3)
        | st.dictionaries(st.sampled_from("abyn"), st.text(alphabet="ab1 ", max_size=3), max_size=2),
        max_size=5,
    )
)
def test_what_is_written_plainly_has_the_bytes_of_pyyaml(values: dict[str, object]) -> None:
    options = {"sort_keys": False, "default_flow_style": False, "width": 1_000_000, "allow_unicode": False}
    plainly = write_plain(values)
    if plainly is not None and values:
        assert plainly == yaml.dump(values, Dumper=front_matter._Dumper, **options)


PRINTABLE = r"""
a
a b
a-b
A.b
it's
a  b
 a
''
'it''s'
'a
"a"
"a\n"
"it's"
~
null
Null
true
False
yes
NO
on
y
0
-1
-0
007
1_000
0x1f
0o7
1:30
1.5
1.
.5
1e5
1.5e+3
.inf
.nan
2026-01-05
2026-02-30
2026-1-5
2026-01-05 10:00:00
a: b
a #b
#b
a#b
a:b
[a, b]
{a: b}
- a
&x
*x
!!int 3
|
>
%a
@a
`a`
<<
?
? a
a?
=
a, b
a; b
(a)
...
---
'a' b
12345678901234567890
"""
SCALARS = (*PRINTABLE.strip().split("\n"), "", "a ", "\ta", "a\tb", "é", "\u00a0")
KEYS = ("name", "b", "y", "type", "tags", "on", "a-b", "a b", "<<", "null", "'q'", "1", "metadata")
LINES = st.builds(
    lambda indent, dash, key, scalar: f"{indent}{dash}{key}{scalar}",
    st.sampled_from(["", "", "", "  ", "  ", "    ", " "]),
    st.sampled_from(["", "", "", "- "]),
    st.sampled_from(["", *(f"{key}: " for key in KEYS), *(f"{key}:" for key in KEYS)]),
    st.sampled_from(SCALARS),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=6), st.booleans())
def test_what_is_read_plainly_is_what_pyyaml_reads(lines: list[str], has_end: bool) -> None:
    block = "\n".join(lines) + "\n" * has_end
    plain = read_plain(block)
    if plain is not None:
        assert repr(plain) == repr(yaml.safe_load(block))


@pytest.mark.parametrize("scalar", SCALARS)
@pytest.mark.parametrize("form", ["k: {}\n", "k:\n- {}\n", "m:\n  k: {}\n", "m:\n  k:\n  - {}\n"])
def test_each_scalar_is_read_as_pyyaml_reads_it(scalar: str, form: str) -> None:
    block = form.format(scalar)
    plain = read_plain(block)
    if plain is not None:
        assert repr(plain) == repr(yaml.safe_load(block))


def test_ordinary_front_matter_is_plain() -> None:
    block = "name: x\ndescription: 'It''s: plain'\nmetadata: \n  node_type: memory\n  tags:\n  - a\ntags:\n- b\n"
    assert read_plain(block) == {
        "name": "x",
        "description": "It's: plain",
        "metadata": {"node_type": "memory", "tags": ["a"]},
        "tags": ["b"],
    }


def test_a_key_that_comes_twice_is_for_pyyaml() -> None:
    assert read_plain("a: b\na: c\n") is None
