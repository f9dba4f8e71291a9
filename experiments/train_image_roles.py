"""Learn the weights of `contexts.item.weights`, with cross-validation over pages.

python experiments/train_image_roles.py DATASET [--render]

Which way each piece of evidence speaks is laid down in the module; a weight of the other sign is
not learnt. Prints, for five folds over pages repeated with four seeds, at several thresholds: how
well the weights tell images with a context from those without (F), and the word-level F of the
contexts when images are skipped by them. Then the same with the threshold chosen in the training
pages alone, and the weights learnt from all pages, as they stand in the module. With --render, the
weights are learnt from parsed pages all the same, and tried on the held-out ones as rendered.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize  # type: ignore[import-untyped]

from pagecut.contexts.item import Item
from pagecut.contexts.item.image_role import RoleJudge
from pagecut.contexts.item.weights import AGAINST, FOR, THRESHOLD
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import DatasetPage
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures.overlap import overlap
from pagecut.evidence.items import ItemTree, image_items

FOLDS, SEEDS = 5, 4
RIDGE = 2.0
LOSS = 0.013  # of the contexts' F by page that skipping images may cost
THRESHOLDS = (-3.0, -2.5, -2.0, -1.75, -1.5, -1.25, -1.0, -0.75, -0.5, 0.0)
NAMES = (*FOR, *AGAINST)
SIGNS = np.array([1.0] * len(FOR) + [-1.0] * len(AGAINST))

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Images:
    """The annotated images.

    Args:
        amounts: (n, e) of each piece of evidence.
        scores: (n,) F of the text that was found; -1: the image has no context.
        pages: (n,) number of its page.
        judged: (n,) whether evidence decides (`RoleJudge.is_open`).
    """

    amounts: Float
    scores: Float
    pages: NDArray[np.int64]
    judged: Bool

    @property
    def positive(self) -> Bool:
        return self.scores >= 0

    @property
    def weights(self) -> Float:
        """(n,) What each image counts for: on a large page less, with a wrong context less."""
        on_page = np.bincount(self.pages)[self.pages]
        weights = on_page**-0.5 * np.where(self.positive, np.maximum(self.scores, 0.2), 1.0)
        return np.asarray(weights / weights.mean())


def collect(pages_of: Iterable[DatasetPage]) -> Images:
    """Evidence of every annotated image, and the F of its context."""
    amounts, scores, pages, judged = [], [], [], []
    annotated = [entry for entry in pages_of if entry.image_context]
    for number, entry in enumerate(annotated):
        page, truth = entry.load()
        tree = ItemTree(page)
        items = image_items(tree, page.images)
        judge = RoleJudge(page, tree)
        contexts = Item(skip=False).extract(page)
        images = [image for image in page.images if image.tag == "img"]
        for position, true in truth.contexts.items():
            image = images[position]
            found = items[image.index]
            facts = judge.evidence(image, found)
            amounts.append([float(facts[name]) for name in NAMES])
            scores.append(overlap(contexts[image.index].text, true).f if true else -1.0)
            pages.append(number)
            judged.append(judge.is_open(image, found))
    return Images(np.array(amounts), np.array(scores), np.array(pages), np.array(judged))


def fit(images: Images, rows: Bool) -> Float:
    """Weights, and last the bias: logistic regression with a ridge and the signs laid down."""
    columns = np.column_stack([images.amounts[rows] * SIGNS, np.ones(rows.sum())])
    sign = np.where(images.positive[rows], 1.0, -1.0)
    counts = images.weights[rows]

    def loss(weights: Float) -> tuple[float, Float]:
        margin = sign * (columns @ weights)
        slope = -sign * counts / (1 + np.exp(np.clip(margin, -30, 30)))
        gradient = columns.T @ slope
        gradient[:-1] += RIDGE * weights[:-1]
        ridge = RIDGE / 2 * float(weights[:-1] @ weights[:-1])
        return float(counts @ np.logaddexp(0, -margin)) + ridge, gradient

    limits = [(0.0, None)] * len(SIGNS) + [(None, None)]
    found = minimize(loss, np.zeros(len(SIGNS) + 1), jac=True, method="L-BFGS-B", bounds=limits)
    return np.append(found.x[:-1] * SIGNS, found.x[-1])


def split(images: Images, rows: Bool, seed: int) -> NDArray[np.int64]:
    """The fold of each image: whole pages; -1 where it is not among `rows`."""
    known = np.unique(images.pages[rows])
    fold = np.full(images.pages.max() + 1, -1)
    fold[known] = np.random.default_rng(seed).permutation(len(known)) % FOLDS
    return np.where(rows, fold[images.pages], -1)


def cross_validate(images: Images, rows: Bool, seed: int, tried: Images | None = None) -> Float:
    """Log odds of each image, or of `tried`, by weights that never saw its page."""
    amounts = (tried or images).amounts
    fold = split(images, rows, seed)
    odds = np.full(len(rows), np.nan)
    for number in range(FOLDS):
        weights = fit(images, rows & (fold != number))
        held_out = fold == number
        odds[held_out] = amounts[held_out] @ weights[:-1] + weights[-1]
    return odds


def measure(images: Images, kept: Bool, rows: Bool) -> Float:
    """F and recall of the decision, F of the contexts over images and over pages."""
    positive, kept = images.positive[rows], (kept & images.judged)[rows]
    hits = (positive & kept).sum()
    context = np.where(kept, images.scores[rows], 0.0)[positive]
    pages = images.pages[rows][positive]
    by_page = [context[pages == number].mean() for number in np.unique(pages)]
    decision = 2 * hits / (positive.sum() + kept.sum())
    return np.array([decision, hits / positive.sum(), context.mean(), np.mean(by_page)])


def choose_threshold(images: Images, rows: Bool, seed: int) -> float:
    """The highest threshold at which skipping takes little from the contexts, by page."""
    odds = cross_validate(images, rows, seed)
    all_kept = measure(images, rows, rows)
    kept = [limit for limit in THRESHOLDS if _loses_little(images, odds >= limit, rows, all_kept)]
    return max(kept, default=min(THRESHOLDS))


def _loses_little(images: Images, kept: Bool, rows: Bool, all_kept: Float) -> bool:
    return bool(measure(images, kept, rows)[3] >= all_kept[3] - LOSS)


def nested(images: Images, tried: Images, seed: int) -> Float:
    """The figures when each fold's threshold, too, comes from the other pages alone."""
    every = np.ones(len(images.scores), dtype=bool)
    fold, kept = split(images, every, seed), np.zeros(len(every), dtype=bool)
    for number in range(FOLDS):
        rows, held_out = fold != number, fold == number
        weights, limit = fit(images, rows), choose_threshold(images, rows, seed)
        kept[held_out] = tried.amounts[held_out] @ weights[:-1] + weights[-1] >= limit
    return measure(tried, kept, every)


def main(arguments: Sequence[str]) -> None:
    if not arguments or arguments[1:] not in ([], ["--render"]):
        sys.exit(__doc__)
    dataset = read_dataset(arguments[0])
    images = tried = collect(dataset)
    if arguments[1:]:
        tried = collect(render_dataset(dataset))
    every = np.ones(len(images.scores), dtype=bool)
    print(
        f"{len(every)} images on {images.pages.max() + 1} pages, "
        f"{images.positive.sum()} with a context, {len(NAMES)} pieces of evidence"
    )
    print("threshold  decision F  recall  context F  by page")
    runs = [cross_validate(images, every, seed, tried) for seed in range(SEEDS)]
    for limit in sorted({THRESHOLD, *THRESHOLDS}):
        print_row(f"{limit:.2f}", [measure(tried, odds >= limit, every) for odds in runs])
    print_row("chosen", [nested(images, tried, seed) for seed in range(SEEDS)])
    weights = fit(images, every)
    odds = tried.amounts @ weights[:-1] + weights[-1]
    print_row("in sample", [measure(tried, odds >= THRESHOLD, every)])
    for name, weight in zip(NAMES, weights, strict=False):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS: Final = {weights[-1]:.2f}")


def print_row(title: str, runs: Sequence[Float]) -> None:
    """The mean of several runs' figures."""
    print(f"{title:>9}  " + "  ".join(f"{value:.3f}" for value in np.mean(runs, axis=0)))


if __name__ == "__main__":
    main(sys.argv[1:])
