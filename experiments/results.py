"""Every method on the development pages, next to what the papers report: docs/results.md.

    python experiments/results.py ../shared/data > docs/results.md

Pages are rendered first (the cache keeps them). Scores are those of `pagecut evaluate --render`;
the times are of this machine, best of two.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Final

from published_figures import (
    BEST_DEGREE,
    TABLE_2,
    cross_validated_graph_cuts,
    cross_validated_mosaic,
    published,
)

from pagecut.contexts import EXTRACTORS, extractor
from pagecut.evaluation.datasets import Dataset, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentations
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.scoring import Evaluation, evaluate_task, score_methods
from pagecut.evaluation.significance import compare_methods
from pagecut.evaluation.sites import site_of
from pagecut.evaluation.summaries import Summary
from pagecut.evaluation.tasks import AT_LEVEL_1, SEGMENTS, Blocks
from pagecut.page import Page
from pagecut.page.nodes import OPTIONAL_COLUMNS
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter

ROOT: Final = Path(__file__).resolve().parents[1]
JOBS: Final = 2
REPEATS: Final = 2
UNITS: Final = ("characters", "nodes")
MEASURES: Final = (
    "ari",
    "nmi",
    *(f"bcubed-{part}(unit='{unit}')" for unit in UNITS for part in ("precision", "recall")),
)
GROUPS: Final = {"2013": ("popular", "random"), "newer": ("readability", "trafilatura")}

# Variants that a paper has a figure for, after the method itself.
VARIANTS: Final = {
    "block-fusion": ["block-fusion(smooth='equal')"],
    "n-terms": ["n-terms(n=20)"],
    "by-segment": [
        f"by-segment(segmenter={inner!r})"
        for inner in (
            "vips(pdoc=5)",
            "vips(pdoc=6)",
            "vips(pdoc=7)",
            "box-clustering",
            "mosaic(granularity='items')",
        )
    ],
}
TRAINED: Final = tuple(AT_LEVEL_1)
CHOSEN: Final = ("vips", "box-clustering")  # some constants on these pages
PARSED: Final = ", parsed only"
TEN_METHODS: Final = tuple(name for name in SEGMENTERS if name != "whole-page")


@dataclass(frozen=True, slots=True)
class ParsedOnly:
    """A segmenter that is shown a rendered page as if it had only been parsed."""

    inner: Segmenter

    name: ClassVar[str] = "parsed-only"
    needs: ClassVar[frozenset[str]] = frozenset()

    def __str__(self) -> str:
        return f"{self.inner}{PARSED}"

    def segment(self, page: Page) -> Segmentation:
        columns: dict[str, Any] = dict.fromkeys(OPTIONAL_COLUMNS - {"line_boxes"})
        bare = replace(
            page, kind="dom", nodes=replace(page.nodes, **columns), size=None, line_boxes=None
        )
        return replace(self.inner.segment(bare), page=page)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder of the development pages")
    dataset = render_dataset(read_dataset(parser.parse_args().dataset))
    examples = render_dataset(read_dataset(ROOT / "examples"))
    started = time.process_time()
    pages = [entry.load()[0] for entry in dataset]
    loading = (time.process_time() - started) / len(pages) * 1000
    text = (ROOT / "experiments" / "results.template.md").read_text(encoding="utf-8")
    parts = {"loading": f"{loading:.0f}", "run": whole_run(dataset)}
    for level in 2, 1:
        evaluation = evaluate(dataset, level, MEASURES)
        parts[f"level_{level}"] = segmentation_table(evaluation, examples, level, pages)
        parts[f"blocks_{level}"] = true_blocks(dataset, level)
        parts[f"tests_{level}"] = tests(evaluation)
        if level == 2:
            parts["rules"] = wins(evaluation, "just-rules", "block-fusion-rules")
    parts["contexts"] = context_table(dataset, examples, pages)
    for name, part in parts.items():
        text = text.replace(f"{{{{{name}}}}}", part)
    sys.stdout.write(text)


def specs_of(table: Mapping[str, Any], level: int = 2) -> list[str]:
    """Every method with its variants, as they are meant for a level."""
    found = []
    for name in table:
        found.append(AT_LEVEL_1.get(name, name) if level == 1 else name)
        found.extend(VARIANTS.get(name, []))
    if "vips" in found and segmenter("vips") != (
        best := segmenter(f"vips(pdoc={BEST_DEGREE[level]})")
    ):
        found.append(str(best))
    return found


@lru_cache
def methods(level: int) -> dict[str, Segmenter]:
    """The segmenters by their names; mosaic, which takes both kinds of pages, in both forms."""
    found = [segmenter(spec) for spec in specs_of(SEGMENTERS, level)]
    found += [ParsedOnly(each) for each in found if each.name == "mosaic"]
    return {str(each): each for each in found}


def evaluate(dataset: Dataset, level: int, measures: Sequence[str]) -> Evaluation:
    task = Blocks(level, tuple(segmentation_measure(spec) for spec in measures))
    scores, failures = score_methods(dataset, task, list(methods(level).values()), jobs=JOBS)
    for failure in failures:
        print(failure, file=sys.stderr)
    return Evaluation(
        task="segmentation",
        title="",
        measures=measures,
        scores=scores,
        level=level,
        sites={entry.id: site_of(entry) for entry in dataset},
    )


def segmentation_table(
    evaluation: Evaluation, examples: Dataset, level: int, pages: Sequence[Page]
) -> str:
    summaries = evaluation.summarize()
    ours = {each.made_by: each for each in evaluate(examples, level, ["ari", "nmi"]).summarize()}
    rows = []
    for summary in sorted(summaries, key=lambda each: -each.values["ari"]):
        name = summary.made_by
        method = methods(level)[name]
        spec, _, form = name.partition(PARSED[:2]) if name.endswith(PARSED) else (name, "", "")
        label = f"`{spec}`" + (f", {form}" if form else "")
        trained = spec.startswith(TRAINED)
        rows.append(
            [
                label + (" †" if trained else " ‖" if spec.startswith(CHOSEN) else ""),
                cell(summary, "ari"),
                cell(summary, "nmi"),
                *(cell(summary, f"bcubed-f*(unit='{unit}')") for unit in UNITS),
                f"{summary.values[SEGMENTS]:.0f}",
                f"{milliseconds(method.segment, pages):.2f}",
                f"{ours[name].values['ari']:.2f} / {ours[name].values['nmi']:.2f}",
                published(spec, level),
            ]
        )
        if trained:
            validated = (
                cross_validated_graph_cuts(level)
                if spec.startswith("graph-cuts")
                else cross_validated_mosaic(form or "rendered", level)
            )
            rows.append([f"{label}, cross-validated", *validated, *["–"] * 6])
    count = summaries[0].pages
    head = ["segmenter", f"ARI, {count} pages", "NMI", "BCubed F*, characters", "nodes"]
    head += ["blocks", "ms", "examples: ARI / NMI", "others report: ARI / NMI"]
    return markdown(head, rows)


def true_blocks(dataset: Dataset, level: int) -> str:
    """How many blocks people marked on a page that is scored."""
    counts = [len(each) for each in true_segmentations(dataset, level) if len(each) > 1]
    return f"{sum(counts) / len(counts):.1f}"


def tests(evaluation: Evaluation) -> str:
    """Pairs of untrained methods that chance alone may part."""
    values = {
        name: pages
        for name, pages in evaluation.page_values("ari").items()
        if not name.startswith(TRAINED)
    }
    alike: dict[str, list[str]] = {}
    for each in compare_methods(values):
        if each.corrected >= 0.05:
            told = f"{each.corrected:.2f}".removeprefix("0")
            alike.setdefault(each.first, []).append(f"`{each.second}` ({told})")
    return "; ".join(f"`{name}` and {', '.join(all_)}" for name, all_ in alike.items()) or "none"


def wins(evaluation: Evaluation, first: str, second: str) -> str:
    """On how many pages a method is ahead of another, of those on which they differ."""
    values = evaluation.page_values("ari")
    differences = [value - values[second][page] for page, value in values[first].items()]
    return f"{sum(each > 0 for each in differences)} of {sum(each != 0 for each in differences)}"


def context_table(dataset: Dataset, examples: Dataset, pages: Sequence[Page]) -> str:
    specs = specs_of(EXTRACTORS)
    found = {
        name: frozenset(entry.id for entry in dataset if any(part in entry.group for part in parts))
        for name, parts in GROUPS.items()
    }
    groups = {name: pages for name, pages in found.items() if pages}
    evaluation = evaluate_task(dataset, "image-context", specs, jobs=JOBS)
    summaries = evaluation.summarize(groups)
    by_group = {(each.group, each.made_by): each for each in summaries}
    ours = {
        each.made_by: each for each in evaluate_task(examples, "image-context", specs).summarize()
    }
    rows = []
    whole = [each for each in summaries if each.group == "all"]
    for summary in sorted(whole, key=lambda each: -each.values["F"]):
        name = summary.made_by
        rows.append(
            [
                f"`{name}`" + (" ‡" if name == "item" else ""),
                cell(summary, "F"),
                *(f"{by_group[group, name].values['F']:.2f}" for group in groups),
                cell(summary, "F by page"),
                f"{summary.values['P']:.2f} / {summary.values['R']:.2f}",
                f"{summary.values['decision F']:.2f}",
                f"{milliseconds(extractor(name).extract, pages):.2f}",
                f"{ours[name].values['F']:.2f}",
                TABLE_2.get(name, "–"),
            ]
        )
    images = f"{whole[0].values['images']:.0f}"
    head = [f"extractor, {images} images", "F", *groups, "F by page", "P / R", "decision F", "ms"]
    return markdown([*head, "examples: F", "paper: overall / diverse"], rows)


def milliseconds(function: Callable[[Page], object], pages: Sequence[Page]) -> float:
    """Mean processor time of a page, the best of a few runs over all of them."""
    found = []
    for _ in range(REPEATS):
        started = time.process_time()
        for page in pages:
            function(page)
        found.append(time.process_time() - started)
    return min(found) / len(pages) * 1000


def whole_run(dataset: Dataset) -> str:
    """How long an evaluation of ten methods on the marked pages takes, once they are rendered."""
    marked = tuple(
        entry
        for entry in dataset
        if any((each >= 0).any() for each in entry.load()[1].blocks.values())
    )
    pages = replace(dataset, pages=marked)
    started = time.perf_counter()
    evaluation = evaluate_task(pages, "segmentation", TEN_METHODS, measures=MEASURES, jobs=JOBS)
    seconds = time.perf_counter() - started
    count = len({score.made_by for score in evaluation.scores})
    return (
        f"{len(marked)} marked pages by {count} methods by {len(MEASURES)} measures "
        f"take {seconds:.0f} s in two processes"
    )


def cell(summary: Summary, name: str) -> str:
    low, high = summary.intervals[name]
    return f"{summary.values[name]:.3f} [{low:.2f}, {high:.2f}]"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("| --- ", "|---")


if __name__ == "__main__":
    main()
