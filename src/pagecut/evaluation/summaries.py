"""The scores of a method in one line: means, with intervals from resampled pages.

Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: the percentile interval.
Pages are drawn, never images or tokens: what lies on one page is not independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.measures import Score
from pagecut.evaluation.measures.overlap import f_star

# Rows of every evaluation that no measure gives.
SEGMENTS: Final = "segments"
HAS_CONTEXT: Final = "has-context"
FOUND, NONE, INVENTED = 1.0, 0.0, -1.0

RESAMPLES: Final = 2000
SEED: Final = 1993
COVERAGE: Final = 0.95
_SHORT: Final = {"lcs-precision": "P", "lcs-recall": "R", "lcs-f": "F"}

Float = NDArray[np.float64]
Groups = Mapping[str, frozenset[str]]  # pages by the name of their group
Interval = tuple[float, float]
# What each page adds to some sums, and how a value follows from the sums.
Parts = tuple[Float, Callable[[Float], Float]]
PageValues = dict[str, dict[str, float]]  # by method, by page


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One line of the table: a method's means over a group of pages.

    Args:
        intervals: of the values that have one; none has if there is one page only.
    """

    made_by: str
    group: str
    pages: int
    values: dict[str, float]
    intervals: dict[str, Interval] = field(default_factory=dict)


def ratio(sums: Float) -> Float:
    """The first sum over the second; 0 where there is nothing to divide by."""
    over, under = sums[..., 0], sums[..., 1]
    return np.divide(over, under, out=np.zeros_like(over), where=under != 0)


def bootstrap_interval(parts: Float, combine: Callable[[Float], Float] = ratio) -> Interval | None:
    """The percentile interval of a value that follows from sums over pages.

    Args:
        parts: (p, k) what each page adds to each of k sums.
        combine: (n, k) sums to (n,) values; a mean is `ratio` with ones in the second column.
    """
    if len(parts) < 2:
        return None
    drawn = combine(_weights(len(parts)) @ parts)
    low, high = np.quantile(drawn, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2]).tolist()
    return low, high


@lru_cache(maxsize=8)
def _weights(pages: int) -> Float:
    """(RESAMPLES, pages) how often each page is drawn; the same draws for every method."""
    random = np.random.default_rng(SEED)
    shares = np.full(pages, 1 / pages)
    return random.multinomial(pages, shares, size=RESAMPLES).astype(np.float64)


def summarize_segmentation(scores: Sequence[Score], groups: Groups) -> list[Summary]:
    """Means over pages, for each method."""
    summaries = []
    for made_by, group, rows in _by_method(scores, groups):
        measured = _by_measure(rows)
        segments = measured.pop(SEGMENTS, [])
        parts: dict[str, Parts] = {n: (_mean_over_pages(e), ratio) for n, e in measured.items()}
        parts |= _f_stars(measured)
        if segments:
            parts[SEGMENTS] = _mean_over_pages(segments), ratio
        summaries.append(_summary(made_by, group, rows, parts))
    return summaries


def _f_stars(measured: Mapping[str, Sequence[Score]]) -> dict[str, Parts]:
    """F* for every pair of BCubed precision and recall: the harmonic mean of their means."""
    found: dict[str, Parts] = {}
    for name, rows in measured.items():
        other = name.replace("bcubed-precision", "bcubed-recall", 1)
        if other != name and other in measured:
            both = (_mean_over_pages(rows), _mean_over_pages(measured[other])[:, :1])
            unit = name.removeprefix("bcubed-precision")
            found[f"bcubed-f*{unit}"] = np.concatenate(both, axis=1), _f_star
    return found


def _f_star(sums: Float) -> Float:
    """Of sums of precision, of pages and of recall."""
    return f_star(sums[..., 0], sums[..., 2], sums[..., 1])


def summarize_contexts(scores: Sequence[Score], groups: Groups) -> list[Summary]:
    """Means over images and over pages; how well a method knows which images have a context."""
    summaries = []
    for made_by, group, rows in _by_method(scores, groups):
        measured = _by_measure(rows)
        decisions = _by_page(measured.pop(HAS_CONTEXT))
        parts: dict[str, Parts] = {
            _SHORT.get(name, name): (_mean_over_rows(each), ratio)
            for name, each in measured.items()
        }
        if "lcs-f" in measured:
            parts["F by page"] = _mean_over_pages(measured["lcs-f"]), ratio
        images = max((len(each) for each in measured.values()), default=0)
        hits = np.array([each.count(FOUND) for each in decisions.values()], dtype=np.float64)
        invented = np.array([each.count(INVENTED) for each in decisions.values()])
        true = _true_images(measured, list(decisions))
        counts = {"images": float(images), "no output": float(images - hits.sum())}
        parts["decision F"] = np.stack([2 * hits, hits + invented + true], axis=1), ratio
        summaries.append(_summary(made_by, group, rows, parts, counts))
    return summaries


def _true_images(measured: Mapping[str, Sequence[Score]], pages: Sequence[str]) -> Float:
    """How many images of each page have a true context."""
    rows = next(iter(measured.values()), [])
    counts = {page: len(values) for page, values in _by_page(rows).items()}
    return np.array([counts.get(page, 0) for page in pages], dtype=np.float64)


def _summary(
    made_by: str,
    group: str,
    rows: Sequence[Score],
    parts: Mapping[str, Parts],
    counts: Mapping[str, float] | None = None,
) -> Summary:
    """Sums over pages to values and intervals; counts have no interval and stand last but one."""
    values = {name: float(combine(each.sum(axis=0))) for name, (each, combine) in parts.items()}
    if counts:
        last, value = values.popitem()
        values |= {**counts, last: value}
    intervals = {name: bootstrap_interval(*each) for name, each in parts.items()}
    return Summary(
        made_by=made_by,
        group=group,
        pages=len({score.page for score in rows}),
        values=values,
        intervals={name: each for name, each in intervals.items() if each is not None},
    )


def page_values(scores: Iterable[Score], measure: str) -> PageValues:
    """One measure's value on each page, by method; the mean over its images if it has several."""
    found: dict[str, dict[str, list[float]]] = {}
    for score in scores:
        if score.measure == measure:
            pages = found.setdefault(score.made_by, {})
            pages.setdefault(score.page, []).append(score.value)
    return {
        made_by: {page: float(np.mean(values)) for page, values in pages.items()}
        for made_by, pages in found.items()
    }


def _mean_over_pages(scores: Sequence[Score]) -> Float:
    return np.array([[np.mean(values), 1.0] for values in _by_page(scores).values()])


def _mean_over_rows(scores: Sequence[Score]) -> Float:
    return np.array([[sum(values), len(values)] for values in _by_page(scores).values()])


def _by_page(scores: Iterable[Score]) -> dict[str, list[float]]:
    """Values by page, sorted, so that draws do not depend on the order of the dataset."""
    parts: dict[str, list[float]] = {}
    for score in scores:
        parts.setdefault(score.page, []).append(score.value)
    return dict(sorted(parts.items()))


def _by_measure(scores: Iterable[Score]) -> dict[str, list[Score]]:
    parts: dict[str, list[Score]] = {}
    for score in scores:
        parts.setdefault(score.measure, []).append(score)
    return parts


def _by_method(scores: Sequence[Score], groups: Groups) -> list[tuple[str, str, list[Score]]]:
    """Scores by method: of all pages first, then of each group of pages."""
    parts: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        parts.setdefault(("all", score.made_by), []).append(score)
    for group, pages in groups.items():
        for score in scores:
            if score.page in pages:
                parts.setdefault((group, score.made_by), []).append(score)
    return [(made_by, group, rows) for (group, made_by), rows in parts.items()]
