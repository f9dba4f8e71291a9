"""How well rendered pages fit: lines, matches, marked blocks, sizes and costs, over a dataset.

Run `python experiments/rendering.py ../shared/data`. The pages are rendered without their marks.
Prints the table of docs/rendering.md; what does not fit is listed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pagecut import parse_html
from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import DatasetPage, read_dataset
from pagecut.evaluation.datasets.rendered import page_source
from pagecut.page import Page
from pagecut.page.nodes import IMAGE, TEXT
from pagecut.rendering.browser import Chromium, Tab, View, find_browser, prepare
from pagecut.rendering.capture import Capture, capture
from pagecut.rendering.columns import add_columns, page_from_capture
from pagecut.rendering.matching import match
from pagecut.rendering.snapshot import TEXT_NODE, Snapshot
from pagecut.rendering.snapshot_file import SavedPage, pack_snapshot

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from line_oracle import browser_lines, compare_lines

VIEW = View(screenshot=0.25)


@dataclass(slots=True)
class Figures:
    """Sums over all pages, and what does not fit."""

    counts: Counter[str] = field(default_factory=Counter)
    misfits: list[str] = field(default_factory=list)

    def share(self, part: str, whole: str) -> str:
        most = self.counts[whole]
        value = 100 * self.counts[part] / most if most else 0
        return f"{self.counts[part]:,} of {most:,} ({value:.2f} %)"


def measure_page(tab: Tab, entry: DatasetPage, figures: Figures) -> None:
    counts = figures.counts
    counts["pages"] += 1
    source = page_source(entry)
    try:
        taken = capture(tab, source, VIEW, 30)
    except PagecutError as error:
        figures.misfits.append(f"{entry.id}: not rendered: {error}")
        return
    counts["rendered"] += 1
    parsed = parse_html(taken.html, source.url, source.charset)
    measure_lines(tab, entry, taken, parsed, figures)
    measure_matches(entry, taken, parsed, figures)
    start = time.process_time()
    page = page_from_capture(taken, parsed)
    counts["client ns"] += int(1e9 * (time.process_time() - start))
    measure_blocks(entry, page, figures)
    measure_visibility(page, counts)
    plain = SavedPage(page=page, html=taken.html, view=VIEW, loaded=taken.loaded)
    size = len(pack_snapshot(plain))
    counts["snapshot bytes"] += size
    counts["source bytes"] += len(taken.html)
    counts["picture bytes"] += len(taken.screenshot or b"")


def measure_lines(
    tab: Tab, entry: DatasetPage, taken: Capture, page: Page, figures: Figures
) -> None:
    count, differences = compare_lines(taken, page, browser_lines(tab))
    wrong = sum(max(len(each.browser), len(each.ours)) for each in differences)
    figures.counts["lines"] += count
    figures.counts["equal lines"] += max(0, count - wrong)
    figures.misfits += [f"{entry.id}: line {each.text.strip()[:60]!r}" for each in differences]


def measure_matches(entry: DatasetPage, taken: Capture, page: Page, figures: Figures) -> None:
    """Leaves of the parsed page that found their node; and texts that are drawn without a row."""
    snapshot = Snapshot(taken.snapshot)
    matched = match(page, snapshot)
    found = matched.node[page.leaves] >= 0
    figures.counts["leaves"] += len(found)
    figures.counts["matched leaves"] += int(found.sum())
    figures.misfits += [
        f"{entry.id}: no node for {page.xpath(row)}" for row in page.leaves[~found].tolist()
    ]
    used = {node for nodes in matched.texts.values() for node in nodes}
    drawn = {snapshot.laid_out[row] for row in snapshot.text_boxes.layout.tolist()}
    for node in sorted(drawn - used):
        if snapshot.node_type[node] != TEXT_NODE or not snapshot.value(node).strip():
            continue
        above, names = node, []
        while above >= 0:
            names.append(snapshot.name(above))
            above = snapshot.parent[above]
        why = next((name for name in names if name in WITHOUT_ROWS), "unknown")
        figures.counts[f"drawn without a row: in {why}"] += 1


WITHOUT_ROWS = (
    "noscript option select textarea input iframe object template video audio canvas details "
    "noframes"
).split()


def measure_blocks(entry: DatasetPage, page: Page, figures: Figures) -> None:
    """Blocks that people marked, with text in them: do they have a box?"""
    marked = parse_html(entry.source(), entry.url)
    rows = [row for row, kept in marked.attrs.items() if "data-block" in kept]
    seen = add_columns(marked, page)
    nodes = seen.nodes
    assert nodes.box is not None
    assert nodes.visible is not None
    for row in rows:
        inside = slice(row, int(nodes.subtree_end[row]))
        if not (nodes.kind[inside] == TEXT).any():
            continue
        figures.counts["blocks"] += 1
        left, top, right, bottom = nodes.box[row].tolist()
        if right > left and bottom > top:
            figures.counts["blocks with a box"] += 1
        else:
            figures.misfits.append(f"{entry.id}: no box for the block {seen.xpath(row)}")
        figures.counts["visible blocks"] += bool(nodes.visible[row])


def measure_visibility(page: Page, counts: Counter[str]) -> None:
    nodes = page.nodes
    assert nodes.visible is not None
    for name, kind in (("texts", TEXT), ("images", IMAGE)):
        counts[name] += int((nodes.kind == kind).sum())
        counts[f"visible {name}"] += int((nodes.visible & (nodes.kind == kind)).sum())
    counts["rows"] += len(page)
    counts["line rows"] += len(page.line_boxes or ())


def table(figures: Figures) -> str:
    counts = figures.counts
    pages = max(counts["rendered"], 1)
    rows = [
        ("pages rendered", figures.share("rendered", "pages")),
        ("lines equal to Range.getClientRects within 1 px", figures.share("equal lines", "lines")),
        ("leaves matched", figures.share("matched leaves", "leaves")),
        ("marked blocks with text that have a box", figures.share("blocks with a box", "blocks")),
        ("marked blocks with text that are visible", figures.share("visible blocks", "blocks")),
        ("texts that are visible", figures.share("visible texts", "texts")),
        ("images that are visible", figures.share("visible images", "images")),
        (
            "rows and lines a page",
            f"{counts['rows'] // pages:,} and {counts['line rows'] // pages:,}",
        ),
        (
            "snapshot file a page, without picture",
            f"{counts['snapshot bytes'] / pages / 1000:.1f} kB",
        ),
        ("source a page", f"{counts['source bytes'] / pages / 1000:.1f} kB"),
        ("picture at a quarter, a page", f"{counts['picture bytes'] / pages / 1000:.1f} kB"),
        ("columns from a capture, CPU a page", f"{counts['client ns'] / pages / 1e6:.0f} ms"),
    ]
    lines = ["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)]
    without = sorted((name, value) for name, value in counts.items() if "without a row" in name)
    return "\n".join([*lines, *(f"| {name} | {value:,} |" for name, value in without)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    arguments = parser.parse_args()
    figures = Figures()
    chromium = Chromium(find_browser(), scripts=False)
    try:
        tab = chromium.new_tab()
        prepare(tab, VIEW, time.monotonic() + 30)
        for entry in read_dataset(arguments.dataset):
            measure_page(tab, entry, figures)
    finally:
        chromium.close()
    if not figures.counts["rendered"]:
        sys.exit(f"{arguments.dataset}: no page could be rendered")
    print(table(figures))
    print(*figures.misfits, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    np.set_printoptions(suppress=True)
    main()
