# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What lies around the text of each segment; compiled into `pagecut.compiled.evidence`.

See `kernels`. The plain twin is `segment_evidence.plain_surroundings`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`


def add_names(
    owners: cython.const[cython.int][::1],
    keys: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    values: bytes,
    naming: cython.const[cython.uchar][::1],
    linking: cython.int,
    is_link: cython.const[cython.uchar][::1],
    link: cython.longlong,
    known: dict[bytes, int],
    meaning: Callable[[bytes], int],
    bits: cython.longlong[::1],
) -> None:
    """Add to the bits of the rows what their attributes mean.

    Args:
        naming: by key, whether an attribute is a name.
        linking: the key of the attribute that makes a row with `is_link` a link.
        link: the bit of a link.
        known: the meanings of names that were met before.
    """
    at: cython.Py_ssize_t
    start: cython.longlong = 0
    for at in range(owners.shape[0]):
        if naming[keys[at]]:
            name = values[start : ends[at]]
            found = known.get(name)
            if found is None:
                found = meaning(name)
            bits[owners[at]] |= found
        elif keys[at] == linking and is_link[owners[at]]:
            bits[owners[at]] |= link
        start = ends[at]


def add_surroundings(
    parent: cython.const[cython.int][::1],
    leaves: cython.const[cython.int][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    labels: cython.const[cython.int][::1],
    first_counted: cython.Py_ssize_t,
    bits: cython.longlong[::1],
    counts: cython.int[:, ::1],
    sums: cython.double[:, ::1],
) -> None:
    """Add up, for each segment, the characters in rows with each bit, and in how many of them.

    Args:
        parent: of each row.
        leaves: rows; then where their text starts and ends, and the segment of each, or -1.
        first_counted: bit from which on the rows around are counted too.
        bits: of each row; those of the rows around are added.
        counts: room for the counts of each row.
        sums: zeros, for each segment one value per bit, then one per counted bit, then all
            characters.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    bit: cython.Py_ssize_t
    above: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    counted: cython.Py_ssize_t = counts.shape[1]
    kinds: cython.Py_ssize_t = first_counted + counted
    own: cython.longlong
    length: cython.double
    for row in range(parent.shape[0]):
        own = bits[row]
        above = parent[row]
        for bit in range(counted):
            counts[row, bit] = (own >> (first_counted + bit)) & 1
            if above >= 0:
                counts[row, bit] += counts[above, bit]
        if above >= 0:
            bits[row] = own | bits[above]
    for at in range(leaves.shape[0]):
        segment = labels[at]
        if segment < 0:
            continue
        row = leaves[at]
        own = bits[row]
        length = ends[at] - starts[at]
        for bit in range(kinds):
            if (own >> bit) & 1:
                sums[segment, bit] += length
        for bit in range(counted):
            sums[segment, kinds + bit] += length * counts[row, bit]
        sums[segment, kinds + counted] += length
