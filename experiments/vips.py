"""VIPS against human blocks, and where its degrees of coherence come from.

    python experiments/vips.py ../shared/data [--fit] [--cues] [--rules]

Pages are rendered once (the cache keeps them). Prints, for both levels of blocks, ARI and NMI over
tokens and BCubed F over characters of the leaves at each permitted degree of coherence, next to
other methods on the same rendered pages; and the image contexts by segments.

--fit fits the degree of coherence anew: which nodes of the finest structure do people divide? A
logistic model of four numbers, on all pages and on each half of them, and in four folds the scores
on pages that the fit has not seen. --cues leaves out one cue of the separators at a time, --rules
one of the paper's rules of block extraction.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagecut.contexts import extractor
from pagecut.evaluation.compared_units import label_units
from pagecut.evaluation.datasets import Dataset, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.scoring import score_methods
from pagecut.evaluation.tasks import task_of
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter
from pagecut.segmenters.vips import (
    Vips,
    constants,
    content_structure,
    layout,
    number_nodes,
    rules,
    segment_nodes,
)
from pagecut.segmenters.vips.layout import see_page
from pagecut.segmenters.vips.structure import area_around

Floats = NDArray[np.float64]
LEVELS = (2, 1)
DEGREES = range(2, 11)
MEASURED = ("ari", "nmi", "bcubed-f(unit='characters')")
OTHERS = ("block-fusion", "block-fusion-rules", "dom-distance", "graph-cuts", "box-clustering")
CONTEXTS = (5, 6, 7, 8, 9)
SEED = 2003
CUES: dict[str, dict[str, float]] = {
    "all cues": {},
    "no width": {"PER_DOUBLING_OF_WIDTH": 0.0},
    "no drawn lines": {"EXPLICIT": 0},
    "no backgrounds": {"BACKGROUND": 0},
    "no fonts": {"FONT_SIZE": 0, "FONT_WEIGHT": 0, "LARGER_AFTER": 0},
    "no likeness": {"SIMILAR": 0},
    "overlaps left alone": {"MOST_OVERLAPS": 0},
}


def keep_mostly_text(ask: rules.Question) -> bool | None:
    """The paper's text cue as printed: most of the children are text."""
    text = ask.layout.children[ask.row] - ask.layout.plain_children[ask.row]
    parted = ask.layout.has_rule[ask.row] or ask.layout.has_break[ask.row]
    return rules.KEEP if 2 * text > ask.layout.children[ask.row] and not parted else None


def coloured(given: tuple[rules.Rule, ...]) -> tuple[rules.Rule, ...]:
    """With the colour cue before the last rule, where it is not among them."""
    cue = rules.divide_at_backgrounds
    return given if cue in given else (*given[:-1], cue, given[-1])


def mostly(given: tuple[rules.Rule, ...]) -> tuple[rules.Rule, ...]:
    return tuple(keep_mostly_text if each is rules.keep_text else each for each in given)


RULES: dict[str, list[tuple[object, str, object]]] = {
    "all rules": [],
    "`<p>` is a block node (definitions 2 and 4)": [(layout, "RUNNING", layout.INLINE)],
    "controls of forms and drawings are no valid nodes": [(layout, "CONTROLS", frozenset())],
    "no higher thresholds for TABLE, TR, TD, P": [(constants, "COHERENT", 1.0)],
    "low or narrow nodes with text have no degree of their own": [(constants, "NARROW", 0.0)],
    "the size cue is left out": [(constants, "UNEVEN", float("inf"))],
    "no node is three times its children": [(constants, "SPARSE", float("inf"))],
    "the text cue: most of the children are text, not all": [
        (rules, "RULES", {tag: mostly(each) for tag, each in rules.RULES.items()}),
        (rules, "_OTHER", mostly(rules._OTHER)),
    ],
    "the colour cue in cells and running text, too": [
        (rules, "RULES", {tag: coloured(each) for tag, each in rules.RULES.items()}),
    ],
}


@dataclass(frozen=True)
class Marked:
    """A rendered page and its true blocks, by level."""

    id: str
    page: Page
    true: dict[int, Segmentation]


def read_pages(dataset: Dataset) -> list[Marked]:
    found = []
    for entry in dataset:
        page, truth = entry.load()
        segmentations = {level: true_segmentation(page, truth, level) for level in LEVELS}
        true = {level: each for level, each in segmentations.items() if len(each) > 1}
        if true:
            found.append(Marked(entry.id, page, true))
    return found


def mean_scores(
    pages: Sequence[Marked], level: int, cut: Callable[[Marked], Segmentation]
) -> tuple[Floats, float]:
    """Each measure and the number of leaves, means over pages."""
    measures = [segmentation_measure(spec) for spec in MEASURED]
    rows, counts = [], []
    for each in pages:
        if level in each.true:
            result = cut(each)
            rows.append([measure.score(result, each.true[level]) for measure in measures])
            counts.append(len(result.leaf_segments))
    return np.mean(rows, axis=0), float(np.mean(counts))


def print_scores(pages: Sequence[Marked]) -> None:
    finest = {each.id: Vips(pdoc=10).segment(each.page) for each in pages}
    others = {
        spec: {each.id: segmenter(spec).segment(each.page) for each in pages} for spec in OTHERS
    }
    for level in LEVELS:
        count = sum(level in each.true for each in pages)
        print(f"\nlevel {level}, {count} pages\n")
        print("| method | ARI | NMI | BCubed F | leaves |\n|---|---|---|---|---|")
        for pdoc in DEGREES:
            scores, leaves = mean_scores(
                pages, level, lambda each, p=pdoc: finest[each.id].flatten(p)
            )
            print_row(f"vips(pdoc={pdoc})", scores, leaves)
        print_best_of_each_page(pages, level, finest)
        for spec, results in others.items():
            scores, leaves = mean_scores(pages, level, lambda each, r=results: r[each.id])
            print_row(spec, scores, leaves)


def print_best_of_each_page(
    pages: Sequence[Marked], level: int, finest: dict[str, Segmentation]
) -> None:
    """What an oracle that knows the truth would choose; each measure by itself."""
    measures = [segmentation_measure(spec) for spec in MEASURED]
    rows = []
    for each in pages:
        if level in each.true:
            results = [finest[each.id].flatten(pdoc) for pdoc in DEGREES]
            true = each.true[level]
            rows.append([max(m.score(found, true) for found in results) for m in measures])
    cells = " | ".join(f"{value:.3f}" for value in np.mean(rows, axis=0))
    print(f"| vips, best PDoC of each page | {cells} | |")


def print_row(name: str, scores: Floats, leaves: float) -> None:
    print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in scores) + f" | {leaves:.0f} |")


def print_contexts(dataset: Dataset) -> None:
    specs = [f"by-segment(segmenter='vips(pdoc={pdoc})')" for pdoc in CONTEXTS]
    task = task_of("image-context", ["lcs-f"])
    scores, failures = score_methods(dataset, task, [extractor(spec) for spec in specs])
    for failure in failures:
        print(failure)
    print("\n| image context | F over images | F by page |\n|---|---|---|")
    for spec in specs:
        found = [each for each in scores if each.made_by == spec and each.measure == "lcs-f"]
        by_page: dict[str, list[float]] = {}
        for each in found:
            by_page.setdefault(each.page, []).append(each.value)
        over_images = np.mean([each.value for each in found])
        over_pages = np.mean([np.mean(values) for values in by_page.values()])
        print(f"| {spec} | {over_images:.3f} | {over_pages:.3f} |")


# --- the fit


@dataclass(frozen=True)
class Structure:
    """The finest structure of a page: four numbers of each node, and what people do with it.

    Args:
        gains: by level, what dividing a node gains: pairs of characters told right, as a share.
    """

    marked: Marked
    segmentation: Segmentation
    features: Floats  # (m, 4) halvings of the page, level, doublings of the parts, merged
    has_parts: NDArray[np.bool_]
    gains: dict[int, Floats]


def structure(marked: Marked) -> Structure:
    layout = see_page(marked.page)
    nodes = number_nodes(content_structure(layout, constants.HIGHEST + 1))
    depths: list[int] = []
    rows = []
    for node, parent in nodes:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        share = max(layout.share(area_around(node)), 1e-6)
        parts = log2(1 + len(node.children))
        rows.append((log2(1 / share), depths[-1], parts, float(len(node.blocks) > 1)))
    found = segment_nodes(layout, nodes, made_by=Vips(pdoc=10))
    return Structure(
        marked=marked,
        segmentation=found,
        features=np.array(rows),
        has_parts=np.array([bool(node.children) and not node.is_text for node, _ in nodes]),
        gains={level: _gains(found, true) for level, true in marked.true.items()},
    )


def _gains(found: Segmentation, true: Segmentation) -> Floats:
    """What dividing each node gains, everything below it being divided as well as can be.

    A set of characters kept together is worth its pairs of one true block, less half of all pairs.
    """
    units = label_units(found, true, "characters")
    inside: list[Counter[int]] = [Counter() for _ in range(len(found))]
    pairs = Counter(zip(units.predicted.tolist(), units.truth.tolist(), strict=True))
    for (node, block), count in pairs.items():
        if node >= 0:
            inside[node][block] += count
    best, below, gains = np.zeros((3, len(found)))
    for node in range(len(found) - 1, -1, -1):
        total = sum(inside[node].values())
        whole = sum(count**2 for count in inside[node].values()) - total**2 / 2
        is_leaf = not len(found._child_groups[node])
        gains[node] = 0.0 if is_leaf else below[node] - whole
        best[node] = max(whole, whole + gains[node])
        parent = int(found.parent[node])
        if parent >= 0:
            below[parent] += best[node]
            inside[parent].update(inside[node])
    return np.asarray(gains / max(sum(inside[0].values()), 1) ** 2)


def fit(structures: Sequence[Structure]) -> Floats:
    """Weights of the four numbers, a constant, and the step from level 1 to level 2."""
    xs, ys, ws = [], [], []
    for each in structures:
        for level, gains in each.gains.items():
            kept = each.has_parts & (np.abs(gains) > 1e-5)
            count = int(kept.sum())
            extra = np.stack([np.ones(count), np.full(count, float(level == 2))], axis=1)
            xs.append(np.concatenate([each.features[kept], extra], axis=1))
            ys.append(gains[kept] > 0)
            ws.append(np.sqrt(np.abs(gains[kept])))
    return logistic(np.concatenate(xs), np.concatenate(ys), np.concatenate(ws))


def logistic(x: Floats, y: NDArray[np.bool_], weight: Floats) -> Floats:
    """Weighted logistic regression by Newton's method, slightly regularised."""
    beta = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weight * (y - p)) - 0.01 * beta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + 0.01 * np.eye(len(beta))
        step = np.linalg.solve(hessian, gradient)
        beta += step
        if np.abs(step).max() < 1e-8:
            break
    return beta


def coherence(beta: Floats) -> Floats:
    """The weights as constants of `vips.constants`: people's level 1 at 4, level 2 at 7."""
    scale = 3 / beta[5]
    values = -beta[:4] * scale
    return np.append(values, 4 - scale * beta[4])


def print_fit(structures: Sequence[Structure]) -> None:
    order = np.random.default_rng(SEED).permutation(len(structures))
    halves = [[structures[at] for at in order[half::2]] for half in range(2)]
    print("\n| pages | per halving | per level | per doubling | merged | constant |")
    print("|---|---|---|---|---|---|")
    for name, part in (("all", structures), ("one half", halves[0]), ("other half", halves[1])):
        print(f"| {name} | " + " | ".join(f"{each:.2f}" for each in coherence(fit(part))) + " |")
    unseen: dict[str, Segmentation] = {}
    for number in range(4):
        test = {int(at) for at in order[number::4]}
        values = coherence(fit([each for at, each in enumerate(structures) if at not in test]))
        unseen.update((structures[at].marked.id, rescored(structures[at], values)) for at in test)
    print("\n| pages not seen by the fit | ARI | NMI | BCubed F | leaves |\n|---|---|---|---|---|")
    for level, pdoc in ((2, 7), (1, 4)):
        scores, leaves = mean_scores(
            [each.marked for each in structures], level, lambda m, p=pdoc: unseen[m.id].flatten(p)
        )
        print_row(f"level {level}, pdoc {pdoc}", scores, leaves)


def rescored(each: Structure, values: Floats) -> Segmentation:
    """The structure with other degrees of coherence."""
    found = each.segmentation
    own = np.floor(each.features @ values[:4] + values[4])
    assert found.score is not None
    own = np.where(
        each.has_parts, np.clip(own, constants.LOWEST, constants.HIGHEST - 2), found.score
    )
    own[0] = constants.LOWEST
    for node, parent in enumerate(found.parent.tolist()):
        if parent >= 0:
            own[node] = max(own[node], own[parent])
    return replace(found, score=own)


# --- the cues


def changed(values: dict[str, float]) -> Iterator[None]:
    """Other constants for a while."""
    kept = {name: getattr(constants, name) for name in values}
    for name, value in values.items():
        setattr(constants, name, value)
    yield
    for name, value in kept.items():
        setattr(constants, name, value)


def print_cues(pages: Sequence[Marked]) -> None:
    print("\n| separators | level 2, pdoc 7: ARI | NMI | level 1, pdoc 4: ARI | NMI |")
    print("|---|---|---|---|---|")
    for name, values in CUES.items():
        for _ in changed(values):
            cells = []
            for level, pdoc in ((2, 7), (1, 4)):
                scores, _count = mean_scores(
                    pages, level, lambda each, p=pdoc: Vips(pdoc=p).segment(each.page)
                )
                cells += [f"{scores[0]:.3f}", f"{scores[1]:.3f}"]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def print_rules(pages: Sequence[Marked]) -> None:
    """ARI with one rule undone."""
    columns = ((2, 7), (2, 8), (2, 10), (1, 4))
    print("\n| | " + " | ".join(f"level {level}, pdoc {pdoc}" for level, pdoc in columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, changes in RULES.items():
        kept = [(module, attribute, getattr(module, attribute)) for module, attribute, _ in changes]
        for module, attribute, value in changes:
            setattr(module, attribute, value)
        finest = {each.id: Vips(pdoc=10).segment(each.page) for each in pages}
        for module, attribute, value in kept:
            setattr(module, attribute, value)
        cells = []
        for level, pdoc in columns:
            scores, _ = mean_scores(
                pages, level, lambda each, f=finest, p=pdoc: f[each.id].flatten(p)
            )
            cells.append(f"{scores[0]:.3f}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--cues", action="store_true")
    parser.add_argument("--rules", action="store_true")
    options = parser.parse_args()
    print(
        "Stand-in for the paper's 140 graded pages (Table 1): pages with blocks that people marked."
    )
    dataset = render_dataset(read_dataset(options.folder))
    pages = read_pages(dataset)
    if not pages:
        sys.exit(f"{options.folder}: no page has two marked blocks")
    if options.fit:
        print_fit([structure(each) for each in pages])
    elif options.cues:
        print_cues(pages)
    elif options.rules:
        print_rules(pages)
    else:
        print_scores(pages)
        print_contexts(dataset)


if __name__ == "__main__":
    main()
