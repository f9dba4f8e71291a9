"""How the cost of Box Clustering grows with the number of boxes.

    python benchmarks/box_clustering.py [--largest 100000] [--plot docs/images/box-clustering.svg]

Boxes are placed in four ways, without pages: *lines*, columns of text in paragraphs; *grid*, all
alike and evenly spaced, so that everything is joined in the end; *scattered*, at random, with
overlaps; *staggered*, a hostile page on which every box overlaps hundreds of others. Times are CPU
times for each part at the threshold 1, which does the most work, the best of three below 10,000
boxes; the slope is that of the straight line through the log-log plot: 1 is linear, 2 quadratic.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import write_picture
from pagecut.segmenters.box_clustering.box_tree import containers
from pagecut.segmenters.box_clustering.clusters import cluster_boxes
from pagecut.segmenters.box_clustering.differences import box_differences

SEED: Final = 2017
SIZES: Final = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
ONCE: Final = 10_000  # boxes from which on one run is enough
PARTS: Final = ("containers", "differences", "clusters")

Boxes = NDArray[np.float64]


def lines(count: int) -> Boxes:
    """Four columns; paragraphs of seven lines, the last one shorter; gaps of three sizes."""
    number = np.arange(count)
    column, row = number % 4, number // 4
    width = np.where(row % 7 == 6, 120.0, 260.0) - np.random.default_rng(SEED).uniform(0, 20, count)
    top = row * 22.0 + row // 7 * 14.0 + row // 35 * 40.0
    left = column * 320.0
    return np.stack([left, top, left + width, top + 16], axis=1)


def grid(count: int) -> Boxes:
    side = int(count**0.5)
    number = np.arange(count)
    left, top = number % side * 100.0, number // side * 20.0
    return np.stack([left, top, left + 70, top + 14], axis=1)


def scattered(count: int) -> Boxes:
    draw = np.random.default_rng(SEED)
    left, top = draw.uniform(0, count**0.5 * 60, (2, count))
    width, height = draw.uniform(5, 90, count), draw.uniform(5, 20, count)
    return np.stack([left, top, left + width, top + height], axis=1)


def staggered(count: int) -> Boxes:
    """Each box reaches as far as the 300 after it, none contains another."""
    step = np.arange(count, dtype=np.float64)
    return np.stack([step, step, step + 300, step + 300], axis=1)


LAYOUTS: Final[dict[str, Callable[[int], Boxes]]] = {
    "lines": lines,
    "grid": grid,
    "scattered": scattered,
    "staggered": staggered,
}


def measure(boxes: Boxes) -> dict[str, float]:
    """The CPU time of each part."""
    colours = np.random.default_rng(SEED).integers(0, 2, (len(boxes), 1)) * np.full(3, 0.5)
    times = [time.process_time()]
    kept = boxes[~containers(boxes)]
    times.append(time.process_time())
    pairs = box_differences(kept, colours[: len(kept)], "rgb")
    times.append(time.process_time())
    cluster_boxes(kept, pairs, 1.0)
    times.append(time.process_time())
    return dict(zip(PARTS, np.diff(times).tolist(), strict=True))


def main() -> None:
    """Print a table, and draw it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="boxes")
    parser.add_argument("--plot", type=Path, help="also draw the totals")
    arguments = parser.parse_args()
    sizes = [size for size in SIZES if size <= arguments.largest]
    series = []
    print(f"{'layout':10} {'boxes':>7} {'total ms':>9}  " + "  ".join(f"{p:>11}" for p in PARTS))
    for name, layout in LAYOUTS.items():
        totals = []
        for size in sizes:
            boxes = layout(size)
            runs = [measure(boxes) for _ in range(1 if size >= ONCE else 3)]
            best = min(runs, key=lambda run: sum(run.values()))
            totals.append(sum(best.values()) * 1000)
            parts = "  ".join(f"{best[part] * 1000:11.1f}" for part in PARTS)
            print(f"{name:10} {size:7} {totals[-1]:9.1f}  {parts}", flush=True)
        slope = np.polyfit(np.log(sizes), np.log(totals), 1)[0]
        print(f"{name:10} slope {slope:.2f}", flush=True)
        series.append(Series(name=f"{name} (slope {slope:.2f})", x=sizes, y=totals))
    if arguments.plot:
        panel = Panel(y_label="ms of CPU", series=series, log_y=True, height=300)
        drawing = draw_chart(
            [panel],
            title="Box Clustering: cost by the number of boxes",
            x_label="boxes",
            log_x=True,
        )
        write_picture(arguments.plot, drawing.svg())


if __name__ == "__main__":
    main()
