"""What of an answer is kept: the finding, not courtesy, headings, or what is done next."""

import pytest

from dreamd.daemon.intake.adapters.answers import telling_part


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("The token is refreshed twice an hour.", "The token is refreshed twice an hour."),
        ("Thanks for the hint. The cache holds old prices for an hour.", "The cache holds old prices for an hour."),
        ("That makes perfect sense. A clone begins on the main branch.", "A clone begins on the main branch."),
        ("All changes have been committed successfully!", None),
        ("The changes have been successfully committed.\n\nThe hooks check TOML too.", "The hooks check TOML too."),
        ("Option 2: conditional hooks\n\nThe hook runs only on main.", "The hook runs only on main."),
        ("Here's the plan:", None),
        ("The fix is in place. The key points are:", "The fix is in place."),
        ("Let me look at the tests:", None),
        ("ok", None),
    ],
)
def test_what_of_an_answer_is_kept(answer: str, kept: str | None) -> None:
    assert telling_part(answer) == kept
