"""The experiments of the Box Clustering paper on pages with human marks, next to VIPS.

    python experiments/box_clustering.py ../shared/data

Pages are rendered once. Prints, for both levels of marks and by page type: ARI over boxes and the
paper's F at the best threshold of each page and at the best single one, with standard deviations
(Tables 3 and 4); the colour spaces; what "auto" gives; and the run times of both methods on the
same snapshots (Table 2).

The type of a page follows from its marks, by a rule of ours for the paper's words (§8): *simple*,
at most SIMPLE_BLOCKS blocks of level 2; *article*, one block has at least ARTICLE_SHARE of all
tokens; *index*, all others.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median, pstdev
from typing import Final

import numpy as np

from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import LEVELS, Dataset, GroundTruth, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, segmenter
from pagecut.segmenters.box_clustering import BoxClustering, ClusteredBoxes
from pagecut.segmenters.box_clustering.clusters import smallest_threshold
from pagecut.segmenters.box_clustering.differences import COLOUR_SPACES

SIMPLE_BLOCKS: Final = 6
ARTICLE_SHARE: Final = 0.4
TYPES: Final = ("index", "article", "simple")
THRESHOLDS: Final = [round(0.05 * step, 2) for step in range(1, 21)]
DEGREES: Final = list(range(1, 11))
MEASURES: Final = [segmentation_measure(spec) for spec in ("ari(unit='boxes')", "box-f")]
REPEATS: Final = 3

Scores = dict[float, tuple[float, float]]  # by threshold or degree: ARI and F


@dataclass
class Result:
    """What was measured on one page."""

    id: str
    type: str
    boxes: int
    bcs: dict[str, dict[int, Scores]] = field(default_factory=dict)  # by colour space, level
    auto: dict[int, tuple[float, float]] = field(default_factory=dict)
    auto_threshold: float = 0.0
    vips: dict[int, Scores] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    ends_early: bool = False  # fewer than two boxes are unclustered before the default threshold


def main() -> None:
    """Run everything on a dataset."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder with pages.json and marked pages")
    arguments = parser.parse_args()
    if not (arguments.dataset / "pages.json").is_file():
        print(f"{arguments.dataset}: no pages.json, experiments skipped", file=sys.stderr)
        return
    results = measure_pages(render_dataset(read_dataset(arguments.dataset)))
    if not results:
        print(f"{arguments.dataset}: no page could be rendered and has marks", file=sys.stderr)
        return
    counts = ", ".join(f"{kind} {sum(r.type == kind for r in results)}" for kind in TYPES)
    early = sum(result.ends_early for result in results)
    print(f"{len(results)} pages ({counts}), {sum(r.boxes for r in results)} boxes; on {early} the")
    print("paper's stop, fewer than two unclustered boxes, comes before the default threshold\n")
    for level in LEVELS:
        accuracy(results, level)
    colours(results)
    run_times(results)


def measure_pages(dataset: Dataset) -> list[Result]:
    """Every page with two marked blocks of some level."""
    results = []
    for entry in dataset:
        try:
            page, truth = entry.load()
        except PagecutError as error:
            print(f"{entry.id}: {error}", file=sys.stderr)
            continue
        true = {level: true_segmentation(page, truth, level) for level in LEVELS}
        true = {level: each for level, each in true.items() if len(each) > 1}
        if true:
            results.append(measure_page(entry.id, page, truth, true))
    return results


def measure_page(
    name: str, page: Page, truth: GroundTruth, true: dict[int, Segmentation]
) -> Result:
    """Both methods with all their values; one run of Box Clustering tells every threshold."""
    clustered = {
        space: ClusteredBoxes.of(BoxClustering(threshold="auto", colour=space), page)
        for space in COLOUR_SPACES
    }
    plain = clustered["rgb"]
    heights, left = plain.clusters.unclustered()
    result = Result(id=name, type=type_of(truth), boxes=len(plain.content))
    result.ends_early = bool(((left < 2) & (heights < BoxClustering().threshold)).any())
    result.auto_threshold = smallest_threshold(heights, left, plain.clusters.count)
    for space, found in clustered.items():
        cuts = {
            value: found.segmentation(found.labels(value), made_by="bcs") for value in THRESHOLDS
        }
        result.bcs[space] = {
            level: {value: scores(cut, each) for value, cut in cuts.items()}
            for level, each in true.items()
        }
    chosen = plain.segmentation(plain.labels(result.auto_threshold), made_by="bcs")
    result.auto = {level: scores(chosen, each) for level, each in true.items()}
    result.seconds["box-clustering"] = seconds(lambda: BoxClustering().segment(page))
    if "vips" in SEGMENTERS:
        finest = segmenter("vips(pdoc=10)")
        tree = finest.segment(page)
        result.seconds["vips"] = seconds(lambda: finest.segment(page))
        flat = {degree: tree.flatten(degree) for degree in DEGREES}
        result.vips = {
            level: {degree: scores(each, whole) for degree, each in flat.items()}
            for level, whole in true.items()
        }
    return result


def type_of(truth: GroundTruth) -> str:
    """Index, article or simple, by the marks of level 2."""
    blocks = truth.blocks[2]
    _, sizes = np.unique(blocks[blocks >= 0], return_counts=True)
    if len(sizes) <= SIMPLE_BLOCKS:
        return "simple"
    return "article" if sizes.max() >= ARTICLE_SHARE * sizes.sum() else "index"


def scores(segmentation: Segmentation, true: Segmentation) -> tuple[float, float]:
    ari, f = (measure.score(segmentation, true) for measure in MEASURES)
    return ari, f


def seconds(work: Callable[[], object]) -> float:
    """CPU time, the best of some."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def accuracy(results: Sequence[Result], level: int) -> None:
    """Tables 3 and 4: means and standard deviations."""
    pages = [result for result in results if level in result.bcs["rgb"]]
    print(f"Level {level}, {len(pages)} pages: ARI (standard deviation) | F (standard deviation)")
    bcs = [result.bcs["rgb"][level] for result in pages]
    rows: dict[str, list[tuple[float, float]]] = {
        "BCS, best CT of each page": [best_of(each) for each in bcs],
        **single("BCS, best single CT", bcs),
        "BCS, default": [each[BoxClustering().threshold] for each in bcs],  # type: ignore[index]
        "BCS, auto": [result.auto[level] for result in pages],
    }
    if pages and pages[0].vips:
        vips = [result.vips[level] for result in pages]
        rows["VIPS, best PDoC of each page"] = [best_of(each) for each in vips]
        rows |= single("VIPS, best single PDoC", vips)
    print(f"| | all | {' | '.join(TYPES)} |\n|---|---|{'---|' * len(TYPES)}")
    for name, values in rows.items():
        groups = [values] + [
            [value for value, page in zip(values, pages, strict=True) if page.type == kind]
            for kind in TYPES
        ]
        print(f"| {name} | {' | '.join(cell(group) for group in groups)} |")
    print(f"mean CT of auto: {fmean(page.auto_threshold for page in pages):.2f}\n")


def best_of(values: Scores) -> tuple[float, float]:
    """The best ARI and the best F, each by its own value, as the paper selects them."""
    return max(ari for ari, _ in values.values()), max(f for _, f in values.values())


def single(name: str, pages: Sequence[Scores]) -> dict[str, list[tuple[float, float]]]:
    """The value with the best mean ARI, and the one with the best mean F."""
    found = [
        max(pages[0], key=lambda value: fmean(page[value][which] for page in pages))
        for which in (0, 1)
    ]
    label = f"{name} ({found[0]:g} by ARI, {found[1]:g} by F)"
    return {label: [(page[found[0]][0], page[found[1]][1]) for page in pages]}


def cell(values: Sequence[tuple[float, float]]) -> str:
    if not values:
        return "–"
    parts = [[value[which] for value in values] for which in (0, 1)]
    return " ; ".join(f"{fmean(part):.3f} ({pstdev(part):.3f})" for part in parts)


def colours(results: Sequence[Result]) -> None:
    """The colour spaces, at the best threshold of each page and at the best single one."""
    print("Colour spaces, level 2: ARI at the best CT of each page, and at the best single one")
    print("| space | of each page | single |\n|---|---|---|")
    for space in COLOUR_SPACES:
        pages = [result.bcs[space][2] for result in results if 2 in result.bcs[space]]
        of_each = fmean(best_of(page)[0] for page in pages)
        means = {value: fmean(page[value][0] for page in pages) for value in THRESHOLDS}
        value = max(means, key=lambda each: means[each])
        print(f"| {space} | {of_each:.3f} | {means[value]:.3f} (CT {value:g}) |")
    print()


def run_times(results: Sequence[Result]) -> None:
    """Table 2: CPU time on the same snapshots."""
    print("Run time, ms of CPU per page (mean), and how many times longer VIPS takes (median)")
    print("| pages | boxes | BCS | VIPS | VIPS / BCS |\n|---|---|---|---|---|")
    for kind in ("all", *TYPES):
        pages = [result for result in results if kind in ("all", result.type)]
        if not pages:
            continue
        own = [page.seconds["box-clustering"] * 1000 for page in pages]
        row = f"| {kind} | {fmean(page.boxes for page in pages):.0f} | {fmean(own):.1f} |"
        if "vips" in pages[0].seconds:
            other = [page.seconds["vips"] * 1000 for page in pages]
            ratio = median(b / a for a, b in zip(own, other, strict=True))
            row += f" {fmean(other):.1f} | {ratio:.1f} |"
        else:
            row += " – | – |"
        print(row)


if __name__ == "__main__":
    main()
