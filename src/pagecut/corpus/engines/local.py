"""Shards on this machine: a thread per worker, each with a process that works on the pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagecut.corpus.shards import ShardTask, Statistics


def run_tasks(
    tasks: Sequence[ShardTask], workers: int | None, on_rows: Callable[[int], None]
) -> Iterator[Statistics]:
    """Make every shard; the statistics come as shards are done."""
    pool = ThreadPoolExecutor(max_workers=workers or usable_cores())
    try:
        waiting = [pool.submit(task.run, on_rows) for task in tasks]
        for done in as_completed(waiting):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
