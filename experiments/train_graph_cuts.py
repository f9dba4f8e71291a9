"""Learn the weights of graph cuts from a dataset with marked blocks, and score them honestly.

    python experiments/train_graph_cuts.py DATASET [--output weights.py]

Two logistic regressions. *Keep*, for each level of blocks: is all marked text of a node in one
block? It learns from the nodes that a true division would look at (those whose parent has several
blocks; weight: their marked tokens) and from the nodes inside blocks (equal weights); either kind
weighs the same on every page. *Join*: are two sibling nodes, each within one block of level 2, in
the same one (weight: tokens of the smaller)? The regressions see one decision at a time, the cut
weighs all of them; a shift of each bias makes up for it and is chosen by ARI.

Scores are from five folds over sites; the shifts of a fold are chosen by an inner cross-validation
over its training pages alone. The weights written at the end are learnt from all pages.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from pagecut.evaluation.datasets import LEVELS, GroundTruth, read_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.tasks import score_segmentation
from pagecut.evidence.content_tree import Bool, ContentTree, Features, Float, content_tree
from pagecut.evidence.features import PageFeatures
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter
from pagecut.segmenters.graph_cuts import cut, log_odds
from pagecut.segmenters.graph_cuts.weights import BIAS, Weights

SEED = 2008
FOLDS = 5
INVERSE_PENALTY = 6.0  # scikit-learn's C, where every page weighs 1
KEEP_SHIFTS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
JOIN_SHIFTS = (-2.0, -1.0, 0.0)
JOIN_LEVEL = 2  # at level 1 a block is nearly always one node, so that there is nothing to join
BASELINES = ("just-rules", "block-fusion", "block-fusion-rules")
MEASURES = (segmentation_measure("ari"), segmentation_measure("nmi"))


@dataclass(frozen=True)
class Example:
    """A page with its truth and the features of its tree."""

    site: str
    page: Page
    truth: GroundTruth
    tree: ContentTree
    nodes: Features
    second: Int  # the nodes with a sibling before them
    pairs: Features


@dataclass(frozen=True)
class Model:
    keep: dict[int, Weights]
    join: Weights

    def segment(self, example: Example, level: int, shift: float, join: float) -> Segmentation:
        keeping = log_odds(example.nodes, self.keep[level]) + shift
        joining = np.zeros(len(example.tree))
        joining[example.second] = log_odds(example.pairs, self.join) + join
        return cut(example.tree, keeping, joining, made_by="graph-cuts")


def read_examples(folder: Path) -> list[Example]:
    """The pages of a dataset with any marked text."""
    examples = []
    for entry in read_dataset(folder):
        page, truth = entry.load()
        if not (truth.blocks[1] >= 0).any() and not (truth.blocks[2] >= 0).any():
            continue
        tree = content_tree(page)
        features = PageFeatures(page)
        second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
        host = urlsplit(entry.url or entry.id).hostname or entry.id
        examples.append(
            Example(
                site=".".join(host.split(".")[-2:]),
                page=page,
                truth=truth,
                tree=tree,
                nodes=features.node_groups()["text"],
                second=second,
                pairs=features.pair_groups(second)["text"],
            )
        )
    return examples


@dataclass(frozen=True)
class TrueBlocks:
    """For each node of a tree: its marked tokens, whether they are of one block, and of which."""

    tokens: Int
    pure: Bool
    block: Int


def true_blocks(example: Example, level: int) -> TrueBlocks:
    blocks = example.truth.blocks[level]
    units, blocks = example.truth.units[blocks >= 0], blocks[blocks >= 0]
    nodes, row = example.page.nodes, example.tree.row
    first = np.searchsorted(units, nodes.start[row])
    last = np.searchsorted(units, nodes.end[row])
    changes = np.concatenate([[0], np.cumsum(blocks[1:] != blocks[:-1])])
    marked = last > first
    pure = marked.copy()
    pure[marked] = changes[last[marked] - 1] == changes[first[marked]]
    block = np.full(len(row), -1)
    block[marked] = blocks[first[marked]]
    return TrueBlocks((last - first).astype(np.int32), pure, block.astype(np.int32))


def learn(samples: Iterable[tuple[Features, Bool, Float]]) -> Weights:
    """Logistic regression; the weights for features as they are, not standardised."""
    features, answers, weights = zip(*samples, strict=True)
    names = list(features[0])
    table = np.concatenate([np.stack([each[n] for n in names], axis=1) for each in features])
    scaler = StandardScaler().fit(table)
    model = LogisticRegression(C=INVERSE_PENALTY, max_iter=2000)
    model.fit(scaler.transform(table), np.concatenate(answers), np.concatenate(weights))
    slopes = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - slopes @ scaler.mean_)
    return {BIAS: bias, **dict(zip(names, slopes.tolist(), strict=True))}


def keep_samples(example: Example, level: int) -> Iterable[tuple[Features, Bool, Float]]:
    tree, true = example.tree, true_blocks(example, level)
    in_block = (tree.parent >= 0) & true.pure[tree.parent]
    inner = (true.tokens > 0) & ~tree.leaf
    for rows, weights in (
        (inner & ~in_block, true.tokens.astype(float)),
        (inner & in_block, np.ones(len(tree))),
    ):
        if rows.any():
            features = {name: values[rows] for name, values in example.nodes.items()}
            yield features, true.pure[rows], weights[rows] / weights[rows].sum()


def join_samples(example: Example) -> Iterable[tuple[Features, Bool, Float]]:
    tree, second, true = example.tree, example.second, true_blocks(example, JOIN_LEVEL)
    first, parent = tree.previous[second], tree.parent[second]
    rows = true.pure[second] & true.pure[first] & ~true.pure[parent]
    weights = np.minimum(true.tokens[first], true.tokens[second]).astype(float)
    if rows.any():
        features = {name: values[rows] for name, values in example.pairs.items()}
        same = true.block[first] == true.block[second]
        yield features, same[rows], weights[rows] / weights[rows].sum()


def learn_model(examples: Sequence[Example]) -> Model:
    return Model(
        keep={
            level: learn(sample for each in examples for sample in keep_samples(each, level))
            for level in LEVELS
        },
        join=learn(sample for each in examples for sample in join_samples(each)),
    )


def fold_numbers(examples: Sequence[Example]) -> list[int]:
    """The fold of each page; pages of one site share one."""
    sites = sorted({each.site for each in examples})
    random.Random(SEED).shuffle(sites)
    fold = {site: number % FOLDS for number, site in enumerate(sites)}
    return [fold[each.site] for each in examples]


Scored = Callable[[int, int, float, float], list[float]]  # example, level, shifts -> ARI, NMI


def cross_validated(examples: Sequence[Example]) -> Scored:
    """Scores of each page by the model of the other folds."""
    folds = fold_numbers(examples)
    models = {
        fold: learn_model([each for each, own in zip(examples, folds, strict=True) if own != fold])
        for fold in sorted(set(folds))
    }

    def scored(number: int, level: int, shift: float, join: float) -> list[float]:
        model, example = models[folds[number]], examples[number]
        return scores(model.segment(example, level, shift, join), example, level)

    return scored


def scores(segmentation: Segmentation, example: Example, level: int) -> list[float]:
    found = score_segmentation(segmentation, example.truth, level, MEASURES)
    return [value for _, value in found]


def mean(rows: Iterable[list[float]]) -> Float:
    """The means over the pages that count."""
    averages: Float = np.mean([row for row in rows if row], axis=0)
    return averages


def choose_shifts(examples: Sequence[Example]) -> tuple[dict[int, float], float]:
    """The shifts of the keep and join biases with the best cross-validated ARI."""
    scored = cross_validated(examples)

    def ari(level: int, shift: float, join: float) -> float:
        rows = (scored(number, level, shift, join) for number in range(len(examples)))
        return float(mean(rows)[0])

    pairs = [(shift, join) for shift in KEEP_SHIFTS for join in JOIN_SHIFTS]
    fine, join = max(pairs, key=lambda pair: ari(2, *pair))
    coarse = max(KEEP_SHIFTS, key=lambda shift: ari(1, shift, join))
    return {1: coarse, 2: fine}, join


def report(examples: Sequence[Example]) -> None:
    """Print the cross-validated scores beside those of the baselines."""
    folds = fold_numbers(examples)
    rows: dict[tuple[str, int], list[list[float]]] = {}
    for fold in sorted(set(folds)):
        rest = [each for each, own in zip(examples, folds, strict=True) if own != fold]
        model = learn_model(rest)
        shifts, join = choose_shifts(rest)
        print(f"fold {fold}: {len(rest)} pages to learn from, shifts {shifts}, {join}")
        for example, own in zip(examples, folds, strict=True):
            for level in LEVELS if own == fold else ():
                result = model.segment(example, level, shifts[level], join)
                rows.setdefault(("graph-cuts", level), []).append(scores(result, example, level))
    for spec in BASELINES:
        method = segmenter(spec)
        for example in examples:
            result = method.segment(example.page)
            for level in LEVELS:
                rows.setdefault((spec, level), []).append(scores(result, example, level))
    for (name, level), values in sorted(rows.items(), key=lambda item: item[0][1]):
        counted = np.array([row for row in values if row])
        error = counted.std(axis=0, ddof=1) / np.sqrt(len(counted))
        print(
            f"level {level}  {name:20s} {len(counted)} pages  "
            f"ARI {counted[:, 0].mean():.3f} ± {error[0]:.3f}  "
            f"NMI {counted[:, 1].mean():.3f} ± {error[1]:.3f}"
        )


def shifted(weights: Weights, shift: float) -> Weights:
    return {**weights, BIAS: weights[BIAS] + shift}


def weights_module(model: Model) -> str:
    """The text of weights.py."""

    def table(weights: Weights, indent: str) -> list[str]:
        return [f'{indent}"{name}": {value:.4f},' for name, value in weights.items()]

    lines = [
        '"""The weights of graph cuts, as experiments/train_graph_cuts.py wrote them."""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "Weights = dict[str, float]",
        "",
        f'BIAS: Final = "{BIAS}"',
        "",
        "KEEP: Final[dict[int, Weights]] = {",
    ]
    for level, weights in model.keep.items():
        lines += [f"    {level}: {{", *table(weights, " " * 8), "    },"]
    lines += ["}", "", "JOIN: Final[Weights] = {", *table(model.join, " " * 4), "}", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--output", type=Path, help="where to write the weights; else printed")
    arguments = parser.parse_args()
    examples = read_examples(arguments.dataset)
    report(examples)
    shifts, join = choose_shifts(examples)
    print(f"all {len(examples)} pages: shifts {shifts}, {join}")
    learnt = learn_model(examples)
    final = Model(
        keep={level: shifted(weights, shifts[level]) for level, weights in learnt.keep.items()},
        join=shifted(learnt.join, join),
    )
    text = weights_module(final)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
