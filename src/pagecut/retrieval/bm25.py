"""BM25: how much an occurrence of a term counts, and the index of these weights by bm25s.

Robertson & Walker, "Okapi/Keenbow at TREC-8", 1999. The paper's BM2500 with k1 = 1.2, k3 = 1000 and
b = 0.75 is `bm25(k1=1.2, b=0.75, k3=1000.0, idf='robertson')`.

Differs from the paper: the length of a text is counted in terms, not in bytes, and its mean is that
of the collection instead of 61,200. A term in more than half of the texts counts nothing, where its
Robertson weight would be negative. The defaults are not the paper's but those that ranked best
(docs/retrieval.md).

bm25s stores for every term the texts it is in and its finished score in each. The idf in these
scores is that of the index's own texts; where several indices are searched as one, `add_scores`
puts the idf of them all in its place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import needed
from pagecut.spec import Configured, parameters, parse_spec

if TYPE_CHECKING:
    from types import ModuleType
Float32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bm25(Configured):
    """Okapi's weights.

    Args:
        k1: how fast further occurrences of a term count less.
        b: how far long texts are discounted, from 0 to 1.
        k3: the same as k1 for terms of the query; 0 counts every term once.
        idf: weight of a rare term, "lucene" (never 0) or "robertson" (0 for frequent terms).
    """

    name: ClassVar[str] = "bm25"
    paper: ClassVar[str] = "Robertson & Walker 1999"

    k1: float = 2.0
    b: float = 0.75
    k3: float = 1000.0
    idf: Literal["lucene", "robertson"] = "lucene"

    def __post_init__(self) -> None:
        if self.k1 < 0 or self.k3 < 0:
            raise ValueError(f"k1 and k3 must not be negative, got {self.k1} and {self.k3}")
        if not 0 <= self.b <= 1:
            raise ValueError(f"b must lie in [0, 1], got {self.b}")
        if self.idf not in ("lucene", "robertson"):
            raise ValueError(f"idf must be 'lucene' or 'robertson', got {self.idf!r}")

    @property
    def full_spec(self) -> str:
        """The spec with every parameter: what is stored must not change with the defaults."""
        values = (f"{each.name}={getattr(self, each.name)!r}" for each in parameters(Bm25))
        return f"{self.name}({', '.join(values)})"

    def rarity(self, texts: int, with_term: int) -> float:
        """The weight of a term that occurs in some of the texts (idf)."""
        odds = (texts - with_term + 0.5) / (with_term + 0.5)
        return math.log1p(odds) if self.idf == "lucene" else math.log(max(odds, 1.0))

    def in_query(self, weight: float) -> float:
        """What a term counts that stands in the query so often, or with this weight."""
        return (self.k3 + 1) * weight / (self.k3 + weight) if weight else 0.0


WEIGHTINGS: Final[dict[str, type[Configured]]] = {Bm25.name: Bm25}
_STORED: Final = Bm25(idf="lucene")  # never 0, so that any other idf can take its place
BM2500: Final = Bm25(k1=1.2, b=0.75, k3=1000.0, idf="robertson")


def weighting(spec: str) -> Bm25:
    """The weighting that a spec such as `bm25(b=0.5)` describes."""
    return parse_spec(spec, WEIGHTINGS, "weighting")  # type: ignore[return-value]


def load_bm25s() -> ModuleType:
    """The package, or an error that names the extra."""
    with needed("bm25s", "retrieval"):
        import bm25s
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
