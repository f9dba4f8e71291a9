"""The experiments of the Box Clustering paper on pages with human marks, next to VIPS.

    python experiments/box_clustering.py ../shared/data

Pages are rendered once. Prints, for both levels of marks and by page type: ARI over boxes and the
paper's F at the best threshold of each page and at the best single one, with standard deviations
over pages (Table 3; for Table 4, pages of one template, see one_template.py); F with boxes in no
area as areas of their own; the colour spaces; what the readings of the paper change; what "auto"
gives; and the run times of both methods on the same snapshots (Table 2), each the mean over all
thresholds and all degrees of coherence, as the paper has it (§8, step 5).

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
from pagecut.segmenters.box_clustering import READINGS, BoxClustering, ClusteredBoxes
from pagecut.segmenters.box_clustering.clusters import smallest_threshold
from pagecut.segmenters.box_clustering.differences import COLOUR_SPACES

SIMPLE_BLOCKS: Final = 6
ARTICLE_SHARE: Final = 0.4
TYPES: Final = ("index", "article", "simple")
THRESHOLDS: Final = [round(0.05 * step, 2) for step in range(1, 21)]
DEGREES: Final = list(range(1, 11))
MEASURES: Final = [segmentation_measure(spec) for spec in ("ari(unit='boxes')", "box-f")]
ALONE: Final = segmentation_measure("box-f(unclustered='alone')")

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
    alone: dict[str, float] = field(default_factory=dict)  # level 2: the best F of that reading
    readings: dict[str, dict[int, Scores]] = field(default_factory=dict)
    ends_early: bool = False  # fewer than two boxes are unclustered before the default threshold


def main() -> None:
    """Run everything on a dataset."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder with pages.json and marked pages")
    arguments = parser.parse_args()
    if not (arguments.dataset / "pages.json").is_file():
        sys.exit(f"{arguments.dataset}: no pages.json, nothing to measure")
    results = measure_pages(render_dataset(read_dataset(arguments.dataset)))
    if not results:
        sys.exit(f"{arguments.dataset}: no page could be rendered and has marks")
    print("Stand-in for the paper's 800 pages of five news sites: the pages of the dataset.")
    counts = ", ".join(f"{kind} {sum(r.type == kind for r in results)}" for kind in TYPES)
    early = sum(result.ends_early for result in results)
    print(f"{len(results)} pages ({counts}), {sum(r.boxes for r in results)} boxes; on {early} the")
    print("paper's stop, fewer than two unclustered boxes, comes before the default threshold\n")
    for level in LEVELS:
        accuracy(results, level)
    colours(results)
    readings(results)
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
    if 2 in true:
        result.alone["BCS"] = max(
            ALONE.score(plain.segmentation(plain.labels(ct), made_by="bcs"), true[2])
            for ct in THRESHOLDS
        )
    result.readings = {reading: measure_reading(page, true, reading) for reading in READINGS[1:]}
    result.seconds["box-clustering"] = fmean(
        seconds(lambda ct=ct: BoxClustering(threshold=ct).segment(page)) for ct in THRESHOLDS
    )
    if "vips" in SEGMENTERS:
        finest = segmenter("vips(pdoc=10)")
        tree = finest.segment(page)
        result.seconds["vips"] = fmean(
            seconds(lambda p=p: segmenter(f"vips(pdoc={p})").segment(page)) for p in DEGREES
        )
        flat = {degree: tree.flatten(degree) for degree in DEGREES}
        result.vips = {
            level: {degree: scores(each, whole) for degree, each in flat.items()}
            for level, whole in true.items()
        }
        if 2 in true:
            result.alone["VIPS"] = max(ALONE.score(each, true[2]) for each in flat.values())
    return result


def measure_reading(page: Page, true: dict[int, Segmentation], reading: str) -> dict[int, Scores]:
    """One reading of the paper at all thresholds."""

    def cut(ct: float) -> Segmentation:
        return BoxClustering(threshold=ct, reading=reading).segment(page)  # type: ignore[arg-type]

    found: dict[int, Scores] = {level: {} for level in true}
    for ct in THRESHOLDS:
        result = cut(ct)
        for level, each in true.items():
            found[level][ct] = scores(result, each)
    return found


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
    """CPU time."""
    start = time.process_time()
    work()
    return time.process_time() - start


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


def readings(results: Sequence[Result]) -> None:
    """What the paper's misprints and open sentences change, one by one and together."""
    print("Readings, level 2: ARI and F at the best CT of each page, at the best single one (of")
    print("ARI), and at the default")
    print("| reading | of each page | single | default |\n|---|---|---|---|")
    pages = [result for result in results if 2 in result.bcs["rgb"]]
    rows = {"mended": [page.bcs["rgb"][2] for page in pages]}
    for reading in READINGS[1:]:
        rows[reading] = [page.readings[reading][2] for page in pages]
    for reading, values in rows.items():
        of_each = [fmean(best_of(page)[which] for page in values) for which in (0, 1)]
        means = {ct: fmean(page[ct][0] for page in values) for ct in THRESHOLDS}
        ct = max(means, key=lambda each: means[each])
        single_f = fmean(page[ct][1] for page in values)
        default = [fmean(page[0.5][which] for page in values) for which in (0, 1)]
        print(
            f"| {reading} | {of_each[0]:.3f} ; {of_each[1]:.3f} | {means[ct]:.3f} ; {single_f:.3f} "
            f"(CT {ct:g}) | {default[0]:.3f} ; {default[1]:.3f} |"
        )
    for name in ("BCS", "VIPS"):
        values = [page.alone[name] for page in pages if name in page.alone]
        if values:
            print(f"{name}, F with unclustered boxes alone, best of each page: {fmean(values):.3f}")
    print()


def run_times(results: Sequence[Result]) -> None:
    """Table 2: CPU time on the same snapshots."""
    print("Run time, ms of CPU per page, mean over all CT and over all PDoC; and how many times")
    print("longer VIPS takes (median over pages)")
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
