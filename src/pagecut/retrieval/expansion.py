"""Pseudo-relevance feedback: terms of the best texts of a first search make the query longer.

Okapi's offer weights: Robertson, "On term selection for query expansion", J. Documentation 46,
1990. RM3: Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD". Bo1: Amati, "Probabilistic
models for information retrieval based on divergence from randomness", 2003.

Where the terms come from is the same for all. `source='block'` is the paper's way: of the best
`pages` pages, the blocks that match the query best, `texts` of them. `source='page'` is the
traditional one: the best `texts` pages as wholes. `okapi(texts=20, page_weight=0.0)` is the paper's
setting; the defaults are what did better (docs/retrieval.md).

Differs from the paper: it names neither the number of new terms nor their weights. Here an original
term counts double, and the n-th of m new ones 1 - (n - 1) / m, with the Okapi method. Offer weights
of blocks use the frequencies of terms in all blocks, or, of blocks that are cut when a query is
searched, in all pages. No term is added that is in more than a tenth
of the pages; where pages are few, in more than ten of them or more than half.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, Protocol

from pagecut.spec import Configured, parse_spec

Source = Literal["block", "page"]
Query = dict[str, float]  # weights by term
MOST_FREQUENT: Final = 0.1  # share of the pages; a more frequent term says nothing
ALWAYS_RARE: Final = 10  # pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The texts that feedback is taken from, and what is known of the whole collection.

    Args:
        texts: terms of each, the best text first.
        scores: of the first search.
        count: how many texts (blocks or pages) the collection has.
        texts_with: in how many of them a term occurs.
        pages: how many pages the collection has.
        pages_with: in how many of them a term occurs.
        occurrences: how often a term occurs in the collection.
    """

    texts: Sequence[Counter[str]]
    scores: Sequence[float]
    count: int
    texts_with: Callable[[str], int]
    pages: int
    pages_with: Callable[[str], int]
    occurrences: Callable[[str], int]

    def candidates(self) -> list[str]:
        """Terms that may be added, sorted; what is in no page of the index finds none."""
        most = max(MOST_FREQUENT * self.pages, min(ALWAYS_RARE, self.pages / 2))
        terms = {term for text in self.texts for term in text if len(term) > 1}
        return sorted(term for term in terms if 0 < self.pages_with(term) <= most)


class Expansion(Protocol):
    """What every way to expand queries offers."""

    name: ClassVar[str]

    @property
    def source(self) -> Source: ...
    @property
    def pages(self) -> int: ...
    @property
    def texts(self) -> int: ...
    @property
    def page_weight(self) -> float: ...
    def expand(self, query: Mapping[str, int], sample: Sample) -> Query: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _FromTexts(Configured):
    """What all ways have in common: how many terms, and from which texts."""

    terms: int = 10
    source: Source = "block"
    pages: int = 80
    texts: int = 5
    page_weight: float = 3.0

    def __post_init__(self) -> None:
        if self.source not in ("block", "page"):
            raise ValueError(f"source must be 'block' or 'page', got {self.source!r}")
        for name in "terms", "pages", "texts":
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.page_weight < 0:
            raise ValueError(f"page_weight must not be negative, got {self.page_weight}")


def _best(weights: Mapping[str, float], count: int) -> list[str]:
    """The terms with the largest weights; of equals, the first by name."""
    return sorted(weights, key=lambda term: (-weights[term], term))[:count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Okapi(_FromTexts):
    """The terms with the largest offer weights.

    Args:
        terms: how many to add.
        source: take them from the best "block"s of the best pages, or from whole "page"s.
        pages: how many pages blocks are taken from.
        texts: how many blocks or pages are the source.
        page_weight: how much the score of its page counts where blocks are chosen.
    """

    name: ClassVar[str] = "okapi"
    paper: ClassVar[str] = "Robertson 1990"

    def expand(self, query: Mapping[str, int], sample: Sample) -> Query:
        offers = offer_weights(sample)
        new = _best({term: offers[term] for term in offers if term not in query}, self.terms)
        return {term: 2.0 * times for term, times in query.items()} | {
            term: 1 - rank / len(new) for rank, term in enumerate(new)
        }


def offer_weights(sample: Sample) -> dict[str, float]:
    """r times the relevance weight of each term that the texts offer.

    With r of the R texts and n of all N: log (r+.5)(N-n-R+r+.5) / (n-r+.5)(R-r+.5). Where blocks
    are cut when a query is searched, N and n count pages, of which fewer may have a term than of
    the blocks: what is left of them is then 0.
    """
    relevant, count = len(sample.texts), sample.count
    in_texts = Counter(term for text in sample.texts for term in text)
    offers = {}
    for term in sample.candidates():
        with_term = in_texts[term]
        others_with = max(sample.texts_with(term) - with_term, 0)
        others_without = max(count - relevant - others_with, 0)
        odds = (with_term + 0.5) * (others_without + 0.5)
        odds /= (others_with + 0.5) * (relevant - with_term + 0.5)
        offers[term] = with_term * math.log(odds)
    return offers


@dataclass(frozen=True, slots=True, kw_only=True)
class Rm3(_FromTexts):
    """A relevance model, mixed with the query.

    Args:
        terms, source, pages, texts, page_weight: as for `okapi`.
        original: the part of the new query that is the old one.
    """

    name: ClassVar[str] = "rm3"
    paper: ClassVar[str] = "Abdul-Jaleel et al. 2004"

    original: float = 0.5

    def __post_init__(self) -> None:
        _FromTexts.__post_init__(self)
        if not 0 <= self.original <= 1:
            raise ValueError(f"original must lie in [0, 1], got {self.original}")

    def expand(self, query: Mapping[str, int], sample: Sample) -> Query:
        model = dict.fromkeys(sample.candidates(), 0.0)
        for text, score in zip(sample.texts, sample.scores, strict=True):
            length = text.total()
            for term, times in text.items():
                if term in model:
                    model[term] += score * times / length
        chosen = _best(model, self.terms)
        total = sum(model[term] for term in chosen)
        length = sum(query.values())
        expanded = {term: self.original * times / length for term, times in query.items()}
        for term in chosen if total else ():
            share = (1 - self.original) * model[term] / total
            expanded[term] = expanded.get(term, 0.0) + share
        return expanded


@dataclass(frozen=True, slots=True, kw_only=True)
class Bo1(_FromTexts):
    """The terms that are most surprising where Bose-Einstein statistics would scatter them.

    Args:
        terms, source, pages, texts, page_weight: as for `okapi`.
    """

    name: ClassVar[str] = "bo1"
    paper: ClassVar[str] = "Amati 2003"

    def expand(self, query: Mapping[str, int], sample: Sample) -> Query:
        together: Counter[str] = Counter()
        for text in sample.texts:
            together.update(text)
        surprise = {}
        for term in sample.candidates():
            mean = sample.occurrences(term) / sample.count
            surprise[term] = together[term] * math.log2((1 + mean) / mean) + math.log2(1 + mean)
        chosen = _best(surprise, self.terms)
        most = max(query.values())
        expanded = {term: times / most for term, times in query.items()}
        for term in chosen:
            expanded[term] = expanded.get(term, 0.0) + surprise[term] / surprise[chosen[0]]
        return expanded


EXPANSIONS: Final[dict[str, type[Configured]]] = {
    method.name: method for method in (Okapi, Rm3, Bo1)
}


def expansion(spec: str) -> Expansion:
    """The expansion that a spec such as `rm3(terms=20)` describes."""
    return parse_spec(spec, EXPANSIONS, "expansion")  # type: ignore[return-value]
