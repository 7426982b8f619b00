"""Numbers as people are told them: digits that tell a value from its threshold, and a noun that fits its number."""

FEW_DIGITS = 2
MOST_DIGITS = 9  # beyond them two numbers differ by how a computer adds


def told_apart(value: float, threshold: float, *, is_passed: bool) -> tuple[str, str]:
    """A gate's value and threshold as texts that differ when the numbers do.

    Where the two are one and the gate is closed, it has to be exceeded, and the threshold says so. What differs by less
    than can be read is "just over" or "just under" it.
    """
    if value == threshold:
        shown = f"{threshold:.{FEW_DIGITS}f}"
        return shown, shown if is_passed else f"over {shown}"
    for digits in range(FEW_DIGITS, MOST_DIGITS):
        first, second = f"{value:.{digits}f}", f"{threshold:.{digits}f}"
        if first != second:
            return first, second
    shown = f"{threshold:.{FEW_DIGITS}f}"
    return f"just {'over' if value > threshold else 'under'} {shown}", shown


def counted(number: int, noun: str) -> str:
    """ "1 event", "2 events"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
