"""Vectors as they are kept and compared: whole numbers, so that a comparison is exact.

A model answers in floats, whose last bits depend on the order of a sum. Rounded once to 16 bits a component, a scalar
product is a sum of whole numbers and the same in any order, batch and library; what that costs in the cosine is below
0.0001, far under what the model itself means by a difference.
"""

import sys
from array import array
from collections.abc import Sequence
from math import isfinite, sqrt
from typing import NewType

Vector = NewType("Vector", "array[int]")  # each component from -SCALE to SCALE

SCALE = 32_767
VERSION = "vector.1"  # of this form; another one is another finding
_BYTES = 2
_KIND = "h"  # signed, 16 bits


def rounded(components: Sequence[float]) -> Vector:
    """The vector of a model's answer. Raises ValueError for a component that is no number from -1 to 1."""
    for component in components:
        if not isfinite(component) or abs(component) > 1.0001:  # noqa: PLR2004 - 1, and what a float may be off by
            raise ValueError(f"a component of a vector is {component}; allowed: from -1 to 1")
    return Vector(array(_KIND, (max(-SCALE, min(SCALE, round(component * SCALE))) for component in components)))


def packed(vector: Vector) -> bytes:
    """As bytes, the lower byte first on any machine."""
    return _little(array(_KIND, vector)).tobytes()


def unpacked(value: bytes, dimension: int) -> Vector:
    """The vector that `packed` wrote. Raises ValueError if it has another dimension."""
    if len(value) != dimension * _BYTES:
        raise ValueError(f"a vector of {dimension} components has {dimension * _BYTES} bytes, this one {len(value)}")
    return Vector(_little(array(_KIND, value)))


def cosine(first: Vector, second: Vector) -> float:
    """From -1 (opposite) to 1 (the same direction); 0 if one says nothing. Raises ValueError for two dimensions."""
    product = sum(a * b for a, b in zip(first, second, strict=True))
    if not product:
        return 0.0
    return max(-1.0, min(1.0, product / sqrt(sum(a * a for a in first) * sum(b * b for b in second))))


def _little(components: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        components.byteswap()
    return components
