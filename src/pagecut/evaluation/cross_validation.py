"""Cross-validation over sites: choose and learn on some, report on the others.

What was chosen or learnt by its scores looks better on those pages than on any others. So a figure
counts only if neither the model nor any choice (a parameter, a threshold, a set of features) has
seen a page of the sites that it is measured on: choices are made inside the training sites, by the
same folds, and figures come from outside (Varma & Simon, "Bias in error estimation when using
cross-validation for model selection", BMC Bioinformatics 7, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from pagecut.evaluation.sites import FOLDS, fold_of, some_sites
from pagecut.evaluation.summaries import Interval, bootstrap_interval, ratio

SHARES: Final = (0.25, 0.5, 0.75, 1.0)  # of the training sites, for a learning curve

Float = NDArray[np.float64]
Rows = NDArray[np.int64]
Sample = TypeVar("Sample")
Choice = TypeVar("Choice")
Model = TypeVar("Model")
Parts = tuple[float, float]  # a sum of scores and how many they are; means may be over images


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One part of the pages, held out while the value was chosen on the others.

    Args:
        value: the one with the best mean over what the other folds hold.
        training: that mean; NaN where there was one value only.
        score: the mean over what this fold holds.
        learnt: what was learnt on the other folds.
    """

    number: int
    pages: int
    value: Any
    training: float
    score: float
    learnt: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossValidation:
    """What a chosen value is worth on pages that had no say in the choice.

    Args:
        held_out: (n, 2) of each page the sum of its scores and their number, from the fold in
            which it was held out; so means over some of the pages can be had, too.
        interval: of the score, sites resampled.
    """

    measure: str
    folds: Sequence[Fold]
    score: float
    interval: Interval | None
    held_out: Float


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPoint:
    """What is learnt from a share of the training sites.

    Args:
        sites: from which was learnt, in the mean over folds.
    """

    share: float
    sites: float
    score: float
    interval: Interval | None


def divisions(sites: Sequence[str], folds: int = FOLDS) -> Iterator[tuple[int, Rows, Rows]]:
    """For each fold that holds some but not all of the sites: its number, the rows to learn from
    and the rows held out."""
    numbers = np.array([fold_of(site, folds) for site in sites], dtype=np.int64)
    for number in range(folds):
        out = numbers == number
        if out.any() and not out.all():
            yield number, np.flatnonzero(~out), np.flatnonzero(out)


def cross_validate(
    values: Sequence[Any],
    parts: Sequence[Mapping[str, Parts]],
    site_of: Mapping[str, str],
    measure: str,
    folds: int = FOLDS,
) -> CrossValidation:
    """Choose among values on all folds but one, score on that one, for each of them.

    Args:
        parts: for each value, by page, its scores. Pages that a value lacks are left out.
        site_of: by page.
    """
    pages = sorted(page for page in parts[0] if all(page in each for each in parts))
    table: Float = np.array([[each[page] for page in pages] for each in parts], dtype=np.float64)
    found = nested_cross_validate(
        range(len(pages)),
        [site_of[page] for page in pages],
        range(len(values)),
        fit=lambda value, _: value,
        score=lambda value, page: (table[value, page, 0], table[value, page, 1]),
        measure=measure,
        folds=folds,
    )
    named = [replace(fold, value=values[fold.value]) for fold in found.folds]
    return replace(found, folds=named)


def nested_cross_validate(
    samples: Sequence[Sample],
    sites: Sequence[str],
    choices: Sequence[Choice],
    fit: Callable[[Choice, Sequence[Sample]], Model],
    score: Callable[[Model, Sample], Parts],
    *,
    measure: str,
    folds: int = FOLDS,
) -> CrossValidation:
    """Choose and learn on all folds but one, score on that one, for each of them.

    Among several choices the one is taken that scores best inside the training sites: each of their
    folds is scored by what was learnt on the others. It is then learnt on all of them.

    Args:
        samples: usually pages; `sites` says of which site each is.
        fit: learns from samples, by a choice.
        score: of what was learnt, on one sample.
    """
    held_out = np.zeros((len(samples), 2))
    found = []
    for number, training, out in divisions(sites, folds):
        known = [samples[row] for row in training.tolist()]
        own = [sites[row] for row in training.tolist()]
        chosen, mean = choices[0], float("nan")
        if len(choices) > 1:
            means = [_inner_mean(known, own, choice, fit, score, folds) for choice in choices]
            best = means.index(max(means))
            chosen, mean = choices[best], means[best]
        model = fit(chosen, known)
        held_out[out] = [score(model, samples[row]) for row in out.tolist()]
        found.append(
            Fold(
                number=number,
                pages=len(out),
                value=chosen,
                training=mean,
                score=_mean(held_out[out]),
                learnt=model,
            )
        )
    return CrossValidation(
        measure=measure,
        folds=found,
        score=_mean(held_out),
        interval=bootstrap_interval(held_out, sites=sites),
        held_out=held_out,
    )


def _inner_mean(
    samples: Sequence[Sample],
    sites: Sequence[str],
    choice: Choice,
    fit: Callable[[Choice, Sequence[Sample]], Model],
    score: Callable[[Model, Sample], Parts],
    folds: int,
) -> float:
    """The mean of a choice over samples, each scored by what was learnt on the other folds; on
    themselves, if there are no others."""
    rows = np.arange(len(samples))
    parts = np.zeros((len(samples), 2))
    for _, training, out in list(divisions(sites, folds)) or [(0, rows, rows)]:
        model = fit(choice, [samples[row] for row in training.tolist()])
        parts[out] = [score(model, samples[row]) for row in out.tolist()]
    return _mean(parts)


def learning_curve(
    samples: Sequence[Sample],
    sites: Sequence[str],
    fit: Callable[[Sequence[Sample]], Model],
    score: Callable[[Model, Sample], Parts],
    *,
    shares: Sequence[float] = SHARES,
    folds: int = FOLDS,
) -> list[LearningPoint]:
    """The held-out score by how many of the training sites were learnt from.

    The sites of a smaller share are among those of a larger one. If the last step still rises, more
    data would help.
    """
    points = []
    for share in shares:
        held_out = np.zeros((len(samples), 2))
        used = []
        for _, training, out in divisions(sites, folds):
            some = some_sites([sites[row] for row in training.tolist()], share)
            used.append(len(some))
            model = fit([samples[row] for row in training.tolist() if sites[row] in some])
            held_out[out] = [score(model, samples[row]) for row in out.tolist()]
        points.append(
            LearningPoint(
                share=share,
                sites=float(np.mean(used)) if used else 0.0,
                score=_mean(held_out),
                interval=bootstrap_interval(held_out, sites=sites),
            )
        )
    return points


def _mean(parts: Float) -> float:
    return float(ratio(parts.sum(axis=0)))
