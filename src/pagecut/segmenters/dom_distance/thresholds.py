"""The thresholds of the DOM distance: means of a sequence of numbers of any size.

Alcic & Conrad 2011, §IV: t(k) = sum_i G(i, k) d_i / sum_i G(i, k), with a Gaussian G of given
variance. Every sum runs over the whole sequence to rounding: the window is cut only where no value
of the sequence could still make a difference, so that the cost is linear in the sequence and grows
with the square root of the variance and of the values' range in bits.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.segmenters.dom_distance.distance import Scaled
from pagecut.segmenters.dom_distance.line import weighted_sums

PRECISION: Final = 64  # bits to which the sums are right
TOLERANCE: Final = 1e-9
_SMALLEST: Final = -1100  # power of two, below which a part of a sum is nothing


def gaussian_mean(values: Scaled, variance: float) -> Scaled:
    """(k,) the mean around each value, all values weighted by their distance in the sequence."""
    count = len(values)
    if not count:
        return values
    bits = int(values.exponent.max() - values.exponent.min()) + PRECISION
    # Weights beyond it are below 2 ** -bits; two roots, for no variance overflows them.
    radius = min(int(math.sqrt(variance) * math.sqrt(2 * math.log(2) * bits)), count - 1)
    steps = np.arange(-radius, radius + 1, dtype=np.float64)
    log_weights = -(steps**2) / (2 * variance * math.log(2))
    weight_exponents = np.ceil(log_weights)
    weights = np.exp2(log_weights - weight_exponents)
    total = _totals(np.exp2(log_weights), radius, count)
    sums = np.empty(count)
    largest = np.empty(count, dtype=np.int64)
    weighted_sums(
        values.mantissa,
        values.exponent,
        weights,
        weight_exponents.astype(np.int64),
        _powers(),
        sums,
        largest,
    )
    mantissa, carry = np.frexp(sums / total)
    return Scaled(mantissa, largest + carry)


@lru_cache(maxsize=1)
def _powers() -> NDArray[np.float64]:
    """The powers of two that the kernel reads: entry i is 2 ** -i."""
    return np.ldexp(1.0, np.arange(0, _SMALLEST - 1, -1))


def _totals(weights: NDArray[np.float64], radius: int, count: int) -> NDArray[np.float64]:
    """(k,) the weights that fall on the sequence, for each place of the window."""
    until = np.concatenate([[0.0], np.cumsum(weights)])
    place = np.arange(count)
    first = np.maximum(radius - place, 0)
    last = np.minimum(radius + count - place, len(weights))
    totals: NDArray[np.float64] = until[last] - until[first]
    return totals


def page_mean(values: Scaled) -> Scaled:
    """(k,) the mean of all values, at each of them."""
    if not len(values):
        return values
    largest = int(values.exponent.max())
    shift = np.maximum(values.exponent - largest, _SMALLEST).astype(np.int32)
    mantissa, carry = np.frexp(np.ldexp(values.mantissa, shift).mean())
    size = len(values)
    return Scaled(np.full(size, mantissa), np.full(size, largest + int(carry), dtype=np.int64))


def exceeds(values: Scaled, thresholds: Scaled) -> NDArray[np.bool_]:
    """(k,) whether a value is larger than its threshold, by more than `TOLERANCE` of it."""
    shift = np.clip(values.exponent - thresholds.exponent, -100, 100).astype(np.int32)
    larger: NDArray[np.bool_] = np.ldexp(values.mantissa, shift) > thresholds.mantissa * (
        1 + TOLERANCE
    )
    return larger
