"""A corpus run: inputs to shards by an engine, finished ones skipped, and a summary.

A run by template has two rounds over the inputs. The first finds each page's template and the
threshold that fits the page; the second cuts all pages with the middle one of their template. So
neither the order of pages nor the engine changes a result. Every page is rendered in both.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pagecut._version import __version__
from pagecut.annotation.template import middle_thresholds
from pagecut.corpus.engines import engine as find_engine
from pagecut.corpus.inputs import Input, is_remote
from pagecut.corpus.output_folder import OutputFolder
from pagecut.corpus.settings import RunSettings
from pagecut.corpus.shards import MARKERS, FileFormat, ShardTask, Statistics, failures
from pagecut.corpus.tables import VERSION, table_names
from pagecut.errors import FormatError

RUN_FILE: Final = "_run.json"
SUMMARY_FILE: Final = "_summary.json"
REMEDY: Final = "give a new folder"
FIRST_ROUND: Final = "_templates"
THRESHOLDS_FILE: Final = "_thresholds.json"

OnThresholds = Callable[[Mapping[str, float], Mapping[str, int]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the folder of a run holds: records = pages + the errors among them + skipped.

    Args:
        shards: how many are complete.
        resumed: of them, how many a run before had made.
        not_given: of these, how many are of inputs that this run was not given.
        failed: inputs that could not be read at all, with the reason.
        rows: by table.
        left_out: images that the shape of the output has no place for, by the reason.
        seconds: of this run, by the clock.
    """

    shards: int
    resumed: int
    not_given: int
    failed: dict[str, str]
    records: int
    rows: dict[str, int]
    errors: dict[str, int]
    skipped: dict[str, int]
    left_out: dict[str, int]
    restarts: int
    bytes: int
    seconds: float
    new_pages: int
    new_bytes: int

    @property
    def pages(self) -> int:
        """Rows without an error."""
        return self.rows.get("pages", 0) - sum(self.errors.values())

    @property
    def error_rate(self) -> float:
        """Share of the rows with an error; a record that is not HTML counts as neither."""
        wrong = failures(self.errors)
        return wrong / max(self.pages + wrong, 1)

    def to_json(self) -> dict[str, Any]:
        seconds = max(self.seconds, 1e-9)
        return {
            "shards": self.shards,
            "resumed": self.resumed,
            "not_given": self.not_given,
            "failed": self.failed,
            "records": self.records,
            "pages": self.pages,
            "errors": self.errors,
            "skipped": self.skipped,
            "left_out": self.left_out,
            "rows": self.rows,
            "error_rate": round(self.error_rate, 6),
            "restarts": self.restarts,
            "bytes": self.bytes,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.new_pages / seconds, 2),
            "megabytes_per_second": round(self.new_bytes / seconds / 1e6, 3),
        }


def run_corpus(
    inputs: Sequence[Input],
    settings: RunSettings,
    output: str,
    *,
    engine: str = "local",
    format: FileFormat = "parquet",
    workers: int | None = None,
    resume: bool = False,
    on_progress: Callable[[int, int], None] = lambda _shards, _rows: None,
) -> Summary:
    """Make a shard of each input, and sum up all that the output holds.

    Args:
        output: a folder, or the URL of one.
        resume: skip the shards that a run with the same settings has completed.
        on_progress: called with how many shards and rows have been added.
    """
    began = time.monotonic()
    run_tasks = find_engine(engine)
    folder = prepare_output(output, settings, format, resume)
    tasks = [
        ShardTask(source=source, settings=settings, output=output, format=format)
        for source in inputs
    ]
    finished, others = completed(folder, tasks) if resume else ([], [])
    names = {done["shard"] for done in finished}
    todo = [task for task in tasks if task.name not in names]
    on_progress(len(finished), sum(done["rows"]["pages"] for done in finished))
    made = []
    if todo:
        for statistics in run_tasks(todo, workers, lambda rows: on_progress(0, rows)):
            made.append(statistics)
            on_progress(1, 0)
    summary = _sum_up(finished, others, made, time.monotonic() - began)
    folder.write_json(SUMMARY_FILE, summary.to_json())
    return summary


def run_by_template(
    inputs: Sequence[Input],
    settings: RunSettings,
    output: str,
    *,
    format: FileFormat = "parquet",
    resume: bool = False,
    on_thresholds: OnThresholds = lambda _thresholds, _pages: None,
    **options: Any,
) -> Summary:
    """Both rounds; the shards of the first stay in a folder of the output.

    Args:
        on_thresholds: called with the threshold of each template and how many pages it has, before
            the second round.
        options: as `run_corpus` has them.
    """
    first = replace(settings, shape="templates", images=(), text="", chunk=0)
    folder = OutputFolder(output)
    second = replace(settings, thresholds=f"{folder.path}/{THRESHOLDS_FILE}")
    prepare_output(output, second, format, resume)
    run_corpus(inputs, first, f"{folder.path}/{FIRST_ROUND}", resume=resume, **options)
    rows = _read_rows(OutputFolder(f"{folder.path}/{FIRST_ROUND}"))
    thresholds = middle_thresholds((each, value) for each, value in rows if value is not None)
    folder.write_json(THRESHOLDS_FILE, thresholds)
    on_thresholds(thresholds, Counter(template for template, _ in rows))
    return run_corpus(inputs, second, output, format=format, resume=True, **options)


def prepare_output(output: str, settings: RunSettings, format: str, resume: bool) -> OutputFolder:
    """Refuse a folder that holds another run; clear away what a killed one left."""
    folder = OutputFolder(output)
    folder.check_is_folder()
    wanted = {
        "schema": VERSION,
        "pagecut": __version__,
        "format": format,
        "plan": settings.to_json(),
        "digest": settings.digest,
    }
    found = folder.read_json(RUN_FILE)
    if found is None:
        if folder.names(""):
            raise FormatError(f"{folder.path}: is not empty, and not of a run; give a new folder")
        folder.write_json(RUN_FILE, wanted)
        return folder
    if not resume:
        raise FormatError(f"{folder.path}: holds a run already; --resume goes on with it")
    for name in "schema", "format", "digest":
        if found.get(name) != wanted[name]:
            raise FormatError(
                f"{folder.path}: holds a run with other settings ({_difference(found, wanted)}); "
                "give the same options or a new folder"
            )
    for table in (MARKERS, "", "pages", *table_names(settings)):
        folder.remove_temporaries(table)
    return folder


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    old, new = found.get("plan", {}), wanted["plan"]
    parts = [
        f"{name} {old.get(name)!r}, now {new[name]!r}" for name in new if old.get(name) != new[name]
    ]
    for name in "schema", "format":
        if found.get(name) != wanted[name]:
            parts.append(f"{name} {found.get(name)!r}, now {wanted[name]!r}")
    return "; ".join(parts)


def completed(
    folder: OutputFolder, tasks: Sequence[ShardTask]
) -> tuple[list[Statistics], list[Statistics]]:
    """The statistics of these tasks' shards that are complete, and those of other inputs' shards.

    Raises FormatError where an input has the name of another one that the folder holds: rows of
    both would have the same keys, or the new ones would replace the old.
    """
    markers = {task.name: folder.read_json(f"{MARKERS}/{task.name}.json") for task in tasks}
    names = sorted(set(folder.names(MARKERS)) - {f"{name}.json" for name in markers})
    others = [found for name in names if (found := folder.read_json(f"{MARKERS}/{name}"))]
    held = {name: each["shard"] for each in others for name in each.get("files", ())}
    for task in tasks:
        marker = markers[task.name]
        if marker is not None:
            _check_same(task, marker, folder)
        for name, path in task.source.files:
            if name in held:
                raise FormatError(
                    f"{path}: {folder.path} holds another page with the name {name} "
                    f"(shard {held[name]}); {REMEDY}, or give the folder above both to a new run"
                )
    finished = [markers[task.name] for task in tasks if task.made(markers[task.name])]
    return finished, others


def _check_same(task: ShardTask, marker: Statistics, folder: OutputFolder) -> None:
    """Refuse an archive that is not the one of the shard, and a shard that would lose pages."""
    source = task.source
    if source.path and not is_remote(source.path):
        size, old = Path(source.path).stat().st_size, marker.get("bytes")
        if old and size != old:
            raise FormatError(
                f"{source.path}: {folder.path} holds an archive of the same name with "
                f"{old:,} bytes, this one has {size:,}; {REMEDY}"
            )
    lost = sorted(set(marker.get("files", ())) - {name for name, _ in source.files})
    if lost:
        more = f" and {len(lost) - 1:,} more pages" if len(lost) > 1 else ""
        raise FormatError(
            f"{folder.path}: the shard {task.name} holds {lost[0]}{more}, not given now, which "
            f"would be lost; give all pages, or {REMEDY}"
        )


def _sum_up(
    finished: Sequence[Statistics],
    others: Sequence[Statistics],
    made: Sequence[Statistics],
    seconds: float,
) -> Summary:
    failed = {each["input"]: each["failed"] for each in made if "failed" in each}
    new = [each for each in made if "failed" not in each]
    done = [*finished, *others, *new]
    return Summary(
        shards=len(done),
        resumed=len(finished) + len(others),
        not_given=len(others),
        failed=failed,
        records=sum(each["records"] for each in done),
        rows=_total(each["rows"] for each in done),
        errors=_total(each["errors"] for each in done),
        skipped=_total(each["skipped"] for each in done),
        left_out=_total(each["left_out"] for each in done),
        restarts=sum(each["restarts"] for each in done),
        bytes=sum(each["bytes"] for each in done),
        seconds=seconds,
        new_pages=sum(each["rows"]["pages"] for each in new),
        new_bytes=sum(each["bytes"] for each in new),
    )


def _total(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))


def _read_rows(folder: OutputFolder) -> list[tuple[str, float | None]]:
    import pyarrow.parquet as pq

    rows: list[tuple[str, float | None]] = []
    for name in sorted(folder.names("templates")):
        with folder.opening(f"templates/{name}") as file:
            table = pq.read_table(file, columns=["template", "threshold"])
        rows += zip(*(table.column(each).to_pylist() for each in table.column_names), strict=True)
    return rows
