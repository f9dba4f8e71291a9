"""What evaluating a learnt model costs, by its size and the number of rows.

    python benchmarks/models.py [--features 150] [--repeats 200]

Trees are random and balanced in the mean; a third of the features is mostly zero, another third has
five values. Times are wall times, the best of the repeats: of `Model.scores`, and of reading the
model's file. Prints a table for docs/models.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.models import Model, Output, Tree, parse_model, write_model

SEED = 2016
SIZES = ((100, 8), (200, 16), (200, 31), (400, 31))  # trees and leaves of each
ROWS = (1, 16, 300, 3000)
READS = 5


def grown(draw: Random, features: int, leaves: int) -> Tree:
    if leaves == 1:
        return round(draw.gauss(0, 0.1), 6)
    left = min(max(round(draw.gauss(leaves / 2, leaves / 6)), 1), leaves - 1)
    feature = draw.randrange(features)
    threshold = (draw.random(), 0.8 * draw.random(), draw.randrange(4) + 0.5)[feature % 3]
    rest = grown(draw, features, left), grown(draw, features, leaves - left)
    return [feature, float(np.float32(threshold)), *rest]


def random_table(rows: int, features: int) -> NDArray[np.float32]:
    draw = np.random.default_rng(SEED)
    table = draw.random((rows, features), dtype=np.float32)
    table[:, 1::3] *= draw.random(table[:, 1::3].shape) < 0.2
    table[:, 2::3] = np.floor(5 * table[:, 2::3])
    return table


def best(repeats: int, run: Callable[[], object]) -> float:
    """Milliseconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--features", type=int, default=150)
    parser.add_argument("--repeats", type=int, default=200)
    options = parser.parse_args()
    names = [f"feature {number}" for number in range(options.features)]
    heads = [f"{rows} row{'s' * (rows > 1)}" for rows in ROWS]
    print("| trees | leaves | file | read |", " | ".join(heads), "| rows × trees per ms |")
    print("|---" * (5 + len(ROWS)) + "|")
    for trees, leaves in SIZES:
        draw = Random(SEED)
        grown_trees = [grown(draw, options.features, leaves) for _ in range(trees)]
        model = Model(
            features=names, outputs=[Output(name="x", trees=grown_trees)], link="logistic"
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x.model.json")
            write_model(model, path)
            data = path.read_bytes()
        reading = best(READS, lambda data=data: parse_model(data))
        times = []
        for rows in ROWS:
            table = random_table(rows, options.features)
            times.append(
                best(options.repeats, lambda model=model, table=table: model.scores(table))
            )
        cells = [f"{each:.3f} ms" for each in times]
        rate = f"{ROWS[-1] * trees / times[-1]:,.0f}"
        size = f"{len(data) / 1000:.0f} KB"
        print(
            f"| {trees} | {leaves} | {size} | {reading:.0f} ms |", " | ".join(cells), f"| {rate} |"
        )


if __name__ == "__main__":
    main()
