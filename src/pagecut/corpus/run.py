"""A corpus run: inputs to shards by an engine, finished ones skipped, and a summary."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pagecut._version import __version__
from pagecut.corpus.engines import engine as find_engine
from pagecut.corpus.inputs import Input
from pagecut.corpus.output_folder import OutputFolder
from pagecut.corpus.plan import Plan
from pagecut.corpus.resuming import completed
from pagecut.corpus.shards import MARKERS, FileFormat, ShardTask, Statistics, failures
from pagecut.corpus.tables import VERSION, table_names
from pagecut.errors import FormatError

RUN_FILE: Final = "_run.json"
SUMMARY_FILE: Final = "_summary.json"


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
        """Share of the rows with an error; a record that is no HTML counts as neither."""
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
    plan: Plan,
    output: str,
    *,
    engine: str = "local",
    format: FileFormat = "parquet",
    workers: int | None = None,
    resume: bool = False,
    watch: Callable[[int, int], None] = lambda _shards, _rows: None,
) -> Summary:
    """Make a shard of each input, and sum up all that the output holds.

    Args:
        output: a folder, or the URL of one.
        resume: skip the shards that a run with the same plan has completed.
        watch: told how many shards and rows have been added.
    """
    began = time.monotonic()
    run_tasks = find_engine(engine)
    folder = prepare_output(output, plan, format, resume)
    tasks = [ShardTask(source=source, plan=plan, output=output, format=format) for source in inputs]
    finished, others = completed(folder, tasks) if resume else ([], [])
    names = {done["shard"] for done in finished}
    todo = [task for task in tasks if task.name not in names]
    watch(len(finished), sum(done["rows"]["pages"] for done in finished))
    made = []
    if todo:
        for statistics in run_tasks(todo, workers, lambda rows: watch(0, rows)):
            made.append(statistics)
            watch(1, 0)
    summary = _sum_up(finished, others, made, time.monotonic() - began)
    folder.write_json(SUMMARY_FILE, summary.to_json())
    return summary


def prepare_output(output: str, plan: Plan, format: str, resume: bool) -> OutputFolder:
    """Refuse a folder that holds another run; clear away what a killed one left."""
    folder = OutputFolder(output)
    folder.check_is_folder()
    wanted = {
        "schema": VERSION,
        "pagecut": __version__,
        "format": format,
        "plan": plan.to_json(),
        "digest": plan.digest,
    }
    found = folder.read_json(RUN_FILE)
    if found is None:
        if folder.names(""):
            raise FormatError(f"{folder.path}: is not empty, and holds no run; give a new folder")
        folder.write_json(RUN_FILE, wanted)
        return folder
    if not resume:
        raise FormatError(f"{folder.path}: holds a run already; --resume goes on with it")
    for name in "schema", "format", "digest":
        if found.get(name) != wanted[name]:
            raise FormatError(
                f"{folder.path}: holds a run with another plan ({_difference(found, wanted)}); "
                "give the same options or a new folder"
            )
    for table in (MARKERS, "", "pages", *table_names(plan)):
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
