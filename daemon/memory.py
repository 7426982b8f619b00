"""Python's garbage collector, kept quiet while a run builds its many rows.

A run makes hundreds of thousands of small values without cycles and drops them at its end. The collector, which looks
for cycles only, would walk all of them again and again: a third of the time at 30,000 events, and more than in
proportion.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collecting_later() -> Iterator[None]:
    """No search for cycles inside; as it was before, afterwards."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
