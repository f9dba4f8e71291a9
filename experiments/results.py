"""Every method on the development pages, next to what the papers report: docs/results.md.

    python experiments/results.py ../shared/data > docs/results.md

Scores are those of `pagecut evaluate`; the times are of this machine, best of three.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pagecut.contexts import EXTRACTORS, extractor
from pagecut.datasets import Dataset, read_dataset
from pagecut.evaluate import evaluate_task, without_rendering
from pagecut.page import Page
from pagecut.segmenters import SEGMENTERS, segmenter
from pagecut.significance import compare_methods
from pagecut.summaries import SEGMENTS, Summary
from pagecut.truth import true_segmentations

ROOT: Final = Path(__file__).resolve().parents[1]
REPEATS: Final = 3
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
}
TRAINED: Final = "graph-cuts"

# Kohlschütter & Nejdl 2008, Table 1: ARI and NMI on 111 pages.
TABLE_1: Final = {
    "word-wrap": (0.25, 0.59),
    "tag-gap": (0.43, 0.65),
    "block-fusion": (0.60, 0.75),
    "block-fusion(smooth='equal')": (0.62, 0.76),
    "block-fusion-rules": (0.79, 0.87),
    "just-rules": (0.78, 0.84),
    "graph-cuts": (0.60, 0.76),
    "graph-cuts(level=1)": (0.60, 0.76),
}
# Alcic & Conrad 2011, Table II: F overall, and on its diverse collection.
TABLE_2: Final = {
    "full-text": (0.04, 0.05),
    "n-terms": (0.47, 0.41),
    "n-terms(n=20)": (0.48, 0.41),
    "siblings": (0.80, 0.80),
    "monash": (0.90, 0.81),
    "dom-distance": (0.93, 0.85),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder of the development pages")
    dataset = read_dataset(parser.parse_args().dataset)
    examples = read_dataset(ROOT / "examples")
    started = time.perf_counter()
    pages = [entry.load()[0] for entry in dataset]
    loading = (time.perf_counter() - started) / len(pages) * 1000
    text = (ROOT / "experiments" / "results.template.md").read_text(encoding="utf-8")
    parts = {
        "level_1": segmentation_table(dataset, examples, 1, pages),
        "level_2": segmentation_table(dataset, examples, 2, pages),
        "blocks_1": true_blocks(dataset, 1),
        "blocks_2": true_blocks(dataset, 2),
        "tests_1": tests(dataset, 1),
        "tests_2": tests(dataset, 2),
        "contexts": context_table(dataset, examples, pages),
        "loading": f"{loading:.1f}",
        "run": whole_run(dataset),
    }
    for name, part in parts.items():
        text = text.replace(f"{{{{{name}}}}}", part)
    sys.stdout.write(text)


def specs_of(table: Mapping[str, Any], level: int = 2) -> list[str]:
    """Every method that needs no rendering, with its variants, at the level asked for."""
    found = []
    for name in without_rendering(table):
        found.append(f"{name}(level=1)" if name == TRAINED and level == 1 else name)
        found.extend(VARIANTS.get(name, []))
    return found


def segmentation_table(
    dataset: Dataset, examples: Dataset, level: int, pages: Sequence[Page]
) -> str:
    specs = specs_of(SEGMENTERS, level)
    summaries = evaluate_task(
        dataset, "segmentation", specs, measures=MEASURES, level=level
    ).summarize()
    ours = {
        summary.made_by: summary
        for summary in evaluate_task(examples, "segmentation", specs, level=level).summarize()
    }
    rows = []
    for summary in sorted(summaries, key=lambda each: -each.values["ari"]):
        name = summary.made_by
        paper = TABLE_1.get(name)
        mark = " †" if name.startswith(TRAINED) else ""
        rows.append(
            [
                f"`{name}`{mark}",
                cell(summary, "ari"),
                cell(summary, "nmi"),
                *(cell(summary, f"bcubed-f*(unit='{unit}')") for unit in UNITS),
                f"{summary.values[SEGMENTS]:.0f}",
                f"{milliseconds(segmenter(name).segment, pages):.2f}",
                f"{ours[name].values['ari']:.2f} / {ours[name].values['nmi']:.2f}",
                f"{paper[0]:.2f} / {paper[1]:.2f}" if paper else "–",
            ]
        )
        if mark:
            ari, nmi = cross_validated(level)
            rows.append([f"`{name}`, cross-validated", ari, nmi, *["–"] * 5, "–"])
    count = summaries[0].pages
    head = ["segmenter", f"ARI, {count} pages", "NMI", "BCubed F*, characters", "nodes"]
    head += ["blocks", "ms", "examples: ARI / NMI", "paper: ARI / NMI"]
    return markdown(head, rows)


def true_blocks(dataset: Dataset, level: int) -> str:
    """How many blocks people marked on a page that is scored."""
    counts = [len(each) for each in true_segmentations(dataset, level) if len(each) > 1]
    return f"{sum(counts) / len(counts):.1f}"


def tests(dataset: Dataset, level: int) -> str:
    """Pairs of untrained methods that chance alone does not explain, and those that it may."""
    specs = [spec for spec in specs_of(SEGMENTERS, level) if not spec.startswith(TRAINED)]
    evaluation = evaluate_task(dataset, "segmentation", specs, measures=["ari"], level=level)
    open_pairs = [
        f"`{each.first}` and `{each.second}` (P = {each.corrected:.2f})"
        for each in compare_methods(evaluation.page_values("ari"))
        if each.corrected >= 0.05
    ]
    return "; ".join(open_pairs) or "none"


def context_table(dataset: Dataset, examples: Dataset, pages: Sequence[Page]) -> str:
    specs = specs_of(EXTRACTORS)
    known = {entry.group for entry in dataset}
    groups = {
        name: frozenset(entry.id for entry in dataset if any(part in entry.group for part in parts))
        for name, parts in GROUPS.items()
    }
    evaluation = evaluate_task(dataset, "image-context", specs)
    summaries = evaluation.summarize(groups)
    if not all(any(each.group == name for each in summaries) for name in GROUPS):
        raise SystemExit(f"no pages of {', '.join(GROUPS)} among {', '.join(sorted(known))}")
    by_group = {(each.group, each.made_by): each for each in summaries}
    ours = {
        each.made_by: each for each in evaluate_task(examples, "image-context", specs).summarize()
    }
    rows = []
    whole = [each for each in summaries if each.group == "all"]
    for summary in sorted(whole, key=lambda each: -each.values["F"]):
        name = summary.made_by
        paper = TABLE_2.get(name)
        rows.append(
            [
                f"`{name}`" + (" ‡" if name == "item" else ""),
                cell(summary, "F"),
                *(f"{by_group[group, name].values['F']:.2f}" for group in GROUPS),
                cell(summary, "F by page"),
                f"{summary.values['P']:.2f} / {summary.values['R']:.2f}",
                f"{summary.values['decision F']:.2f}",
                f"{milliseconds(extractor(name).extract, pages):.2f}",
                f"{ours[name].values['F']:.2f}",
                f"{paper[0]:.2f} / {paper[1]:.2f}" if paper else "–",
            ]
        )
    images = f"{whole[0].values['images']:.0f}"
    head = [f"extractor, {images} images", "F", *GROUPS, "F by page", "P / R", "decision F", "ms"]
    return markdown([*head, "examples: F", "paper: overall / diverse"], rows)


def cross_validated(level: int) -> tuple[str, str]:
    """The honest figures of graph-cuts, from the page that explains them."""
    text = (ROOT / "docs" / "graph-cuts.md").read_text(encoding="utf-8")
    row = re.search(r"^\| `graph-cuts`, cross-validated \|(.*)\|$", text, re.MULTILINE)
    if row is None:
        raise SystemExit("docs/graph-cuts.md has no row of cross-validated figures")
    cells = [each.strip().replace("**", "") for each in row[1].split("|")]
    ari, nmi = cells[:2] if level == 1 else cells[2:]
    return ari, nmi


def milliseconds(function: Callable[[Page], object], pages: Sequence[Page]) -> float:
    """Mean time of a page, the best of a few runs over all of them."""
    found = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        for page in pages:
            function(page)
        found.append(time.perf_counter() - started)
    return min(found) / len(pages) * 1000


def whole_run(dataset: Dataset) -> str:
    """How long an evaluation of ten methods takes."""
    specs = [*specs_of(SEGMENTERS), "block-fusion(threshold=0.5)", "word-wrap(line_width=40)"][:10]
    parts = []
    for jobs in 1, 2:
        started = time.perf_counter()
        evaluation = evaluate_task(dataset, "segmentation", specs, measures=MEASURES, jobs=jobs)
        seconds = time.perf_counter() - started
        parts.append(f"{seconds:.1f} s in {'one process' if jobs == 1 else 'two'}")
    methods = len({score.made_by for score in evaluation.scores})
    return f"{methods} methods by {len(MEASURES)} measures take {' and '.join(parts)}"


def cell(summary: Summary, name: str) -> str:
    low, high = summary.intervals[name]
    return f"{summary.values[name]:.3f} [{low:.2f}, {high:.2f}]"


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines).replace("| --- ", "|---")


if __name__ == "__main__":
    main()
