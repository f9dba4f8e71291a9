"""Shingles and their min-hash signatures: how alike two texts are, from a few numbers each.

The share of equal values in two signatures estimates the Jaccard coefficient of the two sets of
shingles, with a standard deviation of sqrt(J (1 - J) / values): 0.18 at J = 0.5 for the 8 values of
Kohlschütter & Nejdl 2008 (§5.4), 0.044 for 128.

Values made by different algorithms cannot be compared, although nothing would fail: whatever keeps
signatures keeps `algorithm()` with them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import MissingExtra

Signature = NDArray[np.uint32]
Hashes = NDArray[np.uint64]

_SEED: Final = 20080
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")


def bare_token(token: str) -> str:
    """A token as it is compared: without case, and without marks before and after it."""
    folded = token.casefold()
    return folded if folded.isalnum() else _EDGES.sub("", folded)


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
    try:
        from rensa import RMinHash  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingExtra("rensa", "dedup") from error
    return RMinHash
