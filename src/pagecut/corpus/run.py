"""A corpus run: inputs to shards by an engine, finished ones skipped, and a summary.

A run by template has two rounds over the inputs. The first finds each page's template and the
threshold that fits the page; the second cuts all pages with the middle one of their template. So
neither the order of pages nor the engine changes a result. Every page is rendered in both.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, Final

from pagecut._version import __version__
from pagecut.corpus.engines import Engine
from pagecut.corpus.engines import engine as find_engine
from pagecut.corpus.engines.local import usable_cores
from pagecut.corpus.files import InputFile, archive_identity, certain_size
from pagecut.corpus.inputs import Found, Input
from pagecut.corpus.output_folder import LOCK, WRITING, CannotWrite, OutputFolder
from pagecut.corpus.planning import archive_sizes, groups_of, plan_shards, shard_bytes_for
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.shards import (
    INDEX,
    MARKERS,
    ROW_GROUP_BYTES,
    FileFormat,
    ShardTask,
    Statistics,
    failures,
    marked_shards,
    read_marker,
    remove_shard,
    shard_of_file,
)
from pagecut.corpus.summary import Summary, manifest_of, sum_up
from pagecut.corpus.tables import VERSION, check_columns, column_types, table_names
from pagecut.errors import FormatError, counted

RUN_FILE: Final = "_run.json"
SUMMARY_FILE: Final = "_summary.json"
MANIFEST_FILE: Final = "_manifest.json"
SUCCESS_FILE: Final = "_SUCCESS"
RANKS: Final = "_ranks"  # inputs that failed, of each who shares the folder
INTERRUPTED: Final = "interrupted"
FIRST_ROUND: Final = "_templates"
THRESHOLDS_FILE: Final = "_thresholds.json"
# A share of the first few pages says little.
JUDGED_PAGES: Final = 1000
_AT_ONCE: Final = 32  # markers that are read

OnThresholds = Callable[[Mapping[str, float], Mapping[str, int]], None]
OnProgress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """How a run is made; nothing of it changes a row.

    Args:
        engine: one of `ENGINES`.
        workers: processes on this machine, or what the engine makes of it; None for its own choice.
        resume: skip the shards that a run with the same settings has completed.
        redo: shards that are made anew, by their names.
        rank, world_size: of several runs that share the inputs and the folder.
        shard_bytes: of an archive that make a shard; 0 to choose. Counts in a new folder.
        row_group: bytes of rows in memory that make a row group, of all tables together.
        file_bytes: at which a table's file is full, and the next one begun; 0 for never.
        max_error_rate: stop where a larger share of the pages has errors.
        index: also write where each page is, sorted by address.
    """

    engine: str = "local"
    format: FileFormat = "parquet"
    workers: int | None = None
    resume: bool = False
    redo: tuple[str, ...] = ()
    rank: int = 0
    world_size: int = 1
    shard_bytes: int = 0
    row_group: int = ROW_GROUP_BYTES
    file_bytes: int = 0
    max_error_rate: float = 1.0
    index: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.rank < self.world_size:
            raise ValueError(f"rank {self.rank} of {self.world_size}: must lie below it")


def run_corpus(
    found: Found,
    settings: RunSettings,
    output: str,
    options: RunOptions | None = None,
    on_progress: OnProgress = lambda _shards, _rows: None,
) -> Summary:
    """Make shards of the inputs, and sum up all that the output holds.

    Ctrl-C (KeyboardInterrupt) ends it early, with a summary that says so.

    Args:
        output: a folder, or the URL of one.
        on_progress: called with how many shards and rows have been added.
    """
    options = options or RunOptions()
    check_columns(settings)
    run_tasks = find_engine(options.engine)
    folder = OutputFolder(output)
    _check_is_free(folder, options)
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
        shared = self.options.world_size > 1
        with self.folder.alone():
            layout = plan_layout(self.folder, self.settings, self.options, self.found.inputs)
            sizes = archive_sizes(self.found.inputs) if layout["shard_bytes"] else {}
            self._check_redo(layout, sizes)
            prepare_output(self.folder, self.settings, self.options, layout)
            self._settle_sizes(layout, sizes)
        tasks = self._tasks(layout, self.found.inputs)
        names = {task.name for task in tasks}
        own = tasks[self.options.rank :: self.options.world_size]
        own_names = {task.name for task in own}
        for name in own_names & {*self.options.redo}:  # others who share the folder make theirs
            remove_shard(self.folder, name)
        self._read_markers()
        self._remove_damaged(names, own_names)
        left = self._left_to_do(tasks)
        todo = [task for task in left if task.name in own_names]
        todo = todo or list(self._bad_seams(tasks, own_names))
        unfinished = {task.name for task in todo}
        finished = [name for name in own_names - unfinished if name in self.done]
        self.on_progress(len(finished), sum(self.done[each]["rows"]["pages"] for each in finished))
        if todo or self.failed or not names <= self.done.keys():
            self.folder.remove(SUCCESS_FILE)
        try:
            while todo and not self.stopped:
                self._work_off(todo)
                self._read_markers()
                todo = list(self._bad_seams(tasks, own_names))
                self.on_progress = lambda _shards, _rows: None  # what is made again counts once
        except KeyboardInterrupt:
            self.stopped = INTERRUPTED
        except OSError as error:  # no process can be started, or no temporary file written
            self.stopped = f"the work cannot go on: {error.strerror or error}"
        with self.folder.alone():  # who comes last has the markers of all
            if shared:
                self.done.clear()  # others may have made theirs anew
            self._read_markers()  # also of others that share the folder, and of the last moment
            self._remove_copies()
            if not self.stopped:
                self._tell_of_bad_seams(tasks)
            self._tell_of_missing_archives(tasks)
            if shared:
                self._share_failures(tasks)
            summary = sum_up(
                self.done.values(),
                made=self.made,
                given=names,
                own=own_names,
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
        self.folder.remove(f"{WRITING}/{self.folder.writer}" if shared else WRITING)
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
        shared = self.options.world_size > 1
        marked = marked_shards(self.folder)
        looked_at = marked & own if shared else marked
        damaged = dict.fromkeys(looked_at - self.done.keys(), "its marker cannot be read")
        tables = {table for marker in self.done.values() for table in marker["tables"]}
        sizes = {table: self.folder.sizes(table) for table in tables}
        for name in sorted(looked_at & self.done.keys()):
            for table, files in self.done[name]["tables"].items():
                for file in files:
                    size = sizes[table].get(file["name"], -1)
                    if size is not None and size != file["bytes"]:
                        how = (
                            "is gone" if size < 0 else f"has {size:,} bytes, not {file['bytes']:,}"
                        )
                        damaged[name] = f"{table}/{file['name']} {how}"
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
        others = self._other_indexes(tasks)
        self.failed = self._changed(tasks) | self.failed
        for task in tasks:
            marker = self.done.get(task.name)
            if task.source.name in self.failed:
                continue
            if task.source.records and (other := others.get(_ungrouped(task))):
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

    def _changed(self, tasks: Sequence[ShardTask]) -> dict[str, str]:
        """Inputs whose files are no longer those that their shards were made of, and how so."""
        made = [(task, self.done[task.name]) for task in tasks if task.name in self.done]
        checked: dict[str, list[tuple[ShardTask, int, str]]] = {}
        for task, marker in made:
            for _, path, size in marker["files"]:
                now = path if task.source.files else task.source.path
                identity = "" if task.source.files else marker["identity"]
                checked.setdefault(now, []).append((task, size, identity))
        found: dict[str, str] = {}
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            seen = pool.map(lambda item: _look_at(item[0], item[1][0][2]), checked.items())
            for (path, uses), (size, identity) in zip(checked.items(), seen, strict=True):
                for task, old_size, old_identity in uses:
                    if size is None:
                        how = "is gone"
                    elif size and old_size and size != old_size:
                        how = f"has {size:,} bytes instead of {old_size:,}"
                    elif identity and old_identity and identity != old_identity:
                        how = "is another archive of the same size"
                    else:
                        continue
                    names = " ".join(f"--redo {each.name}" for each, *_ in uses)
                    found[task.source.name] = (
                        f"{path}: {how} since its shards were made; make them anew: {names}"
                    )
        return found

    def _other_indexes(self, tasks: Sequence[ShardTask]) -> dict[str, str]:
        """Indexes that share a name with one of other records, whose rows they would replace."""
        shards: dict[str, list[str]] = {}
        for task in tasks:
            marker = self.done.get(task.name)
            if task.source.records and marker is not None and not task.made(marker):
                shards.setdefault(_ungrouped(task), []).append(task.name)
        return {
            name: f"{name}: names other records than the index of the same name that the shards "
            f"{', '.join(made)} were made of; give it another name, or make them anew of it: "
            + " ".join(f"--redo {each}" for each in made)
            for name, made in shards.items()
        }

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

    def _work_off(self, todo: Sequence[ShardTask]) -> None:
        work = self.run_tasks(todo, self.options.workers, lambda rows: self.on_progress(0, rows))
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
        self.judged.update(pages=statistics["rows"]["pages"], errors=failures(statistics["errors"]))
        rate, limit = self.judged["errors"] / max(self.judged["pages"], 1), self.options
        if self.judged["pages"] >= JUDGED_PAGES and rate > limit.max_error_rate:
            self.stopped = (
                f"{rate:.1%} of the pages have errors, more than the limit of "
                f"{limit.max_error_rate:.1%}"
            )

    def _bad_seams(self, tasks: Sequence[ShardTask], own: set[str]) -> Iterator[ShardTask]:
        """Parts of archives that do not begin where the part before them ended.

        What looks like a record in the middle of one may mislead a part that has to look for its
        first. It is then made anew from where the part before, which is right, came to, by its
        owner, and once from the same byte.
        """
        for task, start in self._seams(tasks):
            if task.name in own and (task.name, start) not in self.mended:
                self.mended.add((task.name, start))
                yield replace(task, source=replace(task.source, start=start, exact=True))

    def _tell_of_bad_seams(self, tasks: Sequence[ShardTask]) -> None:
        for task, start in self._seams(tasks):
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

    def _seams(self, tasks: Sequence[ShardTask]) -> Iterator[tuple[ShardTask, int]]:
        """Parts that begin wrongly, and where they should; failed archives left out."""
        wrong: set[str] = set()
        for before, task in pairwise(tasks):
            if task.source.part <= 1 or before.name in wrong or task.source.name in self.failed:
                continue
            one, two = self.done.get(before.name), self.done.get(task.name)
            if one and two and one["reached"] != two["begun"]:
                wrong.add(task.name)
                yield task, one["reached"]


def run_by_template(
    found: Found,
    settings: RunSettings,
    output: str,
    options: RunOptions | None = None,
    on_progress: OnProgress = lambda _shards, _rows: None,
    on_thresholds: OnThresholds = lambda _thresholds, _pages: None,
) -> Summary:
    """Both rounds; the shards of the first stay in a folder of the output.

    Args:
        on_thresholds: called with the threshold of each template and how many pages it has, before
            the second round.
    """
    from pagecut.annotation.template import middle_thresholds

    options = options or RunOptions()
    if options.world_size > 1 or options.redo:
        raise FormatError("a run by template needs all its inputs at once, without rank or redo")
    first = replace(settings, shape="templates", images=(), text="", chunk=0, columns=())
    find_engine(options.engine)
    folder = OutputFolder(output)
    second = replace(settings, thresholds=f"{folder.path}/{THRESHOLDS_FILE}")
    _check_is_free(folder, options)
    with folder.locked(0, 1):
        layout = plan_layout(folder, second, options, found.inputs)
        prepare_output(folder, second, options, layout)
    round_one = replace(options, format="parquet", index=False)
    summary = run_corpus(found, first, f"{folder.path}/{FIRST_ROUND}", round_one, on_progress)
    if summary.stopped:
        return summary
    rows = _read_rows(OutputFolder(f"{folder.path}/{FIRST_ROUND}"))
    thresholds = middle_thresholds((each, value) for each, value in rows if value is not None)
    folder.write_json(THRESHOLDS_FILE, thresholds)
    on_thresholds(thresholds, Counter(template for template, _ in rows))
    return run_corpus(found, second, output, replace(options, resume=True), on_progress)


def _check_is_free(folder: OutputFolder, options: RunOptions) -> None:
    """Refuse a folder with other things in it, and one with a run unless that is to go on."""
    folder.check_is_folder()
    # Listed before the run's file is read: another rank writes that first, and perhaps just now.
    others = [name for name in folder.names("") if not name.startswith((LOCK, WRITING))]
    if folder.read_json(RUN_FILE) is not None:
        if not options.resume and not options.redo and options.world_size == 1:
            raise FormatError(
                f"{folder.path}: holds a run already; --resume goes on with it; for a new run give "
                "another folder, or delete this one"
            )
    elif others:
        raise FormatError(f"{folder.path}: is not empty, and not of a run; give a new folder")


def plan_layout(
    folder: OutputFolder, settings: RunSettings, options: RunOptions, inputs: Sequence[Input]
) -> dict[str, Any]:
    """What the folder says of its run, or is to say; other runs are refused."""
    wanted = {
        "schema": VERSION,
        "pagecut": __version__,
        "format": options.format,
        "index": options.index,
        "settings": settings.to_json(),
        "digest": settings.digest,
        "columns": {name: column_types(name, settings) for name in _tables(settings)},
    }
    found = folder.read_json(RUN_FILE)
    layout = found or dict(wanted)
    if found is not None:
        _check_same_run(folder, found, wanted)
        layout |= {name: wanted[name] for name in ("schema", "pagecut", "columns")}
    else:
        workers = (options.workers or usable_cores()) * options.world_size
        # A limit holds for an archive, not for each part of it.
        layout["shard_bytes"] = (
            0 if settings.limit else options.shard_bytes or shard_bytes_for(inputs, workers)
        )
        layout["groups"] = {}
    for source in inputs:
        if not source.path and source.name not in layout["groups"]:
            layout["groups"][source.name] = groups_of(source, layout["shard_bytes"])
    return layout


def prepare_output(
    folder: OutputFolder, settings: RunSettings, options: RunOptions, layout: dict[str, Any]
) -> None:
    """Write what the folder says of its run, and remove what a killed one left there."""
    folder.write_json(RUN_FILE, layout)
    if options.world_size == 1:
        _clean(folder, settings)
    else:
        folder.remove(f"{WRITING}/{folder.writer}")


def _tables(settings: RunSettings) -> tuple[str, ...]:
    return ("pages", *table_names(settings))


def _check_same_run(folder: OutputFolder, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse other settings; columns may have come since, but none may have gone or changed."""
    if "columns" not in found:
        raise FormatError(
            f"{folder.path}: holds a run of an older version of pagecut, which this one cannot go "
            "on with; give a new folder"
        )
    parts = []
    if any(found.get(name, False) != wanted[name] for name in ("format", "index", "digest")):
        parts = _differences(found, wanted)
    if not parts:  # other options have other columns, which would only hide them
        for table, columns in found["columns"].items():
            now = wanted["columns"].get(table, {})
            parts += [
                f"{table}.{column} {kind!r}, now {now.get(column)!r}"
                for column, kind in columns.items()
                if now.get(column) != kind
            ]
    if parts:
        raise FormatError(
            f"{folder.path}: holds a run with other settings ({'; '.join(parts)}); "
            "give the same options or a new folder"
        )


def _differences(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    old, new = found["settings"], wanted["settings"]
    names = sorted({*old, *new})
    parts = [
        f"{name} {old.get(name)!r}, now {new.get(name)!r}"
        for name in names
        if old.get(name) != new.get(name)
    ]
    for name in "format", "index":  # older runs have no index
        if (was := found.get(name, False)) != wanted[name]:
            parts.append(f"{name} {was!r}, now {wanted[name]!r}")
    return parts


def _clean(folder: OutputFolder, settings: RunSettings) -> None:
    """Remove what a killed run left: files aside, and those of shards without a marker."""
    folder.remove(WRITING)
    folder.remove(RANKS)
    complete = marked_shards(folder)
    for table in (*_tables(settings), INDEX):
        for name in folder.names(table):
            if shard_of_file(name) not in complete:
                folder.remove(f"{table}/{name}")


def _ungrouped(task: ShardTask) -> str:
    """The name of the input that a group of its records belongs to."""
    return task.source.name.rpartition("-")[0]


def _look_at(path: str, identity: str) -> tuple[int | None, str]:
    """The size of a file, None if it is gone, 0 if that is not known; of an archive, its identity.

    Args:
        identity: what it was, if it is an archive.
    """
    try:
        if not identity:
            return certain_size(path), ""
        with InputFile(path) as file:
            return file.seek(0, 2), archive_identity(file)
    except FormatError as error:
        gone = isinstance(error.__cause__, FileNotFoundError)
        return (None if gone else 0), ""  # reading it will tell


def _read_rows(folder: OutputFolder) -> list[tuple[str, float | None]]:
    import pyarrow.parquet as pq

    rows: list[tuple[str, float | None]] = []
    for name in sorted(folder.names("templates")):
        with folder.opening(f"templates/{name}") as file:
            table = pq.read_table(file, columns=["template", "threshold"])
        rows += zip(*(table.column(each).to_pylist() for each in table.column_names), strict=True)
    return rows
