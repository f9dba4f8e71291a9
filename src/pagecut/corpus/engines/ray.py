"""Shards by Ray Data, and a function for Ray pipelines of your own.

The cluster is the one that this process is connected to, or that RAY_ADDRESS names; without
either, Ray runs on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pagecut.corpus.engines import require_arrow
from pagecut.errors import needed

if TYPE_CHECKING:
    import pyarrow as pa

    from pagecut.corpus.output.shards import ShardTask, Statistics
    from pagecut.corpus.settings import RunSettings


def segment_archives(settings: RunSettings) -> Callable[[pa.Table], Iterator[pa.Table]]:
    """A function for `Dataset.map_batches`: paths in a column `path` in, a row per page out.

    pages = paths.map_batches(segment_archives(settings), batch_format="pyarrow", batch_size=1)
    """
    require_arrow("ray")
    import pyarrow as pa

    from pagecut.corpus import segment_warc

    def segment(table: pa.Table) -> Iterator[pa.Table]:
        for path in table.column("path").to_pylist():
            for batch in segment_warc(path, settings):
                yield pa.Table.from_batches([batch])

    return segment


def run_tasks(
    tasks: Sequence[ShardTask], workers: int | None, on_pages: Callable[[int], None]
) -> Generator[Statistics, None, None]:
    """Make every shard as a task of Ray Data; Ray repeats those whose worker dies."""
    ray = _ray()
    from pagecut.corpus.output.shards import pages_of

    started = not ray.is_initialized()
    if started:
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        items = [{"task": task.to_json()} for task in tasks]
        shards = ray.data.from_items(items, override_num_blocks=max(1, len(items)))
        done = shards.map_batches(_run_batch, batch_size=1, batch_format="pyarrow", num_cpus=1)
        for row in done.iter_rows():
            statistics = json.loads(row["statistics"])
            on_pages(pages_of(statistics))
            yield statistics
    finally:
        if started:
            ray.shutdown()


def _run_batch(table: pa.Table) -> pa.Table:
    import pyarrow as pa

    from pagecut.corpus.output.shards import ShardTask
    from pagecut.corpus.workers.supervisor import workbench_of_process

    tasks = map(ShardTask.from_json, table["task"].to_pylist())
    done = [json.dumps(task.run(bench=workbench_of_process(task.settings))) for task in tasks]
    return pa.table({"statistics": pa.array(done, pa.string())})


def _ray() -> Any:
    require_arrow("ray")
    with needed("ray", "ray"):
        import ray
        import ray.data
    return ray
