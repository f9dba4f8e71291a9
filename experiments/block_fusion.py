"""The experiments of the Block Fusion paper on pages with human marks.

    python experiments/block_fusion.py ../shared/data [--output build/experiments]

The dataset is one of ours, or any that `pagecut evaluate` reads, such as Kreuzer's public folders.
Prints Table 1 (accuracy and time of every strategy), the best thresholds on all pages and on two
random halves of them (§5.2), the accuracy against the line width (Figure 5), Table 2 (Zipf's law,
by three readings) and the fits of Frumkina's law (§5.1; other distributions are in
density_candidates.py), and writes Figures 3 to 7 as SVG. Laws are fitted to the text that Table 1
is scored on: what lies in people's blocks of level 2. Scores are those of `pagecut evaluate`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
from fusion_sweeps import draw_sweeps, sweeps

from pagecut.errors import FormatError, PagecutError
from pagecut.evaluation.datasets import LEVELS, Dataset, GroundTruth, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.measures import Score, segmentation_measure
from pagecut.evaluation.summaries import Groups, summarize
from pagecut.evaluation.tasks import SEGMENTS, USUAL_MEASURES, score_segmentation
from pagecut.page import Page
from pagecut.page.text.lines import wrap_blocks
from pagecut.page.text.tokenizer import token_spans
from pagecut.parsing.html import parse_html
from pagecut.pictures.charts import draw_parameter
from pagecut.pictures.drawing import Drawing, write_picture
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter
from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules, gap_kinds
from pagecut.segmenters.block_fusion.fusion import Smoothing
from pagecut.studies.charts import draw_zipf
from pagecut.studies.laws import fit_blocks, fit_zipf, segment_lengths

SEED: Final = 2008
SPLITS: Final = 5  # random halvings
THRESHOLDS: Final = [round(0.02 * step, 2) for step in range(1, 51)]
LINE_WIDTHS: Final = [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160]
STRATEGIES: Final = {
    "WORDWRAP": "word-wrap",
    "TAGGAP": "tag-gap",
    "BF-PLAIN": "block-fusion",
    "BF-SMOOTHED": "block-fusion(smooth='equal')",
    "BF-SPARSE": "block-fusion(smooth='sparse')",
    "BF-RULEBASED": "block-fusion-rules",
    "JUSTRULES": "just-rules",
    "GCUTS level 1*": "graph-cuts(level=1)",
    "GCUTS level 2*": "graph-cuts",
}
FUSIONS: Final[dict[str, BlockFusion | BlockFusionRules]] = {
    "BF-PLAIN": BlockFusion(),
    "BF-SMOOTHED": BlockFusion(smooth="equal"),
    "BF-RULEBASED": BlockFusionRules(),
}
FIGURE_6: Final = ("WORDWRAP", "TAGGAP", "BF-PLAIN", "BF-SMOOTHED", "BF-RULEBASED", "JUSTRULES")
MEASURES: Final = [segmentation_measure(name) for name in USUAL_MEASURES]
COLUMNS: Final = [*USUAL_MEASURES, SEGMENTS]

Pages = list[tuple[str, Page, GroundTruth]]
Table = dict[str, dict[str, dict[str, float]]]  # by group of pages, spec, measure


def main() -> None:
    """Run everything on a dataset."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset", type=Path, help="folder of a dataset with marked pages")
    parser.add_argument("--output", type=Path, default=Path("build/experiments"))
    arguments = parser.parse_args()
    started = time.monotonic()
    try:
        dataset = read_dataset(arguments.dataset)
        pages = load(dataset)
    except PagecutError as error:
        sys.exit(f"block_fusion.py: {error}")
    if not pages:
        sys.exit(f"{arguments.dataset}: no page has two marked blocks")
    html = {entry.id: entry.html for entry in dataset if hasattr(entry, "html")}
    arguments.output.mkdir(parents=True, exist_ok=True)
    print(f"{len(pages)} pages with marks, loaded in {time.monotonic() - started:.0f} s\n")
    print("Stand-in for the paper's 111 pages of Webspam-UK2007: the pages of the dataset.")
    table_1(pages, [Path(html[name]).read_bytes() for name, _, _ in pages if name in html])
    best_thresholds(pages, arguments.output)
    line_widths(pages, arguments.output)
    iterations(pages, arguments.output)
    laws(pages, arguments.output)
    print(f"\nall done in {time.monotonic() - started:.0f} s", file=sys.stderr)


def load(dataset: Dataset) -> Pages:
    """The pages that have two marked blocks of some level, parsed once."""
    pages = []
    for entry in dataset:
        page, truth = entry.load()
        if any(len(set(truth.blocks[level][truth.blocks[level] >= 0])) > 1 for level in LEVELS):
            pages.append((entry.id, page, truth))
    return pages


def score(pages: Pages, methods: Iterable[Segmenter], groups: Groups | None = None) -> list[Table]:
    """The means of each method, for each level; each page is segmented once."""
    scores: list[list[Score]] = [[] for _ in LEVELS]
    for (name, page, truth), method in product(pages, list(methods)):
        segmentation = method.segment(page)
        for rows, level in zip(scores, LEVELS, strict=True):
            rows.extend(
                Score(page=name, made_by=str(method), measure=measure, value=value)
                for measure, value in score_segmentation(segmentation, truth, level, MEASURES)
            )
    tables: list[Table] = []
    for rows in scores:
        table: Table = {}
        for summary in summarize("segmentation", rows, groups or {}, {}):
            values = {**summary.values, "pages": float(summary.pages)}
            table.setdefault(summary.group, {})[summary.made_by] = values
        tables.append(table)
    return tables


def table_1(pages: Pages, sources: Sequence[bytes]) -> None:
    """Table 1, at both levels."""
    known = {
        name: segmenter(spec)
        for name, spec in STRATEGIES.items()
        if spec.partition("(")[0] in SEGMENTERS
    }
    times = milliseconds(pages, sources, known)
    for level, table in zip(LEVELS, score(pages, known.values()), strict=True):
        means = table["all"]
        count = int(next(iter(means.values()))["pages"])
        heading(f"Table 1, level {level}, {count} pages", ["ARI", "NMI", "blocks", "ms"])
        for name, method in known.items():
            values = [means[str(method)][column] for column in COLUMNS]
            row(name, [*values, times[name]])
    print(
        "ms: CPU time to segment a parsed page, and to parse it: "
        f"{times['parse']:.2f}; the paper has 15 ms a page on a laptop of 2008"
    )
    if any("*" in name for name in known):
        print("* its weights may be learnt from these very pages; train_graph_cuts.py scores it on")
        print("  pages that it has not seen")


def milliseconds(
    pages: Pages, sources: Sequence[bytes], methods: dict[str, Segmenter]
) -> dict[str, float]:
    """CPU time for a page, mean over pages: to parse it anew, and to segment it by each method."""
    found = {}
    start = time.process_time()
    for source in sources:
        parse_html(source)
    found["parse"] = time.process_time() - start
    for name, method in methods.items():
        start = time.process_time()
        for _, page, _ in pages:
            method.segment(page)
        found[name] = time.process_time() - start
    return {name: 1000 * seconds / len(pages) for name, seconds in found.items()}


def best_thresholds(pages: Pages, output: Path) -> None:
    """Figures 3 and 4, and the best thresholds on random halves."""
    groups: Groups = {}
    for split in range(SPLITS):
        names = [name for name, _, _ in pages]
        random.Random(SEED + split).shuffle(names)
        half = len(names) // 2
        groups[f"{split + 1}a"] = frozenset(names[:half])
        groups[f"{split + 1}b"] = frozenset(names[half:])
    variants = {
        name: [vary(method, threshold=value) for value in THRESHOLDS]
        for name, method in FUSIONS.items()
    }
    tables = score(pages, [method for each in variants.values() for method in each], groups)
    for level, table in zip(LEVELS, tables, strict=True):
        for measure in USUAL_MEASURES:
            heading(
                f"Best threshold by {measure.upper()}, level {level}",
                ["all", "value", *(group for group in groups)],
            )
            for name, methods in variants.items():
                best = []
                for group in ["all", *groups]:
                    values = [table[group][str(method)][measure] for method in methods]
                    best.append(THRESHOLDS[values.index(max(values))])
                    if group == "all":
                        best.append(max(values))
                row(name, best)
        cross_validated(table, variants, groups, level)
        curves = {
            column: {
                name: [table["all"][str(method)][column] for method in methods]
                for name, methods in variants.items()
            }
            for column in COLUMNS
        }
        picture = draw_parameter(
            THRESHOLDS,
            curves,
            title="Accuracy and blocks against the threshold",
            subtitle=f"level {level}; dashed: the paper's 0.38 and 0.6",
            x_label="threshold (largest relative change of density that fuses)",
            marks=(0.38, 0.6),
        )
        save(picture, output / f"threshold-level-{level}.svg")


def cross_validated(
    table: Table, variants: dict[str, list[Segmenter]], groups: Groups, level: int
) -> None:
    """What the threshold that is best on one half gives on the other, against the paper's."""
    heading(
        f"ARI on the other half, level {level}, mean of {2 * SPLITS} halves",
        ["chosen", "paper's", "best"],
    )
    other = {group: group[:-1] + ("b" if group.endswith("a") else "a") for group in groups}
    for name, methods in variants.items():
        default = str(FUSIONS[name])
        chosen, papers, best = [], [], []
        for group in groups:
            at = max(methods, key=lambda method: table[group][str(method)]["ari"])
            there = table[other[group]]
            chosen.append(there[str(at)]["ari"])
            papers.append(there[default]["ari"])
            best.append(max(there[str(method)]["ari"] for method in methods))
        row(name, [sum(each) / len(each) for each in (chosen, papers, best)])


def line_widths(pages: Pages, output: Path) -> None:
    """Figure 5."""
    variants = {
        name: [vary(method, line_width=value) for value in LINE_WIDTHS]
        for name, method in FUSIONS.items()
    }
    tables = score(pages, [method for each in variants.values() for method in each])
    for level, table in zip(LEVELS, tables, strict=True):
        curves: dict[str, dict[str, list[float]]] = {}
        for measure in USUAL_MEASURES:
            heading(f"{measure.upper()} against line_width, level {level}", map(str, LINE_WIDTHS))
            for name, methods in variants.items():
                values = [table["all"][str(method)][measure] for method in methods]
                curves.setdefault(measure, {})[name] = values
                row(name, values)
        picture = draw_parameter(
            LINE_WIDTHS,
            curves,
            title="Accuracy against the line width",
            subtitle=f"level {level}; dashed: the paper's 80",
            x_label="line width in columns",
            marks=(80,),
        )
        save(picture, output / f"line-width-level-{level}.svg")


def iterations(pages: Pages, output: Path) -> None:
    """Figure 7: blocks and error after each sweep, the mean over pages; level 2."""
    blocks: dict[str, list[float]] = {}
    errors: dict[str, list[float]] = {}
    for name, method in FUSIONS.items():
        runs = [run for _, page, truth in pages if (run := swept(method, page, truth))]
        longest = max(len(run) for run in runs)
        for values, place in ((blocks, 0), (errors, 1)):
            # A page that is done stays as it is.
            padded = [[step[place] for step in run] + [run[-1][place]] * longest for run in runs]
            values[name] = [sum(each[n] for each in padded) / len(padded) for n in range(longest)]
    shown = max(len(each) for each in blocks.values())
    heading("Sweeps, level 2: mean blocks, then 1 - ARI", map(str, range(shown)))
    for name in FUSIONS:
        row(name, blocks[name], digits=1)
        row("", errors[name])
    most = {name: values[:13] for name, values in blocks.items()}
    picture = draw_sweeps(
        most, {name: values[:13] for name, values in errors.items()}, "mean over pages, level 2"
    )
    save(picture, output / "sweeps.svg")


def swept(
    method: BlockFusion | BlockFusionRules, page: Page, truth: GroundTruth
) -> list[tuple[float, float]]:
    """Blocks and 1 - ARI before the first sweep and after each."""
    lines = wrap_blocks(page, method.line_width)
    gaps = gap_kinds(page, lines) if isinstance(method, BlockFusionRules) else None
    smooth: Smoothing = method.smooth
    run = []
    for edges in sweeps(lines.tokens_before, lines.block_edges, method.threshold, smooth, gaps):
        segmentation = Segmentation.from_edges(page, lines.spans, edges, made_by=method)
        values = dict(score_segmentation(segmentation, truth, 2, MEASURES[:1]))
        if not values:
            return []
        run.append((float(len(edges) - 1), 1 - values[str(MEASURES[0])]))
    return run


def laws(pages: Pages, output: Path) -> None:
    """Table 2 and Figure 6, and Frumkina's law, for people and for every strategy."""
    segmentations = {
        f"HUMAN, level {level}": [true_segmentation(page, truth, level) for _, page, truth in pages]
        for level in LEVELS
    }
    for name, spec in STRATEGIES.items():
        if spec.partition("(")[0] in SEGMENTERS:
            method = segmenter(spec)
            segmentations[name] = [
                within_marks(method.segment(page), truth) for _, page, truth in pages
            ]
    fits = {name: fit_blocks(each, "zipf") for name, each in segmentations.items()}
    columns = ["C", "b", "chi2", "d.f.", "chi2/N", "error", "points"]
    for title, readings in {
        "Table 2: Zipf's law, tokens of a block by its rank": fits,
        "the same, blocks of a length by the rank of their number": {
            name: fit_zipf(by_frequency(lengths_of(each))) for name, each in segmentations.items()
        },
        "the same, blocks of a length by the length itself": {
            name: fit_zipf(by_length(lengths_of(each))) for name, each in segmentations.items()
        },
    }.items():
        heading(title, columns)
        for name, fit in readings.items():
            test = fit.test
            values = [fit.parameters["C"], fit.parameters["b"], test.value, test.freedom]
            row(name, [*values, test.contingency, fit.error, len(fit.observed)])
    shown = ("HUMAN, level 2", *(name for name in STRATEGIES if name in FIGURE_6))
    save(draw_zipf({name: fits[name] for name in shown}, "pages with marks"), output / "zipf.svg")
    heading("Frumkina's law", ["K", "M", "n", "chi2", "d.f.", "P", "chi2/N", "changes"])
    for name, each in segmentations.items():
        try:
            fit = fit_blocks(each, "frumkina")
        except FormatError:
            continue
        test = fit.test
        values = [*fit.parameters.values(), test.value, test.freedom]
        row(name, [*values, test.probability or 0.0, test.contingency, fit.sample])


def within_marks(segmentation: Segmentation, truth: GroundTruth) -> Segmentation:
    """What a segmentation says of the text that people put in blocks of level 2."""
    page = segmentation.page
    tokens = token_spans(page.text)
    marked = truth.units[truth.blocks[2] >= 0]
    spans = tokens[np.searchsorted(tokens[:, 0], marked)]
    labels = segmentation.labels_at(spans[:, 0])
    return Segmentation.from_spans(page, spans, labels, made_by=segmentation.made_by)


def lengths_of(segmentations: Iterable[Segmentation]) -> list[int]:
    return [length for each in segmentations for length in segment_lengths(each) if length]


def by_frequency(lengths: Sequence[int]) -> list[float]:
    """How many blocks have the most frequent length, the second most frequent, and so on."""
    counts = np.bincount(lengths)[1:]
    return sorted(counts[counts > 0].astype(float).tolist(), reverse=True)


def by_length(lengths: Sequence[int]) -> list[float]:
    """How many blocks have one token, two tokens, and so on."""
    return np.maximum(np.bincount(lengths)[1:], 1e-9).astype(float).tolist()


def vary(method: BlockFusion | BlockFusionRules, **values: float) -> Segmenter:
    return replace(method, **values)  # type: ignore[arg-type]


def heading(title: str, columns: Iterable[str]) -> None:
    print(f"\n{title}\n{'':16}" + "".join(f"{column:>10}" for column in columns), flush=True)


def row(name: str, values: Sequence[float], digits: int = 3) -> None:
    cells = (f"{v:10d}" if isinstance(v, int) else f"{v:10.{digits}f}" for v in values)
    print(f"{name:16}" + "".join(cells), flush=True)


def save(picture: Drawing, path: Path) -> None:
    write_picture(path, picture.svg())
    print(f"wrote {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
