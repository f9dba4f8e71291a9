"""What VIPS costs without rendering, and how that grows with the page.

    python benchmarks/vips.py [--largest 100000]

Pages are made with their layout, in five shapes: *nested* (rows and columns inside each other, as
pages are; of about the size asked for), *list* (one long list), *table* (a table of six columns),
*stairs* (each block a little lower and more to the right, so that every cut parts off one block
only) and *combs* (columns whose separators all run past as many drawn lines). Times are CPU times
of `segment` at pdoc 10, which divides as far as there is, the best of three; the slope is that of
the straight line through the log-log plot: 1 is linear, 2 quadratic.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, TEXT, Nodes
from pagecut.segmenters.vips import Vips

Box = tuple[float, float, float, float]
SMALLEST = 1000
NAMED = 5000  # nodes of the page whose cost is promised
PROMISED = 0.1  # s


@dataclass
class Sheet:
    """A page that is built element by element."""

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def add(self, tag: str, parent: int, box: Box) -> int:
        self.tags.append(tag)
        self.parents.append(parent)
        self.boxes.append(box)
        return len(self.tags) - 1

    def add_text(self, tag: str, parent: int, box: Box) -> None:
        self.add("#text", self.add(tag, parent, box), box)

    def page(self) -> Page:
        count = len(self.tags)
        parent = np.array(self.parents, dtype=np.int32)
        names = tuple(dict.fromkeys(self.tags))
        place = {name: at for at, name in enumerate(names)}
        depth, ends = np.zeros(count, dtype=np.int32), np.arange(1, count + 1, dtype=np.int32)
        for row in range(1, count):
            depth[row] = depth[parent[row]] + 1
        for row in range(count - 1, 0, -1):
            ends[parent[row]] = max(ends[parent[row]], ends[row])
        is_text = np.array([tag == "#text" for tag in self.tags])
        before = np.concatenate([[0], np.cumsum(is_text)]) * 5
        box = np.array(self.boxes, dtype=np.float32)
        nodes = Nodes(
            kind=np.where(is_text, TEXT, ELEMENT).astype(np.uint8),
            tag=np.array([place[tag] for tag in self.tags], dtype=np.int32),
            tag_names=names,
            parent=parent,
            subtree_end=ends,
            depth=depth,
            ordinal=np.ones(count, dtype=np.int32),
            start=before[:-1].astype(np.int32),
            end=np.maximum(before[ends] - 1, before[:-1]).astype(np.int32),
            hidden=np.zeros(count, dtype=np.uint8),
            box=box,
            visible=np.ones(count, dtype=bool),
            font_size=np.full(count, 16, dtype=np.float32),
            font_weight=np.full(count, 400, dtype=np.float32),
            background=np.full((count, 4), 255, dtype=np.uint8),
            border=np.zeros((count, 4), dtype=np.float32),
        )
        size = float(box[:, 2].max()), float(box[:, 3].max())
        text = "word\n" * int(is_text.sum())
        return Page(id="0" * 64, text=text, nodes=nodes, kind="rendered", size=size)


def start() -> tuple[Sheet, int]:
    sheet = Sheet()
    root = sheet.add("html", -1, (0, 0, 1, 1))
    return sheet, sheet.add("body", root, (0, 0, 1, 1))


def nested(count: int) -> Page:
    """Rows and columns inside each other, five to each, down to a few words."""
    sheet, body = start()
    levels = max(2, round(math.log(count / 2, 5)))
    side = 10.0 * 5 ** ((levels + 1) // 2)

    def fill(parent: int, box: Box, level: int, left: int) -> None:
        own = sheet.add("div", parent, box)
        if level == 0 or left < 10:
            many = max((left - 1) // 2, 1)
            height = (box[3] - box[1]) / many
            for number in range(many):
                top = box[1] + number * height
                sheet.add_text("div", own, (box[0], top, box[2], top + height * 0.9))
            return
        share, axis = (left - 1) // 5, level % 2
        length = (box[axis + 2] - box[axis]) / 5
        for number in range(5):
            low = box[axis] + number * length
            high = low + length * 0.9
            part = (low, box[1], high, box[3]) if axis == 0 else (box[0], low, box[2], high)
            fill(own, part, level - 1, share)

    fill(body, (0, 0, side, side), levels + 2, count)
    return sheet.page()


def one_list(count: int) -> Page:
    sheet, body = start()
    own = sheet.add("ul", body, (0, 0, 400, 20.0 * count))
    for row in range(count // 2):
        sheet.add_text("li", own, (0, 20.0 * row, 400, 20.0 * row + 16))
    return sheet.page()


def table(count: int) -> Page:
    sheet, body = start()
    own = sheet.add("table", body, (0, 0, 600, 20.0 * count))
    for row in range(count // 13):
        line = sheet.add("tr", own, (0, 20.0 * row, 600, 20.0 * row + 16))
        for column in range(6):
            left = 100.0 * column
            sheet.add_text("td", line, (left, 20.0 * row, left + 90, 20.0 * row + 16))
    return sheet.page()


def stairs(count: int) -> Page:
    """Each block reaches over the next one by turns below and beside."""
    sheet, body = start()
    many = count // 2
    size = 40.0 * many
    left = top = 0.0
    for number in range(many):
        if number % 2:
            sheet.add_text("div", body, (left, top, size, top + 16))
            top += 40
        else:
            sheet.add_text("div", body, (left, top, left + 16, size))
            left += 40
    return sheet.page()


def combs(count: int) -> Page:
    """Columns of two blocks far apart, beside a block with as many lines drawn over it."""
    sheet, body = start()
    many = count // 5
    height = 20.0 * many + 100
    sheet.add_text("div", body, (0, 0, 30, height))
    for number in range(many):
        sheet.add("hr", body, (0, 40 + 20.0 * number, 30, 42 + 20.0 * number))
    for number in range(many):
        left = 50 + 40.0 * number
        sheet.add_text("div", body, (left, 0, left + 20, 16))
        sheet.add_text("div", body, (left, height - 16, left + 20, height))
    return sheet.page()


SHAPES: dict[str, Callable[[int], Page]] = {
    "nested": nested,
    "list": one_list,
    "table": table,
    "stairs": stairs,
    "combs": combs,
}


def cost(page: Page) -> float:
    times = []
    for _ in range(3):
        begin = time.process_time()
        Vips(pdoc=10).segment(page)
        times.append(time.process_time() - begin)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--largest", type=int, default=100_000)
    largest = parser.parse_args().largest
    sizes = [SMALLEST]
    while sizes[-1] * 10 <= largest:
        sizes.append(sizes[-1] * 10)
    print("| shape | " + " | ".join(f"{size:,} nodes" for size in sizes) + " | slope |")
    print("|---|" + "---|" * (len(sizes) + 1))
    for name, make in SHAPES.items():
        pages = [make(size) for size in sizes]
        times = [cost(page) for page in pages]
        counts = [math.log(len(page)) for page in pages]
        slope = np.polyfit(counts, np.log(times), 1)[0] if len(sizes) > 1 else math.nan
        cells = " | ".join(f"{1000 * each:,.1f} ms" for each in times)
        print(f"| {name} | {cells} | {slope:.2f} |", flush=True)
    for name in ("nested", "list", "table"):
        page = SHAPES[name](NAMED)
        taken = cost(page)
        verdict = "within" if taken < PROMISED else "over"
        print(f"{name}, {len(page):,} nodes: {1000 * taken:.1f} ms, {verdict} {PROMISED:g} s")


if __name__ == "__main__":
    main()
