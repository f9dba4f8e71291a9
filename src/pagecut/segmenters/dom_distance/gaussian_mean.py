"""The mean of a sequence around each of its places, for numbers of any size.

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
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from pagecut.acceleration import line_kernels
from pagecut.kernels.dom_line import LEAST
from pagecut.segmenters.dom_distance.distance import Scaled

PRECISION: Final = 64  # bits to which the sums are right
_CHUNK: Final = 1 << 19  # cells of the windows that are held at once
_NOTHING: Final = -(1 << 40)  # exponent of a zero


def gaussian_mean(values: Scaled, variance: float) -> Scaled:
    """(k,) the mean around each value, all values weighted by their distance in the sequence."""
    count = len(values)
    if not count:
        return values
    bits = int(values.exponent.max() - values.exponent.min()) + PRECISION
    radius = min(math.ceil(math.sqrt(2 * variance * math.log(2) * bits)), count - 1)
    steps = np.arange(-radius, radius + 1, dtype=np.float64)
    log_weights = -(steps**2) / (2 * variance * math.log(2))
    weight_exponents = np.ceil(log_weights)
    weights = np.exp2(log_weights - weight_exponents)
    total = _totals(np.exp2(log_weights), radius, count)
    if line_kernels is not None:
        sums = np.empty(count)
        largest = np.empty(count, dtype=np.int64)
        line_kernels.weighted_sums(
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
    mantissas = sliding_window_view(np.pad(values.mantissa, radius), len(steps))
    exponents = sliding_window_view(
        np.pad(values.exponent, radius, constant_values=_NOTHING), len(steps)
    )
    mantissa = np.empty(count)
    exponent = np.empty(count, dtype=np.int64)
    rows = max(_CHUNK // len(steps), 1)
    for first in range(0, count, rows):
        part = slice(first, first + rows)
        size = exponents[part] + weight_exponents.astype(np.int64)
        largest = size.max(axis=1)
        shift = np.maximum(size - largest[:, None], LEAST).astype(np.int32)
        sums = np.ldexp(mantissas[part] * weights, shift).sum(axis=1)
        mantissa[part], carry = np.frexp(sums / total[part])
        exponent[part] = largest + carry
    return Scaled(mantissa, exponent)


@lru_cache(maxsize=1)
def _powers() -> NDArray[np.float64]:
    """Of two, as the kernel reads them."""
    return np.ldexp(1.0, np.arange(0, LEAST - 1, -1))


def _totals(weights: NDArray[np.float64], radius: int, count: int) -> NDArray[np.float64]:
    """(k,) the weights that fall on the sequence, for each place of the window."""
    until = np.concatenate([[0.0], np.cumsum(weights)])
    place = np.arange(count)
    first = np.maximum(radius - place, 0)
    last = np.minimum(radius + count - place, len(weights))
    totals: NDArray[np.float64] = until[last] - until[first]
    return totals
