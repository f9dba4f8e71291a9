"""The experiments of Alcic & Conrad 2011 on pages with true image contexts.

    python experiments/image_context.py ../shared/data [--render] [--skip-training]

Prints Table II: the F-score of every method on each collection of pages, and overall as the paper
has it, the unweighted mean over the collections, next to the mean over images. With --render also
the three columns of VIPS, which needs the pages rendered. Then the other readings of what the paper
leaves open (the simplified DOM, N terms, the printed threshold), and the variance trained on five
pages of each collection, as in its §V, with the score on the other pages.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import ClassVar, Final

import numpy as np
from published_figures import TABLE_2

from pagecut.contexts import Extractor, extractor
from pagecut.contexts.by_segment import contexts_by_segment
from pagecut.evaluation.datasets import Dataset, read_dataset
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import Score
from pagecut.evaluation.scoring import score_methods
from pagecut.evaluation.tasks import task_of
from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, TEXT
from pagecut.page.tags import LINE_BREAKING
from pagecut.results.image_context import ImageContext
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.dom_distance.distance import Scaled
from pagecut.segmenters.dom_distance.thresholds import exceeds, gaussian_mean
from pagecut.spec import Configured

METHODS: Final = (
    "n-terms", "n-terms(n=20)", "monash", "siblings", "full-text", "dom-distance", "item",
)  # fmt: skip
VIPS: Final = tuple(f"by-segment(segmenter='vips(pdoc={pdoc})')" for pdoc in (5, 6, 7))
N_IN_ALL: Final = {"n-terms(n=5)": "10 terms in all", "n-terms": "20 terms in all"}
VARIANCES: Final = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.25, 3.0, 4.0, 6.0, 9.0)
TRAINING_PAGES: Final = 5  # of each collection
SEED: Final = 2011
READINGS: Final = {
    "all": "every element counts, also those without content",
    "prune": "elements without content are left out",
    "prune, no inline": "the same, and inline elements too",
    "collapse": "chains of elements with one child are one (the default)",
    "collapse, no inline": "the same, and inline elements are left out",
}
Values = dict[str, list[float]]  # F of the images by page


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherDom(Configured):
    """DOM distance on a DOM that is simplified in another way; slow and plain.

    Args:
        reading: one of READINGS.
        radius: neighbours on each side that the Gaussian looks at; -1: all.
    """

    name: ClassVar[str] = "other-dom"
    paper: ClassVar[str] = "Alcic & Conrad 2011"
    needs: ClassVar[frozenset[str]] = frozenset()

    reading: str = "collapse"
    radius: int = -1

    def extract(self, page: Page) -> list[ImageContext]:
        rows, distances = adjacent_distances(page, self.reading)
        mantissas = [value / (1 << value.bit_length()) for value in distances]
        exponents = [value.bit_length() for value in distances]
        values = Scaled(np.array(mantissas), np.array(exponents, dtype=np.int64))
        if self.radius < 0:
            cut = exceeds(values, gaussian_mean(values, 2.25))
        else:
            cut = np.array(windowed(distances, self.radius), dtype=bool)
        labels = np.concatenate([[0], np.cumsum(cut)])[: len(rows)]
        spans = np.stack([page.nodes.start[rows], page.nodes.end[rows]], axis=1)
        found = Segmentation.from_spans(page, spans, labels, made_by=self)
        return contexts_by_segment(found, made_by=self)


def windowed(distances: Sequence[int], radius: int) -> list[bool]:
    """Where a distance exceeds the Gaussian mean of a few neighbours."""
    steps = range(-radius, radius + 1)
    weights = [round(2**40 * float(np.exp(-(step**2) / 4.5))) for step in steps]
    cuts = []
    for at, value in enumerate(distances):
        near = [
            (weight, distances[at + step])
            for weight, step in zip(weights, steps, strict=True)
            if 0 <= at + step < len(distances)
        ]
        total = sum(weight for weight, _ in near)
        cuts.append(value * total * 10**9 > sum(w * d for w, d in near) * (10**9 + 1))
    return cuts


def adjacent_distances(page: Page, reading: str) -> tuple[list[int], list[int]]:
    """The rows of the contents, and the exact distance of each from the one before (Eq. 1, 2)."""
    nodes, text = page.nodes, page.text
    count = len(nodes)
    parent, end = nodes.parent.tolist(), nodes.subtree_end.tolist()
    tags = [nodes.tag_names[tag] for tag in nodes.tag.tolist()]
    is_content = [
        kind != ELEMENT and (kind != TEXT or not text[start:stop].isspace())
        for kind, start, stop in zip(
            nodes.kind.tolist(), nodes.start.tolist(), nodes.end.tolist(), strict=True
        )
    ]
    before = np.concatenate([[0], np.cumsum(is_content)]).tolist()
    kept = []
    for row in range(count):
        if nodes.kind[row] != ELEMENT:
            kept.append(is_content[row])
        else:
            has_content = reading == "all" or before[end[row]] > before[row]
            inline = "no inline" in reading and tags[row] not in LINE_BREAKING and row > 0
            kept.append(has_content and not inline)
    if reading.startswith("collapse"):
        children = [0] * count
        for row in range(count):
            above = _kept_above(row, parent, kept)
            if kept[row] and above >= 0:
                children[above] += 1
        kept = [
            keep and (nodes.kind[row] != ELEMENT or children[row] != 1)
            for row, keep in enumerate(kept)
        ]
    level = [0] * count
    degrees: dict[int, dict[int, int]] = {}
    order = [row for row in range(count) if kept[row]]
    for row in order:
        above = _kept_above(row, parent, kept)
        level[row] = level[above] + 1 if above >= 0 else 0
        of_level = degrees.setdefault(level[row] - 1, {})
        of_level[above] = of_level.get(above, 0) + 1
    deepest = max((level[row] for row in order), default=0)
    weights = [1] * (deepest + 2)
    for each in range(deepest, -1, -1):
        degree = max(degrees.get(each, {}).values(), default=0)
        weights[each] = degree * weights[each + 1] if degree else 1
    rows, distances, place, last = [], [], 0, None
    for row in order:
        place += weights[level[row]]
        if is_content[row]:
            if last is not None:
                distances.append(place - last)
            rows.append(row)
            last = place
    return rows, distances


def _kept_above(row: int, parent: Sequence[int], kept: Sequence[bool]) -> int:
    above = parent[row]
    while above >= 0 and not kept[above]:
        above = parent[above]
    return above


def score(dataset: Dataset, methods: Sequence[Extractor]) -> dict[str, Values]:
    """F of every image, by method and page."""
    scores, failures = score_methods(dataset, task_of("image-context", ["lcs-f"]), methods)
    for failure in failures:
        print(failure, file=sys.stderr)
    found: dict[str, Values] = {str(method): {} for method in methods}
    for each in (one for one in scores if one.measure == "lcs-f"):
        _add(found, each)
    return found


def _add(found: dict[str, Values], each: Score) -> None:
    found[each.made_by].setdefault(each.page, []).append(each.value)


def over_images(values: Values, pages: set[str]) -> float:
    return fmean(each for page, of_page in values.items() if page in pages for each in of_page)


def table_2(dataset: Dataset, collections: dict[str, set[str]], specs: Sequence[str]) -> None:
    """Table II: a column for each method, a row for each collection."""
    found = score(dataset, [extractor(spec) for spec in specs])
    every = set().union(*collections.values())
    print("Table II: F, mean over the images of each collection\n")
    print("| | " + " | ".join(f"`{spec}`" for spec in specs) + " |\n|---" * 1, end="")
    print("|---" * len(specs) + "|")
    for name, pages in collections.items():
        images = sum(len(of) for page, of in found[specs[0]].items() if page in pages)
        cells = [f"{over_images(found[spec], pages):.3f}" for spec in specs]
        print(f"| {name} ({len(pages)} pages, {images} images) | " + " | ".join(cells) + " |")
    for name, means in (
        ("**overall, mean over the collections**", _over_collections(found, specs, collections)),
        ("mean over the images", [over_images(found[spec], every) for spec in specs]),
        ("mean over the pages", [_over_pages(found[spec]) for spec in specs]),
    ):
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in means) + " |")
    print("| the paper: overall / diverse | ", end="")
    print(" | ".join(TABLE_2.get(spec, "–") for spec in specs) + " |\n")


def _over_collections(
    found: dict[str, Values], specs: Sequence[str], collections: dict[str, set[str]]
) -> list[float]:
    return [
        fmean(over_images(found[spec], pages) for pages in collections.values()) for spec in specs
    ]


def _over_pages(values: Values) -> float:
    return fmean(fmean(of_page) for of_page in values.values())


def readings(dataset: Dataset, collections: dict[str, set[str]]) -> None:
    """What else the paper's words could mean."""
    others = {str(OtherDom(reading=key)): (key, words) for key, words in READINGS.items()}
    narrow = {
        str(OtherDom(radius=radius)): (f"{radius} neighbours", "the Gaussian cut off there")
        for radius in (1, 2, 3)
    }
    specs = ["dom-distance", "dom-distance(simplify='prune')", "dom-distance(threshold='mean')",
             "dom-distance(threshold='printed')"]  # fmt: skip
    terms = ["n-terms", "n-terms(n=20)", "n-terms(n=5)"]
    methods = [
        *(OtherDom(reading=key) for key in READINGS),
        *(OtherDom(radius=radius) for radius in (1, 2, 3)),
        *(extractor(spec) for spec in dict.fromkeys([*specs, *terms])),
    ]
    found = score(dataset, methods)
    every = set().union(*collections.values())
    print("Other readings: F over the collections and over the images\n")
    print("| reading | | collections | images |\n|---|---|---|---|")
    rows = [(f"simplified DOM: {key}", words, spec) for spec, (key, words) in others.items()]
    rows += [(f"window: {key}", words, spec) for spec, (key, words) in narrow.items()]
    rows += [(f"`{spec}`", "", spec) for spec in specs]
    rows += [("N terms on each side", f"`{spec}`", spec) for spec in terms[:2]]
    rows += [("N terms in all", f"{words}: `{spec}`", spec) for spec, words in N_IN_ALL.items()]
    for name, words, spec in rows:
        (mean,) = _over_collections(found, [spec], collections)
        print(f"| {name} | {words} | {mean:.3f} | {over_images(found[spec], every):.3f} |")
    print()


def training(dataset: Dataset, collections: dict[str, set[str]]) -> None:
    """The variance that is best on five pages of each collection, and how it does on the others."""
    found = score(dataset, [extractor(f"dom-distance(variance={each})") for each in VARIANCES])
    specs = {each: f"dom-distance(variance={each})" for each in VARIANCES}
    specs = {each: str(extractor(spec)) for each, spec in specs.items()}
    every = set().union(*collections.values())
    print("The variance: F over images on five pages of each collection, and on the other pages\n")
    print("| draw | best variance | F there | F on the others | F of 2.25 on the others |")
    print("|---|---|---|---|---|")
    for draw in range(5):
        chance = random.Random(SEED + draw)
        seen: set[str] = set()
        for pages in collections.values():
            seen |= set(chance.sample(sorted(pages), min(TRAINING_PAGES, len(pages))))
        means = {each: over_images(found[spec], seen) for each, spec in specs.items()}
        best = max(means, key=lambda each: means[each])
        unseen = over_images(found[specs[best]], every - seen)
        paper = over_images(found[specs[2.25]], every - seen)
        print(f"| {draw + 1} | {best:g} | {means[best]:.3f} | {unseen:.3f} | {paper:.3f} |")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder with pages.json")
    parser.add_argument("--render", action="store_true", help="the columns of VIPS, too")
    parser.add_argument("--skip-training", action="store_true")
    arguments = parser.parse_args()
    dataset = read_dataset(arguments.dataset).for_task("image-context")
    if not dataset.pages:
        sys.exit(f"{arguments.dataset}: no page has true image contexts")
    collections: dict[str, set[str]] = {}
    for entry in dataset.pages:
        collections.setdefault(entry.group, set()).add(entry.id)
    print(
        "Stand-in for the paper's 12,907 pages of twelve collections: the pages of the dataset.\n"
    )
    table_2(dataset, collections, METHODS)
    if arguments.render:
        table_2(render_dataset(dataset), collections, VIPS)
    readings(dataset, collections)
    if not arguments.skip_training:
        training(dataset, collections)


if __name__ == "__main__":
    main()
