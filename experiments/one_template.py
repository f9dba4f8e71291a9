"""Tables 3 and 4 of the Box Clustering paper as its authors made them: many pages of one template.

    python experiments/one_template.py [--pages 100]

They took 100 pages of each of eight templates of news sites, which are not to be had. Two made-up
templates stand in for them, the index page and the article of a news site, each filled with words,
pictures and numbers of parts by chance. Every page knows its own areas.

Prints for both methods, at the best CT or PDoC of each page, ARI over boxes and F: the mean
(Table 3) and the standard deviation inside the template (Table 4). Then, what the paper proposes
but does not measure: marks carried over from one page to all others (§8.1), against each page's
own; and one threshold for a template (§7), as `pagecut segment --per-template` takes it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, pstdev
from tempfile import TemporaryDirectory
from typing import Final

from pagecut.annotation.template import ByTemplate, choose_threshold
from pagecut.annotation.transfer import Sample
from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.page import Page
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.box_clustering import BoxClustering, ClusteredBoxes
from pagecut.segmenters.vips import Vips

SEED: Final = 2017
LEVEL: Final = 2
THRESHOLDS: Final = [round(0.05 * step, 2) for step in range(1, 21)]
DEGREES: Final = range(1, 11)
MEASURES: Final = ("ari(unit='boxes')", "box-f", "box-f(unclustered='alone')")
WORDS: Final = """
    budget council river harvest station minister harbour winter market engine school library
    storm bridge doctor orchard museum village railway election garden theatre island
    record winner captain summit forest price border pilot artist survey vaccine bakery
""".split()
STYLE: Final = """<style>
body{margin:0;font:16px/1.4 sans-serif;color:#222} header{background:#123;color:#fff;padding:16px}
nav{background:#dde;padding:10px 16px} nav a{margin-right:18px} .page{display:flex;padding:24px}
main{flex:1} aside{width:260px;margin-left:40px} .box{background:#f2f2f2;padding:12px}
.box{margin:0 0 30px} .urgent{background:#c00;color:#fff;padding:8px 16px}
.teaser{display:flex;margin-bottom:26px} .teaser img{margin-right:14px} h3{margin:0 0 4px}
.section{margin-bottom:40px} h2{font-size:24px;border-bottom:2px solid #123} li{margin-bottom:6px}
h1{font-size:34px} .by{color:#777;font-size:13px} .comment{border-top:1px solid #ccc;padding:10px 0}
footer{background:#333;color:#ccc;padding:24px 16px;font-size:13px} figure{margin:0 0 20px}
</style>"""


class Writer:
    """Words, pictures and numbers by chance."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def words(self, low: int, high: int) -> str:
        chosen = self.random.choices(WORDS, k=self.random.randint(low, high))
        return " ".join(chosen).capitalize()

    def picture(self, width: int, height: int) -> str:
        colour = "".join(self.random.choices("0123456789abcdef", k=6))
        return (
            f'<img alt="" width={width} height={height} src="data:image/svg+xml,<svg '
            f"xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}'>"
            f"<rect width='{width}' height='{height}' fill='%23{colour}'/></svg>\">"
        )

    def some(self, low: int, high: int, part: Callable[[], str]) -> str:
        return "".join(part() for _ in range(self.random.randint(low, high)))

    def perhaps(self, share: float, part: str) -> str:
        return part if self.random.random() < share else ""

    def frame(self, main: str) -> str:
        """What all pages of the site have around their main part."""
        links = self.some(6, 6, lambda: f"<a href=#>{self.words(1, 1)}</a>")
        listed = self.some(4, 9, lambda: f"<li><a href=#>{self.words(3, 7)}</a></li>")
        notice, weather, urgent = (
            self.perhaps(
                share, f"<div class={name} data-block={LEVEL}>{head}{self.words(6, 14)}.</div>"
            )
            for share, name, head in (
                (0.7, "box", "<h3>Notice</h3>"),
                (0.4, "box", "<h3>Weather</h3>"),
                (0.2, "urgent", "<b>Breaking</b> "),
            )
        )
        return f"""<!DOCTYPE html><html><head><meta charset=utf-8><title>{self.words(3, 6)}</title>
{STYLE}</head><body><header data-block={LEVEL}><b>The Daily Orchard</b> {self.words(3, 5)}</header>
<nav data-block={LEVEL}>{links}</nav>{urgent}<div class=page><main>{main}</main><aside>{weather}
<div class=box data-block={LEVEL}><h3>Most read</h3><ol>{listed}</ol></div>
{notice}</aside></div>
<footer data-block={LEVEL}>{self.words(8, 12)}. <a href=#>Imprint</a> <a href=#>Privacy</a></footer>
</body></html>"""

    def index(self) -> str:
        def teaser() -> str:
            return (
                f"<div class=teaser>{self.picture(120, 80)}<div><h3><a href=#>{self.words(4, 9)}"
                f"</a></h3><div>{self.words(10, 28)}.</div></div></div>"
            )

        def section() -> str:
            return (
                f"<div class=section data-block={LEVEL}><h2>{self.words(1, 1)}</h2>"
                f"{self.some(3, 6, teaser)}</div>"
            )

        return self.frame(self.some(3, 5, section))

    def article(self) -> str:
        def comment() -> str:
            return (
                f"<div class=comment><b>{self.words(1, 2)}</b><div>{self.words(5, 30)}.</div></div>"
            )

        paragraphs = self.some(4, 14, lambda: f"<p>{self.words(25, 80)}.</p>")
        byline = f"<div class=by>{self.words(3, 4)}</div>"
        comments = f"<h2>Comments</h2>{self.some(1, 8, comment)}"
        return self.frame(
            f"<article data-block={LEVEL}><h1>{self.words(5, 11)}</h1>{byline}"
            f"<figure>{self.picture(640, 360)}</figure>{paragraphs}</article>"
            f"<div class=section data-block={LEVEL}>{comments}</div>"
        )


@dataclass(frozen=True)
class Marked:
    """A rendered page and its areas."""

    page: Page
    true: Segmentation


@contextmanager
def made_pages(kind: str, count: int) -> Iterator[list[Marked]]:
    """Pages of one template, rendered."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        entries = []
        for number in range(count):
            writer = Writer(SEED + number)
            html = writer.index() if kind == "index" else writer.article()
            (folder / f"{number}.html").write_text(html, encoding="utf-8")
            entries.append(
                {
                    "id": f"{kind}-{number}",
                    "dataset": kind,
                    "url": f"https://orchard.example/{kind}/{number}",
                    "html": f"{number}.html",
                }
            )
        (folder / "pages.json").write_text(json.dumps(entries), encoding="utf-8")
        marked = []
        for entry in render_dataset(read_dataset(folder)):
            page, truth = entry.load()
            marked.append(Marked(page, true_segmentation(page, truth, LEVEL)))
        yield marked


def measure(kind: str, pages: Sequence[Marked]) -> None:
    """All rows of a template."""
    measures = [segmentation_measure(spec) for spec in MEASURES]

    def scores(found: Segmentation, each: Marked) -> list[float]:
        return [one.score(found, each.true) for one in measures]

    def best(results: Sequence[list[float]]) -> list[float]:
        return [max(values) for values in zip(*results, strict=True)]

    rows: dict[str, list[list[float]]] = {}
    for each in pages:
        found = ClusteredBoxes.of(BoxClustering(threshold="auto"), each.page)
        cuts = [found.segmentation(found.labels(ct), made_by="bcs") for ct in THRESHOLDS]
        tree = Vips(pdoc=10).segment(each.page)
        rows.setdefault("box-clustering, best CT of each page", []).append(
            best([scores(cut, each) for cut in cuts])
        )
        rows.setdefault("vips, best PDoC of each page", []).append(
            best([scores(tree.flatten(pdoc), each) for pdoc in DEGREES])
        )
        for spec in (BoxClustering(), BoxClustering(threshold="auto"), Vips()):
            rows.setdefault(str(spec), []).append(scores(spec.segment(each.page), each))
    by_template = ByTemplate(BoxClustering(), choose_threshold(each.page for each in pages))
    chosen = sorted(set(by_template.thresholds.values()))
    rows[f"box-clustering --per-template (CT {', '.join(f'{ct:g}' for ct in chosen)})"] = [
        scores(by_template.method_of(each.page).segment(each.page), each) for each in pages
    ]
    sample = Sample(pages[0].true)
    carried = [(sample.transfer(each.page), each) for each in pages[1:]]
    rows["marks of one page, carried over to the others"] = [
        scores(found.segmentation, each) for found, each in carried
    ]
    print(f"\n{kind}: {len(pages)} pages, {len(by_template.thresholds)} template(s) recognised\n")
    print("| | " + " | ".join(MEASURES) + " |\n|---|" + "---|" * len(MEASURES))
    for name, values in rows.items():
        columns = zip(*values, strict=True)
        cells = [f"{fmean(column):.3f} ({pstdev(column):.3f})" for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")
    areas = sum(len(each.true) for _, each in carried)
    exact = sum(
        len({_text(one) for one in found.segmentation.segments} & {_text(one) for one in own})
        for found, own in ((found, each.true.segments) for found, each in carried)
    )
    lost = sum(len(found.missing) for found, _ in carried)
    print(f"\ncarried over: {areas} areas, {exact} exactly as marked, {lost} reported as not found")


def _text(segment: object) -> str:
    return str(getattr(segment, "text"))  # noqa: B009


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pages", type=int, default=100, help="of each template (default: 100)")
    arguments = parser.parse_args()
    if arguments.pages < 2:
        parser.error("--pages must be at least 2")
    print("Stand-in for the paper's 800 pages of news sites: two made-up templates.")
    for kind in ("index", "article"):
        try:
            with made_pages(kind, arguments.pages) as pages:
                measure(kind, pages)
        except PagecutError as error:
            sys.exit(f"one_template.py: {error}")


if __name__ == "__main__":
    main()
