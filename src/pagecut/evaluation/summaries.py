"""The scores of a method in one line: means, with intervals from resampled sites.

Efron & Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13: the percentile interval.
Sites are drawn, never pages, images or tokens: pages of one template are not independent.
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
from pagecut.evaluation.tasks import (
    EXACT_ITEMS,
    FOUND,
    FOUND_ITEMS,
    GIVEN,
    HAS_CONTEXT,
    INVENTED,
    METADATA_FIELDS,
    OVERALL,
    SEGMENTS,
    SIMILAR_ITEMS,
    TRUE,
    TRUE_ITEMS,
)

RESAMPLES: Final = 2000
SEED: Final = 1993
COVERAGE: Final = 0.95
_SHORT: Final = {"lcs-precision": "P", "lcs-recall": "R", "lcs-f": "F"} | {
    "word-precision": "P",
    "word-recall": "R",
    "word-f": "F",
}

# Means over pages, by their measures, where a summary also has one over images or items.
BY_PAGE: Final = {
    "lcs-f": "F by page",
    "similar-f": "similar F by page",
    "exact-f": "exact F by page",
}

Float = NDArray[np.float64]
Groups = Mapping[str, frozenset[str]]  # pages by the name of their group
Interval = tuple[float, float]
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


@dataclass(frozen=True, slots=True)
class Parts:
    """A value that follows from sums over pages.

    Args:
        pages: in order, so that draws do not depend on the order of the dataset.
        sums: (p, k) what each page adds to each of k sums.
        combine: (n, k) sums to (n,) values; a mean is `ratio` with counts in the second column.
    """

    pages: Sequence[str]
    sums: Float
    combine: Callable[[Float], Float] = ratio

    @property
    def value(self) -> float:
        return float(self.combine(self.sums.sum(axis=0)))

    def interval(self, sites: Mapping[str, str]) -> Interval | None:
        """What the value may be on other sites; None if there is one site only."""
        names = [sites.get(page, f"page {page}") for page in self.pages]
        return bootstrap_interval(self.sums, self.combine, names)


Measured = dict[str, list[Score]]  # by measure
Values = tuple[dict[str, Parts], dict[str, float]]  # with and without intervals


def bootstrap_interval(
    parts: Float,
    combine: Callable[[Float], Float] = ratio,
    sites: Sequence[str] | None = None,
) -> Interval | None:
    """The percentile interval of a value that follows from sums over sites.

    Args:
        parts: (p, k) what each page adds to each of k sums.
        combine: (n, k) sums to (n,) values.
        sites: (p,) of each page; if not given, each page is a site of its own.
    """
    if sites is not None:
        _, numbers = np.unique(np.asarray(sites, dtype=np.str_), return_inverse=True)
        added = np.zeros((int(numbers.max(initial=-1)) + 1, parts.shape[1]))
        np.add.at(added, numbers.reshape(-1), parts)
        parts = added
    if len(parts) < 2:
        return None
    drawn = combine(_weights(len(parts)) @ parts)
    low, high = np.quantile(drawn, [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2]).tolist()
    return low, high


@lru_cache(maxsize=4)
def _weights(sites: int) -> Float:
    """(RESAMPLES, sites) how often each site is drawn; the same draws for every method."""
    random = np.random.default_rng(SEED)
    shares = np.full(sites, 1 / sites)
    return random.multinomial(sites, shares, size=RESAMPLES).astype(np.float64)


def summarize(
    task: str,
    scores: Sequence[Score],
    groups: Groups,
    sites: Mapping[str, str] | None,
) -> list[Summary]:
    """The means of each method, over all pages and over each group of them.

    Args:
        sites: of each page; a page without one is a site of its own. None for no intervals.
    """
    parts_of = _PARTS[task]
    summaries = []
    for made_by, group, rows in _by_method(scores, groups):
        parts, counts = parts_of(_by_measure(rows))
        values = {name: each.value for name, each in parts.items()}
        intervals = (
            {name: each.interval(sites) for name, each in parts.items()}
            if sites is not None
            else {}
        )
        summaries.append(
            Summary(
                made_by=made_by,
                group=group,
                pages=len({score.page for score in rows}),
                values=values | counts,
                intervals={name: each for name, each in intervals.items() if each is not None},
            )
        )
    return summaries


def _segmentation_parts(measured: Measured) -> Values:
    segments = measured.pop(SEGMENTS, [])
    parts = {name: _mean_over_pages(rows) for name, rows in measured.items()}
    parts |= _f_stars(measured)
    if segments:
        parts[SEGMENTS] = _mean_over_pages(segments)
    return parts, {}


def _f_stars(measured: Measured) -> dict[str, Parts]:
    """F* for every pair of BCubed precision and recall: the harmonic mean of their means."""
    found: dict[str, Parts] = {}
    for name, rows in measured.items():
        other = name.replace("bcubed-precision", "bcubed-recall", 1)
        if other != name and other in measured:
            precision, recall = _mean_over_pages(rows), _mean_over_pages(measured[other])
            sums = np.concatenate((precision.sums, recall.sums[:, :1]), axis=1)
            unit = name.removeprefix("bcubed-precision")
            found[f"bcubed-f*{unit}"] = Parts(precision.pages, sums, _f_star)
    return found


def _f_star(sums: Float) -> Float:
    """Of sums of precision, of pages and of recall."""
    return f_star(sums[..., 0], sums[..., 2], sums[..., 1])


def _item_parts(measured: Measured) -> Values:
    """F over all items of all pages, and the mean over pages."""
    found, true = (_by_page(measured[name]) for name in (FOUND_ITEMS, TRUE_ITEMS))
    both = np.array([found[page][0] + true[page][0] for page in found])
    parts = {}
    for name, matched, by_page in (
        ("similar F", SIMILAR_ITEMS, "similar-f"),
        ("exact F", EXACT_ITEMS, "exact-f"),
    ):
        counts = np.array([values[0] for values in _by_page(measured[matched]).values()])
        parts[name] = Parts(list(found), np.stack([2 * counts, both], axis=1))
        parts[BY_PAGE[by_page]] = _mean_over_pages(measured[by_page])
    totals = {"items": _total(found), "true items": _total(true)}
    return parts, totals


def _context_parts(measured: Measured) -> Values:
    """Means over images and over pages; how well a method knows which images have a context."""
    decisions, overall = _by_page(measured.pop(HAS_CONTEXT)), measured.pop(OVERALL)
    parts = {_SHORT.get(name, name): _mean_over_rows(rows) for name, rows in measured.items()}
    if "lcs-f" in measured:
        parts[BY_PAGE["lcs-f"]] = _mean_over_pages(measured["lcs-f"])
    true = _by_page(next(iter(measured.values()), []))
    hits = np.array([values.count(FOUND) for values in decisions.values()], dtype=np.float64)
    invented = np.array([values.count(INVENTED) for values in decisions.values()])
    images = np.array([len(true.get(page, ())) for page in decisions], dtype=np.float64)
    sums = np.stack([2 * hits, hits + invented + images], axis=1)
    parts["decision F"] = Parts(list(decisions), sums)
    parts["overall"] = _mean_over_rows(overall)
    return parts, {"images": float(images.sum()), "no output": float((images - hits).sum())}


def _text_parts(measured: Measured) -> Values:
    return {_SHORT.get(name, name): _mean_over_pages(rows) for name, rows in measured.items()}, {}


def _metadata_parts(measured: Measured) -> Values:
    """F of each field: what is right, of what is given and of what is true."""
    parts = {}
    for name in METADATA_FIELDS:
        right, given, true = (
            _by_page(measured.get(each, [])) for each in (name, f"{name} {GIVEN}", f"{name} {TRUE}")
        )
        rows = [
            [2 * right[page][0] * given[page][0], given[page][0] + true[page][0]] for page in right
        ]
        parts[f"{name} F"] = Parts(list(right), np.array(rows).reshape(-1, 2))
    return parts, {}


HEADLINES: Final = {  # what a task is summed up by, where there is little space
    "items": ("similar F", "exact F"),
    "image-context": ("F", "overall"),
    "main-text": ("F",),
    "metadata": tuple(f"{name} F" for name in METADATA_FIELDS),
}
_PARTS: Final[dict[str, Callable[[Measured], Values]]] = {
    "segmentation": _segmentation_parts,
    "items": _item_parts,
    "image-context": _context_parts,
    "main-text": _text_parts,
    "metadata": _metadata_parts,
}


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


def _mean_over_pages(scores: Sequence[Score]) -> Parts:
    values = _by_page(scores)
    return Parts(list(values), np.array([[np.mean(each), 1.0] for each in values.values()]))


def _mean_over_rows(scores: Sequence[Score]) -> Parts:
    values = _by_page(scores)
    return Parts(list(values), np.array([[sum(each), len(each)] for each in values.values()]))


def _total(values: Mapping[str, Sequence[float]]) -> float:
    return float(sum(sum(each) for each in values.values()))


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
