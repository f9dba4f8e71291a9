"""Corpus runs with one threshold for all pages of a template: two rounds over the inputs.

The first round finds each page's template and the threshold that fits the page; the second cuts all
pages with the middle one of their template. So neither the order of pages nor the engine changes a
result. Every page is rendered in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pagecut.annotation.template import middle_thresholds
from pagecut.corpus.inputs import Input
from pagecut.corpus.output_folder import OutputFolder
from pagecut.corpus.plan import Plan
from pagecut.corpus.run import Summary, prepare_output, run_corpus
from pagecut.corpus.shards import FileFormat

FIRST_ROUND: Final = "_templates"
THRESHOLDS_FILE: Final = "_thresholds.json"

Told = Callable[[Mapping[str, float], Mapping[str, int]], None]


def run_by_template(
    inputs: Sequence[Input],
    plan: Plan,
    output: str,
    *,
    format: FileFormat = "parquet",
    resume: bool = False,
    told: Told = lambda _thresholds, _pages: None,
    **options: Any,
) -> Summary:
    """Both rounds; the shards of the first stay in a folder of the output.

    Args:
        told: given the threshold of each template and how many pages it has, before the second.
        options: as `run_corpus` has them.
    """
    first = replace(plan, shape="templates", images=(), text="", chunk=0)
    folder = OutputFolder(output)
    second = replace(plan, thresholds=f"{folder.path}/{THRESHOLDS_FILE}")
    prepare_output(output, second, format, resume)
    run_corpus(inputs, first, f"{folder.path}/{FIRST_ROUND}", resume=resume, **options)
    rows = _read_rows(OutputFolder(f"{folder.path}/{FIRST_ROUND}"))
    thresholds = middle_thresholds((each, value) for each, value in rows if value is not None)
    folder.write_json(THRESHOLDS_FILE, thresholds)
    told(thresholds, Counter(template for template, _ in rows))
    return run_corpus(inputs, second, output, format=format, resume=True, **options)


def _read_rows(folder: OutputFolder) -> list[tuple[str, float | None]]:
    import pyarrow.parquet as pq

    rows: list[tuple[str, float | None]] = []
    for name in sorted(folder.names("templates")):
        with folder.opening(f"templates/{name}") as file:
            table = pq.read_table(file, columns=["template", "threshold"])
        rows += zip(*(table.column(each).to_pylist() for each in table.column_names), strict=True)
    return rows
