"""Learn Mosaic's model from a dataset with marked blocks, and score it honestly.

    python experiments/train_mosaic.py DATASET [--output mosaic.json] [--ablation]

The pages are rendered (cached), text that nobody sees counts for nothing, and each form of the
model (`dom`, `rendered`) is learnt and scored by itself. *Regions*: boosted trees on whether all
marked text of a node is in one block of level 1. *Blocks*: logistic regression on the same for
level 2; *joints*: whether two siblings are in one block of level 2 (as for graph cuts). *Roles*:
small boosted trees for each, from the types that people gave to their blocks.

Scores are from five folds over sites. Of each fold, the shifts of the regions' and the blocks'
odds are those that score best on the other folds' pages. The model written at the end is learnt
from all pages.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from train_graph_cuts import FOLDS, Example, fold_numbers, join_samples, learn, true_blocks

from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.tasks import score_segmentation
from pagecut.evidence.content_tree import Bool, Features, Float, content_tree
from pagecut.evidence.division import NEVER
from pagecut.evidence.landmarks import NAMED_OUTRIGHT
from pagecut.parsing.html import parse_html
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.graph_cuts.weights import BIAS, Weights
from pagecut.segmenters.mosaic.division import Division, divide
from pagecut.segmenters.mosaic.evidence import Evidence, gather
from pagecut.segmenters.mosaic.model import FORMAT, Linear, Roles, Trees

FORMS = ("dom", "rendered")
TREES = {
    "max_iter": 80,
    "learning_rate": 0.06,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 20,
    "l2_regularization": 5.0,
    "random_state": 0,
}
SHIFTS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
JOINT_SHIFT = -2.0  # as graph cuts found: two neighbours are joined only when that is sure
# Two paragraphs of prose are joined unless much speaks against it. This weight is set, not learnt:
# on home pages, which most of these are, there are few of them.
PROSE = "both prose"
PROSE_WEIGHT = 4.0
ROLE_TREES = {
    "max_iter": 20,
    "learning_rate": 0.15,
    "max_leaf_nodes": 4,
    "min_samples_leaf": 10,
    "l2_regularization": 5.0,
    "random_state": 0,
}
MEASURES = tuple(segmentation_measure(name) for name in ("ari", "nmi", "bcubed-f"))
# The types that people gave to blocks. Pictures and authors say nothing of roles; advertisements
# and comments are too few to learn from, and known by their names.
ROLES = {
    "Header": "header",
    "Logo": "header",
    "Menu": "navigation",
    "LinkList": "navigation",
    "Article": "content",
    "Content": "content",
    "Title": "content",
    "Table": "content",
    "Sidebar": "aside",
    "Searchbar": "form",
    "Footer": "footer",
}


@dataclass(frozen=True)
class Known:
    """A page with its truth and its evidence; `example` is its view for the shared functions."""

    example: Example
    evidence: Evidence
    types: dict[int, str]  # by row of the marked node


def read_known(folder: Path) -> list[dict[str, Known]]:
    """Each page with marked text, in both forms."""
    known = []
    dataset = read_dataset(folder)
    for entry in render_dataset(dataset):
        page, truth = entry.load()
        if all((blocks < 0).all() for blocks in truth.blocks.values()):
            continue
        marked = parse_html(entry.source(), entry.url)
        types = {
            row: attributes["data-block-type"]
            for row, attributes in marked.attrs.items()
            if "data-block-type" in attributes
        }
        host = urlsplit(entry.url or entry.id).hostname or entry.id
        evidence = gather(content_tree(page))
        forms = {}
        for form in FORMS:
            seen = evidence if form == "rendered" else without_group(evidence, "layout")
            example = Example(
                site=".".join(host.split(".")[-2:]),
                page=page,
                truth=truth,
                tree=seen.tree,
                nodes=seen.nodes,
                second=seen.second,
                pairs=seen.pairs,
            )
            forms[form] = Known(example, seen, types)
        known.append(forms)
    return known


def without_group(evidence: Evidence, group: str) -> Evidence:
    return replace(
        evidence,
        groups={name: each for name, each in evidence.groups.items() if name != group},
        pair_groups={name: each for name, each in evidence.pair_groups.items() if name != group},
    )


def keep_samples(known: Known, level: int) -> Iterator[tuple[Features, Bool, Float]]:
    """The nodes that a true division looks at, and those inside its blocks; either kind weighs the
    same on every page, a node by the square root of its marked tokens, inside blocks all alike."""
    example = known.example
    tree, true = example.tree, true_blocks(example, level)
    in_block = (tree.parent >= 0) & true.pure[tree.parent]
    inner = (true.tokens > 0) & ~tree.leaf
    for rows, weights in (
        (inner & ~in_block, np.sqrt(true.tokens)),
        (inner & in_block, np.ones(len(tree))),
    ):
        if rows.any():
            features = {name: values[rows] for name, values in example.nodes.items()}
            yield features, true.pure[rows], weights[rows] / weights[rows].sum()


def learn_trees(samples: Iterable[tuple[Features, Bool, Float]]) -> Trees:
    """Boosted trees, as a table."""
    features, answers, weights = zip(*samples, strict=True)
    names = tuple(features[0])
    table = np.concatenate([np.stack([each[n] for n in names], axis=1) for each in features])
    weight = np.concatenate(weights)
    learner = HistGradientBoostingClassifier(**TREES)
    learner.fit(table, np.concatenate(answers), weight / weight.mean())
    return table_of(learner, 0, names)


def table_of(learner: HistGradientBoostingClassifier, output: int, names: tuple[str, ...]) -> Trees:
    """The trees of one class."""
    rows: dict[str, list[Any]] = {
        key: [] for key in ("feature", "threshold", "left", "right", "value")
    }
    roots = []
    for trees in learner._predictors:
        tree = trees[output]
        first = len(rows["feature"])
        roots.append(first)
        for node in tree.nodes:
            leaf = bool(node["is_leaf"])
            rows["feature"].append(-1 if leaf else int(node["feature_idx"]))
            rows["threshold"].append(0.0 if leaf else float(node["num_threshold"]))
            rows["left"].append(0 if leaf else first + int(node["left"]))
            rows["right"].append(0 if leaf else first + int(node["right"]))
            rows["value"].append(float(node["value"]) if leaf else 0.0)
    return Trees(
        bias=float(np.ravel(learner._baseline_prediction)[output]),
        names=names,
        roots=np.array(roots, dtype=np.int32),
        feature=np.array(rows["feature"], dtype=np.int32),
        threshold=np.array(rows["threshold"]),
        left=np.array(rows["left"], dtype=np.int32),
        right=np.array(rows["right"], dtype=np.int32),
        value=np.array(rows["value"]),
    )


def linear(weights: Weights, shift: float = 0.0) -> Linear:
    rest = {name: value for name, value in weights.items() if name != BIAS}
    return Linear(weights[BIAS] + shift, rest)


@dataclass(frozen=True)
class Learnt:
    regions: Trees
    blocks: Linear
    joints: Linear


def learn_form(pages: Sequence[Known]) -> Learnt:
    return Learnt(
        regions=learn_trees(each for page in pages for each in keep_samples(page, 1)),
        blocks=linear(learn(each for page in pages for each in keep_samples(page, 2))),
        joints=learn_joints(pages),
    )


def learn_joints(pages: Sequence[Known]) -> Linear:
    learnt = linear(
        learn(
            ({name: values for name, values in features.items() if name != PROSE}, *rest)
            for page in pages
            for features, *rest in join_samples(page.example)
        ),
        JOINT_SHIFT,
    )
    weights = {name: learnt.weights.get(name, PROSE_WEIGHT) for name in pages[0].evidence.pairs}
    return Linear(learnt.bias, weights)


@dataclass(frozen=True)
class Odds:
    regions: Float
    blocks: Float
    joining: Float


def odds(learnt: Learnt, known: Known) -> Odds:
    evidence = known.evidence
    joining = np.full(len(evidence.tree), NEVER)
    if len(evidence.second):
        joining[evidence.second] = learnt.joints.log_odds(evidence.pairs)
    return Odds(
        learnt.regions.log_odds(evidence.nodes), learnt.blocks.log_odds(evidence.nodes), joining
    )


def scores(known: Known, division: Division, level: int) -> list[float]:
    """ARI, NMI and BCubed F; nothing where fewer than two blocks are true."""
    page, tree = known.example.page, known.evidence.tree
    rows = tree.row[division.node]
    spans = np.stack([page.nodes.start[rows], page.nodes.end[rows]], axis=1)
    found = Segmentation.from_spans(page, spans, division.segment, made_by="mosaic")
    values = score_segmentation(found, known.example.truth, level, MEASURES)
    return [value for _, value in values[: len(MEASURES)]]


def division_of(
    known: Known, known_odds: Odds, region: float, block: float = 0.0
) -> tuple[Division, Division]:
    """The regions and blocks of a page, the odds of keeping them shifted."""
    return divide(
        known.evidence.tree,
        known.evidence.tokens,
        known_odds.regions + region,
        known_odds.blocks + block,
        known_odds.joining,
    )


@dataclass(frozen=True)
class Report:
    """Cross-validated scores, and the shifts that fit all pages."""

    level: dict[int, Float]  # (pages, measures)
    shifts: tuple[float, float]


def best_shift(table: dict[float, list[list[float]]], numbers: Sequence[int]) -> float:
    def mean(shift: float) -> float:
        rows = [table[shift][number] for number in numbers if table[shift][number]]
        return float(np.mean(rows))

    return max(SHIFTS, key=mean)


def cross_validate(pages: Sequence[Known]) -> Report:
    folds = fold_numbers([page.example for page in pages])
    known_odds: dict[int, Odds] = {}
    for fold in range(FOLDS):
        learnt = learn_form([page for page, own in zip(pages, folds, strict=True) if own != fold])
        known_odds |= {
            number: odds(learnt, page) for number, page in enumerate(pages) if folds[number] == fold
        }
    numbers = range(len(pages))
    coarse = {
        shift: [
            scores(pages[each], division_of(pages[each], known_odds[each], shift)[0], 1)
            for each in numbers
        ]
        for shift in SHIFTS
    }
    region_shift = {
        fold: best_shift(coarse, [each for each in numbers if folds[each] != fold])
        for fold in range(FOLDS)
    }
    level_1 = [coarse[region_shift[folds[each]]][each] for each in numbers]
    overall = best_shift(coarse, numbers)

    def fine(each: int, region: float, shift: float) -> list[float]:
        _, blocks = division_of(pages[each], known_odds[each], region, shift)
        return scores(pages[each], blocks, 2)

    tables = {
        region: {shift: [fine(each, region, shift) for each in numbers] for shift in SHIFTS}
        for region in {*region_shift.values(), overall}
    }
    level_2 = []
    for each in numbers:
        fold = folds[each]
        table = tables[region_shift[fold]]
        shift = best_shift(table, [other for other in numbers if folds[other] != fold])
        level_2.append(table[shift][each])
    return Report(
        level={
            1: np.array([row for row in level_1 if row]),
            2: np.array([row for row in level_2 if row]),
        },
        shifts=(overall, best_shift(tables[overall], numbers)),
    )


def show(name: str, report: Report) -> None:
    for level, rows in report.level.items():
        error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows))
        values = "  ".join(
            f"{measure} {mean:.3f} ± {spread:.3f}"
            for measure, mean, spread in zip(MEASURES, rows.mean(axis=0), error, strict=True)
        )
        print(f"{name:28s} level {level}  {len(rows)} pages  {values}", flush=True)


def role_samples(pages: Sequence[Known]) -> tuple[Features, list[str], list[int]]:
    """The marked blocks: their features, their roles, and the page of each."""
    features: list[dict[str, float]] = []
    roles, owner = [], []
    for number, page in enumerate(pages):
        tree, known = page.evidence.tree, page.evidence.role_features()
        rows = [row for row, kind in page.types.items() if kind in ROLES]
        nodes = [int(np.searchsorted(tree.row, row)) for row in rows]
        kept = [
            (node, ROLES[page.types[row]])
            for node, row in zip(nodes, rows, strict=True)
            if node < len(tree) and tree.top[node] <= row
        ]
        for node, role in kept:
            features.append(
                {name: known[name][node] for name in list(known)[: -len(NAMED_OUTRIGHT)]}
            )
            roles.append(role)
            owner.append(number)
    table = {name: np.array([each[name] for each in features]) for name in features[0]}
    return table, roles, owner


def learn_roles(features: Features, roles: Sequence[str]) -> Roles:
    names = tuple(features)
    table = np.stack([features[name] for name in names], axis=1)
    counts = Counter(roles)
    # Between what is likely and what is fair to rare roles.
    weights = np.array([math.sqrt(len(roles) / counts[role]) for role in roles])
    learner = HistGradientBoostingClassifier(**ROLE_TREES)
    learner.fit(table, roles, weights / weights.mean())
    return Roles(
        usual=dict(zip(names, table.mean(axis=0).tolist(), strict=True)),
        of={
            str(role): table_of(learner, number, names)
            for number, role in enumerate(learner.classes_)
        },
    )


def role_report(pages: Sequence[Known]) -> None:
    """The share of marked blocks that get their role, in five folds."""
    features, roles, owner = role_samples(pages)
    folds = np.array(fold_numbers([page.example for page in pages]))[owner]
    truth = np.array(roles)
    found = np.empty(len(roles), dtype=object)
    for fold in range(FOLDS):
        rest = folds != fold
        learnt = learn_roles({n: v[rest] for n, v in features.items()}, truth[rest].tolist())
        names = list(learnt.of)
        values = learnt.odds(np.stack([column[~rest] for column in features.values()], axis=1))
        found[~rest] = [names[best] for best in values.argmax(axis=1)]
    print(f"roles of {len(roles)} marked blocks: {np.mean(found == truth):.3f} right")
    for role in sorted(set(roles)):
        is_role, said = truth == role, found == role
        right = float((is_role & said).sum())
        print(
            f"  {role:12s} {int(is_role.sum()):4d} blocks  "
            f"precision {right / max(said.sum(), 1):.2f}  recall {right / is_role.sum():.2f}"
        )


def rounded(value: Any) -> Any:
    """Numbers with five digits, which change no score."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, list) else value


def model_of(pages: Sequence[Known], shifts: tuple[float, float]) -> dict[str, Any]:
    learnt = learn_form(pages)
    features, roles, _ = role_samples(pages)
    trees, role_trees = learnt.regions, learn_roles(features, roles)
    return {
        "regions": {"names": list(trees.names), **written(trees, shifts[0])},
        "blocks": {"bias": learnt.blocks.bias + shifts[1], "weights": dict(learnt.blocks.weights)},
        "joints": {"bias": learnt.joints.bias, "weights": dict(learnt.joints.weights)},
        "roles": {
            "usual": dict(role_trees.usual),
            "of": {role: written(each) for role, each in role_trees.of.items()},
        },
    }


def written(trees: Trees, shift: float = 0.0) -> dict[str, Any]:
    return {
        "bias": trees.bias + shift,
        "roots": trees.roots.tolist(),
        "feature": trees.feature.tolist(),
        "threshold": trees.threshold.tolist(),
        "left": trees.left.tolist(),
        "right": trees.right.tolist(),
        "value": trees.value.tolist(),
    }


def ablation(pages: Sequence[Known]) -> None:
    """The scores without each group of signals."""
    for group in pages[0].evidence.groups:
        less = []
        for page in pages:
            evidence = without_group(page.evidence, group)
            example = replace(page.example, nodes=evidence.nodes, pairs=evidence.pairs)
            less.append(Known(example, evidence, page.types))
        show(f"without {group}", cross_validate(less))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--output", type=Path, help="where to write the model")
    parser.add_argument("--ablation", action="store_true", help="also leave out each signal")
    arguments = parser.parse_args()
    known = read_known(arguments.dataset)
    forms = {}
    for form in FORMS:
        pages = [each[form] for each in known]
        report = cross_validate(pages)
        show(form, report)
        print(f"{form}: shifts {report.shifts}")
        role_report(pages)
        if arguments.ablation:
            ablation(pages)
        if arguments.output:
            forms[form] = model_of(pages, report.shifts)
    if arguments.output:
        text = json.dumps(rounded({"format": FORMAT, "forms": forms}), separators=(",", ":"))
        arguments.output.write_text(text + "\n", encoding="utf-8")
        print(f"{arguments.output}: {len(text):,} bytes")


if __name__ == "__main__":
    main()
