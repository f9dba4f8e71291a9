"""Where terms occur, with what they count there: an index of bm25s, searched with weights.

bm25s stores for every term the texts it is in and its finished score in each. The idf in these
scores is that of the index's own texts; where several indices are searched as one, `scores` puts
the idf of them all in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import MissingExtra
from pagecut.retrieval.weighting import Bm25

if TYPE_CHECKING:
    from types import ModuleType

Float32 = NDArray[np.float32]
_STORED = Bm25(idf="lucene")  # never 0, so that any other idf can take its place


def load_bm25s() -> ModuleType:
    """The package, or an error that names the extra."""
    try:
        import bm25s
    except ImportError as error:
        raise MissingExtra("bm25s", "retrieval") from error
    return bm25s  # type: ignore[no-any-return]


def write_postings(
    folder: Path,
    terms: NDArray[np.int32],
    edges: NDArray[np.int64],
    vocabulary: Mapping[str, int],
    weights: Bm25,
) -> None:
    """Write the index that bm25s would make of some texts, which its own way takes far longer for.

    Args:
        terms: numbers of the terms of all texts, one text after the other.
        edges: (texts + 1,) where each text starts.
    """
    lengths = np.diff(edges)
    texts = len(lengths)
    owners = np.repeat(np.arange(texts, dtype=np.int64), lengths)
    pairs, times = np.unique(terms.astype(np.int64) * texts + owners, return_counts=True)
    term, text = np.divmod(pairs, texts)
    texts_with = np.bincount(term, minlength=len(vocabulary))
    rarity = np.log1p((texts - texts_with + 0.5) / (texts_with + 0.5))
    discount = weights.k1 * (1 - weights.b + weights.b * lengths / lengths.mean())
    scores = rarity[term] * (weights.k1 + 1) * times / (times + discount[text])
    engine = load_bm25s().BM25(k1=weights.k1, b=weights.b, method="atire", idf_method="lucene")
    engine.scores = {
        "data": scores.astype(np.float32),
        "indices": text.astype(np.int32),
        "indptr": np.concatenate([[0], np.cumsum(texts_with)]).astype(np.int64),
        "num_docs": texts,
    }
    engine.vocab_dict = dict(vocabulary)
    engine.nonoccurrence_array = None
    engine.save(folder, show_progress=False)


class Postings:
    """An index of bm25s on disk, memory-mapped."""

    def __init__(self, folder: Path) -> None:
        engine = load_bm25s().BM25.load(folder, mmap=True, load_vocab=False, show_progress=False)
        stored: dict[str, Any] = engine.scores
        self._data: Float32 = stored["data"]
        self._texts: NDArray[np.int32] = stored["indices"]
        self._edges = np.asarray(stored["indptr"], dtype=np.int64)
        self.count: int = stored["num_docs"]

    def texts_with(self, term: int) -> int:
        """In how many texts a term occurs (df)."""
        return int(self._edges[term + 1] - self._edges[term])

    def add_scores(self, scores: Float32, term: int, weight: float, rarity: float) -> None:
        """Add what a term of the query counts to the scores of the texts that have it.

        Args:
            scores: (count,)
            weight: of the term in the query.
            rarity: the term's idf over everything that is searched.
        """
        start, end = self._edges[term], self._edges[term + 1]
        if start == end:
            return
        factor = weight * rarity / _STORED.rarity(self.count, int(end - start))
        # A term has each text once, so that no place is added to twice.
        scores[self._texts[start:end]] += np.float32(factor) * self._data[start:end]
