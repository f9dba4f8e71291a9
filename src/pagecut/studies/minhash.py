"""Min-hash signatures of texts: how alike two texts are, and which of many are alike.

The share of equal values in two signatures estimates the Jaccard coefficient of the two sets of
shingles, with a standard deviation of sqrt(J (1 - J) / values): 0.18 at J = 0.5 for the 8 values of
Kohlschütter & Nejdl 2008 (§5.4), 0.044 for 128. Values made by different algorithms cannot be
compared, although nothing would fail: whatever keeps signatures keeps `algorithm()` with them.

Locality-sensitive hashing finds alike signatures without comparing all pairs. A signature is cut
into bands of `width` values. Two signatures that agree in a whole band meet in a bucket and are
compared. With a share s of equal values they meet with probability 1 - (1 - s^width)^bands, an
S-shaped curve; `choose_bands` takes the longest bands that still let 99 % of the pairs at the
threshold meet.

Nothing here is quadratic. Equal signatures are one. In a bucket of more than `BUCKET` signatures
each meets only its next `BUCKET - 1` neighbours, ordered by the values that follow the band, and
only those that no chain of pairs connects with it yet: of many alike signatures come enough pairs
to connect them, not all pairs. So comparisons are at most signatures x bands x (BUCKET - 1).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import needed

Signature = NDArray[np.uint32]
Hashes = NDArray[np.uint64]

_SEED: Final = 20080
_FROM_FIRST_TO_LAST_LETTER = re.compile(r"[^\W_](?:.*[^\W_])?", re.DOTALL)
BUCKET: Final = 50
RECALL: Final = 0.99
_CHUNK: Final = 1 << 16

Rows = NDArray[np.intp]


def bare_token(token: str) -> str:
    """A token as it is compared: without case, and without signs before and after it.

    Vowel signs and accents are no such signs: they are parts of the letter before them.
    """
    folded = token.casefold()
    if folded.isalnum():
        return folded
    found = _FROM_FIRST_TO_LAST_LETTER.search(folded)
    if found is None:
        return ""
    end = found.end()
    while end < len(folded) and category(folded[end]).startswith("M"):
        end += 1
    return folded[found.start() : end]


def shingles(tokens: Sequence[str], size: int) -> set[str]:
    """All runs of `size` tokens; a shorter text is one shingle, an empty text has none."""
    if not tokens:
        return set()
    last = max(len(tokens) - size, 0)
    return {" ".join(tokens[start : start + size]) for start in range(last + 1)}


def hash_shingles(texts: Collection[str]) -> Hashes:
    """(k,) a set of shingles as sorted 64-bit numbers, for `jaccard`."""
    return np.unique(np.array(_rensa().hash_token_sets([list(texts)])[0], dtype=np.uint64))


def jaccard(first: Hashes, second: Hashes) -> float:
    """Shared members over all members of two sets; 0 for two empty ones."""
    shared = len(np.intersect1d(first, second, assume_unique=True))
    every = len(first) + len(second) - shared
    return shared / every if every else 0.0


def sign(sets: Sequence[Collection[str]], values: int) -> Signature:
    """(sets, values) the min-hash signatures of sets of shingles."""
    digests = _rensa().digests_from_token_sets([list(each) for each in sets], values, _SEED)
    return np.array(digests, dtype=np.uint32).reshape(-1, values)


def algorithm() -> str:
    """What made the signatures: library, algorithm, its version, seed."""
    return f"rensa-rminhash-{_rensa().ALGORITHM_VERSION}(seed={_SEED})"


def _rensa() -> Any:
    with needed("rensa", "dedup"):
        from rensa import RMinHash  # type: ignore[import-untyped]
    return RMinHash


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Alike:
    """The signatures that are alike.

    Args:
        pairs: (p, 2) rows of signatures, the smaller first, sorted.
        shares: (p,) share of equal values of each pair.
        comparisons: how many pairs of signatures were compared.
    """

    pairs: Rows
    shares: NDArray[np.float64]
    comparisons: int


def meeting_probability(share: float, bands: int, width: int) -> float:
    """How likely two signatures with this share of equal values meet in a bucket."""
    return float(1 - (1 - share**width) ** bands)


def choose_bands(values: int, threshold: float) -> tuple[int, int]:
    """Number of bands and values in each."""
    fitting = [
        width
        for width in range(1, values + 1)
        if meeting_probability(threshold, values // width, width) >= RECALL
    ]
    width = max(fitting, default=1)
    return values // width, width


def find_alike(signatures: Signature, threshold: float) -> Alike:
    """All pairs of rows with at least a share `threshold` of equal values, as far as they meet.

    Args:
        signatures: (n, values).
    """
    distinct, first, inverse = np.unique(signatures, axis=0, return_index=True, return_inverse=True)
    # The first row stands for its equals, so that results follow the order of the rows.
    order = np.argsort(first)
    distinct, first = distinct[order], first[order]
    stands_for = first[np.argsort(order)[inverse.reshape(-1)]]
    finder = _Finder(distinct, threshold)
    finder.compare_small_buckets()
    finder.compare_large_buckets()
    equal = np.flatnonzero(stands_for != np.arange(len(signatures)))
    pairs = np.concatenate([np.stack([stands_for[equal], equal], axis=1), first[finder.pairs]])
    shares = np.concatenate([np.ones(len(equal)), finder.shares])
    by_row = np.lexsort((pairs[:, 1], pairs[:, 0]))
    return Alike(pairs=pairs[by_row], shares=shares[by_row], comparisons=finder.comparisons)


class _Finder:
    """Compares signatures that are all different."""

    def __init__(self, signatures: Signature, threshold: float) -> None:
        self.signatures = signatures
        self.least = threshold * signatures.shape[1] - 1e-9
        self.bands, self.width = choose_bands(signatures.shape[1], threshold)
        self.pairs: Rows = np.empty((0, 2), dtype=np.intp)
        self.shares: NDArray[np.float64] = np.empty(0)
        self.roots: Rows = np.arange(len(signatures))
        self.comparisons = 0

    def compare_small_buckets(self) -> None:
        """All pairs of the buckets that are small enough for it, each once."""
        count = len(self.signatures)
        met = np.empty(0, dtype=np.int64)
        for band in range(self.bands):
            codes = [
                np.minimum(left, right) * count + np.maximum(left, right)
                for left, right in self._meetings(band, large=False)
            ]
            met = np.unique(np.concatenate([met, *codes]))
        self._compare(met // max(count, 1), met % max(count, 1))

    def compare_large_buckets(self) -> None:
        """Neighbours in the other buckets, unless they are connected already."""
        for band in range(self.bands):
            for left, right in self._meetings(band, large=True):
                apart = self.roots[left] != self.roots[right]
                self._compare(
                    np.minimum(left[apart], right[apart]), np.maximum(left[apart], right[apart])
                )

    def _meetings(self, band: int, large: bool) -> Iterator[tuple[Rows, Rows]]:
        """Rows that lie 1, 2, … places apart in a bucket of one band."""
        values = self.signatures
        start, end = band * self.width, (band + 1) * self.width
        key = np.zeros(len(values), dtype=np.uint64)
        for column in range(start, end):
            # Keys that are equal by chance only cost a comparison.
            key = key * np.uint64(0x9E3779B97F4A7C15) + values[:, column]
        second, third = (values[:, (end + step) % values.shape[1]] for step in (0, 1))
        order = np.lexsort((third, second, key))
        _, bucket, sizes = np.unique(key[order], return_inverse=True, return_counts=True)
        inside = (sizes > BUCKET if large else (sizes > 1) & (sizes <= BUCKET))[bucket]
        order, bucket = order[inside], bucket[inside]
        for apart in range(1, BUCKET):
            same = np.flatnonzero(bucket[apart:] == bucket[:-apart])
            if not len(same):
                return
            yield order[same], order[same + apart]

    def _compare(self, left: Rows, right: Rows) -> None:
        """Keep the pairs that are alike, and connect them."""
        self.comparisons += len(left)
        values = self.signatures.shape[1]
        pairs, shares = [self.pairs], [self.shares]
        for start in range(0, len(left), _CHUNK):
            a, b = left[start : start + _CHUNK], right[start : start + _CHUNK]
            equal = np.count_nonzero(self.signatures[a] == self.signatures[b], axis=1)
            alike = equal >= self.least
            pairs.append(np.stack([a[alike], b[alike]], axis=1))
            shares.append(equal[alike] / values)
        if any(map(len, pairs[1:])):
            self.roots = connect(self.roots, np.concatenate(pairs[1:]))
            self.pairs, self.shares = np.concatenate(pairs), np.concatenate(shares)


def connect(roots: Rows, pairs: Rows) -> Rows:
    """(n,) roots after more pairs: union-find, where the smaller row is the root."""
    parent = roots.copy()

    def find(row: int) -> int:
        while parent[row] != row:
            parent[row] = parent[parent[row]]
            row = int(parent[row])
        return row

    for a, b in pairs.tolist():
        low, high = sorted((find(a), find(b)))
        parent[high] = low
    while (parent != (above := parent[parent])).any():
        parent = above
    return parent
