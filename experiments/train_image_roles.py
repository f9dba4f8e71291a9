"""Learn the weights of `pagecut.contexts.image_role`, with cross-validation over pages.

python experiments/train_image_roles.py DATASET

Prints, for five folds over pages repeated with four seeds: how well the weights tell images with a
context from those without (F), and the word-level F of the contexts when images are skipped by
them. Then the weights learnt from all pages, as they stand in the module.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, recall_score

from pagecut.contexts.image_role import THRESHOLD, RoleJudge
from pagecut.contexts.item import Item
from pagecut.contexts.item_search import ItemSearch
from pagecut.contexts.item_tree import build_item_tree
from pagecut.datasets import read_dataset
from pagecut.measures.overlap import overlap

FOLDS, SEEDS = 5, 4


def collect(
    folder: str,
) -> tuple[list[str], NDArray[np.bool_], NDArray[np.float64], NDArray[np.int64]]:
    """Evidence of every annotated image, the F of its context (-1: it has none), its page."""
    names: list[str] = []
    evidence, scores, pages = [], [], []
    annotated = [entry for entry in read_dataset(folder) if entry.image_context]
    for number, entry in enumerate(annotated):
        page, truth = entry.load()
        tree = build_item_tree(page)
        search, judge = ItemSearch(tree), RoleJudge(tree)
        contexts = Item(skip=False).extract(page)
        images = [image for image in page.images if image.tag == "img"]
        for position, true in truth.contexts.items():
            image = images[position]
            facts = judge.evidence(image, search.find(image.node))
            names = names or list(facts)
            evidence.append([facts[name] for name in names])
            scores.append(overlap(contexts[image.index].text, true).f if true else -1.0)
            pages.append(number)
    return names, np.array(evidence), np.array(scores), np.array(pages)


def fit(evidence: NDArray[np.bool_], positive: NDArray[np.bool_]) -> LogisticRegression:
    return LogisticRegression(C=0.5, max_iter=3000).fit(evidence, positive)


def cross_validate(
    evidence: NDArray[np.bool_], scores: NDArray[np.float64], pages: NDArray[np.int64], seed: int
) -> NDArray[np.float64]:
    """Log odds of each image by weights that never saw its page."""
    fold = np.random.default_rng(seed).permutation(pages.max() + 1)[pages] % FOLDS
    odds = np.empty(len(scores))
    for number in range(FOLDS):
        held_out = fold == number
        model = fit(evidence[~held_out], scores[~held_out] >= 0)
        odds[held_out] = model.decision_function(evidence[held_out])
    return odds


def main(arguments: Sequence[str]) -> None:
    if len(arguments) != 1:
        sys.exit(__doc__)
    names, evidence, scores, pages = collect(arguments[0])
    positive = scores >= 0
    print(f"{len(scores)} images on {pages.max() + 1} pages, {positive.sum()} with a context")
    print("threshold  decision F  recall  context F  by page")
    runs = [cross_validate(evidence, scores, pages, seed) for seed in range(SEEDS)]
    for threshold in (THRESHOLD, -2.0, -1.5, -1.0, -0.5, 0.0):
        rows = []
        for odds in runs:
            kept = odds >= threshold
            context = np.where(kept, scores, 0.0)[positive]
            by_page = [
                context[pages[positive] == number].mean() for number in np.unique(pages[positive])
            ]
            rows.append(
                (
                    f1_score(positive, kept),
                    recall_score(positive, kept),
                    context.mean(),
                    np.mean(by_page),
                )
            )
        values = np.mean(rows, axis=0)
        print(f"{threshold:9.1f}  " + "  ".join(f"{value:.3f}" for value in values))
    model = fit(evidence, positive)
    for name, weight in zip(names, model.coef_[0], strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS: Final = {model.intercept_[0]:.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
