"""Shards by Apache Spark, and a function for Spark jobs of your own.

The session is the one that is running, else one with the master and options of the user's
configuration (spark-defaults.conf, PYSPARK_SUBMIT_ARGS); without any, Spark runs on this machine.
"""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pagecut.corpus.engines import require_arrow
from pagecut.errors import needed

if TYPE_CHECKING:
    import pyarrow as pa

    from pagecut.corpus.output.shards import ShardTask, Statistics
    from pagecut.corpus.settings import RunSettings

Batches: TypeAlias = "Iterator[pa.RecordBatch]"

_LOOK_EVERY: Final = 1.0  # seconds
_LOCAL_TRIES: Final = 4  # of a task, as many as on a cluster


def segment_archives(settings: RunSettings) -> Callable[[Batches], Batches]:
    """A function for `DataFrame.mapInArrow`: paths in a column `path` in, a row per page out.

    pages = paths.mapInArrow(segment_archives(settings), spark_schema(settings))
    """
    require_arrow("spark")
    from pagecut.corpus import segment_warc

    def segment(batches: Batches) -> Batches:
        for batch in batches:
            for path in batch.column(batch.schema.get_field_index("path")).to_pylist():
                yield from segment_warc(path, settings)

    return segment


def spark_schema(settings: RunSettings) -> Any:
    """The schema of those rows, as Spark writes it."""
    _spark()
    from pyspark.sql.pandas.types import from_arrow_schema

    from pagecut.corpus.output.tables import record_schema

    return from_arrow_schema(record_schema(settings))


def run_tasks(
    tasks: Sequence[ShardTask], workers: int | None, on_pages: Callable[[int], None]
) -> Generator[Statistics, None, None]:
    """Make every shard as a task of one Spark job; Spark repeats those that fail."""
    session = _session(workers)
    from pagecut.corpus.output.shards import pages_of

    slices = max(1, len(tasks))
    texts = [(task.to_json(),) for task in tasks]
    context = session.sparkContext
    group = f"pagecut-{uuid.uuid4().hex}"

    def collect() -> Sequence[Any]:
        context.setJobGroup(group, "pagecut run", interruptOnCancel=True)
        frame = session.createDataFrame(context.parallelize(texts, numSlices=slices), "task string")
        found: Sequence[Any] = frame.mapInArrow(_run_batches, "statistics string").collect()
        return found

    try:
        for statistics in _as_they_come(collect, tasks):
            on_pages(pages_of(statistics))
            yield statistics
    except GeneratorExit:
        context.cancelJobGroup(group)
        raise


def _session(workers: int | None) -> Any:
    """The session; on this machine alone one that repeats a task whose worker died."""
    builder = _spark().builder.appName("pagecut")
    if _spark().getActiveSession() is None:
        from pyspark import SparkConf

        master = SparkConf().get("spark.master") or "local[*]"
        if found := re.fullmatch(r"local(?:\[([\d*]+)\])?", master):
            cores = workers or found[1] or 1
            builder = builder.master(f"local[{cores},{_LOCAL_TRIES}]")
    session = builder.getOrCreate()
    if workers:
        session.conf.set("spark.default.parallelism", str(workers))
    return session


def _as_they_come(
    collect: Callable[[], Sequence[Any]], tasks: Sequence[ShardTask]
) -> Iterator[Statistics]:
    """The statistics of each shard once it is marked as complete.

    Spark hands over all rows of a job at its end; until then the markers in the output say it.
    """
    from pagecut.corpus.output.folder import OutputFolder
    from pagecut.corpus.output.shards import MARKERS

    unseen = {task.name: task for task in tasks}
    pool = ThreadPoolExecutor(1)
    try:
        job = pool.submit(collect)
        while not wait([job], timeout=_LOOK_EVERY).done:
            folder = OutputFolder(tasks[0].output)
            for marker in folder.names(MARKERS):
                task = unseen.get(marker.removesuffix(".json"))
                if task is not None and (statistics := task.finished(folder)):
                    del unseen[task.name]
                    yield statistics
        for row in job.result():
            statistics = json.loads(row["statistics"])
            if statistics["shard"] in unseen:
                yield statistics
    finally:
        pool.shutdown(wait=False)


def _run_batches(batches: Batches) -> Batches:
    import pyarrow as pa

    from pagecut.corpus.output.shards import ShardTask
    from pagecut.corpus.workers.supervisor import workbench_of_process

    for batch in batches:
        for text in batch.column(0).to_pylist():
            task = ShardTask.from_json(text)
            done = json.dumps(task.run(bench=workbench_of_process(task.settings)))
            yield pa.record_batch([pa.array([done], pa.string())], names=["statistics"])


def _spark() -> Any:
    require_arrow("spark")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    with needed("pyspark", "spark"):
        from pyspark.sql import SparkSession
    return SparkSession
