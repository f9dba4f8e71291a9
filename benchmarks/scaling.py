"""How the cost of every method grows with the page, from a hundred nodes to a million.

    python benchmarks/scaling.py [--only TEXT] [--largest 1000000] [--plots docs/images]

Pages are made: sections of items, each with a heading, a picture, two paragraphs, a list and links,
like a listing of a shop or a newspaper. The methods that need a rendered page get one that is laid
out without a browser, one leaf below the other. Times are CPU times of a method and of its texts,
without parsing, which has rows of its own. A method that would take longer than a minute on a
larger page is not tried on it. `full-text` gives each image the whole page, so that writing out
its texts is quadratic by definition: only their ranges are made here. The slope is that of the
straight line through the log-log plot of the three largest pages: 1 is linear, n log n about 1.1,
2 quadratic.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from pagecut import Page, parse_html
from pagecut.contexts import EXTRACTORS, extractor
from pagecut.page.nodes import IMAGE, TEXT, LineBoxes
from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import write_picture
from pagecut.segmenters import SEGMENTERS, segmenter

SMALLEST: Final = 100
LONGEST: Final = 60.0  # seconds
ON_A_PICTURE: Final = 5
ITEMS_OF_SECTION: Final = 12
WHOLE_TEXTS: Final = ("full-text",)  # a text for each image as long as the page: only their ranges
WORDS: Final = (
    "river stone lantern orchard winter harbour letter copper garden market evening silver "
    "forest window bridge candle meadow paper thunder island".split()
)


def words(first: int, count: int) -> str:
    return " ".join(WORDS[(first * 7 + each * 3) % len(WORDS)] for each in range(count))


def item(number: int) -> str:
    """Seventeen nodes, and a share of a section."""
    return (
        f"<div class=item><h3><a href=/i/{number}>{words(number, 3)}</a></h3>"
        f"<img src=/p/{number}.jpg alt='{words(number, 2)}' width=200 height=150>"
        f"<p>{words(number, 9 + number % 23)}.</p><p>{words(number + 5, 4 + number % 11)}, "
        f"<b>{words(number, 1)}</b>.</p><ul><li>{words(number, 2)}<li>{words(number, 3)}</ul></div>"
    )


def make_html(nodes: int) -> bytes:
    """A page of about so many nodes."""
    parts = ["<title>Made</title><nav><a href=/>Home</a> <a href=/a>About</a></nav><main>"]
    for number in range(max(1, 2 * nodes // 35)):
        if number % ITEMS_OF_SECTION == 0:
            parts.append(f"</section><section><h2>{words(number, 2)}</h2>")
        parts.append(item(number))
    return "".join(parts).encode()


def lay_out(page: Page) -> Page:
    """The page as if each leaf were drawn below the one before."""
    nodes, leaves = page.nodes, page.leaves
    is_image = nodes.kind[leaves] == IMAGE
    length = nodes.end[leaves] - nodes.start[leaves]
    height = np.where(is_image, 150.0, 20.0)
    bottom = np.cumsum(height + 10)
    around = np.stack(
        [np.zeros(len(leaves)), bottom - height, np.where(is_image, 200, 8 * length), bottom], 1
    ).astype(np.float32)
    first = np.searchsorted(leaves, np.arange(len(page)))
    last = np.searchsorted(leaves, nodes.subtree_end) - 1
    box = np.zeros((len(page), 4), dtype=np.float32)
    full = last >= first
    box[full] = np.stack(
        [
            np.zeros(full.sum()),
            around[first[full], 1],
            np.full(full.sum(), 1000),
            bottom[last[full]],
        ],
        axis=1,
    )
    box[leaves] = around
    texts = leaves[nodes.kind[leaves] == TEXT]
    count = len(page)
    return replace(
        page,
        kind="rendered",
        size=(1000.0, float(bottom[-1])),
        nodes=replace(
            nodes,
            box=box,
            visible=full,
            font_size=np.full(count, 16, dtype=np.float32),
            font_weight=np.full(count, 400, dtype=np.float32),
            color=np.zeros((count, 4), dtype=np.uint8),
            background=np.full((count, 4), 255, dtype=np.uint8),
            border=np.zeros((count, 4), dtype=np.float32),
        ),
        line_boxes=LineBoxes(
            node=texts, start=nodes.start[texts], end=nodes.end[texts], box=box[texts]
        ),
    )


@dataclass
class Example:
    """One made page, in the forms that the methods take."""

    html: bytes
    parsed: Page
    rendered: Page

    @classmethod
    def of(cls, nodes: int) -> Example:
        html = make_html(nodes)
        parsed = parse_html(html)
        return cls(html, parsed, lay_out(parsed))

    def fresh(self, *, rendered: bool) -> Page:
        """A page that has worked nothing out yet."""
        page = self.rendered if rendered else self.parsed
        return replace(page)


Task = Callable[[Example], Callable[[], object]]


def segmenting(spec: str, example: Example) -> Callable[[], object]:
    method = segmenter(spec)
    page = example.fresh(rendered=bool(method.needs))
    return lambda: method.segment(page).texts


def extracting(spec: str, example: Example) -> Callable[[], object]:
    method = extractor(spec)
    page = example.fresh(rendered=bool(method.needs))
    if spec in WHOLE_TEXTS:
        return lambda: [context.spans for context in method.extract(page)]
    return lambda: [context.text for context in method.extract(page)]


def tasks() -> Iterator[tuple[str, Task]]:
    yield "selectolax, parse only", lambda example: partial(LexborHTMLParser, example.html)
    yield "parse_html", lambda example: partial(parse_html, example.html)
    for name in SEGMENTERS:
        yield f"segment {name}", partial(segmenting, name)
    for name in EXTRACTORS:
        yield f"images {name}", partial(extracting, name)


def cpu_time(task: Task, example: Example) -> float:
    """Seconds, the best of several on small pages."""
    best = math.inf
    for _ in range(5 if len(example.parsed) < 20_000 else 1):
        run = task(example)
        gc.collect()
        gc.disable()
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
        gc.enable()
    return best


@dataclass(frozen=True)
class Growth:
    """What one method took, for the sizes that it was tried on."""

    name: str
    nodes: list[int]
    seconds: list[float]

    @property
    def slope(self) -> float:
        """Of the largest three sizes, where what every call costs anyhow matters least."""
        if len(self.nodes) < 2:
            return math.nan
        return float(np.polyfit(np.log(self.nodes[-3:]), np.log(self.seconds[-3:]), 1)[0])


def measure(largest: int, part: str = "") -> list[Growth]:
    """Every method whose row has `part` in its name on every size, the smallest first."""
    chosen = [(name, task) for name, task in tasks() if part in name]
    found = [Growth(name, [], []) for name, _ in chosen]
    size = SMALLEST
    while size <= largest:
        example = Example.of(size)
        for growth, (_, task) in zip(found, chosen, strict=True):
            ahead = size / growth.nodes[-1] if growth.nodes else 1.0
            if growth.nodes and growth.seconds[-1] * ahead**1.3 > LONGEST:
                continue
            growth.nodes.append(len(example.parsed))
            growth.seconds.append(cpu_time(task, example))
            print(f"{growth.name}, {size:,}: {growth.seconds[-1]:.4f} s", file=sys.stderr)
        size *= 10
    return found


def table_of(found: Sequence[Growth]) -> list[str]:
    """The lines of a Markdown table: microseconds per node."""
    sizes = max((growth.nodes for growth in found), key=len)
    head = ["µs per node", *(f"{nodes:,} nodes" for nodes in sizes), "slope"]
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(sizes) + 1)]
    for growth in found:
        each = [f"{s / n * 1e6:.2f}" for n, s in zip(growth.nodes, growth.seconds, strict=True)]
        each += ["–"] * (len(sizes) - len(each))
        lines.append("| " + " | ".join([growth.name, *each, f"{growth.slope:.2f}"]) + " |")
    return lines


def draw(found: Sequence[Growth], folder: Path) -> None:
    """A few methods on each picture, so that each has a colour of its own there."""
    for number, first in enumerate(range(0, len(found), ON_A_PICTURE), 1):
        some = found[first : first + ON_A_PICTURE]
        drawing = draw_chart(
            [
                Panel(
                    y_label="CPU time in seconds",
                    series=[Series(name=each.name, x=each.nodes, y=each.seconds) for each in some],
                    log_y=True,
                    height=300,
                )
            ],
            title="Cost against the size of the page",
            x_label="nodes",
            log_x=True,
        )
        write_picture(folder / f"scaling-{number}.svg", drawing.svg())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=1_000_000, metavar="NODES")
    parser.add_argument("--plots", type=Path, metavar="FOLDER", help="for the pictures")
    parser.add_argument("--only", default="", help="part of a row's name")
    arguments = parser.parse_args()
    found = measure(arguments.largest, arguments.only)
    print("\n".join(table_of(found)))
    if arguments.plots:
        draw(found, arguments.plots)


if __name__ == "__main__":
    main()
