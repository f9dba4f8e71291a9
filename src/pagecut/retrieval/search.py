"""Ranking pages and blocks for a query, in one round or two; the snippet that shows why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import PagecutError
from pagecut.page.text.readable_text import readable
from pagecut.page.text.tokenizer import token_spans
from pagecut.retrieval.bm25 import Float32
from pagecut.retrieval.expansion import Expansion, Query, Sample
from pagecut.retrieval.index import Index
from pagecut.retrieval.shard import Shard, Unit
from pagecut.retrieval.terms import Stemming, extract_terms, without_stop_words

PageScore = Literal["page", "best", "sum", "combined"]

Place = tuple[int, int]  # shard, and number of the page or block in it
Cut = Callable[[str], Sequence[Counter[str]]]
SNIPPET_LENGTH: Final = 240  # characters


class NoWords(PagecutError):
    """A query has nothing to search for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """An answer, and where in its page it stands.

    Args:
        rank: from 1.
        page: name of the page.
        segment: number of the block; of a page, of its best block. None for text in no segment.
        start, end: range of the page's text that the snippet was taken from.
    """

    rank: int
    score: float
    page: str
    url: str
    page_title: str
    segment: int | None
    xpath: str
    start: int
    end: int
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """Searches an index.

    Args:
        unit: what to find: "page"s or "block"s.
        page_score: a page's score is that of all its text ("page"), of its best block ("best"), of
            all its blocks together ("sum"), or half "page" and half "best" ("combined").
        expand: how a second round's query is made of the first round's best texts; None for one
            round only.
        stop_words: whether the commonest English words of a query are left out.
        cut: gives the terms of each block of a page, by its name: the best pages of a query are cut
            when it is searched, as in the paper, instead of the blocks of the index.
    """

    index: Index
    unit: Unit = "page"
    page_score: PageScore = "page"
    expand: Expansion | None = None
    stop_words: bool = False
    cut: Cut | None = None

    def search(self, text: str, count: int = 10) -> list[Hit]:
        """The best answers to a query, with snippets."""
        query = self.query(text)
        return [
            self._hit(rank, score, place, query)
            for rank, (place, score) in enumerate(self.rank(query, count), 1)
        ]

    def query(self, text: str) -> Query:
        """The weighted terms that are searched for, expanded if that was asked for."""
        stemming = self.index.description.stemming
        if self.stop_words:
            plain = without_stop_words(extract_terms(text))
            terms = Counter(extract_terms(" ".join(plain), stemming))
        else:
            terms = Counter(extract_terms(text, stemming))
        known = {term: n for term, n in terms.items() if self.index.texts_with("page", term)}
        if not terms:
            raise NoWords(f"the query {text!r} has no words")
        if self.expand is None or not known:
            return {term: float(times) for term, times in known.items()}
        return self.expand.expand(known, self._sample(known, self.expand))

    def rank(self, query: Query, count: int) -> list[tuple[Place, float]]:
        """The best places for a weighted query, those that score nothing left out."""
        return self._best(query, self.unit, count)

    def name(self, place: Place) -> str:
        """The name of a page, or of a block: the page's and its number."""
        shard, number = self.index.shards[place[0]], place[1]
        if self.unit == "page":
            return shard.names[number]
        page = int(shard.page_of_block[number])
        return f"{shard.names[page]}#{int(shard.segments[number])}"

    def _best(self, query: Query, unit: Unit, count: int) -> list[tuple[Place, float]]:
        found: list[tuple[Place, float]] = []
        for number, shard in enumerate(self.index.shards):
            scores = self._scores(shard, query, unit)
            found.extend(((number, at), float(scores[at])) for at in top(scores, count))
        return sorted(found, key=lambda each: (-each[1], each[0]))[:count]

    def _scores(self, shard: Shard, query: Query, unit: Unit) -> Float32:
        if unit == "block":
            return shard.scores("block", self._weighted(query, "block"))
        parts = []
        if self.page_score in ("page", "combined"):
            parts.append(shard.scores("page", self._weighted(query, "page")))
        if self.page_score != "page":
            blocks = shard.scores("block", self._weighted(query, "block"))
            parts.append(of_pages(shard, blocks, self.page_score == "sum"))
        return parts[0] if len(parts) == 1 else (parts[0] + parts[1]) * np.float32(0.5)

    def _weighted(self, query: Mapping[str, float], unit: Unit) -> dict[str, tuple[float, float]]:
        weights = self.index.weights
        return {
            term: (weights.in_query(weight), self.index.rarity(unit, term))
            for term, weight in query.items()
        }

    def _sample(self, query: Mapping[str, int], method: Expansion) -> Sample:
        """The texts of the first round that the second round's terms come from."""
        index = self.index
        first: Query = {term: float(times) for term, times in query.items()}
        unit = method.source
        if unit == "block" and self.cut is not None:
            return self._sample_cut_now(first, method, self.cut)
        if unit == "page":
            best = self._best(first, "page", method.texts)
        else:
            pages = self._best(first, "page", method.pages)
            best = self._best_blocks(first, pages, method)
        return Sample(
            texts=[index.shards[shard].terms_of(unit, number) for (shard, number), _ in best],
            scores=[score for _, score in best],
            count=index.count(unit),
            texts_with=lambda term: index.texts_with(unit, term),
            pages=index.count("page"),
            pages_with=lambda term: index.texts_with("page", term),
            occurrences=index.occurrences_of,
        )

    def first_pages(self, text: str, count: int) -> list[str]:
        """The names of the best pages of the first round."""
        query = Searcher(index=self.index, stop_words=self.stop_words).query(text)
        return [self._page_name(place) for place, _ in self._best(query, "page", count)]

    def _page_name(self, place: Place) -> str:
        return self.index.shards[place[0]].names[place[1]]

    def _sample_cut_now(self, query: Query, method: Expansion, cut: Cut) -> Sample:
        """The same from pages that are cut now; what is known of all texts is known of pages."""
        index, weights = self.index, self.index.weights
        pages = self._best(query, "page", method.pages)
        blocks = [(block, score) for place, score in pages for block in cut(self._page_name(place))]
        lengths = [block.total() for block, _ in blocks]
        mean = sum(lengths) / max(len(lengths), 1)
        found: list[tuple[float, int]] = []
        for number, (block, around) in enumerate(blocks):
            score = 0.0
            longer = 1 - weights.b + weights.b * lengths[number] / max(mean, 1e-9)
            for term, weight in query.items():
                if times := block[term]:
                    saturated = times * (weights.k1 + 1) / (times + weights.k1 * longer)
                    score += weights.in_query(weight) * index.rarity("page", term) * saturated
            if score > 0:
                found.append((score + method.page_weight * around, number))
        best = sorted(found, key=lambda each: (-each[0], each[1]))[: method.texts]
        return Sample(
            texts=[blocks[number][0] for _, number in best],
            scores=[score for score, _ in best],
            count=index.count("page"),
            texts_with=lambda term: index.texts_with("page", term),
            pages=index.count("page"),
            pages_with=lambda term: index.texts_with("page", term),
            occurrences=index.occurrences_of,
        )

    def _best_blocks(
        self, query: Query, pages: list[tuple[Place, float]], method: Expansion
    ) -> list[tuple[Place, float]]:
        """The best blocks of some pages; all of them have at least one term of the query."""
        found: list[tuple[Place, float]] = []
        weighted = self._weighted(query, "block")
        for number, shard in enumerate(self.index.shards):
            of_page = np.zeros(shard.count("page"), dtype=np.float32)
            for (owner, page), score in pages:
                if owner == number:
                    of_page[page] = score
            scores = shard.scores("block", weighted)
            around = of_page[shard.page_of_block]
            scores[around == 0] = 0
            scores[scores > 0] += np.float32(method.page_weight) * around[scores > 0]
            found.extend(((number, at), float(scores[at])) for at in top(scores, method.texts))
        return sorted(found, key=lambda each: (-each[1], each[0]))[: method.texts]

    def _hit(self, rank: int, score: float, place: Place, query: Query) -> Hit:
        shard, number = self.index.shards[place[0]], place[1]
        block = number
        if self.unit == "page":
            first, last = shard.page_edges[number : number + 2].tolist()
            blocks = shard.scores("block", self._weighted(query, "block"))[first:last]
            block = first + int(np.argmax(blocks))
        page = int(shard.page_of_block[block])
        snippet = find_snippet(
            shard.texts[block],
            shard.spans_of(block),
            {term: self.index.rarity("block", term) * weight for term, weight in query.items()},
            self.index.description.stemming,
        )
        segment = int(shard.segments[block])
        return Hit(
            rank=rank,
            score=score,
            page=shard.names[page],
            url=shard.urls[page],
            page_title=shard.titles[page],
            segment=segment if segment >= 0 else None,
            xpath=shard.xpaths[block],
            start=snippet.start,
            end=snippet.end,
            snippet=snippet.text,
        )


def top(scores: Float32, count: int) -> list[int]:
    """Places of the largest scores above 0, the largest first; of equals, the first ones."""
    places = np.flatnonzero(scores > 0)
    if count < len(places):
        found_scores = scores[places]
        least = np.partition(found_scores, len(places) - count)[len(places) - count]
        places = places[found_scores >= least]
    order: NDArray[np.intp] = np.argsort(-scores[places], kind="stable")[:count]
    found: list[int] = places[order].tolist()
    return found


def of_pages(shard: Shard, blocks: Float32, together: bool) -> Float32:
    """(p,) the scores of pages from those of their blocks: the best, or all `together`."""
    edges = shard.page_edges
    scores = np.zeros(len(edges) - 1, dtype=np.float32)
    filled = np.flatnonzero(np.diff(edges))
    if len(filled):
        combine = np.add if together else np.maximum
        scores[filled] = combine.reduceat(blocks, edges[filled])
    return scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A part of a block's text, and the range of the page's text that it stands in."""

    text: str
    start: int
    end: int


def find_snippet(
    text: str,
    spans: Sequence[tuple[int, int]],
    weights: Mapping[str, float],
    stemming: Stemming,
    length: int = SNIPPET_LENGTH,
) -> Snippet:
    """The part of a block whose different terms weigh most; of equals, the first.

    Args:
        text: the block's; where it is not as long as its ranges (a table keeps it for reading),
            the snippet points to the whole block.
        spans: ranges of the page's text, with a line of `text` for each.
        weights: of the query's terms.
    """
    start, end = _best_window(text, weights, stemming, length)
    exact = sum(last - first for first, last in spans) + len(spans) - 1 == len(text)
    if exact:
        place = _locate(spans, start), _locate(spans, max(start, end - 1)) + (end > start)
    else:
        place = spans[0][0], spans[-1][1]
    return Snippet(text=" ".join(readable(text[start:end]).split()), start=place[0], end=place[1])


def _best_window(
    text: str, weights: Mapping[str, float], stemming: Stemming, length: int
) -> tuple[int, int]:
    """Range of the words that fit into a length and hold most, with some words around them."""
    words = token_spans(text).tolist()
    if not words:
        return 0, 0
    first, last = _densest(text, words, weights, stemming, length)
    first = _earlier(words, first, (length - (words[last][1] - words[first][0])) // 3)
    end = words[first][0] + length
    while last + 1 < len(words) and words[last + 1][1] <= end:
        last += 1
    first = _earlier(words, first, length - (words[last][1] - words[first][0]))
    return words[first][0], min(words[last][1], words[first][0] + 4 * length)


def _earlier(words: Sequence[Sequence[int]], first: int, distance: int) -> int:
    """The first word that stands at most so many characters before a word."""
    least = words[first][0] - distance
    while first > 0 and words[first - 1][0] >= least:
        first -= 1
    return first


def _densest(
    text: str,
    words: Sequence[Sequence[int]],
    weights: Mapping[str, float],
    stemming: Stemming,
    length: int,
) -> tuple[int, int]:
    """The first and last word of the shortest part that holds as much as any."""
    matches = [
        (number, term)
        for number, (start, end) in enumerate(words)
        for term in extract_terms(text[start:end], stemming)
        if term in weights
    ]
    inside: Counter[str] = Counter()
    best = (0.0, 0, 0, 0)  # weight, minus the characters, first and last word
    left = 0
    for number, term in matches:
        inside[term] += 1
        first, oldest = matches[left]
        while inside[oldest] > 1 or (
            first < number and words[number][1] - words[first][0] > length
        ):
            inside[oldest] -= 1
            left += 1
            first, oldest = matches[left]
        total = round(sum(weights[each] for each, times in inside.items() if times), 9)
        best = max(best, (total, words[first][0] - words[number][1], first, number), key=_goodness)
    return best[2], best[3]


def _goodness(window: tuple[float, int, int, int]) -> tuple[float, int]:
    return window[:2]


def _locate(spans: Sequence[tuple[int, int]], offset: int) -> int:
    """The offset of the page's text that an offset of the block's text stands for."""
    for start, end in spans:
        if offset <= end - start:
            return start + offset
        offset -= end - start + 1
    return spans[-1][1]
