"""Shards on this machine: a thread per worker, each with a process that works on the pages."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pagecut.corpus.output.shards import ShardTask, Statistics
    from pagecut.corpus.workers.supervisor import Workbench

_END_SECONDS: Final = 1.5  # for threads to clear away what is incomplete


def run_tasks(
    tasks: Sequence[ShardTask], workers: int | None, on_pages: Callable[[int], None]
) -> Generator[Statistics, None, None]:
    """Make every shard; the statistics come as shards are done.

    A thread keeps its process from one shard to the next. Closed early, everything stops.
    """
    from pagecut.corpus.workers.supervisor import Workbench

    waiting: SimpleQueue[ShardTask] = SimpleQueue()
    done: SimpleQueue[Statistics | BaseException] = SimpleQueue()
    for task in tasks:
        waiting.put(task)
    count = min(workers or usable_cores(), len(tasks))
    benches = [Workbench(tasks[0].settings) for _ in range(count)]

    def work(bench: Workbench) -> None:
        try:
            with bench:
                while not bench.stopped:
                    done.put(waiting.get_nowait().run(on_pages, bench))
        except Empty:
            return
        except BaseException as error:
            done.put(error)

    threads = [threading.Thread(target=work, args=(bench,), daemon=True) for bench in benches]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        for bench in benches:
            bench.stop()
        end = time.monotonic() + _END_SECONDS
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
