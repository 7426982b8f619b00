"""A fixed amount of pure Python work, so that a figure says something on another machine, or on a busy one.

A bench prints its CPU seconds beside those of this loop, taken in the same minute: what matters is their ratio.
"""

import time

ROUNDS = 2_000_000


def calibration_seconds() -> float:
    """CPU seconds that this process takes for the loop now; about 0.3 on the machine of the first figures."""
    start = time.process_time()
    total = 0
    names: dict[int, str] = {}
    for number in range(ROUNDS):
        total = (total * 31 + number) & 0xFFFFFFFF
        if not number & 15:
            names[total & 1023] = str(number)
    seconds = time.process_time() - start
    assert total and len(names) > 1  # the loop is for its cost, but must not be a loop over nothing
    return seconds
