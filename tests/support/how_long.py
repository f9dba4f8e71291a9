"""How much the tests try: little for each change, all before a release (`make test-long`)."""

from __future__ import annotations

import os
from typing import Final, TypeVar

LONG: Final = os.environ.get("PAGECUT_TESTS") == "long"
T = TypeVar("T")


def short_or_long(short: T, long: T) -> T:
    """The first for `make test`, the second for `make test-long`."""
    return long if LONG else short


def random_inputs(count: int) -> int:
    """How many random inputs to draw, where it is not Hypothesis' own number."""
    return short_or_long(count, 10 * count)
