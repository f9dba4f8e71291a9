"""What each method costs, against parsing alone and against other people's extractors.

    python benchmarks/cost.py [FOLDER_OR_WARC …] [--repeats 5] [--every 1] [--plot FILE]

Every row goes from a page's bytes to its result, so that rows compare: a segmenter's time has that
of `parse_html` in it, and that of making its segments' texts. Times are CPU times. The rows take
turns on each page, in random order, and a page's time is the best of its repeats: a busy machine
hits all of them alike. *Sum* is the ratio of the times of all pages together, where large pages
weigh more; *median* is that of the pages' own ratios, with the middle half of them. A peer that is
not installed is named with the reason; the extra `bench` brings them all.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from cost_chart import Ratio, draw_ratios
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from selectolax.lexbor import LexborHTMLParser

import pagecut
from pagecut import parse_html
from pagecut.contexts import EXTRACTORS, Extractor, extractor
from pagecut.errors import PagecutError
from pagecut.parsing.decoding import decode
from pagecut.pictures.drawing import write_picture
from pagecut.segmenters import SEGMENTERS, Segmenter, segmenter

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
FOLDERS = (ROOT / "examples", SHARED / "data", SHARED / "data-modern" / "pages")
TITLES = {SHARED / "data": "pages of 2013", SHARED / "data-modern" / "pages": "pages of today"}
PARSE_ONLY = "selectolax, parse only"
OWN = ("parse_html", "segment ", "images ", "pagecut ")
MOST_RECORDS = 300  # of a WARC file
IN_A_ROW = 2  # runs of a task before the next one has its turn

Task = Callable[[bytes], object]
Times = NDArray[np.float64]


def segment(method: Segmenter, data: bytes) -> object:
    return method.segment(parse_html(data)).texts


def extract(method: Extractor, data: bytes) -> object:
    return [context.text for context in method.extract(parse_html(data))]


def everything(data: bytes) -> object:
    """What a corpus run with all tables asks of a page."""
    page = parse_html(data)
    contexts = pagecut.image_contexts(page)
    return (
        pagecut.segment(page).texts,
        [context.text for context in contexts],
        pagecut.text(page),
        pagecut.metadata(page),
    )


def selectolax_text(data: bytes) -> object:
    body = LexborHTMLParser(data).body
    return body.text() if body is not None else ""


def own_tasks() -> Iterator[tuple[str, Task]]:
    """Parsing alone first, which all others are compared with."""
    yield PARSE_ONLY, LexborHTMLParser
    yield "selectolax text()", selectolax_text
    yield "parse_html", parse_html
    yield "parse_html, text only", lambda data: parse_html(data).text
    for name in SEGMENTERS:
        if not segmenter(name).needs:
            yield f"segment {name}", partial(segment, segmenter(name))
    for name in EXTRACTORS:
        if not extractor(name).needs:
            yield f"images {name}", partial(extract, extractor(name))
    yield "pagecut text", lambda data: pagecut.text(parse_html(data))
    yield "pagecut text, Markdown", lambda data: pagecut.text(parse_html(data), format="markdown")
    yield "pagecut chunk", lambda data: pagecut.chunks(parse_html(data))
    yield "pagecut metadata", lambda data: pagecut.metadata(parse_html(data))
    yield "pagecut everything", everything


def turbohtml_main_text(module: Any) -> Task:
    return lambda data: module.parse(decode(data)[0]).main_text()


def turbohtml_boilerplate(module: Any) -> Task:
    return lambda data: module.boilerplate(decode(data)[0])


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
    "turbohtml main_text": ("turbohtml", turbohtml_main_text),
    "turbohtml boilerplate": ("turbohtml.extract", turbohtml_boilerplate),
    "resiliparse main content": ("resiliparse.extract.html2text", resiliparse),
    "trafilatura": ("trafilatura", trafilatura),
    "jusText": ("justext", justext),
    "boilerpy3": ("boilerpy3.extractors", boilerpy3),
    "readability-lxml": ("readability", readability),
}


def peer_tasks() -> Iterator[tuple[str, Task]]:
    for name, (module, task) in PEERS.items():
        try:
            found = task(import_module(module))
            found(b"<p>A page to try it on.</p>")
        except (ImportError, AttributeError) as error:
            print(f"left out {name}: {error} (pip install '.[bench]')", file=sys.stderr)
            continue
        yield name, found


def records(path: Path) -> Iterator[bytes]:
    """The HTML of a WARC file's responses."""
    try:
        from fastwarc.warc import ArchiveIterator, WarcRecordType
    except ImportError as error:
        raise SystemExit(f"{path}: {error}; pip install '.[bench]'") from error
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, record_types=WarcRecordType.response):
            if "html" in (record.http_content_type or ""):
                yield record.reader.read()


def read_pages(source: Path) -> list[bytes]:
    """The pages of a folder or WARC file that pagecut takes."""
    if source.is_file():
        found = records(source)
    else:
        found = (path.read_bytes() for path in sorted(source.rglob("*.html")))
    pages: list[bytes] = []
    for data in found:
        try:
            parse_html(data)
        except PagecutError:
            continue
        pages.append(data)
        if source.is_file() and len(pages) == MOST_RECORDS:
            break
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
                for _ in range(IN_A_ROW):
                    best[row, column] = min(best[row, column], cpu_time(tasks[column], data))
            gc.enable()
    return best


def table_of(names: Sequence[str], times: Times) -> list[str]:
    """The lines of a Markdown table."""
    lines = [
        "| from bytes to | ms per page | sum | median | middle half | failed |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, column in zip(names, times.T, strict=True):
        done = np.isfinite(column)
        if not done.any():
            lines.append(f"| {name} | – | – | – | – | {len(column)} |")
            continue
        own, parse = column[done], times[done, 0]
        low, median, high = np.percentile(own / parse, [25, 50, 75])
        lines.append(
            f"| {name} | {own.mean() * 1000:.2f} | {own.sum() / parse.sum():.2f} | {median:.2f} "
            f"| {low:.2f}–{high:.2f} | {int((~done).sum()) or ''} |"
        )
    return lines


def ratios_of(names: Sequence[str], times: Times) -> list[Ratio]:
    """What the picture shows of a table."""
    ratios = []
    for name, column in zip(names[1:], times.T[1:], strict=True):
        done = np.isfinite(column)
        if done.any():
            low, median, high = np.percentile(column[done] / times[done, 0], [25, 50, 75])
            ratios.append(Ratio(name, median, low, high, name.startswith(OWN)))
    return ratios


def compare(
    sources: Sequence[Path], repeats: int, every: int = 1, plot: Path | None = None
) -> Iterator[str]:
    """For each source of pages its table; the picture is of the last one.

    Args:
        every: only each so many-th page.
    """
    names, tasks = zip(*own_tasks(), *peer_tasks(), strict=True)
    for source in sources:
        pages = read_pages(source)[::every] if source.exists() else []
        if pages:
            size = sum(map(len, pages)) / len(pages) / 1000
            name = TITLES.get(source, source.name)
            times = measure(tasks, pages, repeats, name)
            if plot is not None:
                title = f"Cost as a multiple of parsing: {len(pages)} {name}"
                write_picture(plot, draw_ratios(ratios_of(names, times), title).svg())
            yield f"**{name}**: {len(pages)} pages, {size:.0f} KB each\n"
            yield "\n".join(table_of(names, times)) + "\n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The pages, and how much of the work to do."""
    parser.add_argument("sources", nargs="*", type=Path, help="folders of HTML, or WARC files")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--every", type=int, default=1, help="take only each so many-th page")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_arguments(parser)
    parser.add_argument("--plot", type=Path, metavar="FILE", help="an SVG or PNG file")
    arguments = parser.parse_args()
    sources = arguments.sources or FOLDERS
    for part in compare(sources, arguments.repeats, arguments.every, arguments.plot):
        print(part, flush=True)


if __name__ == "__main__":
    main()
