"""Query expansion from blocks against whole pages, after Figure 7 of Cai et al. 2003.

    python experiments/retrieval.py [--small] [--with SEGMENTER]... [--plot FILE] [--sweep FILE]

Documents from Debian packages (or your own: --documents, --topics, --qrels) are laid into pages at
four noise levels (`retrieval_pages.py`). For each level: no expansion, expansion from whole pages,
expansion from the blocks of each segmenter. Settings were chosen on every other topic (--choose);
the tables are of the rest. P values are of Wilcoxon's signed-rank test against page feedback by the
same method at the same level, corrected after Holm over the rows of a table.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from retrieval_pages import LEVELS, Noise
from retrieval_runs import Laboratory, Scores, Setting, halves, load_debian, load_own, mean, small

from pagecut.evaluation.significance import holm, wilcoxon
from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import write_picture
from pagecut.results.row_files import create_file
from pagecut.retrieval.bm25 import Bm25
from pagecut.retrieval.search import PageScore
from pagecut.segmenters import SEGMENTERS

CACHE = Path("build/retrieval")
SMALL = 60  # topics
NONE = "no expansion"
# Okapi's texts were best on the topics to choose on; rm3 and bo1 have the same. The paper's is as
# published.
TWENTY = "okapi, 20 pages"
PAGES = {
    TWENTY: "okapi(source='page', texts=20)",
    "okapi": "okapi(source='page', texts=5)",
    "rm3": "rm3(source='page', texts=5)",
    "bo1": "bo1(source='page', texts=5)",
}
PAPER = "okapi, the paper's 80 pages, 20 blocks"
BLOCKS = {
    PAPER: "okapi(texts=20, page_weight=0.0)",
    "okapi": "okapi(texts=5, page_weight=3.0)",
    "rm3": "rm3(texts=5, page_weight=3.0)",
    "bo1": "bo1(texts=5, page_weight=3.0)",
}
PLOTTED = ("none", "pages", "word-wrap", "block-fusion", "block-fusion-rules", "dom-distance")
SWEPT = (5, 10, 15, 20, 30, 40, 50)  # terms
SWEPT_LEVEL = "heavy"
SWEPT_WITH = ("block-fusion-rules", "block-fusion")
BASE = "block-fusion-rules"  # whose index has the pages; any other ranks them alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table: a way to expand queries at a noise level."""

    noise: str
    feedback: str  # "none", "pages" or the segmenter whose blocks it is
    method: str
    scores: Scores

    def differences(self, other: Row) -> list[float]:
        """By how much each topic's average precision is better than in another row."""
        mine, theirs = self.scores["AP"], other.scores["AP"]
        return [mine[topic] - theirs[topic] for topic in mine]


def plain_segmenters() -> list[str]:
    """All that need no rendering; the whole page as one block is page feedback."""
    return [
        name
        for name, method in SEGMENTERS.items()
        if not getattr(method, "needs", ()) and name != "whole-page"
    ]


def score_level(
    laboratory: Laboratory, noise: Noise, topics: dict[str, str], segmenters: Sequence[str]
) -> Iterator[Row]:
    """All rows of a noise level."""
    base = Setting(segmenter=BASE)
    scores = laboratory.score(noise, base, topics)
    yield Row(noise=noise.name, feedback="none", method=NONE, scores=scores)
    for method, spec in PAGES.items():
        scores = laboratory.score(noise, replace(base, expand=spec), topics)
        yield Row(noise=noise.name, feedback="pages", method=method, scores=scores)
    for segmenter in segmenters:
        for method, spec in BLOCKS.items():
            setting = replace(base, segmenter=segmenter, expand=spec)
            scores = laboratory.score(noise, setting, topics)
            yield Row(noise=noise.name, feedback=segmenter, method=method, scores=scores)


def page_row(rows: Iterable[Row], row: Row, instead_of_paper: str = "okapi") -> Row:
    """The row of page feedback that a row of block feedback is compared with."""
    method = instead_of_paper if row.method == PAPER else row.method
    return next(
        other
        for other in rows
        if (other.noise, other.feedback, other.method) == (row.noise, "pages", method)
    )


def print_table(rows: Sequence[Row]) -> None:
    """Every row, with its gain over page feedback."""
    compared = [row for row in rows if row.feedback not in ("none", "pages")]
    differences = [row.differences(page_row(rows, row)) for row in compared]
    corrected = dict(
        zip(map(id, compared), holm([wilcoxon(each) for each in differences]), strict=True)
    )
    print(
        "| noise | terms from | method | MAP | P@10 | nDCG@10 | R@1000 | MAP against pages "
        "| better / worse | p |\n|---|---|---|---|---|---|---|---|---|---|"
    )
    for row in rows:
        cells = [row.noise, row.feedback, row.method]
        cells += [f"{mean(values):.3f}" for values in row.scores.values()]
        if id(row) in corrected:
            other = page_row(rows, row)
            each = row.differences(other)
            gain = 100 * (mean(row.scores["AP"]) / mean(other.scores["AP"]) - 1)
            better, worse = sum(value > 0 for value in each), sum(value < 0 for value in each)
            cells += [f"{gain:+.1f} %", f"{better} / {worse}", f"{corrected[id(row)]:.3f}"]
        else:
            cells += ["", "", ""]
        print("| " + " | ".join(cells) + " |", flush=True)


def print_gains(rows: Sequence[Row]) -> None:
    """MAP by noise level, and what blocks gain over pages; * where Holm's p is below 0.05.

    The rows with the paper's setting stand twice: against the best page feedback, and against
    feedback from as many pages as it takes blocks.
    """
    levels = list(dict.fromkeys(row.noise for row in rows))
    compared = [(row, page_row(rows, row)) for row in rows if row.feedback not in ("none", "pages")]
    compared += [(row, page_row(rows, row, TWENTY)) for row, _ in compared if row.method == PAPER]
    corrected = holm([wilcoxon(row.differences(other)) for row, other in compared])
    cells: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.feedback in ("none", "pages"):
            name = row.feedback, row.method
            cells.setdefault(name, []).append(f"{mean(row.scores['AP']):.3f}")
    for (row, other), p in zip(compared, corrected, strict=True):
        ours, theirs = mean(row.scores["AP"]), mean(other.scores["AP"])
        against = f"{row.method}, against {TWENTY}" if other.method == TWENTY else row.method
        cell = f"{ours:.3f} ({100 * (ours / theirs - 1):+.0f} %{'*' if p < 0.05 else ''})"
        cells.setdefault((row.feedback, against), []).append(cell)
    print(f"\n| terms from | method | {' | '.join(levels)} |\n|---|---{'|---' * len(levels)}|")
    for (feedback, method), values in cells.items():
        print(f"| {feedback} | {method} | {' | '.join(values)} |", flush=True)


def write_scores(rows: Iterable[Row], path: Path) -> None:
    """Every topic's scores, as CSV."""
    with create_file(path) as file:
        writer = csv.writer(file)
        writer.writerow(["noise", "feedback", "method", "topic", "measure", "value"])
        for row in rows:
            for measure, values in row.scores.items():
                for topic, value in values.items():
                    writer.writerow(
                        [row.noise, row.feedback, row.method, topic, measure, f"{value:.6f}"]
                    )


def plot_noise(rows: Sequence[Row], path: Path) -> None:
    """MAP by noise level: no expansion, pages, blocks of some segmenters; six lines can be told."""
    levels = list(dict.fromkeys(row.noise for row in rows))
    shares = [100 * next(n.share for n in LEVELS if n.name == name) for name in levels]
    names = {"none": NONE, "pages": "terms from pages"}
    series = []
    for feedback in dict.fromkeys(row.feedback for row in rows if row.feedback in PLOTTED):
        values = [
            mean(row.scores["AP"])
            for row in rows
            if row.feedback == feedback and row.method in (NONE, "okapi")
        ]
        name = names.get(feedback, f"blocks of {feedback}")
        series.append(Series(name=name, x=[100 - share for share in shares], y=values))
    drawing = draw_chart(
        [Panel(y_label="mean average precision", series=series, from_zero=False, height=360)],
        title="Query expansion by Okapi's offer weights, by noise",
        x_label="percent of a page that is not its own article",
    )
    write_picture(path, drawing.svg())


def sweep(laboratory: Laboratory, topics: dict[str, str], path: Path) -> None:
    """Figure 7 anew: MAP by the number of new terms; also as a table."""
    noise = next(noise for noise in LEVELS if noise.name == SWEPT_LEVEL)
    base = Setting(segmenter=BASE)
    none = mean(laboratory.score(noise, base, topics)["AP"])
    curves = {NONE: [none] * len(SWEPT)}
    ways = {"terms from pages": (BASE, PAGES["okapi"])}
    ways |= {f"blocks of {name}": (name, BLOCKS["okapi"]) for name in SWEPT_WITH}
    ways |= {f"{PAPER} of {BASE}": (BASE, BLOCKS[PAPER])}
    for name, (segmenter, spec) in ways.items():
        settings = [
            replace(base, segmenter=segmenter, expand=spec[:-1] + f", terms={terms})")
            for terms in SWEPT
        ]
        curves[name] = [
            mean(laboratory.score(noise, setting, topics)["AP"]) for setting in settings
        ]
    print("\n| new terms | " + " | ".join(map(str, SWEPT)) + " |\n|---" + "|---" * len(SWEPT) + "|")
    for name, values in curves.items():
        print(f"| {name} | " + " | ".join(f"{value:.3f}" for value in values) + " |", flush=True)
    drawing = draw_chart(
        [
            Panel(
                y_label="mean average precision",
                series=[Series(name=name, x=SWEPT, y=values) for name, values in curves.items()],
                from_zero=False,
                height=360,
            )
        ],
        title=f"Query expansion by the number of new terms, noise {SWEPT_LEVEL}",
        x_label="terms added to the query",
    )
    write_picture(path, drawing.svg())


def choose_ranking(laboratory: Laboratory, topics: dict[str, str], level: str) -> None:
    """How weights and page scores do without expansion, on the topics to choose on."""
    noise = next(noise for noise in LEVELS if noise.name == level)
    base = Setting(segmenter=BASE)
    settings = [base]
    settings += [
        replace(base, weights=Bm25(k1=k1, b=b)) for k1 in (0.9, 1.2, 2.0, 3.0) for b in (0.5, 0.75)
    ]
    settings += [
        replace(base, weights=Bm25(), page_score=way)
        for way in get_args(PageScore)
        if way != "page"
    ]
    for setting in settings:
        scores = laboratory.score(noise, setting, topics)
        figures = "  ".join(f"{name} {mean(values):.4f}" for name, values in scores.items())
        name = f"{setting.weights.full_spec}, {setting.page_score}"
        print(f"{level}  {name:68}{figures}", flush=True)


def choose(laboratory: Laboratory, topics: dict[str, str], level: str) -> None:
    """How settings do on the topics to choose on."""
    noise = next(noise for noise in LEVELS if noise.name == level)
    specs = [""]
    for method in "okapi", "rm3", "bo1":
        specs += [f"{method}(source='page', texts={texts})" for texts in (5, 10, 20)]
        specs += [
            f"{method}(texts={texts}, page_weight={weight})"
            for texts in (5, 10, 20)
            for weight in (0.0, 1.0, 3.0)
        ]
    for spec in specs:
        scores = laboratory.score(noise, Setting(segmenter=BASE, expand=spec), topics)
        figures = "  ".join(f"{name} {mean(values):.4f}" for name, values in scores.items())
        print(f"{level}  {spec or NONE:44}{figures}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=CACHE, help="where packages and indices go")
    parser.add_argument("--small", action="store_true", help=f"{SMALL} topics and their pages only")
    parser.add_argument("--items", action="store_true", help="queries with one answer each")
    parser.add_argument("--with", dest="specs", action="append", help="only these segmenters")
    parser.add_argument(
        "--level",
        action="append",
        choices=[noise.name for noise in LEVELS],
        help="only these noise levels",
    )
    parser.add_argument("--choose", action="store_true", help="settings, on the other topics")
    parser.add_argument("--plot", type=Path, help="MAP by noise level, an SVG or PNG file")
    parser.add_argument("--sweep", type=Path, help="MAP by the number of terms, a picture too")
    parser.add_argument("--scores", type=Path, help="every topic's scores, a CSV file")
    for name in "documents", "topics", "qrels":
        parser.add_argument(f"--{name}", type=Path, help="of your own collection")
    options = parser.parse_args()
    own = (options.documents, options.topics, options.qrels)
    if any(own) and not all(own):
        parser.error("--documents, --topics and --qrels go together")
    if options.documents:
        collection = load_own(options.documents, options.topics, options.qrels)
    else:
        collection = load_debian(options.cache)
    chosen, reported = halves(collection.items if options.items else collection.topics)
    if not reported:
        sys.exit(f"{options.topics}: two topics are needed, one to choose settings on")
    if options.small:
        reported = dict(list(reported.items())[:SMALL])
        collection = small(collection, reported)
    if not options.documents:
        print(
            "Stand-in for WT10g (1.69 million pages, 50 topics): manuals laid into made-up sites."
        )
    laboratory = Laboratory(collection, options.cache)
    print(
        f"{len(collection.documents)} pages, {len(reported)} queries reported, "
        f"{len(chosen)} to choose settings on",
        file=sys.stderr,
    )
    levels = [each for each in LEVELS if not options.level or each.name in options.level]
    if options.choose:
        for noise in levels:
            choose_ranking(laboratory, chosen, noise.name)
            choose(laboratory, chosen, noise.name)
        return
    rows: list[Row] = []
    for noise in levels:
        for row in score_level(laboratory, noise, reported, options.specs or plain_segmenters()):
            rows.append(row)
            print(row.noise, row.feedback, row.method, file=sys.stderr, flush=True)
    print_table(rows)
    print_gains(rows)
    if options.scores:
        write_scores(rows, options.scores)
    if options.plot:
        plot_noise(rows, options.plot)
    if options.sweep:
        sweep(laboratory, reported, options.sweep)


if __name__ == "__main__":
    main()
