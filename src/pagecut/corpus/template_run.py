"""A run by template: one threshold for all pages of a template, in two rounds over the inputs.

The first finds each page's template and the threshold that fits the page; the second cuts all pages
with the middle one of their template. So neither the order of pages nor the engine changes a
result. Every page is rendered in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from pagecut.corpus.engines import engine as find_engine
from pagecut.corpus.inputs import Found
from pagecut.corpus.options import RunOptions
from pagecut.corpus.output.folder import OutputFolder
from pagecut.corpus.output.run_layout import check_is_free, plan_layout, prepare_output
from pagecut.corpus.output.summary import Summary
from pagecut.corpus.run import OnProgress, run_corpus
from pagecut.corpus.settings import RunSettings
from pagecut.errors import FormatError

FIRST_ROUND: Final = "_templates"
THRESHOLDS_FILE: Final = "_thresholds.json"

OnThresholds = Callable[[Mapping[str, float], Mapping[str, int]], None]


def run_by_template(
    found: Found,
    settings: RunSettings,
    output: str,
    options: RunOptions | None = None,
    on_progress: OnProgress = lambda _shards, _pages: None,
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
    check_is_free(folder, options)
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


def _read_rows(folder: OutputFolder) -> list[tuple[str, float | None]]:
    import pyarrow.parquet as pq

    rows: list[tuple[str, float | None]] = []
    for name in sorted(folder.names("templates")):
        with folder.opening(f"templates/{name}") as file:
            table = pq.read_table(file, columns=["template", "threshold"])
        rows += zip(*(table.column(each).to_pylist() for each in table.column_names), strict=True)
    return rows
