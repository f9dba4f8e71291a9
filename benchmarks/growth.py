"""How the cost of the paper's segmenters grows with the number of atomic blocks.

    python benchmarks/growth.py [--largest 1000000] [--plot docs/images/growth.svg]

Pages are made as columns, without parsing: <p> elements with one line of text each, in four shapes.
*worst* makes Algorithm 1, swept as it is printed, fuse one block per sweep; this is checked on
small pages first. Times are CPU times of `segment`, the best of three below 100,000 blocks; the
slope is that of the straight line through the log-log plot: 1 is linear, 2 quadratic.
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, TEXT, Nodes
from pagecut.page.text.lines import wrap_blocks
from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import write_picture
from pagecut.segmenters import Segmenter, segmenter
from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules, gap_kinds

sys.path.insert(0, str(Path(__file__).parents[1] / "experiments"))

from fusion_sweeps import sweeps

SEED = 2008
SMALL = (30, 300, 3000)  # where the worst case is checked
SMALLEST = 1000
WITHOUT_FUSION = ("word-wrap", "tag-gap", "just-rules", "graph-cuts")
FUSING = (
    "block-fusion",
    "block-fusion(smooth='equal')",
    "block-fusion(smooth='sparse')",
    "block-fusion-rules",
)
PLOTTED = (  # as many as have colours of their own
    ("word-wrap", "random"),
    ("tag-gap", "random"),
    ("graph-cuts", "random"),
    ("block-fusion", "worst"),
    ("block-fusion-rules", "random"),
    ("block-fusion-rules", "worst"),
)


def random_tokens(count: int, _: float) -> list[int]:
    draw = random.Random(SEED)
    return [draw.randint(1, 12) for _ in range(count)]


def equal_tokens(count: int, _: float) -> list[int]:
    return [6] * count


def alternating_tokens(count: int, _: float) -> list[int]:
    return [1 if block % 2 else 10 for block in range(count)]


def worst_tokens(count: int, threshold: float) -> list[int]:
    """Neighbours differ too much to fuse, but not from the mean of what follows them.

    Only the last three blocks fuse at first; the compound has the mean density and takes in the
    block before it, one in each sweep. Dense blocks differ by turns, against smoothing.
    """
    sparse = math.ceil(10 * (1 - threshold)) - 1
    tokens = [sparse if block % 2 else 10 + block // 2 % 2 for block in range(count - 2)]
    mean = (10.5 + sparse) / 2
    return [*tokens, round(mean), round(mean)]


SHAPES: dict[str, Callable[[int, float], list[int]]] = {
    "random": random_tokens,
    "equal": equal_tokens,
    "alternating": alternating_tokens,
    "worst": worst_tokens,
}


def make_page(tokens: Sequence[int]) -> Page:
    """A body with a paragraph of one line for each number of tokens."""
    count = len(tokens)
    sizes = np.array(tokens, dtype=np.int64) * 5 - 1  # "word word"
    ends = np.cumsum(sizes + 1) - 1
    rows = 2 * count + 2
    element = np.arange(2, rows, 2)
    parent = np.concatenate([[-1, 0], np.stack([np.ones(count), element], 1).ravel()])
    starts = np.concatenate([[0, 0], np.repeat(ends - sizes, 2)])
    own_ends = np.concatenate([[ends[-1]] * 2, np.repeat(ends, 2)])
    subtree_end = np.concatenate([[rows] * 2, np.repeat(element + 2, 2)])
    nodes = Nodes(
        kind=np.array([ELEMENT] * 2 + [ELEMENT, TEXT] * count, dtype=np.uint8),
        tag=np.array([0, 1] + [2, 3] * count, dtype=np.int32),
        tag_names=("html", "body", "p", "#text"),
        parent=parent.astype(np.int32),
        subtree_end=subtree_end.astype(np.int32),
        depth=np.array([0, 1] + [2, 3] * count, dtype=np.int32),
        ordinal=np.concatenate(
            [[1, 1], np.stack([np.arange(1, count + 1), np.ones(count)], 1).ravel()]
        ).astype(np.int32),
        start=starts.astype(np.int32),
        end=own_ends.astype(np.int32),
        hidden=np.zeros(rows, dtype=np.uint8),
    )
    text = "\n".join(" ".join(["word"] * each) for each in tokens)
    return Page(id="0" * 64, text=text, nodes=nodes)


def check_worst_case(method: BlockFusion | BlockFusionRules, count: int) -> str:
    """The sweeps of Algorithm 1 that fuse, one block each but for the first, and their time."""
    page = make_page(worst_tokens(count, method.threshold))
    lines = wrap_blocks(page, method.line_width)
    gaps = gap_kinds(page, lines)
    start = time.process_time()
    blocks = [
        len(edges) - 1
        for edges in sweeps(
            lines.tokens_before, lines.block_edges, method.threshold, method.smooth, gaps
        )
    ]
    seconds = time.process_time() - start
    if blocks != [count, *range(count - 2, 0, -1)]:
        raise SystemExit(f"{method}: {count} blocks do not fuse one by one: {blocks[:5]} …")
    if len(method.segment(page)) != 1:
        raise SystemExit(f"{method}: the sweeps give one block, the segmenter several")
    return f"{count} blocks {len(blocks) - 1} sweeps {seconds:.3f} s"


def cpu_time(method: Segmenter, page: Page) -> float:
    """Seconds, without the garbage collector's."""
    best = math.inf
    gc.disable()
    for _ in range(3 if len(page) < 200_000 else 1):
        start = time.process_time()
        method.segment(page)
        best = min(best, time.process_time() - start)
    gc.enable()
    return best


def measure(spec: str, shape: str, sizes: Sequence[int]) -> list[float]:
    method = segmenter(spec)
    threshold = getattr(method, "threshold", 0.0)
    times = []
    for count in sizes:
        times.append(cpu_time(method, make_page(SHAPES[shape](count, threshold))))
        print(f"{spec}, {shape}, {count:,} blocks: {times[-1]:.3f} s", file=sys.stderr)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=1_000_000, metavar="BLOCKS")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="an SVG or PNG file")
    arguments = parser.parse_args()
    sizes = [SMALLEST]
    while sizes[-1] * 10 <= arguments.largest:
        sizes.append(sizes[-1] * 10)

    for spec in FUSING:
        method = segmenter(spec)
        assert isinstance(method, BlockFusion | BlockFusionRules)
        print(f"worst case, {spec}: {'; '.join(check_worst_case(method, n) for n in SMALL)}")

    header = ["method", "shape", *(f"{size:,}" for size in sizes), "slope"]
    print("\nMicroseconds of CPU time per block\n\n| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    series = []
    runs = [(spec, "random") for spec in WITHOUT_FUSION]
    runs += [(spec, shape) for spec in FUSING for shape in SHAPES]
    for spec, shape in runs:
        times = measure(spec, shape, sizes)
        each = [seconds / size * 1e6 for seconds, size in zip(times, sizes, strict=True)]
        slope = np.polyfit(np.log(sizes), np.log(times), 1)[0]
        cells = [spec, shape, *(f"{value:.1f}" for value in each), f"{slope:.2f}"]
        print("| " + " | ".join(cells) + " |", flush=True)
        if (spec, shape) in PLOTTED:
            series.append(Series(name=f"{spec}, {shape}", x=sizes, y=times))
    if arguments.plot:
        drawing = draw_chart(
            [Panel(y_label="CPU time in seconds", series=series, log_y=True, height=420)],
            title="Cost against the number of atomic blocks",
            x_label="atomic blocks",
            log_x=True,
        )
        write_picture(arguments.plot, drawing.svg())


if __name__ == "__main__":
    main()
