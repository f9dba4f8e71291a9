"""Learn Mosaic's models from pages on which people marked blocks, and score them honestly.

    python experiments/train_mosaic.py ../shared/data ../shared/data-modern

The pages are rendered (cached), and text that nobody sees counts for nothing. Seven models, each a
file beside `segmenters/mosaic` (`train_roles.py` learns what segments are):

- *sides*: in which kind of region a node lies, from the types of the marked regions.
- *main*: whether a node is main text, from the pages with main text.
- *whole*: whether all marked text of a node is in one region, and in one block.
- *borders*, *seen*: whether two neighbouring texts are in different regions, and in different
  blocks; on a rendered page also by its layout. They read what the first three say of the pages.
- *regions*: how far the ARI of a division into regions, as a threshold of the odds makes it, is
  below that of the best threshold of the page.
- *items*: whether a node is an entry of a list or a grid, from the marked items.

All but *seen* and *items* learn from the blocks of `block_marks.jsonl`, too (`own_marks.py`): pages
that are parsed alone, told apart in the figures as `own`.

Figures are from five folds over sites, fixed by the names of the sites. What a model reads of
another one is always held out: where a page's borders are judged or learnt from, its sides are by
models that saw no page of its fold, and the divisions that are learnt from are by odds of models
that saw no page of their fold. The threshold of blocks of a fold is the one that scores best on the
other folds. The models that are written are learnt from all pages.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import lightgbm
import numpy as np
from numpy.typing import NDArray
from overlays import html, titled
from own_marks import BLOCKS, BlockMarks, Spans, check_text, read_block_marks
from training import FIXED, booster_model, hash_folder, training_record

from pagecut.evaluation.datasets import DatasetPage, GroundTruth, read_dataset
from pagecut.evaluation.datasets.marks import shown_units
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.datasets.segment_files import parse_segments
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.measures.block_match import count_matches
from pagecut.evaluation.sites import FOLDS, fold_of, site_of
from pagecut.evaluation.tasks import OVERLAP, score_segmentation
from pagecut.evidence.content_tree import ContentTree, content_tree
from pagecut.evidence.models import Model, Output, write_model
from pagecut.evidence.tree_features import NODE_NAMES
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.features import (
    BORDER_NAMES,
    DIVISION_NAMES,
    REGION_ROLES,
    SEEN_NAMES,
)
from pagecut.segmenters.mosaic.item_features import ITEM_NAMES, ItemFeatures
from pagecut.segmenters.mosaic.items import choose_items
from pagecut.segmenters.mosaic.layout import layout_tables
from pagecut.segmenters.mosaic.model import MODELS, PLACE

SEED = 2026
LEVELS = (1, 2)
MEASURES = tuple(segmentation_measure(name) for name in ("ari", "nmi", "bcubed-f"))
_COMMON = {
    "min_data_in_leaf": 20,
    "lambda_l2": 5.0,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "feature_fraction": 0.4,
    "num_leaves": 8,
    "max_bin": 63,
}
BORDERS = {
    **_COMMON,
    "objective": "binary",
    "learning_rate": 0.04,
    "num_leaves": 16,
    "min_data_in_leaf": 30,
    "lambda_l2": 10.0,
    "feature_fraction": 0.3,
}
BORDER_TREES = 150
BORDER_SEEDS = 2
SIDES = {
    **_COMMON,
    "objective": "multiclass",
    "num_class": len(REGION_ROLES),
    "learning_rate": 0.1,
}
SIDE_TREES = 50
MAIN = {**_COMMON, "objective": "binary", "learning_rate": 0.1, "min_data_in_leaf": 100}
MAIN_TREES = 100
MAIN_NODES = 60  # of each page with main text
WHOLE = {**_COMMON, "objective": "binary", "learning_rate": 0.08, "feature_fraction": 0.3}
WHOLE_TREES = 80
WHOLE_NODES = 60  # of each page, that lie inside regions or blocks
# Few pages, and much that may be chance: small trees that see little each.
DIVISIONS = {
    **_COMMON,
    "objective": "regression",
    "learning_rate": 0.05,
    "num_leaves": 4,
    "min_data_in_leaf": 40,
    "lambda_l2": 20.0,
    "feature_fraction": 0.3,
    "bagging_fraction": 0.7,
}
DIVISION_TREES = 120
DIVISION_SEEDS = 4
ITEM = {
    **_COMMON,
    "objective": "binary",
    "learning_rate": 0.07,
    "num_leaves": 31,
    "min_data_in_leaf": 40,
    "lambda_l2": 20.0,
    "feature_fraction": 0.2,
}
ITEM_TREES = 100
ITEM_SEEDS = 6
ITEM_STEPS = 5  # of thresholds
THRESHOLDS = np.arange(-2.5, 2.01, 0.25)
OWN = "own"  # the era of pages that were marked here: by the text alone, and to other habits
OWN_WEIGHT = 0.5
# What people called the blocks of the pages of 2013. Pictures, videos and authors say nothing.
TYPES = {
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
    "Ad": "ad",
    "Comments": "comments",
}

Float = NDArray[np.float64]
Int = NDArray[np.int64]
Folds = frozenset[int]


@dataclass(frozen=True, eq=False)
class Known:
    """A page with its truth, by its texts, and its features.

    Args:
        nodes: (m, f) the features of its nodes; `spans` the texts that each holds.
        second: the node before which each border lies, closed or open; `borders` the text, `depth`
            that of the node around it.
        weight: (l,) visible tokens of each text; `tokens` also those that only a browser knows to
            be hidden.
        item: (l,) the item of each text, seen or not; -1 = none.
        label: for each level, (l,) the block of each text; -1 = none.
        role: for each level, the role of each block.
        counts: what the page counts for, where models learn from it.
    """

    id: str
    era: str
    counts: float
    fold: int
    page: Page
    truth: GroundTruth
    tree: ContentTree
    cut: PageCut
    nodes: NDArray[np.float32]
    spans: Int
    starts: Int
    second: NDArray[np.int32]
    borders: Int
    depth: Int
    weight: Float
    tokens: Float
    item: Int
    label: dict[int, Int]
    role: dict[int, dict[int, str | None]]


def read_known(folders: Iterable[Path], own: bool = False) -> list[Known]:
    """The pages of some folders with marked blocks; and of those with main text, if asked for, the
    ones that were marked here."""
    known = []
    marks = read_block_marks() if own else {}
    for folder in folders:
        known += [
            know_own(entry, marks[entry.id]) for entry in read_dataset(folder) if entry.id in marks
        ]
        parsed = read_dataset(folder).for_task("segmentation")
        for entry, drawn in zip(parsed, render_dataset(parsed), strict=True):
            page, truth = drawn.load()
            if any((blocks >= 0).any() for blocks in truth.blocks.values()):
                known.append(know(drawn, page, truth, entry.load()[1]))
    return known


def know(entry: DatasetPage, page: Page, truth: GroundTruth, all_text: GroundTruth) -> Known:
    """A rendered page with its truth, by what is visible and by all text of the parsed page."""
    tree = content_tree(page)
    cut = PageCut(page, *layout_tables(tree))
    return by_texts(
        entry,
        page,
        tree,
        cut,
        truth,
        all_text,
        era="2013" if entry.segments is None else "modern",
        role=read_roles(entry),
    )


def know_own(entry: DatasetPage, marks: BlockMarks) -> Known:
    """A parsed page whose blocks were marked here."""
    page, _ = entry.load()
    check_text(page, marks.id, marks.text)
    units, _ = shown_units(page)
    marked = {1: marks.regions or [], 2: marks.blocks}
    truth = GroundTruth(
        units=units,
        blocks={level: units_in(units, [spans for _, spans in marked[level]]) for level in LEVELS},
        contexts={},
    )
    return by_texts(
        entry,
        page,
        content_tree(page),
        PageCut(page),
        truth,
        truth,
        era=OWN,
        role={level: {at: role for at, (role, _) in enumerate(marked[level])} for level in LEVELS},
    )


def units_in(units: NDArray[np.int32], groups: Sequence[Spans]) -> NDArray[np.int32]:
    """(u,) the group of ranges that each unit starts in; -1 = none."""
    found = np.full(len(units), -1, dtype=np.int32)
    for number, spans in enumerate(groups):
        for start, end in spans:
            found[np.searchsorted(units, start) : np.searchsorted(units, end)] = number
    return found


def by_texts(
    entry: DatasetPage,
    page: Page,
    tree: ContentTree,
    cut: PageCut,
    truth: GroundTruth,
    all_text: GroundTruth,
    *,
    era: str,
    role: dict[int, dict[int, str | None]],
) -> Known:
    """What is true of a page, by its texts."""
    cut.prepare()
    leaves = np.flatnonzero(tree.leaf)
    starts = page.nodes.start[tree.row[leaves]]
    spans = np.stack(
        [np.searchsorted(starts, edge[tree.row]) for edge in (page.nodes.start, page.nodes.end)],
        axis=1,
    )
    own = np.searchsorted(starts, truth.units, side="right") - 1
    label = {}
    for level in LEVELS:
        label[level] = np.full(len(leaves), -1)
        label[level][own] = truth.blocks[level]
    depth = np.zeros(len(tree), dtype=np.int64)
    for node, above in enumerate(tree.parent.tolist()):
        depth[node] = depth[above] + 1 if above >= 0 else 0
    second = np.array(cut.second)
    parsed = np.searchsorted(starts, all_text.units, side="right") - 1
    item = np.full(len(leaves), -1)
    if all_text.items is not None:
        item[parsed] = all_text.items
    return Known(
        id=entry.id,
        era=era,
        counts=OWN_WEIGHT if era == OWN else 1.0,
        fold=fold_of(site_of(entry)),
        page=page,
        truth=truth,
        tree=tree,
        cut=cut,
        nodes=cut.node_rows(np.arange(len(tree), dtype=np.int32)),
        spans=spans,
        starts=starts,
        second=second,
        borders=spans[second, 0],
        depth=depth[tree.parent[second]],
        weight=np.bincount(own, minlength=len(leaves)).astype(float),
        tokens=np.bincount(parsed, minlength=len(leaves)).astype(float),
        item=item,
        label=label,
        role=role,
    )


def read_roles(entry: DatasetPage) -> dict[int, dict[int, str | None]]:
    """The role of each region and block, by their types."""
    marked = parse_html(entry.source(), entry.url)
    if entry.segments is not None:
        segments, _ = parse_segments(entry.segments, marked)
        regions = dict(enumerate(segments.types["regions"]))
        blocks = dict(enumerate(segments.types["blocks"]))
        beyond = {number + len(blocks): role for number, role in regions.items()}
        return {1: regions, 2: blocks | beyond}
    types = {
        row: TYPES.get(attributes.get("data-block-type", ""))
        for row, attributes in marked.attrs.items()
        if "data-block" in attributes
    }
    return {1: types, 2: types}


# What is true of nodes, borders and segments


def side_truth(known: Known) -> tuple[Int, Float]:
    """The kind of region that each node lies in, -1 if in none or several, and its weight."""
    label, weight = known.label[1], np.where(known.label[1] >= 0, known.weight, 0)
    before = np.concatenate([[0], np.cumsum(weight)])
    marked = np.flatnonzero(weight > 0)
    changes = np.concatenate([[0], np.cumsum(np.diff(label[marked]) != 0)])
    first, last = (np.searchsorted(marked, known.spans[:, side]) for side in (0, 1))
    tokens = before[known.spans[:, 1]] - before[known.spans[:, 0]]
    truth = np.full(len(first), -1)
    for node in np.flatnonzero(last > first).tolist():
        if changes[last[node] - 1] == changes[first[node]]:
            role = known.role[1].get(int(label[marked[first[node]]]))
            if role:
                truth[node] = REGION_ROLES.index(role if role in REGION_ROLES else "other")
    weights = np.where(truth >= 0, np.sqrt(tokens), 0)
    return truth, known.counts * weights / max(weights.sum(), 1e-9)


def whole_truth(known: Known, level: int) -> tuple[Int, Float]:
    """Whether all marked text of a node is in one block, -1 if that is not to be learnt, and its
    weight.

    Nodes that a true division would look at weigh by their tokens, some of those inside blocks
    equally; either kind half as much as the page.
    """
    label, weight = known.label[level], np.where(known.label[level] >= 0, known.weight, 0)
    before = np.concatenate([[0], np.cumsum(weight)])
    marked = np.flatnonzero(weight > 0)
    changes = np.concatenate([[0], np.cumsum(np.diff(label[marked]) != 0)])
    first, last = (np.searchsorted(marked, known.spans[:, side]) for side in (0, 1))
    some = last > first
    pure = some.copy()
    pure[some] = changes[last[some] - 1] == changes[first[some]]
    parent = known.tree.parent
    inside = (parent >= 0) & pure[parent]
    looked_at = np.flatnonzero(some & ~known.tree.leaf & ~inside)
    inner = np.flatnonzero(some & ~known.tree.leaf & inside)
    if len(inner) > WHOLE_NODES:
        inner = np.random.default_rng(SEED).choice(inner, WHOLE_NODES, replace=False)
    truth, weights = np.full(len(parent), -1), np.zeros(len(parent))
    for nodes, own in (
        (looked_at, np.sqrt(before[known.spans[:, 1]] - before[known.spans[:, 0]])),
        (inner, np.ones(len(parent))),
    ):
        truth[nodes] = pure[nodes]
        weights[nodes] = known.counts * own[nodes] / max(own[nodes].sum(), 1e-9) / 2
    return truth, weights


def border_truth(known: Known, level: int) -> tuple[Int, Float]:
    """Whether each border parts two blocks, -1 if that is open, and its weight.

    Between two marked texts, only the borders right below the smallest node around both count; of
    several, each by a part. The weight is the square root of the tokens that a wrong answer would
    put on the wrong side: of the smaller of two blocks, or of the smaller part of one.
    """
    label, weight = known.label[level], np.where(known.label[level] >= 0, known.weight, 0)
    marked = np.flatnonzero(weight > 0)
    truth, weights = np.full(len(known.borders), -1), np.zeros(len(known.borders))
    if len(marked) < 2:
        return truth, weights
    labels = label[marked]
    before = np.concatenate([[0], np.cumsum(weight[marked])])
    begins = np.flatnonzero(np.concatenate([[True], labels[1:] != labels[:-1]]))
    ends = np.append(begins[1:], len(labels))
    run = np.searchsorted(begins, np.arange(len(labels)), side="right") - 1
    places = np.searchsorted(marked, known.borders)
    groups: dict[int, list[int]] = {}
    for border, place in enumerate(places.tolist()):
        if 0 < place < len(marked):
            groups.setdefault(place, []).append(border)
    for place, group in groups.items():
        highest = min(known.depth[each] for each in group)
        group = [each for each in group if known.depth[each] == highest]
        one, two = run[place - 1], run[place]
        if one != two:
            sizes = [before[ends[each]] - before[begins[each]] for each in (one, two)]
        else:
            sizes = [before[place] - before[begins[one]], before[ends[one]] - before[place]]
        truth[group] = int(one != two)
        weights[group] = np.sqrt(min(sizes) / len(group))
    return truth, known.counts * weights / max(weights.sum(), 1e-9)


# Main text


@dataclass(frozen=True)
class MainRows:
    """Some nodes of a page with main text."""

    fold: int
    table: NDArray[np.float32]
    truth: Int
    weight: Float


_WORD = re.compile(r"\w+")


def read_main(folders: Iterable[Path]) -> list[MainRows]:
    """Nodes whose words are all, or not at all, in the true main text: three in a row count."""
    rng = np.random.default_rng(SEED)
    found = []
    for folder in folders:
        for entry in read_dataset(folder).for_task("main-text"):
            page, truth = entry.load()
            true = [word.lower() for word in _WORD.findall(truth.main_text or "")]
            words = [(each.group().lower(), each.start()) for each in _WORD.finditer(page.text)]
            if len(true) < 10 or len(words) < 10:
                continue
            threes = set(zip(true, true[1:], true[2:], strict=False))
            own = [word for word, _ in words]
            hits = [each in threes for each in zip(own, own[1:], own[2:], strict=False)]
            inside = np.zeros(len(own))
            for shift in range(3):
                part = inside[shift : len(own) - 2 + shift]
                np.maximum(part, hits, out=part)
            if inside.mean() < 0.02:
                continue
            tree = content_tree(page)
            places = np.array([place for _, place in words])
            first, last = (
                np.searchsorted(places, edge[tree.row])
                for edge in (page.nodes.start, page.nodes.end)
            )
            before = np.concatenate([[0], np.cumsum(inside)])
            count = last - first
            share = (before[last] - before[first]) / np.maximum(count, 1)
            sure = np.flatnonzero((count > 0) & ((share >= 0.9) | (share <= 0.1)))
            if len(sure) > MAIN_NODES:
                sure = np.sort(rng.choice(sure, MAIN_NODES, replace=False))
            weight = np.sqrt(count[sure])
            cut = PageCut(page)
            cut.prepare()
            found.append(
                MainRows(
                    fold_of(site_of(entry)),
                    cut.node_rows(sure.astype(np.int32)),
                    (share[sure] > 0.5).astype(np.int64),
                    weight / weight.sum(),
                )
            )
    return found


# Learning


def train(
    tables: Sequence[NDArray[np.float32]],
    truth: Sequence[Int],
    weights: Sequence[Float],
    parameters: dict[str, Any],
    trees: int,
    seed: int = SEED,
) -> Any:
    """A booster from the rows of some pages whose truth is known."""
    keep = [each >= 0 for each in truth]
    weight = np.concatenate([each[own] for each, own in zip(weights, keep, strict=True)])
    data = lightgbm.Dataset(
        np.concatenate([each[own] for each, own in zip(tables, keep, strict=True)]),
        label=np.concatenate([each[own] for each, own in zip(truth, keep, strict=True)]),
        weight=weight / weight.mean(),
    )
    return lightgbm.train({**FIXED, "seed": seed, **parameters}, data, num_boost_round=trees)


class Nodes(Protocol):
    """A page whose nodes can be judged."""

    @property
    def fold(self) -> int: ...
    @property
    def nodes(self) -> NDArray[np.float32]: ...


class Sides:
    """What is judged of nodes, by models that were learnt without some folds."""

    def __init__(self, pages: Sequence[Known], main: Sequence[MainRows]) -> None:
        self.pages = pages
        self.main = main
        self.truth = [side_truth(page) for page in pages]
        self.whole = {level: [whole_truth(page, level) for page in pages] for level in LEVELS}
        self.models = lru_cache(maxsize=None)(self.learn)

    def learn(self, without: Folds) -> tuple[Any, Any, list[Any]]:
        kept = [at for at, page in enumerate(self.pages) if page.fold not in without]
        sides = train(
            [self.pages[at].nodes for at in kept],
            [self.truth[at][0] for at in kept],
            [self.truth[at][1] for at in kept],
            SIDES,
            SIDE_TREES,
        )
        rows = [each for each in self.main if each.fold not in without]
        main = train(
            [each.table for each in rows],
            [each.truth for each in rows],
            [each.weight for each in rows],
            MAIN,
            MAIN_TREES,
        )
        whole = [
            train(
                [self.pages[at].nodes for at in kept],
                [self.whole[level][at][0] for at in kept],
                [self.whole[level][at][1] for at in kept],
                WHOLE,
                WHOLE_TREES,
            )
            for level in LEVELS
        ]
        return sides, main, whole

    def of(self, page: Nodes, without: Folds) -> NDArray[np.float32]:
        """(m, 9) those of a page's nodes by JUDGED_NAMES, also without its own fold."""
        sides, main, whole = self.models(without | {page.fold})
        singles = [each.predict(page.nodes) for each in (main, *whole)]
        return np.column_stack([sides.predict(page.nodes), *singles]).astype(np.float32)


FORMS = ("parsed", "seen")
_WIDTH = {"parsed": len(BORDER_NAMES), "seen": len(SEEN_NAMES)}


def forms_of(page: Known) -> Sequence[str]:
    return FORMS[:1] if page.era == OWN else FORMS


@dataclass(frozen=True)
class BorderRows:
    """The features of a page's borders, and which of them are asked: the others lie in a node that
    is surely one block. All are learnt from: there is much to learn from the sure ones."""

    table: NDArray[np.float32]
    asked: NDArray[np.bool_]


def border_rows(page: Known, judged: NDArray[np.float32]) -> BorderRows:
    page.cut.take_sides(judged)
    asked = np.isin(page.second, np.array(page.cut.second))
    return BorderRows(page.cut.border_rows(page.second), asked)


def learn_borders(
    rows: Sequence[BorderRows], truth: Sequence[tuple[Int, Float]], form: str
) -> list[Any]:
    """Boosters from other draws of rows and features: their mean is steadier than each."""
    return [
        train(
            [np.ascontiguousarray(each.table[:, : _WIDTH[form]]) for each in rows],
            [each for each, _ in truth],
            [each for _, each in truth],
            BORDERS,
            BORDER_TREES,
            SEED + number,
        )
        for number in range(BORDER_SEEDS)
    ]


def odds_of(boosters: Sequence[Any], rows: BorderRows, form: str) -> Float:
    """(b,) of all borders; -inf of those that are not asked."""
    odds = np.full(len(rows.asked), -np.inf)
    if rows.asked.any():
        table = rows.table[rows.asked, : _WIDTH[form]]
        odds[rows.asked] = np.mean([each.predict(table, raw_score=True) for each in boosters], 0)
    return odds


# Scores


def runs(known: Known, cut: NDArray[np.bool_]) -> Int:
    """(l,) the run of each text, parted at some borders."""
    starts = np.zeros(len(known.weight), dtype=np.int64)
    starts[known.borders[cut]] = 1
    return np.cumsum(starts)


def quick_scores(known: Known, found: Int, level: int) -> tuple[float, float] | None:
    """ARI and BCubed F by tokens; None where fewer than two blocks are true."""
    counted = (known.weight > 0) & (known.label[level] >= 0)
    _, true = np.unique(known.label[level][counted], return_inverse=True)
    if not counted.any() or true.max() < 1:
        return None
    _, own = np.unique(found[counted], return_inverse=True)
    table = np.zeros((true.max() + 1, own.max() + 1))
    np.add.at(table, (true, own), known.weight[counted])
    rows, columns, count = table.sum(axis=1), table.sum(axis=0), table.sum()
    together, one, two = ((x * (x - 1)).sum() / 2 for x in (table, rows, columns))
    expected = one * two / max(count * (count - 1) / 2, 1)
    most = (one + two) / 2
    ari = 1.0 if most == expected else (together - expected) / (most - expected)
    precision = (table**2 / columns).sum() / count
    recall = (table**2 / rows[:, None]).sum() / count
    return ari, 2 * precision * recall / (precision + recall)


def as_segmentation(known: Known, found: Int) -> Segmentation:
    ends = np.append(known.starts[1:], len(known.page.text))
    spans = np.stack([known.starts, ends], axis=1)
    return Segmentation.from_spans(known.page, spans, found, made_by="mosaic")


def full_scores(known: Known, found: Int, level: int) -> list[float]:
    """ARI, NMI and BCubed F as `pagecut evaluate` has them."""
    result = as_segmentation(known, found)
    values = score_segmentation(result, known.truth, level, MEASURES)
    return [value for _, value in values[: len(MEASURES)]]


Score = Callable[[int, float], "tuple[float, float] | None"]


def best_threshold(score: Score, pages: Iterable[int]) -> float:
    rows = list(pages)

    def mean(threshold: float) -> float:
        values = [each[0] for page in rows if (each := score(page, threshold)) is not None]
        return float(np.mean(values))

    # The middle of those that are nearly the best: less depends on single pages.
    means = np.array([mean(each) for each in THRESHOLDS])
    good = THRESHOLDS[means >= means.max() - 0.005]
    return float(np.median(good))


Odds = dict[tuple[str, int], list[Float]]  # by form and level, those of each page's borders


@dataclass(frozen=True)
class NestedOdds:
    """Odds of borders by models that saw no page of some folds, -inf if they are not asked; those
    of a rendered page are the mean of both forms. Those of blocks are shared by siblings.

    Args:
        odds: by models without the page's fold.
        inner: for each fold, those of regions of all pages outside by models without it and theirs.
        judged: for each fold, what is judged of all pages' nodes without it.
    """

    odds: Odds
    inner: dict[int, Odds]
    judged: dict[int, list[NDArray[np.float32]]]


def nested_borders(pages: Sequence[Known], sides: Sides) -> NestedOdds:
    truth = {level: [border_truth(page, level) for page in pages] for level in LEVELS}

    def empty() -> Odds:
        return {(form, level): [np.zeros(0)] * len(pages) for form in FORMS for level in LEVELS}

    odds, inner = empty(), {fold: empty() for fold in range(FOLDS)}
    judged = {}

    def judge(rows: Sequence[BorderRows], level: int, form: str, without: Folds) -> list[Any]:
        rest = [
            at
            for at, page in enumerate(pages)
            if page.fold not in without and form in forms_of(page)
        ]
        own = [rows[at] for at in rest], [truth[level][at] for at in rest]
        return learn_borders(*own, form)

    for fold in range(FOLDS):
        judged[fold] = [sides.of(page, frozenset({fold})) for page in pages]
        rows = [border_rows(*each) for each in zip(pages, judged[fold], strict=True)]
        for form in FORMS:
            for level in LEVELS:
                boosters = judge(rows, level, form, frozenset({fold}))
                for at, page in enumerate(pages):
                    if page.fold == fold and form in forms_of(page):
                        odds[form, level][at] = odds_of(boosters, rows[at], form)
        for other in range(fold + 1, FOLDS):
            # Without both: what the pages of one are judged by when the other is left out.
            both = frozenset({fold, other})
            rows = [border_rows(page, sides.of(page, both)) for page in pages]
            for form in FORMS:
                boosters = judge(rows, 1, form, both)
                for at, page in enumerate(pages):
                    if page.fold in both and form in forms_of(page):
                        place = inner[fold if page.fold == other else other]
                        place[form, 1][at] = odds_of(boosters, rows[at], form)
        print(f"fold {fold}: learnt", flush=True)
    for each in (odds, *inner.values()):
        for level in LEVELS:
            for at, page in enumerate(pages):
                if "seen" in forms_of(page):
                    each["seen", level][at] = (
                        each["parsed", level][at] + each["seen", level][at]
                    ) / 2
    for at, page in enumerate(pages):
        for form in forms_of(page):
            page.cut.take_sides(judged[page.fold][at])
            asked = np.isfinite(odds[form, 2][at])
            odds[form, 2][at][asked] = page.cut.shared_odds(odds[form, 2][at][asked])
    return NestedOdds(odds, inner, judged)


# Divisions into regions


def division_rows(page: Known, odds: Float) -> tuple[NDArray[np.float32], list[float]]:
    """The features of the divisions that odds would make of a page, and the ARI of each; nothing
    where fewer than two regions are true. What is judged of its nodes has to be taken before."""
    table = page.cut.division_rows(odds[np.isfinite(odds)])
    scores = [quick_scores(page, runs(page, odds > row[0]), 1) for row in table]
    return table, [each[0] for each in scores if each is not None]


def learn_divisions(rows: Sequence[tuple[NDArray[np.float32], list[float]]]) -> list[Any]:
    own = [(table, np.array(scores)) for table, scores in rows if scores]
    data = lightgbm.Dataset(
        np.concatenate([table for table, _ in own]),
        label=np.concatenate([scores - scores.max() for _, scores in own]),
        weight=np.concatenate([np.full(len(scores), 1 / len(scores)) for _, scores in own]),
    )
    return [
        lightgbm.train({**FIXED, "seed": SEED + at, **DIVISIONS}, data, DIVISION_TREES)
        for at in range(DIVISION_SEEDS)
    ]


def chosen_threshold(page: Known, odds: Float, boosters: Sequence[Any]) -> float:
    asked = odds[np.isfinite(odds)]
    if not len(asked):
        return 0.0
    table = page.cut.division_rows(asked)
    found = np.mean([each.predict(table) for each in boosters], axis=0)
    return page.cut.best_threshold(table, found)


def nested_regions(pages: Sequence[Known], nested: NestedOdds) -> dict[str, list[Any]]:
    """By form, the borders of regions of each page, by what was learnt without its fold."""
    cuts: dict[str, list[Any]] = {form: [None] * len(pages) for form in FORMS}
    for fold in range(FOLDS):
        rows = []
        for at, page in enumerate(pages):
            if page.fold != fold:
                page.cut.take_sides(nested.judged[fold][at])
                rows += [
                    division_rows(page, nested.inner[fold][form, 1][at]) for form in forms_of(page)
                ]
        boosters = learn_divisions(rows)
        for at, page in enumerate(pages):
            if page.fold == fold:
                page.cut.take_sides(nested.judged[fold][at])
                for form in forms_of(page):
                    odds = nested.odds[form, 1][at]
                    cuts[form][at] = odds > chosen_threshold(page, odds, boosters)
    return cuts


def report_borders(
    pages: Sequence[Known], nested: NestedOdds, overlays: Path | None = None
) -> tuple[dict[str, Any], dict[str, float]]:
    """Nested figures by form, level and era, and the thresholds of blocks that fit all pages."""
    figures: dict[str, Any] = {}
    fitting: dict[str, float] = {}
    drawn: list[tuple[str, list[Any]]] = []
    regions = nested_regions(pages, nested)
    for form in FORMS:
        own = nested.odds[form, 2]

        @cache
        def score(page: int, threshold: float, form: str = form, own: Any = own) -> Any:
            cut = regions[form][page] | (own[page] > threshold)
            return quick_scores(pages[page], runs(pages[page], cut), 2)

        every = [at for at, page in enumerate(pages) if page.era != OWN]
        chosen = {
            fold: best_threshold(score, (at for at in every if pages[at].fold != fold))
            for fold in range(FOLDS)
        }
        fitting[form] = best_threshold(score, every)
        rows: dict[tuple[int, str], list[list[float]]] = {}
        counts: dict[tuple[int, str], list[tuple[int, int]]] = {}
        for at, page in enumerate(pages):
            if form not in forms_of(page):
                continue
            region = regions[form][at]
            block = region | (own[at] > chosen[page.fold])
            for level, cut in ((1, region), (2, block)):
                found = runs(page, cut)
                if overlays and form == "seen" and page.era == "modern":
                    drawn.append((f"{page.id}, level {level}", panels(page, found, level)))
                values = full_scores(page, found, level)
                if values:
                    rows.setdefault((level, page.era), []).append(values)
                    true = len(set(page.label[level].tolist()) - {-1})
                    counts.setdefault((level, page.era), []).append((int(cut.sum()) + 1, true))
        for (level, era), values in sorted(rows.items()):
            table, number = np.array(values), np.array(counts[level, era]).mean(axis=0)
            error = table.std(axis=0, ddof=1) / np.sqrt(len(table))
            shown = "  ".join(
                f"{measure} {mean:.3f} ± {spread:.3f}"
                for measure, mean, spread in zip(MEASURES, table.mean(axis=0), error, strict=True)
            )
            name = f"{form}, level {level}, {era}"
            print(f"{name}: {len(table)} pages  {shown}  segments {number[0]:.1f}, {number[1]:.1f}")
            figures[name] = {
                "pages": len(table),
                **dict(zip(map(str, MEASURES), table.mean(axis=0).round(4).tolist(), strict=True)),
            }
        print(f"{form}: thresholds of blocks {chosen} {fitting[form]}", flush=True)
    if overlays:
        overlays.write_text(html(drawn), encoding="utf-8")
    return figures, fitting


def panels(known: Known, found: Int, level: int) -> list[Any]:
    """People's blocks beside those that were found, to draw."""
    truth = true_segmentation(known.page, known.truth, level)
    own = titled("mosaic, held out", as_segmentation(known, found), truth)
    return [(f"people: {len(truth)} segments", truth), own]


# Items

Matches = tuple[int, int, int]


@dataclass(frozen=True)
class ItemRows:
    """The nodes of a page, whether each is an item, -1 if it has no text that may be seen."""

    features: ItemFeatures
    table: NDArray[np.float32]
    truth: Int
    weight: Float


def item_rows(known: Known, sides: NDArray[np.float32]) -> ItemRows:
    """A node is an item if it overlaps one enough to be counted as found, and no other node does
    so more; of equals, the outermost. What is not visible counts, too: its entries are no items
    more often than those of visible lists, and who only parses a page does not see the difference.
    """
    known.cut.take_sides(sides)
    features = ItemFeatures(known.tree, known.cut)
    label = known.item
    inside = label >= 0
    sizes = np.bincount(label[inside], known.tokens[inside])
    most, best = np.full(len(sizes), OVERLAP - 2e-9), np.full(len(sizes), -1)
    truth = np.full(len(known.spans), -1)
    before = np.concatenate([[0], np.cumsum(known.tokens)])
    for node, (first, end) in enumerate(known.spans.tolist()):
        tokens = before[end] - before[first]
        if tokens > 0:
            truth[node] = 0
            own = label[first:end]
            shared = np.bincount(own[own >= 0], known.tokens[first:end][own >= 0], len(sizes))
            overlap = 2 * shared / (tokens + sizes)
            more = overlap > most + 1e-9
            most[more], best[more] = overlap[more], node
    truth[best[best >= 0]] = 1
    counted = max(int((truth >= 0).sum()), 1)
    weight = np.full(len(truth), 1 / np.sqrt(counted))
    return ItemRows(features, features.rows(np.arange(len(truth))), truth, weight)


def learn_items(rows: Sequence[ItemRows]) -> list[Any]:
    tables, truth = [each.table for each in rows], [each.truth for each in rows]
    weights = [each.weight for each in rows]
    return [
        train(tables, truth, weights, ITEM, ITEM_TREES, SEED + number)
        for number in range(ITEM_SEEDS)
    ]


def item_matches(known: Known, rows: ItemRows, odds: Float) -> list[Matches]:
    """How many items are found, how many there are, how many are true: by the visible text, and by
    all text of the parsed page."""
    features = rows.features
    nodes = choose_items(
        known.tree.parent, features.series_of, features.look, features.in_code, odds
    )
    found = np.full(len(known.weight), -1, dtype=np.int32)
    for number, node in enumerate(nodes.tolist()):
        found[known.spans[node, 0] : known.spans[node, 1]] = number
    texts = np.arange(len(found))
    counted = [np.repeat(texts, weight.astype(int)) for weight in (known.weight, known.tokens)]
    true = known.item.astype(np.int32)
    return [count_matches(found[each], true[each], OVERLAP) for each in counted]


def f_of(matches: Iterable[Matches]) -> float:
    similar, found, true = np.array(list(matches)).sum(axis=0)
    return float(2 * similar / (found + true)) if found + true else 1.0


def report_items(pages: Sequence[Known], sides: Sides) -> tuple[dict[str, Any], float]:
    """The nested F of items, of visible ones and of all, and the threshold that fits all pages."""
    marked = [page for page in pages if page.truth.items is not None]
    own: list[ItemRows] = [None] * len(marked)  # type: ignore[list-item]
    odds = [np.zeros(0)] * len(marked)
    for fold in range(FOLDS):
        rows = [item_rows(page, sides.of(page, frozenset({fold}))) for page in marked]
        rest = [row for row, page in zip(rows, marked, strict=True) if page.fold != fold]
        boosters = learn_items(rest)
        for at, page in enumerate(marked):
            if page.fold == fold:
                own[at] = rows[at]
                sums = [each.predict(rows[at].table, raw_score=True) for each in boosters]
                odds[at] = np.mean(sums, axis=0)
    matches = {
        threshold: [
            item_matches(page, row, each - threshold)
            for page, row, each in zip(marked, own, odds, strict=True)
        ]
        for threshold in THRESHOLDS.tolist()
    }

    def best(places: Sequence[int]) -> float:
        # By the mean over pages, and the middle of those that are the best together: a single list
        # of fifty entries decides less.
        each_f = [np.mean([f_of([found[at][0]]) for at in places]) for found in matches.values()]
        around = np.convolve(each_f, np.ones(ITEM_STEPS) / ITEM_STEPS, "valid")
        return list(matches)[int(around.argmax()) + ITEM_STEPS // 2]

    every = list(range(len(marked)))
    chosen = [
        matches[best([each for each in every if marked[each].fold != page.fold])][at]
        for at, page in enumerate(marked)
    ]
    figures = {}
    for name, own_matches in zip(("visible", "all text"), zip(*chosen, strict=True), strict=True):
        found = sum(each[1] for each in own_matches)
        print(f"items, {name}: F {f_of(own_matches):.3f}, found {found}", flush=True)
        figures[f"items, {name}: F"] = round(f_of(own_matches), 4)
    return figures, best(every)


# Writing


def averaged(boosters: Sequence[Any], name: str, names: Sequence[str], threshold: float) -> Output:
    """The mean of some boosters as one sum, above 0 from the threshold on."""
    models = [booster_model(each, names, [name]) for each in boosters]
    trees = [tree for each in models for tree in each.outputs[0].trees]
    return Output(name=name, trees=trees, scale=1 / len(boosters), bias=-threshold)


def write_models(
    pages: Sequence[Known],
    sides: Sides,
    nested: NestedOdds,
    thresholds: dict[str, float],
    record: dict[str, Any],
) -> None:
    """Learn all but the items from all pages. The rendered odds are the mean of both models', as is
    the threshold of blocks: that of the parsed model is part of its bias, the rest is of the
    other's."""
    everything: Folds = frozenset()

    def write(name: str, outputs: Sequence[Output], link: str = "logistic") -> None:
        model = Model(features=MODELS[name][0], outputs=outputs, link=link, record=record)
        write_model(model, PLACE / f"{name}.model.json")

    borders = [border_rows(page, sides.of(page, everything)) for page in pages]
    for form, file in (("parsed", "borders"), ("seen", "seen")):
        block = thresholds["parsed"]
        if form == "seen":
            block = 2 * thresholds["seen"] - block
        outputs = []
        for level, name, threshold in ((1, "region", 0.0), (2, "block", block)):
            own = [at for at, page in enumerate(pages) if form in forms_of(page)]
            truth = [border_truth(pages[at], level) for at in own]
            boosters = learn_borders([borders[at] for at in own], truth, form)
            outputs.append(averaged(boosters, name, MODELS[file][0], threshold))
        write(file, outputs)
    divisions = []
    for at, page in enumerate(pages):
        page.cut.take_sides(nested.judged[page.fold][at])
        divisions += [division_rows(page, nested.odds[form, 1][at]) for form in forms_of(page)]
    chosen = averaged(learn_divisions(divisions), "division", DIVISION_NAMES, 0.0)
    write("regions", [chosen], "none")
    own, main, whole = sides.models(everything)
    write_model(booster_model(own, NODE_NAMES, REGION_ROLES, record), PLACE / "sides.model.json")
    write_model(booster_model(main, NODE_NAMES, ["main"], record), PLACE / "main.model.json")
    write(
        "whole",
        [
            averaged([each], name, NODE_NAMES, 0.0)
            for each, name in zip(whole, ("region", "block"), strict=True)
        ],
    )


def write_items(
    pages: Sequence[Known], sides: Sides, threshold: float, record: dict[str, Any]
) -> None:
    marked = [page for page in pages if page.truth.items is not None]
    items = learn_items([item_rows(page, sides.of(page, frozenset())) for page in marked])
    output = averaged(items, "item", ITEM_NAMES, threshold)
    model = Model(features=ITEM_NAMES, outputs=[output], link="logistic", record=record)
    write_model(model, PLACE / "items.model.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", type=Path, nargs="+")
    parser.add_argument("--dry", action="store_true", help="write no models")
    parser.add_argument("--items", action="store_true", help="only what finds items")
    parser.add_argument(
        "--overlays", type=Path, help="what is found on modern pages beside people's marks, as HTML"
    )
    arguments = parser.parse_args()
    pages = read_known(arguments.datasets, own=True)
    main_rows = read_main(arguments.datasets)
    print(f"{len(pages)} pages with blocks, {len(main_rows)} with main text", flush=True)
    sides = Sides(pages, main_rows)
    nested = None if arguments.items else nested_borders(pages, sides)
    figures, thresholds = {}, {}
    if nested is not None:
        figures, thresholds = report_borders(pages, nested, arguments.overlays)
    item_figures, item_threshold = report_items(pages, sides)
    figures |= item_figures
    if arguments.dry:
        return
    record = training_record(
        data={folder.name: hash_folder(folder) for folder in arguments.datasets}
        | {BLOCKS.name: sha256(BLOCKS.read_bytes()).hexdigest()[:16]},
        seed=SEED,
        parameters={
            "borders": {**BORDERS, "trees": BORDER_TREES, "seeds": BORDER_SEEDS},
            "sides": {**SIDES, "trees": SIDE_TREES},
            "main": {**MAIN, "trees": MAIN_TREES, "nodes": MAIN_NODES},
            "whole": {**WHOLE, "trees": WHOLE_TREES, "nodes": WHOLE_NODES},
            "regions": {**DIVISIONS, "trees": DIVISION_TREES, "seeds": DIVISION_SEEDS},
            "items": {**ITEM, "trees": ITEM_TREES, "seeds": ITEM_SEEDS},
        },
        more={"nested": figures, "pages": len(pages), "pages with main text": len(main_rows)},
    )
    if nested is not None:
        write_models(pages, sides, nested, thresholds, record)
    write_items(pages, sides, item_threshold, record)


if __name__ == "__main__":
    main()
