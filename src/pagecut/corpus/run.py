"""A corpus run: inputs to shards by an engine, finished ones skipped, and a summary."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

from pagecut.corpus.engines import Engine
from pagecut.corpus.engines import engine as find_engine
from pagecut.corpus.inputs import Found, Input
from pagecut.corpus.options import RunOptions
from pagecut.corpus.output.folder import WRITING, CannotWrite, OutputFolder
from pagecut.corpus.output.run_layout import (
    RANKS,
    RUN_FILE,
    check_is_free,
    plan_layout,
    prepare_output,
)
from pagecut.corpus.output.shard_checks import (
    bad_seams,
    changed_inputs,
    damaged_shards,
    other_indexes,
    ungrouped,
)
from pagecut.corpus.output.shards import (
    MARKERS,
    ShardTask,
    Statistics,
    failures,
    marked_shards,
    pages_of,
    read_marker,
    remove_shard,
)
from pagecut.corpus.output.summary import Summary, manifest_of, sum_up
from pagecut.corpus.output.tables import check_columns
from pagecut.corpus.planning import archive_sizes, plan_shards
from pagecut.corpus.settings import RunSettings
from pagecut.errors import FormatError, counted

SUMMARY_FILE: Final = "_summary.json"
MANIFEST_FILE: Final = "_manifest.json"
SUCCESS_FILE: Final = "_SUCCESS"
INTERRUPTED: Final = "interrupted"
# A share of the first few pages says little.
JUDGED_PAGES: Final = 1000
_AT_ONCE: Final = 32  # markers that are read

OnProgress = Callable[[int, int], None]


def run_corpus(
    found: Found,
    settings: RunSettings,
    output: str,
    options: RunOptions | None = None,
    on_progress: OnProgress = lambda _shards, _pages: None,
) -> Summary:
    """Make shards of the inputs, and sum up all that the output holds.

    Ctrl-C (KeyboardInterrupt) ends it early, with a summary that says so.

    Args:
        output: a folder, or the URL of one.
        on_progress: called with how many shards, and pages without an error, have been added: those
            from before with both, new pages as they come and their shards later.
    """
    options = options or RunOptions()
    check_columns(settings)
    run_tasks = find_engine(options.engine)
    folder = OutputFolder(output)
    check_is_free(folder, options)
    with folder.locked(options.rank, options.world_size):
        return _Run(found, settings, folder, options, run_tasks, on_progress).make()


@dataclass(slots=True)
class _Run:
    found: Found
    settings: RunSettings
    folder: OutputFolder
    options: RunOptions
    run_tasks: Engine
    on_progress: OnProgress
    done: dict[str, Statistics] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    identities: dict[str, str] = field(default_factory=dict)  # of archives, to their inputs
    judged: Counter[str] = field(default_factory=Counter)
    damaged: dict[str, str] = field(default_factory=dict)  # shards that are made anew, and why
    mended: set[tuple[str, int]] = field(default_factory=set)  # parts, and where they begin now
    stopped: str = ""

    def make(self) -> Summary:
        began = time.monotonic()
        tasks = self._plan()
        own = {task.name for task in tasks[self.options.rank :: self.options.world_size]}
        todo = self._find_work(tasks, own)
        self._work_off(tasks, own, todo)
        with self.folder.alone():  # who comes last has the markers of all
            self._compare_with_others(tasks)
            summary = self._sum_up(tasks, own, began)
        shared = self.options.world_size > 1
        self.folder.remove(f"{WRITING}/{self.folder.writer}" if shared else WRITING)
        return summary

    def _plan(self) -> list[ShardTask]:
        """The shards that the inputs become, as the folder remembers from now on."""
        with self.folder.alone():
            layout = plan_layout(self.folder, self.settings, self.options, self.found.inputs)
            sizes = archive_sizes(self.found.inputs) if layout["shard_bytes"] else {}
            self._check_redo(layout, sizes)
            prepare_output(self.folder, self.settings, self.options, layout)
            self._settle_sizes(layout, sizes)
        return self._tasks(layout, self.found.inputs)

    def _find_work(self, tasks: Sequence[ShardTask], own: set[str]) -> list[ShardTask]:
        """What is left to do of one's own; what is finished counts as progress."""
        names = {task.name for task in tasks}
        for name in own & {*self.options.redo}:  # others who share the folder make theirs
            remove_shard(self.folder, name)
        self._read_markers()
        self._remove_damaged(names, own)
        left = self._left_to_do(tasks)
        todo = [task for task in left if task.name in own]
        todo = todo or list(self._to_mend(tasks, own))
        unfinished = {task.name for task in todo}
        finished = [name for name in own - unfinished if name in self.done]
        self.on_progress(len(finished), sum(pages_of(self.done[each]) for each in finished))
        if todo or self.failed or not names <= self.done.keys():
            self.folder.remove(SUCCESS_FILE)
        return todo

    def _work_off(
        self, tasks: Sequence[ShardTask], own: set[str], todo: Sequence[ShardTask]
    ) -> None:
        try:
            while todo and not self.stopped:
                self._make_shards(todo)
                self._read_markers()
                todo = list(self._to_mend(tasks, own))
                self.on_progress = lambda _shards, _pages: None  # what is made again counts once
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        except OSError as error:  # no process can be started, or no temporary file written
            self.stopped = f"the work cannot go on: {error.strerror or error}"

    def _compare_with_others(self, tasks: Sequence[ShardTask]) -> None:
        """Find what failed when the shards of all are seen together."""
        shared = self.options.world_size > 1
        if shared:
            self.done.clear()  # others may have made theirs anew
        self._read_markers()  # also of others that share the folder, and of the last moment
        self._remove_copies()
        if not self.stopped:
            self._tell_of_bad_seams(tasks)
        self._tell_of_missing_archives(tasks)
        if shared:
            self._share_failures(tasks)

    def _sum_up(self, tasks: Sequence[ShardTask], own: set[str], began: float) -> Summary:
        """Write the summary and the manifest, and whether all is done."""
        names = {task.name for task in tasks}
        summary = sum_up(
            self.done.values(),
            made=self.made,
            given=names,
            own=own,
            files_skipped=self.found.skipped,
            damaged={name: why for name, why in self.damaged.items() if name in self.made},
            failed=self.failed,
            stopped=self.stopped,
            seconds=time.monotonic() - began,
        )
        try:
            self.folder.write_json(SUMMARY_FILE, summary.to_json())
            self.folder.write_json(MANIFEST_FILE, manifest_of(self.done))
            if not self.failed and not self.stopped and names <= self.done.keys():
                self.folder.write_json(SUCCESS_FILE, {})
            elif self.failed:
                self.folder.remove(SUCCESS_FILE)
        except CannotWrite as error:  # what was found is told all the same
            self.folder.remove(SUCCESS_FILE)
            summary = replace(summary, stopped=summary.stopped or str(error))
        return summary

    def _tasks(self, layout: dict[str, Any], inputs: Sequence[Input]) -> list[ShardTask]:
        shards = plan_shards(
            inputs, layout["shard_bytes"], layout["groups"], layout.get("archives", {})
        )
        return [
            ShardTask(
                source=source,
                settings=self.settings,
                output=self.folder.path,
                format=self.options.format,
                writer=self.folder.writer,
                row_group=self.options.row_group,
                file_bytes=self.options.file_bytes,
                index=self.options.index,
            )
            for source in shards
        ]

    def _check_redo(self, layout: dict[str, Any], now: dict[str, int]) -> None:
        """Refuse a name of no shard before any is removed; then the run is complete no longer.

        Args:
            now: the size of each archive, by which it would be cut anew.
        """
        if not self.options.redo:
            return
        cut_anew = layout | {"archives": layout.get("archives", {}) | now}
        plans = [self._tasks(plan, self.found.inputs) for plan in (layout, cut_anew)]
        known = {task.name for plan in plans for task in plan}
        for name in self.options.redo:
            if name not in known:
                raise FormatError(
                    f"no shard {name} is made of these inputs; {MARKERS} of the output lists shards"
                )
        self.folder.remove(SUCCESS_FILE)
        self.folder.remove(MANIFEST_FILE)

    def _settle_sizes(self, layout: dict[str, Any], now: dict[str, int]) -> None:
        """Remember the size by which each archive is cut; one that has changed is refused whole.

        Else its new parts would stand beside the old ones. With `redo` of one of its shards all of
        them go.
        """
        if not layout["shard_bytes"]:
            return
        sizes: dict[str, int] = layout.setdefault("archives", {})
        complete = marked_shards(self.folder)
        for source in self.found.inputs:
            size = now.get(source.name)
            old = sizes.get(source.name, size)
            if size is None or old is None or (old == 0 != size):
                continue
            if old != size:
                planned = [task.name for task in self._tasks(layout, [source])]
                made = [name for name in planned if name in complete]
                if made and not {*planned} & {*self.options.redo}:
                    self.failed[source.name] = (
                        f"{source.path}: has {size:,} bytes, and its shards were made of {old:,}; "
                        f"--redo {made[0]} makes it anew, with all parts"
                    )
                    continue
                if made and self.options.world_size > 1:
                    raise FormatError(
                        f"{source.path}: has changed, and is cut anew: --redo it without --rank"
                    )
                for name in made:
                    remove_shard(self.folder, name)
            sizes[source.name] = size
        self.folder.write_json(RUN_FILE, layout)

    def _read_markers(self) -> None:
        unread = sorted(marked_shards(self.folder) - self.done.keys())
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for found in pool.map(partial(read_marker, self.folder), unread):
                if found:
                    self.done[found["shard"]] = found
                    self.identities.setdefault(found["identity"] or found["shard"], found["input"])

    def _remove_damaged(self, names: set[str], own: set[str]) -> None:
        """Remove shards that are not as their markers say, so that they are made anew.

        Of several ranks each looks at its own: others may just now be writing theirs.
        """
        marked = marked_shards(self.folder)
        looked_at = marked & own if self.options.world_size > 1 else marked
        damaged = damaged_shards(self.folder, looked_at, self.done)
        if damaged:
            self.folder.remove(SUCCESS_FILE)
            self.folder.remove(MANIFEST_FILE)
        for name, why in damaged.items():
            marker = self.done.pop(name, None)
            remove_shard(self.folder, name)
            if name in names:
                self.damaged[name] = why
            else:
                source = marker["input"] if marker else name
                self.failed[source] = f"{source}: {why}; its shard was removed: give it again"

    def _left_to_do(self, tasks: Sequence[ShardTask]) -> Iterator[ShardTask]:
        """The tasks without a shard; one whose input has changed since is refused by itself.

        An index that names other records than before is refused whole.
        """
        others = other_indexes(tasks, self.done)
        self.failed = changed_inputs(tasks, self.done) | self.failed
        for task in tasks:
            marker = self.done.get(task.name)
            if task.source.name in self.failed:
                continue
            if task.source.records and (other := others.get(ungrouped(task))):
                self.failed[task.source.name] = other
            elif marker is None:
                yield task
            elif task.source.files:
                held = {path for _, path, _ in marker["files"]}
                if any(path not in held for _, path in task.source.files):
                    old = {(name, path) for name, path, _ in marker["files"]}
                    files = tuple(sorted(old | set(task.source.files)))
                    yield replace(task, source=replace(task.source, files=files))
            elif not task.made(marker) or marker.get("missing"):
                yield task

    def _remove_copies(self) -> None:
        """Keep one of the copies of an archive that those who share the folder made."""
        first: dict[str, str] = {}
        for name, each in sorted(self.done.items(), key=lambda item: item[1]["input"]):
            source = each["input"]
            if each["identity"] and (twin := first.setdefault(each["identity"], source)) != source:
                remove_shard(self.folder, name)
                del self.done[name]
                self.made.discard(name)
                self.failed[source] = f"{source}: is the same archive as {twin}"

    def _make_shards(self, todo: Sequence[ShardTask]) -> None:
        work = self.run_tasks(todo, self.options.workers, lambda pages: self.on_progress(0, pages))
        try:
            for statistics in work:
                self._take(statistics)
                self.on_progress(int(statistics["shard"] in self.made), 0)
                if self.stopped:
                    break
        finally:
            work.close()

    def _take(self, statistics: Statistics) -> None:
        name, source = statistics["shard"], statistics["input"]
        if "failed" in statistics:
            self.failed[source] = statistics["failed"]
            self.done.pop(name, None)
            if statistics["fatal"]:
                self.stopped = statistics["failed"]
            return
        if "stopped" in statistics:
            return
        twin = self.identities.setdefault(statistics["identity"] or name, source)
        if twin != source:  # their keys would be the same
            remove_shard(self.folder, name)
            self.failed[source] = f"{source}: is the same archive as {twin}"
            return
        self.done[name] = statistics
        self.made.add(name)
        wrong = failures(statistics["errors"])
        self.judged.update(pages=pages_of(statistics) + wrong, errors=wrong)
        rate, limit = self.judged["errors"] / max(self.judged["pages"], 1), self.options
        if self.judged["pages"] >= JUDGED_PAGES and rate > limit.max_error_rate:
            self.stopped = (
                f"{rate:.1%} of the pages have errors, more than the limit of "
                f"{limit.max_error_rate:.1%}"
            )

    def _to_mend(self, tasks: Sequence[ShardTask], own: set[str]) -> Iterator[ShardTask]:
        """Parts of archives that begin at the wrong byte, from where the part before, which is
        right, came to; each by its owner, and once from the same byte."""
        for task, start in bad_seams(tasks, self.done, self.failed):
            if task.name in own and (task.name, start) not in self.mended:
                self.mended.add((task.name, start))
                yield replace(task, source=replace(task.source, start=start, exact=True))

    def _tell_of_bad_seams(self, tasks: Sequence[ShardTask]) -> None:
        for task, start in bad_seams(tasks, self.done, self.failed):
            self.failed[task.source.name] = (
                f"{task.source.name}: the shard {task.name} does not begin at byte {start:,}, "
                "where the part before it ends; --resume, of each rank, makes it anew"
            )

    def _tell_of_missing_archives(self, tasks: Sequence[ShardTask]) -> None:
        """Of shards with records of archives that are not there; --resume makes them anew."""
        for each in (self.done[task.name] for task in tasks if task.name in self.done):
            if missing := each.get("missing"):
                (_, first), more = next(iter(missing.items())), len(missing) - 1
                others = f", and {counted(more, 'other archive')} of this index" if more else ""
                self.failed[each["input"]] = f"{first}{others}; --resume tries again"

    def _share_failures(self, tasks: Sequence[ShardTask]) -> None:
        """Tell the other ranks of the inputs that failed here, and take over theirs.

        An input that is complete by now has not failed; each rank sees by itself whether it has
        changed.
        """
        own = f"{self.folder.writer}.json"
        with suppress(CannotWrite):  # the summary will say so
            self.folder.write_json(f"{RANKS}/{own}", self.failed)
        incomplete = {task.source.name for task in tasks if task.name not in self.done}
        for name in self.folder.names(RANKS):
            if name != own and name.endswith(f"-of-{self.options.world_size}.json"):
                theirs = self.folder.read_json(f"{RANKS}/{name}") or {}
                for source in incomplete & theirs.keys():
                    self.failed.setdefault(source, theirs[source])
