"""The part of a block that shows best why it was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pagecut.page.readable_text import readable
from pagecut.page.tokenizer import token_spans
from pagecut.retrieval.terms import Stemming, extract_terms

LENGTH: Final = 240  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of text, and the range of the page's text that it stands in."""

    text: str
    start: int
    end: int


def find_snippet(
    text: str,
    spans: Sequence[tuple[int, int]],
    weights: Mapping[str, float],
    stemming: Stemming,
    length: int = LENGTH,
) -> Snippet:
    """The piece of a block whose different terms weigh most; of equals, the first.

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


def _earlier(words: Sequence[Sequence[int]], first: int, room: int) -> int:
    """The first word that stands at most `room` characters before a word."""
    least = words[first][0] - room
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
    """The first and last word of the shortest piece that holds as much as any."""
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
