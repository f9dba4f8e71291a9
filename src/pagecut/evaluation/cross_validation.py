"""Cross-validation: choose a parameter on some sites, report on the others.

A parameter that was chosen by its scores looks better on those pages than on any others. Pages of
one site share a template, so they are never on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.datasets import DatasetPage
from pagecut.evaluation.summaries import Interval, bootstrap_interval, ratio

SEED: Final = 2008

Float = NDArray[np.float64]


def site_of(entry: DatasetPage) -> str:
    """The host of a page's URL without `www.`; a page without a URL is a site of its own."""
    host = urlsplit(entry.url or "").hostname if entry.url else None
    return host.removeprefix("www.") if host else f"page {entry.id}"


def site_folds(entries: Sequence[DatasetPage], folds: int, seed: int = SEED) -> dict[str, int]:
    """The fold of each page, by its id: whole sites, in folds of about the same size.

    The sites are shuffled, then each goes to the smallest fold; the order of the pages does not
    matter.
    """
    sites: dict[str, list[str]] = {}
    for entry in entries:
        sites.setdefault(site_of(entry), []).append(entry.id)
    if not 2 <= folds <= len(sites):
        raise ValueError(f"folds must lie in 2..{len(sites)}, the number of sites, got {folds}")
    names = sorted(sites)
    order = np.random.default_rng(seed).permutation(len(names)).tolist()
    sizes = [0] * folds
    found = {}
    for index in order:
        fold = sizes.index(min(sizes))
        for page in sites[names[index]]:
            found[page] = fold
            sizes[fold] += 1
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One part of the pages, held out while the value was chosen on the others.

    Args:
        value: the one with the best mean over what the other folds hold.
        training: that mean.
        score: the mean over what this fold holds.
    """

    number: int
    pages: int
    value: Any
    training: float
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidation:
    """What a chosen value is worth on pages that had no say in the choice."""

    measure: str
    folds: Sequence[Fold]
    score: float
    interval: Interval | None


def cross_validate(
    values: Sequence[Any],
    parts: Sequence[Mapping[str, tuple[float, float]]],
    fold_of: Mapping[str, int],
    measure: str,
) -> CrossValidation:
    """Choose among values on all folds but one, score on that one, for each of them.

    Args:
        parts: for each value, by page: a sum of scores and how many there are, so that means may
            be over pages or over images.
        fold_of: by page; pages without parts are left out.
    """
    pages = sorted(page for page in parts[0] if all(page in each for each in parts))
    table: Float = np.array([[each[page] for page in pages] for each in parts], dtype=np.float64)
    numbers = np.array([fold_of[page] for page in pages])
    held_out = np.zeros((len(pages), 2))
    folds = []
    for number in range(max(fold_of.values()) + 1):
        out = numbers == number
        if not out.any() or out.all():
            continue
        means = ratio(table[:, ~out].sum(axis=1))
        best = int(means.argmax())
        held_out[out] = table[best, out]
        folds.append(
            Fold(
                number=number,
                pages=int(out.sum()),
                value=values[best],
                training=float(means[best]),
                score=float(ratio(table[best, out].sum(axis=0))),
            )
        )
    return CrossValidation(
        measure=measure,
        folds=folds,
        score=float(ratio(held_out.sum(axis=0))),
        interval=bootstrap_interval(held_out),
    )
