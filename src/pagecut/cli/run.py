"""The command that runs over a corpus."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

import click

from pagecut.cli.inputs import print_error, say_left_out
from pagecut.cli.options import (
    FormatChoice,
    all_images_option,
    favour_option,
    follow_links_option,
    min_confidence_option,
    sources_argument,
)
from pagecut.cli.results import check_no_threshold, print_thresholds
from pagecut.content.formats import TEXT_FORMATS
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.corpus.output.summary import Summary
    from pagecut.corpus.settings import RunSettings

NONE = "none"
NOTABLE_SECONDS = 1.0
LOG_SECONDS = 10.0
NAMED = 3  # inputs without pages
FAILED_PAGES = 5  # that are named
FAILED_INPUTS = 20
NO_PAGES = (
    "no pages were found; what was read instead is counted above. Give WARC files with responses "
    "in HTML, or HTML files or folders of them"
)
_FILE = re.compile(r"\.(?:parquet|jsonl?|csv)(?:\.gz)?/?$", re.IGNORECASE)


def _harmless(tell: Callable[..., object]) -> Callable[..., None]:
    """Tells what it is given; where that cannot be written, the work goes on all the same."""

    def told(*given: Any) -> None:
        with contextlib.suppress(OSError):
            tell(*given)

    return told


_say = _harmless(partial(click.echo, err=True))
_complain = _harmless(print_error)


@contextmanager
def _as_a_job() -> Iterator[None]:
    """Ended by SIGTERM as by Ctrl-C, with 130; by no stream that cannot be written."""

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    for number in range(3):  # else files of the run would take the places of closed streams
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        _complain("stopped: interrupted; --resume goes on")
        sys.exit(130)  # as shells have it
    finally:
        signal.signal(signal.SIGTERM, before)
        for stream in sys.stdout, sys.stderr:
            _let_go(stream)


def _let_go(stream: TextIO | None) -> None:
    """Drop what a stream cannot write, which would change the exit code."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@click.command()
@sources_argument("INPUT...")
@click.option(
    "-o", "--output", required=True, metavar="DIR|URL", help="The folder to write the tables to."
)
@click.option(
    "--engine",
    type=click.Choice(["local", "spark", "ray"]),
    default="local",
    show_default=True,
    help="What runs the work.",
)
@click.option(
    "--segment",
    "segmenters",
    metavar="SPEC",
    multiple=True,
    help="A segmenter; several may be given; `none` for none.",
)
@click.option(
    "--images",
    "extractors",
    metavar="SPEC",
    multiple=True,
    help="An image-context extractor; several may be given; `none` for none.",
)
@click.option(
    "--text",
    type=FormatChoice([NONE, *TEXT_FORMATS]),
    default=NONE,
    show_default=True,
    help="Also the main text of each page.",
)
@favour_option
@click.option("--metadata", is_flag=True, help="Also title, authors, dates and more of each page.")
@click.option(
    "--chunk", type=click.IntRange(min=20), metavar="N", help="Also chunks of N characters."
)
@click.option(
    "--format",
    "shape",
    type=click.Choice(["parquet", "jsonl", "obelics", "img2dataset"]),
    default="parquet",
    show_default=True,
    help="Tables as Parquet or JSON Lines; or images in the shapes of image-text corpora.",
)
@all_images_option
@min_confidence_option
@click.option("--render", is_flag=True, help="Render each page first; needed by some methods.")
@click.option(
    "--per-template",
    is_flag=True,
    help="One threshold of box-clustering for all pages of a template, found in a first round.",
)
@click.option(
    "--columns",
    metavar="TABLE=NAME,...",
    multiple=True,
    help="The columns of a table that are kept; several may be given.",
)
@click.option("--resume", is_flag=True, help="Go on with a run: skip the shards that are done.")
@click.option(
    "--redo",
    metavar="SHARD",
    multiple=True,
    help="Go on with a run, and make this shard anew; several may be given.",
)
@click.option(
    "--rank", type=click.IntRange(min=0), default=0, metavar="R", help="Of several runs, which."
)
@click.option(
    "--world-size",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="How many runs share the inputs and the folder.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes; one per core if not given.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most N pages of each input; what is not HTML does not count.",
)
@click.option(
    "--shard-size",
    type=click.FloatRange(min=0.001),
    metavar="MIB",
    help="Part of an archive that becomes a file; chosen by the number of workers if not given.",
)
@click.option(
    "--file-size",
    type=click.FloatRange(min=0.001),
    metavar="MIB",
    help="Begin another file of a table where one has reached this size.",
)
@click.option(
    "--row-group",
    type=click.FloatRange(min=0.001),
    metavar="MIB",
    help="Rows in memory that are written as one row group, of all tables together.",
)
@click.option(
    "--index", is_flag=True, help="Also write where each page is in the tables, sorted by address."
)
@click.option("--prefix", default="", help="Put before each path of a list or an index.")
@follow_links_option
@click.option("--max-size", type=click.FloatRange(min=0.001), metavar="MIB", help="Largest page.")
@click.option(
    "--max-seconds", type=click.FloatRange(min=0.01), metavar="S", help="Most CPU time for a page."
)
@click.option(
    "--max-memory", type=click.IntRange(min=256), metavar="MIB", help="Most memory for a page."
)
@click.option(
    "--max-error-rate",
    type=click.FloatRange(0, 1),
    default=0.1,
    show_default=True,
    help="Stop, and exit with 1, if a larger share of the pages has errors.",
)
@_as_a_job()
def run(
    sources: tuple[str, ...],
    output: str,
    engine: str,
    segmenters: tuple[str, ...],
    extractors: tuple[str, ...],
    text: str,
    favour: str,
    metadata: bool,
    chunk: int | None,
    shape: str,
    every_element: bool,
    min_confidence: float,
    render: bool,
    per_template: bool,
    columns: tuple[str, ...],
    resume: bool,
    redo: tuple[str, ...],
    rank: int,
    world_size: int,
    workers: int | None,
    limit: int | None,
    shard_size: float | None,
    file_size: float | None,
    row_group: float | None,
    index: bool,
    prefix: str,
    follow_links: bool,
    max_size: float | None,
    max_seconds: float | None,
    max_memory: int | None,
    max_error_rate: float,
) -> None:
    """Cut all pages of WARC files or folders, and write tables."""
    from pagecut.contexts import DEFAULT_EXTRACTOR
    from pagecut.errors import needed
    from pagecut.segmenters import DEFAULT_SEGMENTER

    with needed("pyarrow", "warc"):
        import pyarrow  # noqa: F401  (the modules of a run cannot be imported without it)
    from pagecut.corpus.inputs import expand_inputs
    from pagecut.corpus.options import RunOptions
    from pagecut.corpus.output.shards import ROW_GROUP_BYTES
    from pagecut.corpus.output.tables import check_columns
    from pagecut.corpus.run import run_corpus
    from pagecut.corpus.settings import RunSettings
    from pagecut.corpus.template_run import run_by_template

    if _FILE.search(output) and not (resume or redo):
        raise click.UsageError(
            f"--output {output}: a run writes a folder of tables, not a file; name a folder, as in "
            "--output tables"
        )
    given: dict[str, Any] = {
        "segment": _specs(segmenters, DEFAULT_SEGMENTER),
        "images": _specs(extractors, DEFAULT_EXTRACTOR),
        "text": "" if text == NONE else text,
        "favour": favour,
        "metadata": metadata,
        "chunk": chunk or 0,
        "shape": shape if shape in ("obelics", "img2dataset") else "tables",
        "every_element": every_element,
        "min_confidence": min_confidence,
        "render": render,
        "limit": limit or 0,
        "columns": columns,
    }
    if max_size:
        given["size"] = int(max_size * 2**20)
    if max_seconds:
        given["seconds"] = max_seconds
    if max_memory:
        given["memory"] = max_memory
    try:
        settings = RunSettings(**given)
        check_columns(settings)
        options = RunOptions(
            engine=engine,
            format="jsonl" if shape == "jsonl" else "parquet",
            workers=workers,
            resume=resume,
            redo=redo,
            rank=rank,
            world_size=world_size,
            shard_bytes=_bytes(shard_size),
            file_bytes=_bytes(file_size),
            row_group=_bytes(row_group) or ROW_GROUP_BYTES,
            max_error_rate=max_error_rate,
            index=index,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    found = expand_inputs(
        sources,
        prefix,
        follow_links=follow_links,
        on_folder=_harmless(say_left_out),
    )
    make = run_corpus
    if per_template:
        _by_template_only(settings, segmenters)
        make = partial(run_by_template, on_thresholds=_harmless(print_thresholds))
    with _progress() as watch:
        summary = make(found, settings, output, options, watch)
    printed = _print_summary(summary)
    _report(summary, max_error_rate)
    if not printed:
        _complain("the summary cannot be written to standard output; _summary.json has it")
        sys.exit(1)
    if not summary.pages and world_size == 1:  # of several runs, the others may find pages
        named = ", ".join(sources[:NAMED]) + (", …" if len(sources) > NAMED else "")
        all_failed = summary.error_rate > 0
        _complain(
            f"{named}: {'every page has an error, as said above' if all_failed else NO_PAGES}"
        )
        sys.exit(1)


def _bytes(mebibytes: float | None) -> int:
    return int((mebibytes or 0) * 2**20)


def _by_template_only(settings: RunSettings, given: Sequence[str]) -> None:
    """The specs as given, since those of the settings leave out what is the default."""
    from pagecut.segmenters import segmenter
    from pagecut.segmenters.box_clustering import BoxClustering

    try:
        settings.box_clustering  # noqa: B018  (raises where there is none)
    except ValueError as error:
        raise click.UsageError(f"--per-template: {error}") from error
    for spec in given:
        if spec != NONE and isinstance(segmenter(spec), BoxClustering):
            check_no_threshold(spec)


def _specs(given: tuple[str, ...], default: str) -> tuple[str, ...]:
    if not given:
        return (default,)
    return tuple(spec for spec in given if spec != NONE)


def _print_summary(summary: Summary) -> bool:
    """As JSON, unless people or nobody would read it; whether that went well."""
    if sys.stdout is None or sys.stdout.isatty():  # people have what `_report` says
        return True
    try:
        click.echo(json.dumps(summary.to_json()))
    except BrokenPipeError:
        return True
    except OSError:
        return False
    return True


def _report(summary: Summary, max_error_rate: float) -> None:
    """What people want to know, and the exit code."""
    from pagecut.corpus.run import INTERRUPTED

    seconds = max(summary.seconds, 1e-9)
    rates = (
        f"{summary.seconds:.1f} s, {summary.new_pages / seconds:,.0f} pages/s, "
        f"{summary.new_bytes / seconds / 1e6:.1f} MB/s"
    )
    old = summary.resumed + summary.other_ranks
    nothing_new = 0 < summary.shards == old and not (summary.failed or summary.stopped)
    others = f", {summary.not_given} of inputs not given now" if summary.not_given else ""
    others += f", {summary.other_ranks} of other ranks" if summary.other_ranks else ""
    _say(
        f"{counted(summary.shards, 'shard')} ({summary.resumed} from before{others}): "
        f"{counted(summary.records, 'record')}, {counted(summary.pages, 'page')}, "
        f"{counted(sum(summary.errors.values()), 'error')}, "
        f"{sum(summary.skipped.values()):,} skipped; "
        f"{'nothing was left to do' if nothing_new else rates}"
    )
    for name, counts in (
        ("errors", summary.errors),
        ("skipped", summary.skipped),
        ("images left out", summary.left_out),
    ):
        if counts:
            _say(f"{name}: {_counted(counts)}")
    for shard, why in summary.damaged.items():
        _say(f"made anew: {shard}: {why}")
    _name_pages(summary)
    if summary.pages and summary.rows.get("img2dataset") == 0:
        _complain(
            "img2dataset is empty: no image has a web address; a plain file needs <base href> or a "
            "canonical address for that, records of WARC archives do not"
        )
    for name, message in islice(summary.failed.items(), FAILED_INPUTS):
        _complain(message if name in message else f"{name}: {message}")
    if (more := len(summary.failed) - FAILED_INPUTS) > 0:
        _complain(f"and {counted(more, 'other input')} failed: _summary.json has all")
    if summary.error_rate > max_error_rate:
        _complain(
            f"{summary.error_rate:.1%} of the pages have errors, more than the limit of "
            f"{max_error_rate:.1%}"
        )
    if summary.stopped:
        _complain(f"stopped: {summary.stopped}; --resume goes on")
    if summary.stopped == INTERRUPTED:
        sys.exit(130)  # as shells have it
    if summary.failed or summary.stopped or summary.error_rate > max_error_rate:
        sys.exit(1)


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in counts.items())


def _name_pages(summary: Summary) -> None:
    """Pages that failed, those that took long, and those that processes were lost at."""
    from pagecut.corpus.output.shards import failures

    for source, name, reason in summary.failed_pages[:FAILED_PAGES]:
        _complain(f"{name or source}: {reason}")  # the columns that name it may be left out
    if (more := failures(summary.errors) - FAILED_PAGES) > 0:
        _say(f"and {counted(more, 'other')}: the column error of the table pages")
    slow = [each for each in summary.slowest if each[0] >= NOTABLE_SECONDS]
    for seconds, source, url, offset in slow:
        _say(f"slow: {seconds:.1f} s of CPU time, {url} ({source} at {offset})")
    for source, offset, reason in summary.restarted:
        _say(f"restarted: {source} at {offset}: {reason}")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Shards, pages and pages per second while they come: one changing line, or a log."""
    if sys.stderr is None or not sys.stderr.isatty():
        with _Log() as log:
            yield log.watch
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    progress = Progress(
        SpinnerColumn(),
        TextColumn(
            "{task.completed:,.0f} shards, {task.fields[pages]:,} pages, {task.fields[rate]:,.0f}/s"
        ),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("shards", total=None, pages=0, rate=0.0)
    pages = new = 0

    def watch(done: int, added: int) -> None:
        nonlocal pages, new
        pages += added
        new += 0 if done else added
        elapsed = progress.tasks[0].elapsed or 1.0
        progress.update(task, advance=done, pages=pages, rate=new / max(elapsed, 0.001))

    _harmless(progress.start)()
    try:
        yield watch
    finally:
        _harmless(progress.stop)()


class _Log:
    """A line on standard error every ten seconds, for those who read it later."""

    def __init__(self) -> None:
        self.shards = self.pages = self.pages_then = 0
        self.began = self.last = time.monotonic()
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._tell, daemon=True)

    def watch(self, shards: int, pages: int) -> None:
        with self.lock:
            self.shards += shards
            self.pages += pages
            self.pages_then += pages if shards else 0

    def _tell(self) -> None:
        while not self.ended.wait(LOG_SECONDS):
            now = time.monotonic()
            with self.lock:
                shards, pages = self.shards, self.pages
                rate = (pages - self.pages_then) / (now - self.last)
                self.last, self.pages_then = now, pages
            _say(
                f"{datetime.now():%Y-%m-%d %H:%M:%S} {counted(shards, 'shard')}, "
                f"{counted(pages, 'page')}, {rate:,.0f} pages/s now, {now - self.began:,.0f} s"
            )

    def __enter__(self) -> _Log:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join(1.0)  # it may wait for a reader that does not read
