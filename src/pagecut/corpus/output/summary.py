"""What the folder of a run holds, from the statistics of its shards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import Any, Final

from pagecut.corpus.output.shards import Statistics, failures, pages_of

NAMED: Final = 10  # slow, restarted and failed pages


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the folder of a run holds: records = pages + the errors among them + skipped.

    Args:
        shards: how many are complete.
        resumed: of them, how many were there before.
        other_ranks: how many belong to others who share the inputs and the folder.
        not_given: of these, how many are of inputs that this run was not given.
        failed: inputs that could not be read, with the reason.
        damaged: shards that were made anew since their files were not as they had been written.
        stopped: why the run ended before its inputs; empty if it did not.
        rows: by table.
        left_out: images that the shape of the output has no place for, by the reason.
        slowest: CPU seconds, input, address and offset of the slowest pages.
        restarted: input, offset and reason of pages at which a process was replaced.
        failed_pages: input, name and reason of the first pages of shards that have errors.
        files_skipped: in the folders of this run, neither pages nor archives, by the ending.
        seconds: of this run, by the clock.
    """

    shards: int
    resumed: int
    other_ranks: int
    not_given: int
    failed: dict[str, str]
    damaged: dict[str, str]
    stopped: str
    records: int
    rows: dict[str, int]
    errors: dict[str, int]
    skipped: dict[str, int]
    left_out: dict[str, int]
    restarts: int
    slowest: list[tuple[float, str, str, int]]
    restarted: list[tuple[str, int, str]]
    failed_pages: list[tuple[str, str, str]]
    files_skipped: dict[str, int]
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
            "other_ranks": self.other_ranks,
            "not_given": self.not_given,
            "failed": self.failed,
            "damaged": self.damaged,
            "stopped": self.stopped,
            "records": self.records,
            "pages": self.pages,
            "errors": self.errors,
            "skipped": self.skipped,
            "left_out": self.left_out,
            "rows": self.rows,
            "error_rate": round(self.error_rate, 6),
            "restarts": self.restarts,
            "slowest": [list(each) for each in self.slowest],
            "restarted": [list(each) for each in self.restarted],
            "failed_pages": [list(each) for each in self.failed_pages],
            "files_skipped": self.files_skipped,
            "bytes": self.bytes,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.new_pages / seconds, 2),
            "megabytes_per_second": round(self.new_bytes / seconds / 1e6, 3),
        }


def sum_up(
    shards: Iterable[Statistics],
    *,
    made: set[str],
    given: set[str],
    own: set[str],
    files_skipped: Mapping[str, int],
    failed: dict[str, str],
    damaged: dict[str, str],
    stopped: str,
    seconds: float,
) -> Summary:
    """The summary of complete shards.

    Args:
        made: shards that this run has made.
        given: shards of the inputs that it was given.
        own: of these, those that are its to make.
    """
    done = sorted(shards, key=lambda each: each["shard"])
    new = [each for each in done if each["shard"] in made]
    others = sum(each["shard"] in given - own for each in done)
    slow = [(s, each["input"], url, at) for each in done for s, url, at in each["slowest"]]
    return Summary(
        shards=len(done),
        resumed=len(done) - len(new) - others,
        other_ranks=others,
        not_given=sum(each["shard"] not in given for each in done),
        failed=failed,
        damaged=damaged,
        stopped=stopped,
        records=sum(each["records"] for each in done),
        rows=_total(each["rows"] for each in done),
        errors=_total(each["errors"] for each in done),
        skipped=_total(each["skipped"] for each in done),
        left_out=_total(each["left_out"] for each in done),
        restarts=sum(each["restarts"] for each in done),
        slowest=nlargest(NAMED, slow),
        restarted=[(each["input"], at, why) for each in done for at, why in each["restarted"]][
            :NAMED
        ],
        failed_pages=[
            (each["input"], name, why)
            for each in done
            for name, why in each.get("failed_pages", [])
        ][:NAMED],
        files_skipped=dict(sorted(files_skipped.items())),
        bytes=sum(each["bytes"] for each in done),
        seconds=seconds,
        new_pages=sum(map(pages_of, new)),
        new_bytes=sum(each["bytes"] for each in new),
    )


def manifest_of(shards: Mapping[str, Statistics]) -> dict[str, list[dict[str, Any]]]:
    """The files of each table that are complete, with their rows and bytes."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for name in sorted(shards):
        for table, files in shards[name]["tables"].items():
            tables.setdefault(table, []).extend(
                {"path": f"{table}/{file['name']}", "rows": file["rows"], "bytes": file["bytes"]}
                for file in files
            )
    return tables


def _total(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(sorted(total.items()))
