"""What each method costs, against parsing alone and against other people's extractors.

    python benchmarks/cost.py [FOLDER] [--repeats 5]

Every row goes from a page's bytes to its result, so that rows compare: a segmenter's time has that
of `parse_html` in it. Times are CPU times. The rows take turns on each page, in random order, and a
page's time is the best of its repeats: a busy machine hits all of them alike. *Sum* is the ratio of
the times of all pages together, where large pages weigh more; *median* is that of the pages' own
ratios, with the middle half of them. Peers are timed if they are installed.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table
from selectolax.lexbor import LexborHTMLParser

from pagecut import parse_html
from pagecut.contexts import EXTRACTORS, Extractor, extractor
from pagecut.decoding import decode
from pagecut.errors import PagecutError
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "examples", ROOT.parent / "shared" / "data")
PARSE_ONLY = "selectolax, parse only"

Task = Callable[[bytes], object]
Times = NDArray[np.float64]


def segment(method: Segmenter, data: bytes) -> object:
    return method.segment(parse_html(data))


def extract(method: Extractor, data: bytes) -> object:
    return method.extract(parse_html(data))


def own_tasks() -> Iterator[tuple[str, Task]]:
    """Parsing alone first, which all others are compared with."""
    yield PARSE_ONLY, LexborHTMLParser
    yield "parse_html", parse_html
    for name in SEGMENTERS:
        yield name, partial(segment, segmenter(name))
    for name in EXTRACTORS:
        yield name, partial(extract, extractor(name))


def turbohtml(module: Any) -> Task:
    return lambda data: module.parse(decode(data)[0]).main_text()


def resiliparse(module: Any) -> Task:
    return lambda data: module.extract_plain_text(decode(data)[0], main_content=True)


def trafilatura(module: Any) -> Task:
    return lambda data: module.extract(decode(data)[0])


def justext(module: Any) -> Task:
    words = module.get_stoplist("English")
    return lambda data: module.justext(decode(data)[0], words)


def boilerpy3(module: Any) -> Task:
    method = module.ArticleExtractor(raise_on_failure=False)
    return lambda data: method.get_content(decode(data)[0])


def readability(module: Any) -> Task:
    return lambda data: module.Document(decode(data)[0]).summary()


PEERS: dict[str, tuple[str, Callable[[Any], Task]]] = {
    "turbohtml main_text": ("turbohtml", turbohtml),
    "resiliparse main content": ("resiliparse.extract.html2text", resiliparse),
    "trafilatura": ("trafilatura", trafilatura),
    "jusText": ("justext", justext),
    "boilerpy3": ("boilerpy3.extractors", boilerpy3),
    "readability-lxml": ("readability", readability),
}


def peer_tasks() -> Iterator[tuple[str, Task]]:
    for name, (module, task) in PEERS.items():
        try:
            yield name, task(import_module(module))
        except ImportError:
            continue


def read_pages(folder: Path) -> list[bytes]:
    """The pages of a folder that pagecut takes."""
    pages = []
    for path in sorted(folder.rglob("*.html")):
        data = path.read_bytes()
        try:
            parse_html(data)
        except PagecutError:
            continue
        pages.append(data)
    return pages


def cpu_time(task: Task, data: bytes) -> float:
    """Seconds; infinite if the task fails on this page."""
    start = time.process_time()
    try:
        task(data)
    except Exception:  # peers fail in their own ways
        return np.inf
    return time.process_time() - start


def measure(tasks: Sequence[Task], pages: Sequence[bytes], repeats: int, title: str) -> Times:
    """(pages, tasks) the best CPU time of each."""
    best = np.full((len(pages), len(tasks)), np.inf)
    draw = np.random.default_rng(0)
    console = Console(stderr=True)
    for row, data in enumerate(track(pages, description=title, console=console, transient=True)):
        for _ in range(repeats):
            gc.collect()
            gc.disable()
            for column in draw.permutation(len(tasks)):
                best[row, column] = min(best[row, column], cpu_time(tasks[column], data))
            gc.enable()
    return best


def table_of(names: Sequence[str], times: Times, title: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None)
    table.add_column("from bytes to", no_wrap=True)
    for heading in "ms per page", "sum", "median", "middle half", "failed":
        table.add_column(heading, justify="right")
    for name, column in zip(names, times.T, strict=True):
        done = np.isfinite(column)
        if not done.any():
            table.add_row(name, *["–"] * 4, str(len(column)))
            continue
        own, parse = column[done], times[done, 0]
        low, median, high = np.percentile(own / parse, [25, 50, 75])
        table.add_row(
            name,
            f"{own.mean() * 1000:.2f}",
            f"{own.sum() / parse.sum():.2f}",
            f"{median:.2f}",
            f"{low:.2f}–{high:.2f}",
            str(int((~done).sum()) or ""),
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, help="a folder with HTML files")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    names, tasks = zip(*own_tasks(), *peer_tasks(), strict=True)
    for folder in [arguments.folder] if arguments.folder else FOLDERS:
        pages = read_pages(folder)
        if pages:
            size = sum(map(len, pages)) / len(pages) / 1000
            title = f"{folder.name}: {len(pages)} pages, {size:.0f} KB each, ratios to {PARSE_ONLY}"
            times = measure(tasks, pages, arguments.repeats, folder.name)
            Console(width=100).print(table_of(names, times, title), "")


if __name__ == "__main__":
    main()
