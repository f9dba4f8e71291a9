"""BM25: how much an occurrence of a term tells.

Robertson & Walker, "Okapi/Keenbow at TREC-8", 1999. The paper's BM2500 with k1 = 1.2, k3 = 1000 and
b = 0.75 is `bm25(k1=1.2, b=0.75, k3=1000.0, idf='robertson')`.

Differs from the paper: the length of a text is counted in terms, not in bytes, and its mean is that
of the collection instead of 61,200. A term in more than half of the texts counts nothing, where its
Robertson weight would be negative. The defaults are not the paper's but those that ranked best
(docs/retrieval.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Final, Literal

from pagecut.spec import Configured, parameters, parse_spec


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
BM2500: Final = Bm25(k1=1.2, b=0.75, k3=1000.0, idf="robertson")


def weighting(spec: str) -> Bm25:
    """The weighting that a spec such as `bm25(b=0.5)` describes."""
    return parse_spec(spec, WEIGHTINGS, "weighting")  # type: ignore[return-value]
