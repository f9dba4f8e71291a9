"""What a corpus run costs, against reading and parsing alone and against trafilatura.

    python benchmarks/corpus.py [--repeats 3] [--memory docs/images/corpus-memory.svg]

One archive of pages of which none is there twice: examples/, and ../shared/data and
../shared/data-modern where they are there. Rows take turns; times are CPU times of all processes
that a row uses, the best of the repeats. What an archive of a single page takes is taken off, since
it is paid once in a run. The floor is fastwarc, decoding and selectolax's parser in one process.
With --memory the archive is run ten times over by one worker, and the memory of its processes is
plotted.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import resource
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "experiments"))

from corpus_files import read_pages, response  # noqa: E402
from fastwarc.warc import ArchiveIterator  # noqa: E402
from selectolax.lexbor import LexborHTMLParser  # noqa: E402

from pagecut.corpus import segment_warc  # noqa: E402
from pagecut.corpus.inputs import single_input  # noqa: E402
from pagecut.corpus.output.shards import ShardTask  # noqa: E402
from pagecut.corpus.settings import RunSettings  # noqa: E402
from pagecut.corpus.workers.supervisor import resident_mebibytes  # noqa: E402
from pagecut.parsing.decoding import decode  # noqa: E402
from pagecut.pictures.charts import Panel, Series, draw_chart  # noqa: E402
from pagecut.pictures.drawing import write_picture  # noqa: E402

SETTINGS = {
    "segments": RunSettings(images=()),
    "segments and images": RunSettings(),
    "main text alone": RunSettings(segment=(), images=(), text="text"),
    "segments, images, text, chunks": RunSettings(text="markdown", chunk=2000),
    "the same with metadata": RunSettings(text="markdown", chunk=2000, metadata=True),
}
SHARED = ROOT.parent / "shared"
PLACES = (ROOT / "examples", SHARED / "data", SHARED / "data-modern" / "pages")


def write_archive(path: Path, pages: Sequence[bytes]) -> None:
    with path.open("wb") as file:
        for number, body in enumerate(pages):
            record = response(f"https://example.org/{number}", body, "text/html")
            file.write(gzip.compress(record, compresslevel=6))


def bodies(path: Path) -> Iterator[tuple[bytes, str | None]]:
    for record in ArchiveIterator(path.open("rb"), parse_http=True):
        yield record.reader.read(), record.http_charset


def floor(path: Path) -> None:
    for body, charset in bodies(path):
        LexborHTMLParser(decode(body, charset)[0])


def trafilatura(path: Path) -> None:
    from trafilatura import extract

    for body, charset in bodies(path):
        extract(decode(body, charset)[0])


def resiliparse(path: Path) -> None:
    from resiliparse.extract.html2text import extract_plain_text

    for body, charset in bodies(path):
        extract_plain_text(decode(body, charset)[0], main_content=True)


def rows_of(settings: RunSettings) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        for _ in segment_warc(path, settings):
            pass

    return run


def tables_of(settings: RunSettings) -> Callable[[Path], None]:
    def run(path: Path) -> None:
        with tempfile.TemporaryDirectory() as folder:
            ShardTask(source=single_input(path), settings=settings, output=f"{folder}/out").run()

    return run


def cpu_seconds(task: Callable[[Path], None], path: Path) -> float:
    """Of this process and of those that it started."""

    def used() -> float:
        return sum(
            usage.ru_utime + usage.ru_stime
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
            for usage in [resource.getrusage(who)]
        )

    before = used()
    task(path)
    return used() - before


def measure_memory(path: Path, plot: Path) -> None:
    """Run the archive many times over with one worker, and plot what its processes hold."""
    with tempfile.TemporaryDirectory() as folder:
        long = Path(folder) / "long.warc.gz"
        with long.open("wb") as file:
            for _ in range(10):
                file.write(path.read_bytes())
        points: list[tuple[float, float, float]] = []
        pages = 0
        done = threading.Event()

        def watch() -> None:
            while not done.wait(0.5):
                children = [
                    int(child)
                    for task in Path("/proc/self/task").iterdir()
                    for child in (task / "children").read_text().split()
                ]
                worker = sum(resident_mebibytes(child) for child in children)
                points.append((pages / 1000, resident_mebibytes(os.getpid()), worker))

        watcher = threading.Thread(target=watch)
        watcher.start()

        def count(rows: int) -> None:
            nonlocal pages
            pages += rows

        task = ShardTask(source=single_input(long), settings=RunSettings(), output=f"{folder}/out")
        print(task.run(count))
        done.set()
        watcher.join()
    across = [x for x, _, _ in points]
    series = [
        Series(name="worker: reads and cuts", x=across, y=[each for _, _, each in points]),
        Series(name="parent: writes Parquet", x=across, y=[each for _, each, _ in points]),
    ]
    chart = draw_chart(
        [Panel(y_label="MiB in RAM", series=series)],
        title="Memory of a corpus run with one worker",
        x_label="thousand pages",
    )
    write_picture(plot, chart.svg())
    for each in series:
        values = [value for value in each.y if value]
        third = max(len(values) // 3, 1)
        print(
            f"{each.name}: median of the first third {sorted(values[:third])[third // 2]:.0f} MiB, "
            f"of the last third {sorted(values[-third:])[third // 2]:.0f} MiB"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory", type=Path)
    arguments = parser.parse_args()
    tasks: dict[str, Callable[[Path], None]] = {"floor: read, decode, parse": floor}
    tasks |= {f"rows: {name}": rows_of(settings) for name, settings in SETTINGS.items()}
    tasks["Parquet: segments and images"] = tables_of(SETTINGS["segments and images"])
    tasks |= {"resiliparse, main content": resiliparse, "trafilatura": trafilatura}
    with tempfile.TemporaryDirectory() as folder:
        path, single = Path(folder) / "pages.warc.gz", Path(folder) / "single.warc.gz"
        pages = list(dict.fromkeys(read_pages(PLACES, most_bytes=1_500_000)))
        random.Random(1).shuffle(pages)
        write_archive(path, pages)
        write_archive(single, pages[:1])
        size, packed = sum(map(len, pages)), path.stat().st_size
        print(f"{len(pages)} pages, {size / 1e6:.1f} MB of HTML, {packed / 1e6:.1f} MB packed")
        if arguments.memory:
            measure_memory(path, arguments.memory)
            return
        best, start = dict.fromkeys(tasks, float("inf")), dict.fromkeys(tasks, float("inf"))
        for _ in range(arguments.repeats):
            for name, task in tasks.items():
                try:
                    start[name] = min(start[name], cpu_seconds(task, single))
                    best[name] = min(best[name], cpu_seconds(task, path))
                except ImportError as error:
                    print(f"{name}: skipped, {error}", file=sys.stderr)
    measured = [name for name in tasks if best[name] < float("inf")]
    cost = {name: (best[name] - start[name]) / (len(pages) - 1) for name in measured}
    base = cost["floor: read, decode, parse"]
    print(
        "| from an archive to | CPU ms per page | ratio to the floor | pages per core and second "
        "| start, s |"
    )
    print("|---|---|---|---|---|")
    for name, each in cost.items():
        row = f"{each * 1000:.2f} | {each / base:.1f} | {1 / each:,.0f} | {start[name]:.2f}"
        print(f"| {name} | {row} |")


if __name__ == "__main__":
    main()
