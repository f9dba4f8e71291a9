"""Learn the costs of graph cuts from pages on which people marked blocks, and score them honestly.

    python experiments/train_graph_cuts.py ../shared/data ../shared/data-modern

Two models, boosted trees over the evidence table. *Keep*, for each level of blocks: is all marked
text of a node in one block? It learns from the nodes that a true division would look at (those
whose parent has several blocks; weight: their marked tokens) and from the nodes inside blocks
(equal weights); either kind weighs the same on every page. *Join*: are two sibling nodes, each
within one block of level 2, in the same one (weight: tokens of the smaller)? The models see one
decision at a time, the cut weighs all of them; a shift of each makes up for it, chosen by ARI.

Scores are from the five folds over sites; the shifts of a fold are chosen by a cross-validation
over the other folds alone. The models written at the end are learnt from all pages.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray
from training import FIXED, booster_model, hash_folder, training_record

from pagecut.evaluation.datasets import GroundTruth, read_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.sites import FOLDS, fold_of, site_of
from pagecut.evaluation.tasks import score_segmentation
from pagecut.evidence.content_tree import Bool, ContentTree, Float, content_tree
from pagecut.evidence.models import Model, Output, write_model
from pagecut.evidence.tree_features import TreeFeatures
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.graph_cuts import LEVELS, MODELS, PLACE, cut

SEED = 2008
TREES = 80
PARAMETERS = {
    "objective": "binary",
    "num_leaves": 8,
    "learning_rate": 0.08,
    "min_data_in_leaf": 20,
    "lambda_l2": 5.0,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "feature_fraction": 0.4,
    "max_bin": 63,
}
KEEP_SHIFTS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
JOIN_SHIFTS = (-2.0, -1.0, 0.0, 1.0)
JOIN_LEVEL = 2  # at level 1 a block is nearly always one node, so that there is nothing to join
MEASURES = tuple(segmentation_measure(name) for name in ("ari", "nmi", "bcubed-f"))

Table = NDArray[np.float32]
Folds = frozenset[int]


@dataclass(frozen=True, eq=False)
class Example:
    """A page with its truth and the features of its tree."""

    era: str
    fold: int
    page: Page
    truth: GroundTruth
    tree: ContentTree
    nodes: Table
    second: Int  # the nodes with a sibling before them
    pairs: Table


def read_examples(folders: Iterable[Path]) -> list[Example]:
    """The pages of some datasets with any marked text."""
    examples = []
    for folder in folders:
        for entry in read_dataset(folder).for_task("segmentation"):
            page, truth = entry.load()
            if not any((blocks >= 0).any() for blocks in truth.blocks.values()):
                continue
            tree, features = content_tree(page), TreeFeatures(page)
            second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
            examples.append(
                Example(
                    era="2013" if entry.segments is None else "modern",
                    fold=fold_of(site_of(entry)),
                    page=page,
                    truth=truth,
                    tree=tree,
                    nodes=features.node_rows(np.arange(len(tree), dtype=np.int32)),
                    second=second,
                    pairs=features.pair_rows(second),
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


# Learning

Sample = tuple[Table, Bool, Float]  # features, answers, weights


def learn(samples: Iterable[Sample]) -> Any:
    tables, answers, weights = zip(*samples, strict=True)
    weight = np.concatenate(weights)
    data = lightgbm.Dataset(
        np.concatenate(tables), label=np.concatenate(answers), weight=weight / weight.mean()
    )
    return lightgbm.train({**FIXED, "seed": SEED, **PARAMETERS}, data, num_boost_round=TREES)


def keep_samples(example: Example, level: int) -> Iterable[Sample]:
    tree, true = example.tree, true_blocks(example, level)
    in_block = (tree.parent >= 0) & true.pure[tree.parent]
    inner = (true.tokens > 0) & ~tree.leaf
    for rows, weights in (
        (inner & ~in_block, true.tokens.astype(float)),
        (inner & in_block, np.ones(len(tree))),
    ):
        if rows.any():
            yield example.nodes[rows], true.pure[rows], weights[rows] / weights[rows].sum()


def join_samples(example: Example) -> Iterable[Sample]:
    tree, second, true = example.tree, example.second, true_blocks(example, JOIN_LEVEL)
    first, parent = tree.previous[second], tree.parent[second]
    rows = true.pure[second] & true.pure[first] & ~true.pure[parent]
    weights = np.minimum(true.tokens[first], true.tokens[second]).astype(float)
    if rows.any():
        same = true.block[first] == true.block[second]
        yield example.pairs[rows], same[rows], weights[rows] / weights[rows].sum()


@dataclass(frozen=True, eq=False)
class Learnt:
    keep: dict[int, Any]
    join: Any

    def odds(self, example: Example, level: int) -> tuple[Float, Float]:
        joining = np.zeros(len(example.tree))
        if len(example.second):
            joining[example.second] = self.join.predict(example.pairs, raw_score=True)
        return self.keep[level].predict(example.nodes, raw_score=True), joining


def learn_all(examples: Sequence[Example]) -> Learnt:
    return Learnt(
        keep={
            level: learn(sample for each in examples for sample in keep_samples(each, level))
            for level in LEVELS
        },
        join=learn(sample for each in examples for sample in join_samples(each)),
    )


# Scores

Shifts = tuple[dict[int, float], float]
Scored = Callable[[int, int, float, float, Folds], list[float]]


def scoring(examples: Sequence[Example]) -> Scored:
    """Scores of a page by what was learnt without its fold and some others."""

    @cache
    def learnt(without: Folds) -> Learnt:
        return learn_all([each for each in examples if each.fold not in without])

    @cache
    def odds(number: int, level: int, without: Folds) -> tuple[Float, Float]:
        return learnt(without).odds(examples[number], level)

    @cache
    def scored(number: int, level: int, keep: float, join: float, without: Folds) -> list[float]:
        example = examples[number]
        keeping, joining = odds(number, level, without | {example.fold})
        result: Segmentation = cut(example.tree, keeping + keep, joining + join, made_by="test")
        found = score_segmentation(result, example.truth, level, MEASURES)
        return [value for _, value in found[: len(MEASURES)]]

    return scored


def choose_shifts(examples: Sequence[Example], scored: Scored, without: Folds) -> Shifts:
    """The shifts of the odds with the best cross-validated ARI on the pages of the other folds."""
    rest = [at for at, each in enumerate(examples) if each.fold not in without]

    def ari(level: int, keep: float, join: float) -> float:
        rows = [scored(at, level, keep, join, without) for at in rest]
        return float(np.mean([row[0] for row in rows if row]))

    pairs = [(keep, join) for keep in KEEP_SHIFTS for join in JOIN_SHIFTS]
    fine, join = max(pairs, key=lambda pair: ari(2, *pair))
    coarse = max(KEEP_SHIFTS, key=lambda keep: ari(1, keep, join))
    return {1: coarse, 2: fine}, join


def report(examples: Sequence[Example], scored: Scored) -> dict[str, Any]:
    """Print the nested scores."""
    rows: dict[tuple[int, str], list[list[float]]] = {}
    for fold in range(FOLDS):
        shifts, join = choose_shifts(examples, scored, frozenset({fold}))
        print(f"fold {fold}: shifts {shifts}, {join}", flush=True)
        for number, example in enumerate(examples):
            for level in LEVELS if example.fold == fold else ():
                values = scored(number, level, shifts[level], join, frozenset())
                if values:
                    rows.setdefault((level, example.era), []).append(values)
    figures = {}
    for (level, era), values in sorted(rows.items()):
        table = np.array(values)
        error = table.std(axis=0, ddof=1) / np.sqrt(len(table))
        shown = "  ".join(
            f"{measure} {mean:.3f} ± {spread:.3f}"
            for measure, mean, spread in zip(MEASURES, table.mean(axis=0), error, strict=True)
        )
        print(f"level {level}, {era}: {len(table)} pages  {shown}")
        means = table.mean(axis=0).round(4).tolist()
        figures[f"level {level}, {era}"] = dict(zip(map(str, MEASURES), means, strict=True))
    return figures


def shifted(booster: Any, model: str, name: str, shift: float) -> Output:
    output = booster_model(booster, MODELS[model][0], [name]).outputs[0]
    return replace(output, bias=output.bias + shift)


def write_models(learnt: Learnt, shifts: Shifts, record: dict[str, Any]) -> None:
    keep, join = shifts
    outputs = {
        "keep": [shifted(learnt.keep[at], "keep", f"level {at}", keep[at]) for at in LEVELS],
        "join": [shifted(learnt.join, "join", "join", join)],
    }
    for name, own in outputs.items():
        model = Model(features=MODELS[name][0], outputs=own, link="logistic", record=record)
        write_model(model, PLACE / f"{name}.model.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", type=Path, nargs="+")
    parser.add_argument("--dry", action="store_true", help="write no models")
    arguments = parser.parse_args()
    examples = read_examples(arguments.datasets)
    scored = scoring(examples)
    figures = report(examples, scored)
    if arguments.dry:
        return
    shifts = choose_shifts(examples, scored, frozenset())
    record = training_record(
        data={folder.name: hash_folder(folder) for folder in arguments.datasets},
        seed=SEED,
        parameters={**PARAMETERS, "trees": TREES},
        more={"nested": figures, "pages": len(examples)},
    )
    write_models(learn_all(examples), shifts, record)


if __name__ == "__main__":
    main()
